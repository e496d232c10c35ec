"""Whether a difference that is not significant is small enough to be none.

"Not significant" is not "equal": equivalence is a verdict of its own, and needs its own test.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from evaluation.comparison.pairwise import Pairwise
from evaluation.corrections import adjust
from evaluation.errors import EvaluationError
from evaluation.ranking.graph import Edge
from evaluation.significance.pair_test import Floats, pair_columns
from ontologies.common.frames import Frame, frame
from ontologies.common.table import Tabular

from .effects import counted, score_z

Verdict = Literal["better", "worse", "equivalent", "undecided"]


@dataclass(frozen=True, eq=False)
class Verdicts(Tabular):
    """Better, equivalent or undecided, for every pair in one view.

    Parameters
    ----------
    view, systems
        What was compared.
    margin
        Differences of less than this count as none; in the unit of `Effects.difference`.
    p
        (n, n): p-value of the two one-sided tests; the null hypothesis is that the difference is at
        least the margin.
    adjusted
        By Holm over all pairs, at the level of the view. (Equivalence is not transitive, so
        Shaffer's and Bergmann's logic does not apply.)
    alpha
        Family-wise level of the equivalences; the arrows have their own.
    verdicts
        By pair, in the systems' order: ``better`` and ``worse`` speak of the first system. A
        significant difference is never called equivalent.
    negligible
        Pairs that are significantly different and yet equivalent within the margin.
    """

    view: str
    systems: tuple[str, ...]
    margin: float
    p: Floats
    adjusted: Floats
    alpha: float
    verdicts: dict[Edge, Verdict]
    negligible: tuple[Edge, ...]

    def to_frame(self) -> Frame:
        """Tabulate, one row for a pair."""
        matrices = {
            "margin": np.full_like(self.p, self.margin),
            "p equivalence": self.p,
            "adjusted equivalence": self.adjusted,
        }
        return frame(
            {
                "view": self.view,
                **pair_columns(self.systems, matrices),
                "verdict": list(self.verdicts.values()),
                "negligible": [pair in self.negligible for pair in self.verdicts],
            }
        )


def verdicts(view: Pairwise, margin: float = 0.01) -> Verdicts:
    """Give every pair one of three verdicts: better, equivalent within the margin, undecided.

    Parameters
    ----------
    view
        A view of discordant counts; its arrows say which systems are better.
    margin
        The largest difference that does not matter, in the unit of `Effects.difference`: for
        ``ifp`` of recall.

    Raises
    ------
    EvaluationError
        If the margin is not positive, the view has no counts, or the number of reference
        correspondences is unknown.

    Notes
    -----
    Two one-sided tests (Schuirmann 1987) with Tango's score statistic (Liu, Hsueh, Hsieh and Chen
    2002, Statistics in Medicine 21:231–245).

    Examples
    --------
    >>> from evaluation import compare_counts
    >>> table = [[0, 40, 12], [8, 0, 4], [13, 37, 0]]
    >>> view = compare_counts(table, ["a", "b", "c"], reference=1000).views["ifp"]
    >>> list(verdicts(view, 0.02).verdicts.values())
    ['better', 'equivalent', 'worse']
    """
    b, c, items, scale, effect = counted(view)
    if not margin > 0:
        raise EvaluationError(f"margin is {margin!r}: it must be positive, such as 0.01")
    # a margin of all items or more cannot be exceeded, but the statistic ends there
    delta = min(margin * scale, np.nextafter(items, 0)) if np.isfinite(items) else margin * scale
    root = np.sqrt(effect)
    above = scipy.special.ndtr(-score_z(b, c, -delta, items) / root)
    below = scipy.special.ndtr(score_z(b, c, delta, items) / root)
    p = np.maximum(above, below)
    np.fill_diagonal(p, np.nan)
    adjusted = adjust((p + p.T) / 2, "holm", alpha=view.alpha).values
    verdict_of: dict[Edge, Verdict] = {}
    negligible = []
    for (pair, winner), (i, j) in zip(view.better().items(), view.pairs(), strict=True):
        same = bool(adjusted[i, j] <= view.alpha)
        if winner:
            verdict_of[pair] = "better" if winner == pair[0] else "worse"
            negligible += [pair] if same else []
        else:
            verdict_of[pair] = "equivalent" if same else "undecided"
    return Verdicts(
        view.view, view.systems, margin, p, adjusted, view.alpha, verdict_of, tuple(negligible)
    )
