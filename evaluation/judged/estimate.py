"""Sums over the pool, estimated from the judged questions: a difference estimate.

θ̂ = Σ_U G_u p̂_u + Σ_{judged} G_u (y_u − p̂_u) / π_u. For a pair u, G_u holds a 1 for each system that
proposes it and a last 1, which sums all right pairs of the pool; y_u is 1 if the pair is right; p̂_u
is a guess from the judgements of *other* questions; and π_u is the probability that its question
was judged (Särndal, Swensson and Wretman 1992, chapter 6). It is unbiased whatever the guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from alignrank.common.defaults import DEFAULTS
from alignrank.evaluation.significance.mcnemar import Bools, Floats, Ints

from .pool import FOLDS, Pool, prior

#: Random draws of the largest of several errors at the usual level; at smaller α as many more, so
#: that its quantile rests on as many. With more than the second number, Bonferroni's tail is taken.
DRAWS, MOST_DRAWS = 4_000, 128_000
#: Draws that are held in memory at once.
BLOCK = 16_000
#: Smallest number of degrees of freedom of the t distribution.
LEAST_DEGREES = 10


def guesses(pool: Pool, right: Floats, judged: Bools) -> Floats:
    """Return how probable each pair is right, guessed from the judged questions of other folds.

    Pairs of one level (votes, conflict) have one guess: the mean of the judged ones with half a
    judgement at the prior, made monotone in the votes, within [0.005, 0.995].

    Parameters
    ----------
    pool
        The pool.
    right
        (N,): 1 right, 0 wrong; not read where a pair is not judged.
    judged
        (N,): whether the pair's question is judged.

    Returns
    -------
    (FOLDS, N) floats
        Row f: the guess without the questions of fold f (`Pool.fold`).
    """
    k = len(pool.systems)
    level = 2 * pool.votes + pool.conflict
    levels = 2 * (k + 1)
    votes, with_conflict = np.divmod(np.arange(levels), 2)
    prior_of_level = prior(votes, with_conflict > 0, k)
    tables = np.empty((FOLDS, len(pool.pairs)))
    for f in range(FOLDS):
        used = judged & (pool.fold != f)
        counts = np.bincount(level[used], minlength=levels) + 0.5
        sums = np.bincount(level[used], right[used], minlength=levels) + 0.5 * prior_of_level
        by_level = np.empty(levels)
        for conflict in (0, 1):
            shares: Floats = sums[conflict::2] / counts[conflict::2]
            by_level[conflict::2] = monotone(shares, counts[conflict::2].astype(float))
        tables[f] = np.clip(by_level, 0.005, 0.995)[level]
    return tables


def monotone(values: Floats, weights: Floats) -> Floats:
    """Return the nearest values that never fall: pool adjacent violators.

    Examples
    --------
    >>> monotone(np.array([0.5, 0.25, 1.0]), np.array([1.0, 3.0, 1.0])).tolist()
    [0.3125, 0.3125, 1.0]
    """
    blocks: list[tuple[float, float, int]] = []
    for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
        mean, total, length = value, weight, 1
        while blocks and blocks[-1][0] >= mean:
            last_mean, last_total, last_length = blocks.pop()
            mean = (mean * total + last_mean * last_total) / (total + last_total)
            total, length = total + last_total, length + last_length
        blocks.append((mean, total, length))
    means, _, lengths = zip(*blocks, strict=True)
    return np.repeat(np.array(means), lengths)


@dataclass(frozen=True, eq=False)
class PoolSums:
    """The estimated sums over the pool, and their variances.

    Parameters
    ----------
    pool
        The pool.
    right
        (N,): 1 right, 0 wrong; any number where the question is not judged.
    judged
        (questions,): whether the question is judged.
    probability
        (questions,): how probable it was to be judged.
    """

    pool: Pool
    right: Floats
    judged: Bools
    probability: Floats

    @property
    def questions(self) -> int:
        """The number of judged questions."""
        return int(self.judged.sum())

    @cached_property
    def by_fold(self) -> Floats:
        """(FOLDS, N): `guesses`."""
        return guesses(self.pool, self.right, self.judged[self.pool.question])

    @cached_property
    def guess(self) -> Floats:
        """(N,): each pair's guess, from the questions of other folds."""
        return self.by_fold[self.pool.fold, np.arange(len(self.pool.pairs))]

    @cached_property
    def weight(self) -> Floats:
        """(N,): 1 / probability of the pair's question where it is judged, else 0."""
        by_question = np.where(self.judged, 1 / self.probability, 0.0)
        return np.asarray(by_question[self.pool.question])

    @cached_property
    def value(self) -> Floats:
        """(N,): the part of each pair in the estimates."""
        # where a question was certain to be judged, the judgement itself, without rounding
        estimated = self.guess + self.weight * (self.right - self.guess)
        return np.where(self.weight == 1, self.right, estimated)

    @cached_property
    def sums(self) -> Floats:
        """(k + 1,): the correct pairs of each system, and all right pairs of the pool."""
        return np.asarray(self.pool.membership.T @ self.value)

    @cached_property
    def variance(self) -> Floats:
        """(k + 1, k + 1): the covariance of `sums` by the judged questions' residuals."""
        residual = self.weight * (self.right - self.guess)
        by_question = self.pool.sum_by_question(self.pool.membership * residual[:, None])
        scaled = (1 - self.probability)[:, None] * by_question
        n = self.questions
        return np.asarray(n / max(n - 1, 1) * (scaled.T @ by_question))

    @cached_property
    def expected_variance(self) -> Floats:
        """(k + 1, k + 1): the covariance of `sums` if the guesses were the probabilities."""
        return self.variance_at(self.probability)

    def variance_at(self, probability: Floats) -> Floats:
        """Return `expected_variance` for other probabilities (questions,) to be judged.

        The guess of a pair is here the mean over all folds: a forecast may rest on its own answer.
        """
        return modelled_variance(self.pool, self.by_fold.mean(axis=0), probability)

    def variances(self, contrasts: Floats) -> Floats:
        """Return the variance of each row of `contrasts` (c, k + 1): the larger of the two."""
        of_residuals = diagonal(contrasts, self.variance)
        return np.maximum(of_residuals, diagonal(contrasts, self.expected_variance))

    def degrees_at(self, questions: int) -> int:
        """Return the degrees of freedom of the variance after a number of judged questions."""
        return max(questions - len(self.pool.systems), LEAST_DEGREES)

    def half_widths(self, contrasts: Floats, level: float, *, together: bool = True) -> Floats:
        """Return the half widths of intervals of `contrasts` (c, k + 1).

        Parameters
        ----------
        contrasts
            Coefficients of `sums`.
        level
            Such as 0.95.
        together
            Whether all intervals hold at once; else each one for itself.
        """
        tail = (1 - level) / 2
        if together:
            tail = simultaneous_tail(contrasts, self.expected_variance, level)
        factor = -scipy.special.stdtrit(self.degrees_at(self.questions), tail)
        return np.asarray(factor * np.sqrt(self.variances(contrasts)))


def f1_slopes(correct: Floats, sizes: Floats | Ints, right: float) -> Floats:
    """Return the derivative (k, k + 1) of each system's F1 by `correct` (k,) and `right`.

    Parameters
    ----------
    correct, sizes
        (k,): the number of right pairs, and of all pairs, that each system proposes.
    right
        The number of right pairs in the pool.
    """
    whole = np.maximum(sizes + right, 1e-9)
    slopes: Floats = np.eye(len(correct), len(correct) + 1) * (2 / whole)[:, None]
    slopes[:, -1] = -2 * correct / whole**2
    return slopes


def modelled_variance(pool: Pool, guess: Floats, probability: Floats) -> Floats:
    """Return Σ_U (1 − π_u) / π_u · p_u (1 − p_u) G_u G_uᵀ, shape (k + 1, k + 1).

    Parameters
    ----------
    pool
        The pool; G is its membership.
    guess
        (N,): p.
    probability
        (questions,): π.
    """
    pi = probability[pool.question]
    weight = (1 - pi) / pi * guess * (1 - guess)
    return np.asarray((pool.membership * weight[:, None]).T @ pool.membership)


def simultaneous_tail(contrasts: Floats, variance: Floats, level: float) -> float:
    """Return the one-sided tail that gives correlated normal intervals a simultaneous level.

    It is P(Z > q) of one normal error Z, where q is the quantile at `level` of the largest absolute
    error of all contrasts, found by simulation. Of one contrast it is (1 − level) / 2.

    Parameters
    ----------
    contrasts
        (c, k + 1).
    variance
        (k + 1, k + 1): covariance of the sums, which gives the contrasts their correlations.
    level
        The chance that all intervals hold.

    Examples
    --------
    >>> round(simultaneous_tail(np.ones((1, 1)), np.ones((1, 1)), 0.95), 3)
    0.025
    >>> round(simultaneous_tail(np.eye(2), np.eye(2), 0.95), 3)
    0.013
    """
    values, vectors = np.linalg.eigh(variance)
    root = contrasts @ (vectors * np.sqrt(np.clip(values, 0, None)))
    scale = np.sqrt((root**2).sum(axis=1))
    varying = scale > 1e-9 * scale.max(initial=0.0)
    number = int(varying.sum())
    if number <= 1:
        return (1 - level) / 2
    draws = round(DRAWS * (1 - DEFAULTS.level) / (1 - level))
    if draws > MOST_DRAWS:
        return (1 - level) / (2 * number)
    rng, unit = np.random.default_rng(DEFAULTS.seed), root[varying] / scale[varying, None]
    blocks = []
    for start in range(0, draws, BLOCK):
        normal = rng.standard_normal((min(BLOCK, draws - start), len(values)))
        errors = normal @ unit.T
        blocks.append(np.maximum(errors.max(axis=1), -errors.min(axis=1)))
    return float(scipy.special.ndtr(-np.quantile(np.concatenate(blocks), level)))


def diagonal(contrasts: Floats, variance: Floats) -> Floats:
    """Return the variance of each row of `contrasts` (c, k + 1), never below 0."""
    products = ((contrasts @ variance) * contrasts).sum(axis=1)
    return np.asarray(np.clip(products, 0.0, None))
