"""Tasks that share ontologies are no independent tasks: what stands when ontologies are the sample.

A task is a pair of ontologies, and a system that reads one ontology badly loses on each task with
it. So not the tasks are the independent units but the ontologies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import scipy

from alignrank.common.errors import EvaluationError
from alignrank.common.names import count
from alignrank.common.table import Tabular
from alignrank.evaluation.corrections import Adjusted, adjust
from alignrank.evaluation.ranking import Ranking, rank
from alignrank.evaluation.significance.runs import Components, crossed

from .score_table import Floats, ScoreTable


@dataclass(frozen=True, eq=False)
class SharedOntologies(Tabular):
    """Every pair of systems, with the ontologies left out in turn.

    Parameters
    ----------
    ontologies
        The g ontologies of the tasks.
    difference, standard_error
        (k, k): mean difference row − column over the tasks, and its jackknife error.
    p
        (k, k): two-sided, t with g − 1 degrees of freedom; NaN diagonal.
    adjusted, ranking
        Adjusted for all pairs, and the arrows that stand.
    """

    ontologies: tuple[str, ...]
    difference: Floats
    standard_error: Floats
    p: Floats
    adjusted: Adjusted
    ranking: Ranking


def shared_ontologies(
    table: ScoreTable,
    ontologies: Sequence[tuple[str, str]],
    *,
    correction: str = "bergmann-hommel",
    alpha: float = 0.05,
) -> SharedOntologies:
    """Test the mean differences over tasks by leaving out one ontology in turn.

    θ_o is the mean difference over the tasks without ontology o. The jackknife variance of the mean
    is (g − 1)/g Σ (θ_o − mean of θ)², and difference / error is compared with t of g − 1 degrees.

    Parameters
    ----------
    table
        Scores, tasks × systems.
    ontologies
        The two ontologies of each task; the same ontology must bear the same name (its file's hash,
        for instance). For tasks that are named after them `alignrank.evaluation.multitask.cautions`
        has `task_ontologies`.
    correction, alpha
        As for `alignrank.evaluation.multitask.study`.

    Raises
    ------
    EvaluationError
        If the number of tasks differs, or there is an ontology without which no task is left.

    Notes
    -----
    Its size was .004 to .052 for 5 to 20 ontologies in simulations; the dyadic-robust errors of
    Aronow, Samii and Assenova (2015, Political Analysis 23:564–577) had .086 to .122 at seven.

    Examples
    --------
    >>> pairs = [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]
    >>> scores = np.array([[0.8, 0.6], [0.9, 0.7], [0.8, 0.7], [0.7, 0.5], [0.8, 0.6], [0.7, 0.5]])
    >>> tasks = ScoreTable(tuple(map("-".join, pairs)), ("new", "old"), scores)
    >>> shared_ontologies(tasks, pairs).ranking.edges
    (('new', 'old'),)
    """
    if len(ontologies) != len(table.tasks):
        raise EvaluationError(
            f"{count(len(ontologies), 'pair')} of ontologies for {count(len(table.tasks), 'task')}"
        )
    names = tuple(sorted({name for pair in ontologies for name in pair}))
    without = np.array([[name not in pair for pair in ontologies] for name in names], dtype=float)
    if not without.any(axis=1).all():
        everywhere = names[int(np.argmin(without.any(axis=1)))]
        raise EvaluationError(
            f"{everywhere} is in every task: whether it decides cannot be told without it"
        )
    means_without = without @ table.scores / without.sum(axis=1, keepdims=True)
    g, k = means_without.shape
    means = table.scores.mean(axis=0)
    difference = means[:, None] - means[None, :]
    spread = means_without - means_without.mean(axis=0)
    error = np.zeros((k, k))
    p = np.full((k, k), np.nan)
    for i, j in combinations(range(k), 2):
        variance = (g - 1) / g * float(((spread[:, i] - spread[:, j]) ** 2).sum())
        error[i, j] = error[j, i] = np.sqrt(variance)
        p[i, j] = p[j, i] = _two_sided(float(difference[i, j]), float(error[i, j]), g - 1)
    adjusted = adjust(p, correction, alpha=alpha)
    ranking = rank(table.systems, difference, adjusted.values, alpha)
    return SharedOntologies(names, difference, error, p, adjusted, ranking)


def _two_sided(difference: float, error: float, degrees: int) -> float:
    if error <= 1e-12 * abs(difference):
        return 1.0 if difference == 0 else 0.0
    return float(min(1.0, 2 * scipy.special.stdtr(degrees, -abs(difference) / error)))


@dataclass(frozen=True)
class Generalisability(Tabular):
    """How far the systems' means over these tasks tell them apart on other tasks.

    Parameters
    ----------
    components
        Variances of the scores: of systems (columns), of tasks (rows), of both together.
    coefficient
        σ²_system / (σ²_system + σ²_both / n) for the n tasks, in [0, 1]: 1 where the order of the
        systems would be the same on any tasks.
    """

    components: Components
    coefficient: float

    def to_dict(self) -> dict[str, object]:
        """Return the variances, the coefficient, and the tasks that reach .8 and .9."""
        parts = self.components
        return {
            "system": parts.columns,
            "task": parts.rows,
            "interplay": parts.interplay,
            "coefficient": self.coefficient,
            "tasks_for": {str(c): self.tasks_for(c) for c in (0.8, 0.9)},
        }

    def tasks_for(self, coefficient: float) -> float:
        """Return how many tasks reach a coefficient; infinite where systems do not differ."""
        systems, both = self.components.columns, self.components.interplay
        if systems == 0:
            return float("inf")
        return max(1.0, float(np.ceil(coefficient / (1 - coefficient) * both / systems - 1e-9)))


def generalisability(table: ScoreTable) -> Generalisability:
    """Say how far these tasks tell the systems apart, and how many would.

    Raises
    ------
    EvaluationError
        If there are fewer than two tasks or systems.

    Notes
    -----
    Brennan 2001, Generalizability theory, chapter 2; Urbano, Marrero and Martín 2013, SIGIR.

    Examples
    --------
    >>> scores = np.array([[0.8, 0.6, 0.5], [0.9, 0.5, 0.6], [0.7, 0.6, 0.4]])
    >>> found = generalisability(ScoreTable(("t1", "t2", "t3"), ("a", "b", "c"), scores))
    >>> round(found.coefficient, 3), found.tasks_for(0.8)
    (0.896, 2.0)
    """
    parts = crossed(table.scores)
    systems, both = parts.columns, parts.interplay / len(table.tasks)
    return Generalisability(parts, systems / (systems + both) if systems > 0 else 0.0)
