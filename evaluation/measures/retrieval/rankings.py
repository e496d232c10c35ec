"""Systems that rank candidates, by query: values with their range over all orders of ties."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import EvaluationError
from alignrank.common.names import count
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.comparison.answers import Answers, answer_test, by_system
from alignrank.evaluation.corrections.adjusting import adjust
from alignrank.evaluation.credit.tied_ranks import RankValues, rank_measure
from alignrank.evaluation.significance.clustered import Clusters

from .candidates import Gold, Listed, Queries
from .query_lists import RankedQueries, rank_queries

#: The measures that are shown if none is named; the first one decides.
DEFAULT_MEASURES = ("MRR", "Hits@1", "Hits@10", "R@10", "MAP", "nDCG@10")


class RankMeans(NamedTuple):
    """The mean of a measure over queries: lowest, expected and highest over all orders of ties."""

    lowest: float
    expected: float
    highest: float


@dataclass(frozen=True, eq=False)
class Rankings(Tabular):
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
        edges: Iterable[tuple[str, str]],
        *,
        correction: str = "bergmann-hommel",
        alpha: float = DEFAULTS.alpha,
    ) -> tuple[tuple[str, str], ...]:
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
        bounds = np.stack([by_name[name].lowest.mean(axis=0) for name in systems])
        bounds = np.concatenate([bounds, [by_name[name].highest.mean(axis=0) for name in systems]])
        each = Answers(self.queries, {f"{k}": row[None] for k, row in enumerate(bounds)})
        test = answer_test(each, self.clusters)
        # the better one at its lowest, the worse one at its highest
        p_values = np.where(test.advantage[:n, n:] > 0, test.p[:n, n:], 1.0)
        p_values = np.triu(p_values, 1) + np.triu(p_values, 1).T
        adjusted = adjust(p_values, correction, alpha=alpha).values
        unaffected = {
            (systems[i], systems[j])
            for i, j in combinations(range(len(systems)), 2)
            if adjusted[i, j] <= alpha
        }
        return tuple(edge for edge in edges if edge not in unaffected)

    def _by_system(self) -> dict[str, RankValues]:
        """Return the values of the measure that decides, of shape (runs, m), by system."""
        values_by_system = {}
        for system, runs in by_system(self.values).items():
            columns = zip(*(self.values[run][self.measure] for run in runs), strict=True)
            values_by_system[system] = RankValues(*map(np.stack, columns))
        return values_by_system


def rankings_of(
    gold: Gold | Queries,
    runs: Iterable[tuple[str, Listed]],
    measures: Sequence[str] = DEFAULT_MEASURES,
) -> Rankings:
    """Judge the ranked candidates of systems.

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
        If no query has a right candidate, a measure is unknown, a run has no query of the gold
        standard or a candidate twice, or there is no run.

    Examples
    --------
    >>> gold = {"p": ["a"], "q": ["b"]}
    >>> run = {"p": {"a": 0.5, "b": 0.5}, "q": {"b": 0.9}}
    >>> rankings_of(gold, [("mine", run)], ["MRR"]).to_frame().to_numpy().tolist()
    [['mine', 'MRR', 0.75, 0.875, 1.0]]
    """
    queries = gold if isinstance(gold, Queries) else Queries(gold)
    chosen = [rank_measure(name) for name in measures]
    positives = tuple(query for query, right in queries.right.items() if right)
    if not positives:
        raise EvaluationError("no query of the gold standard has a right candidate")
    cautions = []
    if left_out := len(queries.right) - len(positives):
        cautions.append(
            f"{count(left_out, 'query')} without a right candidate: left out of the means "
            "(trec_eval counts each as 0)"
        )
    values: dict[str, dict[str, RankValues]] = {}
    for name, candidates in runs:
        judged = rank_queries(queries, candidates)
        values[name] = {}
        for measure in chosen:
            columns = judged.ranks.values(measure)
            # rounding may take a sum a hair above 1
            values[name][measure.name] = RankValues(*(np.minimum(c, 1.0) for c in columns))
        cautions += _cautions(name, judged)
        cautions += getattr(candidates, "cautions", ())
    if not values:
        raise EvaluationError("there is no run to judge")
    clusters = {query: queries.source_of(query) for query in positives}
    is_clustered = len(set(clusters.values())) < len(clusters)
    return Rankings(positives, values, clusters if is_clustered else None, tuple(cautions))


def _cautions(name: str, judged: RankedQueries) -> list[str]:
    cautions = []
    missing = set(judged.missing).intersection(judged.queries)
    if missing:
        queries = count(len(missing), "query")
        cautions.append(f"{name} lacks {queries} (as {min(missing)}): each counts 0")
    if judged.ignored:
        queries = count(len(judged.ignored), "query")
        cautions.append(f"{name} has {queries} that the gold standard lacks: ignored")
    if judged.outside:
        candidates = count(judged.outside, "candidate")
        cautions.append(f"{name} ranks {candidates} outside the queries' pools: left out")
    return cautions
