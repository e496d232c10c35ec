"""Several tasks: every one matched with every metric, and studied together by the scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path

from alignrank.common.names import enumeration
from alignrank.common.results import Caution, Provenance
from alignrank.common.table import write_rows
from alignrank.evaluation import AnalysisSettings
from alignrank.evaluation.multitask import Study, study
from alignrank.evaluation.multitask.study import study_with_choices
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.input_cautions import left_out_kinds, out_of_reach
from alignrank.experiments.inputs.named_inputs import slugs
from alignrank.experiments.presentation.present import Presentation, present_study
from alignrank.experiments.report.console import finish, is_verbose, say, tell_failures
from alignrank.experiments.report.publish import print_result, write_study
from alignrank.experiments.results.folder import read_results, results_folder
from alignrank.experiments.results.steps import (
    DONE,
    Batch,
    Steps,
    fingerprint,
    is_done,
    metric_files,
)
from alignrank.matchers import select_metrics
from alignrank.ontologies import write_alignment
from alignrank.ontologies.tasks import MatchingTask

from .rank import RankOptions, recorded_settings
from .task_results import (
    TaskResult,
    cut_by_other_tasks,
    f1_of_choice,
    match_tasks,
    pooled_view,
    print_summaries,
    score_table,
    summarise,
    task_ontologies,
    without_strangers,
)

UNCUT = (
    "nothing was cut: every metric matches whatever it can, and F1 favours those that find little. "
    "Leave --threshold out: each task is then cut where the other tasks say that it is best."
)


def rank_tasks(
    tasks: Sequence[MatchingTask],
    names: Sequence[str],
    options: RankOptions,
    *,
    imports: Path | None,
    out: Path | None,
    overwrite: bool,
    resume: bool,
) -> int:
    """Match several tasks with every metric, print and write (`alignrank rank --task`).

    They are compared by their scores, with the tests for several tasks.

    Parameters
    ----------
    tasks, names
        Two tasks or more, and how the user called them.
    options
        How to match and decide; of the tests on one task only the default can be asked for.
    imports
        Folder with local copies of what the ontologies import.
    out, overwrite
        The results folder; None: results are only printed.
    resume
        Whether to go on with the tasks that an earlier run had finished.

    Returns
    -------
    int
        Exit code: 1 if tasks failed, which are told of at the end; the others are compared.
    """
    if options.test is not None or options.views:
        option = f"--test {options.test}"
        if options.views:
            option = "--view"
        raise ExperimentError(
            f"{option} compares metrics on one task; several are compared by "
            "Wilcoxon's signed-rank test (for another: alignrank study on tables/scores.csv)"
        )
    options.refuse_contradictions()
    metrics = select_metrics(options.metrics)
    files = [path for task in tasks for path in (task.source, task.target, task.reference)]
    made_of = fingerprint(
        {**asdict(options), "tasks": names}, [*files, *metric_files(metrics), imports]
    )
    if resume and out is not None and is_done(out, made_of):
        say(f"{out}: {DONE}")
        finish(read_results(out))
        return 0
    steps = Steps(out, resume=resume, overwrite=overwrite)
    batch = Batch()
    results = match_tasks(
        tasks,
        metrics,
        options.settings,
        imports=imports,
        steps=steps,
        reader=options.reader,
        batch=batch,
    )
    if len(results) < 2:
        why = "; ".join(f"{name}: {reason}" for name, reason in batch.failures.items())
        raise ExperimentError(f"fewer than two tasks are left to compare by: {why}")
    thresholds: dict[str, dict[str, float]] = {}
    if options.is_crossfitted:
        results, thresholds = cut_by_other_tasks(results)
    analysis = AnalysisSettings(correction=options.correction, alpha=options.alpha)
    studied = study(score_table(results), analysis)
    result = _summarised(studied, results, thresholds, names, options)
    presentation, figure_error = present_study(result), None
    if out is not None:
        result = study_with_choices(result)
        facts = {"assignment": options.settings.method}
        if not batch.failures:
            facts["fingerprint"] = made_of
        with results_folder(out, overwrite=overwrite, facts=facts) as folder:
            figure_error = _publish(folder, result, presentation, results)
        if not batch.failures:
            steps.forget()
    print_result(presentation)
    if is_verbose():
        print_summaries(result.by_kind)
    finish(result, out)
    exit_code = tell_failures(batch.failures, "task")
    if figure_error is not None:
        raise figure_error
    return exit_code


def _summarised(
    studied: Study,
    results: Sequence[TaskResult],
    thresholds: Mapping[str, Mapping[str, float]],
    names: Sequence[str],
    options: RankOptions,
) -> Study:
    """Return the study with its cautions, its settings and the metrics by kind of entity."""
    cautions = []
    if not (thresholds or options.settings.least):
        cautions.append(Caution("uncut", UNCUT))
    cautions += dict.fromkeys(chain.from_iterable(r.cautions for r in results))
    cautions += out_of_reach([(r.reference, r.source) for r in results], options.settings)
    cautions += left_out_kinds(sum(r.left_out for r in results))
    if thresholds and (kin := without_strangers(task_ontologies(results))):
        text = (
            f"every other task shares an ontology with {enumeration(kin)}: these tasks chose the "
            "threshold there, so it was not chosen independently"
        )
        cautions.append(Caution("shared-thresholds", text))
    settings = {
        "command": "rank",
        "tasks": list(names),
        **recorded_settings(options, studied.deciding),
    }
    inputs = {name: file for r in results for name, file in r.inputs.items()}
    return replace(
        studied,
        by_kind=tuple(summarise(results)),
        cautions=(*cautions, *studied.cautions),
        thresholds=thresholds,
        f1_of_choice=f1_of_choice(studied.table, results),
        pooled=pooled_view(results, studied.settings),
        provenance=Provenance(settings, inputs),
    )


def _publish(
    folder: Path, result: Study, presentation: Presentation, results: Sequence[TaskResult]
) -> ExperimentError | None:
    """Write the study, each task's alignments, and the scores by task and kind.

    Return the error of `write_figures`, if it has one.
    """
    names = slugs(list(results[0].alignments))
    folders = slugs([r.task.name for r in results])
    for r in results:
        for metric, alignment in r.alignments.items():
            path = folder / "alignments" / folders[r.task.name] / f"{names[metric]}.rdf"
            write_alignment(alignment, path)
    rows = (
        (r.task.name, metric, kind, len(c.reference), len(c.found), *vars(c.scores()).values())
        for r in results
        for metric, parts in r.credits.items()
        for kind, c in parts.items()
    )
    header = ["task", "metric", "kind", "reference", "found", "precision", "recall", "f1"]
    write_rows(folder / "tables" / "by-task-and-kind.csv", header, rows)
    rows_by_kind = []
    for summary in result.by_kind:
        cells = asdict(summary)
        low, high = cells.pop("correct_range") or (None, None)
        rows_by_kind.append({**cells, "correct_min": low, "correct_max": high})
    header = list(rows_by_kind[0])
    path = folder / "tables" / "by-kind.csv"
    write_rows(path, header, [list(row.values()) for row in rows_by_kind])
    return write_study(folder, result, presentation)
