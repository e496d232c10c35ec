"""Compare systems over many tasks, from a table of scores or from folders of alignment files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import get_args

from alignrank.common.defaults import DEFAULTS, Scale
from alignrank.common.errors import Argument, EvaluationError
from alignrank.common.executor import HERE, Cluster
from alignrank.common.files import write_text
from alignrank.common.names import refuse_unknown
from alignrank.common.results import Caution, InputFile, Provenance
from alignrank.common.table import Table, write_rows
from alignrank.evaluation.comparison.compare import compare_pooled
from alignrank.evaluation.comparison.contingency import incidence
from alignrank.evaluation.comparison.robustness import FEW_SYSTEMS, with_alternatives
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.evaluation.multitask import (
    ScoreTable,
    Study,
    read_scores,
    score_track,
    study,
)
from alignrank.evaluation.multitask.alignments_folder import TrackResults
from alignrank.evaluation.multitask.score_table import Mismatch
from alignrank.evaluation.multitask.study import with_every_test
from alignrank.experiments.comparing.compare_kinds import compare_tasks
from alignrank.experiments.comparing.kinds_of_input import Choices
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import track_cautions
from alignrank.experiments.inputs.named_inputs import (
    input_file,
    input_files,
    ontologies_beside,
    read_tasks,
    siblings_in,
)
from alignrank.experiments.presentation.present import Presentation, present
from alignrank.experiments.presentation.tables import track_tables, winners_table
from alignrank.experiments.report.console import (
    finish,
    is_short,
    print_table,
    say,
    say_what_out_keeps,
)
from alignrank.experiments.report.publish import (
    print_result,
    write_figures,
    write_p_values,
    write_paper,
    write_systems,
)
from alignrank.experiments.report.result_pages import study_report
from alignrank.experiments.results.folder import check_free, results_folder, write_json
from alignrank.ontologies import Alignment, OntologyError
from alignrank.ontologies.tasks.reader import AlignmentReader
from alignrank.ontologies.tasks.system_files import equal_alignments


@dataclass(frozen=True)
class StudyOptions:
    """How `study` reads and decides.

    Parameters
    ----------
    test, correction, alpha, focus, margin, seed
        As `alignrank.evaluation.multitask.study` takes them.
    scale
        ``common``: the scores of all tasks are on one scale. None: they are if all lie in [0, 1],
        or all are written with %.
    filters
        Names of filters (`alignrank.ontologies.tasks.filters`).
    on_mismatch
        What becomes of a result that is missing or foreign: ``refuse``, ``zero`` or ``drop``.
    lower_is_better
        Whether the table's scores are errors, times or costs.
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
    lower_is_better: bool = False
    columns: Mapping[str, str] | None = None
    predicates: tuple[str, ...] = ()
    margin: float | None = None
    seed: int = DEFAULTS.seed

    @property
    def reader(self) -> AlignmentReader:
        """How alignments are read."""
        return AlignmentReader(self.columns, self.predicates)


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
        Whose workers read the alignments.
    """
    if out is not None:
        check_free(out, overwrite=overwrite)
    with cluster.used():
        read = read_study(scores, reference, options)
    studied, page_tables, screen_tables, results = study_scored(read, options), [], [], read.results
    if results is not None:
        page_tables = track_tables(results, options.on_mismatch)
        screen_tables = page_tables[:1]
    # only the page holds this table
    if out is not None and results is not None and studied.pooled is not None:
        of_each = Choices(AnalysisSettings(alpha=options.alpha, focus=options.focus))
        if comparisons := compare_tasks(results, of_each):
            page_tables.insert(0, winners_table(comparisons))
    tell_study(studied, out, overwrite, page_tables, screen_tables)


def tell_study(
    result: Study,
    out: Path | None,
    overwrite: bool,
    page_tables: Sequence[Table] = (),
    screen_tables: Sequence[Table] = (),
) -> None:
    """Write a study, if a folder is named, and print it; its JSON is the ``summary.json``.

    Parameters
    ----------
    result, out, overwrite
        The study, and its results folder.
    page_tables, screen_tables
        Further tables of the page, and further tables that are printed.
    """
    presentation = present(result)
    if out is not None:
        result = with_page_choices(result)
        with results_folder(out, overwrite=overwrite) as folder:
            write_study(folder, result, presentation, page_tables)
    print_result(presentation)
    for table in screen_tables:
        if is_short():  # a terminal has room for one table
            say(f"{table.title} by micro and macro: --verbose prints them, --out keeps them")
        else:
            say(f"{table.title}:")
            print_table(table)
    finish(result.to_dict(), out)
    say_what_out_keeps(out)


@dataclass(frozen=True)
class StudyInput:
    """The scores of a study, and the files and alignments behind them.

    Parameters
    ----------
    table
        The scores.
    inputs
        Every file that they come from, by its path.
    results
        The alignments that were scored; None where only scores are known.
    """

    table: ScoreTable
    inputs: Mapping[str, InputFile] = field(default_factory=dict)
    results: TrackResults | None = None


def study_scored(read: StudyInput, options: StudyOptions) -> Study:
    """Study the scores over tasks; where their alignments are known, also the pooled entities."""
    table, results, inputs = read.table, read.results, read.inputs
    analysis = AnalysisSettings(
        options.test, options.correction, options.alpha, options.focus, seed=options.seed
    )
    if options.scale is not None:
        refuse_unknown("scale", options.scale, get_args(Scale), EvaluationError)
        table = replace(table, common_scale=True)
    studied = study(table, analysis, margin=options.margin)
    if results is not None and set(results.systems) == set(table.systems):  # no runs of a system
        studied, ontologies = _pooled(studied, results)
        inputs = {**inputs, **ontologies}
    settings = {"command": "study", **asdict(options)}
    settings["filters"] = [] if results is None else list(results.filters)
    settings |= {"test": studied.test, "correction": studied.correction}
    return replace(studied, provenance=Provenance(settings, inputs))


def _pooled(studied: Study, results: TrackResults) -> tuple[Study, dict[str, InputFile]]:
    """Return the study with the entities of all tasks compared, and the ontologies' files.

    The ontologies lie beside the references, and tell which entities share a parent.
    """
    table = studied.table
    tables = [
        incidence(
            {s: results.alignments[task].get(s, Alignment()) for s in table.systems},
            results.references[task],
        )
        for task in table.tasks
    ]
    try:
        pairs = ontologies_beside(results.references[task] for task in table.tasks)
    except OntologyError as error:  # a file that nobody named
        pairs = []
        text = f"{error}: on these tasks alone, entities are taken as independent"
        studied = replace(studied, cautions=(*studied.cautions, Caution("no-clusters", text)))
    pooling = replace(studied.settings, clusters=siblings_in(pairs))
    studied = replace(studied, pooled=compare_pooled(tables, pooling))
    return studied, input_files(**{o.path: o for pair in pairs for o in pair})


def read_study(scores: Path, reference: Path | None, options: StudyOptions) -> StudyInput:
    """Read a table of scores, or score a folder of alignments.

    Parameters
    ----------
    scores
        A CSV file (tasks × systems), or a folder of alignments (`read_track`).
    reference
        Folder of the references; only with a folder of alignments.
    options
        How alignments are read, and what becomes of missing results.

    Raises
    ------
    ExperimentError
        If a folder of alignments comes without references, or a table with them.
    """
    if scores.is_dir():
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
    if not scores.exists():
        raise ExperimentError(f"{scores}: there is no such file or folder: check the path")
    if reference is not None:
        raise ExperimentError(f"{scores} is a table: {Argument('reference')} goes with a folder")
    for argument in ("filters", "columns", "predicates"):
        if getattr(options, argument):
            raise ExperimentError(
                f"{scores} is a table of scores: {Argument(argument)} goes with a folder of "
                "alignments"
            )
    table = read_scores(
        scores, on_mismatch=options.on_mismatch, lower_is_better=options.lower_is_better
    )
    return StudyInput(table, {str(scores): input_file(scores)})


def read_scored_tasks(
    alignments: Path | Mapping[tuple[str, str], Path],
    references: Path | Mapping[str, Path],
    options: StudyOptions,
) -> StudyInput:
    """Read the alignments of many tasks, and score them; copies of the focus are left out."""
    reader = options.reader
    results = read_tasks(alignments, references, options.filters, options.on_mismatch, reader)
    inputs: dict[str, InputFile] = {}
    for task, reference in results.references.items():
        read = (*results.alignments[task].values(), reference)
        inputs |= input_files(**{alignment.path: alignment for alignment in read})
    if options.focus is not None:
        results = _without_copies_of_focus(results, options.focus)
    table = score_track(results, on_mismatch=options.on_mismatch)
    of_references = map(str, track_cautions(results.references, reader))
    table = replace(table, cautions=(*of_references, *table.cautions))
    return StudyInput(table, inputs, results)


def _without_copies_of_focus(results: TrackResults, focus: str) -> TrackResults:
    """Return the results without the systems that equal the focus; a caution names them.

    A system equals the focus if both have the same correspondences on every task. An alignment that
    is missing has none.
    """
    by_task = results.alignments
    copies = [
        name
        for name in results.systems
        if name != focus
        and all(
            equal_alignments({key: of_task.get(key, Alignment()) for key in (focus, name)})
            for of_task in by_task.values()
        )
    ]
    if not copies:
        return results
    text = f"same correspondences as {focus}, so not compared with it: {', '.join(copies)}"
    return replace(
        results,
        alignments={
            task: {name: of_task[name] for name in of_task if name not in copies}
            for task, of_task in by_task.items()
        },
        systems=tuple(name for name in results.systems if name not in copies),
        cautions=(text, *results.cautions),
    )


def write_study(
    folder: Path, result: Study, presentation: Presentation, page_tables: Sequence[Table] = ()
) -> None:
    """Write tables, figures, ``summary.json``, the texts for a paper and the page of a study.

    Parameters
    ----------
    folder, result, presentation
        Where to, the study (`with_page_choices`), and how it is shown.
    page_tables
        Tables of the page; also as CSV, by their titles.
    """
    tables, view = folder / "tables", result.deciding
    scores = result.table.scores[:, [result.systems.index(name) for name in view.order]].tolist()
    rows = ([task, *line] for task, line in zip(result.table.tasks, scores, strict=True))
    write_rows(tables / "scores.csv", ["task", *view.order], rows)
    write_p_values(tables, view)
    pairs = presentation.tables["pairs"]()
    write_rows(tables / "pairs.csv", pairs.header, pairs.rows)
    write_json(folder / "summary.json", result.to_dict())
    write_paper(folder, presentation)
    write_systems(tables / "systems.csv", presentation)
    write_figures(folder / "figures", result, {})
    for table in page_tables:
        write_rows(tables / f"{table.stem}.csv", table.header, table.rows)
    diagram = ""
    if result.focus is None:
        drawn = folder / "figures" / "critical-difference.svg"
        diagram = drawn.read_text(encoding="utf-8")
    write_text(
        folder / "report.html", study_report(result, presentation, diagram, page_tables).to_html()
    )


def with_page_choices(result: Study) -> Study:
    """Return the study with all that the page's reader can choose; with a focus, that is nothing.

    With few systems these are all tests and corrections.
    """
    if result.focus is not None:
        return result
    if len(result.systems) > FEW_SYSTEMS:
        return with_alternatives(result, [result.correction])
    return with_alternatives(with_every_test(result))
