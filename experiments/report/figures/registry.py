"""The figures of a result by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from matplotlib.figure import Figure

from alignrank.common.names import Registry
from alignrank.evaluation import Pairwise
from alignrank.evaluation.comparison.contingency import heading
from alignrank.evaluation.measures.threshold_curve import Curve
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.presentation.columns import columns_of
from alignrank.experiments.presentation.description import Result, description

from .curves import draw_precision_recall, draw_similarities, draw_threshold_sweep
from .heatmaps import draw_discordance, draw_p_values
from .ranking_diagrams import draw_critical_difference, draw_outperforms


@dataclass(frozen=True)
class FigureInput:
    """What a figure is drawn from.

    Parameters
    ----------
    result
        Of `rank`, `compare` or `study`.
    view
        One of its views, as a test and a correction decide it.
    curves
        Each system at every threshold; empty where there are no alignments or no reference.
    """

    result: Result
    view: Pairwise
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
    at_once
        Whether a results folder holds it; others are drawn when they are asked for.
    """

    summary: str
    draw: Callable[[FigureInput], Figure]
    possible: Callable[[FigureInput], bool] = lambda _: True
    of_a_view: bool = False
    at_once: bool = False


def figures(
    result: Result, view: Pairwise, curves: Mapping[str, Curve]
) -> dict[str, Callable[[], Figure]]:
    """Return a function for each of `FIGURES` that these results allow; see `FigureInput`."""
    drawn = FigureInput(result, view, curves)
    return {
        name: partial(facts.draw, drawn) for name, facts in FIGURES.items() if facts.possible(drawn)
    }


def _title(drawn: FigureInput, shows: str) -> str:
    """Return what a figure shows, and of what; of another view than the deciding one its name."""
    title = f"{shows}: {description(drawn.result).heading}"
    if drawn.view.view != drawn.result.deciding.view:
        title += f"\n{heading(drawn.view.view)}"
    return title


def _outperforms(drawn: FigureInput) -> Figure:
    view, scores = drawn.view, {}
    for column in columns_of(drawn.result, view):
        if column.is_tested:
            title = column.short or column.heading
            scores = {name: f"{title} {column.text(name)}" for name in view.systems}
    return draw_outperforms(
        view.ranking.layers,
        view.edges,
        title=_title(drawn, "Who outperforms whom"),
        scores=scores,
    )


def _p_values(drawn: FigureInput) -> Figure:
    view = drawn.view
    return draw_p_values(
        view.order,
        view.in_order(view.adjusted_p),
        view.edges,
        alpha=view.alpha,
        title=_title(drawn, "Adjusted p"),
    )


def _discordance(drawn: FigureInput) -> Figure:
    view = drawn.view
    assert view.counts is not None
    title = _title(drawn, "Right where the other is wrong")
    return draw_discordance(view.order, view.in_order(view.counts.discordant), title=title)


def _critical_difference(drawn: FigureInput) -> Figure:
    diagram = drawn.result.rank_diagram()
    assert diagram is not None
    mean_ranks, groups, critical_difference = diagram
    return draw_critical_difference(
        mean_ranks,
        groups,
        critical_difference=critical_difference,
        title=_title(drawn, "Mean ranks"),
    )


def _has_curves(drawn: FigureInput) -> bool:
    return bool(drawn.curves)


#: By the name that the command line gives them.
FIGURES: Registry[FigureFacts] = Registry(
    "figure",
    {
        "outperforms": FigureFacts(
            "who outperforms whom", _outperforms, of_a_view=True, at_once=True
        ),
        "p-values": FigureFacts("adjusted p of every pair", _p_values, of_a_view=True),
        "discordance": FigureFacts(
            "what one system has right and the other wrong, of every pair",
            _discordance,
            lambda drawn: drawn.view.counts is not None,
            of_a_view=True,
        ),
        "precision-recall": FigureFacts(
            "precision against recall at every threshold",
            lambda drawn: draw_precision_recall(
                drawn.curves, title=_title(drawn, "Precision and recall")
            ),
            _has_curves,
            at_once=True,
        ),
        "threshold": FigureFacts(
            "F1 along the threshold",
            lambda drawn: draw_threshold_sweep(
                drawn.curves, title=_title(drawn, "F1 by threshold")
            ),
            _has_curves,
        ),
        "similarities": FigureFacts(
            "how similar the right and the wrong correspondences are",
            lambda drawn: draw_similarities(
                drawn.curves, title=_title(drawn, "Similarities of right and wrong pairs")
            ),
            _has_curves,
        ),
        "critical-difference": FigureFacts(
            "mean ranks of a study, and which systems do not differ",
            _critical_difference,
            lambda drawn: drawn.result.rank_diagram() is not None,
            at_once=True,
        ),
    },
    ExperimentError,
)
