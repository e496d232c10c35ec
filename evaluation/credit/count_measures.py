"""Measures that follow from counts: F-beta, overall, Jaccard, fallout, MCC."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from evaluation.errors import EvaluationError

from .credits import Credits, FloatArray, ZeroDivision
from .judgement import Derived


class Totals(NamedTuple):
    """Counts of one or of many samples, and the value of 0/0.

    ``correct`` is |A ∩ R|, ``found`` |A|, ``reference`` |R|, ``pairs`` |U|: all pairs of one kind.
    """

    correct: FloatArray
    found: FloatArray
    reference: FloatArray
    pairs: float
    empty: float


Formula = Callable[[Totals], FloatArray]


def f_beta(beta: float) -> Formula:
    """Return F-beta = (1 + β²) TP / (β² |R| + |A|), in [0, 1] (van Rijsbergen 1979)."""

    def formula(n: Totals) -> FloatArray:
        whole = beta**2 * n.reference + n.found
        return np.where(whole > 0, (1 + beta**2) * n.correct / whole, n.empty)

    return formula


def overall(n: Totals) -> FloatArray:
    """Return (2 TP − |A|) / |R|, at most 1; −∞ where only the reference is empty.

    Melnik, Garcia-Molina & Rahm (2002).
    """
    value = (2 * n.correct - n.found) / n.reference
    return np.where((n.reference > 0) | (n.found > 0), value, n.empty)


def jaccard(n: Totals) -> FloatArray:
    """Return TP / |A ∪ R|, in [0, 1]."""
    union = n.found + n.reference - n.correct
    return np.where(union > 0, n.correct / union, n.empty)


def fallout(n: Totals) -> FloatArray:
    """Return FP / (|U| − |R|), in [0, 1]; NaN where every pair is right."""
    wrong = n.pairs - n.reference
    return np.where(wrong > 0, (n.found - n.correct) / wrong, np.nan)


def mcc(n: Totals) -> FloatArray:
    """Return the Matthews correlation over all pairs, in [−1, 1]; NaN where a margin is empty."""
    margins = n.found * n.reference * (n.pairs - n.found) * (n.pairs - n.reference)
    value = (n.correct * n.pairs - n.found * n.reference) / np.sqrt(margins)
    return np.where(margins > 0, value, np.nan)


def from_counts(
    name: str, formula: Formula, earned: Credits, universe: int | None = None
) -> Derived:
    """Return a judgement of one value that follows from the counts.

    Parameters
    ----------
    name
        Name of the value.
    formula
        How it follows.
    earned
        Credits of ordinary precision and recall.
    universe
        Number of all pairs, if the formula needs it.

    Notes
    -----
    Its value is an error if the universe is smaller than the pairs that it must hold
    (`check_universe`).
    """

    def resampled(
        weights: FloatArray, column: Mapping[str, int], zero_division: ZeroDivision
    ) -> FloatArray:
        empty = {"oaei": 1.0, "zero": 0.0, "nan": np.nan}[zero_division]
        correct, found, _, reference = earned.resampled_sums(weights, column).T
        pairs = np.nan if universe is None else float(universe)
        if universe is not None:
            check_universe(universe, found + reference - correct, weights)
        with np.errstate(invalid="ignore", divide="ignore"):
            return formula(Totals(correct, found, reference, pairs, empty))[:, None]

    return Derived((name,), earned.sources, resampled)


def check_universe(universe: int, held: FloatArray, weights: FloatArray) -> None:
    """Refuse more pairs than there are, where no source entity counts more than once.

    Parameters
    ----------
    universe
        Number of all pairs.
    held
        (b,): how many pairs alignment and reference hold in each of b samples.
    weights
        (b, n): how often each source entity counts there.

    Raises
    ------
    EvaluationError
        If a sample holds more than the universe.
    """
    most = held[(weights <= 1).all(axis=1)].max(initial=0.0)
    if universe < most:
        raise EvaluationError(
            f"universe is {universe}, but alignment and reference hold {most:g} pairs: check that "
            "the ontologies are those of the alignments"
        )
