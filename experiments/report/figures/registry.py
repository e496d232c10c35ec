"""The figures of a result by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from matplotlib.figure import Figure

from alignrank.evaluation import Pairwise
from alignrank.evaluation.comparison.contingency import heading
from alignrank.evaluation.measures.threshold_curve import Curve
from alignrank.experiments.presentation.columns import columns_of
from alignrank.experiments.presentation.description import Result, description

from .curves import draw_precision_recall, draw_similarities, draw_threshold_sweep
from .heatmaps import draw_discordance, draw_p_values
from .ranking_diagrams import draw_critical_difference, draw_outperforms

#: Figures of curves: who draws them, and what their titles say.
_OF_CURVES = {
    "precision-recall": (draw_precision_recall, "Precision and recall"),
    "threshold": (draw_threshold_sweep, "F1 by threshold"),
    "similarities": (draw_similarities, "Similarities of right and wrong pairs"),
}


def figures(
    result: Result, view: Pairwise, curves: Mapping[str, Curve]
) -> dict[str, Callable[[], Figure]]:
    """Return functions that draw the figures which these results allow, by name.

    Parameters
    ----------
    result
        Of `rank`, `compare` or `study`.
    view
        One of its views, as a test and a correction decide it.
    curves
        Each system at every threshold; empty where there are no alignments or no reference.
    """

    def title(shows: str) -> str:
        words = f"{shows}: {description(result).heading}"
        return words if view.view == result.deciding.view else f"{words}\n{heading(view.view)}"

    tested = [column for column in columns_of(result, view) if column.is_tested]
    scores = {
        name: f"{column.short or column.heading} {column.text(name)}"
        for column in tested
        for name in view.systems
    }
    layers, edges = view.ranking.layers, view.edges
    drawn: dict[str, Callable[[], Figure]] = {
        "outperforms": partial(
            draw_outperforms, layers, edges, title=title("Who outperforms whom"), scores=scores
        ),
        "p-values": partial(
            draw_p_values,
            view.order,
            view.in_order(view.adjusted_p),
            edges,
            alpha=view.alpha,
            title=title("Adjusted p"),
        ),
    }
    if view.counts is not None:
        counts, shows = view.in_order(view.counts.discordant), "Right where the other is wrong"
        drawn["discordance"] = partial(draw_discordance, view.order, counts, title=title(shows))
    if curves:
        for name, (draw, shows) in _OF_CURVES.items():
            drawn[name] = partial(draw, curves, title=title(shows))
    if diagram := result.rank_diagram():
        mean_ranks, groups, critical_difference = diagram
        drawn["critical-difference"] = partial(
            draw_critical_difference,
            mean_ranks,
            groups,
            critical_difference=critical_difference,
            title=title("Mean ranks"),
        )
    return drawn
