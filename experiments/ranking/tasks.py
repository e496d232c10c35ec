"""Tasks by name: one is ranked as its files would be; several are matched and studied together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from evaluation.multitask import Study, study
from evaluation.ranking.graph import enumeration
from experiments.comparing.study_files import print_study, write_study
from experiments.errors import ExperimentError
from experiments.inputs.input_cautions import out_of_reach
from experiments.inputs.named_inputs import slugs
from experiments.report.console import finish, print_notes
from experiments.results.folder import check_free, results_folder, version
from experiments.results.writing import finite
from matchers import Settings, select_metrics
from ontologies import write_alignment
from ontologies.common.progress import track
from ontologies.common.table import write_rows
from ontologies.tasks import MatchingTask, data_folders, find_tasks

from .pair import rank_pair
from .rank import plain_settings
from .task_results import (
    Summary,
    TaskResult,
    cut_by_other_tasks,
    match_task,
    plain_summary,
    print_summaries,
    score_table,
    summarise,
    task_ontologies,
)
from .thresholds import check_protocol, without_strangers

UNCUT = (
    "nothing was cut: every metric matches whatever it can, and F1 favours those that find little. "
    "--threshold best cuts each task where the other tasks say that it is best."
)


def tasks_by_name(names: Sequence[str], data: Path | None) -> list[MatchingTask]:
    """Return the tasks of all names.

    Raises
    ------
    ExperimentError
        If two tasks are called the same, or the data folder is not there.
    """
    if data is not None and not data.is_dir():
        raise ExperimentError(f"--data {data}: there is no such folder")
    tasks = list(chain.from_iterable(find_tasks(name, data_folders(data)) for name in names))
    taken: set[str] = set()
    for task in tasks:
        if task.name in taken:
            raise ExperimentError(
                f"two tasks are called {task.name!r}: name each once with --task, and call their "
                "folders differently"
            )
        taken.add(task.name)
    return tasks


def rank_tasks(
    names: Sequence[str],
    *,
    data: Path | None,
    metrics: Sequence[str],
    settings: Settings,
    imports: Path | None,
    correction: str,
    alpha: float,
    out: Path | None,
    overwrite: bool,
    **single: Any,
) -> None:
    """Match the named tasks with every metric, print and write (`alignrank rank --task`).

    One task is ranked by its correspondences, as its three files would be; several by their
    scores, with the tests for several tasks.

    Parameters
    ----------
    single
        What only the ranking of one task takes: ``test``, ``best_threshold``, ``seed``.
    """
    tasks = tasks_by_name(names, data)
    if len(tasks) == 1:
        task = tasks[0]
        rank_pair(
            task.source,
            task.target,
            task.reference,
            metrics=metrics,
            settings=settings,
            imports=imports,
            correction=correction,
            alpha=alpha,
            out=out,
            overwrite=overwrite,
            **single,
        )
        return
    if single["test"] != "mid-p":
        raise ExperimentError(
            f"--test {single['test']} compares metrics on one task; several are compared by "
            "Wilcoxon's signed-rank test (for another: alignrank study on tables/scores.csv)"
        )
    if single["best_threshold"]:
        check_protocol(settings)
    if out is not None:
        check_free(out, overwrite=overwrite)
    chosen = select_metrics(metrics)
    results = [
        match_task(task, chosen, settings, imports) for task in track(tasks, len(tasks), "tasks")
    ]
    thresholds: dict[str, dict[str, float]] = {}
    kin: list[str] = []
    if single["best_threshold"]:
        results, thresholds = cut_by_other_tasks(results)
        kin = without_strangers(task_ontologies(results))
    table = score_table(results)
    result = study(table, correction=correction, alpha=alpha)
    summaries = summarise(results)
    notes = list(dict.fromkeys(chain.from_iterable(r.notes for r in results)))
    notes += out_of_reach([(r.reference, r.source) for r in results], settings)
    if not thresholds and not settings.threshold:
        notes.append(UNCUT)
    if kin:
        notes.append(
            f"every other task shares an ontology with {enumeration(kin)}: these tasks chose the "
            "threshold there, so it was not chosen independently"
        )
    if out is not None:
        chosen_settings = {
            "command": "rank",
            "tasks": list(names),
            **plain_settings(settings),
            "metrics": list(table.systems),
            "test": result.test,
            "correction": correction,
            "alpha": alpha,
            **({"threshold": "best"} if thresholds else {}),
        }
        with results_folder(out, overwrite=overwrite) as folder:
            _write(folder, results, result, summaries, chosen_settings, notes, thresholds)
    print_summaries(summaries)
    print_study(result)
    print_notes(notes)
    finish(result.to_dict(), out)


def _write(
    folder: Path,
    results: Sequence[TaskResult],
    result: Study,
    summaries: Sequence[Summary],
    settings: Mapping[str, Any],
    notes: Sequence[str],
    thresholds: Mapping[str, Mapping[str, float]],
) -> None:
    """Write the study, each task's alignments, and the scores by task and kind."""
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
    plain = [plain_summary(s) for s in summaries]
    write_rows(folder / "tables" / "by-kind.csv", list(plain[0]), [list(p.values()) for p in plain])
    content = {
        **result.to_dict(),
        "by_kind": plain,
        "notes": list(notes),
        "thresholds": thresholds,
        "settings": settings,
        "inputs": {name: file for r in results for name, file in r.inputs.items()},
        "version": version(),
    }
    write_study(folder, result, finite(content))
