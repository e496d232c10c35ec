"""Damage by an alignment: unsatisfiable classes, new subsumptions inside an ontology, conflicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import scipy

from alignrank.common.table import Tabular
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.ontology import Kind, Ontology

from .reachability import Merged, merge
from .reasoner import reasoned

#: Correspondences that break something together, and no part of them does.
Conflict = tuple[Correspondence, ...]
#: With more correspondences than this, `coherence` finds the conflicts, and only by reachability.
_MAX_SEARCHED = 300
#: Number of conflicts that are searched by HermiT: each takes a dozen runs of some seconds.
_MAX_BY_HERMIT = 2
_NOTHING = Ontology("", {})


@dataclass(frozen=True)
class Coherence(Tabular):
    """Incoherence that an alignment causes.

    Parameters
    ----------
    reasoner
        What found it: ``rustdl`` or ``HermiT``; or ``reachability``, which finds a part.
    unsatisfiable
        Named classes that are satisfiable without the alignment but not with it, sorted.
    causes
        For each root of `unsatisfiable`: correspondences that together make it unsatisfiable. The
        others are so because a root is; by reachability each is a root.
    before
        Classes that were unsatisfiable without the alignment.
    classes
        Named classes of both ontologies.
    inconsistent
        Whether an individual has two disjoint types under the alignment.
    conflicts
        For each correspondence of `repair`: a conflict that contains no other of `repair`; the
        correspondence comes first.
    size
        |A|.
    cautions
        Why something may be missing.
    """

    reasoner: str
    unsatisfiable: tuple[str, ...]
    causes: Mapping[str, Conflict]
    before: int
    classes: int
    inconsistent: bool
    conflicts: tuple[Conflict, ...]
    size: int
    cautions: tuple[str, ...] = ()

    @property
    def is_lower_bound(self) -> bool:
        """Whether a reasoner may find more: nothing but reachability was asked."""
        return self.reasoner == "reachability"

    @property
    def repair(self) -> tuple[Correspondence, ...]:
        """A smallest set whose removal makes all of `unsatisfiable` satisfiable again.

        It need not be unique: this one has the smallest sum of confidences.
        """
        return tuple(first for first, *_ in self.conflicts)

    @property
    def degree(self) -> float:
        """Unsatisfiability degree: share of the named classes that the alignment breaks."""
        return len(self.unsatisfiable) / self.classes if self.classes else 0.0

    @property
    def incoherence(self) -> float:
        """Maximum-cardinality measure m = |repair| / |A|; precision is at most 1 − m.

        That holds if the reference is coherent (Meilicke & Stuckenschmidt 2008).
        """
        return len(self.repair) / self.size if self.size else 0.0


Entailment = Callable[[Ontology, Ontology, Alignment], Merged]


@lru_cache(maxsize=64)
def coherence(
    alignment: Alignment, source: Ontology, target: Ontology, entailment: Entailment = reasoned
) -> Coherence:
    """Return the incoherence that an alignment causes.

    Parameters
    ----------
    alignment
        Correspondences ``?`` have no effect.
    source, target
        The two ontologies.
    entailment
        `reasoned`: the reasoner that is installed; or `merge`: reachability, which finds the
        classes with two ancestors that are declared disjoint: never more than a reasoner.

    References
    ----------
    Meilicke & Stuckenschmidt (2008), "Incoherence as a basis for measuring the quality of ontology
    mappings".

    Examples
    --------
    >>> from alignrank.ontologies.ontology import Entity
    >>> def classes(names, **facts):
    ...     return Ontology("", {c: Entity(c, Kind.CLASS) for c in names}, **facts)
    >>> one, two = classes("AB"), classes("xyz", parents={"z": ("y",)}, disjoints=(("x", "y"),))
    >>> a = Alignment(Correspondence(*pair) for pair in ["Ax", "Az", "Bz"])
    >>> result = coherence(a, one, two)
    >>> result.unsatisfiable, len(result.repair)
    (('A', 'B', 'x', 'z'), 1)
    """
    before = entailment(source, target, Alignment()).unsatisfiable
    merged = entailment(source, target, alignment)
    broken = tuple(sorted(merged.unsatisfiable - before))
    causes = {c: tuple(sorted(cause)) for c, cause in merged.causes().items() if c in broken}
    classes = {e.iri for e in (*source.of_kind(Kind.CLASS), *target.of_kind(Kind.CLASS))}
    conflicts = _conflicts(alignment, source, target, before, entailment)
    return Coherence(
        merged.reasoner,
        broken,
        dict(sorted(causes.items())),
        len(before),
        len(classes),
        merged.inconsistent,
        conflicts,
        len(alignment),
        merged.cautions,
    )


def _conflicts(
    alignment: Alignment,
    source: Ontology,
    target: Ontology,
    before: frozenset[str],
    entailment: Entailment,
) -> tuple[Conflict, ...]:
    """Return for each member of a smallest hitting set a conflict that only this member hits.

    Conflicts are generated until the set hits all of them: by reachability, which costs little, and
    where that finds no more, by the reasoner.
    """
    conflicts: set[frozenset[Correspondence]] = set()
    removed = Alignment()
    while True:
        remaining = alignment - removed
        new = _causes(merge(source, target, remaining), before)
        if not new:
            new = _causes(entailment(source, target, remaining), before)
        if not new:
            break
        conflicts |= new
        removed = Alignment(_hitting_set(conflicts))
    by_member: dict[Correspondence, Conflict] = {}
    for conflict in sorted(sorted(conflict) for conflict in conflicts):
        hits = [c for c in conflict if c in removed]
        if len(hits) == 1:
            conflict.remove(hits[0])
            by_member.setdefault(hits[0], (hits[0], *conflict))
    return tuple(by_member[c] for c in removed)


def _causes(merged: Merged, before: frozenset[str]) -> set[frozenset[Correspondence]]:
    """Return the causes of the classes that the alignment makes unsatisfiable."""
    causes = {cause for broken, cause in merged.causes().items() if broken not in before}
    return causes - {frozenset()}


def _hitting_set(conflicts: set[frozenset[Correspondence]]) -> list[Correspondence]:
    """Return a smallest set with a member in each conflict, the least confident of several."""
    members = sorted(frozenset().union(*conflicts))
    column = {c: j for j, c in enumerate(members)}
    rows = sorted(sorted(column[c] for c in conflict) for conflict in conflicts)
    row_ends = np.cumsum([0, *map(len, rows)])
    matrix = scipy.sparse.csr_array(
        (np.ones(row_ends[-1]), np.concatenate(rows), row_ends), shape=(len(rows), len(members))
    )
    confidences = np.array([c.confidence for c in members])
    # 1/2 at most in sum: a smaller set always costs less
    extra_cost = confidences / (2 * len(members))
    solution = scipy.optimize.milp(
        1 + extra_cost,
        constraints=scipy.optimize.LinearConstraint(matrix, lb=1),
        integrality=np.ones(len(members), dtype=int),
        bounds=scipy.optimize.Bounds(0, 1),
    )
    return [members[j] for j in np.flatnonzero(np.asarray(solution.x) > 0.5).tolist()]


@dataclass(frozen=True)
class Conservativity(Tabular):
    """New subsumptions between classes of one ontology.

    Parameters
    ----------
    reasoner
        As `Coherence.reasoner`.
    source, target
        Number of pairs (lower, upper) of classes of the ontology that only the merged ontologies
        relate.
    examples
        The first pairs, sorted, at most a hundred of each ontology.
    """

    reasoner: str
    source: int
    target: int
    examples: tuple[tuple[str, str], ...]
    cautions: tuple[str, ...] = ()

    @property
    def is_lower_bound(self) -> bool:
        """Whether a reasoner may find more: nothing but reachability was asked."""
        return self.reasoner == "reachability"


def conservativity(
    alignment: Alignment, source: Ontology, target: Ontology, entailment: Entailment = reasoned
) -> Conservativity:
    """Count the violations of the conservativity principle.

    An alignment should relate two ontologies, and add no subsumption inside either (Solimando,
    Jiménez-Ruiz & Guerrini 2017). Not every violation is an error of the alignment: the ontology
    may lack a subsumption.

    Examples
    --------
    >>> from alignrank.ontologies.ontology import Entity
    >>> one = Ontology("", {c: Entity(c, Kind.CLASS) for c in "AB"})
    >>> two = Ontology("", {c: Entity(c, Kind.CLASS) for c in "xy"}, parents={"x": ("y",)})
    >>> a = Alignment([Correspondence("A", "x"), Correspondence("B", "y")])
    >>> conservativity(a, one, two).examples
    (('A', 'B'),)
    """
    merged = entailment(source, target, alignment)
    counts = []
    examples = []
    for ontology in (source, target):
        alone = entailment(ontology, _NOTHING, Alignment())
        classes = [e.iri for e in ontology.of_kind(Kind.CLASS)]
        own = frozenset(classes)
        pairs: list[tuple[str, str]] = []
        for c in classes:
            new = sorted((merged.above(c) & own) - alone.above(c))
            pairs += [(c, upper) for upper in new]
        counts.append(len(pairs))
        examples += pairs[:100]
    violations, of_target = counts
    return Conservativity(merged.reasoner, violations, of_target, tuple(examples), merged.cautions)


@dataclass(frozen=True)
class Breakage:
    """Contradictions in a merged ontology.

    Parameters
    ----------
    reasoner
        As `Coherence.reasoner`.
    classes, before
        Number of named classes, and of those that are unsatisfiable without the alignment.
    unsatisfiable
        IRIs of the classes that are unsatisfiable only with the alignment, sorted.
    inconsistent
        Whether the alignment makes the merged ontology inconsistent.
    conflicts
        The least confident correspondence of each comes first: without these the alignment breaks
        nothing, unless a caution says that there are more conflicts. Other choices can have the
        same effect.
    cautions
        Why no reasoner ran, or conflicts are missing.
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
    """Return the contradictions by an alignment, by the reasoner that is installed.

    Parameters
    ----------
    merged
        The merged ontology, as read back.
    source, target, alignment
        The two ontologies and the alignment of which it was merged.
    """
    after = reasoned(merged, _NOTHING, Alignment())
    without = reasoned(source, target, Alignment())
    cautions = list(after.cautions)
    if after.reasoner == "reachability":
        text = "only what reachability sees is checked; alignrank[reasoner] checks everything"
        cautions.append(text)

    def breaks(entailment: Entailment, correspondences: list[Correspondence]) -> bool:
        trial = entailment(source, target, Alignment(correspondences))
        return trial.inconsistent or not trial.unsatisfiable <= without.unsatisfiable

    broken = after.unsatisfiable - without.unsatisfiable
    conflicts: list[Conflict] = []
    if without.inconsistent:
        cautions.append("the ontologies contradict each other, or themselves, before the alignment")
    elif broken or after.inconsistent:
        remaining = list(alignment)
        has_reasons = after.reasoner == "rustdl" and not after.inconsistent
        if has_reasons or len(remaining) > _MAX_SEARCHED:
            conflicts = list(coherence(alignment, source, target).conflicts)
            complete = has_reasons
        else:
            conflicts = _smallest_conflicts(remaining, partial(breaks, merge), len(remaining))
            further = _smallest_conflicts(remaining, partial(breaks, reasoned), _MAX_BY_HERMIT)
            conflicts += further
            complete = len(further) < _MAX_BY_HERMIT
        if not complete:
            cautions.append("more may be to blame: leave out what is named here, and merge again")
    return Breakage(
        after.reasoner,
        len(merged.of_kind(Kind.CLASS)),
        len(without.unsatisfiable),
        tuple(sorted(broken)),
        after.inconsistent and not without.inconsistent,
        tuple(conflicts),
        tuple(cautions),
    )


_Breaks = Callable[[list[Correspondence]], bool]


def _smallest_conflicts(
    remaining: list[Correspondence], breaks: _Breaks, limit: int
) -> list[Conflict]:
    """Remove the least confident correspondence of each conflict until nothing breaks."""
    conflicts: list[Conflict] = []
    while len(conflicts) < limit and breaks(remaining):
        conflict = _blamed([], remaining, breaks)
        conflict = sorted(conflict, key=lambda c: (c.confidence, c.key))
        conflicts.append(tuple(conflict))
        remaining.remove(conflict[0])
    return conflicts


def _blamed(
    base: list[Correspondence],
    tried: list[Correspondence],
    breaks: _Breaks,
    *,
    is_new: bool = False,
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
    of_second = _blamed(base + first_half, second_half, breaks, is_new=True)
    return _blamed(base + of_second, first_half, breaks, is_new=bool(of_second)) + of_second
