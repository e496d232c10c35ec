"""The place of a system among the systems of past campaigns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from alignrank.common.names import count, enumeration, plain_name
from alignrank.common.table import latex_text
from alignrank.evaluation import AnalysisSettings, Comparison
from alignrank.evaluation.multitask import Study
from alignrank.evaluation.multitask.score_table import Mismatch
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import AlignmentOptions, read_on_task
from alignrank.experiments.inputs.named_inputs import named_files, tasks_by_name
from alignrank.experiments.presentation.columns import number_text
from alignrank.experiments.report.console import print_prose, say
from alignrank.ontologies import Alignment, read_alignment
from alignrank.ontologies.tasks import MatchingTask, archived, data_folders
from alignrank.ontologies.tasks.catalogue import published
from alignrank.ontologies.tasks.system_files import (
    by_system_and_task,
    past_files,
)

from .compare_files import write_and_print
from .kinds_of_input import Choices, Compared, compare_input
from .study_files import StudyOptions, read_scored_tasks, study_of, tell_study

#: Rates in percent are published to two decimals: half a unit of the second, and a little more.
_ROUNDING = 0.00501


def place(
    alignment: str,
    *,
    task: str = "anatomy",
    years: Sequence[str] = (),
    data: Path | None = None,
    on_mismatch: Mismatch = "refuse",
    out: Path | None = None,
    overwrite: bool = False,
) -> None:
    """Say where a system stands among those of past campaigns.

    The track's filter is applied. Systems with equal alignments are compared once. Of a track of
    several tasks the systems are compared over all of them, as by `study`.

    Raises
    ------
    OntologyError
        If no task has the name, no campaign was in a year, or its alignments were not fetched.
    """
    tasks = tasks_by_name([task], data)
    if len(tasks) > 1:
        options = StudyOptions(on_mismatch=on_mismatch)
        tell_study(placed_on_track(tasks, alignment, years, options), out, overwrite)
        return
    (solved,) = tasks
    mine, path = one_system(alignment, solved)
    choices = Choices(AnalysisSettings(focus=mine), AlignmentOptions(on_mismatch=on_mismatch))
    compared = placed(solved, path, years, choices)
    title = f"{len(compared.result.systems)} systems on {solved.name}"
    result = write_and_print(compared, choices, title=title, out=out, overwrite=overwrite)
    names = past_files(solved, years, taken=mine)
    published_rates: dict[str, tuple[float, ...]] = {}
    published_years: dict[str, None] = {}
    for year in sorted(years or archived(solved)):
        for system, rates in published(solved.track, year, data_folders(data)).items():
            for name in names.keys() & {system, f"{system}-{year}"}:
                published_rates[name] = rates
                published_years[year] = None
    if published_years:
        print_prose(_agreement_with_published(result, [*published_years], published_rates))
    say(_latex_row(result, mine))


def one_system(alignment: str, task: MatchingTask) -> tuple[str, Path]:
    """Return the name and the file of a system on a task, from ``FILE`` or ``NAME=FILE``.

    Raises
    ------
    ExperimentError
        If it is a folder of several files.
    """
    (name, path), *further = named_files([alignment]).items()
    if further:
        raise ExperimentError(
            f"{alignment} holds {1 + len(further)} files, and {task.name} is one task: give the "
            "file for this task, or name a track of several tasks, as conference"
        )
    return name, path


def placed(
    task: MatchingTask, mine: Path | Alignment, years: Sequence[str], choices: Choices
) -> Compared:
    """Compare an alignment, the focus of the choices, with past campaigns' alignments.

    Chosen columns are those of the user's files: past systems are read without them.
    """
    focus = choices.analysis.focus or ""
    past = past_files(task, years, taken=focus)
    systems = {focus: mine, **{name: read_alignment(past[name], name=name) for name in past}}
    read = read_on_task(systems, task.reference, choices.alignments, choices.analysis)
    return compare_input(read, choices)


def placed_on_track(
    tasks: Sequence[MatchingTask],
    place: str,
    years: Sequence[str],
    options: StudyOptions,
) -> Study:
    """Study a system, the focus, with the systems of past campaigns over a track's tasks.

    Parameters
    ----------
    tasks
        Of one track.
    place
        The folder of the system's files ``TASK.rdf`` or ``SYSTEM-TASK.rdf``, or ``NAME=FOLDER``.
    years
        Campaigns; empty for all that are here.
    options
        The level, how alignments are read and what becomes of foreign files.

    Raises
    ------
    ExperimentError
        If there is no such folder, or it holds the files of several systems.
    """
    track = tasks[0].track
    name, _, folder_name = place.partition("=")
    if not folder_name or Path(place).exists():
        name, folder_name = "", place
    folder = Path(folder_name)
    if not folder.is_dir():
        raise ExperimentError(
            f"{track} is {len(tasks)} tasks, and {folder} is no folder: give the folder of a file "
            f"for each task ({tasks[0].name}.rdf, ...), or name one task, as "
            f"{track}/{tasks[0].name}"
        )
    files = by_system_and_task(folder, [task.name for task in tasks])
    names = sorted({system for system, _ in files})
    if len(names) > 1:
        raise ExperimentError(
            f"{folder} holds files of {enumeration(names)}: give the folder of one system"
        )
    mine = plain_name(name) or names[0]
    files = {(mine, case): path for (_, case), path in files.items()}
    for task in tasks:
        past = past_files(task, years, taken=mine)
        files |= {(system, task.name): path for system, path in past.items()}
    options = replace(options, focus=mine)
    references = {task.name: task.reference for task in tasks}
    return study_of(read_scored_tasks(files, references, options), options)


def _agreement_with_published(
    result: Comparison, years: Sequence[str], rates: Mapping[str, tuple[float, ...]]
) -> str:
    """Say whether published precision, recall and F1 equal the computed ones, in percent."""
    ours = {name: result.scores[name] for name in rates if name in result.scores}
    differing = []
    for name, scores in ours.items():
        computed = {"precision": scores.precision, "recall": scores.recall, "F1": scores.f1}
        deviations = [
            f"{rate} {percent:.2f} published, {100 * here:.2f} here"
            for (rate, here), percent in zip(computed.items(), rates[name], strict=True)
            if abs(100 * here - percent) > _ROUNDING
        ]
        if deviations:
            differing.append(f"{name} ({'; '.join(deviations)})")
    agreeing = f"{len(ours) - len(differing)} of {count(len(ours), 'system')}"
    sentence = f"The published precision, recall and F1 ({', '.join(years)}) of {agreeing} "
    sentence += "are those computed here"
    if differing:
        sentence += f"; not those of {', '.join(differing)}"
    return f"{sentence}."


def _latex_row(result: Comparison, mine: str) -> str:
    """Return the system's row for a table of a paper."""
    scores = result.scores[mine]
    rates = (number_text(rate) for rate in (scores.precision, scores.recall, scores.f1))
    ranks = dict.fromkeys(result.deciding.ranking.rank_sets[mine])  # one number or two
    cells = (latex_text(mine), *rates, "--".join(map(str, ranks)))
    return rf"{' & '.join(cells)} \\ % LaTeX: precision, recall, F1, rank"
