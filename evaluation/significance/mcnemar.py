"""McNemar's test: whether two systems are right equally often; Cochran's Q: whether all are.

Only the discordant counts matter: b items that only the first system has right, and c items that
only the second has. Under the null hypothesis b ~ Bin(b + c, 1/2). The result of every test is a
`PairTest`: one value for each pair of systems.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from alignrank.common.errors import EvaluationError
from alignrank.common.names import Registry
from alignrank.common.table import Frame, Tabular, frame

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Fewer discordant cases than this do not carry the asymptotic tests.
ENOUGH = 25

_TINY = 1e-290  # below it p loses digits or underflows, so its logarithm is computed by itself


@dataclass(frozen=True, eq=False)
class PairTest:
    """One test on every pair of n systems.

    Parameters
    ----------
    advantage
        (n, n), antisymmetric: positive where the row is ahead of the column by this test's own
        measure.
    p, log10_p
        (n, n), symmetric, NaN on the diagonal: two-sided p and its log10, which does not underflow.
    """

    advantage: Floats
    p: Floats
    log10_p: Floats


def off_diagonal(matrix: Floats) -> Floats:
    """Return a copy with NaN on the diagonal."""
    copy = matrix.astype(float)
    np.fill_diagonal(copy, np.nan)
    return copy


def pair_columns(
    systems: Sequence[str], matrices: Mapping[str, NDArray[np.generic]], **constants: str
) -> dict[str, list[object]]:
    """Return the columns of a table with a row for each pair of systems.

    Parameters
    ----------
    systems
        n names.
    matrices
        (n, n) values by column; those above the diagonal are taken.
    constants
        By column: what is the same for all pairs, as the view.

    Examples
    --------
    >>> pair_columns(["a", "b"], {"p": np.array([[0, 7], [7, 0]])})
    {'system1': ['a'], 'system2': ['b'], 'p': [7]}
    """
    first, second = np.triu_indices(len(systems), 1)
    return {
        **{name: [constant] * len(first) for name, constant in constants.items()},
        "system1": [systems[i] for i in first.tolist()],
        "system2": [systems[j] for j in second.tolist()],
        **{name: matrix[first, second].tolist() for name, matrix in matrices.items()},
    }


@dataclass(frozen=True, eq=False)
class McNemar(Tabular):
    """Two-sided p-values of one McNemar test, in the shape of the counts.

    Parameters
    ----------
    test
        One of `TESTS`.
    b, c
        Discordant counts: only the first right, only the second right.
    statistic
        χ² for ``asymptotic`` and ``continuity`` (NaN for b = c = 0); max(b, c) for the others.
    p
        In [0, 1]; 0.0 where it underflows.
    log10_p
        log10 of the p-value, which does not underflow.
    """

    test: str
    b: Ints
    c: Ints
    statistic: Floats
    p: Floats
    log10_p: Floats

    @property
    def few(self) -> Bools:
        """Where fewer than 25 discordant cases carry the test."""
        return np.asarray(self.b + self.c < ENOUGH)

    def to_frame(self) -> Frame:
        """Return one row for each pair of counts, in their order."""
        columns = {name: value for name, value in vars(self).items() if name != "test"}
        return frame({name: np.ravel(value) for name, value in columns.items()})


def mcnemar(b: ArrayLike, c: ArrayLike, test: str = "mid-p") -> McNemar:
    r"""Test whether b and c differ by more than chance.

    With n = b + c, k = max(b, c) and X ~ Bin(n, 1/2):

    ============== ============================================ ================
    test           two-sided p                                  b = c > 0
    ============== ============================================ ================
    ``asymptotic`` P(χ²₁ ≥ (b − c)² / n)                        1
    ``continuity`` P(χ²₁ ≥ max(\|b − c\| − 1, 0)² / n)            1
    ``exact``      min(1, 2 P(X ≥ k))                           1
    ``mid-p``      2 P(X ≥ k) − P(X = k)                        1 − P(X = k) / 2
    ============== ============================================ ================

    and p = 1 by convention for b = c = 0.

    Parameters
    ----------
    b, c
        Counts, scalars or arrays that broadcast.
    test
        One of `TESTS`.

    Raises
    ------
    EvaluationError
        If a count is negative, fractional, too large or not finite, the two have different shapes,
        or the test is unknown.

    Notes
    -----
    McNemar 1947; Edwards 1948 (continuity); Lancaster 1961 and Fagerland, Lydersen and Laake 2013
    (mid-p). Exact is valid, mid-p and the asymptotic test only nearly so; exact and continuity are
    conservative.

    Examples
    --------
    Bentur et al. 2009, one against seven:

    >>> [round(float(mcnemar(1, 7, test).p), 7) for test in TESTS]
    [0.0338949, 0.0770999, 0.0703125, 0.0390625]
    >>> float(mcnemar(0, 1214).p), round(float(mcnemar(0, 1214).log10_p), 2)
    (0.0, -365.45)
    """
    first, second = counts(b, "b"), counts(c, "c")
    try:
        first, second = np.broadcast_arrays(first, second)
    except ValueError:
        raise EvaluationError(
            f"b has the shape {first.shape}, c {second.shape}: give one count of each for a pair"
        ) from None
    statistic, p, log10_p = TESTS.lookup(test)(first, second)
    return McNemar(test, first, second, statistic, p, log10_p)


def mcnemar_tests(discordant: Ints) -> dict[str, PairTest]:
    """Run the four McNemar tests on every pair."""
    b = discordant
    c = discordant.T
    results: dict[str, PairTest] = {}
    for test in TESTS:
        outcome = mcnemar(b, c, test)
        p = off_diagonal(outcome.p)
        log10_p = off_diagonal(outcome.log10_p)
        results[test] = PairTest((b - c).astype(float), p, log10_p)
    return results


def counts(value: ArrayLike, name: str) -> Ints:
    """Return counts as integers.

    Raises
    ------
    EvaluationError
        If a value is negative, fractional, 2^52 or more, or no number; the message holds `name`.
    """
    try:
        array = np.asarray(value)
        numbers = array.astype(float)
    except (TypeError, ValueError) as error:
        raise EvaluationError(f"{name} must hold counts: {error}") from error
    whole = (numbers >= 0) & (numbers == np.floor(numbers)) & (numbers < 2.0**52)
    if not whole.all():
        index = np.argwhere(~whole)[0].tolist()
        bound = "below 2^52" if numbers[tuple(index)] >= 2.0**52 else "0 or more"
        raise EvaluationError(
            f"{name}{index or ''} is {array[tuple(index)]}: a count is a whole number, {bound}"
        )
    return array.astype(np.int64)


def chi_square(statistic: Floats) -> tuple[Floats, Floats]:
    """Return P(χ²₁ ≥ statistic) and its log10."""
    root = np.sqrt(statistic)
    log_p = math.log(2) + scipy.special.log_ndtr(-root)
    return scipy.special.erfc(root / math.sqrt(2)), np.minimum(log_p / math.log(10), 0.0)


def _chi_squared(b: Ints, c: Ints, *, less: float) -> tuple[Floats, Floats, Floats]:
    """Return (|b − c| − less)² / (b + c), 0/0 for b = c = 0, its p-value and log10 of that."""
    gap = np.maximum(np.abs(b - c) - less, 0.0)
    n = b + c
    with np.errstate(invalid="ignore"):
        statistic = gap**2 / n
    return statistic, *chi_square(np.where(n > 0, statistic, 0.0))


def _binomial(b: Ints, c: Ints, *, mid: bool) -> tuple[Floats, Floats, Floats]:
    """Return k = max(b, c), the exact (or mid-p) value and its log10."""
    n = b + c
    k = np.maximum(b, c)
    # P(X ≥ k) and P(X > k) as regularised incomplete beta functions
    at_least = scipy.special.betainc(np.maximum(k, 1), n - k + 1, 0.5)
    above = np.where(k < n, scipy.special.betainc(k + 1, np.maximum(n - k, 1), 0.5), 0.0)
    # sums of tails, never a difference: 2 P(X ≥ k) − P(X = k) = P(X ≥ k) + P(X > k)
    if mid:
        p = np.where(2 * k == n, 0.5 + above, at_least + above)
    else:
        p = np.minimum(2 * at_least, 1.0)
    p = np.where(n == 0, 1.0, p)
    log10_p = np.array(np.log10(np.maximum(p, _TINY)))
    deep = p < _TINY
    if deep.any():
        ratio = _tail_ratio(n[deep], k[deep])
        log_p_at_k = log_choose(n[deep], k[deep]) - n[deep] * math.log(2)  # of P(X = k)
        log10_p[deep] = (log_p_at_k + np.log(2 * ratio - mid)) / math.log(10)
        p[deep] = 10.0 ** log10_p[deep]
    return k.astype(float), p, log10_p


def log_choose(n: ArrayLike, k: ArrayLike) -> Floats:
    """Return the natural logarithm of the number of ways to choose k of n."""
    log_factorial = scipy.special.gammaln
    n = np.asarray(n, dtype=float)
    k = np.asarray(k, dtype=float)
    return np.asarray(log_factorial(n + 1) - log_factorial(k + 1) - log_factorial(n - k + 1))


def _tail_ratio(n: Ints, k: Ints) -> Floats:
    """P(X ≥ k) / P(X = k) = 2F1(1, k − n; k + 1; −1), by Gauss' continued fraction.

    1 / (1 + a1 / (1 + a2 / (1 + ...))) from the last term to the first. Deep in the tail, the only
    place that needs it, 30 terms give every digit.
    """
    b = (k - n).astype(float)
    c = k.astype(float)
    value = np.ones(n.shape)
    for i in range(60, -1, -1):
        d = c + 2 * i
        value = 1 + (i + 1) * (c - b + i + 1) / ((d + 1) * (d + 2)) / value
        value = 1 + (b + i) * (c + i) / (d * (d + 1)) / value
    return 1 / value


#: Test by name, in the paper's order but for the continuity correction: from the counts b and c to
#: the statistic, p and log10 p.
TESTS = Registry(
    "test",
    {
        "asymptotic": partial(_chi_squared, less=0.0),
        "continuity": partial(_chi_squared, less=1.0),
        "exact": partial(_binomial, mid=False),
        "mid-p": partial(_binomial, mid=True),
    },
    EvaluationError,
)


@dataclass(frozen=True)
class CochranQ(Tabular):
    """Cochran's Q test.

    Parameters
    ----------
    statistic
        Q; NaN where no two systems ever differ.
    df
        k − 1.
    p
        P(χ²(k − 1) ≥ Q); 1 where Q is undefined.
    """

    statistic: float
    df: int
    p: float


def cochran_q(discordant: ArrayLike, design_effect: Floats | None = None) -> CochranQ:
    """Test whether k systems are all right equally often.

    Q = k (k − 1) Σ_j (C_j − C̄)² / Σ_i R_i (k − R_i), with C_j the items that system j has right and
    R_i the systems that have item i right. Both sums follow from the discordant counts alone:
    C_j − C_l = (j, l) − (l, j), and R_i (k − R_i) counts the ordered pairs that differ on item i.

    Parameters
    ----------
    discordant
        (k, k): cell (i, j) counts what i has right and j wrong.
    design_effect
        (k, k): the factor by which clusters multiply the variance of each pair's difference. Q is
        divided by their mean, weighted by the discordant cases (Rao and Scott 1981); None: 1.

    Raises
    ------
    EvaluationError
        If the matrix is not square or holds anything but counts.

    Notes
    -----
    Cochran 1950, Biometrika 37:256–266. For two systems it is McNemar's asymptotic test. It need
    not be significant before pairs are tested: the corrections control the error without it.

    Examples
    --------
    >>> cochran_q([[0, 8], [2, 0]])
    CochranQ(statistic=3.6, df=1, p=0.05777957112359715)
    """
    table = counts(discordant, "discordant")
    if table.ndim != 2 or len(table) != len(table.T) or len(table) < 2:
        raise EvaluationError(f"discordant has shape {table.shape}: it must be square, 2 × 2 or up")
    k = len(table)
    off = int(table.sum() - np.trace(table))
    if off == 0:
        return CochranQ(float("nan"), k - 1, 1.0)
    # C_j − C̄, the mean of the differences to every system
    deviation = (table - table.T).mean(axis=1)
    q = float(k * (k - 1) * (deviation**2).sum() / off)
    if design_effect is not None:
        q /= float((at_least_one(design_effect) * table).sum() / off)
    return CochranQ(q, k - 1, float(scipy.special.chdtrc(k - 1, q)))


def at_least_one(design_effect: Floats) -> Floats:
    """Replace design effects below 1, and unknown ones, by 1."""
    return np.maximum(np.nan_to_num(design_effect, nan=1.0), 1.0)
