"""What a merged ontology cannot mean, and the correspondences that did it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from alignrank.common.errors import EvaluationError
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.ontology import Kind, Ontology

from .coherence import coherence
from .hermit import Reasoned
from .reachability import Merged

#: With more correspondences, those to blame are found all at once, as far as reachability sees.
_MOST = 300
#: So many conflicts that only HermiT sees are looked for: it is asked a dozen times for each, and
#: takes seconds.
_BY_HERMIT = 2

#: Correspondences that break something together, none of them needless; the least confident first.
Conflict = tuple[Correspondence, ...]


@dataclass(frozen=True)
class Breakage:
    """What became impossible in a merged ontology.

    Parameters
    ----------
    reasoner
        ``HermiT``, or ``reachability`` where that cannot be asked.
    classes, before
        Number of named classes, and of those that had no possible instance without the alignment.
    unsatisfiable
        IRIs of the classes that have none with it, though they had before; sorted.
    inconsistent
        Whether the alignment makes the whole contradictory.
    conflicts
        Without the first correspondence of each all would be as before, unless a caution says that
        more is to blame. Others may do as well.
    cautions
        Why the reasoner was not asked, or conflicts are missing.
    """

    reasoner: str
    classes: int
    before: int
    unsatisfiable: tuple[str, ...]
    inconsistent: bool
    conflicts: tuple[Conflict, ...]
    cautions: tuple[str, ...]


def breakage(
    merged: Ontology, source: Ontology, target: Ontology, alignment: Alignment
) -> Breakage:
    """Return what an alignment breaks, by HermiT where Java is there, else by reachability.

    Parameters
    ----------
    merged
        The merged ontology, as read back.
    source, target, alignment
        Of what it was merged.
    """
    nothing, alone, cautions = Alignment(), Ontology("", {}), list[str]()
    entailment: type[Merged] = Reasoned
    try:
        after, without = entailment(merged, alone, nothing), entailment(source, target, nothing)
    except EvaluationError as error:
        cautions.append(f"only what reachability sees is checked: {error}")
        entailment = Merged
        after, without = entailment(merged, alone, nothing), entailment(source, target, nothing)

    def breaks(kind: type[Merged], some: list[Correspondence]) -> bool:
        trial = kind(source, target, Alignment(some))
        return trial.inconsistent or not trial.unsatisfiable <= without.unsatisfiable

    broken = after.unsatisfiable - without.unsatisfiable
    conflicts: list[Conflict] = []
    if without.inconsistent:
        cautions.append("the ontologies contradict each other, or themselves, before the alignment")
    elif broken or after.inconsistent:
        left, most = list(alignment), _BY_HERMIT
        if len(left) > _MOST:
            conflicts = list(coherence(alignment, source, target).conflicts)
            left, most = [], 0
        else:
            conflicts = _conflicts(left, partial(breaks, Merged), len(left))
        further = _conflicts(left, partial(breaks, entailment), most)
        conflicts += further
        if len(further) == most:
            cautions.append("more may be to blame: leave out what is named here, and merge again")
    return Breakage(
        "HermiT" if entailment is Reasoned else "reachability",
        len(merged.of_kind(Kind.CLASS)),
        len(without.unsatisfiable),
        tuple(sorted(broken)),
        after.inconsistent and not without.inconsistent,
        tuple(conflicts),
        tuple(cautions),
    )


Breaks = Callable[[list[Correspondence]], bool]


def _conflicts(left: list[Correspondence], breaks: Breaks, most: int) -> list[Conflict]:
    """Take the least confident correspondence of each conflict from `left` while it breaks."""
    found: list[Conflict] = []
    while len(found) < most and breaks(left):
        by_confidence = sorted(_conflict([], left, breaks), key=lambda c: (c.confidence, c.key))
        found.append(tuple(by_confidence))
        left.remove(by_confidence[0])
    return found


def _conflict(
    base: list[Correspondence], some: list[Correspondence], breaks: Breaks, *, is_new: bool = False
) -> list[Correspondence]:
    """Return those of `some` that break something together with `base`, and none needless.

    QuickXplain (Junker 2004): halves are left out as long as the rest breaks. `is_new` says that
    `base` has grown since it was tried.
    """
    if is_new and breaks(base):
        return []
    if len(some) == 1:
        return some
    one, two = some[: len(some) // 2], some[len(some) // 2 :]
    of_two = _conflict(base + one, two, breaks, is_new=True)
    return _conflict(base + of_two, one, breaks, is_new=bool(of_two)) + of_two
