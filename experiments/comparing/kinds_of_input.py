"""One record for each kind of input, on the command line and in Python alike.

Alignments on one task, folders of tasks, answers to items, counts, totals, rankings and judged
questions are compared; of two mappings without a reference, `diff` lists the differences. `OPTIONS`
holds the options of each kind; others are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeAlias

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import Argument, EvaluationError
from alignrank.common.files import read_beginning
from alignrank.common.names import listed
from alignrank.common.progress import track
from alignrank.common.results import InputFile
from alignrank.common.table import Frame, read_sheet
from alignrank.evaluation import (
    AnalysisSettings,
    Answers,
    CountMatrix,
    RankedCandidates,
    RankedListValues,
    candidates_of_frame,
    ranked_list_values,
    read_answers,
    read_candidates,
    read_counts,
    read_queries,
)
from alignrank.evaluation.comparison.totals import SystemTotals, has_totals, read_totals
from alignrank.evaluation.credit.tied_ranks import is_rank_measure
from alignrank.evaluation.measures.retrieval.candidate_files import columns_of
from alignrank.evaluation.measures.retrieval.candidates import Candidates, ranked
from alignrank.evaluation.measures.retrieval.gold_files import queries_of
from alignrank.evaluation.measures.retrieval.ranked_lists import DEFAULT_MEASURES
from alignrank.evaluation.multitask.alignments_folder import TrackResults
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.answer_files import read_answer_files
from alignrank.experiments.inputs.evaluation_input import (
    AlignmentOptions,
    EvaluationInput,
    read_evaluation,
    read_tasks,
)
from alignrank.experiments.inputs.judged_files import JudgedSystems, read_judged_systems
from alignrank.experiments.inputs.kinds_of_files import content_of
from alignrank.experiments.inputs.named_inputs import (
    input_file,
    named_files,
    specs,
)
from alignrank.ontologies import Alignment
from alignrank.ontologies.tasks import task_of_reference
from alignrank.ontologies.tasks.system_files import system_names

#: The options of every kind of input but two mappings.
_SHARED = ("test", "correction", "alpha", "focus")
_OF_ALIGNMENTS = ("filters", "on_mismatch", "columns", "predicates")
ALIGNMENTS, TASKS, ITEMS, ANSWERS, COUNTS, TOTALS, RANKINGS, JUDGED, MAPPINGS = (
    "alignments",
    "folders of tasks",
    "a table of items",
    "files of answers",
    "a table of counts",
    "a table of totals",
    "rankings",
    "judged questions",
    "two mappings",
)
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
        analysis, usual = self.analysis, AnalysisSettings()
        if self.measure and analysis.test:
            raise ExperimentError(
                f"{Argument('measure')} decides by randomisation: leave {Argument('test')} out"
            )
        if self.measure and (analysis.views or analysis.protocol):
            raise ExperimentError(
                f"{Argument('measure')} is compared by itself: leave {Argument('views')}, "
                f"{Argument('protocol')} out"
            )
        resampling = analysis.n_resamples, analysis.seed
        if not self.measure and resampling != (usual.n_resamples, usual.seed):
            raise ExperimentError(
                f"the number of resamples and the seed belong to {Argument('measure')}: add it, "
                "or leave them"
            )

    @property
    def values(self) -> dict[str, object]:
        """The options by name, as results record them: paths are text."""
        values = ((f.name, getattr(record, f.name)) for record, f in self._fields())
        return {name: str(v) if isinstance(v, Path) else v for name, v in values}

    def _fields(self) -> Iterator[tuple[object, Field[Any]]]:
        """Yield the record and the field of each option."""
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
class TableInput:
    """A table of items or of counts, with its file; or answers, with the file of each system.

    `kind` is ITEMS, ANSWERS or COUNTS; the files are named by their roles.
    """

    kind: str
    table: Answers | CountMatrix
    inputs: Mapping[str, InputFile]


@dataclass(frozen=True)
class TotalsInput:
    """Totals of systems, and the table's file."""

    totals: SystemTotals
    path: Path


@dataclass(frozen=True)
class RankedInput:
    """Evaluated rankings, and the files of the gold standard and the runs, by role."""

    rankings: RankedListValues
    inputs: Mapping[str, InputFile]


@dataclass(frozen=True)
class MappingsInput:
    """Two alignments whose differences are listed; nothing is compared by statistics.

    `ontologies` are the files of both ontologies, if they are named.
    """

    first: Alignment
    second: Alignment
    ontologies: tuple[Path, Path] | None


#: Any: an alignment, a file, several for runs, ranked candidates; the kind tells which.
SystemsByName: TypeAlias = Mapping[str, Any]
#: A file, candidates by query, or a frame of them.
Run: TypeAlias = "Path | Candidates | Frame"
#: The content of what is no file: ranked candidates, or any other object.
CANDIDATES, OBJECT = "candidates", "object"
#: The kinds of input of which `compare_kinds` makes a complete comparison.
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
        What is right: a path or an alignment; a gold standard of rankings; or, without systems, a
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
    if judged:
        choices.refuse_foreign(JUDGED)
        return read_judged_systems(judged, systems or {}, choices.alignments.reader)
    if reference is None:
        raise ExperimentError(
            f"reference is missing: give one, a task, or {Argument('judged')} without one"
        )
    systems = systems or {}
    of_reference, of_systems = _content(reference), []
    for system in systems.values():
        content = _content(system)
        of_systems.append(content)
    if isinstance(reference, Path) and set(of_systems) == {"answers"}:
        if of_reference == "answers":
            return _answers(_with_first(reference, systems), None, choices)
        return _answers(systems, reference, choices)
    if isinstance(reference, Path) and of_reference == "folder":
        if not systems and (files := _answers_in(reference)):
            return _answers(*files, choices)
        return _tasks(systems, reference, choices)
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
    if CANDIDATES in contents or (OBJECT not in contents and are_rankings):
        return _rankings(systems, reference, choices)
    are_two_mappings = contents == {"alignment"} and len(systems) == 1
    # a task's reference and one system are no two mappings: one system is refused below
    if are_two_mappings and isinstance(reference, Path) and task_of_reference(reference) is None:
        return _mappings([reference, *systems.values()], choices)
    return read_alignments(systems, reference, choices)


def _content(value: object) -> str:
    """Return the kind of content of a file or an object."""
    if isinstance(value, Path):
        return content_of(value)
    return CANDIDATES if holds_candidates(value) else OBJECT


def _answers_in(folder: Path) -> tuple[dict[str, Path], Path | None] | None:
    """Return a folder's answers by system, and its only other file, which lists all items.

    Without one other file the second part is None; the whole is None if there are no answers.
    """
    files = [file for file in sorted(folder.iterdir()) if file.is_file()]
    answers = [file for file in files if content_of(file) == "answers"]
    others = [file for file in files if file not in answers]
    if not answers:
        return None
    return named_files(map(str, answers)), others[0] if len(others) == 1 else None


def _with_first(first: Path, systems: Mapping[str, Path]) -> dict[str, Path]:
    """Return files of answers, the first of which came in the reference's place, by system."""
    paths = [path for name, path in systems.items() if path.name.startswith(name)]
    by_file = dict(zip(paths, system_names(paths), strict=True))
    # the first file may share an ending with those that are called by their files' names
    named = [
        str(path) if by_file.get(path) == name else f"{name}={path}"
        for name, path in systems.items()
    ]
    return named_files([str(first), *named])


def _answers(files: Mapping[str, Path], items: Path | None, choices: Choices) -> TableInput:
    choices.refuse_foreign(ANSWERS)
    rows = read_answer_files(files, items, choices.alignments.columns, choices.measure)
    inputs = {} if items is None else {"answers": input_file(items)}
    inputs |= {f"answers {name}": input_file(file) for name, file in files.items()}
    return TableInput(ANSWERS, read_answers(rows), inputs)


def _tasks(systems: SystemsByName, references: Path, choices: Choices) -> TrackResults:
    choices.refuse_foreign(TASKS)
    folders = list(systems.values())
    if len(folders) != 1 or not isinstance(folders[0], Path) or not folders[0].is_dir():
        raise ExperimentError(
            f"{references} is a folder: name one folder of SYSTEM-task.rdf, or of MELT results, "
            "after it"
        )
    is_to_the_letter = choices.analysis.protocol is not None
    return read_tasks(folders[0], references, choices.alignments, without_rule=is_to_the_letter)


def read_table(reference: object, choices: Choices) -> TableInput | TotalsInput:
    """Read a file or a frame: totals, counts or items; refuse the options of other kinds."""
    if isinstance(reference, Alignment):
        raise ExperimentError("systems is missing: give a dict of names and alignments")
    options, inputs = choices.table, {}
    if isinstance(reference, Path):
        if reference.is_file() and read_beginning(reference, 512).lstrip().startswith(b"<"):
            raise ExperimentError(
                f"{reference} is an alignment, no table: name the systems' files after it"
            )
        sheet = read_sheet(reference)
        if options.kind is None and has_totals(sheet):
            choices.refuse_foreign(TOTALS)
            return TotalsInput(read_totals(reference, options.items), reference)
        # the rows of a table of counts have the names of its columns
        rows = [cells[0] for cells in sheet.cells]
        is_square = bool(rows) and sorted(rows) == sorted(sheet.header[1:])
        if options.kind == "counts" or (options.kind is None and is_square):
            choices.refuse_foreign(COUNTS)
            inputs["counts"] = input_file(reference)
            return TableInput(COUNTS, read_counts(reference), inputs)
        inputs["items"] = input_file(reference)
    choices.refuse_foreign(ITEMS)
    answers = read_answers(reference, lower_is_better=options.lower_is_better)
    return TableInput(ITEMS, answers, inputs)


def _rankings(systems: SystemsByName, gold: object, choices: Choices) -> RankedInput:
    """Read rankings; a folder holds the runs NAME@1, NAME@2 of one system."""
    choices.refuse_foreign(RANKINGS)
    runs = {name: run for name, run in systems.items() if not isinstance(run, Path)}
    files = {name: run for name, run in systems.items() if isinstance(run, Path)}
    # as words on a command line, by which a folder becomes its runs
    runs |= named_files(specs(files))
    measures = [choices.measure] if choices.measure is not None else []
    return RankedInput(
        *read_rankings(gold, runs, list(dict.fromkeys([*measures, *DEFAULT_MEASURES])))
    )


def _mappings(files: Sequence[Any], choices: Choices) -> MappingsInput:
    choices.refuse_foreign(MAPPINGS)
    options = choices.alignments
    if (options.source is None) != (options.target is None):
        raise ExperimentError(
            f"name both ontologies, {Argument('source')} and {Argument('target')}, or neither"
        )
    ontologies = None
    if isinstance(options.source, Path) and isinstance(options.target, Path):
        ontologies = options.source, options.target
    reader = options.reader.among(files)
    first, second = (reader.system(path, path.name) for path in files)
    return MappingsInput(first, second, ontologies)


def read_alignments(systems: SystemsByName, reference: object, choices: Choices) -> EvaluationInput:
    """Read alignments on one task; the reference's folder tells the track and the ontologies.

    Options of other kinds are refused.
    """
    choices.refuse_foreign(ALIGNMENTS)
    choices.refuse_beside_measure()
    options, analysis = choices.alignments, choices.analysis
    if not isinstance(reference, Path | Alignment):
        raise ExperimentError(
            f"reference is of type {type(reference).__name__}: give an alignment or its file"
        )
    task = None
    if isinstance(reference, Path) or reference.sha256:
        file = reference if isinstance(reference, Path) else Path(reference.path)
        task = task_of_reference(file)
    source, target, rule = options.source, options.target, None
    if task is not None:
        source, target = source or task.source, target or task.target
        if analysis.protocol is None:  # a paper to the letter: no track adds a filter to it
            rule = task.rule
    options = replace(options, source=source, target=target)
    return read_evaluation(
        systems,
        reference,
        options,
        rule=rule,
        without_clusters=analysis.protocol is not None,
        by_target=analysis.by_target,
    )


def holds_candidates(value: object) -> bool:
    """Tell whether a value is a gold standard or a run of candidates: a dictionary or a frame."""
    if isinstance(value, Alignment):  # it has columns, too
        return False
    if isinstance(value, Mapping):
        return True
    return "candidate" in columns_of([str(title) for title in getattr(value, "columns", ())])


def read_rankings(
    gold: object,
    runs: Mapping[str, Run],
    measures: Sequence[str] = DEFAULT_MEASURES,
) -> tuple[RankedListValues, dict[str, InputFile]]:
    """Read a gold standard and runs, and evaluate the runs; return the files by role, too.

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
