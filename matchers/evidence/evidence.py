"""What evidence is: a metric that sees the two sides of a matching, and not only two strings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from matchers.errors import MatcherError
from matchers.metrics.metric import Matrix, Metric, Similarity
from matchers.similarity.matrix import similarity_matrix
from ontologies.ontology import Entity, Kind, Ontology


@dataclass(frozen=True, slots=True)
class Side:
    """The entities of one kind on one side.

    Parameters
    ----------
    iris
        Their IRIs, in order.
    names
        The prepared names of each.
    ontology
        The ontology that they are from.
    nameless
        Number of entities that are left out for want of a name.
    """

    iris: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    ontology: Ontology
    nameless: int = 0

    def __len__(self) -> int:
        return len(self.iris)

    @property
    def entities(self) -> list[Entity]:
        """The entities themselves, in order."""
        return [self.ontology.entities[iri] for iri in self.iris]


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


Groups = tuple[KindCandidates, ...]
#: Sees the candidates of every kind, and what is known of them already (one matrix for each kind,
#: or None); returns one matrix of shape (n, m) for each kind.
Matrices = Callable[[Groups, Sequence[Matrix] | None], list[Matrix]]


@dataclass(frozen=True, slots=True)
class Evidence(Metric):
    """A metric that sees entities and their ontologies; its name is found where a metric's is.

    It needs the whole matrix of each kind, and cannot go tile by tile.

    Parameters
    ----------
    matrices
        What it makes of the candidates; see `Matrices`.
    looks_around
        Whether it starts from what other evidence has found, as `structure` does.
    bytes_per_pair
        Memory that it takes at most for each pair of entities of a kind.
    """

    matrices: Matrices = field(kw_only=True)
    looks_around: bool = False
    bytes_per_pair: int = 32


def sees_no_strings(name: str) -> Similarity:
    """Return what refuses to compare two strings by evidence that needs their entities."""

    def similarity(_: str, __: str) -> float:
        raise MatcherError(
            f"metric {name!r} sees the ontologies, and cannot compare two strings: match with it"
        )

    return similarity


def kind_matrices(
    groups: Groups,
    metric: Metric,
    *,
    known: Sequence[Matrix] | None = None,
) -> list[Matrix]:
    """Return the similarity matrix of each kind, whatever the metric sees.

    Parameters
    ----------
    groups
        The candidates of each kind.
    metric
        A string metric or evidence.
    known
        What other evidence has found, for one that `looks_around`.

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
    found = metric.matrices(groups, known)
    for group, matrix in zip(groups, found, strict=True):
        shape = len(group.source), len(group.target)
        if matrix.shape != shape or matrix.dtype.kind not in "biuf":
            raise MatcherError(
                f"metric {metric.name!r} gave an array of {matrix.dtype} of shape {matrix.shape} "
                f"for {shape[0]} source and {shape[1]} target entities of kind {group.kind}: give "
                "numbers, one row for each source entity, one column for each target entity"
            )
        if matrix.size and not (matrix.min() >= 0.0 and matrix.max() <= metric.maximum):
            raise MatcherError(
                f"metric {metric.name!r} gave NaN or a value outside [0, 1] for entities of kind "
                f"{group.kind}: a similarity is a number from 0 to 1"
            )
    return [np.asarray(matrix, dtype=np.float64) for matrix in found]


@lru_cache(maxsize=1)
def _whole(groups: Groups, metric: Evidence) -> list[Matrix]:
    return kind_matrices(groups, metric)


def part_of_matrix(
    groups: Groups, kind: str, metric: Metric, rows: Sequence[int], columns: Sequence[int]
) -> Matrix:
    """Return some rows and columns of the matrix of one kind.

    Of a string metric only these are computed; of evidence the whole matrix, once.
    """
    place = next(k for k, group in enumerate(groups) if group.kind == kind)
    if isinstance(metric, Evidence):
        return _whole(groups, metric)[place][np.ix_(rows, columns)]
    source, target = groups[place].source.names, groups[place].target.names
    return similarity_matrix([source[i] for i in rows], [target[j] for j in columns], metric)
