"""The score table: each system's score on each task, and its ranks there."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import get_args

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from alignrank.common.defaults import Mismatch as Mismatch
from alignrank.common.errors import Argument, EvaluationError
from alignrank.common.names import Pair, count, first_of, refuse_unknown
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.comparison.table_checks import check_names, read_table
from alignrank.evaluation.significance.runs import (
    by_system,
    noise_floor,
    pooled_runs,
    pooled_variance,
)

#: Sizes of scores, other than 0, between which sums of squares are exact enough.
_LEAST, _MOST = 1e-100, 1e100


@dataclass(frozen=True, eq=False)
class ScoreTable(Tabular):
    """Scores of systems on tasks; larger is better, unless `lower_is_better` says otherwise.

    Parameters
    ----------
    tasks, systems
        Names of the rows and columns, each once.
    scores
        Tasks × systems, finite; made read-only.
    measure
        What was measured.
    cautions
        Sentences on what was mended, dropped or filled in.
    ontologies
        The two ontologies of each task, each known by its file; empty where they are not known.
    common_scale
        Whether the scores of all tasks are on one scale, so that their mean has a meaning; None:
        they are if all lie in [0, 1], and lower is better on all tasks or on none.
    lower_is_better
        The tasks whose scores are errors, times or costs.
    rounding
        δ, the unit of the last decimal of the scores; None: that of the score with most decimals. A
        difference of two scores is known up to rounding, with a variance of δ²/6.
    runs
        The number of runs that each system's scores are means over; empty where each has one.

    Raises
    ------
    EvaluationError
        If names are empty or come twice, the shape does not fit, or a score is no finite number, or
        so large or small that its square is not; if `lower_is_better`, `ontologies` or `rounding`
        does not fit.

    Examples
    --------
    >>> table = ScoreTable(("t1", "t2"), ("a", "b"), np.array([[0.5, 0.6], [0.7, 0.8]]))
    >>> table.to_frame().loc["t2", "a"]
    np.float64(0.7)
    """

    tasks: tuple[str, ...]
    systems: tuple[str, ...]
    scores: Floats
    measure: str = "score"
    cautions: tuple[str, ...] = ()
    ontologies: tuple[Pair, ...] = ()
    common_scale: bool | None = None
    lower_is_better: tuple[str, ...] = ()
    rounding: float | None = None
    runs: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        scores = as_numbers(self.scores)
        if scores.shape != (len(self.tasks), len(self.systems)) or scores.size == 0:
            raise EvaluationError(
                f"scores has shape {scores.shape} for {len(self.tasks)} tasks and "
                f"{len(self.systems)} systems: give one score for each, and at least one"
            )
        for kind, names in (("task", self.tasks), ("system", self.systems)):
            check_names(kind, names)
        if not np.isfinite(scores).all():
            i, j = np.argwhere(~np.isfinite(scores))[0].tolist()
            raise EvaluationError(
                f"the score of {self.systems[j]!r} on {self.tasks[i]!r} is {scores[i, j]}: "
                "every score must be finite"
            )
        if not ((scores == 0.0) | (abs(scores) > _LEAST) & (abs(scores) < _MOST)).all():
            raise EvaluationError(
                f"a score's size is below {_LEAST:g} or above {_MOST:g}: squares of such numbers "
                "cannot be held; choose another unit"
            )
        for task in self.lower_is_better:
            refuse_unknown("task of lower_is_better", task, self.tasks, EvaluationError)
        if self.ontologies and len(self.ontologies) != len(self.tasks):
            raise EvaluationError(
                f"{count(len(self.ontologies), 'pair')} of ontologies for "
                f"{count(len(self.tasks), 'task')}: give one for each task, or none"
            )
        if self.rounding is not None and not 0 < self.rounding < math.inf:
            raise EvaluationError(
                f"rounding is {self.rounding}: it must be a positive number, such as 0.001"
            )
        scores.setflags(write=False)
        object.__setattr__(self, "scores", scores)
        if self.rounding is None:
            object.__setattr__(self, "rounding", last_decimal(scores))
        if self.common_scale is None:
            within = bool(((scores >= 0) & (scores <= 1)).all())
            within = within and len(self.lower_is_better) in (0, len(self.tasks))
            object.__setattr__(self, "common_scale", within)

    @property
    def spread_of_rounding(self) -> float:
        """The standard deviation of a difference that comes from rounding, δ/√6."""
        assert self.rounding is not None
        return self.rounding / math.sqrt(6)

    @property
    def largest_difference(self) -> float:
        """The largest difference that two scores can have: 1 of F1 from 0 to 1, else unknown."""
        is_share = bool(self.scores.min() >= 0 and self.scores.max() <= 1)
        return 1.0 if self.measure == "F1" and is_share else math.inf

    @property
    def gains(self) -> Floats:
        """The scores, negated where lower is better: larger is better everywhere."""
        costs = set(self.lower_is_better)
        signs = np.array([-1.0 if task in costs else 1.0 for task in self.tasks])
        gains: Floats = self.scores * signs[:, None]
        return gains

    @property
    def wins(self) -> Indices:
        """(systems, systems): on how many tasks the row's system scores better."""
        wins: Indices = (self.gains[:, :, None] > self.gains[:, None, :]).sum(axis=0)
        return wins

    @property
    def direction(self) -> str:
        """Which scores are better: ``larger is better``, or lower, or lower on some tasks."""
        costs, tasks = len(self.lower_is_better), len(self.tasks)
        if costs in (0, tasks):
            return "lower is better" if costs else "larger is better"
        return f"lower is better on {costs} of {tasks} tasks"

    @property
    def means(self) -> dict[str, float]:
        """Each system's mean score over the tasks, correctly rounded: all that is shown has it."""
        return dict(zip(self.systems, map(fmean, self.scores.T.tolist()), strict=True))

    @property
    def mean_ranks(self) -> dict[str, float]:
        """Each system's mean rank over the tasks (`task_ranks`)."""
        ranks = task_ranks(self.gains).mean(axis=0).tolist()
        return dict(zip(self.systems, ranks, strict=True))

    @property
    def mean_title(self) -> str:
        """The title of a column of mean scores."""
        title = f"mean {self.measure}"
        if self.lower_is_better:
            title += f" ({self.direction})"
        return title

    def select(self, tasks: Iterable[str]) -> ScoreTable:
        """Return the table with only these tasks, in the order of this table.

        Raises
        ------
        EvaluationError
            If a task is unknown or none is left.
        """
        chosen = set(tasks)
        if unknown := sorted(chosen - set(self.tasks)):
            raise EvaluationError(f"task {unknown[0]!r} is not in the table")
        rows = [i for i, task in enumerate(self.tasks) if task in chosen]
        ontologies = tuple(self.ontologies[i] for i in rows) if self.ontologies else ()
        tasks_left = tuple(self.tasks[i] for i in rows)
        return replace(
            self,
            tasks=tasks_left,
            scores=self.scores[rows],
            ontologies=ontologies,
            lower_is_better=tuple(task for task in tasks_left if task in self.lower_is_better),
        )

    def to_frame(self) -> Frame:
        """Return the table as a DataFrame: tasks are the index, systems the columns."""
        return frame(self.scores, columns=self.systems, index=self.tasks, index_name="task")


#: What the screen shows of scores that were computed here: their last decimal.
COMPUTED = 0.001


def last_decimal(scores: Floats) -> float:
    """Return the unit of the last decimal of scores: of the one with most, ten at most.

    Examples
    --------
    >>> last_decimal(np.array([0.7, 0.85])), last_decimal(np.array([12.0]))
    (0.01, 1.0)
    """
    decimals = 0
    while decimals < 10 and not np.allclose(scores, np.round(scores, decimals), 1e-13, 1e-13):
        decimals += 1
    return 10.0**-decimals


def read_scores(
    data: object,
    *,
    on_mismatch: Mismatch = "refuse",
    lower_is_better: bool | Iterable[str] = False,
) -> ScoreTable:
    r"""Read scores of systems on tasks from a file or a frame.

    Parameters
    ----------
    data
        As `read_table` takes it. An empty cell or ``NA`` is a missing result. Scores that are all
        written with ``%`` are on one scale.
    on_mismatch
        What to do about missing results: refuse the table, count them as ``zero`` or ``drop`` the
        tasks that have one. `cautions` says what was done.
    lower_is_better
        Whether the scores are errors, times or costs; or the names of the tasks where they are.

    Raises
    ------
    EvaluationError
        As `read_table` does; and if a result is missing, a task of `lower_is_better` is unknown, or
        missing errors, or results beside negative scores, are to count as zero.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "scores.csv"
    >>> _ = path.write_text("task,a,b\nt1,0.5,0.6\nt2,0.7,\n")
    >>> read_scores(path, on_mismatch="drop").cautions
    ('1 of 2 tasks was dropped because a result is missing: t2 (b).',)
    """
    rows = read_table(data, "task", lower_is_better=bool(lower_is_better))
    costs = rows.names if lower_is_better is True else tuple(lower_is_better or ())
    for task in costs:
        refuse_unknown("task of lower_is_better", task, rows.names, EvaluationError)
    if costs and on_mismatch == "zero" and np.isnan(rows.scores).any():
        raise EvaluationError(
            "a missing result cannot count as 0 where lower is better, since 0 is the best: leave "
            f"such tasks out ({Argument('on_mismatch', 'drop')})"
        )
    try:
        table = assembled(
            rows.names, rows.systems, rows.scores, on_mismatch, cautions=rows.cautions
        )
        costs_left = tuple(task for task in table.tasks if task in set(costs))
        # None: whether the tasks share a scale depends on whether all have one direction, too
        table = replace(table, lower_is_better=costs_left, common_scale=None)
    except EvaluationError as error:
        raise EvaluationError(f"{rows.source}: {error}" if rows.source else str(error)) from None
    if rows.in_percent and len(costs_left) in (0, len(table.tasks)):
        table = replace(table, common_scale=True)
    return table


def assembled(
    tasks: Sequence[str],
    systems: Sequence[str],
    scores: Floats,
    on_mismatch: Mismatch,
    *,
    measure: str = "score",
    cautions: Sequence[str] = (),
    ontologies: Sequence[Pair] = (),
    rounding: float | None = None,
) -> ScoreTable:
    """Make a table of `scores` in which NaN is a missing result.

    Raises
    ------
    EvaluationError
        If results are missing and are to be refused, or to count as 0 beside negative scores, or
        no task has all results.
    """
    refuse_unknown("on_mismatch", on_mismatch, get_args(Mismatch), EvaluationError)
    absent = np.isnan(scores)
    incomplete = absent.any(axis=1)
    cautions = list(cautions)
    if absent.any():
        listed, number = _which(tasks, systems, absent), int(absent.sum())
        missing = "1 result is missing" if number == 1 else f"{number} results are missing"
        if on_mismatch == "refuse":
            raise EvaluationError(
                f"{missing}: {listed}. Add them, or count them as 0 "
                f"({Argument('on_mismatch', 'zero')}), or leave these tasks out "
                f"({Argument('on_mismatch', 'drop')})"
            )
        if on_mismatch == "zero" and bool((scores < 0).any()):
            raise EvaluationError(
                "a missing result cannot count as 0 where scores are negative, since 0 is not the "
                f"worst: leave such tasks out ({Argument('on_mismatch', 'drop')})"
            )
        if on_mismatch == "zero":
            scores = np.where(absent, 0.0, scores)
            verb = "counts" if number == 1 else "count"
            cautions.append(f"{missing} and {verb} as 0: {listed}.")
        else:
            if incomplete.all():
                raise EvaluationError(
                    f"every task lacks a result: {listed}. With "
                    f"{Argument('on_mismatch', 'drop')} nothing is left"
                )
            verb = "was" if incomplete.sum() == 1 else "were"
            cautions.append(
                f"{incomplete.sum()} of {len(tasks)} tasks {verb} dropped because a result is "
                f"missing: {listed}."
            )
            rows = np.flatnonzero(~incomplete).tolist()
            tasks = [tasks[row] for row in rows]
            if ontologies:
                ontologies = [ontologies[row] for row in rows]
            scores = scores[rows]
    if rounding is None:
        rounding = last_decimal(scores)  # means over runs have more decimals
    systems, scores, runs, noise = _mean_of_runs(systems, scores)
    cautions += noise
    return ScoreTable(
        tuple(tasks),
        tuple(systems),
        scores,
        measure,
        tuple(cautions),
        tuple(ontologies),
        rounding=rounding,
        runs=runs,
    )


def _mean_of_runs(
    systems: Sequence[str], scores: Floats
) -> tuple[Sequence[str], Floats, dict[str, int], list[str]]:
    """Return systems and means in place of runs ``NAME@1``…; the numbers of runs; a caution."""
    groups = by_system(systems)
    if len(groups) == len(systems):
        return systems, scores, {}, []
    runs = [scores[:, [systems.index(run) for run in group]] for group in groups.values()]
    caution = f"runs of one system count by their mean ({pooled_runs(groups)}); "
    if len(systems) - len(groups) >= 2:
        pooled = pooled_variance([of_system.mean(axis=0) for of_system in runs])
        floor = noise_floor(*pooled, largest=max(1.0, float(np.abs(scores).max())))
        caution += f"two runs of one system differ by up to {floor:.4f} in their mean (95%), and "
    caution += "the tests take tasks as the sample, not runs."
    means = np.stack([of.mean(axis=1) for of in runs], axis=1)
    return list(groups), means, {name: len(group) for name, group in groups.items()}, [caution]


def _which(tasks: Sequence[str], systems: Sequence[str], absent: NDArray[np.bool_]) -> str:
    """Name the tasks and systems without a result, a few of them if they are many."""
    listed = [
        f"{task} ({', '.join(s for s, gone in zip(systems, row, strict=True) if gone)})"
        for task, row in zip(tasks, absent.tolist(), strict=True)
        if any(row)
    ]
    return first_of(listed, 5)


Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

#: Scores closer than this share of their size are the same score: 0.8 − 0.7 and 0.3 − 0.2 differ in
#: floating point only, and must tie.
NOISE = 1e-12


def as_numbers(scores: ArrayLike) -> Floats:
    """Return scores as a new array of numbers.

    Raises
    ------
    EvaluationError
        If they are no numbers.
    """
    try:
        return np.array(scores, dtype=float)
    except (TypeError, ValueError) as error:
        raise EvaluationError(f"scores must hold numbers, one for each task: {error}") from error


def checked(scores: ArrayLike) -> Floats:
    """Return `scores` as a float matrix, tasks × systems.

    Raises
    ------
    EvaluationError
        If it is no matrix, has fewer than two tasks or systems, or holds NaN or infinity.

    Examples
    --------
    >>> checked([[0.5, 0.6], [0.7, 0.8]]).shape
    (2, 2)
    """
    values = as_numbers(scores)
    if values.ndim != 2:
        raise EvaluationError(f"scores has shape {values.shape}: give a matrix, tasks × systems")
    if values.shape[1] < 2:
        raise EvaluationError("scores holds fewer than two systems: there is nothing to compare")
    if values.shape[0] < 2:
        raise EvaluationError(
            "scores holds fewer than two tasks: tests over tasks need several; compare the "
            "systems on one task by McNemar's test"
        )
    if not np.isfinite(values).all():
        i, j = np.argwhere(~np.isfinite(values))[0].tolist()
        raise EvaluationError(f"scores[{i}, {j}] is {values[i, j]}: every score must be finite")
    return values


def settled(values: Floats, scale: ArrayLike) -> Floats:
    """Make values equal that differ by rounding only: by less than `NOISE` × `scale`.

    Parameters
    ----------
    values
        Of any shape.
    scale
        Size of the scores that each value was computed from: one for all, or one for each. Of two
        values the larger scale decides.

    Examples
    --------
    >>> a, b = settled(np.array([0.8 - 0.7, 0.3 - 0.2]), scale=0.8).tolist()
    >>> a == b, 0.8 - 0.7 == 0.3 - 0.2
    (True, False)
    """
    order = np.argsort(values, axis=None, kind="stable")
    ascending = values.ravel()[order]
    sizes = np.broadcast_to(scale, values.shape).ravel()[order]
    rounding = NOISE * np.maximum(sizes, np.concatenate([sizes[:1], sizes[:-1]]))
    first = np.diff(ascending, prepend=-np.inf) > rounding
    result = np.empty_like(ascending)
    result[order] = ascending[first][np.cumsum(first) - 1]
    return result.reshape(values.shape)


def differences(x: ArrayLike, y: ArrayLike) -> Floats:
    """Return x − y per task; ties and zeros are not blurred by rounding.

    Raises
    ------
    EvaluationError
        If the two are not vectors of one length (at least two) or hold NaN or infinity.

    Examples
    --------
    >>> differences([0.8, 0.3, 0.5], [0.7, 0.4, 0.5]).round(3).tolist()
    [0.1, -0.1, 0.0]
    """
    a, b = as_numbers(x), as_numbers(y)
    if a.ndim != 1 or a.shape != b.shape:
        raise EvaluationError(
            f"the two systems' scores have shapes {a.shape} and {b.shape}: give one score per "
            "task for each"
        )
    both = checked(np.column_stack([a, b]))
    scale = np.abs(both).max(axis=1)
    raw: Floats = a - b
    raw[np.abs(raw) <= NOISE * scale] = 0.0
    return np.sign(raw) * settled(np.abs(raw), scale)


def bisect_rows(
    first: Indices, stop: Indices, holds: Callable[[Indices], NDArray[np.bool_]]
) -> Indices:
    """Return for each row the first place in [first, stop) where a condition fails, else `stop`.

    Parameters
    ----------
    first, stop
        Bounds of each row.
    holds
        Tells for one place in each row whether the condition holds; where it fails once, it fails
        at all later places.

    Examples
    --------
    >>> rows = np.array([[1, 2, 3], [3, 4, 5]])
    >>> bisect_rows(np.array([0, 0]), np.array([3, 3]), lambda j: rows[[0, 1], j] < 3).tolist()
    [2, 0]
    """
    first, stop = np.array(first), np.array(stop)  # copies
    while (is_open := first < stop).any():
        middle = np.where(is_open, (first + stop) // 2, 0)
        after = is_open & holds(middle)
        first[after] = middle[after] + 1
        before = is_open & ~after
        stop[before] = middle[before]
    return first


def task_ranks(scores: ArrayLike) -> Floats:
    """Rank the systems within each task: 1 is the highest score, ties share their mean rank.

    Returns
    -------
    numpy.ndarray
        Same shape, tasks × systems.

    Examples
    --------
    >>> task_ranks([[0.9, 0.5, 0.5], [0.1, 0.2, 0.3]]).tolist()
    [[1.0, 2.5, 2.5], [3.0, 2.0, 1.0]]
    """
    values = checked(scores)
    rows = np.stack([settled(row, np.abs(row)) for row in values])
    ranks: Floats = scipy.stats.rankdata(-rows, axis=1)
    return ranks


def aligned_ranks(scores: ArrayLike) -> Floats:
    """Rank all scores together after each task's mean is taken away (Hodges and Lehmann 1962).

    Returns
    -------
    numpy.ndarray
        Same shape, ranks from 1 (best) to tasks × systems.

    Examples
    --------
    >>> aligned_ranks([[0.9, 0.5], [0.2, 0.3]]).tolist()
    [[1.0, 4.0], [3.0, 2.0]]
    """
    values = checked(scores)
    centred = values - values.mean(axis=1, keepdims=True)
    largest = np.abs(values).max(axis=1, keepdims=True)
    ranks: Floats = scipy.stats.rankdata(-settled(centred, largest))
    return ranks.reshape(values.shape)


def quade_ranks(scores: ArrayLike) -> Floats:
    """Weight the ranks within tasks by the rank of the task's spread (Quade 1979).

    Returns
    -------
    numpy.ndarray
        S_ij = Q_i (r_ij − (k + 1)/2): Q_i is the rank of the range (largest − smallest score) of
        task i, r_ij the rank of system j in task i. Negative is good.

    Examples
    --------
    >>> quade_ranks([[0.9, 0.5], [0.2, 0.3]]).tolist()
    [[-1.0, 1.0], [0.5, -0.5]]
    """
    values = checked(scores)
    spread = settled(np.ptp(values, axis=1), np.abs(values).max(axis=1))
    weight: Floats = scipy.stats.rankdata(spread)
    weighted: Floats = weight[:, None] * (task_ranks(values) - (values.shape[1] + 1) / 2)
    return weighted
