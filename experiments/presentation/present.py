"""The presentation of a result, made once: every layout takes its text and numbers from here.

The screen, the page, the paper and the files lay a `Presentation` out; they read no sentence and no
heading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, singledispatch

from alignrank.common.names import percent
from alignrank.common.results import Caution
from alignrank.common.table import Table
from alignrank.evaluation import Comparison, Pairwise
from alignrank.evaluation.multitask import Study
from alignrank.evaluation.multitask.study import RankDiagram
from alignrank.evaluation.uncertainty.score_intervals import LEVEL

from .columns import (
    Column,
    Place,
    columns_of_comparison,
    columns_of_study,
    systems_in_order,
)
from .description import Result, ResultFacts, describe_comparison, describe_study
from .sentences import (
    Cited,
    caption,
    checklist,
    difference_sentences,
    intervals_note,
    method,
    on_these_tasks,
    paragraph,
    pool_sentences,
    recommendation,
    reliability,
    runs_sentences,
    undecidable,
)
from .tables import (
    details_of_comparison,
    details_of_study,
    every_pair,
    tables_of,
    tables_of_study,
)

#: Kinds of cautions by which a verdict may not hold: they are shown first.
MAJOR = frozenset({"not-the-beginning", "views-contradict", "head-words", "grandparents"})
#: Kinds of cautions that hardly ever change a verdict: they are shown last.
MINOR = frozenset({"clipped", "left-out", "merged", "counted-once", "no-parent"})


@dataclass(frozen=True)
class Presentation:
    """Everything that is shown of a comparison or a study, in the words and the order of readers.

    The sentences are on the view that decides; the table of systems may show another view.

    Parameters
    ----------
    answer, further
        Sentences that answer which system is best, and sentences on runs, tasks and reliability.
    advice
        Which of several metrics to use.
    differences
        How large the differences of the best system from the others are.
    notes
        What cannot be decided, and what would help.
    method
        How the answer was found, in one line.
    next_command
        What to run next, as it is typed; empty where nothing follows.
    cautions, validity
        Cautions of the result, and a sentence on what the tests and corrections assume.
    deciding_view
        The view that decides.
    focus
        The system that all others were compared with; None: every pair was compared.
    title, table_notes
        Title and notes of the table of systems.
    systems, columns
        Rows of this table, best first, and its columns.
    limits_note
        A sentence on the limits that stand below values; empty where there are none.
    subject
        What was compared, as ``10 systems on mouse and human``.
    figure_heading
        The end of a figure's title, as ``10 systems, mouse and human``.
    paragraph, caption
        Text for a paper, and the caption of its table.
    checklist
        Questions that a reviewer asks, with answers.
    version
        The version of alignrank that computed the result.
    rank_diagram
        The mean ranks of a study, and the groups of systems; None where there are none.
    tables
        Makes each further table of the shown view, by its name on the command line (`NAMES`).
    pairs
        Makes the table of every pair, by view.
    details
        Makes the tables that only the page and ``--verbose`` show.
    """

    answer: Sequence[str]
    further: Sequence[str]
    advice: Sequence[str]
    differences: Sequence[str]
    notes: Sequence[str]
    method: str
    next_command: str
    cautions: Sequence[Caution]
    validity: str
    deciding_view: str
    focus: str | None
    title: str
    table_notes: Sequence[str]
    systems: Sequence[str]
    columns: Sequence[Column]
    limits_note: str
    subject: str
    figure_heading: str
    paragraph: Sequence[Cited]
    caption: Sequence[str]
    checklist: Sequence[tuple[str, str]]
    version: str
    rank_diagram: RankDiagram | None
    tables: Mapping[str, Callable[[], Table]]
    pairs: Mapping[str, Callable[[], Table]]
    details: Callable[[], Iterable[Table]]

    def at(self, place: Place) -> list[Column]:
        """Return the columns that a place shows."""
        return [column for column in self.columns if place in column.places]

    def table(
        self,
        columns: Sequence[Column],
        systems: Sequence[str] | None = None,
        *,
        title: str = "",
        notes: Sequence[str] = (),
    ) -> Table:
        """Return columns as a table for readers.

        Its `data` holds all systems with every digit, also those that `systems` leaves out.

        Parameters
        ----------
        columns
            Some of the presentation's columns.
        systems
            The rows; None: all systems.
        title, notes
            Text above and below; the footnotes of the columns come after the notes.
        """
        rows = self.systems if systems is None else systems
        best = [column.best() for column in columns]
        return Table(
            title,
            ["system", *(column.heading for column in columns)],
            [[name, *(column.text(name) for column in columns)] for name in rows],
            " ".join([*notes, *dict.fromkeys(text for _, text in footnotes(columns))]),
            ["text", *(column.kind for column in columns)],
            {
                (i, k)
                for k, names in enumerate(best, 1)
                for i, name in enumerate(rows)
                if name in names
            },
            data=self.data(columns),
        )

    def for_file(self) -> Table:
        """Return the table of systems as files have it, with every digit."""
        return self.data(self.at("file"), by_name=True)

    def data(self, columns: Sequence[Column], *, by_name: bool = False) -> Table:
        """Return columns with every digit, and their limits as further columns.

        Parameters
        ----------
        columns
            Some of the presentation's columns.
        by_name
            Use the names of the columns as header, as in files; else their headings.
        """
        header: list[str] = ["system"]
        values: list[list[object]] = [[*self.systems]]
        for column in columns:
            # the heading of a column with limits in its cells may announce them, as
            # "net per 100 [95%]"; here the limits are columns of their own
            title = column.name if by_name or column.has_own_limits else column.heading
            header.append(title)
            values.append([column.values.get(name) for name in self.systems])
            if column.limits:
                header += [f"{title}_{end}" for end in column.ends]
                ends = [column.limits.get(name, (None, None)) for name in self.systems]
                values += [[low for low, _ in ends], [high for _, high in ends]]
        return Table("", header, [list(row) for row in zip(*values, strict=True)])


def footnotes(columns: Sequence[Column]) -> list[tuple[str, str]]:
    """Return heading and footnote of each column that has one, the tested quantity's first."""
    ordered = sorted(columns, key=lambda column: not column.is_tested)
    return [(column.heading, column.footnote) for column in ordered if column.footnote]


def by_weight(cautions: Iterable[Caution], view: str | None = None) -> list[Caution]:
    """Return the cautions with the weightiest first, else in their order.

    The kinds of `MAJOR` come first. What is about a view other than `view`, which decides, and the
    kinds of `MINOR` come last.
    """

    def weight(caution: Caution) -> int:
        if caution.kind in MAJOR:
            return 0
        is_minor = caution.kind in MINOR or caution.view not in (None, view)
        if is_minor:
            return 2
        return 1

    return sorted(cautions, key=weight)


@singledispatch
def present(result: Result, table_view: Pairwise | None = None, heading: str = "") -> Presentation:
    """Return the presentation of a result.

    Parameters
    ----------
    result
        A comparison or a study.
    table_view
        The view of the table of systems, its caption and the further tables; None: the one that
        decides. Sentences are always on the view that decides.
    heading
        What was compared: the beginning of the line on the method.
    """
    raise TypeError(f"{type(result).__name__} is neither a comparison nor a study")


@present.register(Study)
def present_study(
    result: Study, table_view: Pairwise | None = None, heading: str = ""
) -> Presentation:
    """Return the presentation of a study; the parameters are those of `present`."""
    view, facts = table_view or result.deciding, describe_study(result)
    columns = columns_of_study(result, view)
    deciding_columns = columns if table_view is None else columns_of_study(result, result.deciding)
    return _presentation(
        result,
        view,
        facts,
        columns,
        deciding_columns,
        deciding_order=result.deciding.order,
        rows=view.order,
        further=[*reliability(result), *on_these_tasks(result)],
        heading=heading,
        rank_diagram=result.rank_diagram,
        tables=tables_of_study(result, view),
        details=partial(details_of_study, result),
    )


@present.register(Comparison)
def present_comparison(
    result: Comparison,
    table_view: Pairwise | None = None,
    heading: str = "",
    next_command: str = "",
) -> Presentation:
    """Return the presentation of a comparison; `next_command` is what to run next, as it is typed.

    The other parameters are those of `present`.
    """
    view, facts = table_view or result.deciding, describe_comparison(result)
    columns = columns_of_comparison(result, view)
    deciding_columns = (
        columns if table_view is None else columns_of_comparison(result, result.deciding)
    )
    deciding_order = systems_in_order(result, result.deciding)
    rows = systems_in_order(result, view)
    table_notes = list[str]()
    if result.pool is not None:
        table_notes = [*pool_sentences(result.pool), *intervals_note(result.pool)]
    return _presentation(
        result,
        view,
        facts,
        columns,
        deciding_columns,
        deciding_order=deciding_order,
        rows=rows,
        further=runs_sentences(result),
        notes=undecidable(result),
        table_notes=table_notes,
        heading=heading,
        next_command=next_command,
        tables=tables_of(view),
        details=partial(details_of_comparison, result),
    )


def _presentation(
    result: Result,
    view: Pairwise,
    facts: ResultFacts,
    columns: Sequence[Column],
    deciding_columns: Sequence[Column],
    *,
    deciding_order: Sequence[str],
    rows: Sequence[str],
    further: Sequence[str],
    notes: Sequence[str] = (),
    table_notes: Sequence[str] = (),
    heading: str,
    next_command: str = "",
    rank_diagram: RankDiagram | None = None,
    tables: Mapping[str, Callable[[], Table]],
    details: Callable[[], Iterable[Table]],
) -> Presentation:
    """Return the presentation of a result.

    The table shows `columns` of `view`, with the systems `rows`. Sentences are written from
    `deciding_columns` and `deciding_order`, the systems in the order of the view that decides.
    """
    by_name = {column.name: column for column in deciding_columns}
    limits_note = ""
    if any(column.limits and not column.has_own_limits for column in columns):
        limits_note = (
            f"Under the scores: {percent(LEVEL)} intervals (Wilson, by effective number of cases). "
            "Two systems whose intervals overlap can still differ significantly: the tests compare "
            "them case by case."
        )
    return Presentation(
        answer=result.answer(),
        further=further,
        advice=recommendation(result, facts, by_name),
        differences=difference_sentences(result, facts, by_name),
        notes=notes,
        method=method(result, facts, heading),
        next_command=next_command,
        cautions=result.cautions,
        validity=result.validity,
        deciding_view=result.deciding.view,
        focus=view.focus,
        title=facts.title,
        table_notes=table_notes,
        systems=rows,
        columns=columns,
        limits_note=limits_note,
        subject=f"{facts.counted}{facts.material}",
        figure_heading=facts.heading,
        paragraph=paragraph(result, facts, by_name, deciding_order),
        caption=caption(view, facts),
        checklist=checklist(result, facts),
        version=result.provenance.version,
        rank_diagram=rank_diagram,
        tables=tables,
        pairs={
            name: partial(every_pair, of_view, f"Every pair ({name})")
            for name, of_view in result.views.items()
        },
        details=details,
    )
