"""A results folder seen again (`alignrank report`): the page, tables and figures for a paper."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from alignrank.common.defaults import FIGURE_FORMATS
from alignrank.common.errors import OntologyError
from alignrank.common.files import write_text
from alignrank.common.names import Registry, first_of, refuse_unknown
from alignrank.common.table import Table
from alignrank.evaluation import Curve, Pairwise, curve
from alignrank.experiments.errors import ExperimentError, refuse_taken
from alignrank.experiments.inputs.named_inputs import slugs
from alignrank.experiments.presentation.description import Result
from alignrank.experiments.presentation.present import Presentation, present
from alignrank.experiments.presentation.tables import NAMES
from alignrank.experiments.report.console import print_cautions, print_prose, say
from alignrank.experiments.report.publish import (
    drawable_figures,
    paper_table,
    print_result,
)
from alignrank.experiments.results.folder import (
    changed_files,
    handed_over,
    read_manifest,
    read_results,
)
from alignrank.ontologies import read_alignment
from alignrank.ontologies.tasks import data_folders
from alignrank.ontologies.tasks.filters import read_filter
from alignrank.ontologies.tasks.reader import AlignmentReader


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
    """
    if sum((page, text, bool(table), bool(figures))) > 1:
        raise ExperimentError("--open, --text, --table and --figure exclude each other: give one")
    of_figures, of_tables = {"--system": systems, "--reference": reference}, {"--test": test}
    of_both = {"--format": form, "--view": view, "--correction": correction, "--out": out}
    for place, options, is_there in (
        ("--table or --figure", of_both, table or figures),
        ("--table", of_tables, table),
        ("--figure", of_figures, figures),
    ):
        for option, value in options.items():
            if value and not is_there:
                raise ExperimentError(f"{option} goes with {place}: add it, or leave {option} out")
    if page:
        report = _result_file(results, "report.html", "rank, compare, study or score")
        webbrowser.open(report.resolve().as_uri())
    elif text:
        paper = _result_file(results, "paper.txt", "rank, compare or study")
        print_prose(paper.read_text("utf-8").rstrip())
    elif table:
        tabulate, written_as = TABLES.lookup(table), TABLE_FORMATS.lookup(form or "latex")
        refuse_taken(out, overwrite=overwrite)
        result = read_results(results)
        chosen = view_of(result, view).decided_by(test, correction)
        written = written_as(tabulate(present(result, chosen)))
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
        result, compared = read_results(results), read_manifest(results).get("compared", "")
        print_result(present(result, heading=str(compared)))
        say(f"Report: {results / 'report.html'} (--open opens it)")
    if changed := changed_files(results):
        print_cautions([f"changed since the run: {first_of(changed, 3)}"])


def _result_file(results: Path, name: str, makers: str) -> Path:
    """Return the path of a file in the results folder; refuse if it is missing.

    Parameters
    ----------
    results, name
        Folder and file.
    makers
        The commands that write such a file, for the message.
    """
    if not (results / name).is_file():
        raise ExperimentError(
            f"{results} holds no {name}: name the results folder (--out) of alignrank {makers}"
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
        Figures (`alignrank.common.defaults.FIGURES`); none: all that these results
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
    # matplotlib takes half a second, and `table` needs none
    from alignrank.experiments.report.figures import save

    refuse_unknown("--format", form, FIGURE_FORMATS, ExperimentError)
    result = read_results(results)
    chosen = view_of(result, view).decided_by(None, correction)
    curves, why_no_curves = _curves(results, result, systems, reference)
    drawable = drawable_figures(chosen, present(result, chosen), curves)
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
    settings = result.provenance.settings
    alignment = _reader_of(settings).among([path]).reference(path)
    if alignment.sha256 != stated.sha256:
        raise ExperimentError(
            f"{path} is not the reference of these results (SHA-256 {alignment.sha256[:12]}…, was "
            f"{stated.sha256[:12]}…): name it with --reference, or run the comparison again"
        )
    filters = settings.get("filters") if settings.get("command") == "compare" else None
    changing = [str(n) for n in filters if _changes(str(n))] if isinstance(filters, list) else []
    if changing:
        listed = ", ".join(changing)
        return {}, f"{listed} changed the reference: {results / 'figures'} has the figures"
    return {s: curve(read_alignment(path), alignment) for s, path in files.items()}, ""


def _reader_of(settings: Mapping[str, object]) -> AlignmentReader:
    """Return the reader with the columns and predicates that a run recorded."""
    columns, predicates = settings.get("columns"), settings.get("predicates")
    return AlignmentReader(
        {str(r): str(title) for r, title in columns.items()} if isinstance(columns, dict) else None,
        list(map(str, predicates)) if isinstance(predicates, list) else (),
    )


def _changes(name: str) -> bool:
    """Return whether a filter may change a reference."""
    try:
        return read_filter(name, data_folders()).may_change_reference
    except OntologyError:  # that of a campaign in a folder that only the run knew
        return True


def scores(presentation: Presentation) -> Table:
    """Return the table of systems: ranks, scores and letters; of a study mean scores and ranks."""
    columns = presentation.at("page")
    if not any(column.direction for column in columns):
        raise ExperimentError("these results hold no scores, only counts: use p, adjusted or edges")
    return presentation.table(columns, title=presentation.title, notes=presentation.caption)


def _further(name: str) -> Callable[[Presentation], Table]:
    """Return the function that makes one of the further tables."""
    return lambda presentation: presentation.tables[name]()


#: Tables by their names on the command line.
TABLES: Registry[Callable[[Presentation], Table]] = Registry(
    "table",
    {
        "paper": paper_table,
        "supplement": partial(paper_table, place="supplement"),
        "scores": scores,
        **{name: _further(name) for name in NAMES},
    },
    ExperimentError,
)
