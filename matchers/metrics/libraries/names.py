"""Finding a name in a library, however it is written."""

from __future__ import annotations

from collections.abc import Iterable

from matchers.errors import MatcherError
from ontologies.common.wording import hint


def find(name: str, known: Iterable[str], library: str) -> str:
    """Return the one of `known` that is `name` but for case, hyphens and underscores.

    Raises
    ------
    MatcherError
        If there is none; the message gives the closest names, or all.

    Examples
    --------
    >>> find("jaro-winkler", ["Jaro", "JaroWinkler"], "rapidfuzz")
    'JaroWinkler'
    """
    by_folded = {_folded(one): one for one in known}
    if _folded(name) in by_folded:
        return by_folded[_folded(name)]
    found = hint(name, sorted(by_folded.values()), listed_by="alignrank list metrics")
    raise MatcherError(f"{library} has no metric {name!r}: {found}")


def _folded(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")
