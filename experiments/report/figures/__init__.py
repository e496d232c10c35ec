"""The figures of a paper: functions that draw, and the figures of a result by their names.

matplotlib takes half a second to import: who does not always draw imports this package late.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from matplotlib.figure import Figure

from alignrank.common.names import Registry
from alignrank.evaluation.measures.threshold_curve import Curve
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.results.result import ComparisonResult, Decision
from alignrank.experiments.results.study_result import StudyResult

from .curves import draw_precision_recall, draw_similarities, draw_threshold_sweep
from .heatmaps import draw_discordance, draw_p_values, draw_similarity_matrix
from .ranking_diagrams import draw_critical_difference, draw_outperforms
from .style import save, svg_text

__all__ = [
    "FIGURES",
    "draw_critical_difference",
    "draw_discordance",
    "draw_outperforms",
    "draw_p_values",
    "draw_precision_recall",
    "draw_similarities",
    "draw_similarity_matrix",
    "draw_threshold_sweep",
    "figures",
    "save",
    "svg_text",
]


@dataclass(frozen=True)
class Drawn:
    """What a figure is drawn from.

    Parameters
    ----------
    result
        Of `rank`, `compare` or `study`.
    decision
        What one of its views decides.
    curves
        Each system at every threshold; empty where there are no alignments or no reference.
    """

    result: ComparisonResult | StudyResult
    decision: Decision
    curves: Mapping[str, Curve]


@dataclass(frozen=True)
class FigureFacts:
    """A figure of a result.

    Parameters
    ----------
    summary
        What it shows.
    draw
        Draws it; called only if it is possible.
    possible
        Tells whether a result allows it; unless given, every result does.
    of_a_view
        Whether it shows one view of several.
    """

    summary: str
    draw: Callable[[Drawn], Figure]
    possible: Callable[[Drawn], bool] = lambda _: True
    of_a_view: bool = False


def figures(
    result: ComparisonResult | StudyResult, decision: Decision, curves: Mapping[str, Curve]
) -> dict[str, Callable[[], Figure]]:
    """Return a function for each of `FIGURES` that can be drawn from these results; see `Drawn`."""
    drawn = Drawn(result, decision, curves)
    return {
        name: partial(facts.draw, drawn) for name, facts in FIGURES.items() if facts.possible(drawn)
    }


def _outperforms(drawn: Drawn) -> Figure:
    result, decision = drawn.result, drawn.decision
    scores = (isinstance(result, ComparisonResult) and result.scores) or {}
    return draw_outperforms(
        decision.layers,
        decision.edges,
        conditional=decision.conditional,
        title=f"{decision.heading}\n({decision.test}, {decision.correction})",
        scores={name: f"F1 {of_system.f1:.3f}" for name, of_system in scores.items()},
        alike=result.alike,
    )


def _p_values(drawn: Drawn) -> Figure:
    decision = drawn.decision
    return draw_p_values(
        decision.systems,
        decision.adjusted,
        decision.edges,
        alpha=decision.alpha,
        title=f"{decision.heading}\nadjusted p ({decision.test}, {decision.correction})",
    )


def _discordance(drawn: Drawn) -> Figure:
    decision = drawn.decision
    return draw_discordance(decision.systems, decision.discordant or (), title=decision.heading)


def _critical_difference(drawn: Drawn) -> Figure:
    study = drawn.result
    assert isinstance(study, StudyResult)
    return draw_critical_difference(study.mean_ranks, study.groups, critical_difference=study.ruler)


def _has_curves(drawn: Drawn) -> bool:
    return bool(drawn.curves)


#: By the name that the command line gives them.
FIGURES: Registry[FigureFacts] = Registry(
    "figure",
    {
        "outperforms": FigureFacts("who outperforms whom", _outperforms, of_a_view=True),
        "p-values": FigureFacts("adjusted p of every pair", _p_values, of_a_view=True),
        "discordance": FigureFacts(
            "what one system has right and the other wrong, of every pair",
            _discordance,
            lambda drawn: drawn.decision.discordant is not None,
            of_a_view=True,
        ),
        "precision-recall": FigureFacts(
            "precision against recall at every threshold",
            lambda drawn: draw_precision_recall(drawn.curves),
            _has_curves,
        ),
        "threshold": FigureFacts(
            "F1 along the threshold", lambda drawn: draw_threshold_sweep(drawn.curves), _has_curves
        ),
        "similarities": FigureFacts(
            "how similar the right and the wrong correspondences are",
            lambda drawn: draw_similarities(drawn.curves),
            _has_curves,
        ),
        "critical-difference": FigureFacts(
            "mean ranks of a study, and who cannot be told apart",
            _critical_difference,
            lambda drawn: isinstance(drawn.result, StudyResult) and drawn.result.focus is None,
        ),
    },
    ExperimentError,
)
