"""Compare systems over many tasks, from a table of scores or from folders of alignment files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import get_args

from alignrank.common.defaults import DEFAULTS, Scale
from alignrank.common.errors import Argument, EvaluationError
from alignrank.common.executor import HERE, Cluster
from alignrank.common.names import refuse_unknown
from alignrank.common.results import Caution, InputFile, Provenance
from alignrank.common.table import Table, read_sheet
from alignrank.evaluation.comparison.compare import compare_pooled
from alignrank.evaluation.comparison.contingency import Incidence, incidence
from alignrank.evaluation.comparison.settings import (
    NO_CLUSTERS,
    AnalysisSettings,
    EntityClusters,
)
from alignrank.evaluation.multitask import (
    ScoreTable,
    Study,
    read_scores,
    score_track,
    study,
)
from alignrank.evaluation.multitask.alignments_folder import TrackResults
from alignrank.evaluation.multitask.score_table import Mismatch
from alignrank.evaluation.multitask.study import study_with_choices
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import (
    AlignmentOptions,
    comparable_tasks,
    compare_systems,
    read_tasks,
)
from alignrank.experiments.inputs.named_inputs import (
    input_files,
    ontologies_of,
    siblings_in,
)
from alignrank.experiments.presentation.present import present_study
from alignrank.experiments.presentation.tables import track_tables, winners_table
from alignrank.experiments.report.console import (
    finish,
    is_short,
    print_table,
    say,
    say_what_out_keeps,
)
from alignrank.experiments.report.publish import print_result, write_study
from alignrank.experiments.results.folder import check_free, results_folder
from alignrank.ontologies import Alignment, Ontology, OntologyError


@dataclass(frozen=True)
class StudyOptions:
    """How `study` reads and decides.

    Parameters
    ----------
    test, correction, alpha, focus, margin, seed
        As `alignrank.evaluation.multitask.study` takes them.
    scale
        ``common``: the scores of all tasks are on one scale. None: they count as such if all lie in
        [0, 1], or all are written with %.
    filters
        Names of filters (`alignrank.ontologies.tasks.filters`).
    on_mismatch
        What becomes of a result that is missing or foreign: ``refuse``, ``zero`` or ``drop``.
    lower_is_better
        Whether the table's scores are errors, times or costs; or the tasks where they are.
    columns
        Names of tables' columns by role, as `alignrank.ontologies.read_alignment` takes them.
    predicates
        The predicates of references that count; empty for those that state a relation.
    """

    test: str | None = None
    correction: str | None = None
    alpha: float = DEFAULTS.alpha
    focus: str | None = None
    scale: Scale | None = None
    filters: tuple[str, ...] = ()
    on_mismatch: Mismatch = "refuse"
    lower_is_better: bool | tuple[str, ...] = False
    columns: Mapping[str, str] | None = None
    predicates: tuple[str, ...] = ()
    margin: float | None = None
    seed: int = DEFAULTS.seed

    @property
    def alignments(self) -> AlignmentOptions:
        """How alignments are read."""
        return AlignmentOptions(
            filters=self.filters,
            on_mismatch=self.on_mismatch,
            columns=self.columns,
            predicates=self.predicates,
        )


def study_scores(
    scores: Path,
    options: StudyOptions,
    *,
    reference: Path | None = None,
    out: Path | None = None,
    overwrite: bool = False,
    cluster: Cluster = HERE,
) -> None:
    """Compare systems over many tasks.

    Parameters
    ----------
    scores, reference
        A table of scores, or folders of alignments and references (`read_study`).
    options
        How to read and decide.
    out, overwrite
        The results folder; None: results are only printed.
    cluster
        The Dask cluster whose workers read the alignments.
    """
    if out is not None:
        check_free(out, overwrite=overwrite)
    if cluster != HERE and scores.is_file():
        raise ExperimentError(
            f"{scores} is a table of scores: workers read folders of alignments: leave "
            f"{Argument('workers')} and {Argument('scheduler')} out"
        )
    with cluster.used():
        record = read_study(scores, reference, options)
    studied = study_of(record, options)
    page_tables, averages = list[Table](), None
    if record.results is not None:
        if record.answers and out is not None:  # only the page holds this table
            of_each = AnalysisSettings(alpha=options.alpha, focus=options.focus)
            evaluations = comparable_tasks(record.results, options.focus)
            comparisons = {task: compare_systems(each, of_each) for task, each in evaluations}
            if comparisons:
                page_tables = [winners_table(comparisons)]
        averages, by_task = track_tables(record.results, options.on_mismatch)
        page_tables += [averages, by_task]
    tell_study(studied, out, overwrite, page_tables, averages)


def tell_study(
    result: Study,
    out: Path | None,
    overwrite: bool,
    page_tables: Sequence[Table] = (),
    averages: Table | None = None,
) -> None:
    """Print a study, and write it if a folder is named.

    A study that is written also holds what the page's reader can choose, as ``summary.json`` does.

    Parameters
    ----------
    result, out, overwrite
        The study, and its results folder.
    page_tables, averages
        Further tables of the page, and the one of them that the terminal shows, too.
    """
    presentation, figure_error = present_study(result), None
    if out is not None:
        result = study_with_choices(result)
        with results_folder(out, overwrite=overwrite) as folder:
            figure_error = write_study(folder, result, presentation, page_tables)
    print_result(presentation)
    if averages is not None:
        if is_short():  # a terminal has room for one table
            say(f"{averages.title} by micro and macro: --verbose prints them, --out keeps them")
        else:
            say(f"{averages.title}:")
            print_table(averages)
    finish(result, out)
    say_what_out_keeps(out)
    if figure_error is not None:
        raise figure_error


@dataclass(frozen=True)
class StudyInput:
    """The scores of a study, and the files and alignments behind them.

    Parameters
    ----------
    table
        The scores.
    inputs
        Every file that the scores come from, by its path.
    results
        The alignments that were scored; None where only scores are known.
    answers
        The systems' answers on each task; empty where they are unknown, or a system has several
        runs.
    clusters
        Which entities of the answers may depend on each other.
    cautions
        Cautions on the ontologies, which the study repeats.
    """

    table: ScoreTable
    inputs: Mapping[str, InputFile] = field(default_factory=dict)
    results: TrackResults | None = None
    answers: Sequence[Incidence] = ()
    clusters: EntityClusters = NO_CLUSTERS
    cautions: tuple[Caution, ...] = ()


def study_of(record: StudyInput, options: StudyOptions) -> Study:
    """Return the study of scores over tasks; with answers, also the test on all tasks' entities."""
    table, pooled = record.table, None
    analysis = AnalysisSettings(
        options.test, options.correction, options.alpha, options.focus, seed=options.seed
    )
    if options.scale is not None:
        refuse_unknown("scale", options.scale, get_args(Scale), EvaluationError)
        table = replace(table, common_scale=True)
    studied = study(table, analysis, margin=options.margin)
    if record.answers:
        pooled = compare_pooled(record.answers, replace(studied.settings, clusters=record.clusters))
    settings = {"command": "study", **asdict(options)}
    settings["filters"] = [] if record.results is None else list(record.results.filters)
    settings |= {"test": studied.test, "correction": studied.correction}
    return replace(
        studied,
        pooled=pooled,
        cautions=(*studied.cautions, *record.cautions),
        provenance=Provenance(settings, record.inputs),
    )


def read_study(scores: object, reference: Path | None, options: StudyOptions) -> StudyInput:
    """Read a table of scores, or score a folder of alignments.

    Parameters
    ----------
    scores
        The path of a CSV file (tasks × systems) or of a folder of alignments (`read_track`); or a
        table, as `read_scores` takes it.
    reference
        Folder of the references; only with a folder of alignments.
    options
        How alignments are read, and what becomes of missing results.

    Raises
    ------
    ExperimentError
        If a folder of alignments comes without references, or a table with them.
    """
    if isinstance(scores, Path) and scores.is_dir():
        if reference is None:
            raise ExperimentError(
                f"{scores} is a folder of alignments: name the folder of the references with "
                f"{Argument('reference')}"
            )
        if options.lower_is_better:
            raise ExperimentError(
                f"{Argument('lower_is_better')} goes with a table of scores: F1 is no error"
            )
        return read_scored_tasks(scores, reference, options)
    if isinstance(scores, Path) and not scores.exists():
        raise ExperimentError(f"{scores}: there is no such file or folder: check the path")
    place = scores if isinstance(scores, Path) else "scores"
    if reference is not None:
        raise ExperimentError(f"{place} is a table: {Argument('reference')} goes with a folder")
    for argument in ("filters", "columns", "predicates"):
        if getattr(options, argument):
            raise ExperimentError(
                f"{place} is a table of scores: {Argument(argument)} goes with a folder of "
                "alignments"
            )
    inputs, data = dict[str, InputFile](), scores
    if isinstance(scores, Path):
        data = sheet = read_sheet(scores)  # once: the file may be a pipe
        inputs[sheet.source] = InputFile(sheet.source, sheet.sha256)
    table = read_scores(
        data, on_mismatch=options.on_mismatch, lower_is_better=options.lower_is_better
    )
    if len(table.systems) < 2:
        raise ExperimentError(
            f"{place} holds the scores of {table.systems[0]} only: add a column for another system"
        )
    return StudyInput(table, inputs)


def read_scored_tasks(
    alignments: Path | Mapping[tuple[str, str], Path],
    references: Path | Mapping[str, Path],
    options: StudyOptions,
) -> StudyInput:
    """Read the alignments of many tasks and score them, without copies of the focus.

    The ontologies beside the references give the clusters: entities that share a parent.
    """
    whole = read_tasks(alignments, references, options.alignments)
    results = whole if options.focus is None else whole.without_copies(options.focus)
    table = score_track(results, on_mismatch=options.on_mismatch)
    pairs, answers, cautions = list[tuple[Ontology, Ontology]](), list[Incidence](), list[Caution]()
    if set(results.systems) == set(table.systems):  # no system's score is the mean of its runs
        gold = {task: results.references[task] for task in table.tasks}
        for task, reference in gold.items():
            of_task = results.alignments[task]
            of_systems = {name: of_task.get(name, Alignment()) for name in table.systems}
            answers.append(incidence(of_systems, reference))
        tasks = [results.tasks[task] for task in table.tasks if task in results.tasks]
        try:
            if len(tasks) == len(table.tasks):  # all ontologies lie beside the references
                pairs = list(ontologies_of(tasks).values())
        except OntologyError as error:  # a file that nobody named
            text = f"{error}: on these tasks alone, entities are taken as independent"
            cautions.append(Caution("no-clusters", text))
    clusters = siblings_in(pairs)
    inputs: dict[str, InputFile] = {}
    for task, reference in whole.references.items():
        read = (*whole.alignments[task].values(), reference)
        inputs |= input_files(**{alignment.path: alignment for alignment in read})
    inputs |= input_files(**{o.path: o for pair in pairs for o in pair})
    return StudyInput(table, inputs, results, answers, clusters, tuple(cautions))
