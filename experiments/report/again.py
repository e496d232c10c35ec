"""A results folder seen again (`alignrank report`): the page, the answer, a table, figures."""

from __future__ import annotations

import webbrowser
from collections.abc import Sequence
from pathlib import Path

from evaluation.ranking import answer, answer_focus
from experiments.errors import ExperimentError
from experiments.results.folder import read_results
from experiments.results.result import ComparisonResult

from .console import print_cautions, print_prose, print_ranked, say
from .paper import plot_figures, write_table
from .publish import if_tasks_are_independent, print_comparison, study_ranks


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
        say(_made(results, "paper.txt").read_text("utf-8").rstrip())
    elif table:
        write_table(
            results,
            name=table,
            form=form or "latex",
            view=view,
            test=test,
            correction=correction,
            out=out,
            overwrite=overwrite,
        )
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
        focus = result.focus
        words = answer_focus(focus, result.systems, result.edges) if focus else ""
        print_prose(words or answer(result.systems, result.edges))
        for sentence in if_tasks_are_independent(result.conditional):
            print_prose(sentence)
        print_ranked(*study_ranks(result))
        print_prose(f"{results}; {result.test} with {result.correction}")
        print_cautions([*(result.cautions or ()), *result.warnings])
    say(f"Report: {results / 'report.html'} (--open opens it)")
