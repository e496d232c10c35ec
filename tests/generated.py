"""How many examples hypothesis makes up: all of them in continuous integration, else fewer."""

from __future__ import annotations

from hypothesis import settings

#: What a test without a number of its own gets under the profile ``ci``.
ALL = 100
#: No test gets fewer than these, unless it asks for fewer.
FEWEST = 5


def examples(number: int) -> settings:
    """Settings for a test that needs so many examples, of which other profiles take a share.

    Examples
    --------
    >>> with_all = settings().max_examples == ALL
    >>> [examples(n).max_examples == n for n in (3, 5, 400)] == [True, True, with_all]
    True
    """
    share = number * settings().max_examples // ALL
    return settings(max_examples=min(number, max(share, FEWEST)))
