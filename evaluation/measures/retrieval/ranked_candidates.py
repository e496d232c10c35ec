"""Scores of ranked candidates: the ranks of the right ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alignrank.common.errors import EvaluationError
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.credit.tied_ranks import (
    MAP,
    MEAN_RANK,
    MRR,
    RankMeasure,
    Tie,
    rank_measure,
)

from .candidates import Gold, Listed, Queries
from .query_lists import rank_queries


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
    gold: Gold | Queries,
    candidates: Listed,
    *,
    ks: Sequence[int] = (1, 5, 10),
    tie: Tie = "average",
) -> RankingScores:
    """Judge ranked candidates against a gold standard.

    Parameters
    ----------
    gold
        Right candidates by item.
    candidates
        Candidates by item. A short or empty list is a miss, never an error.
    ks
        Cut-offs, each at least 1; they may be longer than a list.
    tie
        The meaning of equal scores: ``average`` is the expectation over all orders of the tied
        candidates, ``min`` takes the best order, ``max`` the worst, ``stable`` the present one.

    Raises
    ------
    EvaluationError
        If the gold standard is empty, no item of it has candidates, a candidate comes twice, or a
        cut-off is below 1.

    References
    ----------
    Equations 4.1-4.2 of the evaluation that follows Fernando & Stevenson (2012), "Mapping WordNet
    synsets to Wikipedia articles".

    Examples
    --------
    >>> gold = {"p": ["a"], "q": ["b"], "r": []}
    >>> run = {"p": {"x": 0.9, "a": 0.5}, "q": {"b": 0.9, "x": 0.5}}
    >>> scores = ranking_scores(gold, run, ks=[1, 2])
    >>> scores.recall_at, scores.mrr, scores.missing
    ({1: 0.5, 2: 1.0}, 0.75, ('r',))
    """
    for k in ks:
        if k < 1:
            raise EvaluationError(f"cut-off k = {k} is below 1: the first rank is 1")
    judged = rank_queries(gold, candidates, stable=tie == "stable")

    def mean_at(name: str) -> dict[int, float]:
        return {k: mean(rank_measure(f"{name}@{k}")) for k in ks}

    def mean(measure: RankMeasure) -> float:
        return _mean(judged.ranks.by_tie(measure, tie).tolist())

    first_ranks = [rank for rank in judged.ranks.by_tie(MEAN_RANK, tie).tolist() if rank]
    return RankingScores(
        items=len(gold.right if isinstance(gold, Queries) else gold),
        positives=len(judged.queries),
        hits_at=mean_at("hits"),
        recall_at=mean_at("recall"),
        ndcg_at=mean_at("ndcg"),
        mrr=mean(MRR),
        average_precision=mean(MAP),
        mean_rank=_mean(first_ranks),
        found=len(first_ranks),
        missing=judged.missing,
        ignored=judged.ignored,
        tie=tie,
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan
