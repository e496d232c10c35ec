"""Corrections for multiple comparisons, by name: adjusted p-values, and their attainable level.

To add one: write it here for ascending p-values, and give it a row in `_ALL`. The procedures take
the m p-values ``p_1 ≤ … ≤ p_m`` sorted and return the adjusted values in the same order; `adjust`
sorts and unsorts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import EvaluationError
from alignrank.common.names import Registry
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.significance.mcnemar import Bools, Floats, pair_columns

from .bergmann_hommel import bergmann_hommel, most_true


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


Comparisons = Literal["N×N", "N×1", "N×N of answers"]

_ANY = "any dependence between the p-values"
_ORTHANT = "positive orthant dependence (or independence)"
_SIMES = "independence or positive dependence (MTP2) that gives the Simes inequality"


@dataclass(frozen=True)
class Correction:
    """Facts of one correction for multiple comparisons.

    Parameters
    ----------
    name
        The name that `adjust` takes.
    title
        The name in a text.
    adjusts
        The procedure: from ascending p-values to adjusted ones in the same order. None for
        Bergmann–Hommel, which needs the pair of each p-value, and for corrections that resample
        answers.
    dependence
        The dependence between the p-values under which the family-wise error is at most alpha;
        empty where nothing is controlled.
    source
        Author, year, journal and pages.
    comparisons
        ``N×N`` (every system against every other), ``N×1`` (all against one), or both;
        ``N×N of answers`` where p-values do not suffice.
    alternative
        The correction to take for the comparisons that this one does not serve; empty if it
        serves both.
    strong
        Whether the control holds whichever hypotheses are true. Weak control holds only while all
        are true.
    needs
        Further arguments of the procedure.
    """

    name: str
    title: str
    adjusts: Callable[..., Floats] | None
    dependence: str
    source: str
    comparisons: tuple[Comparisons, ...] = ("N×N", "N×1")
    alternative: str = ""
    strong: bool = True
    needs: tuple[Literal["systems", "alpha"], ...] = ()

    @property
    def any_dependence(self) -> bool:
        """Whether the family-wise error is controlled under any dependence of the p-values."""
        return self.dependence == _ANY

    @property
    def validity(self) -> str:
        """One sentence: the controlled error, and the assumption."""
        if not self.dependence:
            return "No correction: the family-wise error is not controlled."
        if not self.strong:
            return (
                f"{self.title} controls the family-wise error only while every hypothesis is true, "
                "under independence; with false ones among them it can be several times alpha."
            )
        return f"{self.title} controls the family-wise error under {self.dependence}."


_ALL = (
    Correction("none", "No correction", np.copy, "", "-"),
    Correction(
        "nemenyi",
        "Nemenyi",
        bonferroni,
        _ANY,
        "Nemenyi 1963, Distribution-free multiple comparisons, PhD thesis, Princeton",
        ("N×N",),
        alternative="bonferroni",
    ),
    Correction(
        "bonferroni",
        "Bonferroni–Dunn",
        bonferroni,
        _ANY,
        "Dunn 1961, Journal of the American Statistical Association 56:52–64",
        ("N×1",),
        alternative="nemenyi",
    ),
    Correction("holm", "Holm", holm, _ANY, "Holm 1979, Scandinavian Journal of Statistics 6:65–70"),
    Correction(
        "holland",
        "Holland–Copenhaver",
        holland,
        _ORTHANT,
        "Holland and Copenhaver 1987, Biometrics 43:417–423",
    ),
    Correction(
        "finner",
        "Finner",
        finner,
        "independence",
        "Finner 1993, Journal of the American Statistical Association 88:920–923",
        strong=False,
    ),
    Correction("hochberg", "Hochberg", hochberg, _SIMES, "Hochberg 1988, Biometrika 75:800–802"),
    Correction("hommel", "Hommel", hommel, _SIMES, "Hommel 1988, Biometrika 75:383–386"),
    Correction(
        "rom", "Rom", rom, "independence", "Rom 1990, Biometrika 77:663–665", needs=("alpha",)
    ),
    Correction(
        "li",
        "Li",
        li,
        "independence (and it is weak where the largest p is near 1)",
        "Li 2008, Journal of Statistical Planning and Inference 138:1521–1527",
        ("N×1",),
        alternative="holm",
    ),
    Correction(
        "shaffer",
        "Shaffer (static)",
        shaffer,
        _ANY,
        "Shaffer 1986, Journal of the American Statistical Association 81:826–831",
        ("N×N",),
        alternative="holm",
        needs=("systems",),
    ),
    Correction(
        "bergmann-hommel",
        "Bergmann–Hommel",
        None,
        _ANY,
        "Bergmann and Hommel 1988, in: Multiple Hypotheses Testing, Springer, 100–115",
        ("N×N",),
        alternative="holm",
    ),
    Correction(
        "westfall-young",
        "Westfall–Young",
        None,
        "answers that equally good systems could exchange, unit by unit (with many units)",
        "Westfall and Young 1993, Resampling-based multiple testing, Wiley",
        ("N×N of answers",),
        alternative="holm",
    ),
)

#: Name to facts and procedure, in the order in which tables show them.
CORRECTIONS = Registry(
    "correction",
    {correction.name: correction for correction in _ALL},
    EvaluationError,
    listed_by="alignrank list corrections",
)


def corrections_for(comparisons: Comparisons) -> list[str]:
    """Return the names of the corrections that serve these comparisons.

    Examples
    --------
    >>> corrections_for("N×1")[:4]
    ['none', 'bonferroni', 'holm', 'holland']
    """
    return [name for name, facts in CORRECTIONS.items() if comparisons in facts.comparisons]


def serving(correction: str, comparisons: Comparisons) -> Correction:
    """Return the facts of a correction, or refuse it for these comparisons.

    Raises
    ------
    EvaluationError
        If the correction is unknown or does not serve these comparisons; the message names one
        that does.

    Examples
    --------
    >>> serving("li", "N×N")
    Traceback (most recent call last):
    alignrank.common.errors.EvaluationError: correction 'li' does not serve all pairs: use holm
    """
    facts = CORRECTIONS.lookup(correction)
    if comparisons not in facts.comparisons:
        lack = "does not serve all systems against one"
        if comparisons == "N×N":
            lack = "does not serve all pairs"
            if "N×N of answers" in facts.comparisons:
                lack = "needs to know who is right on which item"
        raise EvaluationError(f"correction {correction!r} {lack}: use {facts.alternative}")
    return facts


@dataclass(frozen=True, eq=False)
class Adjusted(Tabular):
    """Adjusted p-values; a hypothesis is rejected at alpha if its value is at most alpha.

    Parameters
    ----------
    values
        Adjusted p-values in [0, 1], in the shape of the input; NaN on the diagonal of a matrix.
    correction
        Name of the correction.
    alpha
        The level for which the values hold if the correction depends on it (only ``rom`` does).
    monotone
        Whether the running maximum was taken.
    exact
        False where the search budget ended and the value is an upper bound (which still controls
        the family-wise error); same shape as `values`, True on a diagonal.
    nodes
        Search nodes used (Bergmann–Hommel; else 0).
    validity
        One sentence: the dependence under which the family-wise error is controlled.
    """

    values: Floats
    correction: str
    alpha: float
    monotone: bool
    exact: Bools
    nodes: int
    validity: str

    @property
    def unsettled(self) -> Bools:
        """Where a longer search could still reject the hypothesis."""
        return ~self.exact & (self.values > self.alpha)

    def to_frame(self, names: list[str] | None = None) -> Frame:
        """Tabulate, one row for a hypothesis: its system or two systems, adjusted p, exact."""
        n = len(self.values)
        if names is None:
            names = list(map(str, range(n)))
        values = {"adjusted_p": self.values, "exact": self.exact}
        if self.values.ndim == 1:
            return frame({"system": names, **values})
        return frame(pair_columns(names, values))


def adjust_pairs(
    p: Floats, correction: str, *, alpha: float = DEFAULTS.alpha, focus: int | None = None
) -> Adjusted:
    """Adjust p-values (n, n) of all pairs, or of the pairs with one system.

    Parameters
    ----------
    p
        (n, n), symmetric; the diagonal is not read.
    correction, alpha
        As in `adjust`.
    focus
        Index of the one system; None: all pairs.

    Returns
    -------
    Adjusted
        Matrices (n, n), NaN for pairs that were not compared.

    Examples
    --------
    >>> p = np.array([[np.nan, 0.01, 0.02], [0.01, np.nan, 0.9], [0.02, 0.9, np.nan]])
    >>> adjust_pairs(p, "holm", focus=0).values[0].tolist()
    [nan, 0.02, 0.02]
    """
    rivals = [system for system in range(len(p)) if system != focus]
    compared = p if focus is None else p[focus, rivals]
    adjusted = adjust(compared, correction, alpha=alpha)
    if focus is None:
        return adjusted
    values, exact = np.full(p.shape, np.nan), np.ones(p.shape, dtype=bool)
    values[focus, rivals] = values[rivals, focus] = adjusted.values
    exact[focus, rivals] = exact[rivals, focus] = adjusted.exact
    return replace(adjusted, values=values, exact=exact)


def least_adjusted(
    least_p: float,
    systems: int,
    correction: str,
    *,
    alpha: float = DEFAULTS.alpha,
    focus: int | None = None,
) -> float:
    """Return the smallest adjusted p-value that a pair can have where no p is below `least_p`.

    No adjusted value falls where a p rises: so it is that of pairs which all have `least_p`.

    Parameters
    ----------
    least_p
        The smallest attainable p.
    systems
        Number of systems.
    correction, alpha, focus
        As in `adjust_pairs`.

    Examples
    --------
    >>> least_adjusted(0.01, 4, "holm"), least_adjusted(0.01, 4, "hochberg")
    (0.06, 0.01)
    """
    if correction == "bergmann-hommel":  # it takes longer, and is the same where all p are equal
        correction = "shaffer"
    p = np.full((systems, systems), least_p)
    return float(np.nanmin(adjust_pairs(p, correction, alpha=alpha, focus=focus).values))


def adjust(
    p: ArrayLike, correction: str, *, alpha: float = DEFAULTS.alpha, monotone: bool = False
) -> Adjusted:
    """Adjust p-values for multiple comparisons.

    Parameters
    ----------
    p
        N×N: symmetric (n, n) matrix of all pairs (the diagonal is not read). N×1: vector of the
        n − 1 comparisons with one system.
    correction
        A name of `CORRECTIONS` that serves these comparisons.
    alpha
        In (0, 1). Only the values of ``rom`` depend on it.
    monotone
        Take the running maximum in the order of p, as scmamp and KEEL do for Bergmann–Hommel,
        whose definition is not monotone in p. The others are monotone already.

    Raises
    ------
    EvaluationError
        If p is not such a matrix or vector, holds NaN or values outside [0, 1], or the correction
        is unknown or not meant for these comparisons; or if alpha is not in (0, 1).

    Examples
    --------
    >>> adjust([0.01, 0.02, 0.04], "holm").values.tolist()
    [0.03, 0.04, 0.04]
    >>> p = [[float("nan"), 0.01, 0.02], [0.01, float("nan"), 0.04], [0.02, 0.04, float("nan")]]
    >>> adjust(p, "bergmann-hommel").values[0].tolist()
    [nan, 0.03, 0.03]
    """
    values = _checked(p)
    all_pairs = values.ndim == 2
    facts = serving(correction, "N×N" if all_pairs else "N×1")
    check_alpha(alpha)
    exact = np.ones(values.shape, dtype=bool)
    nodes = 0
    if facts.adjusts is not None:
        settings = {"systems": len(values), "alpha": alpha}
        arguments = {name: settings[name] for name in facts.needs}
        adjusts = partial(facts.adjusts, **arguments)
        if all_pairs:
            adjusted = np.full(values.shape, np.nan)
            upper = np.triu_indices(len(values), 1)
            adjusted[upper] = _adjusted_vector(values[upper], adjusts)
            adjusted.T[upper] = adjusted[upper]
        else:
            adjusted = _adjusted_vector(values, adjusts)
    else:
        result = bergmann_hommel(values, monotone=monotone)
        adjusted = result.values
        exact = result.exact
        nodes = result.nodes
    return Adjusted(adjusted, correction, alpha, monotone, exact, nodes, facts.validity)


def _adjusted_vector(p: Floats, adjusts: Callable[[Floats], Floats]) -> Floats:
    """Sort a vector for its procedure, and put the adjusted values back in order."""
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = adjusts(p[order])
    return adjusted


def check_alpha(alpha: float) -> None:
    """Refuse a level outside (0, 1), or so small that 1 − alpha is 1."""
    if not 0.0 < alpha < 1.0 or 1 - alpha == 1:
        raise EvaluationError(f"alpha is {alpha!r}: it must lie between 1e-15 and 1, such as 0.05")


def _checked(p: ArrayLike) -> Floats:
    """Return p as a new float array: a vector, or a matrix with NaN diagonal."""
    try:
        values = np.array(p, dtype=float)
    except (TypeError, ValueError) as error:
        raise EvaluationError(
            f"p must be a vector or a square matrix of numbers: {error}"
        ) from error
    wrong = ~((values >= 0.0) & (values <= 1.0))
    if values.ndim == 2 and len(values) == len(values.T) > 1:
        np.fill_diagonal(values, np.nan)
        np.fill_diagonal(wrong, False)
    elif values.ndim != 1 or not values.size:
        raise EvaluationError(
            f"p has shape {values.shape}: give the symmetric matrix of at least two systems (N×N), "
            "or the vector of comparisons with one system (N×1)"
        )
    if wrong.any():
        index = tuple(np.argwhere(wrong)[0].tolist())
        raise EvaluationError(f"p{list(index)} is {values[index]}: a p-value lies in [0, 1]")
    if values.ndim == 2 and not np.array_equal(values, values.T, equal_nan=True):
        unequal = ~((values == values.T) | np.isnan(values))
        i, j = np.argwhere(unequal)[0].tolist()
        raise EvaluationError(
            f"p is not symmetric: p[{i}, {j}] is {values[i, j]}, p[{j}, {i}] is {values[j, i]}"
        )
    return values


#: With more systems the correction is too slow to be repeated for each open pair.
_MOST_SYSTEMS = 20


def cannot_reach(
    p: Floats, least_p: Floats, correction: str, *, alpha: float = DEFAULTS.alpha
) -> Bools:
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
        significant ones.
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
