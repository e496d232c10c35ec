"""Tables of items, of discordant counts and of totals: recognised, read and compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from alignrank.common.errors import Argument, EvaluationError, Message
from alignrank.common.files import FilePath, read_beginning
from alignrank.common.results import Caution, InputFile
from alignrank.common.table import Sheet, read_sheet
from alignrank.evaluation import (
    AnalysisSettings,
    Answers,
    Comparison,
    CountMatrix,
    compare_answers,
    compare_counts,
    read_answers,
    read_counts,
)
from alignrank.evaluation.comparison.totals import SystemTotals, has_totals, read_totals
from alignrank.experiments.errors import ExperimentError
from alignrank.ontologies.formats.columns import columns_by_role

ITEMS, COUNTS, TOTALS = "a table of items", "a table of counts", "a table of totals"


@dataclass(frozen=True)
class TableOptions:
    """What a table holds: its kind, the size of the reference, the direction of its scores.

    Parameters
    ----------
    kind
        ``counts`` or ``items``; with the files of systems, ``items`` means rankings. None: totals,
        if the columns are such; counts, if the rows have the columns' names; else items.
    items
        Number of correspondences of the reference, which a table of counts or totals lacks.
    lower_is_better
        Whether scores on items are errors from 0 to 1; then 1 − score is compared.
    """

    kind: str | None = None
    items: int | None = None
    lower_is_better: bool = False

    def __post_init__(self) -> None:
        if self.items is not None and self.items < 1:
            raise ExperimentError(
                f"{Argument('items', self.items)}: a reference has 1 correspondence or more"
            )


@dataclass(frozen=True)
class TableInput:
    """A table of items or of counts, with its file; or answers, with the file of each system.

    `kind` is the kind of input; the files are named by their roles.
    """

    kind: str
    table: Answers | CountMatrix
    inputs: Mapping[str, InputFile]


@dataclass(frozen=True)
class TotalsInput:
    """Totals of systems, and the table's file."""

    totals: SystemTotals
    path: Path


def opened(table: object) -> object:
    """Return the titles and rows of a file, which may be a pipe and is read once; else the frame.

    Raises
    ------
    ExperimentError
        If a file holds an alignment in XML.
    """
    if not isinstance(table, Path):
        return table
    if table.is_file() and read_beginning(table, 512).lstrip().startswith(b"<"):
        raise _alignment_error(table)
    return read_sheet(table)


def _alignment_error(path: FilePath) -> ExperimentError:
    return ExperimentError(f"{path} is an alignment, no table: name the systems' files after it")


def _holds_correspondences(sheet: Sheet) -> bool:
    """Return whether two columns hold IRIs of entities, as their titles say."""
    roles = columns_by_role(sheet.header, {})
    titles = [roles.get("entity1"), roles.get("entity2")]
    # rows may be shorter than the header
    columns = zip(sheet.header, *sheet.cells, strict=False)
    entities = [cells for title, *cells in columns if title in titles]
    return len(entities) == 2 and all(":" in cell for cells in entities for cell in cells)


def kind_of_table(table: object, options: TableOptions) -> str:
    """Return which kind of table a file or a frame holds, as `opened` returns it."""
    if not isinstance(table, Sheet):
        return ITEMS
    if options.kind is None and has_totals(table):
        return TOTALS
    # the rows of a table of counts have the names of its columns
    rows = [cells[0] for cells in table.cells]
    is_square = bool(rows) and sorted(rows) == sorted(table.header[1:])
    if options.kind == "counts" or (options.kind is None and is_square):
        return COUNTS
    return ITEMS


def read_kind_of_table(table: object, kind: str, options: TableOptions) -> TableInput | TotalsInput:
    """Read a file or a frame, as `opened` returns it, of the kind that `kind_of_table` tells."""
    inputs = {}
    if isinstance(table, Sheet):
        file = InputFile(table.source, table.sha256)
        if kind == TOTALS:
            return TotalsInput(read_totals(table, options.items), Path(file.path))
        if kind == COUNTS:
            return TableInput(kind, read_counts(table), {"counts": file})
        inputs["items"] = file
    try:
        answers = read_answers(table, lower_is_better=options.lower_is_better)
    except EvaluationError:
        if isinstance(table, Sheet) and _holds_correspondences(table):
            raise _alignment_error(table.source) from None
        raise
    return TableInput(kind, answers, inputs)


def compare_table(
    record: TableInput, settings: AnalysisSettings, options: TableOptions
) -> Comparison:
    """Compare systems by their scores on items, or by the discordant counts of one view."""
    if isinstance(record.table, CountMatrix):
        (file,) = record.inputs.values()
        return _compare_count_matrix(record.table, settings, options, file.path)
    result = compare_answers(record.table, settings)
    cautions = [Caution("answers", text) for text in record.table.cautions]
    if record.table.lower_is_better:
        text = "lower is better: a difference is positive if the first system has fewer errors."
        cautions.insert(0, Caution("lower-is-better", text))
    return replace(result, cautions=(*cautions, *result.cautions))


def _compare_count_matrix(
    matrix: CountMatrix, settings: AnalysisSettings, options: TableOptions, path: str
) -> Comparison:
    """Compare systems by the discordant counts of one view."""
    views = settings.views or ()
    if len(views) > 1:
        raise ExperimentError(
            f"{Argument('views')}: a table of counts is of one view only: name one"
        )
    view_of_counts = "ifp"
    text = Message(
        f"the counts are taken for those of {view_of_counts} (",
        Argument("views"),
        " names another)",
    )
    cautions = [Caution("view-of-counts", text)]
    if views:
        view_of_counts, cautions = views[0], []
    try:
        result = compare_counts(
            matrix.matrix,
            matrix.systems,
            replace(settings, views=None),
            view=view_of_counts,
            reference=options.items,
        )
    except EvaluationError as error:
        raise ExperimentError(f"{path}: {error}") from None
    return replace(result, cautions=(*cautions, *result.cautions))
