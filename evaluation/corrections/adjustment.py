"""Adjusted p-values: one entrance to every correction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.errors import EvaluationError
from ontologies.common.frames import Frame, frame
from ontologies.common.table import Tabular

from .bergmann_hommel import bergmann_hommel, bergmann_hommel_rejects
from .stepwise import (
    bonferroni,
    finner,
    hochberg,
    holland,
    holm,
    hommel,
    li,
    rom,
    shaffer,
)

Floats = NDArray[np.float64]
Comparisons = Literal["N×N", "N×1"]

_ANY = "any dependence between the p-values"
_SIMES = "independence or positive dependence (MTP2) that gives the Simes inequality"


@dataclass(frozen=True)
class Correction:
    """Facts of one correction for multiple comparisons.

    Parameters
    ----------
    name
        As `adjust` and the command line take it.
    title
        As it is written in a text.
    comparisons
        ``N×N`` (every system against every other), ``N×1`` (all against one), or both.
    dependence
        The dependence between the p-values under which the family-wise error is at most alpha;
        empty where nothing is controlled.
    source
        Author, year, journal and pages.
    alternative
        The correction to take for the comparisons that this one does not serve; empty if it
        serves both.
    strong
        Whether the control holds whichever hypotheses are true, and not only while all are.
    """

    name: str
    title: str
    comparisons: tuple[Comparisons, ...]
    dependence: str
    source: str
    alternative: str = ""
    strong: bool = True

    @property
    def any_dependence(self) -> bool:
        """Whether the family-wise error is controlled however the p-values depend."""
        return self.dependence == _ANY

    @property
    def validity(self) -> str:
        """One sentence: what is controlled, and when."""
        if not self.dependence:
            return "No correction: the family-wise error is not controlled."
        if not self.strong:
            return (
                f"{self.title} controls the family-wise error only while every hypothesis is true, "
                "under independence; with false ones among them it can be several times alpha."
            )
        return f"{self.title} controls the family-wise error under {self.dependence}."


_BOTH: tuple[Comparisons, ...] = ("N×N", "N×1")

_ALL = (
    Correction("none", "No correction", _BOTH, "", "-"),
    Correction(
        "nemenyi",
        "Nemenyi",
        ("N×N",),
        _ANY,
        "Nemenyi 1963, Distribution-free multiple comparisons, PhD thesis, Princeton",
        "bonferroni",
    ),
    Correction(
        "bonferroni",
        "Bonferroni–Dunn",
        ("N×1",),
        _ANY,
        "Dunn 1961, Journal of the American Statistical Association 56:52–64",
        "nemenyi",
    ),
    Correction(
        "holm", "Holm", _BOTH, _ANY, "Holm 1979, Scandinavian Journal of Statistics 6:65–70"
    ),
    Correction(
        "holland",
        "Holland–Copenhaver",
        _BOTH,
        "positive orthant dependence (or independence)",
        "Holland and Copenhaver 1987, Biometrics 43:417–423",
    ),
    Correction(
        "finner",
        "Finner",
        _BOTH,
        "independence",
        "Finner 1993, Journal of the American Statistical Association 88:920–923",
        strong=False,
    ),
    Correction("hochberg", "Hochberg", _BOTH, _SIMES, "Hochberg 1988, Biometrika 75:800–802"),
    Correction("hommel", "Hommel", _BOTH, _SIMES, "Hommel 1988, Biometrika 75:383–386"),
    Correction("rom", "Rom", _BOTH, "independence", "Rom 1990, Biometrika 77:663–665"),
    Correction(
        "li",
        "Li",
        ("N×1",),
        "independence (and it is weak where the largest p is near 1)",
        "Li 2008, Journal of Statistical Planning and Inference 138:1521–1527",
        "holm",
    ),
    Correction(
        "shaffer",
        "Shaffer (static)",
        ("N×N",),
        _ANY,
        "Shaffer 1986, Journal of the American Statistical Association 81:826–831",
        "holm",
    ),
    Correction(
        "bergmann-hommel",
        "Bergmann–Hommel",
        ("N×N",),
        _ANY,
        "Bergmann and Hommel 1988, in: Multiple Hypotheses Testing, Springer, 100–115",
        "holm",
    ),
)

#: Name to facts, in the order in which tables show them.
CORRECTIONS: Mapping[str, Correction] = MappingProxyType({c.name: c for c in _ALL})

#: The corrections that need only the p-values, ascending.
_PLAIN: dict[str, Callable[[Floats], Floats]] = {
    "none": np.copy,
    "nemenyi": bonferroni,
    "bonferroni": bonferroni,
    "li": li,
    "holm": holm,
    "holland": holland,
    "finner": finner,
    "hochberg": hochberg,
    "hommel": hommel,
}


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
    exact: NDArray[np.bool_]
    nodes: int
    validity: str

    def to_frame(self, names: list[str] | None = None) -> Frame:
        """Tabulate, one row for a hypothesis: its system or two systems, adjusted p, exact."""
        n = len(self.values)
        names = list(map(str, range(n))) if names is None else names
        if self.values.ndim == 1:
            systems = {"system": names}
            where: tuple[NDArray[np.intp], ...] = (np.arange(n),)
        else:
            where = np.triu_indices(n, 1)
            systems = {
                "system1": [names[i] for i in where[0]],
                "system2": [names[j] for j in where[1]],
            }
        return frame({**systems, "adjusted_p": self.values[where], "exact": self.exact[where]})


def adjust(
    p: ArrayLike,
    correction: str,
    *,
    alpha: float = 0.05,
    monotone: bool = False,
    budget: int | None = None,
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
    budget
        Search nodes that Bergmann–Hommel may use; None for its default, twenty million. Where they
        do not suffice, an upper bound stands for the value, and `Adjusted.exact` says so.

    Raises
    ------
    EvaluationError
        If p is not such a matrix or vector, holds NaN or values outside [0, 1], or the correction
        is unknown or not meant for these comparisons; if alpha is not in (0, 1) or the budget is
        negative.

    Examples
    --------
    >>> adjust([0.01, 0.02, 0.04], "holm").values.tolist()
    [0.03, 0.04, 0.04]
    >>> p = [[float("nan"), 0.01, 0.02], [0.01, float("nan"), 0.04], [0.02, 0.04, float("nan")]]
    >>> adjust(p, "bergmann-hommel").values[0].tolist()
    [nan, 0.03, 0.03]
    """
    values = _checked(p)
    facts = _facts(correction, values.ndim)
    _check_settings(alpha, budget)
    exact = np.ones(values.shape, dtype=np.bool_)
    nodes = 0
    if correction == "bergmann-hommel":
        found = bergmann_hommel(values, monotone=monotone, budget=budget)
        adjusted, exact, nodes = found.values, found.exact, found.nodes
    elif values.ndim == 2:
        adjusted = np.full(values.shape, np.nan)
        upper = np.triu_indices(len(values), 1)
        adjusted[upper] = adjusted.T[upper] = _vector(values[upper], correction, alpha, len(values))
    else:
        adjusted = _vector(values, correction, alpha, values.size + 1)
    return Adjusted(adjusted, correction, alpha, monotone, exact, nodes, facts.validity)


def reject(
    p: ArrayLike, correction: str, *, alpha: float = 0.05, budget: int | None = None
) -> NDArray[np.bool_]:
    """Decide which hypotheses are rejected at one level: those whose adjusted p is at most alpha.

    The decisions of `adjust`; Bergmann–Hommel's come sooner, since values need not be exact that
    are clearly below or above alpha.

    Parameters
    ----------
    p, correction, alpha
        As for `adjust`.
    budget
        Search nodes that Bergmann–Hommel may use; a pair that stays open is not rejected.

    Returns
    -------
    NDArray
        In the shape of p; False on the diagonal of a matrix.

    Raises
    ------
    EvaluationError
        As `adjust`.

    Examples
    --------
    >>> reject([0.01, 0.02, 0.06], "holm").tolist()
    [True, True, False]
    """
    if correction != "bergmann-hommel":
        return adjust(p, correction, alpha=alpha).values <= alpha
    values = _checked(p)
    _facts(correction, values.ndim)
    _check_settings(alpha, budget)
    return bergmann_hommel_rejects(values, alpha, budget=budget)


def _vector(p: Floats, correction: str, alpha: float, systems: int) -> Floats:
    """Adjust a vector: the procedures are written for ascending p."""
    order = np.argsort(p, kind="stable")
    ascending = p[order]
    adjusted = np.empty_like(p)
    if correction == "rom":
        adjusted[order] = rom(ascending, alpha)
    elif correction == "shaffer":
        adjusted[order] = shaffer(ascending, systems)
    else:
        adjusted[order] = _PLAIN[correction](ascending)
    return adjusted


def _check_settings(alpha: float, budget: int | None) -> None:
    if not 0.0 < alpha < 1.0:
        raise EvaluationError(f"alpha is {alpha!r}: it must lie between 0 and 1, such as 0.05")
    if budget is not None and budget < 0:
        raise EvaluationError(f"budget is {budget!r}: give a number of search nodes, 0 or more")


def _facts(correction: str, dimensions: int) -> Correction:
    served = "N×N" if dimensions == 2 else "N×1"
    if correction not in CORRECTIONS:
        names = ", ".join(c.name for c in CORRECTIONS.values() if served in c.comparisons)
        raise EvaluationError(f"correction {correction!r} is unknown: for {served} use {names}")
    facts = CORRECTIONS[correction]
    if served not in facts.comparisons:
        reason = {
            "N×1": "all systems against one (a vector of p-values)",
            "N×N": "every pair of systems (a matrix of p-values)",
        }[served]
        raise EvaluationError(
            f"correction {correction!r} is not meant for {served}, {reason}: "
            f"use {facts.alternative!r}"
        )
    return facts


def _checked(p: ArrayLike) -> Floats:
    """Give p as a new float array: a vector, or a matrix with NaN diagonal."""
    try:
        values = np.array(p, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EvaluationError(
            f"p must be a vector or a square matrix of numbers: {error}"
        ) from error
    if values.ndim == 1 and values.size:
        wrong = ~((values >= 0.0) & (values <= 1.0))
    elif values.ndim == 2 and values.shape[0] == values.shape[1] and len(values) >= 2:
        np.fill_diagonal(values, np.nan)
        wrong = ~((values >= 0.0) & (values <= 1.0)) & ~np.eye(len(values), dtype=np.bool_)
    else:
        raise EvaluationError(
            f"p has shape {values.shape}: give the symmetric matrix of at least two systems (N×N), "
            "or the vector of comparisons with one system (N×1)"
        )
    if wrong.any():
        where = tuple(int(index) for index in np.argwhere(wrong)[0])
        raise EvaluationError(f"p{list(where)} is {values[where]}: a p-value lies in [0, 1]")
    if values.ndim == 2 and not np.array_equal(values, values.T, equal_nan=True):
        unequal = ~((values == values.T) | np.isnan(values))
        i, j = (int(index) for index in np.argwhere(unequal)[0])
        raise EvaluationError(
            f"p is not symmetric: p[{i}, {j}] is {values[i, j]}, p[{j}, {i}] is {values[j, i]}"
        )
    return values
