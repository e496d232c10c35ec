"""The presentation of a result, made once: every layout takes its text and numbers from here.

The screen, the page, the paper and the files lay a `Presentation` out; they read no sentence and no
heading. Figures take their titles and scores from `description` and `columns_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, singledispatch

from alignrank.common.names import count, first_of
from alignrank.common.results import Caution
from alignrank.common.table import Table
from alignrank.evaluation import Comparison, Pairwise
from alignrank.evaluation.comparison.contingency import unit_of
from alignrank.evaluation.comparison.result import differing_units_of
from alignrank.evaluation.multitask import Study

from .columns import Column, Place, above_hundred, columns_of, systems_in_order
from .description import Result, ResultFacts, description
from .sentences import (
    Cited,
    caption,
    checklist,
    intervals_note,
    method,
    paragraph,
    pool_sentences,
    recommendation,
)
from .tables import details, difference_in_pool, every_pair, tables_of

#: The largest number of systems whose differences from the best are told in sentences.
MOST_DIFFERENCES = 12


@dataclass(frozen=True)
class Presentation:
    """Everything that is shown of a comparison or a study, in the words and the order of readers.

    The view that decides may differ from the view that the table of systems shows.

    Parameters
    ----------
    answer, further
        Sentences: the first one is the answer; and those that go on with it.
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
        What the reader must know; the last caution.
    deciding_view
        The view that decides.
    focus
        The one system that each other was compared with.
    title, table_notes
        Of the table of systems.
    systems, columns
        Its rows, best first, and its columns.
    limits_note
        What the limits are that stand below values; empty where there are none.
    subject
        What was compared, as ``10 systems on mouse and human``.
    paragraph, caption
        A paper's text, and what its table says of itself.
    checklist
        What a reviewer asks for, and the answer to it.
    version
        The version of alignrank that computed the result.
    tables
        Makes each further table of the shown view, by its name on the command line (`TABLES`).
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
    paragraph: Sequence[Cited]
    caption: Sequence[str]
    checklist: Sequence[tuple[str, str]]
    version: str
    tables: Mapping[str, Callable[[], Table]]
    pairs: Mapping[str, Callable[[], Table]]
    details: Callable[[], Iterable[Table]]

    def column(self, name: str) -> Column | None:
        """Return a column by its name; None where the result has none."""
        return {column.name: column for column in self.columns}.get(name)

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
        """Return some columns as a table for readers; its data are the values as they are.

        Parameters
        ----------
        columns
            Of `columns`.
        systems
            The rows; None: all.
        title, notes
            Above and below it; the columns' own footnotes come after the notes.
        """
        rows = self.systems if systems is None else systems
        best = [column.best() for column in columns]
        return Table(
            title,
            ["system", *(column.heading for column in columns)],
            [[name, *(column.text(name) for column in columns)] for name in rows],
            " ".join([*notes, *footnotes(columns)]),
            ["text", *(column.kind for column in columns)],
            {(i, k) for i, name in enumerate(rows) for k, of in enumerate(best, 1) if name in of},
            data=self.data(columns),
        )

    def data(self, columns: Sequence[Column], *, by_name: bool = False) -> Table:
        """Return some columns with every digit, and limits as columns of their own.

        Parameters
        ----------
        columns
            Of `columns`.
        by_name
            Head all columns by their names, as files do.
        """
        header: list[str] = ["system"]
        values: list[list[object]] = [[*self.systems]]
        for column in columns:
            title = column.name if by_name or column.has_own_limits else column.heading
            header.append(title)
            values.append([column.values.get(name) for name in self.systems])
            if column.limits:
                header += [f"{title}_{end}" for end in column.ends]
                ends = [column.limits.get(name, (None, None)) for name in self.systems]
                values += [[low for low, _ in ends], [high for _, high in ends]]
        return Table("", header, [list(row) for row in zip(*values, strict=True)])


def footnotes(columns: Sequence[Column]) -> list[str]:
    """Return the columns' footnotes, that of the tested quantity first."""
    ordered = sorted(columns, key=lambda column: not column.is_tested)
    return [column.footnote for column in ordered if column.footnote]


def present(
    result: Result, table_view: Pairwise | None = None, heading: str = "", next_command: str = ""
) -> Presentation:
    """Return the presentation of a result.

    Parameters
    ----------
    result
        What was found.
    table_view
        The view of the table of systems, its caption and the further tables; None: the one that
        decides. Sentences are always on the view that decides.
    heading
        What was compared, for the line of the method.
    next_command
        What to run next, as it is typed.
    """
    view, described = table_view or result.deciding, description(result)
    columns, limits_note = columns_of(result, view), ""
    of_deciding = columns if view is result.deciding else columns_of(result, result.deciding)
    by_name = {column.name: column for column in of_deciding}
    if any(column.limits and not column.has_own_limits for column in columns):
        limits_note = (
            "Under the scores: 95% intervals (Wilson, by effective number of cases). Two systems "
            "whose intervals overlap can still differ significantly: the tests compare them case "
            "by case."
        )
    table_notes, (further, notes) = list[str](), _further_and_notes(result)
    if result.pool is not None:
        table_notes = [*pool_sentences(result.pool), *intervals_note(result.pool)]
    return Presentation(
        answer=result.answer(),
        further=further,
        advice=recommendation(result, described, by_name),
        differences=difference_sentences(result, described, by_name),
        notes=notes,
        method=method(result, described, heading),
        next_command=next_command,
        cautions=result.cautions,
        validity=result.validity,
        deciding_view=result.deciding.view,
        focus=view.focus,
        title=described.title,
        table_notes=table_notes,
        systems=systems_in_order(result, view),
        columns=columns,
        limits_note=limits_note,
        subject=f"{described.counted}{described.material}",
        paragraph=paragraph(result, described, by_name),
        caption=caption(view, described),
        checklist=checklist(result, described),
        version=result.provenance.version,
        tables=tables_of(result, view),
        pairs={
            name: partial(every_pair, of_view, f"Every pair ({name})")
            for name, of_view in result.views.items()
        },
        details=partial(details, result),
    )


@singledispatch
def _further_and_notes(result: Result) -> tuple[list[str], list[str]]:
    """Return the sentences that go on with the answer, and the notes."""
    raise TypeError(f"{type(result).__name__} is neither a comparison nor a study")


@_further_and_notes.register(Study)
def _of_study(result: Study) -> tuple[list[str], list[str]]:
    return [*reliability(result), *result.on_these_tasks()], []


@_further_and_notes.register(Comparison)
def _of_comparison(result: Comparison) -> tuple[list[str], list[str]]:
    return runs_sentences(result), _notes(result)


def difference_sentences(
    result: Result, described: ResultFacts, columns: Mapping[str, Column]
) -> list[str]:
    """Say how large the differences of the best system from the others are, the nearest first.

    At most 12 are told; none without intervals, or for three or more judged systems.
    """
    view, sentences = result.deciding, []
    if result.pool is not None:
        if len(view.systems) > 2:
            return []
        first, second = result.pool.order(view.systems)
        i, j = view.systems.index(first), view.systems.index(second)
        f1, correct = result.pool.differences["f1"], result.pool.differences["correct"]
        sizes = f"{difference_in_pool(f1, i, j, 3)} in F1 in the pool, "
        sizes += f"{difference_in_pool(correct, i, j, 0)} correct pairs"
        return [f"{first} minus {second}: {sizes}."]
    if view.intervals.tested is None:
        return []
    unit, best = "", view.order[0]
    if view.intervals.tested.measure == "net":
        unit = f" {described.rate}"
    elif view.less_is_better:
        unit = f" in {described.rate}"
    for rival in view.order[1 : MOST_DIFFERENCES + 1]:
        sizes = f"{columns['difference'].text(rival)}{unit}"
        if "f1_difference" in columns:
            sizes += f"; F1 {columns['f1_difference'].text(rival)}"
        sentences.append(f"{best} minus {rival}: {sizes}.")
    limits = f"In brackets: {view.intervals.tested.level:.0%} confidence limits"
    if len(view.systems) > 2:
        limits += " together"
    return [*sentences, " ".join(filter(None, [f"{limits}.", above_hundred(view)]))]


def _notes(result: Comparison) -> list[str]:
    """Return sentences on pairs that cannot be decided, and on options that would help."""
    notes = []
    if pairs := result.deciding.unreachable:
        listed = first_of((f"{first} and {second}" for first, second in pairs), 3, "; ")
        units = differing_units_of(result.deciding)
        notes.append(
            f"Some pairs cannot reach significance, because too few {units} differ: {listed}."
        )
    if _could_have_ontologies(result):
        entities = unit_of(result.deciding.view)
        notes.append(
            f"Add --source and --target: the test then takes dependence between {entities} into "
            "account."
        )
    return notes


def _could_have_ontologies(result: Comparison) -> bool:
    """Return whether alignments were compared without the ontologies that tell of dependence."""
    settings, inputs = result.provenance.settings, result.provenance.inputs
    are_alignments = settings.get("command") == "compare" and bool(result.scores)
    is_adjusted = settings.get("protocol") or result.deciding.is_clustered
    return are_alignments and not is_adjusted and "source" not in inputs


def runs_sentences(result: Comparison) -> list[str]:
    """Return sentences on the noise between runs, and on the number of runs that would decide."""
    runs = result.runs
    if runs is None:
        return []
    sentences = []
    if runs.noise_floor == runs.noise_floor:
        sentences.append(
            f"Two runs of one system differ by up to {runs.noise_floor:.3f} in their mean (95%): "
            "a smaller difference between two single runs is noise."
        )
    finite = [f"{a} and {b} {n:.0f}" for a, b, n in result.runs_needed if n < float("inf")]
    if finite:
        listed = first_of(finite, 3, "; ")
        sentences.append(f"Runs of each that would decide (power 80%): {listed}.")
    hopeless = [f"{a} and {b}" for a, b, n in result.runs_needed if n == float("inf")]
    if hopeless:
        listed = first_of(hopeless, 3, "; ")
        sentences.append(f"No number of runs would decide between {listed}: the items are too few.")
    return sentences


#: More tasks than anybody has: beyond them the number needed is not told.
_MOST_TASKS = 1000


def reliability(result: Study) -> list[str]:
    """Say how many tasks would order the systems reliably; nothing where nothing is decided."""
    of_means = result.generalisability
    needed = of_means.tasks_for(0.9)
    if not result.edges:
        return []
    if needed > _MOST_TASKS:
        return [f"Not even {_MOST_TASKS:,} such tasks would order the systems reliably (0.9)."]
    return [
        f"Generalisability coefficient of the mean scores: {of_means.coefficient:.2f} on these "
        f"{count(len(result.table.tasks), 'task')} (1: other such tasks would give the same "
        f"order); {count(round(needed), 'such task')} in all would give 0.9."
    ]
