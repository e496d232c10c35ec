"""The kinds of input: what was typed becomes one record, and each kind has its compare function.

Alignments on one task, folders of tasks, answers to items, counts, totals, rankings and judged
questions are compared; of two mappings without a reference, `diff` lists the differences. Command
line and Python alike call `read_input`, then `compare_input`. `OPTIONS` holds the options of each
kind; others are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeAlias

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import Argument, EvaluationError
from alignrank.common.names import first_of, listed
from alignrank.common.progress import track
from alignrank.common.results import Caution, InputFile, Provenance
from alignrank.common.table import Frame
from alignrank.evaluation import (
    AnalysisSettings,
    Comparison,
    RankedCandidates,
    RankedListValues,
    candidates_of_frame,
    compare_answers,
    ranked_list_values,
    read_candidates,
    read_queries,
)
from alignrank.evaluation.credit.tied_ranks import is_rank_measure
from alignrank.evaluation.measures.retrieval.candidates import Candidates, ranked
from alignrank.evaluation.measures.retrieval.gold_files import queries_of
from alignrank.evaluation.measures.retrieval.ranked_lists import DEFAULT_MEASURES
from alignrank.evaluation.multitask.alignments_folder import TrackResults
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.answer_files import ANSWERS, read_answer_input, with_first
from alignrank.experiments.inputs.evaluation_input import (
    ALIGNMENTS,
    TASKS,
    AlignmentOptions,
    EvaluationInput,
    compare_systems,
    read_folders,
    read_on_task,
)
from alignrank.experiments.inputs.judged_files import (
    JUDGED,
    JudgedSystems,
    compare_judged,
    read_judged_systems,
)
from alignrank.experiments.inputs.kinds_of_files import content_of
from alignrank.experiments.inputs.named_inputs import (
    input_file,
    named_files,
    specs,
)
from alignrank.experiments.inputs.tables import (
    COUNTS,
    ITEMS,
    TOTALS,
    TableInput,
    TableOptions,
    TotalsInput,
    compare_table,
    kind_of_table,
    opened,
    read_kind_of_table,
)
from alignrank.ontologies import Alignment
from alignrank.ontologies.tasks import task_of_reference

from .diff import MAPPINGS, MappingsInput, read_mappings

RANKINGS = "rankings"
#: The options of every kind of input but two mappings.
_SHARED = ("test", "correction", "alpha", "focus")
_OF_ALIGNMENTS = ("filters", "on_mismatch", "columns", "predicates")
#: The options that each kind of input has; the help groups them, and others are refused.
OPTIONS: dict[str, tuple[str, ...]] = {
    ALIGNMENTS: (
        *(*_SHARED, "margin", "views", "protocol", "measure", "n_resamples", "seed"),
        *("clusters", "source", "target", "imports", *_OF_ALIGNMENTS),
    ),
    TASKS: (*_SHARED, "views", "protocol", *_OF_ALIGNMENTS),
    ITEMS: (*_SHARED, "margin", "kind", "lower_is_better"),
    ANSWERS: (*_SHARED, "margin", "measure", "columns"),
    COUNTS: (*_SHARED, "margin", "kind", "items", "views", "protocol"),
    TOTALS: (*_SHARED, "items", "views", "protocol"),
    RANKINGS: (*_SHARED, "margin", "measure", "n_resamples", "seed", "kind"),
    JUDGED: (*_SHARED, "margin", "views", "protocol", "columns", "predicates"),
    MAPPINGS: ("source", "target", "columns", "predicates"),
}


@dataclass(frozen=True)
class Choices:
    """The options of a comparison, for every kind of input.

    Parameters
    ----------
    analysis
        Settings of the statistical comparison.
    alignments, table
        How alignments and tables are read.
    measure
        The measure that decides: of alignments, by randomisation; of rankings, by its value for
        each query; of answers, the field that holds the verdict.
    margin
        Differences below it count as equivalent.

    Raises
    ------
    ExperimentError
        If a number is out of its range, or two choices exclude each other.
    """

    analysis: AnalysisSettings = field(default_factory=AnalysisSettings)
    alignments: AlignmentOptions = field(default_factory=AlignmentOptions)
    table: TableOptions = field(default_factory=TableOptions)
    measure: str | None = None
    margin: float = DEFAULTS.margin

    def __post_init__(self) -> None:
        analysis = self.analysis
        if not 0 < self.margin < 1:
            raise ExperimentError(f"{Argument('margin', self.margin)} must lie between 0 and 1")
        if analysis.protocol and (self.alignments.clusters or analysis.test):
            raise ExperimentError(
                f"{Argument('protocol')} sets the views and the test, and takes every case as "
                f"independent: leave {Argument('views')}, {Argument('test')} and "
                f"{Argument('clusters')} out"
            )

    def refuse_beside_measure(self) -> None:
        """Refuse options that `measure` excludes; without it, options that need it."""
        analysis, defaults = self.analysis, AnalysisSettings()
        if self.measure and analysis.test:
            raise ExperimentError(
                f"{Argument('measure')} decides by randomisation: leave {Argument('test')} out"
            )
        if self.measure and (analysis.views or analysis.protocol):
            raise ExperimentError(
                f"{Argument('measure')} is compared by itself: leave {Argument('views')}, "
                f"{Argument('protocol')} out"
            )
        resamples = self.measure or analysis.correction == "westfall-young"
        stated = analysis.n_resamples, analysis.seed
        if not resamples and stated != (defaults.n_resamples, defaults.seed):
            raise ExperimentError(
                f"the number of resamples and the seed belong to {Argument('measure')}, or to the "
                "correction westfall-young: add it, or leave them"
            )

    @property
    def values(self) -> dict[str, object]:
        """The options by name, as results record them: paths are text."""
        values = ((f.name, getattr(record, f.name)) for record, f in self._fields())
        return {name: str(v) if isinstance(v, Path) else v for name, v in values}

    def _fields(self) -> Iterator[tuple[object, Field[Any]]]:
        """Yield the record and the field of each option that results record."""
        for record in (self.analysis, self.alignments, self.table):
            yield from ((record, f) for f in fields(record) if f.metadata.get("is_written", True))
        yield from ((self, f) for f in fields(self) if f.name in ("measure", "margin"))

    def refuse_foreign(self, kind: str) -> None:
        """Refuse an option that has another value than its default, and is not of the kind."""
        stated = [f.name for record, f in self._fields() if getattr(record, f.name) != f.default]
        for name in stated:
            if name not in OPTIONS[kind]:
                owners = [owner for owner, names in OPTIONS.items() if name in names]
                raise ExperimentError(
                    f"{Argument(name)} goes with {listed(owners)}, not with {kind}: leave it out"
                )


@dataclass(frozen=True)
class RankedInput:
    """Evaluated rankings, and the files of the gold standard and the runs, by role."""

    rankings: RankedListValues
    inputs: Mapping[str, InputFile]


#: Any: an alignment, a file, several for runs, ranked candidates; the kind tells which.
SystemsByName: TypeAlias = Mapping[str, Any]
#: A file, candidates by query, or a frame of them.
Run: TypeAlias = "Path | Candidates | Frame"
#: The kinds of input of which `compare_input` makes a complete comparison.
SystemsInput = EvaluationInput | TableInput | RankedInput | JudgedSystems
Input = SystemsInput | TrackResults | TotalsInput | MappingsInput


def read_input(
    systems: SystemsByName | None,
    reference: object,
    choices: Choices,
    judged: Sequence[Path | Alignment] = (),
) -> Input:
    """Read systems and their reference into the record of their kind of input.

    Parameters
    ----------
    systems
        Alignments or rankings by name; None: `reference` is a table.
    reference
        The reference alignment or its path; a gold standard of rankings; or, without systems, a
        table.
    choices
        The options; those that do not belong to the kind of input are refused.
    judged
        Files of judged questions, instead of a reference.

    Raises
    ------
    ExperimentError
        If nothing can be compared, or an option is stated that does not belong to the kind.
    """
    options = choices.alignments
    if judged:
        choices.refuse_foreign(JUDGED)
        return read_judged_systems(judged, systems or {}, options.reader)
    if reference is None:
        raise ExperimentError(
            f"reference is missing: give one, a task, or {Argument('judged')} without one"
        )
    systems = systems or {}
    of_reference = content_of(reference)
    of_systems = [content_of(system) for system in systems.values()]
    answers, all_items = None, None
    if isinstance(reference, Path) and set(of_systems) == {"answers"}:
        answers, all_items = systems, reference
        if of_reference == "answers":
            answers, all_items = with_first(reference, systems), None
    elif isinstance(reference, Path) and of_reference == "folder" and not systems:
        answers, all_items = _answers_in(reference)
    if answers:
        choices.refuse_foreign(ANSWERS)
        return read_answer_input(answers, all_items, options.columns, choices.measure)
    if isinstance(reference, Path) and of_reference == "folder":
        choices.refuse_foreign(TASKS)
        return read_folders(systems, reference, options, choices.analysis)
    if not systems:
        return read_table(reference, choices)
    if choices.table.kind == "counts":
        raise ExperimentError(
            f"counts are in a table alone: leave {Argument('kind')} or the files out"
        )
    contents = {of_reference, *of_systems}
    by_measure = choices.measure is not None and is_rank_measure(choices.measure)
    asks_for_rankings = choices.table.kind == "items" or by_measure
    are_rankings = asks_for_rankings or of_systems[0] == "ranking"
    if "candidates" in contents or ("object" not in contents and are_rankings):
        choices.refuse_foreign(RANKINGS)
        return _rankings(systems, reference, choices.measure)
    are_two_mappings = contents == {"alignment"} and len(systems) == 1
    # a task's reference and one system are no two mappings: one system is refused below
    if are_two_mappings and isinstance(reference, Path) and task_of_reference(reference) is None:
        choices.refuse_foreign(MAPPINGS)
        return read_mappings([reference, *systems.values()], options)
    choices.refuse_foreign(ALIGNMENTS)
    choices.refuse_beside_measure()
    return read_on_task(systems, reference, options, choices.analysis)


def read_table(table: object, choices: Choices) -> TableInput | TotalsInput:
    """Read a file or a frame: totals, counts or items; refuse the options of other kinds."""
    if isinstance(table, Alignment):
        raise ExperimentError("systems is missing: give a dict of names and alignments")
    read = opened(table)
    kind = kind_of_table(read, choices.table)
    choices.refuse_foreign(kind)
    return read_kind_of_table(read, kind, choices.table)


@dataclass(frozen=True)
class Compared:
    """A comparison, and the input whose parts the results folder also shows."""

    result: Comparison
    record: SystemsInput

    @property
    def alignments(self) -> EvaluationInput:
        """The compared alignments and the reference; empty if a system has none, or several."""
        # of several runs no alignment is the system's
        if not isinstance(self.record, EvaluationInput) or self.result.runs is not None:
            return EvaluationInput()
        # copies of the focus are not compared
        systems = {name: self.record.systems[name] for name in self.result.systems}
        return replace(self.record, systems=systems)


def compare_input(record: SystemsInput, choices: Choices) -> Compared:
    """Compare the systems of an input by the function of its kind; add where it comes from."""
    settings = choices.analysis
    in_force: dict[str, object] = {}  # what differs from the stated option
    if isinstance(record, EvaluationInput):
        kind, in_force = ALIGNMENTS, record.in_force
        result = compare_systems(record, settings, choices.measure)
    elif isinstance(record, RankedInput):
        kind, result = RANKINGS, _compare_rankings(record.rankings, settings)
    elif isinstance(record, JudgedSystems):
        kind, result = JUDGED, compare_judged(record, settings)
    else:
        kind, result = record.kind, compare_table(record, settings, choices.table)
    values = choices.values
    stated = {name: values[name] for name in OPTIONS[kind]}
    used = {"test": result.test, "correction": result.correction, "views": list(result.views)}
    provenance = Provenance({"command": "compare", **stated, **in_force, **used}, record.inputs)
    return Compared(replace(result, provenance=provenance), record)


def _answers_in(folder: Path) -> tuple[dict[str, Path], Path | None]:
    """Return a folder's files of answers by system, and the file that lists all items.

    The list is the only file that holds no answers; None: there is no such file, or several. Hidden
    files are not read.
    """
    files = [file for file in sorted(folder.glob("[!.]*")) if file.is_file()]
    answers = [file for file in files if content_of(file) == "answers"]
    others = [file for file in files if file not in answers]
    return named_files(map(str, answers)), others[0] if len(others) == 1 else None


def _rankings(systems: SystemsByName, gold: object, measure: str | None) -> RankedInput:
    """Read and evaluate rankings; the files of a folder are the runs of one system."""
    runs = {name: run for name, run in systems.items() if not isinstance(run, Path)}
    files = {name: run for name, run in systems.items() if isinstance(run, Path)}
    # from NAME=FOLDER, `named_files` makes the runs NAME@1, NAME@2
    runs |= named_files(specs(files))
    measures = [measure] if measure is not None else []
    return RankedInput(
        *read_rankings(gold, runs, list(dict.fromkeys([*measures, *DEFAULT_MEASURES])))
    )


def read_rankings(
    gold: object,
    runs: Mapping[str, Run],
    measures: Sequence[str] = DEFAULT_MEASURES,
) -> tuple[RankedListValues, dict[str, InputFile]]:
    """Evaluate runs by a gold standard; return their values, and the files by role.

    Parameters
    ----------
    gold
        As `read_queries` or `queries_of` takes it.
    runs
        By name, ``NAME@1``, ``NAME@2`` for the runs of one system.
    measures
        Names of measures; the first decides.
    """
    inputs = {}
    if isinstance(gold, Path):
        queries = read_queries(gold)
        inputs["gold"] = input_file(gold)
    else:
        queries = queries_of(gold)

    # reads one run after the other, while they are evaluated, and adds each file to `inputs`
    def read() -> Iterator[tuple[str, RankedCandidates]]:
        for name, run in track(runs.items(), len(runs), "reading runs"):
            candidates = _candidates(name, run)
            if candidates.digest:
                inputs[f"run {name}"] = InputFile(candidates.path, candidates.digest)
            yield name, candidates

    return ranked_list_values(queries, read(), measures), inputs


def _candidates(name: str, run: Run) -> RankedCandidates:
    if isinstance(run, Path):
        return read_candidates(run)
    try:
        candidates = ranked(run) if isinstance(run, Mapping) else candidates_of_frame(run)
    except EvaluationError as error:
        raise EvaluationError(f"{name}: {error}") from None
    return replace(candidates, path=name)


def _compare_rankings(rankings: RankedListValues, settings: AnalysisSettings) -> Comparison:
    """Compare systems by their rankings.

    A caution names the verdicts that depend on the order of tied candidates.
    """
    measure = rankings.measure
    result = compare_answers(rankings.answers(), settings, view=measure)
    # where all values are 0 or 1, as of hits at 1, the quantity would be called "right"
    result = replace(result, views={measure: replace(result.deciding, quantity=measure)})
    dependent = rankings.dependent_on_ties(
        result.deciding.edges, correction=result.correction, alpha=result.alpha
    )
    cautions = [Caution("rankings", text) for text in rankings.cautions]
    if dependent:
        listed = first_of((f"{better} > {worse}" for better, worse in dependent), 6)
        text = f"decided by how tied candidates are ordered: {listed}"
        cautions.insert(0, Caution("ties", text))
    return replace(result, cautions=(*cautions, *result.cautions))
