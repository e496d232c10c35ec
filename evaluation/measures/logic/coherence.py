"""What an alignment breaks: classes made unsatisfiable, and new subsumptions inside an ontology."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
import scipy

from alignrank.common.table import Tabular
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.ontology import Kind, Ontology

from .reachability import Merged, merge


@dataclass(frozen=True)
class Coherence(Tabular):
    """Incoherence that an alignment causes, as far as reachability detects it.

    Parameters
    ----------
    unsatisfiable
        Named classes that were satisfiable before and are not under the alignment, sorted.
    before
        Classes that were unsatisfiable without the alignment.
    classes
        Named classes of both ontologies.
    inconsistent
        Whether an individual has two disjoint types under the alignment.
    conflicts
        For each correspondence of `repair`: itself, and those with which it breaks a class though
        no other of `repair` is there.
    size
        |A|.
    """

    unsatisfiable: tuple[str, ...]
    before: int
    classes: int
    inconsistent: bool
    conflicts: tuple[tuple[Correspondence, ...], ...]
    size: int

    @property
    def repair(self) -> tuple[Correspondence, ...]:
        """A smallest set whose removal makes all of `unsatisfiable` satisfiable again.

        Not unique: of several the one with the smallest sum of confidences.
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


def coherence(alignment: Alignment, source: Ontology, target: Ontology) -> Coherence:
    """Return the incoherence that an alignment causes.

    It is *detected* incoherence: a class with two ancestors that are declared disjoint. A reasoner
    may find more, never less.

    Parameters
    ----------
    alignment
        Correspondences ``?`` do nothing.
    source, target
        The two ontologies.

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
    >>> got = coherence(a, one, two)
    >>> got.unsatisfiable, len(got.repair)
    (('A', 'B', 'x', 'z'), 1)
    """
    before = merge(source, target, Alignment()).unsatisfiable
    merged = merge(source, target, alignment)
    broken = merged.unsatisfiable - before
    named = {e.iri for o in (source, target) for e in o.of_kind(Kind.CLASS)}
    return Coherence(
        unsatisfiable=tuple(sorted(broken)),
        before=len(before),
        classes=len(named),
        inconsistent=merged.inconsistent,
        conflicts=_conflicts(alignment, source, target, before),
        size=len(alignment),
    )


Conflict = frozenset[Correspondence]


def _conflicts(
    alignment: Alignment, source: Ontology, target: Ontology, before: frozenset[str]
) -> tuple[tuple[Correspondence, ...], ...]:
    """Each of a smallest hitting set of all conflicts, with one conflict that only it hits.

    Conflicts are generated as long as one is not hit.
    """
    conflicts: set[Conflict] = set()
    removed = Alignment()
    while True:
        merged = merge(source, target, alignment - removed)
        new = {_conflict(merged, broken) for broken in merged.unsatisfiable - before}
        if not new:
            break
        conflicts |= new
        removed = Alignment(_hitting_set(conflicts))
    hit_once = sorted(sorted(one) for one in conflicts if len(one.intersection(removed)) == 1)
    by_hit = {c: one for one in reversed(hit_once) for c in removed if c in one}
    return tuple((c, *(other for other in by_hit[c] if other != c)) for c in removed)


def _conflict(merged: Merged, broken: str) -> Conflict:
    """Correspondences that put a class below two disjoint ones, as few as paths can have."""
    cost, last = {broken: 0}, dict[str, tuple[str, Correspondence | None]]()
    queue = deque([broken])
    while queue:
        node = queue.popleft()
        for other, by in merged.links.get(node, ()):
            total = cost[node] + (by is not None)
            if total < cost.get(other, total + 1):
                cost[other], last[other] = total, (node, by)
                (queue.appendleft if by is None else queue.append)(other)
    one, (two, by) = min(
        merged.clashes(broken),
        key=lambda clash: (cost[clash[0]] + cost[clash[1].to], clash[0], clash[1].to),
    )
    found = {by}
    for node in (one, two):
        while node != broken:
            node, by = last[node]
            found.add(by)
    return frozenset(c for c in found if c is not None)


def _hitting_set(conflicts: set[Conflict]) -> list[Correspondence]:
    """Smallest set that has a member in each conflict; the least confident of several such."""
    members = sorted({c for conflict in conflicts for c in conflict})
    place = {c: i for i, c in enumerate(members)}
    rows = sorted(sorted(place[c] for c in conflict) for conflict in conflicts)
    cells = np.array([(i, j) for i, row in enumerate(rows) for j in row])
    matrix = scipy.sparse.csr_array(
        (np.ones(len(cells)), (cells[:, 0], cells[:, 1])), shape=(len(rows), len(members))
    )
    solution = scipy.optimize.milp(
        1 + np.array([c.confidence for c in members]) / (2 * len(members)),
        constraints=scipy.optimize.LinearConstraint(matrix, lb=1),
        integrality=np.ones(len(members), dtype=int),
        bounds=scipy.optimize.Bounds(0, 1),
    )
    taken = np.asarray(solution.x) > 0.5
    return [c for c, one in zip(members, taken, strict=True) if one]


@dataclass(frozen=True)
class Conservativity(Tabular):
    """New subsumptions between classes of one ontology, as far as reachability detects them.

    Parameters
    ----------
    source, target
        Number of pairs (lower, upper) of classes of the ontology of which only the merged
        ontologies say that the one is below the other.
    examples
        The first of them, sorted, at most a hundred of each ontology.
    """

    source: int
    target: int
    examples: tuple[tuple[str, str], ...]


def conservativity(alignment: Alignment, source: Ontology, target: Ontology) -> Conservativity:
    """Count the violations of the conservativity principle.

    An alignment should relate two ontologies, and say nothing new about either (Solimando,
    Jiménez-Ruiz & Guerrini 2017). Not every violation is an error of the alignment: it may as well
    show a gap of the ontology.

    Examples
    --------
    >>> from alignrank.ontologies.ontology import Entity
    >>> one = Ontology("", {c: Entity(c, Kind.CLASS) for c in "AB"})
    >>> two = Ontology("", {c: Entity(c, Kind.CLASS) for c in "xy"}, parents={"x": ("y",)})
    >>> conservativity(Alignment([Correspondence("A", "x"), Correspondence("B", "y")]), one, two)
    Conservativity(source=1, target=0, examples=(('A', 'B'),))
    """
    merged = merge(source, target, alignment)
    nothing = Ontology("", {})
    counts, examples = [], []
    for ontology in (source, target):
        alone = merge(ontology, nothing, Alignment())
        classes = [e.iri for e in ontology.of_kind(Kind.CLASS)]
        of_this = frozenset(classes)
        new = [(c, sorted((merged.above(c) & of_this) - alone.above(c))) for c in classes]
        counts.append(sum(len(upper) for _, upper in new))
        examples.extend([(c, u) for c, upper in new for u in upper][:100])
    return Conservativity(counts[0], counts[1], tuple(examples))
