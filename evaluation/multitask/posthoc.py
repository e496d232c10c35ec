"""Tests over many tasks: of all systems, of every pair, and of tasks that share ontologies.

A task is a pair of ontologies, and a system that reads one ontology badly loses on each task with
it. Such tasks are not independent: the ontologies are the independent units.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
import scipy
from numpy.typing import ArrayLike

from alignrank.common.defaults import DEFAULTS
from alignrank.common.defaults import JACKKNIFE as JACKKNIFE
from alignrank.common.errors import Argument, EvaluationError
from alignrank.common.names import Pair, Registry, count
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.significance.mcnemar import PairTest
from alignrank.evaluation.significance.runs import Components, crossed
from alignrank.ontologies.ontology import local_name

from .pair_tests import LEVEL, Method, SignedRank, SignTest, student
from .score_table import (
    Floats,
    ScoreTable,
    aligned_ranks,
    checked,
    differences,
    quade_ranks,
    task_ranks,
)


def task_ontologies(tasks: Sequence[str]) -> tuple[Pair, ...]:
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


def ontologies_if_shared(table: ScoreTable) -> tuple[Pair, ...]:
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


def hubs(ontologies: Sequence[Pair]) -> tuple[str, ...]:
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


def effective_ontologies(ontologies: Sequence[Pair]) -> float:
    """Return G = (Σ a)²/Σ a², with the number a of tasks of each ontology.

    Examples
    --------
    >>> effective_ontologies([("a", "b"), ("b", "c"), ("c", "a")])
    3.0
    """
    tasks = Counter(name for pair in ontologies for name in set(pair)).values()
    return sum(tasks) ** 2 / sum(number**2 for number in tasks)


#: Ends the name of a test that corrects for ties.
_CORRECTED = ", corrected for ties"
_CASES = {2: "two", 3: "three", 4: "four"}


def hub_sentence(ontologies: Sequence[Pair]) -> str:
    """Say that tasks around few ontologies are fewer cases than tasks; empty where they are not.

    Examples
    --------
    >>> hub_sentence([(own, partner) for own in "ABC" for partner in "tuvwxy"])
    'Every task contains one of A, B, C: they are three cases, not 18 tasks.'
    >>> hub_sentence([*(("own", partner) for partner in "abcdef"), ("a", "b")])
    '6 of 7 tasks contain own: they are about 4 cases, not 7 tasks.'
    """
    number = len(ontologies)
    if around := hubs(ontologies):
        listed = ", ".join(map(local_name, around))
        cases = _CASES[len(around)]
        return f"Every task contains one of {listed}: they are {cases} cases, not {number} tasks."
    (name, n_tasks), *_ = Counter(n for pair in ontologies for n in set(pair)).most_common(1)
    groups = round(effective_ontologies(ontologies))
    if n_tasks == number:  # nothing is tested, which is said elsewhere
        return ""
    if 2 * n_tasks <= number or groups >= number:
        return ""
    return (
        f"{n_tasks} of {number} tasks contain {local_name(name)}: they are about {groups} cases, "
        f"not {number} tasks."
    )


def shared_ontologies(table: ScoreTable, ontologies: Sequence[Pair]) -> SharedOntologies:
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


@dataclass(frozen=True)
class Omnibus(Tabular):
    """A test of "no system differs from any other".

    Parameters
    ----------
    name
        Name of the test.
    statistic
        χ² or F.
    df
        Degrees of freedom: one for χ², two for F.
    p
        p-value.
    """

    name: str
    statistic: float
    df: tuple[int, ...]
    p: float


def friedman(scores: ArrayLike, *, tie_correction: bool = False) -> Omnibus:
    """Test whether the mean ranks of k systems over N tasks differ (Friedman).

    χ² = 12N/(k(k+1)) · [Σ R_j² − k(k+1)²/4], R_j the mean rank of system j; χ² with k − 1 degrees
    of freedom.

    Parameters
    ----------
    scores
        Tasks × systems, larger is better.
    tie_correction
        Divide by 1 − Σ(t³ − t)/(N(k³ − k)), where t systems tie in a task. The published examples
        do without, which is conservative.

    Returns
    -------
    Omnibus
        Statistic 0 and p 1 if every task ties all systems.

    Raises
    ------
    EvaluationError
        If there are fewer than two tasks or systems, or a score is not finite.

    Notes
    -----
    Friedman 1937, JASA 32:675–701; Demšar 2006, JMLR 7:1–30.

    Examples
    --------
    >>> friedman([[3, 2, 1], [3, 2, 1], [3, 1, 2]]).statistic.__round__(4)
    4.6667
    """
    return _friedman(task_ranks(scores), tie_correction)


def _friedman(ranks: Floats, tie_correction: bool) -> Omnibus:
    n, k = ranks.shape
    test = friedman_of_mean_ranks(ranks.mean(axis=0), n)
    if tie_correction:
        # Σ(r − (k+1)/2)² falls short of k(k² − 1)/12 per task by Σ(t³ − t)/12
        squares = float(((ranks - (k + 1) / 2) ** 2).sum())
        share = squares / (n * k * (k * k - 1) / 12)
        statistic = test.statistic / share if share else 0.0
        test = _chi_squared(f"Friedman{_CORRECTED}", statistic, k - 1)
    return test


def friedman_of_mean_ranks(mean_ranks: Floats, tasks: int) -> Omnibus:
    """Friedman's test from mean ranks, without correction for ties."""
    k = len(mean_ranks)
    excess = float((mean_ranks**2).sum()) - k * (k + 1) ** 2 / 4
    return _chi_squared("Friedman", 12 * tasks / (k * (k + 1)) * excess, k - 1)


def iman_davenport(scores: ArrayLike) -> Omnibus:
    """Friedman's test with Iman and Davenport's F, which is less conservative than χ².

    F = (N−1)χ²/(N(k−1) − χ²), F-distributed with k − 1 and (k−1)(N−1) degrees of freedom.

    Parameters
    ----------
    scores
        Tasks × systems, larger is better. Ties are not corrected for.

    Returns
    -------
    Omnibus
        If all tasks rank the systems alike, F is infinite and p is (1/k!)^(N−1), the chance of
        that (Conover 1999).

    Raises
    ------
    EvaluationError
        If there are fewer than two tasks or systems, or a score is not finite.

    Notes
    -----
    Iman and Davenport 1980, Communications in Statistics A 9:571–595.

    Examples
    --------
    >>> round(iman_davenport([[3, 2, 1], [3, 2, 1], [3, 1, 2]]).statistic, 4)
    7.0
    """
    ranks = task_ranks(scores)
    return _iman_davenport(_friedman(ranks, False).statistic, ranks.mean(axis=0), len(ranks))


def iman_davenport_of_mean_ranks(mean_ranks: Floats, tasks: int) -> Omnibus:
    """Iman and Davenport's test from mean ranks, without correction for ties."""
    chi2 = friedman_of_mean_ranks(mean_ranks, tasks).statistic
    return _iman_davenport(chi2, mean_ranks, tasks)


def _iman_davenport(chi2: float, mean_ranks: Floats, n: int, ties: str = "") -> Omnibus:
    below = n * (len(mean_ranks) - 1) - chi2
    return _f_test(f"Iman–Davenport{ties}", (n - 1) * chi2, below, mean_ranks, n)


def friedman_aligned(scores: ArrayLike) -> Omnibus:
    """Friedman's test on aligned ranks, which also compares scores between tasks.

    T = (k−1)[Σ R̂_j² − (kN²/4)(kN+1)²] / [kN(kN+1)(2kN+1)/6 − Σ R̂_i²/k], R̂_j the rank sum of
    system j, R̂_i of task i; χ² with k − 1 degrees of freedom.

    Parameters
    ----------
    scores
        Tasks × systems, larger is better.

    Returns
    -------
    Omnibus
        Statistic 0 and p 1 if every task ties all systems.

    Raises
    ------
    EvaluationError
        If there are fewer than two tasks or systems, or a score is not finite.

    Notes
    -----
    Hodges and Lehmann 1962, Annals of Mathematical Statistics 33:482–497; García, Fernández,
    Luengo and Herrera 2010, Information Sciences 180:2044–2064.

    Examples
    --------
    >>> round(friedman_aligned([[3, 2, 1], [9, 5, 1], [3, 1, 2]]).statistic, 4)
    4.3167
    """
    return _friedman_aligned(aligned_ranks(scores))


def _friedman_aligned(ranks: Floats) -> Omnibus:
    n, k = ranks.shape
    m = k * n
    between = float((ranks.sum(axis=0) ** 2).sum()) - k * n**2 / 4 * (m + 1) ** 2
    of_tasks = float((ranks.sum(axis=1) ** 2).sum()) / k
    within = m * (m + 1) * (2 * m + 1) / 6 - of_tasks
    statistic = (k - 1) * between / within if between else 0.0
    return _chi_squared("Friedman, aligned ranks", statistic, k - 1)


def quade(scores: ArrayLike) -> Omnibus:
    """Quade's test: tasks on which the systems lie further apart weigh more.

    With S_ij = Q_i (r_ij − (k+1)/2), A = Σ S_ij², B = Σ_j (Σ_i S_ij)²/N: F = (N−1)B/(A − B) with
    df k − 1 and (k−1)(N−1). A is summed, not taken from the closed form, which is
    wrong where there are ties.

    Parameters
    ----------
    scores
        Tasks × systems, larger is better.

    Returns
    -------
    Omnibus
        If all tasks rank the systems alike, and all spread them equally wide, F is infinite and p
        is (1/k!)^(N−1) (Conover 1999); where systems tie, their orders stand in place of k!.

    Raises
    ------
    EvaluationError
        If there are fewer than two tasks or systems, or a score is not finite.

    Notes
    -----
    Quade 1979, JASA 74:680–683.

    Examples
    --------
    >>> round(quade([[3, 2, 1], [9, 5, 1], [3, 1, 2]]).statistic, 4)
    5.2
    """
    return _quade(quade_ranks(scores))


def _quade(s: Floats) -> Omnibus:
    n = len(s)
    a, b = float((s**2).sum()), float((s.sum(axis=0) ** 2).sum()) / n
    return _f_test("Quade", (n - 1) * b, a - b, s.mean(axis=0), n)


def omnibus_tests(scores: ArrayLike) -> tuple[Omnibus, ...]:
    """Run all omnibus tests; where systems tie, the tests corrected for ties come first.

    Examples
    --------
    >>> [test.name for test in omnibus_tests([[3, 2, 1], [9, 5, 1]])]
    ['Friedman', 'Iman–Davenport', 'Friedman, aligned ranks', 'Quade']
    """
    ranks, aligned, weighted = task_ranks(scores), aligned_ranks(scores), quade_ranks(scores)
    has_ties = bool((np.diff(np.sort(ranks, axis=1), axis=1) == 0).any())
    tests = []
    for tie_correction in (True, False) if has_ties else (False,):
        test = _friedman(ranks, tie_correction)
        ties = _CORRECTED if tie_correction else ""
        tests += [test, _iman_davenport(test.statistic, ranks.mean(axis=0), len(ranks), ties)]
    return (*tests, _friedman_aligned(aligned), _quade(weighted))


def _chi_squared(name: str, statistic: float, df: int) -> Omnibus:
    return Omnibus(name, statistic, (df,), float(scipy.special.chdtrc(df, max(statistic, 0.0))))


def _f_test(name: str, above: float, below: float, means: Floats, n: int) -> Omnibus:
    """F = above/below; where every task ranks the systems alike, Conover's convention."""
    k = len(means)
    df = (k - 1, (k - 1) * (n - 1))
    if above <= 0:
        return Omnibus(name, 0.0, df, 1.0)
    if below <= 1e-9 * above:
        # the mean ranks are then those of each task: systems that tie there are in no order
        _, ties = np.unique(means, return_counts=True)
        log_orders = math.lgamma(k + 1) - float(scipy.special.gammaln(ties + 1).sum())
        return Omnibus(name, math.inf, df, math.exp(-(n - 1) * log_orders))
    return Omnibus(name, above / below, df, float(scipy.special.fdtrc(*df, above / below)))


def nemenyi_critical_difference(systems: int, tasks: int, alpha: float = DEFAULTS.alpha) -> float:
    """Return by how much two mean ranks must differ to be significant among all pairs.

    CD = q_α/√2 · √(k(k+1)/(6N)), q_α the upper α quantile of the studentised range of k groups
    with infinite degrees of freedom: computed, for any k and α.

    Parameters
    ----------
    systems, tasks
        k and N.
    alpha
        Family-wise level in (0, 1).

    Raises
    ------
    EvaluationError
        If there are fewer than two systems, no task, or alpha is outside (0, 1).

    Notes
    -----
    Nemenyi 1963; Demšar 2006, JMLR 7:1–30.

    Examples
    --------
    >>> round(nemenyi_critical_difference(4, 14), 3)
    1.254
    """
    if systems < 2 or tasks < 1 or not 0.0 < alpha < 1.0:
        raise EvaluationError(
            f"{Argument('systems', systems)}, tasks={tasks}, {Argument('alpha', alpha)}: there "
            "must be at least two systems "
            "and one task, and alpha between 0 and 1"
        )
    q = float(scipy.stats.studentized_range.isf(alpha, systems, math.inf))
    return q / math.sqrt(2) * math.sqrt(systems * (systems + 1) / (6 * tasks))


@dataclass(frozen=True)
class PostHoc(Tabular):
    """p-values of all pairs of k systems.

    Parameters
    ----------
    test
        Name of the test in `POSTHOC_TESTS`.
    p
        (k, k), symmetric, NaN diagonal, two-sided, not adjusted.
    lead
        (k, k): positive where the row's system is ahead of the column's, in the test's own terms
        (mean difference, rank sums, wins, mean ranks); antisymmetric.
    half_widths
        (k, k): half the widths of the intervals of the mean differences, where the test has them.
    untested
        Why nothing could be tested, so that every p is 1; empty where it was.
    caution
        How tasks that share ontologies depend on each other; empty where none do.
    """

    test: str
    p: Floats
    lead: Floats
    half_widths: Floats | None = None
    untested: str = ""
    caution: str = ""

    @property
    def pair_test(self) -> PairTest:
        """The test as comparisons on one task have it."""
        with np.errstate(divide="ignore"):
            return PairTest(self.lead, self.p, np.log10(self.p))

    def to_frame(self) -> Frame:
        """Return one row for each pair of systems, by their numbers: lead and p."""
        i, j = np.triu_indices(len(self.p), 1)
        return frame({"system1": i, "system2": j, "lead": self.lead[i, j], "p": self.p[i, j]})


def posthoc(scores: ArrayLike, test: str = "signed-rank", *, least_spread: float = 0.0) -> PostHoc:
    """Compare every pair of systems.

    Parameters
    ----------
    scores
        Tasks × systems, larger is better.
    test
        ``signed-rank``, ``paired-t``, ``sign``: the two systems' own scores decide.
        ``signed-rank-normal``: the z of the signed-rank test, with zeros dropped and mean ranks for
        ties, against the normal distribution.
        ``friedman``, ``aligned-ranks``, ``quade``: z from mean ranks, which depend on what other
        systems are in the pool (Benavoli, Corani and Mangili 2016, JMLR 17:1–10).
    least_spread
        For ``paired-t``: what differences vary by at least, as rounded scores do.

    Returns
    -------
    PostHoc
        Not adjusted: see `alignrank.evaluation.corrections.adjusting.adjust`.

    Raises
    ------
    EvaluationError
        If the test is unknown, there are fewer than two tasks or systems, or a score is not
        finite.

    Notes
    -----
    z of the mean-rank tests is (R̄_i − R̄_j)/√(2 Σ_t S_t²/N²), S_t² = Σ_j (R_tj − R̄_t)²/(k−1): the
    exact variance when the k values of each task are shuffled. For Friedman without ties that is
    √(k(k+1)/(6N)), which is used with ties too, as published (conservative). scmamp, after García
    et al. 2010, divides by √(k(N+1)/6) for aligned ranks, too small by about √k (with 5 systems a
    test at 5 % rejects 4 true hypotheses of 10), and for Quade by a variance that is (k−1)/2 times
    the one under the null hypothesis.

    Examples
    --------
    >>> result = posthoc([[0.8, 0.7], [0.7, 0.5], [0.9, 0.6], [0.6, 0.2], [0.5, 0.1]])
    >>> float(result.p[0, 1]), bool(result.lead[0, 1] > 0)
    (0.0625, True)
    """
    p, lead = POSTHOC_TESTS.lookup(test).compare(checked(scores), least_spread)
    return PostHoc(test, p, lead)


def mean_rank_z(ranks: Floats) -> Floats:
    """Return z of all pairs from ranks (tasks × systems; small is good); positive: row is better.

    The variance is that of shuffling each task's ranks among the systems.

    Examples
    --------
    >>> mean_rank_z(np.array([[1.0, 2.0], [1.0, 2.0]]))[0, 1].round(4)
    np.float64(1.4142)
    """
    n, k = ranks.shape
    spread = ((ranks - ranks.mean(axis=1, keepdims=True)) ** 2).sum() / (k - 1)
    return _z(ranks.mean(axis=0), math.sqrt(2 * float(spread)) / n)


def _z(means: Floats, error: float) -> Floats:
    gap = means[None, :] - means[:, None]
    return gap / error if error else np.zeros_like(gap)


def friedman_z(mean_ranks: Floats, tasks: int) -> Floats:
    """Return z = (R_j − R_i)/√(k(k+1)/(6N)) of all pairs; positive: the row's system is better.

    Examples
    --------
    >>> friedman_z(np.array([1.5, 3.0, 1.5]), 8)[0, 1].round(4)
    np.float64(3.0)
    """
    k = len(mean_ranks)
    return _z(mean_ranks, math.sqrt(k * (k + 1) / (6 * tasks)))


def p_of_z(z: Floats) -> Floats:
    """Return two-sided p-values, NaN on the diagonal.

    Examples
    --------
    >>> p_of_z(np.array([[0.0, 1.959964], [-1.959964, 0.0]]))[0, 1].round(4)
    np.float64(0.05)
    """
    p: Floats = 2 * scipy.special.ndtr(-np.abs(z))
    np.fill_diagonal(p, np.nan)
    return p


@dataclass(frozen=True)
class PosthocTest:
    """A test of every pair over many tasks.

    Parameters
    ----------
    compare
        From scores, tasks × systems, to (k, k) p-values and leads; what a difference varies by at
        least is for the t-test.
    estimand
        What differs if it is significant, and in whose direction. A mean rank depends on which
        other systems take part.
    """

    compare: Callable[[Floats, float], tuple[Floats, Floats]]
    estimand: str


def _of_ranks(z_of: Callable[[Floats], Floats]) -> PosthocTest:
    """Return the test of a function from scores to z of all pairs."""

    def compare(values: Floats, least_spread: float) -> tuple[Floats, Floats]:
        z = z_of(values)
        return p_of_z(z), z

    return PosthocTest(compare, "mean rank")


def _of_pairs(test: Callable[[Floats, float], tuple[float, float]], estimand: str) -> PosthocTest:
    """Return the test of all pairs by one of two systems, from differences to p and lead."""

    def compare(values: Floats, least_spread: float) -> tuple[Floats, Floats]:
        k = values.shape[1]
        p, lead = np.full((k, k), np.nan), np.zeros((k, k))
        for i, j in combinations(range(k), 2):
            p[i, j], lead[i, j] = test(differences(values[:, i], values[:, j]), least_spread)
            p[j, i], lead[j, i] = p[i, j], -lead[i, j]
        return p, lead

    return PosthocTest(compare, estimand)


def _signed_rank(d: Floats, least_spread: float, method: Method = "auto") -> tuple[float, float]:
    result = SignedRank.of(d, method=method)
    return result.p, result.w_plus - result.w_minus


def _paired_t(d: Floats, least_spread: float) -> tuple[float, float]:
    mean, _, p = student(d, least_spread)
    return p, mean


def _sign(d: Floats, least_spread: float) -> tuple[float, float]:
    result = SignTest.of(d)
    return result.p, result.wins - result.losses


#: Name to test; `default_test` chooses.
POSTHOC_TESTS = Registry(
    "test",
    {
        "signed-rank": _of_pairs(_signed_rank, "Hodges–Lehmann difference"),
        "paired-t": _of_pairs(_paired_t, "mean difference"),
        # as papers of ontology matching state it, however few the tasks are
        "signed-rank-normal": _of_pairs(
            partial(_signed_rank, method="normal"), "Hodges–Lehmann difference"
        ),
        "sign": _of_pairs(_sign, "number of tasks won"),
        "friedman": _of_ranks(lambda x: friedman_z(task_ranks(x).mean(axis=0), len(x))),
        "aligned-ranks": _of_ranks(lambda x: mean_rank_z(aligned_ranks(x))),
        "quade": _of_ranks(lambda x: mean_rank_z(quade_ranks(x))),
    },
    EvaluationError,
)


#: With fewer tasks nothing is tested.
FEWEST_TASKS = 4


def estimand(test: str) -> str:
    """Return the quantity that a test compares, and that gives a difference its direction."""
    return POSTHOC_TESTS["paired-t" if test == JACKKNIFE else test].estimand


def default_test(table: ScoreTable) -> str:
    """Return the test that fits the scores.

    Scores of one scale have a mean over tasks, which the paired t-test tests. Where tasks share
    ontologies they are not independent, and ``jackknife`` tests the same mean. Scores of several
    scales have no mean: the signed-rank test.

    Notes
    -----
    Demšar 2006 (JMLR 7:1–30) recommends the signed-rank test. From four to seven tasks it cannot
    give an arrow among four systems, where t gives 1.5 to 3.8 of 6 true ones with an error of .05.
    t errs (.05 to .08) where a system rarely fails by much, and where two skewed systems meet on
    four to seven tasks (.09 to .10; docs/simulation.md).
    """
    if not table.common_scale:
        return "signed-rank"
    if ontologies_if_shared(table):
        return JACKKNIFE
    return "paired-t"


def tested(table: ScoreTable, test: str) -> PostHoc:
    """Test every pair by the test of a name that is known, or say why nothing can be tested."""
    ontologies = ontologies_if_shared(table)
    k = len(table.systems)
    means = table.gains.mean(axis=0)
    reason, caution = "", ""
    if test == JACKKNIFE:
        if not ontologies:
            raise EvaluationError(
                f"test {JACKKNIFE!r} leaves out ontologies that tasks share, and these share none: "
                "use 'paired-t'"
            )
        caution = hub_sentence(ontologies)
        if everywhere := set[str].intersection(*map(set, ontologies)):
            reason = (
                f"All {len(ontologies)} tasks share the ontology {local_name(min(everywhere))}: "
                "whether a difference holds without it cannot be tested. Add tasks without it, or "
                "take the test paired-t if that is no ontology."
            )
        elif len(hubs(ontologies)) == 2:
            reason = f"{caution} Nothing can be tested."
    elif ontologies:
        caution = (
            f"The tasks share ontologies and are not independent, as the {test} test supposes. The "
            f"test {JACKKNIFE!r} does not suppose it."
        )
    if len(table.tasks) < FEWEST_TASKS:
        reason = (
            f"{count(len(table.tasks), 'task')} cannot decide: nothing is tested with fewer than "
            f"{FEWEST_TASKS}."
        )
    if reason:
        p = np.ones((k, k))
        np.fill_diagonal(p, np.nan)
        return PostHoc(test, p, means[:, None] - means, untested=reason, caution=caution)
    if test == JACKKNIFE:
        result = shared_ontologies(table, ontologies)
        quantile = scipy.special.stdtrit(result.degrees, 0.5 + LEVEL / 2)
        half_widths = result.standard_error * quantile
        return PostHoc(test, result.p, result.difference, half_widths, caution=caution)
    p, lead = POSTHOC_TESTS[test].compare(table.gains, table.spread_of_rounding)
    return PostHoc(test, p, lead, caution=caution)
