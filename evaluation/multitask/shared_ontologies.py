"""Tests over tasks that share ontologies, and how far tasks decide the order of systems.

A task is a pair of ontologies, and a system that reads one ontology badly loses on each task with
it. Such tasks are not independent: the ontologies are the independent units.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import scipy

from alignrank.common.errors import EvaluationError
from alignrank.common.names import count
from alignrank.common.table import Tabular
from alignrank.evaluation.significance.runs import Components, crossed
from alignrank.ontologies.ontology import local_name

from .score_table import Floats, ScoreTable


def task_ontologies(tasks: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the two ontologies that the name of each task states, or nothing if names state none.

    Names state them if each has two parts around one hyphen, as ``cmt-conference`` has, no part is
    a number, and some ontology occurs in several tasks. Case does not count.

    Examples
    --------
    >>> task_ontologies(["cmt-confOf", "cmt-ekaw", "confof-ekaw"])
    (('cmt', 'confof'), ('cmt', 'ekaw'), ('confof', 'ekaw'))
    >>> task_ontologies(["data-1", "data-2", "test-1"]), task_ontologies(["Wine", "Zoo"])
    ((), ())
    """
    pairs = [tuple(task.casefold().split("-")) for task in tasks]
    if any(len(pair) != 2 or not all(pair) for pair in pairs):
        return ()
    if any(name.isdecimal() for pair in pairs for name in pair):  # numbered tasks
        return ()
    counts = [sum(name in pair for pair in pairs) for name in {n for pair in pairs for n in pair}]
    if max(counts) < 2:
        return ()
    return tuple((pair[0], pair[1]) for pair in pairs)


def ontologies_if_shared(table: ScoreTable) -> tuple[tuple[str, str], ...]:
    """Return the two ontologies of each task, or nothing if each ontology is in one task only.

    The table states them, or else the names of the tasks (`task_ontologies`).
    """
    pairs = table.ontologies or task_ontologies(table.tasks)
    names = [name for pair in pairs for name in set(pair)]
    return tuple(pairs) if len(names) > len(set(names)) else ()


@dataclass(frozen=True, eq=False)
class SharedOntologies(Tabular):
    """Every pair of systems, with the ontologies left out in turn.

    Parameters
    ----------
    ontologies
        The g ontologies of the tasks.
    difference, standard_error
        (k, k): mean difference row − column over the tasks, and its jackknife error.
    degrees
        Degrees of freedom of t.
    p
        (k, k): two-sided; NaN diagonal.
    """

    ontologies: tuple[str, ...]
    difference: Floats
    standard_error: Floats
    degrees: float
    p: Floats


def hubs(ontologies: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return the two to four ontologies that divide the tasks, one in each; or nothing.

    They are chosen by their number of tasks, which must be twice the mean number of the other
    ontologies at least: tasks around a few ontologies of one's own.

    Examples
    --------
    >>> hubs([(own, partner) for own in ("mine", "own") for partner in "abc"])
    ()
    >>> hubs([(own, partner) for own in ("mine", "own") for partner in "abcdef"])
    ('mine', 'own')
    """
    tasks_of: dict[str, set[int]] = {}
    for task, pair in enumerate(ontologies):
        for name in pair:
            tasks_of.setdefault(name, set()).add(task)
    chosen: list[str] = []
    covered: set[int] = set()
    for name in sorted(tasks_of, key=lambda name: (-len(tasks_of[name]), name)):
        if len(covered) < len(ontologies) and covered.isdisjoint(tasks_of[name]):
            chosen.append(name)
            covered |= tasks_of[name]
    other_counts = [len(tasks) for name, tasks in tasks_of.items() if name not in chosen]
    if len(covered) < len(ontologies) or not 2 <= len(chosen) <= 4:
        return ()
    fewest = 2 * sum(other_counts) / max(len(other_counts), 1)
    return tuple(chosen) if all(len(tasks_of[name]) >= fewest for name in chosen) else ()


def effective_ontologies(ontologies: Sequence[tuple[str, str]]) -> float:
    """Return G = (Σ a)²/Σ a², with the number a of tasks of each ontology.

    Examples
    --------
    >>> effective_ontologies([("a", "b"), ("b", "c"), ("c", "a")])
    3.0
    """
    tasks = Counter(name for pair in ontologies for name in set(pair)).values()
    return sum(tasks) ** 2 / sum(number**2 for number in tasks)


_CASES = {2: "two", 3: "three", 4: "four"}


def hub_sentence(ontologies: Sequence[tuple[str, str]]) -> str:
    """Say that tasks around few ontologies are fewer cases than tasks; empty where they are not.

    Examples
    --------
    >>> hub_sentence([(own, partner) for own in "ABC" for partner in "tuvwxy"])
    'Every task contains one of A, B, C: they are three cases, not 18 tasks.'
    >>> hub_sentence([*(("own", partner) for partner in "abcdef"), ("a", "b")])
    '6 of 7 tasks contain own: they are about 4 cases, not 7 tasks.'
    """
    number = count(len(ontologies), "task")
    if around := hubs(ontologies):
        listed = ", ".join(map(local_name, around))
        cases = _CASES[len(around)]
        return f"Every task contains one of {listed}: they are {cases} cases, not {number}."
    (name, n_tasks), *_ = Counter(n for pair in ontologies for n in set(pair)).most_common(1)
    groups = round(effective_ontologies(ontologies))
    if n_tasks == len(ontologies):  # nothing is tested, which is said elsewhere
        return ""
    if 2 * n_tasks <= len(ontologies) or groups >= len(ontologies):
        return ""
    return (
        f"{n_tasks} of {number} contain {local_name(name)}: they are about {groups} cases, not "
        f"{number}."
    )


def shared_ontologies(table: ScoreTable, ontologies: Sequence[tuple[str, str]]) -> SharedOntologies:
    """Test the mean differences over tasks by leaving out one ontology in turn.

    θ_o is the mean difference over the tasks without ontology o. The jackknife variance of the mean
    is (g − 1)/g Σ (θ_o − mean of θ)², and not below that of rounded scores. Student's t has
    max(G − 1, 1) degrees of freedom, G = (Σ a)²/Σ a² with the number a of tasks of each ontology;
    |H| − 1 where all tasks stand around a few ontologies H (`hubs`).

    Parameters
    ----------
    table
        Scores, tasks × systems.
    ontologies
        The two ontologies of each task; the same ontology must bear the same name (its file's hash,
        for instance). `ontologies_if_shared` has them for tasks that are named after them.

    Raises
    ------
    EvaluationError
        If the number of tasks differs, or there is an ontology without which no task is left.

    Notes
    -----
    Its size was .004 to .055 for 4 to 20 ontologies in simulations; the dyadic-robust errors of
    Aronow, Samii and Assenova (2015, Political Analysis 23:564–577) had .086 to .122 at seven.

    Examples
    --------
    >>> pairs = [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]
    >>> scores = np.array([[0.8, 0.6], [0.9, 0.7], [0.8, 0.7], [0.7, 0.5], [0.8, 0.6], [0.7, 0.5]])
    >>> tasks = ScoreTable(tuple(map("-".join, pairs)), ("new", "old"), scores)
    >>> float(shared_ontologies(tasks, pairs).p[0, 1].round(4))
    0.0079
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
    means_without = without @ table.gains / without.sum(axis=1, keepdims=True)
    g, k = means_without.shape
    means = table.gains.mean(axis=0)
    difference = means[:, None] - means[None, :]
    deviations = means_without - means_without.mean(axis=0)
    degrees = max(effective_ontologies(ontologies) - 1, 1.0)
    if around := hubs(ontologies):
        degrees = len(around) - 1.0
    least_error = table.spread_of_rounding / math.sqrt(len(ontologies))
    error = np.zeros((k, k))
    p = np.full((k, k), np.nan)
    for i, j in combinations(range(k), 2):
        variance = (g - 1) / g * float(((deviations[:, i] - deviations[:, j]) ** 2).sum())
        error[i, j] = error[j, i] = max(math.sqrt(variance), least_error)
        gap = abs(float(difference[i, j]))
        p[i, j] = p[j, i] = 2 * scipy.special.stdtr(degrees, -gap / error[i, j])
    return SharedOntologies(names, difference, error, degrees, p)


@dataclass(frozen=True)
class Generalisability(Tabular):
    """How far the order of the systems' means over these tasks would be that on other tasks.

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

    def tasks_for(self, coefficient: float) -> float:
        """Return how many tasks reach a coefficient; infinite where systems do not differ."""
        systems, both = self.components.columns, self.components.interplay
        if systems == 0:
            return float("inf")
        needed = coefficient / (1 - coefficient) * both / systems
        # a whole number that rounding lifts a little is not raised to the next one
        return max(1.0, float(np.ceil(needed - 1e-9)))


def generalisability(table: ScoreTable) -> Generalisability:
    """Return how far these tasks decide the order of the systems, and how many tasks would.

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
    >>> result = generalisability(ScoreTable(("t1", "t2", "t3"), ("a", "b", "c"), scores))
    >>> round(result.coefficient, 3), result.tasks_for(0.8)
    (0.896, 2.0)
    """
    parts = crossed(table.gains)
    systems, both = parts.columns, parts.interplay / len(table.tasks)
    return Generalisability(parts, systems / (systems + both) if systems > 0 else 0.0)
