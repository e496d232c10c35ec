"""What `rank` and `compare` print, and leave: alignments, tables, graphs, figures, a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from alignrank.common.files import write_text
from alignrank.common.results import by_weight
from alignrank.common.table import Table, write_matrix, write_rows
from alignrank.evaluation import Comparison, Pairwise
from alignrank.evaluation.measures.threshold_curve import Curve
from alignrank.experiments.inputs.named_inputs import slugs
from alignrank.experiments.presentation.description import Result
from alignrank.experiments.presentation.present import Presentation
from alignrank.experiments.results.folder import write_json
from alignrank.ontologies import Alignment, write_alignment

from .console import (
    ROWS,
    console,
    is_verbose,
    print_cautions,
    print_prose,
    print_ranked,
    print_table,
    say,
)
from .paper import write_paper

#: Endings of a figure's file.
FIGURE_FORMATS = ("svg", "pdf", "png")
#: Names of all figures, and of those that are drawn before somebody asks for them.
FIGURES = (
    "outperforms",
    "p-values",
    "discordance",
    "precision-recall",
    "threshold",
    "similarities",
    "critical-difference",
)
AT_ONCE = ("outperforms", "precision-recall", "critical-difference")


def print_result(shown: Presentation, *, sizes: bool = False) -> None:
    """Print the answer, the systems, best first, and how the answer was found.

    Parameters
    ----------
    shown
        What is printed.
    sizes
        Print how large the differences of the best from the others are; of two systems always.
    """
    answer, table = " ".join(shown.answer), screen_table(shown)
    after = [*shown.table_notes, table.footnote, *shown.further, *shown.notes]
    after.append(f"Method: {shown.method}.")
    print_prose(answer)
    total = len(shown.systems) - (shown.focus is not None)
    print_ranked(table.header, table.cells(), of=total, beside=[answer, *after])
    if shown.focus is None and (sizes or len(shown.systems) == 2):
        after = [*shown.differences, *after]
    for sentence in filter(None, after):
        print_prose(sentence)
    if is_verbose():
        for detail in shown.details():
            console().print(detail.title)
            print_table(detail)
            if detail.footnote:
                print_prose(detail.footnote)
        for sentence in [*shown.advice, shown.validity]:
            print_prose(sentence)
    if shown.next_command:
        say(f"Next: {shown.next_command}")
    print_cautions(by_weight(shown.cautions, shown.view))


def screen_table(shown: Presentation) -> Table:
    """Return the table of systems for a terminal: with a focus the others, the nearest of many."""
    systems = [name for name in shown.systems if name != shown.focus]
    if shown.focus is not None and len(systems) > ROWS + 1:
        place = list(shown.systems).index(shown.focus)
        first = max(0, min(place - ROWS // 2, len(systems) - ROWS))
        systems = systems[first : first + ROWS]
    table = shown.table(shown.at("screen"), systems)
    if shown.focus is not None:
        return replace(table, header=["against", *table.header[1:]])
    return table


def write_comparison(
    folder: Path, result: Comparison, shown: Presentation, alignments: Mapping[str, Alignment]
) -> None:
    """Write alignments, tables, graphs and ``summary.json``.

    Parameters
    ----------
    folder
        Where to.
    result, shown
        What was found, and how it is shown.
    alignments
        Each system's alignment, by name.
    """
    names = slugs(result.systems)
    for name, alignment in alignments.items():
        write_alignment(alignment, folder / "alignments" / f"{names[name]}.rdf")
    write_json(folder / "summary.json", result.to_dict())
    write_paper(folder, shown)
    _write_tables(folder / "tables", result, shown)
    for name, view in result.views.items():
        graphs = folder / "graphs"
        write_text(graphs / f"outperforms-{name}.graphml", view.ranking.to_graphml())
        write_text(graphs / f"outperforms-{name}.dot", view.ranking.to_dot())


def write_systems(path: Path, shown: Presentation) -> None:
    """Write the table of systems as CSV, with every digit."""
    data = shown.data(shown.at("file"), by_name=True)
    write_rows(path, data.header, data.rows)


def _write_tables(folder: Path, result: Comparison, shown: Presentation) -> None:
    deciding = result.deciding
    write_systems(folder / "scores.csv", shown)
    if deciding.values is not None:
        values_in_order = [(name, deciding.values[name]) for name in deciding.order]
        write_rows(folder / "values.csv", ["system", deciding.quantity], values_in_order)
    edges = [
        (name, view.correction, better, worse)
        for name, view in result.views.items()
        for better, worse in view.edges
    ]
    write_rows(folder / "edges.csv", ["view", "correction", "better", "worse"], edges)
    for name, view in result.views.items():
        if view.counts is not None:
            path = folder / f"discordant-{name}.csv"
            write_matrix(path, view.order, view.in_order(view.counts.discordant))
        write_p_values(folder, view, f"-{name}")
        pairs = shown.pairs[name]()
        write_rows(folder / f"pairs-{name}.csv", pairs.header, pairs.rows)


def write_p_values(folder: Path, view: Pairwise, suffix: str = "") -> None:
    """Write matrices of p-values of the test that decides: p, log10 p and adjusted p."""
    matrices = {
        f"p{suffix}-{view.test}": view.chosen.p,
        f"log10-p{suffix}-{view.test}": view.chosen.log10_p,
        f"adjusted-p{suffix}": view.adjusted_p,
    }
    for name, matrix in matrices.items():
        write_matrix(folder / f"{name}.csv", view.order, view.in_order(matrix))


def write_figures(
    folder: Path, result: Result, curves: Mapping[str, Curve], suffix: str = ""
) -> None:
    """Draw the figures that are looked at first, of the view that decides.

    These are who outperforms whom, and the curves or the mean ranks. Others are drawn from the
    results folder when they are asked for (`alignrank report`): drawing costs more than all tests.
    The suffix ends the name of the graph, which shows one view of several.
    """
    from .figures import figures, save  # matplotlib: half a second

    for name, draw in figures(result, result.deciding, curves).items():
        if name in AT_ONCE:
            save(draw(), folder / (f"{name}{suffix}" if name == "outperforms" else name))
