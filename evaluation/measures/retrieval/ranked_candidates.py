"""Scores of ranked candidates: the ranks of the right ones."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from alignrank.common.errors import EvaluationError
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.credit.credits import FloatArray
from alignrank.evaluation.credit.tied_ranks import (
    Tie,
    average_precision,
    groups,
    hit_at,
    mean_rank,
    ndcg_at,
    reciprocal_rank,
    relevant_at,
)
from alignrank.ontologies.alignment import Alignment

#: Right candidates by item; an item that should be mapped to nothing has an empty collection.
Gold = Mapping[str, Collection[str]]


class Candidate(NamedTuple):
    """A candidate of an item; the larger score ranks first."""

    name: str
    score: float


Candidates = Mapping[str, Sequence[Candidate]]


@dataclass(frozen=True)
class RankingScores(Tabular):
    """Scores of ranked candidates, averaged over the items that have a right candidate.

    Parameters
    ----------
    items, positives
        Items of the gold standard, and those with a right candidate (S+). All values are averages
        over the latter; without any they are NaN.
    hits_at
        By k: share of items with a right candidate among the first k.
    recall_at
        By k: mean share of an item's right candidates among the first k. It equals `hits_at` if no
        item has several right candidates (Fernando & Stevenson's recall at n).
    ndcg_at
        By k: normalised discounted cumulative gain, binary gains.
    mrr
        Mean reciprocal rank of the first right candidate; 0 where there is none.
    average_precision
        Mean average precision over all right candidates (MAP).
    mean_rank, found
        Mean rank of the first right candidate over the `found` items that have one in their list.
    missing
        Gold items without candidates: they count as misses.
    ignored
        Items with candidates that the gold standard lacks.
    tie
        The meaning of equal scores.
    """

    items: int
    positives: int
    hits_at: Mapping[int, float]
    recall_at: Mapping[int, float]
    ndcg_at: Mapping[int, float]
    mrr: float
    average_precision: float
    mean_rank: float
    found: int
    missing: tuple[str, ...]
    ignored: tuple[str, ...]
    tie: Tie

    def to_frame(self) -> Frame:
        """Return the values at each k as a table."""
        by_name = {"hits": self.hits_at, "recall": self.recall_at, "ndcg": self.ndcg_at}
        columns = {name: list(by_k.values()) for name, by_k in by_name.items()}
        return frame({"k": list(self.hits_at), **columns})


def ranking_scores(
    gold: Gold, candidates: Candidates, *, ks: Sequence[int] = (1, 5, 10), tie: Tie = "average"
) -> RankingScores:
    """Judge ranked candidates against a gold standard.

    Parameters
    ----------
    gold
        Right candidates by item.
    candidates
        Candidates by item. Of a repeated candidate the first occurrence counts. A short or empty
        list is a miss, never an error.
    ks
        Cut-offs, each at least 1; they may be longer than a list.
    tie
        The meaning of equal scores: ``average`` is the expectation over all orders of the tied
        candidates, ``min`` takes the best order, ``max`` the worst, ``stable`` the present one.

    Raises
    ------
    EvaluationError
        If the gold standard is empty, or a cut-off is below 1.

    References
    ----------
    Equations 4.1-4.2 of the evaluation that follows Fernando & Stevenson (2012), "Mapping WordNet
    synsets to Wikipedia articles".

    Examples
    --------
    >>> gold = {"p": ["a"], "q": ["b"], "r": []}
    >>> scores = ranking_scores(gold, {"p": in_order("xa"), "q": in_order("bx")}, ks=[1, 2])
    >>> scores.recall_at, scores.mrr, scores.missing
    ({1: 0.5, 2: 1.0}, 0.75, ('r',))
    """
    if not gold:
        raise EvaluationError("the gold standard has no items: nothing can be judged")
    for k in ks:
        if k < 1:
            raise EvaluationError(f"cut-off k = {k} is below 1: the first rank is 1")
    rankings = []
    for item, right in gold.items():
        if right:
            names = set(right)
            flags = [(c.score, c.name in names) for c in _once(candidates.get(item, ()))]
            rankings.append((groups(flags, tie), len(names)))
    ranks = [mean_rank(ranking) for ranking, _ in rankings]
    finite = [rank for rank in ranks if math.isfinite(rank)]
    return RankingScores(
        items=len(gold),
        positives=len(rankings),
        hits_at={k: _mean([hit_at(r, k) for r, _ in rankings]) for k in ks},
        recall_at={k: _mean([relevant_at(r, k) / n for r, n in rankings]) for k in ks},
        ndcg_at={k: _mean([ndcg_at(r, n, k) for r, n in rankings]) for k in ks},
        mrr=_mean([reciprocal_rank(r) for r, _ in rankings]),
        average_precision=_mean([average_precision(r, n) for r, n in rankings]),
        mean_rank=_mean(finite),
        found=len(finite),
        missing=tuple(sorted(item for item in gold if not candidates.get(item))),
        ignored=tuple(sorted(set(candidates) - set(gold))),
        tie=tie,
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def in_order(names: Sequence[str]) -> tuple[Candidate, ...]:
    """Return candidates that rank in the order of their names, without ties.

    Examples
    --------
    >>> in_order(["x", "a"])
    (Candidate(name='x', score=1.0), Candidate(name='a', score=0.5))
    """
    return tuple(Candidate(name, 1.0 / rank) for rank, name in enumerate(names, start=1))


def _once(candidates: Sequence[Candidate]) -> list[Candidate]:
    first: dict[str, Candidate] = {}
    for candidate in candidates:
        first.setdefault(candidate.name, candidate)
    return list(first.values())


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
        limit = np.partition(row, -top)[-top] if top < len(row) else 0.0
        columns = np.flatnonzero((row >= limit) & (row > 0))
        columns = columns[np.argsort(-row[columns], kind="stable")]
        result[source] = tuple(Candidate(targets[j], float(row[j])) for j in columns.tolist())
    return result


def gold_of(reference: Alignment, sources: Collection[str] = ()) -> dict[str, tuple[str, ...]]:
    """Return the right targets of each source entity of a reference alignment.

    Parameters
    ----------
    reference
        Pairs that it marks ``?`` are no right answers.
    sources
        Further source entities: those without a correspondence should be mapped to nothing.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> gold_of(Alignment([Correspondence("a", "x"), Correspondence("a", "y")]), ["b"])
    {'a': ('x', 'y'), 'b': ()}
    """
    right: dict[str, list[str]] = {source: [] for source in sources}
    for c in reference:
        if c.relation != "?":
            right.setdefault(c.entity1, []).append(c.entity2)
    return {item: tuple(dict.fromkeys(right[item])) for item in sorted(right)}
