"""What `rank` and `compare` leave in their results folder."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluation import Comparison, score_intervals
from evaluation.measures.threshold_curve import Curve, curve
from experiments.inputs.named_inputs import slugs
from experiments.report.comparison_page import MANY
from ontologies import Alignment, write_alignment
from ontologies.common.files import write_text
from ontologies.common.table import write_matrix, write_rows

from .folder import version
from .reading import decided, views

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Provenance:
    """Where a result comes from: settings, and every input file with its SHA-256."""

    settings: Mapping[str, Any]
    inputs: Mapping[str, Mapping[str, str]]


def finite(value: Any) -> Any:
    """Return `value` with NaN and infinities as None, which JSON can hold.

    Examples
    --------
    >>> finite({"a": [1.0, float("nan")], "b": float("-inf")})
    {'a': [1.0, None], 'b': None}
    """
    if isinstance(value, Mapping):
        return {str(k): finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [finite(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def summary(
    comparison: Comparison, provenance: Provenance, extra: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the content of ``summary.json``: the comparison, its settings and its inputs."""
    content = {
        **comparison.to_dict(),
        **(extra or {}),
        "settings": provenance.settings,
        "inputs": provenance.inputs,
        "version": version(),
    }
    plain: dict[str, Any] = finite(content)
    return plain


def score_bounds(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    clusters: Mapping[str, str] | None = None,
) -> dict[str, dict[str, list[float]]]:
    """Return the 95 % bootstrap interval of each system's precision, recall and F1."""
    return {
        name: {
            interval.name: [interval.low, interval.high]
            for interval in score_intervals(alignment, reference, clusters=clusters).intervals
        }
        for name, alignment in alignments.items()
    }


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write `content` as JSON: the same content gives the same bytes."""
    write_text(path, json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def write_comparison(
    folder: Path,
    comparison: Comparison,
    content: Mapping[str, Any],
    alignments: Mapping[str, Alignment],
) -> None:
    """Write alignments, tables, graphs and ``summary.json``.

    Parameters
    ----------
    folder
        Where to.
    comparison
        What was computed.
    content
        Its `summary`.
    alignments
        Each system's alignment, by name.
    """
    names = slugs(content["systems"])
    for name, alignment in alignments.items():
        write_alignment(alignment, folder / "alignments" / f"{names[name]}.rdf")
    write_json(folder / "summary.json", content)
    _write_tables(folder / "tables", content)
    for view, result in comparison.views.items():
        graphs = folder / "graphs"
        write_text(graphs / f"outperforms-{view}.graphml", result.ranking.to_graphml())
        write_text(graphs / f"outperforms-{view}.dot", result.ranking.to_dot())


def _write_tables(folder: Path, content: Mapping[str, Any]) -> None:
    systems = content["systems"]
    if "scores" in content:
        columns = [*content["counts"][systems[0]], *content["scores"][systems[0]]]
        write_rows(
            folder / "scores.csv",
            ["system", *columns],
            ([s, *content["counts"][s].values(), *content["scores"][s].values()] for s in systems),
        )
    for measure, values in content.get("values", {}).items():
        write_rows(folder / "values.csv", ["system", measure], values.items())
    for view, matrix in content.get("discordant", {}).items():
        write_matrix(folder / f"discordant-{view}.csv", systems, matrix)
    for kind, label in (("p", "p"), ("log10_p", "log10-p"), ("adjusted", "adjusted-p")):
        for view, matrices in content[kind].items():
            for name, matrix in matrices.items():
                write_matrix(folder / f"{label}-{view}-{name}.csv", systems, matrix)
    rows = [
        (view, correction, better, worse)
        for view, graphs in content["edges"].items()
        for correction, edges in graphs.items()
        for better, worse in edges
    ]
    write_rows(folder / "edges.csv", ["view", "correction", "better", "worse"], rows)


def drawable_curves(alignments: Mapping[str, Alignment], reference: Alignment) -> dict[str, Curve]:
    """Return each system at every threshold; nothing for more systems than a figure can show."""
    if len(alignments) > MANY:
        return {}
    return {name: curve(alignment, reference) for name, alignment in alignments.items()}


def drawable_views(comparison: Comparison) -> dict[str, Any]:
    """Return of a `summary` what the figures of its views show."""
    decided_by = {
        "test": comparison.test,
        "correction": comparison.correction,
        "alpha": comparison.alpha,
    }
    plain: dict[str, Any] = finite({**comparison.to_dict(), "settings": decided_by})
    return plain


def view_figures(content: Mapping[str, Any]) -> dict[str, Callable[[], Figure]]:
    """Return a function for the outperforms graph of every view, and other figures of the first.

    The rest is drawn from the results folder when it is asked for (`alignrank plot`).
    """
    from experiments.report.figures import OF_A_VIEW, figures

    first, *others = views(content)
    drawn = {
        f"{name}-{first}" if name in OF_A_VIEW else name: draw
        for name, draw in figures(content, decided(content, view=first), {}).items()
    }
    for view in others:
        of_view = figures(content, decided(content, view=view), {})
        drawn[f"outperforms-{view}"] = of_view["outperforms"]
    return drawn


def threshold_figures(curves: Mapping[str, Curve]) -> dict[str, Callable[[], Figure]]:
    """Return a function for each figure of systems along the threshold."""
    from experiments.report.figures import curve_figures

    return curve_figures(curves)


def write_figures(folder: Path, drawn: Mapping[str, Callable[[], Figure]]) -> None:
    """Draw figures, and write each under its name."""
    from experiments.report.figures.style import save

    for name, draw in drawn.items():
        save(draw(), folder / name)
