"""The matcher: two ontologies and a metric in, an alignment out."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from alignrank.common.errors import MatcherError
from alignrank.common.executor import Executor, available_processors, on_cluster
from alignrank.common.memory import available_memory
from alignrank.common.progress import phase
from alignrank.common.table import Frame, Tabular, frame
from alignrank.matchers.assignment.choose import assign, assign_edges
from alignrank.matchers.assignment.optimal import Assignment
from alignrank.matchers.assignment.ties import CountRange, Pair, Ties, find_edge_ties, find_ties
from alignrank.matchers.by_name import MetricLike, get_metric, select_metrics
from alignrank.matchers.evidence.own import Evidence, KindCandidates, kind_matrices
from alignrank.matchers.metrics.metric import Matrix, Metric
from alignrank.matchers.similarity.join import Plan, plan
from alignrank.matchers.similarity.matrix import memory_needed, passes, similarity_matrices
from alignrank.matchers.similarity.tiles import bearers, similar_entities
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.ontology import Kind

from .candidates import Candidates
from .settings import Settings

#: Bytes of a matrix, and the least threshold, from which on tiles are much cheaper.
LARGE, SELECTIVE = 2**30, 0.7


@dataclass(frozen=True)
class AlignmentTies(Tabular):
    """All optimal assignments at once, in terms of entities (`alignrank.matchers.assignment.ties.Ties`).

    Parameters
    ----------
    groups
        Candidates of each kind, and the ties of its similarity matrix. Kinds are matched
        independently of each other.
    """

    groups: tuple[tuple[KindCandidates, Ties], ...]

    @property
    def unique(self) -> bool:
        """Whether no other optimal assignment gives another alignment."""
        return all(ties.unique for _, ties in self.groups)

    @property
    def always(self) -> frozenset[tuple[str, str]]:
        """Pairs of entities that every optimal assignment matches."""
        return self._pairs(lambda ties: ties.always)

    @property
    def sometimes(self) -> frozenset[tuple[str, str]]:
        """Pairs of entities that some optimal assignment matches, and not all."""
        return self._pairs(lambda ties: ties.sometimes)

    @property
    def size(self) -> CountRange:
        """Smallest and largest number of correspondences."""
        return sum((ties.size for _, ties in self.groups), CountRange(0, 0))

    def count(self, pairs: Collection[tuple[str, str]]) -> CountRange:
        """Return how many of `pairs` an optimal assignment matches at least and at most.

        Parameters
        ----------
        pairs
            (source IRI, target IRI). With a reference's pairs: the range of the number of correct
            correspondences that ties leave open.
        """
        result = CountRange(0, 0)
        for group, ties in self.groups:
            row = {iri: i for i, iri in enumerate(group.source.iris)}
            column = {iri: j for j, iri in enumerate(group.target.iris)}
            indices = {(row[s], column[t]) for s, t in pairs if s in row and t in column}
            result += ties.count(indices)
        return result

    def at_least(self, thresholds: Mapping[str, float]) -> AlignmentTies:
        """Return the same ties where only pairs of at least their source's threshold count."""
        return AlignmentTies(
            tuple(
                (group, ties.at_least(np.array([thresholds[iri] for iri in group.source.iris])))
                for group, ties in self.groups
            )
        )

    def _pairs(self, of: Callable[[Ties], Iterable[Pair]]) -> frozenset[tuple[str, str]]:
        return frozenset(
            (group.source.iris[row], group.target.iris[column])
            for group, ties in self.groups
            for row, column in of(ties)
        )

    def to_frame(self) -> Frame:
        """Return one row for each pair that some optimal assignment matches; whether all do."""
        rows = [(*pair, True) for pair in sorted(self.always)]
        rows += [(*pair, False) for pair in sorted(self.sometimes)]
        return frame(rows, columns=["entity1", "entity2", "always"])


@dataclass(frozen=True)
class Matching:
    """What a metric makes of two ontologies.

    Parameters
    ----------
    alignment
        The correspondences, named after the metric; confidence is the similarity.
    metric
        Name of the metric.
    totals
        By kind: the total similarity of the assignment; with ``hungarian`` the optimum, which is
        the same whichever optimal assignment was found. Under ``assign-then-cut`` it is the
        total before the threshold.
    clipped
        Number of correspondences whose similarity exceeds 1 and whose confidence is 1.
    order
        How threshold and assignment followed each other.
    ties
        What all optimal assignments share; None where the assignment is not optimal.
    """

    alignment: Alignment
    metric: str
    totals: Mapping[Kind, float] = field(default_factory=dict)
    clipped: int = 0
    order: str = "assign-then-cut"
    ties: AlignmentTies | None = None

    @property
    def total(self) -> float:
        """Total similarity of the assignment over all kinds."""
        return math.fsum(self.totals.values())

    def _repr_html_(self) -> str:
        return self.alignment._repr_html_()

    def to_frame(self) -> Frame:
        """Return one row for each correspondence, as `Alignment.to_frame`."""
        return self.alignment.to_frame()


def match(candidates: Candidates, metric: MetricLike) -> Matching:
    """Match two ontologies with one metric.

    Parameters
    ----------
    candidates
        From `alignrank.matchers.prepare`.
    metric
        What `alignrank.matchers.get_metric` takes: a name, a function of one's own, or a metric.

    Returns
    -------
    Matching

    Raises
    ------
    MatcherError
        If the matrix would not fit into memory, and tiles cannot be used.

    Notes
    -----
    Entities come in the order of their IRIs; of several optimal assignments the one is taken
    that `scipy.optimize.linear_sum_assignment` finds in that order, whatever the order of the
    files. How far it was a choice, `Matching.ties` tells.
    """
    (matching,) = _match_together(candidates, [get_metric(metric)])
    return matching


def _match_together(
    candidates: Candidates, metrics: Sequence[Metric], threads: int | None = None
) -> list[Matching]:
    """Match two ontologies with metrics that one pass computes, each as `match` does."""
    settings = candidates.settings
    found: list[list[tuple[KindCandidates, Assignment, Ties | None]]] = [[] for _ in metrics]
    whole = _whole(candidates, metrics[0])
    for group, given in zip(candidates.groups, whole, strict=True):
        assigned = _assign(group, metrics, settings, threads, given)
        for of_metric, (assignment, ties) in zip(found, assigned, strict=True):
            of_metric.append((group, assignment, ties))
    return [
        _matching(candidates, metric, of_metric)
        for metric, of_metric in zip(metrics, found, strict=True)
    ]


def _whole(candidates: Candidates, metric: Metric) -> list[list[Matrix]]:
    """Return for each kind the matrix of evidence, which is made of all kinds at once; else none.

    Raises
    ------
    MatcherError
        If evidence is to go tile by tile, or does not fit into memory.
    """
    if not isinstance(metric, Evidence):
        return [[] for _ in candidates.groups]
    needed, available = metric.bytes_per_pair * candidates.pairs, available_memory()
    too_large = available is not None and needed > available
    in_tiles = too_large or on_cluster()
    if in_tiles or any(goes_by_tiles(group, candidates.settings) for group in candidates.groups):
        raise MatcherError(
            f"metric {metric.name!r} needs the whole similarity matrix and what it is made of "
            f"({needed / 2**30:.1f} GiB), and cannot go in tiles, nor on a cluster: leave them "
            "off, or name a metric of strings (--metric ngram)"
        )
    return [[matrix] for matrix in kind_matrices(candidates.groups, metric)]


def plan_match(candidates: Candidates, metric: MetricLike) -> Plan:
    """Return what it takes to find the similar entities of the kind that has the most pairs.

    Parameters
    ----------
    candidates
        From `alignrank.matchers.prepare`, to be matched in tiles.
    metric
        As for `match`.

    Raises
    ------
    MatcherError
        If the metric cannot go in tiles.
    """
    chosen = get_metric(metric)
    _whole(candidates, chosen)
    largest = max(candidates.groups, key=lambda group: group.pairs)
    rows, columns = (bearers(side.names)[0] for side in (largest.source, largest.target))
    return plan(rows, columns, chosen, candidates.settings.least)


def _assign(
    group: KindCandidates,
    metrics: Sequence[Metric],
    settings: Settings,
    threads: int | None,
    given: list[Matrix],
) -> Iterator[tuple[Assignment, Ties | None]]:
    """Generate, metric by metric, the assignment of the entities of a group, and its ties.

    `given` holds the matrix of evidence.
    """
    if not given and (metrics[0].all_or_nothing or goes_by_tiles(group, settings)):
        for metric in metrics:
            yield _assign_by_tiles(group, metric, settings)
        return
    names = group.source.names, group.target.names
    matrices = given or similarity_matrices(*names, metrics, threads=threads)
    while matrices:
        matrix = matrices.pop(0)
        if settings.order == "cut-then-assign":
            matrix[matrix < settings.least] = 0.0
        with phase("assigning"):
            assignment = assign(matrix, settings.assignment)
            ties = find_ties(matrix, assignment) if settings.optimal else None
        yield assignment, ties
        del matrix  # before the next one is worked on


def _memory_of(group: KindCandidates, settings: Settings) -> int:
    """Return the bytes that matching a group takes with the whole matrix."""
    n, m = len(group.source), len(group.target)
    needed = memory_needed(n, m)
    return max(needed, 16 * n * m) if settings.assignment == "scipy" else needed  # it copies


def goes_by_tiles(group: KindCandidates, settings: Settings) -> bool:
    """Return whether a group is matched tile by tile: where that is cheaper, or has to be.

    Raises
    ------
    MatcherError
        If it has to be, because the matrix would not fit into memory, and the settings do not
        allow it.
    """
    if on_cluster():
        why_not = settings.why_not_in_tiles
        if why_not or settings.tiles is False:
            raise MatcherError(f"a cluster matches in tiles: {why_not or 'leave out --no-tiles'}")
        return True
    if settings.tiles is not None:
        return settings.tiles
    n, m = len(group.source), len(group.target)
    needed, available = _memory_of(group, settings), available_memory()
    if needed > LARGE and settings.least >= SELECTIVE and not settings.why_not_in_tiles:
        return True
    if available is None or needed <= available:
        return False
    if settings.why_not_in_tiles:
        raise MatcherError(
            f"a similarity matrix of {n} x {m} entities needs {needed / 2**30:.1f} GiB of memory, "
            f"and {available / 2**30:.1f} GiB are free: it can be matched in tiles, but "
            f"{settings.why_not_in_tiles}"
        )
    return True


def _assign_by_tiles(
    group: KindCandidates, metric: Metric, settings: Settings
) -> tuple[Assignment, Ties | None]:
    """Assign the entities of a group, and find the ties.

    Returns
    -------
    Assignment
        That of the matrix in which all similarities below the threshold are 0.
    Ties or None
        None where the assignment is not optimal.
    """
    threshold = settings.least or 1.0  # 0 is only for a metric that is all or nothing
    edges = similar_entities(group.source.names, group.target.names, metric, threshold)
    with phase("assigning"):
        assignment = assign_edges(edges, settings.assignment)
        return assignment, find_edge_ties(edges, assignment) if settings.optimal else None


def _matching(
    candidates: Candidates,
    metric: Metric,
    found: Sequence[tuple[KindCandidates, Assignment, Ties | None]],
) -> Matching:
    """Return what the assignments of all kinds make up."""
    settings = candidates.settings
    kept = [(group, assigned.at_least(settings.least)) for group, assigned, _ in found]
    alignment = Alignment(
        [c for group, assigned in kept for c in _correspondences(assigned, group)],
        ontology1=candidates.ontology1,
        ontology2=candidates.ontology2,
        name=metric.name,
        metadata=_metadata(metric, settings),
    )
    tied = [(group, ties.at_least(settings.least)) for group, _, ties in found if ties is not None]
    return Matching(
        alignment,
        metric.name,
        totals={group.kind: assigned.total for group, assigned, _ in found},
        clipped=sum(int((assigned.similarities > 1.0).sum()) for _, assigned in kept),
        order=settings.order,
        ties=AlignmentTies(tuple(tied)) if settings.optimal else None,
    )


def match_all(candidates: Candidates, metrics: Iterable[MetricLike]) -> Iterator[Matching]:
    """Match two ontologies with several metrics, side by side on threads: fewer if memory is short.

    Parameters
    ----------
    candidates
        From `alignrank.matchers.prepare`.
    metrics
        What `alignrank.matchers.select_metrics` takes: names, families, functions of two strings,
        metrics.

    Yields
    ------
    Matching
        In the order of `metrics`, each as `match` gives it.

    Raises
    ------
    MatcherError
        If not even one matrix would fit into memory, and tiles cannot be used.
    """
    chosen = select_metrics(metrics)
    if any(goes_by_tiles(group, candidates.settings) for group in candidates.groups):
        for one in chosen:  # each on all threads; and an interrupt is obeyed between two tiles
            yield match(candidates, one)
        return
    needed = max(_memory_of(group, candidates.settings) for group in candidates.groups)
    available = available_memory()
    fit = 2 * len(chosen) if available is None else available // needed
    jobs = passes(chosen) if fit > 1 else [[one] for one in chosen]
    at_once = fit // max(map(len, jobs))
    workers = max(1, min(available_processors(), len(jobs), at_once))
    threads = None if workers == 1 else 1
    done = Executor(workers).run(
        lambda *job: _match_together(candidates, job, threads), map(tuple, jobs)
    )
    found: dict[str, Matching] = {}
    for one in chosen:
        while one.name not in found:
            found |= {matching.metric: matching for matching in next(done)[1]}
        yield found.pop(one.name)


def _correspondences(assignment: Assignment, group: KindCandidates) -> list[Correspondence]:
    return [
        Correspondence(group.source.iris[row], group.target.iris[column], "=", min(value, 1.0))
        for row, column, value in zip(
            assignment.rows.tolist(),
            assignment.columns.tolist(),
            assignment.similarities.tolist(),
            strict=True,
        )
    ]


def _metadata(metric: Metric, settings: Settings) -> dict[str, str]:
    return {
        "metric": metric.name,
        "labels": settings.labels,
        "synonyms": "yes" if settings.synonyms else "no",
        "langs": " ".join(settings.langs or ("all",)),
        "assignment": "hungarian" if settings.optimal else settings.assignment,  # scipy's too
        "order": settings.order,
        "threshold": repr(settings.least),
    }
