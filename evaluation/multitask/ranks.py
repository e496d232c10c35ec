"""Ranks of scores: within tasks, after alignment, and weighted by the task's spread."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from evaluation.errors import EvaluationError

Floats = NDArray[np.float64]

#: Scores closer than this share of the largest score are the same score: 0.8 − 0.7 and 0.3 − 0.2
#: differ in floating point only, and must tie.
NOISE = 1e-12


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
    values = np.asarray(scores, dtype=np.float64)
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


def settled(values: Floats, scale: float) -> Floats:
    """Make equal what differs by rounding only: by less than `NOISE` × `scale`.

    Examples
    --------
    >>> a, b = settled(np.array([0.8 - 0.7, 0.3 - 0.2]), scale=0.8).tolist()
    >>> a == b, 0.8 - 0.7 == 0.3 - 0.2
    (True, False)
    """
    order = np.argsort(values, axis=None, kind="stable")
    ascending = values.ravel()[order]
    first = np.diff(ascending, prepend=-np.inf) > NOISE * scale
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
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise EvaluationError(
            f"the two systems' scores have shapes {a.shape} and {b.shape}: give one score per "
            "task for each"
        )
    both = checked(np.column_stack([a, b]))
    scale = float(np.abs(both).max())
    raw = a - b
    raw[np.abs(raw) <= NOISE * scale] = 0.0
    return np.sign(raw) * settled(np.abs(raw), scale)


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
    ranks: Floats = scipy.stats.rankdata(-settled(values, float(np.abs(values).max())), axis=1)
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
    ranks: Floats = scipy.stats.rankdata(-settled(centred, float(np.abs(values).max())))
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
    spread = settled(np.ptp(values, axis=1), float(np.abs(values).max()))
    weight: Floats = scipy.stats.rankdata(spread)
    weighted: Floats = weight[:, None] * (task_ranks(values) - (values.shape[1] + 1) / 2)
    return weighted
