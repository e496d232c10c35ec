"""The score statistic for the difference of two paired proportions (Tango 1998).

With b and c the discordant counts of N items and Δ the difference b − c that a hypothesis expects,

    Z(Δ) = (b − c − Δ) / √(2x + Δ − Δ²/N),

where x is the maximum-likelihood estimate of the expected c under Δ: the larger root of
2x² + (2Δ − b − c − (b − c) Δ/N) x − c Δ (1 − Δ/N) = 0. Z(0)² is McNemar's asymptotic statistic.
All counts stay counts, so that N may be infinite: the view ``cfp`` has no number of items worth the
name, its counts are Poisson.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def score_z(b: ArrayLike, c: ArrayLike, delta: ArrayLike, items: float = np.inf) -> Floats:
    """Return Z(Δ): how many standard errors b − c lies above Δ.

    Parameters
    ----------
    b, c
        Discordant counts.
    delta
        Δ, in items; within (−N, N).
    items
        N, at least b + c; infinite for counts that are Poisson.

    Returns
    -------
    ndarray
        0 where b − c = Δ, whatever the variance.

    Notes
    -----
    Tango 1998, Statistics in Medicine 17:891–908.

    Examples
    --------
    >>> float(score_z(43, 7, 0).round(4)), float(score_z(43, 7, 20, items=100).round(4))
    (5.0912, 2.4729)
    """
    b, c, delta = (np.asarray(x, dtype=np.float64) for x in (b, c, delta))
    gap, share = b - c - delta, delta / items
    linear = 2 * delta - (b + c) - (b - c) * share
    discriminant = np.maximum(linear**2 + 8 * c * delta * (1 - share), 0.0)
    x = np.maximum((np.sqrt(discriminant) - linear) / 4, np.maximum(-delta, 0.0))
    variance = np.maximum(2 * x + delta - delta * share, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        z: Floats = np.where(gap == 0, 0.0, gap / np.sqrt(variance))
    return z


def score_interval(
    b: ArrayLike,
    c: ArrayLike,
    items: float = np.inf,
    *,
    level: float = 0.95,
    design_effect: ArrayLike = 1.0,
) -> tuple[Floats, Floats]:
    """Return the lower and upper limit of the expected b − c, at which Z(Δ) is ± the quantile.

    Parameters
    ----------
    b, c, items
        As in `score_z`.
    level
        Confidence level.
    design_effect
        By how much clustering multiplies the variance; Z is divided by its root.

    Examples
    --------
    >>> low, high = score_interval(43, 7, 100)
    >>> round(float(low), 2), round(float(high), 2)
    (23.52, 47.48)
    """
    from scipy.special import ndtri

    b, c, effect = np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in (b, c, design_effect)))
    quantile = float(ndtri(0.5 + level / 2)) * np.sqrt(effect)
    gap = b - c
    reach = np.minimum(2 * quantile * np.sqrt(b + c + quantile**2) + quantile**2 + 1, 2 * items)

    def limit(sign: float) -> Floats:
        # Z falls as Δ grows: halve between the observed difference and a Δ that is far enough
        near: Floats = gap.copy()
        far = np.clip(gap + sign * reach, -items, items)
        for _ in range(70):
            middle = (near + far) / 2
            inside = sign * score_z(b, c, middle, items) > -quantile
            near, far = np.where(inside, middle, near), np.where(inside, far, middle)
        return near

    return limit(-1.0), limit(1.0)
