"""The figures of a comparison or a study, by name, each drawn only when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from matplotlib.figure import Figure

from evaluation.measures.threshold_curve import Curve
from experiments.results.result import ComparisonResult, Decision, StudyResult

from .critical_difference import draw_critical_difference
from .curves import draw_precision_recall, draw_threshold_sweep
from .heatmaps import draw_discordance, draw_p_values
from .outperforms import draw_outperforms
from .similarities import draw_similarities, draw_similarity_matrix
from .style import save, svg_text

__all__ = [
    "FIGURES",
    "OF_A_VIEW",
    "curve_figures",
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

#: Names of all figures.
FIGURES = (
    "outperforms",
    "p-values",
    "discordance",
    "precision-recall",
    "threshold",
    "similarities",
    "critical-difference",
)
#: Those that show one view of several.
OF_A_VIEW = ("outperforms", "p-values", "discordance")


def figures(
    result: ComparisonResult | StudyResult, decision: Decision, curves: Mapping[str, Curve]
) -> dict[str, Callable[[], Figure]]:
    """Return a function for each figure that can be drawn from these results.

    Parameters
    ----------
    result
        Of `rank`, `compare` or `study`.
    decision
        What one of its views decides.
    curves
        Each system at every threshold; empty where there are no alignments or no reference.
    """
    how = f"{decision.test}, {decision.correction}"
    scores = (isinstance(result, ComparisonResult) and result.scores) or {}
    f1 = {name: f"F1 {of_system.f1:.3f}" for name, of_system in scores.items()}
    drawn: dict[str, Callable[[], Figure]] = {
        "outperforms": lambda: draw_outperforms(
            decision.layers, decision.edges, title=f"{decision.heading}\n({how})", scores=f1
        ),
        "p-values": lambda: draw_p_values(
            decision.systems,
            decision.adjusted,
            decision.edges,
            alpha=decision.alpha,
            title=f"{decision.heading}\nadjusted p ({how})",
        ),
    }
    if decision.discordant is not None:
        counts = decision.discordant
        drawn["discordance"] = lambda: draw_discordance(
            decision.systems, counts, title=decision.heading
        )
    drawn |= curve_figures(curves)
    if isinstance(result, StudyResult) and result.against is None:
        drawn["critical-difference"] = lambda: draw_critical_difference(
            result.mean_ranks, result.groups, critical_difference=result.ruler
        )
    return drawn


def curve_figures(curves: Mapping[str, Curve]) -> dict[str, Callable[[], Figure]]:
    """Return a function for each figure of systems along the threshold; none without systems."""
    if not curves:
        return {}
    return {
        "precision-recall": lambda: draw_precision_recall(curves),
        "threshold": lambda: draw_threshold_sweep(curves),
        "similarities": lambda: draw_similarities(curves),
    }
