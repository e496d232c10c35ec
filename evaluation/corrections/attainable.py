"""Pairs that could not be significant, whatever their differing items had said."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .adjustment import Floats, adjust

#: With more systems the correction is too slow to be repeated for each open pair.
_MOST_SYSTEMS = 20


def cannot_reach(
    p: Floats, least_p: Floats, correction: str, *, alpha: float = 0.05
) -> NDArray[np.bool_]:
    """Return which pairs cannot reach significance.

    An open pair's p is replaced by the least that it can attain, all its differing clusters on one
    side, while the other pairs keep theirs. It cannot reach significance if the same correction
    gives more than alpha for this least p.

    Parameters
    ----------
    p
        (n, n) symmetric matrix of all pairs, or (n − 1,) vector of those with one system; not
        adjusted.
    least_p
        Same shape: the least attainable p; NaN for pairs that are not asked about, such as the
        significant ones (`CrossedTest.least_p`).
    correction
        A name of `CORRECTIONS`. For ``westfall-young``, and with more than 20 systems, only pairs
        count whose least p is above alpha without any correction.
    alpha
        Family-wise level.

    Returns
    -------
    ndarray
        Bool, in the shape of p.

    Notes
    -----
    Tarone 1990, Biometrics 46:515–522, for the least attainable p.

    Examples
    --------
    Seven cases differ, six to one: the pair of p = .125 could have had .0156.

    >>> p = np.array([[np.nan, 0.125, 0.9], [0.125, np.nan, 0.9], [0.9, 0.9, np.nan]])
    >>> least = np.where(p == 0.125, 0.0156, 2 * p / 9)
    >>> cannot_reach(p, least, "bergmann-hommel")[0].tolist()
    [False, False, True]
    """
    hopeless = np.asarray(least_p > alpha)
    if correction == "westfall-young" or len(p) > _MOST_SYSTEMS:
        return hopeless
    pairs = p.size if p.ndim == 1 else len(p) * (len(p) - 1) / 2
    doubtful = (pairs * least_p > alpha) & ~hopeless
    for place in map(tuple, np.argwhere(doubtful).tolist()):
        best = p.copy()
        best[place] = best[place[::-1]] = least_p[place]
        hopeless[place] = adjust(best, correction, alpha=alpha).values[place] > alpha
    return hopeless
