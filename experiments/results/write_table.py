"""Tables of a results folder, as a paper needs them (`alignrank table`)."""

from __future__ import annotations

import sys
from pathlib import Path

from experiments.errors import ExperimentError
from experiments.report.console import say
from ontologies.common.files import write_text

from .paper_tables import TABLES
from .reading import decided, read_results
from .table_formats import FORMATS


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
        One of `experiments.results.table_formats.FORMATS`.
    view, test, correction
        What decides; None: what was chosen.
    out
        File.
    overwrite
        Whether the file may be replaced.
    """
    for option, value, known in (("--table", name, TABLES), ("--format", form, FORMATS)):
        if value not in known:
            raise ExperimentError(f"{option} {value!r} is unknown: use {', '.join(known)}")
    if out is not None and out.exists() and not overwrite:
        raise ExperimentError(f"{out} exists: name another file with --out, or add --overwrite")
    content = read_results(results)
    found = decided(content, view=view, test=test, correction=correction)
    text = FORMATS[form](TABLES[name](content, found))
    if out is None:
        sys.stdout.write(text)
        return
    write_text(out, text)
    say(str(out))
