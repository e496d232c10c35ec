"""Ranked lists of queries: the ranks of their right candidates, values and scores; choices."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import EvaluationError
from alignrank.common.names import Pair, count
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.comparison.answers import Answers, answer_test
from alignrank.evaluation.corrections.adjusting import adjust
from alignrank.evaluation.credit.credits import ZeroDivision, ratios
from alignrank.evaluation.credit.tied_ranks import (
    MAP,
    MEAN_RANK,
    MRR,
    Ints,
    RankMeasure,
    RankValues,
    Tie,
    TiedRanks,
    rank_measure,
)
from alignrank.evaluation.significance.clustered import Clusters
from alignrank.evaluation.significance.runs import by_system

from .candidates import Gold, Listed, Queries, RankedCandidates, ranked


@dataclass(frozen=True, eq=False)
class RankedQueries:
    """The right candidates' places in ranked lists.

    Parameters
    ----------
    queries
        The queries that have a right candidate.
    ranks
        Their lists.
    missing
        Queries without candidates: they count as misses.
    ignored
        Items with candidates that the gold standard lacks.
    outside
        Number of candidates that are not in the pool of their query: they are not ranked.
    """

    queries: tuple[str, ...]
    ranks: TiedRanks
    missing: tuple[str, ...]
    ignored: tuple[str, ...]
    outside: int


def rank_queries(
    gold: Gold | Queries, candidates: Listed, *, stable: bool = False
) -> RankedQueries:
    """Find the right candidates in ranked lists.

    If an entity has several queries, and the run holds the list of each in the order of the gold
    standard (Bio-ML), each query has its own list. If no candidate of an entity comes twice, its
    queries share one list.

    Parameters
    ----------
    gold, candidates
        What is right, and what is ranked.
    stable
        Equal scores rank in the present order.

    Raises
    ------
    EvaluationError
        If the gold standard is empty, no query of it has a list, or a candidate comes twice.
    """
    queries = gold if isinstance(gold, Queries) else Queries(gold)
    run = ranked(candidates)
    if not queries.gold:
        raise EvaluationError("the gold standard has no items: nothing can be judged")
    code_of_item = {item: code for code, item in enumerate(run.items)}
    sources = [queries.source_of(query) for query in queries.gold]
    if code_of_item.keys().isdisjoint(sources):
        place = run.path or "the run"
        first = repr(run.items[0]) if run.items else "nothing"
        raise EvaluationError(
            f"{place} has no query of the gold standard, such as {sources[0]!r}: it has {first}"
        )
    list_codes = np.array([code_of_item.get(source, -1) for source in sources])
    row_lists = run.item
    if len(set(sources)) < len(sources):
        own_lists = _lists_in_order(run, list_codes)
        if own_lists is not None:
            row_lists, list_codes = own_lists, np.arange(len(sources))
    filled = np.isin(list_codes, row_lists)
    positives = tuple(query for query, names in queries.gold.items() if names)
    is_positive = np.array([bool(names) for names in queries.gold.values()])
    rows, query = _rows_of_lists(row_lists, list_codes[is_positive])
    pairs = query * len(run.names) + run.name[rows]
    _refuse_repeated(run, rows, pairs)
    code_of_name = {name: code for code, name in enumerate(run.names)}
    relevant_pairs = [
        place * len(run.names) + code_of_name[name]
        for place, positive in enumerate(positives)
        for name in queries.gold[positive]
        if name in code_of_name
    ]
    relevant = np.isin(pairs, np.array(relevant_pairs, dtype=np.int64))
    outside = 0
    if (pool := queries.pool) is not None:
        place_of_query = {positive: place for place, positive in enumerate(positives)}
        # -1 for what the run or the gold standard lacks: no pair is below 0
        places = np.array([place_of_query.get(item, -1) for item in pool.items], np.int64)
        codes = np.array([code_of_name.get(name, -1) for name in pool.names], np.int64)
        places, codes = places[pool.item], codes[pool.name]
        pooled = np.where((places < 0) | (codes < 0), -1, places * len(run.names) + codes)
        is_ranked = np.isin(pairs, pooled)
        outside = int((~is_ranked).sum())
        rows, query, relevant = rows[is_ranked], query[is_ranked], relevant[is_ranked]
    n_relevant = np.array([len(set(queries.gold[q])) for q in positives], dtype=np.int64)
    ranks = TiedRanks.of(query, run.score[rows], relevant, n_relevant, stable=stable)
    missing = [q for q, is_filled in zip(queries.gold, filled, strict=True) if not is_filled]
    ignored = sorted(code_of_item.keys() - set(sources))
    return RankedQueries(positives, ranks, tuple(sorted(missing)), tuple(ignored), outside)


def _lists_in_order(run: RankedCandidates, item_of_query: Ints) -> Ints | None:
    """Return each row's query, if the run holds one list for each query in the same order."""
    n = len(item_of_query)
    if run.by_line:
        row_lists = np.unique(run.lines, return_inverse=True)[1]
    else:
        pairs = run.item * len(run.names) + run.name
        # where no candidate repeats, the queries of an entity share its list
        if len(run.item) % n or len(np.unique(pairs)) == len(pairs):
            return None
        row_lists = np.arange(len(run.item)) // (len(run.item) // n)
    is_complete = len(row_lists) > 0 and row_lists[-1] == n - 1
    if is_complete and np.array_equal(item_of_query[row_lists], run.item):
        return row_lists
    return None


def _rows_of_lists(row_lists: Ints, list_codes: Ints) -> tuple[Ints, Ints]:
    """Return the rows of each query's list, one query after the other, and the query of each."""
    by_list = np.argsort(row_lists, kind="stable")
    ordered = row_lists[by_list]
    starts = np.searchsorted(ordered, list_codes, side="left")
    sizes = np.searchsorted(ordered, list_codes, side="right") - starts
    query = np.repeat(np.arange(len(list_codes)), sizes)
    place = np.arange(len(query)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return by_list[np.repeat(starts, sizes) + place], query


def _refuse_repeated(run: RankedCandidates, rows: Ints, pairs: Ints) -> None:
    """Refuse a candidate that a query has twice."""
    order = np.argsort(pairs)
    is_repeated = np.diff(pairs[order]) == 0
    if is_repeated.any():
        rows = rows[order]
        row = int(np.maximum(rows[1:], rows[:-1])[is_repeated].min())
        item, name = run.items[run.item[row]], run.names[run.name[row]]
        raise EvaluationError(
            f"{run.where(row)}item {item!r} has candidate {name!r} a second time: keep one of them"
        )


@dataclass(frozen=True)
class RankedListScores(Tabular):
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
        Gold items without candidates; those with a right candidate count as misses.
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


def ranked_list_scores(
    gold: Gold | Queries,
    candidates: Listed,
    *,
    ks: Sequence[int] = DEFAULTS.cutoffs,
    tie: Tie = "average",
) -> RankedListScores:
    """Score ranked candidates by a gold standard.

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
    >>> scores = ranked_list_scores(gold, run, ks=[1, 2])
    >>> scores.recall_at, scores.mrr, scores.missing
    ({1: 0.5, 2: 1.0}, 0.75, ('r',))
    """
    for k in ks:
        if k < 1:
            raise EvaluationError(f"cut-off k = {k} is below 1: the first rank is 1")
    ranked_queries = rank_queries(gold, candidates, stable=tie == "stable")
    ranks = ranked_queries.ranks

    def mean_at(name: str) -> dict[int, float]:
        return {k: mean(rank_measure(f"{name}@{k}")) for k in ks}

    def mean(measure: RankMeasure) -> float:
        return _mean(ranks.by_tie(measure, tie).tolist())

    first_ranks = [rank for rank in ranks.by_tie(MEAN_RANK, tie).tolist() if rank]
    return RankedListScores(
        items=len(gold.gold if isinstance(gold, Queries) else gold),
        positives=len(ranked_queries.queries),
        hits_at=mean_at("hits"),
        recall_at=mean_at("recall"),
        ndcg_at=mean_at("ndcg"),
        mrr=mean(MRR),
        average_precision=mean(MAP),
        mean_rank=_mean(first_ranks),
        found=len(first_ranks),
        missing=ranked_queries.missing,
        ignored=ranked_queries.ignored,
        tie=tie,
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


#: Chosen candidate by item, None for "nothing".
Choices = Mapping[str, str | None]


@dataclass(frozen=True)
class MappingScores(Tabular):
    """Scores of a mapping, which chooses one candidate or nothing for each item.

    Parameters
    ----------
    items, positives
        Items of the gold standard, and those with a right candidate (S+).
    mapped, correct
        Items mapped to a candidate, and those of them mapped to a right one.
    precision, recall, f1
        correct / mapped, correct / positives (NaN without positives), and
        2 correct / (mapped + positives).
    accuracy
        Share of all items mapped rightly; nothing is right for an item without a right candidate.
    null_precision, null_recall
        Among the items mapped to nothing the share without a right candidate, and among the items
        without a right candidate the share mapped to nothing; NaN for 0/0.
    missing
        Gold items that the mapping lacks: they count as mapped to nothing.
    ignored
        Items of the mapping that the gold standard lacks.
    """

    items: int
    positives: int
    mapped: int
    correct: int
    precision: float
    recall: float
    f1: float
    accuracy: float
    null_precision: float
    null_recall: float
    missing: tuple[str, ...]
    ignored: tuple[str, ...]


def mapping_scores(
    gold: Gold, choices: Choices, *, zero_division: ZeroDivision = "oaei"
) -> MappingScores:
    """Score a mapping that chooses one candidate, or nothing, for each item.

    Parameters
    ----------
    gold
        Right candidates by item, none for an item that should be mapped to nothing.
    choices
        Chosen candidate by item, None for nothing.
    zero_division
        The precision of a mapping that maps nothing.

    Raises
    ------
    EvaluationError
        If the gold standard is empty.

    References
    ----------
    Equations 4.3-4.9 of the evaluation that follows Fernando & Stevenson (2012).

    Examples
    --------
    >>> gold = {"p": ["a"], "q": ["b"], "r": ["c"], "s": ["d"], "t": []}
    >>> scores = mapping_scores(gold, {"p": "a", "q": "b", "r": "x", "s": None, "t": None})
    >>> round(scores.precision, 3), scores.recall, scores.accuracy
    (0.667, 0.5, 0.6)
    """
    is_correct = correct_items(gold, choices)
    is_mapped = np.array([choices.get(item) is not None for item in gold])
    mapped, empty = int(is_mapped.sum()), sum(not names for names in gold.values())
    positives = len(gold) - empty
    correct = int((is_correct & is_mapped).sum())
    correct_null = int((is_correct & ~is_mapped).sum())
    sums = np.array([correct, mapped, correct, positives], dtype=float)
    precision, recall, f1 = ratios(sums, zero_division).tolist()
    return MappingScores(
        len(gold),
        positives,
        mapped,
        correct,
        precision,
        recall if positives else math.nan,
        f1,
        accuracy=float(is_correct.mean()),
        null_precision=_share(correct_null, len(gold) - mapped),
        null_recall=_share(correct_null, empty),
        missing=tuple(sorted(set(gold) - set(choices))),
        ignored=tuple(sorted(set(choices) - set(gold))),
    )


def _share(count: int, total: int) -> float:
    return count / total if total else math.nan


def correct_items(gold: Gold, choices: Choices) -> NDArray[np.bool_]:
    """Return whether the choice is right, for each gold item; nothing can be a right choice, too.

    Raises
    ------
    EvaluationError
        If the gold standard is empty, or an item has a text in place of a list.
    """
    if not gold:
        raise EvaluationError("the gold standard has no items: nothing can be judged")
    right = Queries(gold).gold.items()
    return np.array([choices.get(item) in (names or (None,)) for item, names in right])


def discordant_items(gold: Gold, mappings: Mapping[str, Choices]) -> NDArray[np.int64]:
    """Return the discordant counts of several mappings over the gold items.

    Returns
    -------
    ndarray
        Entry (i, j): number of items that mapping i gets right and mapping j wrong; nothing counts
        as an answer. McNemar's test takes these counts.

    Examples
    --------
    >>> gold = {"p": ["a"], "t": []}
    >>> discordant_items(gold, {"one": {"p": "a"}, "two": {"p": "x", "t": "y"}}).tolist()
    [[0, 2], [0, 0]]
    """
    correct = np.array([correct_items(gold, choices) for choices in mappings.values()], dtype=int)
    discordant: NDArray[np.int64] = correct @ (1 - correct).T
    return discordant


#: The measures that are shown if none is named; the first one decides.
DEFAULT_MEASURES = ("MRR", "Hits@1", "Hits@10", "R@10", "MAP", "nDCG@10")


class RankMeans(NamedTuple):
    """The mean of a measure over queries: lowest, expected and highest over all orders of ties."""

    lowest: float
    expected: float
    highest: float


@dataclass(frozen=True, eq=False)
class RankedListValues(Tabular):
    """Values of rankings by run, measure and query.

    Parameters
    ----------
    queries
        The m queries that have a right candidate.
    values
        By run (``NAME``, or ``NAME@1``, ``NAME@2`` for the runs of one system) and measure: the
        lowest, expected and highest values, each of shape (m,), in [0, 1].
    clusters
        Source entity by query, where an entity has several queries; else None.
    cautions
        Sentences on what was left out or counts 0.
    """

    queries: tuple[str, ...]
    values: Mapping[str, Mapping[str, RankValues]]
    clusters: Clusters | None = None
    cautions: tuple[str, ...] = ()

    @property
    def measure(self) -> str:
        """The measure that decides."""
        return next(iter(next(iter(self.values.values()))))

    def to_frame(self) -> Frame:
        """Return the means over queries: a row for each run and measure."""
        rows = [
            [run, measure, *mean]
            for run, means in self.means().items()
            for measure, mean in means.items()
        ]
        return frame(rows, ["system", "measure", *RankMeans._fields])

    def means(self) -> dict[str, dict[str, RankMeans]]:
        """Return the means over queries, by run and measure."""
        return {
            run: {
                measure: RankMeans(*(math.fsum(column) / len(self.queries) for column in values))
                for measure, values in values_by_measure.items()
            }
            for run, values_by_measure in self.values.items()
        }

    def per_item(self) -> Frame:
        """Return a row for each run, measure and query."""
        rows = [
            [query, run, measure, *bounds]
            for run, values_by_measure in self.values.items()
            for measure, values in values_by_measure.items()
            for query, *bounds in zip(self.queries, *values, strict=True)
        ]
        return frame(rows, ["item", "system", "measure", *RankValues._fields])

    def answers(self) -> Answers:
        """Return the expected values of the measure that decides, as a table of items."""
        scores = {system: runs.expected for system, runs in self._by_system().items()}
        return Answers(self.queries, scores, self.clusters, self.cautions)

    def dependent_on_ties(
        self,
        edges: Iterable[Pair],
        *,
        correction: str = "bergmann-hommel",
        alpha: float = DEFAULTS.alpha,
    ) -> tuple[Pair, ...]:
        """Return the verdicts that another order of tied candidates might undo.

        A verdict is unaffected if the test of all pairs still finds it where the better system has
        its lowest values and the worse system its highest. Of several runs their means are tested.

        Parameters
        ----------
        edges
            (better system, worse system) of each significant difference.
        correction, alpha
            Those of the comparison.
        """
        by_name = self._by_system()
        systems = sorted(by_name, key=lambda name: -float(by_name[name].expected.mean()))
        n = len(systems)
        bounds = [by_name[name].lowest for name in systems]
        bounds += [by_name[name].highest for name in systems]
        of_runs = {f"{k}": runs.mean(axis=0, keepdims=True) for k, runs in enumerate(bounds)}
        test = answer_test(Answers(self.queries, of_runs), self.clusters)
        # the better one at its lowest, the worse one at its highest
        p_values = np.triu(np.where(test.advantage[:n, n:] > 0, test.p[:n, n:], 1.0), 1)
        adjusted = adjust(p_values + p_values.T, correction, alpha=alpha).values
        place = {name: k for k, name in enumerate(systems)}
        return tuple(
            (better, worse)
            for better, worse in edges
            if place[better] > place[worse] or adjusted[place[better], place[worse]] > alpha
        )

    def _by_system(self) -> dict[str, RankValues]:
        """Return the values of the measure that decides, of shape (runs, m), by system."""
        values_by_system = {}
        for system, runs in by_system(self.values).items():
            columns = zip(*(self.values[run][self.measure] for run in runs), strict=True)
            values_by_system[system] = RankValues(*map(np.stack, columns))
        return values_by_system


def ranked_list_values(
    gold: Gold | Queries,
    runs: Iterable[tuple[str, Listed]],
    measures: Sequence[str] = DEFAULT_MEASURES,
) -> RankedListValues:
    """Return the values of systems' ranked candidates.

    Queries without a right candidate are left out. A query that a run lacks counts 0.

    Parameters
    ----------
    gold
        Right candidates by query.
    runs
        Name and candidates of each run; one is held in memory at a time.
    measures
        Names of measures (`alignrank.evaluation.credit.tied_ranks.RANK_MEASURES`); the first
        decides.

    Raises
    ------
    EvaluationError
        If no query has a right candidate, no measure is named or one is unknown, a run has no query
        of the gold standard or a candidate twice, there is no run, or two have one name.

    Examples
    --------
    >>> gold = {"p": ["a"], "q": ["b"]}
    >>> run = {"p": {"a": 0.5, "b": 0.5}, "q": {"b": 0.9}}
    >>> ranked_list_values(gold, [("mine", run)], ["MRR"]).to_frame().to_numpy().tolist()
    [['mine', 'MRR', 0.75, 0.875, 1.0]]
    """
    queries = gold if isinstance(gold, Queries) else Queries(gold)
    chosen = [rank_measure(name) for name in measures]
    if not chosen:
        raise EvaluationError("measures is empty: name one or more, such as MRR")
    positives = tuple(query for query, names in queries.gold.items() if names)
    if not positives:
        raise EvaluationError("no query of the gold standard has a right candidate")
    cautions = []
    if left_out := len(queries.gold) - len(positives):
        cautions.append(
            f"{count(left_out, 'query')} without a right candidate: left out of the means "
            "(trec_eval counts each as 0)"
        )
    values: dict[str, dict[str, RankValues]] = {}
    for name, candidates in runs:
        if name in values:
            raise EvaluationError(f"two runs are called {name!r}: rename one")
        of_run = rank_queries(queries, candidates)
        values[name] = {}
        for measure in chosen:
            columns = of_run.ranks.values(measure)
            # rounding may take a sum a hair above 1
            values[name][measure.name] = RankValues(*(np.minimum(c, 1.0) for c in columns))
        cautions += _cautions(name, of_run)
        cautions += getattr(candidates, "cautions", ())
    if not values:
        raise EvaluationError("there is no run to judge")
    clusters = {query: queries.source_of(query) for query in positives}
    is_clustered = len(set(clusters.values())) < len(clusters)
    return RankedListValues(positives, values, clusters if is_clustered else None, tuple(cautions))


def _cautions(name: str, of_run: RankedQueries) -> list[str]:
    """Return sentences on missing queries, ignored queries and candidates outside the pools."""
    cautions = []
    if missing := set(of_run.missing).intersection(of_run.queries):
        queries = count(len(missing), "query")
        cautions.append(f"{name} lacks {queries} (as {min(missing)}): each counts 0")
    if of_run.ignored:
        queries = count(len(of_run.ignored), "query")
        cautions.append(f"{name} has {queries} that the gold standard lacks: ignored")
    if of_run.outside:
        candidates = count(of_run.outside, "candidate")
        cautions.append(f"{name} ranks {candidates} outside the queries' pools: left out")
    return cautions
