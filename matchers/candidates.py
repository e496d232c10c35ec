"""Candidates: the named entities of two ontologies by kind; and evidence that compares them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from alignrank.common.errors import MatcherError
from alignrank.common.table import Tabular
from alignrank.ontologies.curation import NOTHING_DECIDED, Decisions
from alignrank.ontologies.ontology import Entity, Kind, Ontology, is_of_vocabulary, shared_entities

from .metrics import Matrix, Metric, Similarity
from .settings import Settings, normalise
from .similarity.matrix import similarity_matrix

#: Of entities, in the order of their IRIs.
Positions = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Side:
    """The entities of one kind in one ontology.

    Parameters
    ----------
    iris
        Their IRIs, in order.
    names
        The prepared names of each entity.
    ontology
        Their ontology.
    nameless
        Number of entities left out because they have no name.
    scopes
        The scope of each name (`alignrank.ontologies.ontology.Entity.scopes`).
    """

    iris: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    ontology: Ontology
    nameless: int = 0
    scopes: tuple[tuple[str, ...], ...] = ()

    def __len__(self) -> int:
        return len(self.iris)

    @cached_property
    def position_of(self) -> dict[str, int]:
        """The position of each IRI."""
        return {iri: k for k, iri in enumerate(self.iris)}

    @property
    def entities(self) -> list[Entity]:
        """The entities themselves, in order."""
        return [self.ontology.entities[iri] for iri in self.iris]


@dataclass(frozen=True, slots=True)
class KindCandidates:
    """The candidate pairs of one kind: every source entity with every target entity.

    Parameters
    ----------
    kind, source, target
        The kind, and its entities on both sides.
    accepted
        Pairs of positions that a person accepted as equivalent; they are matched already.
    rejected
        Pairs of positions that a person rejected.
    closed_rows, closed_columns
        Positions of source and target entities that are matched already, or stated to have no
        match.
    wordnet
        Folder of WordNet's database files, or None (`alignrank.matchers.Settings`).
    """

    kind: Kind
    source: Side
    target: Side
    accepted: frozenset[tuple[int, int]] = frozenset()
    rejected: frozenset[tuple[int, int]] = frozenset()
    closed_rows: frozenset[int] = frozenset()
    closed_columns: frozenset[int] = frozenset()
    wordnet: str | None = None

    @property
    def pairs(self) -> int:
        """Number of candidate pairs, n * m."""
        return len(self.source) * len(self.target)

    def positions(self, pairs: Iterable[tuple[str, str]]) -> frozenset[tuple[int, int]]:
        """Return the positions of pairs of IRIs; those that are no candidates are left out."""
        row, column = self.source.position_of, self.target.position_of
        return frozenset((row[s], column[t]) for s, t in pairs if s in row and t in column)

    @property
    def is_decided(self) -> bool:
        """Whether a person decided anything of this kind."""
        return bool(self.rejected or self.closed_rows or self.closed_columns)

    @property
    def decided_pairs(self) -> frozenset[tuple[int, int]]:
        """Pairs that a person decided on; one entity of both ontologies is no decision."""
        decided = self.accepted | self.rejected
        return frozenset(
            (row, column)
            for row, column in decided
            if self.source.iris[row] != self.target.iris[column]
        )

    def without_decisions(self) -> KindCandidates:
        """Return the candidates as if no person had decided on them."""
        same = self.accepted - self.decided_pairs
        return replace(
            self,
            accepted=same,
            rejected=frozenset(),
            closed_rows=frozenset(row for row, _ in same),
            closed_columns=frozenset(column for _, column in same),
        )

    def are_accepted(self, rows: Positions, columns: Positions) -> Flags:
        """Return for each pair of positions whether it was accepted."""
        return self._are_among(self.accepted, rows, columns)

    def are_open(self, rows: Positions, columns: Positions) -> Flags:
        """Return for each pair of positions whether it can still be matched."""
        is_open: Flags = ~self._are_among(self.rejected, rows, columns)
        is_open &= ~np.isin(rows, list(self.closed_rows))
        is_open &= ~np.isin(columns, list(self.closed_columns))
        return is_open

    def _are_among(
        self,
        pairs: frozenset[tuple[int, int]],
        rows: Positions,
        columns: Positions,
    ) -> Flags:
        width = len(self.target)
        codes = [row * width + column for row, column in pairs]
        return np.asarray(np.isin(rows * width + columns, codes))


Groups = tuple[KindCandidates, ...]
#: Takes the candidates of every kind; returns one matrix of shape (n, m) for each kind.
Matrices = Callable[[Groups], list[Matrix]]


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPairs:
    """The pairs of entities of one kind that may belong together; all others have similarity 0.

    Parameters
    ----------
    rows, columns
        Positions of the source and of the target entity, sorted.
    similarities
        Similarity of each pair, in (0, 1].
    chosen
        Whether the pair is matched where no assignment is named.
    metadata
        What the alignment states of the scores.
    caution
        Why the scores may be wrong; empty where there is no reason.
    """

    rows: Positions
    columns: Positions
    similarities: NDArray[np.float64]
    chosen: Flags
    metadata: Mapping[str, str] = field(default_factory=dict)
    caution: str = ""

    def edges(self, group: KindCandidates) -> csr_array:
        """Return the similarities as a sparse matrix of shape (n, m)."""
        cells = self.similarities, (self.rows, self.columns)
        return csr_array(cells, shape=(len(group.source), len(group.target)))


@dataclass(frozen=True, slots=True)
class Evidence(Metric):
    """A metric of entities and their ontologies, registered by name as string metrics are.

    It needs the whole matrix of each kind, and cannot go tile by tile; or it scores few pairs
    (`ScoredPairs`).

    Parameters
    ----------
    matrices
        Computes the matrices; see `Matrices`.
    scored
        Scores and chooses the pairs of each kind without a matrix; None if it cannot.
    bytes_per_pair
        Largest memory for each pair of entities of a kind, in bytes.
    """

    matrices: Matrices = field(kw_only=True)
    scored: Callable[[Groups], list[ScoredPairs]] | None = None
    bytes_per_pair: int = 32


def sees_no_strings(name: str) -> Similarity:
    """Return a similarity that always raises: evidence compares entities, not strings."""

    def similarity(_: str, __: str) -> float:
        raise MatcherError(
            f"metric {name!r} sees the ontologies, and cannot compare two strings: match with it"
        )

    return similarity


def scored_evidence(
    name: str, scored: Callable[[Groups], list[ScoredPairs]], *, summary: str, source: str
) -> Evidence:
    """Return evidence that scores few pairs; it makes matrices only on request."""

    def matrices(groups: Groups) -> list[Matrix]:
        pairs_of_kinds = zip(groups, scored(groups), strict=True)
        return [pairs.edges(group).toarray() for group, pairs in pairs_of_kinds]

    return Evidence(
        name=name,
        family="evidence",
        similarity=sees_no_strings(name),
        matrices=matrices,
        scored=scored,
        summary=summary,
        source=source,
        symmetric=False,
    )


def kind_matrices(groups: Groups, metric: Metric) -> list[Matrix]:
    """Return the similarity matrix of each kind, by a string metric or by evidence.

    Parameters
    ----------
    groups
        The candidates of each kind.
    metric
        A string metric or evidence.

    Returns
    -------
    list of ndarray of float64, shapes (n, m)
        Values in [0, `metric.maximum`].

    Raises
    ------
    MatcherError
        If a matrix has another shape, or holds no numbers, NaN or a value outside [0, 1].
    """
    if not isinstance(metric, Evidence):
        return [
            similarity_matrix(group.source.names, group.target.names, metric) for group in groups
        ]
    matrices = metric.matrices(groups)
    for group, matrix in zip(groups, matrices, strict=True):
        n = len(group.source)
        m = len(group.target)
        if matrix.shape != (n, m) or matrix.dtype.kind not in "biuf":
            raise MatcherError(
                f"metric {metric.name!r} gave an array of {matrix.dtype} of shape {matrix.shape} "
                f"for {n} source and {m} target entities of kind {group.kind}: give "
                "numbers, one row for each source entity, one column for each target entity"
            )
        if matrix.size and not (matrix.min() >= 0.0 and matrix.max() <= metric.maximum):
            raise MatcherError(
                f"metric {metric.name!r} gave NaN or a value outside [0, 1] for entities of kind "
                f"{group.kind}: a similarity is a number from 0 to 1"
            )
    return [np.asarray(matrix, dtype=np.float64) for matrix in matrices]


@lru_cache(maxsize=1)  # an explanation asks for many parts
def _evidence_matrices(groups: Groups, metric: Evidence) -> list[csr_array | Matrix]:
    """Return the matrix of each kind, sparse where the evidence scores few pairs."""
    if metric.scored is None:
        return [*kind_matrices(groups, metric)]
    scored = zip(groups, metric.scored(groups), strict=True)
    return [pairs.edges(group) for group, pairs in scored]


def part_of_matrix(
    groups: Groups, kind: str, metric: Metric, rows: Sequence[int], columns: Sequence[int]
) -> Matrix:
    """Return chosen rows and columns of the matrix of one kind.

    A string metric computes only these. Evidence computes all its similarities, once.
    """
    position = next(k for k, group in enumerate(groups) if group.kind == kind)
    if isinstance(metric, Evidence):
        matrix = _evidence_matrices(groups, metric)[position]
        if isinstance(matrix, csr_array):
            return csr_array(csr_array(matrix[list(rows)])[:, list(columns)]).toarray()
        return matrix[np.ix_(rows, columns)]
    group = groups[position]
    sources = [group.source.names[row] for row in rows]
    targets = [group.target.names[column] for column in columns]
    return similarity_matrix(sources, targets, metric)


@dataclass(frozen=True)
class Candidates(Tabular):
    """Two ontologies prepared for matching, once for any number of metrics.

    Entities are in the order of their IRIs. This order decides among several optimal assignments,
    which therefore do not depend on the order of entities in the files.

    Parameters
    ----------
    groups
        Candidates by kind.
    settings
        Settings of preparation and matching.
    ontology1, ontology2
        IRIs of the ontologies.
    decisions
        What a person accepted and rejected before.
    """

    groups: tuple[KindCandidates, ...]
    settings: Settings
    ontology1: str = ""
    ontology2: str = ""
    decisions: Decisions = NOTHING_DECIDED

    @property
    def pairs(self) -> int:
        """Number T of candidate pairs, the sum of n * m over the kinds."""
        return sum(group.pairs for group in self.groups)

    @property
    def nameless(self) -> tuple[int, int]:
        """Number of source and of target entities left out because they have no name."""
        source = sum(group.source.nameless for group in self.groups)
        target = sum(group.target.nameless for group in self.groups)
        return source, target


def prepare(
    source: Ontology,
    target: Ontology,
    settings: Settings | None = None,
    decisions: Decisions | None = None,
) -> Candidates:
    """Return the entities that can be matched, by kind, with their prepared names.

    Parameters
    ----------
    source, target
        The two ontologies.
    settings
        How to match; None for the defaults.
    decisions
        What a person accepted and rejected. Accepted correspondences are kept, and their entities
        are matched with no others; rejected pairs are never matched, nor are entities that are
        stated to have no match.

    Raises
    ------
    MatcherError
        If none of the kinds has named entities on both sides, or labels state their languages and
        none of `settings.langs` is among them.

    Examples
    --------
    >>> from alignrank.ontologies.ontology import Entity, Kind, Label, Ontology
    >>> def ontology(*entities): return Ontology("", {e.iri: e for e in entities})
    >>> heart = ontology(Entity("a#1", Kind.CLASS, (Label("Heart"),)))
    >>> hearts = ontology(Entity("b#1", Kind.CLASS, (Label("hearts"),)), Entity("b#2", Kind.CLASS))
    >>> candidates = prepare(heart, hearts)
    >>> candidates.pairs, candidates.groups[0].target.names
    (2, (('hearts',), ('2',)))
    """
    settings = settings or Settings()
    decisions = decisions or NOTHING_DECIDED
    _check_languages(settings, source, target)
    shared = frozenset(shared_entities(source, target))
    if not settings.structure:
        source, target = (replace(o, parents={}, links=(), types={}) for o in (source, target))
    groups = []
    for kind in source.kinds:
        if kind in target.kinds and (settings.kinds is None or kind in settings.kinds):
            sides = (
                _side(source, kind, settings, shared),
                _side(target, kind, settings, shared),
            )
            group = KindCandidates(kind, *sides, wordnet=settings.wordnet)
            groups.append(_decided(group, decisions))
    candidates = Candidates(tuple(groups), settings, source.iri, target.iri, decisions)
    if candidates.pairs == 0:
        of_kinds = f" of kind {', '.join(settings.kinds)}" if settings.kinds else ""
        raise MatcherError(
            f"nothing can be matched: the source has {_census(source)}, the target "
            f"{_census(target)}, and no named entities{of_kinds} are on both sides"
        )
    return candidates


def _decided(group: KindCandidates, decisions: Decisions) -> KindCandidates:
    """Return the candidates with the accepted and rejected pairs marked.

    Entities of accepted correspondences, and those that are stated to have no match, are closed:
    they are matched with no others. A pair that was accepted in another relation, such as ``<``, is
    not equivalent.
    """
    if not decisions.accepted and not decisions.rejected:
        return group
    accepted = {c.pair for c in decisions.accepted if c.relation == "="}
    of_other_relations = {c.pair for c in decisions.accepted} - accepted
    sources, targets = map(set, decisions.unmatched)
    sources |= {source for source, _ in accepted}
    targets |= {target for _, target in accepted}
    return replace(
        group,
        accepted=group.positions(accepted),
        rejected=group.positions(decisions.denied | of_other_relations),
        closed_rows=frozenset(k for k, iri in enumerate(group.source.iris) if iri in sources),
        closed_columns=frozenset(k for k, iri in enumerate(group.target.iris) if iri in targets),
    )


def _check_languages(settings: Settings, *ontologies: Ontology) -> None:
    """Raise `MatcherError` if labels state languages, but none that the settings select.

    A selected ``en`` also selects the labels of ``en-GB``.
    """
    if settings.langs is None or "" in settings.langs:  # labels without a language are kept
        return
    present = set()
    for entity in chain(*ontologies):
        names = (*entity.labels, *entity.synonyms)
        present |= {name.lang.lower() for name in names if name.lang}
    selected = {lang.lower() for lang in settings.langs}
    without_region = {lang.split("-")[0] for lang in present}
    if present and not selected & (present | without_region):
        langs = " or ".join(map(repr, settings.langs))
        raise MatcherError(f"no label is in {langs}: there are {', '.join(sorted(present))}")


def _side(ontology: Ontology, kind: Kind, settings: Settings, shared: frozenset[str]) -> Side:
    """Return the named entities of one kind in one ontology, with their prepared names."""
    entities = ontology.of_kind(kind)
    if settings.shared == "only":
        entities = [e for e in entities if e.iri in shared]
    if settings.shared == "drop":
        entities = [e for e in entities if e.iri not in shared]
    if settings.shared == "keep":
        entities = [e for e in entities if e.iri not in shared or not is_of_vocabulary(e)]
    iris = []
    names = []
    scopes = []
    for entity in entities:
        scopes_of_texts = entity.scopes(synonyms=settings.synonyms, langs=settings.langs)
        prepared: dict[str, str] = {}
        for text, scope in scopes_of_texts.items():
            name = normalise(text, settings.labels)
            if name.strip():
                prepared.setdefault(name, scope)
        if prepared:
            iris.append(entity.iri)
            names.append(tuple(prepared))
            scopes.append(tuple(prepared.values()))
    nameless = len(entities) - len(iris)
    return Side(tuple(iris), tuple(names), ontology, nameless, tuple(scopes))


def _census(ontology: Ontology) -> str:
    """Return the number of entities of each kind, for a message."""
    counts = [f"{len(ontology.of_kind(kind))} of kind {kind}" for kind in ontology.kinds]
    return ", ".join(counts) or "no entities"
