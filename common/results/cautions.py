"""What a reader must know before believing a result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

#: Kinds of cautions by which a verdict may not hold: they are shown first.
MAJOR = frozenset({"views-contradict", "head-words", "grandparents"})
#: Kinds of cautions that hardly ever change a verdict: they are shown last.
MINOR = frozenset({"clipped", "left-out", "merged", "counted-once", "no-parent"})


@dataclass(frozen=True)
class Caution:
    """A sentence that the reader of a result must know, and what it is about.

    Parameters
    ----------
    kind
        A short name, such as ``views-disagree``: renderers choose and order cautions by it.
    text
        The sentence.
    view
        The view of the comparison that the caution is about; None: about the whole result.
    system
        The system that the caution is about, None where it is about several or none.

    Examples
    --------
    >>> str(Caution("few-cases", "take the exact test", view="ifp"))
    'ifp: take the exact test'
    """

    kind: str
    text: str
    view: str | None = None
    system: str | None = None

    def __str__(self) -> str:
        return self.text if self.view is None else f"{self.view}: {self.text}"


def by_weight(cautions: Iterable[Caution], view: str | None = None) -> list[Caution]:
    """Return the cautions with the weightiest first, else in their order.

    The kinds of `MAJOR` come first. What is about a view other than `view`, which decides, and the
    kinds of `MINOR` come last.
    """

    def weight(caution: Caution) -> int:
        if caution.kind in MAJOR:
            return 0
        is_minor = caution.kind in MINOR or caution.view not in (None, view)
        return 2 if is_minor else 1

    return sorted(cautions, key=weight)
