"""The figures of a comparison or a study, by name, each drawn only when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure

from evaluation.measures.threshold_curve import Curve
from experiments.report.words import VIEWS

from .critical_difference import draw_critical_difference
from .curves import draw_precision_recall, draw_threshold_sweep
from .heatmaps import draw_discordance, draw_p_values
from .outperforms import draw_outperforms
from .similarities import draw_similarities, draw_similarity_matrix
from .style import save, svg_text

if TYPE_CHECKING:
    from experiments.results.reading import Decided

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
    content: Mapping[str, Any], found: Decided, curves: Mapping[str, Curve]
) -> dict[str, Callable[[], Figure]]:
    """Return a function for each figure that can be drawn from these results.

    Parameters
    ----------
    content
        A summary of `rank`, `compare` or `study`.
    found
        What one of its views decides.
    curves
        Each system at every threshold; empty where there are no alignments or no reference.
    """
    how = f"{found.test}, {found.correction}"
    heading = VIEWS.get(found.view, found.view) if found.view != "tasks" else _tasks(content)
    f1 = {s: f"F1 {scores['f1']:.3f}" for s, scores in _scores(content).items()}
    drawn: dict[str, Callable[[], Figure]] = {
        "outperforms": lambda: draw_outperforms(
            found.layers, found.edges, title=f"{heading}\n({how})", scores=f1
        ),
        "p-values": lambda: draw_p_values(
            found.systems,
            found.adjusted,
            found.edges,
            alpha=found.alpha,
            title=f"{heading}\nadjusted p ({how})",
        ),
    }
    if found.discordant is not None:
        counts = found.discordant
        drawn["discordance"] = lambda: draw_discordance(found.systems, counts, title=heading)
    drawn |= curve_figures(curves)
    if content.get("mean_ranks") and not content["against"]:
        nemenyi = (found.test, found.correction) == ("friedman", "nemenyi")
        drawn["critical-difference"] = lambda: draw_critical_difference(
            content["mean_ranks"],
            content["groups"],
            # the ruler belongs to Nemenyi's test on mean ranks: other tests make other groups
            critical_difference=content["critical_difference"] if nemenyi else None,
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


def _scores(content: Mapping[str, Any]) -> Mapping[str, Any]:
    scores = content.get("scores", {})
    return scores if isinstance(scores, Mapping) else {}  # those of a study are a table


def _tasks(content: Mapping[str, Any]) -> str:
    return f"{len(content['tasks'])} tasks"
