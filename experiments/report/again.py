"""A results folder seen again (`alignrank report`): the page, tables and figures for a paper."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from statistics import fmean

from alignrank.common.files import write_text
from alignrank.common.names import Registry, refuse_unknown
from alignrank.common.table import ColumnKind, Table
from alignrank.evaluation.measures.threshold_curve import Curve, curve
from alignrank.experiments.errors import ExperimentError, refuse_taken
from alignrank.experiments.inputs.named_inputs import read_reference, slugs
from alignrank.experiments.report.console import print_cautions, print_prose, print_ranked, say
from alignrank.experiments.report.paper_text import best_cells, paper_table, scores_of
from alignrank.experiments.report.publish import (
    if_tasks_are_independent,
    print_comparison,
    study_ranks,
    study_verdict,
)
from alignrank.experiments.results.folder import handed_over, read_results
from alignrank.experiments.results.result import ComparisonResult, Decision, one_of
from alignrank.experiments.results.study_result import StudyResult
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

    Without options, what was found is printed.

    Example: alignrank report results --table adjusted --format latex -o adjusted.tex

    Example: alignrank report results --figure p-values --figure precision-recall -o figures
    """
    if sum((page, text, bool(table), bool(figures))) > 1:
        raise ExperimentError("--open, --text, --table and --figure exclude each other: give one")
    if form and not (table or figures):
        raise ExperimentError("--format is of --table or --figure: name which one")
    if page:
        webbrowser.open(_made(results, "report.html").resolve().as_uri())
    elif text:
        print_prose(_made(results, "paper.txt").read_text("utf-8").rstrip())
    elif table:
        tabulate, written_as = TABLES.lookup(table), TABLE_FORMATS.lookup(form or "latex")
        refuse_taken(out, overwrite=overwrite)
        result = read_results(results)
        decision = result.decision(view=view, test=test, correction=correction)
        written = written_as(tabulate(result, decision))
        if out is None:
            sys.stdout.write(written)
        else:
            write_text(out, written)
            say(str(out))
    elif figures:
        if out is None:
            raise ExperimentError("--figure writes files: name their folder with --out")
        plot_figures(
            results,
            () if "all" in figures else figures,
            form=form or "pdf",
            view=view,
            correction=correction,
            systems=systems,
            reference=reference,
            out=out,
            overwrite=overwrite,
        )
    else:
        _print(results)


def _made(results: Path, name: str) -> Path:
    """Return what a command left in its results folder."""
    if not (results / name).is_file():
        raise ExperimentError(
            f"{results} holds no {name}: name the results folder (--out) of alignrank rank, "
            "compare, study or score"
        )
    return results / name


def _print(results: Path) -> None:
    """Print the answer, the systems, and where the page is."""
    result = read_results(results)
    if isinstance(result, ComparisonResult):
        print_comparison(result, heading=f"{results}")
    else:
        shared, by_rank = result.shared_ontologies, result.mean_ranks
        ordered = sorted(result.systems, key=lambda name: by_rank[name])
        print_prose(study_verdict(ordered, result.edges, result.focus, shared=shared))
        for sentence in if_tasks_are_independent(result.conditional):
            print_prose(sentence)
        print_ranked(*study_ranks(result))
        print_prose(f"{results}; {result.test} with {result.correction}")
        print_cautions([*(result.cautions or ()), *result.warnings])
    say(f"Report: {results / 'report.html'} (--open opens it)")


FIGURE_FORMATS = ("svg", "pdf", "png")
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
_RANK = "A range: these systems cannot all be told apart."


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
        What decides; None: what was chosen.
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
    decision = result.decision(view=view, correction=correction)
    curves, why_no_curves = _curves(results, result, systems, reference)
    drawable = figures(result, decision, curves)
    missing = sorted(set(names) - set(drawable))
    if missing:
        raise ExperimentError(
            f"these results allow no figure {missing[0]!r}: use {', '.join(drawable)}"
            + (f" ({why_no_curves})" if why_no_curves else "")
        )
    stems = {name: out / name for name in names or drawable}
    files = [stem.with_name(f"{stem.name}.{form}") for stem in stems.values()]
    for path in files:
        refuse_taken(path, overwrite=overwrite)
    if why_no_curves:
        print_cautions([why_no_curves])
    with handed_over(out, overwrite=True) as folder:
        for name in stems:
            save(drawable[name](), folder / name, (form,))
    for path in files:
        say(str(path))


def _curves(
    results: Path,
    result: ComparisonResult | StudyResult,
    systems: Sequence[str],
    reference: Path | None,
) -> tuple[dict[str, Curve], str]:
    """Return each system at every threshold, or why there is none."""
    for name in systems:
        one_of("system", name, result.systems, "")
    stated = result.inputs.get("reference")
    names = slugs(result.systems)
    files = {s: results / "alignments" / f"{names[s]}.rdf" for s in systems or names}
    if stated is None or not all(path.is_file() for path in files.values()):
        return {}, "curves and similarities need one task's alignments, and there are none"
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
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def scores(result: ComparisonResult | StudyResult, decision: Decision) -> Table:
    """Return the scores with the places; of a study mean ranks and scores."""
    if isinstance(result, StudyResult):
        return Table("Ranks", *study_ranks(result), f"{_how(decision)}.")
    if not (scored := scores_of(result)):
        raise ExperimentError("these results hold no scores, only counts: use p, adjusted or edges")
    last, last_cells = result.last_column(decision.view, decision.ranks)
    counts = {} if result.values else result.counts or {}
    found_column = {"found": [counts[s].found for s in decision.systems]} if counts else {}
    correct = {"correct": [counts[s].correct for s in decision.systems]} if counts else {}
    values = {name: [of[s] for s in decision.systems] for name, of in scored.items()}
    columns: dict[str, Sequence[object]] = {**found_column, **correct, **values}
    rows = zip(
        decision.systems, *columns.values(), map(last_cells.get, decision.systems), strict=True
    )
    numbers: list[ColumnKind] = ["number"] * len(columns)
    return Table(
        "Scores and ranks",
        ["system", *columns, last],
        [list(row) for row in rows],
        f"{_how(decision)}." if result.focus else f"Place: {_how(decision)}. {_RANK}",
        ["text", *numbers, "text"],
        best_cells(scored, decision.systems, first_column=1 + len(found_column) + len(correct)),
    )


def by_task(result: ComparisonResult | StudyResult, decision: Decision) -> Table:
    """Return a study's scores by task, the best of each task strong."""
    if not isinstance(result, StudyResult):
        raise ExperimentError("these results are of one task: use scores")
    order = [result.systems.index(name) for name in decision.systems]
    values = [[row[k] for k in order] for row in result.scores]
    strong = {
        (i, k + 1) for i, row in enumerate(values) for k, x in enumerate(row) if x == max(row)
    }
    means = map(fmean, zip(*values, strict=True))
    rows = [[task, *row] for task, row in zip(result.tasks, values, strict=True)]
    mean_ranks = [result.mean_ranks[name] for name in decision.systems]
    return Table(
        f"Scores ({result.measure})",
        ["task", *decision.systems],
        [*rows, ["mean", *means], ["mean rank", *mean_ranks]],
        strong=strong,
    )


def p_values(result: ComparisonResult | StudyResult, decision: Decision) -> Table:
    """Return the p-values before correction."""
    note = f"{decision.test}, not adjusted; {_view(decision)}."
    return _matrix("p-values", decision, decision.p, note)


def adjusted(result: ComparisonResult | StudyResult, decision: Decision) -> Table:
    """Return the adjusted p-values, the significant ones strong."""
    significant = {frozenset(edge) for edge in decision.edges}
    strong = {
        (i, j + 1)
        for i, row in enumerate(decision.systems)
        for j, column in enumerate(decision.systems)
        if frozenset((row, column)) in significant
    }
    note = f"{_how(decision)}. Bold: significant at {decision.alpha:g}."
    if isinstance(result, ComparisonResult) and result.siblings:
        note += f" The p-values are those with {result.alike} as independent."
    if decision.conditional:
        listed = "; ".join(f"{better} over {worse}" for better, worse in decision.conditional)
        note += f" Not bold, but significant if {result.alike} are independent: {listed}."
    return _matrix("Adjusted p-values", decision, decision.adjusted, note, strong)


def discordant(result: ComparisonResult | StudyResult, decision: Decision) -> Table:
    """Return what the row's system has right and the column's wrong."""
    if decision.discordant is None:
        raise ExperimentError("these results hold no discordant counts: use scores, p or adjusted")
    note = (
        f"A cell counts what the row's system has right and the column's wrong; {_view(decision)}."
    )
    return _matrix("Discordant counts", decision, decision.discordant, note)


def edges(result: ComparisonResult | StudyResult, decision: Decision) -> Table:
    """Return the significant differences, those of the best systems first."""
    place = {name: i for i, name in enumerate(decision.systems)}
    counts = decision.discordant
    rows = []
    all_edges = (*decision.edges, *decision.conditional)
    condition = f"if {result.alike} are independent"
    last = ["only"] if decision.conditional else []
    for better, worse in sorted(all_edges, key=lambda e: (place[e[0]], place[e[1]])):
        i, j = place[better], place[worse]
        only = [counts[i][j], counts[j][i]] if counts else []
        held = [condition if (better, worse) in decision.conditional else ""][: len(last)]
        rows.append([better, worse, *only, decision.p[i][j], decision.adjusted[i][j], *held])
    counted = ["better only", "worse only"] if counts else []
    return Table(
        "Significant differences",
        ["better", "worse", *counted, "p", "adjusted p", *last],
        rows,
        f"{_how(decision)}, level {decision.alpha:g}.",
        show=p_text,
    )


#: By the name that the command line gives them.
TABLES: Registry[Callable[[ComparisonResult | StudyResult, Decision], Table]] = Registry(
    "table",
    {
        "paper": paper_table,
        "scores": scores,
        "tasks": by_task,
        "p": p_values,
        "adjusted": adjusted,
        "discordant": discordant,
        "edges": edges,
    },
    ExperimentError,
)


def _matrix(
    title: str,
    decision: Decision,
    matrix: Sequence[Sequence[object]],
    note: str,
    strong: Collection[tuple[int, int]] = (),
) -> Table:
    rows = [
        [name, *(None if i == j else value for j, value in enumerate(matrix[i]))]
        for i, name in enumerate(decision.systems)
    ]
    return Table(title, ["system", *decision.systems], rows, note, strong=strong, show=p_text)


def _view(decision: Decision) -> str:
    return f"{decision.heading[0].lower()}{decision.heading[1:]}"


def _how(decision: Decision) -> str:
    return f"{decision.test} with {decision.correction}; {_view(decision)}"
