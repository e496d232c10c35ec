"""One system, usually a new one, against all others (N×1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evaluation.corrections import adjust
from evaluation.errors import EvaluationError
from ontologies.common.table import Tabular

from .pairwise import Floats, Pairwise

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Against(Tabular):
    """One system compared with each other one.

    Parameters
    ----------
    view
        What was compared.
    system
        The one.
    others
        The n − 1 others.
    test, correction, alpha
        What decided, over n − 1 comparisons.
    advantage
        Positive where the one is ahead.
    p, log10_p, adjusted
        One for each other system.
    verdicts
        By other system: ``better`` (the one is), ``worse`` or ``undecided``.
    """

    view: str
    system: str
    others: tuple[str, ...]
    test: str
    correction: str
    alpha: float
    advantage: Floats
    p: Floats
    log10_p: Floats
    adjusted: Floats
    verdicts: dict[str, str]

    def to_frame(self) -> pd.DataFrame:
        """Tabulate, one row for each other system."""
        import pandas as pd

        return pd.DataFrame(
            {
                "view": self.view,
                "system": self.system,
                "other": list(self.others),
                "advantage": self.advantage,
                f"p {self.test}": self.p,
                f"log10 p {self.test}": self.log10_p,
                f"adjusted {self.correction}": self.adjusted,
                "verdict": list(self.verdicts.values()),
            }
        )


def against(view: Pairwise, system: str, correction: str = "holm") -> Against:
    """Compare one system with each other one, corrected for n − 1 comparisons only.

    Parameters
    ----------
    view
        All pairs in one view; its test and alpha decide.
    system
        Name of the one. It must have been chosen before seeing the results: whoever picks the best
        system afterwards has compared all pairs.
    correction
        A correction for N×1: bonferroni, holm, holland, finner, hochberg, hommel, rom, li or none.

    Raises
    ------
    EvaluationError
        If there is no such system, or the correction is unknown or not meant for N×1.

    Examples
    --------
    >>> from evaluation import compare_counts
    >>> table = [[0, 60, 25], [20, 0, 15], [22, 52, 0]]
    >>> view = compare_counts(table, ["new", "old", "base"]).views["ifp"]
    >>> against(view, "new").verdicts
    {'old': 'better', 'base': 'undecided'}
    """
    if system not in view.systems:
        raise EvaluationError(
            f"no system is called {system!r}: there are {', '.join(view.systems)}"
        )
    place = view.systems.index(system)
    rest = np.flatnonzero(np.arange(len(view.systems)) != place)
    others = tuple(view.systems[k] for k in rest)
    chosen = view.chosen
    p, advantage = chosen.p[place, rest], chosen.advantage[place, rest]
    adjusted = adjust(p, correction, alpha=view.alpha).values
    verdicts = {
        other: "undecided" if apv > view.alpha or ahead == 0 else "better" if ahead > 0 else "worse"
        for other, apv, ahead in zip(others, adjusted, advantage, strict=True)
    }
    return Against(
        view.view,
        system,
        others,
        view.test,
        correction,
        view.alpha,
        advantage,
        p,
        chosen.log10_p[place, rest],
        adjusted,
        verdicts,
    )
