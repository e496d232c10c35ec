"""Contradictions in a merged ontology, and the correspondences that cause them."""

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

#: With more correspondences than this, `coherence` finds the conflicts, and only by reachability.
_MAX_SEARCHED = 300
#: Number of conflicts that are searched by HermiT: each takes a dozen runs of some seconds.
_MAX_BY_HERMIT = 2

#: A smallest set of correspondences that break something together; the least confident first.
Conflict = tuple[Correspondence, ...]


@dataclass(frozen=True)
class Breakage:
    """Contradictions in a merged ontology.

    Parameters
    ----------
    reasoner
        ``HermiT``, or ``reachability`` where HermiT cannot run.
    classes, before
        Number of named classes, and of those that are unsatisfiable without the alignment.
    unsatisfiable
        IRIs of the classes that are unsatisfiable only with the alignment, sorted.
    inconsistent
        Whether the alignment makes the merged ontology inconsistent.
    conflicts
        Without the first correspondence of each the alignment breaks nothing, unless a caution says
        that there are more conflicts. Other choices can have the same effect.
    cautions
        Why HermiT did not run, or conflicts are missing.
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
    """Return the contradictions by an alignment, by HermiT if Java is installed, else reachability.

    Parameters
    ----------
    merged
        The merged ontology, as read back.
    source, target, alignment
        The two ontologies and the alignment of which it was merged.
    """
    empty = Alignment()
    cautions = list[str]()
    entailment: type[Merged] = Reasoned
    try:
        after = entailment(merged, Ontology("", {}), empty)
        without = entailment(source, target, empty)
    except EvaluationError as error:
        cautions.append(f"only what reachability sees is checked: {error}")
        entailment = Merged
        after = entailment(merged, Ontology("", {}), empty)
        without = entailment(source, target, empty)

    def breaks(kind: type[Merged], correspondences: list[Correspondence]) -> bool:
        trial = kind(source, target, Alignment(correspondences))
        return trial.inconsistent or not trial.unsatisfiable <= without.unsatisfiable

    broken = after.unsatisfiable - without.unsatisfiable
    conflicts: list[Conflict] = []
    if without.inconsistent:
        cautions.append("the ontologies contradict each other, or themselves, before the alignment")
    elif broken or after.inconsistent:
        remaining = list(alignment)
        if len(remaining) > _MAX_SEARCHED:
            conflicts = list(coherence(alignment, source, target).conflicts)
            complete = False
        else:
            conflicts = _conflicts(remaining, partial(breaks, Merged), len(remaining))
            further = _conflicts(remaining, partial(breaks, entailment), _MAX_BY_HERMIT)
            conflicts += further
            complete = len(further) < _MAX_BY_HERMIT
        if not complete:
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


def _conflicts(remaining: list[Correspondence], breaks: Breaks, limit: int) -> list[Conflict]:
    """Remove the least confident correspondence of each conflict until nothing breaks."""
    conflicts: list[Conflict] = []
    while len(conflicts) < limit and breaks(remaining):
        conflict = _conflict([], remaining, breaks)
        conflict = sorted(conflict, key=lambda c: (c.confidence, c.key))
        conflicts.append(tuple(conflict))
        remaining.remove(conflict[0])
    return conflicts


def _conflict(
    base: list[Correspondence], tried: list[Correspondence], breaks: Breaks, *, is_new: bool = False
) -> list[Correspondence]:
    """Return a minimal part of `tried` that breaks something together with `base`.

    QuickXplain (Junker 2004): a half is dropped if the other half breaks without it. `is_new` means
    that `base` has grown since its last trial.
    """
    if is_new and breaks(base):
        return []
    if len(tried) == 1:
        return tried
    first_half = tried[: len(tried) // 2]
    second_half = tried[len(tried) // 2 :]
    of_second = _conflict(base + first_half, second_half, breaks, is_new=True)
    return _conflict(base + of_second, first_half, breaks, is_new=bool(of_second)) + of_second
