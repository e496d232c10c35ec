"""A results folder seen again (`alignrank report`): the page, tables and figures for a paper."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import singledispatch
from pathlib import Path

from alignrank.common.files import write_text
from alignrank.common.names import Registry, first_of, refuse_unknown
from alignrank.common.table import Table
from alignrank.evaluation import Pairwise
from alignrank.evaluation.comparison.contingency import heading
from alignrank.evaluation.measures.threshold_curve import Curve, curve
from alignrank.evaluation.multitask import Study
from alignrank.evaluation.significance.mcnemar import Floats, Ints
from alignrank.experiments.errors import ExperimentError, refuse_taken
from alignrank.experiments.inputs.evaluation_input import read_reference
from alignrank.experiments.inputs.named_inputs import slugs
from alignrank.experiments.presentation.description import Result
from alignrank.experiments.presentation.present import present
from alignrank.experiments.report.comparison_page import every_pair
from alignrank.experiments.report.console import print_cautions, print_prose, say
from alignrank.experiments.report.paper import paper_table
from alignrank.experiments.report.publish import FIGURE_FORMATS, print_result
from alignrank.experiments.results.folder import changed_files, handed_over, read_results
from alignrank.ontologies import read_alignment


def show_results(
    results: Path,
    *,
    page: bool = False,
    text: bool = False,
    table: str | None = None,
    figures: Sequence[str] = (),
    form: str | None = None,
    view: str | None = None,
    test: str | None = None,
    correction: str | None = None,
    systems: Sequence[str] = (),
    reference: Path | None = None,
    out: Path | None = None,
    overwrite: bool = False,
) -> None:
    """Show results again: the page, a table, a figure.

    Without options the summary is printed.

    Example: alignrank report results --table adjusted --format latex -o adjusted.tex

    Example: alignrank report results --figure p-values --figure precision-recall -o figures
    """
    if sum((page, text, bool(table), bool(figures))) > 1:
        raise ExperimentError("--open, --text, --table and --figure exclude each other: give one")
    if form and not (table or figures):
        raise ExperimentError("--format goes with --table or --figure: add one of them")
    if page:
        webbrowser.open(_result_file(results, "report.html").resolve().as_uri())
    elif text:
        print_prose(_result_file(results, "paper.txt").read_text("utf-8").rstrip())
    elif table:
        tabulate, written_as = TABLES.lookup(table), TABLE_FORMATS.lookup(form or "latex")
        refuse_taken(out, overwrite=overwrite)
        result = read_results(results)
        chosen = view_of(result, view).decided_by(test, correction)
        written = written_as(tabulate(result, chosen))
        if out is None:
            sys.stdout.write(written)
        else:
            write_text(out, written)
            say(str(out))
    elif figures:
        if out is None:
            raise ExperimentError("--figure writes files: name their folder with --out")
        if "all" in figures:
            figures = ()
        plot_figures(
            results,
            figures,
            form=form or "pdf",
            view=view,
            correction=correction,
            systems=systems,
            reference=reference,
            out=out,
            overwrite=overwrite,
        )
    else:
        print_result(present(read_results(results), heading=str(results)))
        say(f"Report: {results / 'report.html'} (--open opens it)")
    if changed := changed_files(results):
        print_cautions([f"changed since the run: {first_of(changed, 3)}"])


def _result_file(results: Path, name: str) -> Path:
    """Return the path of a file in the results folder; refuse if it is missing."""
    if not (results / name).is_file():
        raise ExperimentError(
            f"{results} holds no {name}: name the results folder (--out) of alignrank rank, "
            "compare, study or score"
        )
    return results / name


def view_of(result: Result, name: str | None = None) -> Pairwise:
    """Return a view by its name; None: the one that decides.

    Raises
    ------
    ExperimentError
        If the results hold no such view.
    """
    if name is None:
        return result.deciding
    if name not in result.views:
        raise ExperimentError(
            f"the results hold no view {name!r}: use one of {', '.join(result.views)}"
        )
    return result.views[name]


TABLE_FORMATS: Registry[Callable[[Table], str]] = Registry(
    "--format",
    {
        "latex": Table.to_latex,
        "markdown": Table.to_markdown,
        "csv": Table.to_csv,
        "html": Table.to_html,
    },
    ExperimentError,
)


def plot_figures(
    results: Path,
    names: Sequence[str] = (),
    *,
    out: Path,
    form: str = "pdf",
    view: str | None = None,
    correction: str | None = None,
    systems: Sequence[str] = (),
    reference: Path | None = None,
    overwrite: bool = False,
) -> None:
    """Draw figures of a results folder for a paper.

    Parameters
    ----------
    results
        Results folder of `rank`, `compare` or `study`.
    names
        Figures (`alignrank.experiments.report.figures.FIGURES`); none: all that these results
        allow.
    form
        ``svg``, ``pdf`` or ``png``.
    view, correction
        View and correction of the figures; None: those of the results.
    systems
        Systems of the figures about thresholds; none: all.
    reference
        Reference alignment, where it lies elsewhere than when the results were made.
    out
        Folder.
    overwrite
        Whether files there may be replaced.
    """
    from .figures import figures, save  # matplotlib: half a second, and `table` needs none

    refuse_unknown("--format", form, FIGURE_FORMATS, ExperimentError)
    result = read_results(results)
    chosen = view_of(result, view).decided_by(None, correction)
    curves, why_no_curves = _curves(results, result, systems, reference)
    drawable = figures(result, chosen, curves)
    missing = sorted(set(names) - set(drawable))
    if missing:
        message = f"these results allow no figure {missing[0]!r}: use {', '.join(drawable)}"
        if why_no_curves:
            message += f" ({why_no_curves})"
        raise ExperimentError(message)
    stems = {name: out / name for name in names or drawable}
    files = [stem.with_name(f"{stem.name}.{form}") for stem in stems.values()]
    for path in files:
        refuse_taken(path, overwrite=overwrite)
    if why_no_curves:
        print_cautions([why_no_curves])
    # Each file was checked above; the folder's other files stay.
    with handed_over(out, overwrite=True) as folder:
        for name in stems:
            save(drawable[name](), folder / name, (form,))
    for path in files:
        say(str(path))


def _curves(
    results: Path,
    result: Result,
    systems: Sequence[str],
    reference: Path | None,
) -> tuple[dict[str, Curve], str]:
    """Return the threshold curve of each system; or none, and the reason."""
    for name in systems:
        refuse_unknown("system", name, result.systems, ExperimentError)
    stated = result.provenance.inputs.get("reference")
    names = slugs(result.systems)
    files = {s: results / "alignments" / f"{names[s]}.rdf" for s in systems or names}
    if stated is None or not all(path.is_file() for path in files.values()):
        return {}, (
            "the figures of curves and similarities need one task's alignments, and there are none"
        )
    path = reference or Path(stated.path)
    if not path.is_file():
        return {}, f"the reference {path} is not there: name it with --reference"
    right = read_reference(path)
    if right.sha256 != stated.sha256:
        raise ExperimentError(
            f"{path} is not the reference of these results (SHA-256 {right.sha256[:12]}…, was "
            f"{stated.sha256[:12]}…): name it with --reference, or run the comparison again"
        )
    return {s: curve(read_alignment(path), right) for s, path in files.items()}, ""


def p_text(p: float) -> str:
    """Return a p-value for a table.

    Examples
    --------
    >>> p_text(0.04212), p_text(3e-9), p_text(1.0)
    ('0.042', '<0.001', '1.000')
    """
    if p < 0.001:
        return "<0.001"
    return f"{p:.3f}"


def scores(result: Result, view: Pairwise) -> Table:
    """Return the table of systems: ranks, scores and letters; of a study mean scores and ranks."""
    shown = present(result, view)
    columns = shown.at("page")
    if not any(column.direction for column in columns):
        raise ExperimentError("these results hold no scores, only counts: use p, adjusted or edges")
    table = shown.table(columns, title=shown.title)
    return replace(table, footnote=f"{_method(view)}.")


def paper(result: Result, view: Pairwise) -> Table:
    """Return the table that people print, as in ``paper.tex``."""
    return paper_table(present(result, view))


def supplement(result: Result, view: Pairwise) -> Table:
    """Return the table with all columns, as in ``paper-supplement.tex``."""
    return paper_table(present(result, view), "supplement")


@singledispatch
def by_task(result: Result, view: Pairwise) -> Table:
    """Return a study's scores by task, the best of each task strong."""
    raise ExperimentError("these results are of one task: use scores")


@by_task.register(Study)
def _scores_by_task(result: Study, view: Pairwise) -> Table:
    index = [result.systems.index(name) for name in view.order]
    values, gains = result.table.scores[:, index], result.table.gains[:, index]
    strong = {
        (i, k + 1) for i, row in enumerate(gains) for k, x in enumerate(row) if x == row.max()
    }
    rows = [[task, *row] for task, row in zip(result.table.tasks, values.tolist(), strict=True)]
    means = [result.table.means[name] for name in view.order]
    mean_ranks = [result.mean_ranks[name] for name in view.order]
    return Table(
        f"Scores ({result.table.measure})",
        ["task", *view.order],
        [*rows, ["mean", *means], ["mean rank", *mean_ranks]],
        strong=strong,
    )


def p_values(result: Result, view: Pairwise) -> Table:
    """Return the p-values before correction."""
    note = f"{view.test}, not adjusted; {_heading(view)}."
    return _matrix("p-values", view, view.chosen.p, note)


def adjusted(result: Result, view: Pairwise) -> Table:
    """Return the adjusted p-values, the significant ones strong."""
    significant = {frozenset(edge) for edge in view.edges}
    strong = {
        (i, j + 1)
        for i, row in enumerate(view.order)
        for j, column in enumerate(view.order)
        if frozenset((row, column)) in significant
    }
    note = f"{_method(view)}. Bold: significant at {view.alpha:g}."
    return _matrix("Adjusted p-values", view, view.adjusted_p, note, strong)


def discordant(result: Result, view: Pairwise) -> Table:
    """Return the counts of items that the row's system has right and the column's wrong."""
    if view.counts is None:
        raise ExperimentError("these results hold no discordant counts: use scores, p or adjusted")
    note = (
        f"A cell counts what the row's system has right and the column's wrong; {_heading(view)}."
    )
    return _matrix("Discordant counts", view, view.counts.discordant, note)


@singledispatch
def pairs(result: Result, view: Pairwise) -> Table:
    """Return every pair: its verdict, and what that rests on."""
    return every_pair(view, "Every pair")


@pairs.register(Study)
def _pairs_of_study(result: Study, view: Pairwise) -> Table:
    # decided_by returned another view: another test or correction was chosen
    if view is not result.deciding:
        return every_pair(view, "Every pair")
    rows = result.to_frame()
    return Table("Every pair", list(rows.columns), rows.values.tolist(), show="{:.4g}".format)


def edges(result: Result, view: Pairwise) -> Table:
    """Return the significant differences, those of the best systems first."""
    matrices: dict[str, Floats | Ints] = {}
    if view.counts is not None:
        matrices = {"better only": view.counts.discordant, "worse only": view.counts.discordant.T}
    matrices |= {"p": view.chosen.p, "adjusted p": view.adjusted_p}
    place = {name: i for i, name in enumerate(view.order)}
    rows = []
    for better, worse in sorted(view.edges, key=lambda e: (place[e[0]], place[e[1]])):
        pair = view.systems.index(better), view.systems.index(worse)
        rows.append([better, worse, *(matrix[pair].item() for matrix in matrices.values())])
    return Table(
        "Significant differences",
        ["better", "worse", *matrices],
        rows,
        f"{_method(view)}, level {view.alpha:g}.",
        show=p_text,
    )


#: Tables by their names on the command line.
TABLES: Registry[Callable[[Result, Pairwise], Table]] = Registry(
    "table",
    {
        "paper": paper,
        "supplement": supplement,
        "scores": scores,
        "tasks": by_task,
        "p": p_values,
        "adjusted": adjusted,
        "discordant": discordant,
        "edges": edges,
        "pairs": pairs,
    },
    ExperimentError,
)


def _matrix(
    title: str,
    view: Pairwise,
    matrix: Floats | Ints,
    note: str,
    strong: Collection[tuple[int, int]] = (),
) -> Table:
    values = view.in_order(matrix)
    rows = [
        [name, *(None if i == j else value for j, value in enumerate(values[i]))]
        for i, name in enumerate(view.order)
    ]
    # p_text is for p-values, which are floats; counts are printed as they are
    return Table(title, ["system", *view.order], rows, note, strong=strong, show=p_text)


def _heading(view: Pairwise) -> str:
    title = heading(view.view)
    return f"{title[0].lower()}{title[1:]}"


def _method(view: Pairwise) -> str:
    return f"{view.test} with {view.correction}; {_heading(view)}"
