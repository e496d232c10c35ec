"""Tables of a results folder, as a paper needs them (`alignrank table`)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from experiments.errors import ExperimentError
from experiments.report.console import say
from ontologies.common.files import write_text
from ontologies.common.registry import Registry
from ontologies.common.table import Table

from .paper_tables import TABLES
from .reading import decided, read_results

#: How a table is written, by the name that the command line gives it.
FORMATS: Registry[Callable[[Table], str]] = Registry(
    "--format",
    {
        "latex": Table.to_latex,
        "markdown": Table.to_markdown,
        "csv": Table.to_csv,
        "html": Table.to_html,
    },
    ExperimentError,
)


def table(
    results: Path,
    *,
    name: str,
    form: str,
    view: str | None,
    test: str | None,
    correction: str | None,
    out: Path | None,
    overwrite: bool,
) -> None:
    """Write one table of a results folder to `out`, or print it (`alignrank table`).

    Parameters
    ----------
    results
        Results folder of `rank`, `compare` or `study`.
    name
        One of `experiments.results.paper_tables.TABLES`.
    form
        One of `FORMATS`.
    view, test, correction
        What decides; None: what was chosen.
    out
        File.
    overwrite
        Whether the file may be replaced.
    """
    tabulate, written_as = TABLES.lookup(name), FORMATS.lookup(form)
    if out is not None and out.exists() and not overwrite:
        raise ExperimentError(f"{out} exists: name another file with --out, or add --overwrite")
    content = read_results(results)
    found = decided(content, view=view, test=test, correction=correction)
    text = written_as(tabulate(content, found))
    if out is None:
        sys.stdout.write(text)
        return
    write_text(out, text)
    say(str(out))
