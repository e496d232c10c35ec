"""Ranked candidates, and choices that may be nothing; queries with their right candidates."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np

from alignrank.common.errors import EvaluationError
from alignrank.common.names import grouped
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.credit.credits import FloatArray
from alignrank.evaluation.credit.tied_ranks import Floats, Ints
from alignrank.ontologies.alignment import Alignment

#: Right candidates by item; an item that should be mapped to nothing has an empty collection.
Gold = Mapping[str, Collection[str]]


class Candidate(NamedTuple):
    """A candidate of an item; the larger score ranks first."""

    name: str
    score: float


#: Candidates by item, as a sequence or as a dictionary of scores.
Candidates = Mapping[str, Sequence[Candidate] | Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class RankedCandidates(Tabular):
    """Ranked candidates of many items: a row for each candidate, in any order.

    Parameters
    ----------
    items, names
        Names of the items and of the candidates.
    item, name
        (rows,): index of the item and of the candidate.
    score
        (rows,): the larger score ranks first.
    path, lines
        The file, and the line of each row in it; empty for values from Python.
    by_line
        Whether each line of the file is a whole list.
    cautions
        Sentences on how the file was read.
    digest
        SHA-256 of the file.
    """

    items: tuple[str, ...]
    names: tuple[str, ...]
    item: Ints
    name: Ints
    score: Floats
    path: str = ""
    lines: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    by_line: bool = False
    cautions: tuple[str, ...] = ()
    digest: str = ""

    def to_frame(self) -> Frame:
        """Return a row for each candidate: item, candidate, score."""
        items, names = np.array(self.items, object), np.array(self.names, object)
        columns = {"item": items[self.item], "candidate": names[self.name], "score": self.score}
        return frame(columns)

    def where(self, row: int) -> str:
        """Return the place of a row, for messages."""
        if not len(self.lines):
            return f"{self.path}: " if self.path else ""
        if not self.path:
            return f"row {self.lines[row]}: "
        return f"{self.path}, line {self.lines[row]}: "


@dataclass(frozen=True)
class Queries:
    """The queries of a gold standard.

    Parameters
    ----------
    gold
        Right candidates by query.
    source
        Source entity by query, where several queries are about the same entity.
    pool
        The candidates that are ranked, by query; others are left out. None: all are ranked.

    Raises
    ------
    EvaluationError
        If a query has a text in place of a list of candidates.
    """

    gold: Gold
    source: Mapping[str, str] = field(default_factory=dict)
    pool: RankedCandidates | None = None

    def __post_init__(self) -> None:
        for query, names in self.gold.items():
            if isinstance(names, str):  # its letters would be candidates
                raise EvaluationError(
                    f"query {query!r}: give a list of right candidates, not the text {names!r}"
                )

    def source_of(self, query: str) -> str:
        """Return the source entity of a query."""
        return self.source.get(query, query)


#: Candidates of a list, and their scores.
ScoredNames: TypeAlias = tuple[Sequence[str], Sequence[float]]
#: Ranked candidates as rows, or by item.
Listed: TypeAlias = RankedCandidates | Candidates


def ranked(candidates: Listed) -> RankedCandidates:
    """Return ranked candidates as rows.

    Parameters
    ----------
    candidates
        Rows, or candidates by item: ``{"item": {"candidate": score}}``, as pytrec_eval and ranx
        have them.

    Raises
    ------
    EvaluationError
        If a candidate is no text, or its score no finite number.

    Examples
    --------
    >>> ranked({"p": {"a": 0.9, "b": 0.5}}).score.tolist()
    [0.9, 0.5]
    """
    if isinstance(candidates, RankedCandidates):
        return candidates
    lists: list[ScoredNames] = []
    for item, listed in candidates.items():
        pairs = list(listed.items() if isinstance(listed, Mapping) else listed)
        if any(isinstance(pair, str) or len(pair) != 2 for pair in pairs):
            raise EvaluationError(f"item {item!r}: give a score for each candidate, as in a dict")
        for name, score in pairs:
            if not isinstance(name, str):
                raise EvaluationError(f"item {item!r}: candidate {name!r} is no text: name it so")
            if not _is_finite(score):
                raise EvaluationError(
                    f"item {item!r}, candidate {name!r}: score {score!r} is not a finite number"
                )
        lists.append(([name for name, _ in pairs], [score for _, score in pairs]))
    return of_lists(tuple(candidates), lists)


def of_lists(items: Sequence[str], lists: Sequence[ScoredNames]) -> RankedCandidates:
    """Return ranked candidates from the names and scores of each item's list, which are checked."""
    sizes = [len(names) for names, _ in lists]
    different_items, item_codes = coded(items)
    different_names, name_codes = coded([name for names, _ in lists for name in names])
    scores = np.array([score for _, scores in lists for score in scores], dtype=float)
    rows = np.repeat(item_codes, sizes)
    return RankedCandidates(different_items, different_names, rows, name_codes, scores)


def _is_finite(score: float) -> bool:
    """Tell whether a score, which may be anything, is a number that a float can hold."""
    try:
        return math.isfinite(score)
    except (TypeError, OverflowError):
        return False


def coded(names: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """Return the different names in the order in which they come, and the index of each name.

    Examples
    --------
    >>> coded(["b", "a", "b"])
    (('b', 'a'), array([0, 1, 0]))
    """
    index_of = {name: index for index, name in enumerate(dict.fromkeys(names))}
    return tuple(index_of), np.fromiter(map(index_of.__getitem__, names), np.int64, len(names))


def candidates_of(
    matrix: FloatArray, sources: Sequence[str], targets: Sequence[str], *, top: int = 100
) -> dict[str, tuple[Candidate, ...]]:
    """Return the ranked candidates of each source entity from a similarity matrix.

    They evaluate a metric without an assignment. Pairs of similarity 0 are no candidates.

    Parameters
    ----------
    matrix
        Similarities, sources by targets.
    sources, targets
        IRIs of the rows and columns.
    top
        Number of candidates of each row; those tied with the last one are added, so that ``tie``
        means the same as with the whole row.

    Raises
    ------
    EvaluationError
        If the matrix does not fit the names, holds NaN, or `top` is below 1.

    Examples
    --------
    >>> candidates_of(np.array([[0.2, 0.9, 0.0]]), ["a"], ["x", "y", "z"])["a"]
    (Candidate(name='y', score=0.9), Candidate(name='x', score=0.2))
    """
    if matrix.shape != (len(sources), len(targets)):
        raise EvaluationError(
            f"matrix has the shape {matrix.shape}, but there are {len(sources)} sources and "
            f"{len(targets)} targets"
        )
    if top < 1:
        raise EvaluationError(f"top {top} is below 1")
    result = {}
    for source, row in zip(sources, matrix, strict=True):
        if np.isnan(row).any():
            raise EvaluationError(f"matrix holds NaN in the row of {source}")
        limit = 0.0
        if top < len(row):
            limit = np.partition(row, -top)[-top]
        columns = np.flatnonzero((row >= limit) & (row > 0))
        columns = columns[np.argsort(-row[columns], kind="stable")]
        result[source] = tuple(Candidate(targets[j], float(row[j])) for j in columns.tolist())
    return result


def gold_of(reference: Alignment) -> dict[str, tuple[str, ...]]:
    """Return the right targets of each source entity of a reference alignment.

    Parameters
    ----------
    reference
        An entity without correspondences is absent; pairs that are marked ``?`` are left out.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> gold_of(Alignment([Correspondence("a", "x"), Correspondence("a", "y")]))
    {'a': ('x', 'y')}
    """
    gold = grouped(c.pair for c in reference if c.relation != "?")
    return {item: tuple(dict.fromkeys(gold[item])) for item in sorted(gold)}
