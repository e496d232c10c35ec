"""The matcher: two ontologies and a metric in, an alignment out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from ontologies.alignment import Alignment, Correspondence
from ontologies.ontology import Entity, Kind, Ontology

from . import labels
from .assignment import METHODS, Assignment, assign
from .errors import MatcherError
from .metrics.base import Metric
from .similarity import similarity_matrix

#: How threshold and assignment follow each other.
PROTOCOLS = ("assign-then-cut",)


@dataclass(frozen=True, slots=True)
class Settings:
    """How to match.

    Parameters
    ----------
    labels
        Preset by which names are prepared (`matchers.labels`).
    synonyms
        Whether synonyms count as names.
    kinds
        Kinds of entity to match; None for every kind that both ontologies have.
    langs
        Languages of labels; None for all. Labels without a language are always kept.
    threshold
        Smallest similarity that makes a correspondence (``>=``); similarity 0 never does.
    assignment
        ``hungarian``, ``greedy`` or ``mutual-best``.
    protocol
        ``assign-then-cut``: assign on the full matrix, then drop what is below the threshold, as
        the McNemar paper did.

    Raises
    ------
    MatcherError
        If a setting is unknown or the threshold outside [0, 1].
    """

    labels: str = "words"
    synonyms: bool = True
    kinds: tuple[Kind, ...] | None = None
    langs: tuple[str, ...] | None = None
    threshold: float = 0.0
    assignment: str = "hungarian"
    protocol: str = "assign-then-cut"

    def __post_init__(self) -> None:
        labels.prepare("", self.labels)
        if not 0.0 <= self.threshold <= 1.0:
            raise MatcherError(f"threshold {self.threshold} is outside [0, 1]")
        for name, value, known in [
            ("assignment", self.assignment, METHODS),
            ("protocol", self.protocol, PROTOCOLS),
        ]:
            if value not in known:
                raise MatcherError(f"{name} {value!r} is unknown: use one of {', '.join(known)}")


@dataclass(frozen=True, slots=True)
class Side:
    """The entities of one kind on one side: IRIs in order, and the prepared names of each.

    `nameless` counts the entities that are left out for want of a name.
    """

    iris: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    nameless: int = 0

    def __len__(self) -> int:
        return len(self.iris)


@dataclass(frozen=True, slots=True)
class KindCandidates:
    """What can be matched within one kind: every source entity with every target entity."""

    kind: Kind
    source: Side
    target: Side

    @property
    def pairs(self) -> int:
        """Number of candidate pairs, n * m."""
        return len(self.source) * len(self.target)


@dataclass(frozen=True)
class Candidates:
    """Two ontologies prepared for matching; prepared once, for any number of metrics.

    Entities are in the order of their IRIs, so that nothing that follows depends on the order of
    the files: this is what decides among several optimal assignments.
    """

    groups: tuple[KindCandidates, ...]
    settings: Settings
    ontology1: str = ""
    ontology2: str = ""

    @property
    def pairs(self) -> int:
        """Number T of candidate pairs, the sum of n * m over the kinds."""
        return sum(group.pairs for group in self.groups)

    @property
    def nameless(self) -> tuple[int, int]:
        """Number of source and of target entities that are left out for want of a name."""
        sides = [(group.source.nameless, group.target.nameless) for group in self.groups]
        return sum(source for source, _ in sides), sum(target for _, target in sides)


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
        By kind: the total similarity of the assignment, before the threshold; with ``hungarian``
        the optimum, which is the same whichever optimal assignment was found.
    clipped
        Number of correspondences whose similarity exceeds 1 and whose confidence is 1.
    protocol
        How threshold and assignment followed each other.
    """

    alignment: Alignment
    metric: str
    totals: Mapping[Kind, float] = field(default_factory=dict)
    clipped: int = 0
    protocol: str = "assign-then-cut"

    @property
    def total(self) -> float:
        """Total similarity of the assignment over all kinds, before the threshold."""
        return math.fsum(self.totals.values())


def prepare(source: Ontology, target: Ontology, settings: Settings | None = None) -> Candidates:
    """Return what can be matched: entities by kind, with their prepared names.

    Parameters
    ----------
    source, target
        The two ontologies.
    settings
        How to match; None for the defaults.

    Raises
    ------
    MatcherError
        If the ontologies have no kind in common among those asked for, or no entity has a name.

    Examples
    --------
    >>> from ontologies.ontology import Entity, Kind, Label, Ontology
    >>> def ontology(*entities): return Ontology("", {e.iri: e for e in entities})
    >>> heart = ontology(Entity("a#1", Kind.CLASS, (Label("Heart"),)))
    >>> hearts = ontology(Entity("b#1", Kind.CLASS, (Label("hearts"),)), Entity("b#2", Kind.CLASS))
    >>> candidates = prepare(heart, hearts)
    >>> candidates.pairs, candidates.groups[0].target.names
    (2, (('hearts',), ('2',)))
    """
    settings = settings or Settings()
    kinds = [
        kind
        for kind in source.kinds
        if kind in target.kinds and (settings.kinds is None or kind in settings.kinds)
    ]
    groups = tuple(
        KindCandidates(
            kind, _side(source.of_kind(kind), settings), _side(target.of_kind(kind), settings)
        )
        for kind in kinds
    )
    candidates = Candidates(groups, settings, source.iri, target.iri)
    if candidates.pairs == 0:
        asked = "" if settings.kinds is None else f" of kind {', '.join(settings.kinds)}"
        raise MatcherError(
            f"nothing can be matched: the source has {_census(source)}, the target "
            f"{_census(target)}, and no named entities{asked} are on both sides"
        )
    return candidates


def match(candidates: Candidates, metric: Metric, *, threads: int | None = None) -> Matching:
    """Match two ontologies with one metric.

    Parameters
    ----------
    candidates
        From `prepare`.
    metric
        From `matchers.get_metric`.
    threads
        Number of threads for the similarity matrix; None for one per processor.

    Returns
    -------
    Matching

    Raises
    ------
    MatcherError
        If the matrix would not fit into memory.
    """
    settings = candidates.settings
    correspondences: list[Correspondence] = []
    totals: dict[Kind, float] = {}
    clipped = 0
    for group in candidates.groups:
        matrix = similarity_matrix(group.source.names, group.target.names, metric, threads=threads)
        assignment = assign(matrix, settings.assignment)
        totals[group.kind] = assignment.total
        kept = assignment.at_least(settings.threshold)
        clipped += int((kept.similarities > 1.0).sum())
        correspondences += _correspondences(kept, group)
    alignment = Alignment(
        correspondences,
        ontology1=candidates.ontology1,
        ontology2=candidates.ontology2,
        name=metric.name,
        metadata=_metadata(metric, settings),
    )
    return Matching(alignment, metric.name, totals, clipped, settings.protocol)


def _side(entities: list[Entity], settings: Settings) -> Side:
    iris, names = [], []
    for entity in entities:
        texts = entity.names(synonyms=settings.synonyms, langs=settings.langs)
        prepared = dict.fromkeys(labels.prepare(text, settings.labels) for text in texts)
        kept = tuple(name for name in prepared if name.strip())
        if kept:
            iris.append(entity.iri)
            names.append(kept)
    return Side(tuple(iris), tuple(names), nameless=len(entities) - len(iris))


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
        "assignment": settings.assignment,
        "protocol": settings.protocol,
        "threshold": repr(settings.threshold),
    }


def _census(ontology: Ontology) -> str:
    counts = [f"{len(ontology.of_kind(kind))} of kind {kind}" for kind in ontology.kinds]
    return ", ".join(counts) or "no entities"
