"""Step-down and step-up corrections, on p-values in ascending order.

Every function takes the m p-values ``p_1 ≤ … ≤ p_m`` sorted and returns the adjusted values in
the same order; `alignrank.evaluation.corrections.adjusting.adjust` sorts and unsorts.
"""

from __future__ import annotations

import numpy as np

from alignrank.evaluation.significance.mcnemar import Floats, Ints


def holm(p: Floats) -> Floats:
    """Step-down Bonferroni: ``max_{j≤i} (m+1−j)·p_j`` (Holm 1979).

    Examples
    --------
    >>> holm(np.array([0.01, 0.02, 0.04])).tolist()
    [0.03, 0.04, 0.04]
    """
    return _step_down(_remaining(p) * p)


def holland(p: Floats) -> Floats:
    """Step-down Šidák: ``max_{j≤i} 1 − (1−p_j)^(m+1−j)`` (Holland and Copenhaver 1987).

    Examples
    --------
    >>> holland(np.array([0.01, 0.02, 0.04])).round(6).tolist()
    [0.029701, 0.0396, 0.04]
    """
    return _step_down(_sidak(p, _remaining(p)))


def finner(p: Floats) -> Floats:
    """Step-down with exponents m/j: ``max_{j≤i} 1 − (1−p_j)^(m/j)`` (Finner 1993).

    Examples
    --------
    >>> finner(np.array([0.01, 0.02, 0.04])).round(6).tolist()
    [0.029701, 0.029849, 0.04]
    """
    return _step_down(_sidak(p, p.size / np.arange(1, p.size + 1)))


def hochberg(p: Floats) -> Floats:
    """Step-up Bonferroni: ``min_{j≥i} (m+1−j)·p_j`` (Hochberg 1988).

    Examples
    --------
    >>> hochberg(np.array([0.02, 0.03, 0.04])).tolist()
    [0.04, 0.04, 0.04]
    """
    return _step_up(_remaining(p) * p)


def rom(p: Floats, alpha: float) -> Floats:
    """Step-up with the sharpest constants: ``min_{j≥i} r_(m+1−j)·p_j`` (Rom 1990).

    With r_k = alpha / c_k, where c is `rom_constants`: the adjusted values hold for this alpha
    only.

    Examples
    --------
    >>> rom(np.array([0.02, 0.03, 0.04]), 0.05).round(4).tolist()
    [0.04, 0.04, 0.04]
    """
    return _step_up(alpha / rom_constants(p.size, alpha)[::-1] * p)


def rom_constants(m: int, alpha: float) -> Floats:
    """Return the critical values c_1 … c_m of Rom (1990): c_k is for the k-th largest p-value.

    ``c_1 = α``, ``c_2 = α/2`` and
    ``c_k = [Σ_{j=1}^{k−1} α^j − Σ_{j=1}^{k−2} C(k,j)·c_{j+1}^{k−j}] / k``.

    Examples
    --------
    >>> rom_constants(4, 0.05).round(6).tolist()
    [0.05, 0.025, 0.016875, 0.012713]
    """
    log_factorial = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, m + 1)))))
    c = np.full(m, alpha)
    powers = 0.0
    for k in range(2, m + 1):
        powers += alpha ** (k - 1)
        j = np.arange(1, k - 1)
        log_binomial = log_factorial[k] - log_factorial[j] - log_factorial[k - j]
        earlier = np.exp(log_binomial + (k - j) * np.log(c[j])).sum()
        c[k - 1] = (powers - earlier) / k
    return c


def hommel(p: Floats) -> Floats:
    """Closure of Simes' test: ``max{simes(I) : i ∈ I}`` (Hommel 1988).

    Of all sets I of size k that hold i, the one with the largest Simes value holds the largest
    other p-values; so there is one set for each k:
    ``max_k min(k·min(p_i, p_(m−k+1)), min_{2≤j≤k} k·p_(m−k+j)/j)``.

    Examples
    --------
    >>> hommel(np.array([0.01, 0.03, 0.04])).round(6).tolist()
    [0.03, 0.04, 0.04]
    """
    m = p.size
    adjusted: Floats = p.copy()
    for k in range(2, m + 1):
        largest = (k * p[m - k + 1 :] / np.arange(2, k + 1)).min()
        simes = np.minimum(k * np.minimum(p, p[m - k]), largest)
        adjusted = np.maximum(adjusted, simes)
    return adjusted


def _remaining(p: Floats) -> Floats:
    return np.arange(p.size, 0, -1, dtype=float)


def _sidak(p: Floats, exponent: Floats) -> Floats:
    """Return 1 − (1−p)^exponent, without loss where p is tiny."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(exponent * np.log1p(-p)))


def _step_down(values: Floats) -> Floats:
    return np.minimum(1.0, np.maximum.accumulate(values))


def _step_up(values: Floats) -> Floats:
    return np.minimum(1.0, np.minimum.accumulate(values[::-1])[::-1])


def bonferroni(p: Floats) -> Floats:
    """Adjust by the number of hypotheses: ``min(1, m·p_i)``.

    Over all pairs of n systems (m = n(n−1)/2) this is the procedure of Nemenyi (1963).

    Parameters
    ----------
    p
        The m p-values, in any order.

    Examples
    --------
    >>> bonferroni(np.array([0.01, 0.5])).tolist()
    [0.02, 1.0]
    """
    return np.minimum(1.0, p.size * p)


def li(p: Floats) -> Floats:
    """Adjust by the largest p-value: ``p_i / (p_i + 1 − p_max)`` (Li 2008).

    Parameters
    ----------
    p
        The m p-values, in any order.

    Examples
    --------
    >>> li(np.array([0.01, 0.5])).round(4).tolist()
    [0.0196, 0.5]
    """
    room = p + (1.0 - p.max())
    adjusted: Floats = np.divide(p, room, out=np.zeros_like(p), where=room > 0)
    return adjusted


def shaffer(p: Floats, systems: int) -> Floats:
    """Adjust by the possible numbers of true hypotheses (Shaffer 1986, procedure S1).

    ``max_{j≤i} t_j·p_j`` with t_j the largest possible number of true hypotheses that is at most
    m − j + 1.

    Parameters
    ----------
    p
        The m = n(n−1)/2 p-values of all pairs, ascending.
    systems
        n, the number of systems.

    Examples
    --------
    >>> shaffer(np.array([0.01, 0.02, 0.04]), systems=3).tolist()
    [0.03, 0.03, 0.04]
    """
    return _step_down(most_true(systems, np.arange(p.size, 0, -1)) * p)


def most_true(systems: int, at_most: Ints) -> Ints:
    """Return for each number the largest number of pairs, at most it, that can be equal at once.

    Examples
    --------
    >>> most_true(5, np.array([10, 9, 5])).tolist()
    [10, 6, 4]
    """
    possible = np.array(true_hypotheses(systems))
    return possible[np.searchsorted(possible, at_most, side="right") - 1]


def true_hypotheses(systems: int) -> list[int]:
    """Return the numbers of pairs that can be equal at once among n systems, ascending.

    ``S(n) = ⋃_{j=1..n} {C(j,2) + x : x ∈ S(n−j)}``, ``S(0) = S(1) = {0}``.

    Examples
    --------
    >>> true_hypotheses(5)
    [0, 1, 2, 3, 4, 6, 10]
    """
    # S(n) as the bits of an integer: bit x is set if x pairs can be equal.
    sums = [1]
    for n in range(1, systems + 1):
        bits = 0
        for j in range(1, n + 1):
            bits |= sums[n - j] << (j * (j - 1) // 2)
        sums.append(bits)
    return [x for x in range(sums[-1].bit_length()) if sums[-1] >> x & 1]
