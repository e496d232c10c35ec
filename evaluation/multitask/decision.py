"""Which differences are significant: a post-hoc test, a correction, a level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evaluation.ranking.graph import Ranking, rank
from ontologies.common.tables import Tabular

from ..corrections import Adjusted, adjust
from ..errors import EvaluationError
from .posthoc import PostHoc, posthoc
from .ranks import Floats
from .score_table import ScoreTable

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Decision(Tabular):
    """Significant differences between systems over many tasks.

    Parameters
    ----------
    posthoc
        p-values of all pairs, not adjusted.
    adjusted
        What the correction made of them: a matrix, or a vector where one system was compared with
        all others.
    p
        (k, k) adjusted p-values, NaN on the diagonal and for pairs that were not compared.
    ranking
        Graph, layers and groups that the significant differences make.
    """

    posthoc: PostHoc
    adjusted: Adjusted
    p: Floats
    ranking: Ranking

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the systems, as `Ranking.to_frame`."""
        return self.ranking.to_frame()


def decide(
    table: ScoreTable,
    *,
    test: str = "signed-rank",
    correction: str = "bergmann-hommel",
    alpha: float = 0.05,
    against: str | None = None,
) -> Decision:
    """Compare every pair of systems, or all with one, and correct for that.

    Parameters
    ----------
    table
        At least two tasks and two systems.
    test
        A name of `POSTHOC_TESTS`.
    correction
        A name of `evaluation.corrections.CORRECTIONS`.
    alpha
        Family-wise level.
    against
        The system to compare all others with; None: all pairs.

    Raises
    ------
    EvaluationError
        If a name or the level is wrong, the table too small, or the correction not meant for these
        comparisons.

    Examples
    --------
    >>> better = np.linspace(0.6, 0.9, 8)
    >>> scores = np.column_stack([better, better - np.linspace(0.1, 0.2, 8)])
    >>> decide(ScoreTable(tuple("abcdefgh"), ("new", "old"), scores)).ranking.edges
    (('new', 'old'),)
    """
    names = table.systems
    if against is not None and against not in names:
        raise EvaluationError(f"system {against!r} is not in the table: {', '.join(names)}")
    result = posthoc(table.scores, test)
    if against is None:
        adjusted = adjust(result.p, correction, alpha=alpha)
        p = adjusted.values
    else:
        k, one = len(names), names.index(against)
        others = np.delete(np.arange(k), one)
        adjusted = adjust(result.p[one, others], correction, alpha=alpha)
        p = np.full((k, k), np.nan)
        p[one, others] = p[others, one] = adjusted.values
    return Decision(result, adjusted, p, rank(names, result.lead, p, alpha))
