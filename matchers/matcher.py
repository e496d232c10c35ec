"""The matcher: two ontologies and a metric in, an alignment out."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeGuard

import numpy as np
from scipy.sparse import csr_array

from alignrank.common.errors import Argument, MatcherError
from alignrank.common.executor import Executor, available_processors, on_cluster
from alignrank.common.progress import phase, track
from alignrank.common.results import version
from alignrank.common.system import available_memory
from alignrank.common.table import Frame, Tabular, frame
from alignrank.ontologies import Alignment, Kind, Ontology
from alignrank.ontologies.alignment import CONFIDENCE_MEANING, MATCH_STRING, Columns, with_labels

from .assignment.optimal import Assignment
from .assignment.pairs import assign, assign_edges
from .assignment.ties import CountRange, Pair, Ties, find_ties
from .by_name import MetricLike, get_metric, select_metrics
from .candidates import Candidates, Evidence, KindCandidates, ScoredPairs, kind_matrices
from .metrics import Matrix, Metric
from .settings import Settings
from .similarity.matrix import memory_needed, passes, similarity_matrices
from .similarity.tiles import similar_entities

#: Bytes of a matrix and threshold above which tiles are much cheaper.
LARGE, SELECTIVE = 2**30, 0.7

_Assigned = tuple[KindCandidates, Assignment, Ties | None]


@dataclass(frozen=True)
class AlignmentTies(Tabular):
    """All optimal assignments at once, as pairs of entities (`assignment.ties.Ties`).

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
        return not self.sometimes

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
        return self.count(self.always | self.sometimes)

    def count(self, pairs: Collection[tuple[str, str]]) -> CountRange:
        """Return how many of `pairs` an optimal assignment matches at least and at most.

        Parameters
        ----------
        pairs
            (source IRI, target IRI). For a reference's pairs this is the range of the number of
            correct correspondences.
        """
        counts = (ties.count(group.positions(pairs)) for group, ties in self.groups)
        return sum(counts, CountRange(0, 0))

    def at_least(self, thresholds: Mapping[str, float]) -> AlignmentTies:
        """Return the ties of the same assignments, cut at a threshold for each source entity."""
        groups = []
        for group, ties in self.groups:
            of_rows = np.array([thresholds[iri] for iri in group.source.iris])
            groups.append((group, ties.at_least(of_rows)))
        return AlignmentTies(tuple(groups))

    def _pairs(self, of: Callable[[Ties], Iterable[Pair]]) -> frozenset[tuple[str, str]]:
        pairs: set[tuple[str, str]] = set()
        for group, ties in self.groups:
            sources = group.source.iris
            targets = group.target.iris
            pairs |= {(sources[row], targets[column]) for row, column in of(ties)}
        return frozenset(pairs)

    def to_frame(self) -> Frame:
        """Return the pairs that some optimal assignment matches, and whether all do."""
        rows = [(*pair, True) for pair in sorted(self.always)]
        rows += [(*pair, False) for pair in sorted(self.sometimes)]
        return frame(rows, columns=["entity1", "entity2", "always"])


@dataclass(frozen=True)
class Matching:
    """The alignment of two ontologies by one metric.

    Parameters
    ----------
    alignment
        The correspondences, named after the metric; confidence is the similarity.
    metric
        Name of the metric.
    totals
        Total similarity of the assignment by kind; with ``hungarian`` the optimum, the same for
        all optimal assignments. Under ``assign-then-cut`` it is the total before the threshold.
    clipped
        Number of correspondences whose similarity exceeds 1 and whose confidence is 1.
    order
        Order of threshold and assignment.
    ties
        The optimal assignments; None where the assignment is not optimal.
    cautions
        Why the confidences may be wrong.
    """

    alignment: Alignment
    metric: str
    totals: Mapping[Kind, float] = field(default_factory=dict)
    clipped: int = 0
    order: str = "assign-then-cut"
    ties: AlignmentTies | None = None
    cautions: tuple[str, ...] = ()

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
        A name, a function or a metric, as for `alignrank.matchers.get_metric`.

    Returns
    -------
    Matching

    Raises
    ------
    MatcherError
        If the matrix would not fit into memory, and tiles cannot be used.

    Notes
    -----
    Of several optimal assignments it takes the one that `scipy.optimize.linear_sum_assignment`
    finds for the entities in the order of their IRIs. `Matching.ties` describes the others.
    """
    (matching,) = _match_together(candidates, [get_metric(metric)])
    return matching


def _match_together(
    candidates: Candidates, metrics: Sequence[Metric], threads: int | None = None
) -> list[Matching]:
    """Match two ontologies with metrics that one pass computes, each as `match` does."""
    settings = candidates.settings
    if scores_pairs(metrics[0]):
        return [_match_scored(candidates, metrics[0])]
    by_metric: list[list[_Assigned]] = [[] for _ in metrics]
    evidence = _evidence_matrices(candidates, metrics[0])
    for group, matrices in zip(candidates.groups, evidence, strict=True):
        assignments = _assign(group, metrics, settings, threads, matrices)
        for assigned, (assignment, ties) in zip(by_metric, assignments, strict=True):
            assigned.append((group, assignment, ties))
    return [_matching(candidates, *of_metric) for of_metric in zip(metrics, by_metric, strict=True)]


def _evidence_matrices(candidates: Candidates, metric: Metric) -> list[list[Matrix]]:
    """Return the matrix of evidence for each kind, as a list; an empty list for other metrics.

    Raises
    ------
    MatcherError
        If the matrices would be computed in tiles, or do not fit into memory.
    """
    if not isinstance(metric, Evidence):
        return [[] for _ in candidates.groups]
    needed = metric.bytes_per_pair * candidates.pairs
    available = available_memory()
    too_large = available is not None and needed > available
    in_tiles = too_large or on_cluster()
    if in_tiles or any(goes_by_tiles(group, candidates.settings) for group in candidates.groups):
        raise MatcherError(
            f"metric {metric.name!r} needs the whole similarity matrix and its parts "
            f"({needed / 2**30:.1f} GiB), and cannot go in tiles, nor on a cluster: leave them "
            f"off, or name a metric of strings ({Argument('metric', 'ngram')})"
        )
    return [[matrix] for matrix in kind_matrices(candidates.groups, metric)]


def _assign(
    group: KindCandidates,
    metrics: Sequence[Metric],
    settings: Settings,
    threads: int | None,
    matrices: list[Matrix],
) -> Iterator[tuple[Assignment, Ties | None]]:
    """Generate the assignment of a group's entities and its ties, for each metric.

    `matrices` holds the matrix of evidence; for string metrics it is empty.
    """
    if not matrices and (metrics[0].all_or_nothing or goes_by_tiles(group, settings)):
        for metric in metrics:
            yield _assign_by_tiles(group, metric, settings)
        return
    if not matrices:
        names = group.source.names, group.target.names
        matrices = similarity_matrices(*names, metrics, threads=threads)
    while matrices:
        matrix = matrices.pop(0)
        _close(matrix, group)
        if settings.order == "cut-then-assign":
            matrix[matrix < settings.least] = 0.0
        with phase("assigning"):
            assignment = assign(matrix, settings.method)
            ties = find_ties(matrix, assignment) if settings.optimal else None
        yield assignment, ties
        del matrix  # before the next one is worked on


def _close(matrix: Matrix, group: KindCandidates) -> None:
    """Set the similarities to 0 of the pairs that a person decided on."""
    matrix[list(group.closed_rows)] = 0.0
    matrix[:, list(group.closed_columns)] = 0.0
    for pair in group.rejected:
        matrix[pair] = 0.0


def scores_pairs(metric: Metric) -> TypeGuard[Evidence]:
    """Return whether a metric scores few pairs, and needs no matrix."""
    return isinstance(metric, Evidence) and metric.scored is not None


def chooses_itself(metric: Metric, settings: Settings) -> bool:
    """Return whether a metric chooses its pairs, because no assignment is named."""
    return scores_pairs(metric) and settings.assignment is None


def _match_scored(candidates: Candidates, metric: Evidence) -> Matching:
    """Match two ontologies with evidence that scores few pairs."""
    assert metric.scored is not None
    scored = metric.scored(candidates.groups)
    matching = _matching(candidates, metric, _assign_scored(candidates, metric, scored))
    alignment = matching.alignment.with_columns(matching.alignment.columns, **scored[0].metadata)
    cautions = dict.fromkeys(pairs.caution for pairs in scored if pairs.caution)
    return replace(matching, alignment=alignment, cautions=tuple(cautions))


def _assign_scored(
    candidates: Candidates, metric: Evidence, scored: Sequence[ScoredPairs]
) -> Iterator[_Assigned]:
    """Generate the assignment of the scored pairs of each kind."""
    settings = candidates.settings
    for group, pairs in zip(candidates.groups, scored, strict=True):
        if chooses_itself(metric, settings):
            chosen = pairs.chosen
            cells = pairs.rows[chosen], pairs.columns[chosen]
            yield group, Assignment(*cells, pairs.similarities[chosen], "model"), None
            continue
        edges = pairs.edges(group)
        if settings.order == "cut-then-assign":
            edges.data[edges.data < settings.least] = 0.0
        yield group, *_assign_edges(edges, settings)


def _memory_of(group: KindCandidates, settings: Settings) -> int:
    """Return the bytes that matching a group takes with the whole matrix."""
    needed = memory_needed(len(group.source), len(group.target))
    if settings.assignment == "scipy":  # it copies the matrix
        needed = max(needed, 16 * group.pairs)
    return needed


def check_on_cluster(settings: Settings) -> None:
    """Refuse settings with which no cluster can match.

    Raises
    ------
    MatcherError
        If they need whole matrices.
    """
    obstacle = settings.why_not_in_tiles
    if obstacle or settings.tiles is False:
        advice = obstacle or f"leave out {Argument('tiles', False)}"
        raise MatcherError(f"a cluster ({Argument('workers')}) computes in tiles: {advice}")


def goes_by_tiles(group: KindCandidates, settings: Settings) -> bool:
    """Decide whether a group is matched tile by tile, because that is cheaper or necessary.

    Raises
    ------
    MatcherError
        If it is necessary, and the settings do not allow it.
    """
    obstacle = settings.why_not_in_tiles
    if on_cluster():
        check_on_cluster(settings)
        return True
    if settings.tiles is not None:
        return settings.tiles
    needed = _memory_of(group, settings)
    available = available_memory()
    if needed > LARGE and settings.least >= SELECTIVE and not obstacle:
        return True
    if available is None or needed <= available:
        return False
    if obstacle:
        raise MatcherError(
            f"a similarity matrix of {len(group.source)} x {len(group.target)} entities needs "
            f"{needed / 2**30:.1f} GiB of memory, and {available / 2**30:.1f} GiB are free: it can "
            f"be matched in tiles, but {obstacle}"
        )
    return True


def _assign_by_tiles(
    group: KindCandidates, metric: Metric, settings: Settings
) -> tuple[Assignment, Ties | None]:
    """Assign the entities of a group, and find the ties.

    Returns
    -------
    Assignment
        Assignment of the matrix in which all similarities below the threshold are 0.
    Ties or None
        None where the assignment is not optimal.
    """
    threshold = settings.least or 1.0  # only an all-or-nothing metric comes without a threshold
    edges = similar_entities(group.source.names, group.target.names, metric, threshold)
    if group.is_decided:
        cells = edges.tocoo()
        rows, columns = (np.asarray(places, dtype=np.int64) for places in cells.coords)
        edges.data = edges.data * group.are_open(rows, columns)
    with phase("assigning"):
        return _assign_edges(edges, settings)


def _assign_edges(edges: csr_array, settings: Settings) -> tuple[Assignment, Ties | None]:
    """Assign sparse edges, and find the ties where the assignment is optimal."""
    assignment = assign_edges(edges, settings.method)
    if not settings.optimal:
        return assignment, None
    return assignment, find_ties(edges, assignment)


def _matching(candidates: Candidates, metric: Metric, assigned: Iterable[_Assigned]) -> Matching:
    """Return the alignment of all kinds, cut at the threshold."""
    settings = candidates.settings
    decisions = candidates.decisions
    rows = list(zip(*Columns.of(decisions.accepted), strict=True))
    totals: dict[Kind, float] = {}
    clipped = 0
    tied = []
    optimal = settings.optimal and not chooses_itself(metric, settings)
    for group, assignment, ties in assigned:
        totals[group.kind] = assignment.total
        above = assignment.at_least(settings.least)
        clipped += int((above.similarities > 1.0).sum())
        rows += _rows(above, group)
        if ties is not None:
            tied.append((group, ties.at_least(settings.least)))
    source, target = (
        side.ontology for side in (candidates.groups[0].source, candidates.groups[0].target)
    )
    alignment = Alignment(
        columns=Columns.of_rows(rows),
        negated=decisions.rejected,
        ontology1=candidates.ontology1,
        ontology2=candidates.ontology2,
        name=metric.name,
        metadata=_metadata(metric, settings) | _versions(source, target),
    )
    return Matching(
        with_labels(alignment, source, target),
        metric.name,
        totals,
        clipped,
        settings.order,
        ties=AlignmentTies(tuple(tied)) if optimal else None,
    )


def match_all(candidates: Candidates, metrics: Iterable[MetricLike]) -> Iterator[Matching]:
    """Match two ontologies with several metrics, on as many threads as the memory allows.

    Parameters
    ----------
    candidates
        From `alignrank.matchers.prepare`.
    metrics
        Names, families, functions or metrics, as for `alignrank.matchers.select_metrics`.

    Yields
    ------
    Matching
        In the order of `metrics`, each as `match` returns it.

    Raises
    ------
    MatcherError
        If not even one matrix would fit into memory, and tiles cannot be used.
    """
    chosen = select_metrics(metrics)
    yield from track(_matchings(candidates, chosen), len(chosen), "matching")


def _matchings(candidates: Candidates, chosen: Sequence[Metric]) -> Iterator[Matching]:
    """Yield the matching of each metric, as `match_all` says."""
    if all(map(scores_pairs, chosen)) or any(
        goes_by_tiles(group, candidates.settings) for group in candidates.groups
    ):
        # each metric uses all threads, and Ctrl-C is obeyed between two tiles
        for metric in chosen:
            yield match(candidates, metric)
        return
    needed = max(_memory_of(group, candidates.settings) for group in candidates.groups)
    available = available_memory()
    matrices = 2 * len(chosen) if available is None else available // needed
    jobs = passes(chosen) if matrices > 1 else [[metric] for metric in chosen]
    jobs_at_once = matrices // max(map(len, jobs))
    workers = max(1, min(available_processors(), len(jobs), jobs_at_once))
    threads = None if workers == 1 else 1
    results = Executor(workers).run(
        lambda *job: _match_together(candidates, job, threads), map(tuple, jobs)
    )
    matchings: dict[str, Matching] = {}
    for metric in chosen:
        while metric.name not in matchings:
            _, of_job = next(results)
            matchings |= {matching.metric: matching for matching in of_job}
        yield matchings.pop(metric.name)


def _rows(assignment: Assignment, group: KindCandidates) -> Iterator[tuple[object, ...]]:
    """Yield the assigned pairs as rows of `Columns`, with the first name that both entities have.

    An object for each pair would take longer than the rest of the alignment.
    """
    confidences = np.minimum(assignment.similarities, 1.0).tolist()
    places = zip(assignment.rows.tolist(), assignment.columns.tolist(), strict=True)
    for (row, column), confidence in zip(places, confidences, strict=True):
        names = set(group.target.names[column])
        shared = [(MATCH_STRING, name) for name in group.source.names[row] if name in names]
        iris = group.source.iris[row], group.target.iris[column]
        yield *iris, "=", confidence, None, None, tuple(shared[:1])


def _versions(source: Ontology, target: Ontology) -> dict[str, str]:
    """Return the versions that the ontologies state, by SSSOM's names."""
    versions = {"subject_source_version": source.version, "object_source_version": target.version}
    return {name: version for name, version in versions.items() if version}


def _metadata(metric: Metric, settings: Settings) -> dict[str, str]:
    method = "hungarian" if settings.optimal else settings.method  # scipy's too
    if chooses_itself(metric, settings):
        method = "model"
    is_probability = scores_pairs(metric)
    return {
        "mapping_tool": "alignrank",
        "mapping_tool_version": version(),
        CONFIDENCE_MEANING: "probability" if is_probability else "similarity",
        **({"mapping_justification": "semapv:CompositeMatching"} if is_probability else {}),
        "metric": metric.name,
        "labels": settings.labels,
        "synonyms": "yes" if settings.synonyms else "no",
        **({"wordnet": "yes"} if settings.wordnet else {}),
        **({} if settings.structure else {"structure": "no"}),
        "langs": " ".join(settings.langs or ("all",)),
        "assignment": method,
        "order": settings.order,
        "threshold": repr(settings.least),
    }
