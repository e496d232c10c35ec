"""One task matched with every metric: what it earned, by kind of entity, whole or cut.

A threshold of a metric and task is chosen on other tasks: never on the task that it cuts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from alignrank.common.files import sha256, write_json
from alignrank.common.names import MutableTexts, count
from alignrank.common.progress import track
from alignrank.common.results import Caution, InputFile
from alignrank.evaluation import (
    AnalysisSettings,
    Credits,
    EntityClusters,
    Pairwise,
    parent_clusters,
    pooled,
    without_unknown,
)
from alignrank.evaluation.comparison.compare import compare_pooled
from alignrank.evaluation.comparison.contingency import incidence
from alignrank.evaluation.credit.credits import standard
from alignrank.evaluation.multitask import KindSummary, ScoreTable
from alignrank.evaluation.multitask.score_table import COMPUTED
from alignrank.experiments.inputs.input_cautions import (
    check_reference,
    evaluated_kinds,
    without_shared,
)
from alignrank.experiments.inputs.named_inputs import (
    input_files,
    slug,
)
from alignrank.experiments.presentation.columns import number_text
from alignrank.experiments.ranking.tie_proof import tie_ranges
from alignrank.experiments.report.console import console, print_numbers
from alignrank.experiments.results.steps import Batch, Steps, fingerprint, metric_files
from alignrank.matchers import Metric, Settings, match_all, prepare
from alignrank.ontologies import (
    Alignment,
    Ontology,
    load_ontology,
    read_alignment,
    write_alignment,
)
from alignrank.ontologies.tasks import MatchingTask
from alignrank.ontologies.tasks.reader import AlignmentReader

#: Part of a task that holds entities of every kind.
ALL = "all"
#: Thresholds to choose from.
GRID = np.linspace(0.0, 1.0, 101)


@dataclass(frozen=True)
class MatchedTask:
    """The alignments of one task, as a finished step keeps them.

    Parameters
    ----------
    alignments
        By metric, uncut.
    correct_ranges
        By metric: the smallest and the largest number of correct pairs of its optimal assignments.
    """

    alignments: Mapping[str, Alignment]
    correct_ranges: Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class TaskResult:
    """The results of every metric on one task.

    Parameters
    ----------
    task, source, reference
        The task's files, its source ontology and reference.
    target_clusters
        Cluster by target entity: classes that share a parent.
    matched
        What every metric matched, uncut.
    alignments
        By metric.
    credits
        By metric, then by kind of entity (``all``: together): what the correspondences earned.
    correct_ranges
        As `MatchedTask` has them.
    inputs
        Each file with its SHA-256.
    cautions
        Sentences that the reader must know.
    left_out
        Number of entities of kinds that the track does not evaluate.
    """

    task: MatchingTask
    source: Ontology
    target_clusters: Mapping[str, str]
    reference: Alignment
    matched: MatchedTask
    alignments: Mapping[str, Alignment]
    credits: Mapping[str, Mapping[str, Credits]]
    correct_ranges: Mapping[str, tuple[int, int]]
    inputs: Mapping[str, InputFile]
    cautions: tuple[Caution, ...]
    left_out: int


def match_task(
    task: MatchingTask,
    metrics: Sequence[Metric],
    settings: Settings,
    imports: Path | None = None,
    reader: AlignmentReader | None = None,
    matched: MatchedTask | None = None,
) -> TaskResult:
    """Load a task, match it with every metric and credit the correspondences by kind.

    Parameters
    ----------
    task, metrics, settings, imports, reader
        As `rank_tasks` has them.
    matched
        What an earlier run has matched; None: the task is matched now.
    """
    reference = (reader or AlignmentReader()).reference(task.reference)
    source = load_ontology(task.source, imports=imports)
    target = load_ontology(task.target, imports=imports)
    cautions = [
        caution.after(f"{task.name}: ") for caution in check_reference(reference, source, target)
    ]
    settings, left_out = evaluated_kinds(settings, task.rule, (source, target))
    settings, shared_cautions = without_shared(settings, reference, source, target)
    cautions += shared_cautions
    if matched is None:
        candidates = prepare(source, target, settings)
        matchings = {matching.metric: matching for matching in match_all(candidates, metrics)}
        equivalences = reference.where(lambda c: c.relation in ("=", "?"))
        ties = tie_ranges(matchings, equivalences)
        matched = MatchedTask(
            {name: matching.alignment for name, matching in matchings.items()},
            {name: (tie.correct_min, tie.correct_max) for name, tie in ties.items()},
        )
    files = input_files(source=source, target=target, reference=reference)
    return TaskResult(
        task=task,
        source=source,
        target_clusters=parent_clusters(target),
        reference=reference,
        matched=matched,
        alignments=matched.alignments,
        credits={
            name: credits_by_kind(a, reference, source) for name, a in matched.alignments.items()
        },
        correct_ranges=matched.correct_ranges,
        inputs={f"{task.name} {role}": file for role, file in files.items()},
        cautions=tuple(cautions),
        left_out=left_out,
    )


def match_tasks(
    tasks: Sequence[MatchingTask],
    metrics: Sequence[Metric],
    settings: Settings,
    *,
    imports: Path | None,
    steps: Steps,
    reader: AlignmentReader,
    batch: Batch,
) -> list[TaskResult]:
    """Match every task, on a cluster's workers where one is in use; keep each as a step.

    What was matched in a finished step is not matched again. What fails is noted in `batch`.
    """
    choices = {
        **asdict(settings),
        "metrics": [metric.name for metric in metrics],
        "columns": reader.columns,
        "predicates": list(reader.predicates),
    }
    parts, depends_on = {}, {}
    for task in tasks:
        files = (task.source, task.target, task.reference, *metric_files(metrics), imports)
        depends_on[task.name] = fingerprint({**choices, "track": task.track}, files)
        finished = steps.finished(slug(task.name), depends_on[task.name])
        matched = finished and kept(finished)
        parts[task.name] = (task, metrics, settings, imports, reader, matched)
    results = []
    for name, result in track(batch.results(match_task, parts), len(parts), "tasks"):
        if steps.kept:
            fill = partial(keep, matched=result.matched)
            steps.step(slug(name), depends_on[name], fill)
        results.append(result)
    return results


def credits_by_kind(
    alignment: Alignment, reference: Alignment, source: Ontology
) -> dict[str, Credits]:
    """Return the credits of all correspondences together, and by kind of source entity."""
    evaluated = without_unknown(alignment, reference)
    earned = standard(evaluated.alignment, evaluated.reference)
    return {ALL: earned} | earned.parts(lambda c: source.kind_of(c.entity1))


def cut_by_other_tasks(
    results: Sequence[TaskResult],
) -> tuple[list[TaskResult], dict[str, dict[str, float]]]:
    """Cut every alignment at a threshold chosen on other tasks; return the thresholds by metric.

    The ranges over ties are those of the whole assignments: a cut alignment has none.
    """
    paired = task_ontologies(results)
    thresholds = {
        metric: chosen_elsewhere({r.task.name: r.credits[metric][ALL] for r in results}, paired)
        for metric in results[0].alignments
    }
    cut = []
    for r in results:
        alignments = {
            metric: alignment.at_least(thresholds[metric][r.task.name])
            for metric, alignment in r.alignments.items()
        }
        earned = {m: credits_by_kind(a, r.reference, r.source) for m, a in alignments.items()}
        cut.append(replace(r, alignments=alignments, credits=earned, correct_ranges={}))
    return cut, thresholds


def task_ontologies(results: Sequence[TaskResult]) -> dict[str, frozenset[str]]:
    """Return which ontologies each task pairs; equal files are one ontology."""
    names = ontology_names([(r.task.source, r.task.target) for r in results])
    return {r.task.name: frozenset(pair) for r, pair in zip(results, names, strict=True)}


def score_table(results: Sequence[TaskResult]) -> ScoreTable:
    """Return F1 of every metric on every task."""
    metrics = tuple(results[0].alignments)
    scores = [[r.credits[metric][ALL].scores().f1 for metric in metrics] for r in results]
    ontologies = ontology_names([(r.task.source, r.task.target) for r in results])
    names = tuple(r.task.name for r in results)
    table = np.array(scores)
    return ScoreTable(names, metrics, table, "F1", ontologies=ontologies, rounding=COMPUTED)


def pooled_view(results: Sequence[TaskResult], settings: AnalysisSettings) -> Pairwise:
    """Compare the metrics on these very tasks, by the source entities of all of them."""
    tables = [incidence(r.alignments, r.reference) for r in results]
    source_clusters: MutableTexts = {}
    target_clusters: MutableTexts = {}
    for r in results:
        source_clusters |= parent_clusters(r.source)
        target_clusters |= r.target_clusters
    clusters = EntityClusters(source_clusters, target_clusters)
    return compare_pooled(tables, replace(settings, clusters=clusters))


def f1_of_choice(table: ScoreTable, results: Sequence[TaskResult]) -> float:
    """Return the mean F1 of the best metric, chosen for each task on other tasks."""
    paired = task_ontologies(results)
    row_of = {task: row for row, task in enumerate(table.tasks)}
    values = []
    for task, row in row_of.items():
        elsewhere = [row_of[name] for name in other_tasks(task, paired)]
        best = int(table.scores[elsewhere].mean(axis=0).argmax())
        values.append(float(table.scores[row, best]))
    return fmean(values)


def ontology_names(files: Sequence[tuple[Path, Path]]) -> tuple[tuple[str, str], ...]:
    """Return the names of each task's two ontologies; equal files have the same name.

    An ontology is known by its bytes, and called by its first file.
    """
    digests = {path: sha256(path.read_bytes()) for path in chain.from_iterable(files)}
    stems: MutableTexts = {}
    for path, digest in digests.items():
        names = path.stem, f"{path.parent.name}/{path.stem}", str(path)
        if digest not in stems:
            stems[digest] = next(name for name in names if name not in stems.values())
    return tuple((stems[digests[source]], stems[digests[target]]) for source, target in files)


def summarise(results: Sequence[TaskResult]) -> list[KindSummary]:
    """Sum up every metric over all tasks, together and by kind, best first."""
    kinds = sorted({kind for r in results for parts in r.credits.values() for kind in parts})
    summaries = [
        _summary(results, metric, kind) for metric in results[0].alignments for kind in kinds
    ]
    return sorted(summaries, key=lambda s: (kinds.index(s.kind), -(s.macro_f1 or 0.0), s.metric))


def _summary(results: Sequence[TaskResult], metric: str, kind: str) -> KindSummary:
    # a task without a correspondence of the kind, found or right, says nothing about it
    parts = [r.credits[metric][kind] for r in results if kind in r.credits[metric]]
    together = pooled(parts)
    micro, macro_f1 = together.scores(), 0.0
    if parts:
        macro_f1 = fmean(task_credits.scores().f1 for task_credits in parts)
    ranges = [r.correct_ranges[metric] for r in results if metric in r.correct_ranges]
    limits = None
    if ranges and kind == ALL:
        limits = sum(low for low, _ in ranges), sum(high for _, high in ranges)
    return KindSummary(
        metric=metric,
        kind=kind,
        tasks=len(parts),
        reference=len(together.reference),
        found=len(together.found),
        correct=round(float(together.found_credit.sum())),
        correct_range=limits,
        macro_f1=macro_f1,
        micro_precision=micro.precision,
        micro_recall=micro.recall,
        micro_f1=micro.f1,
    )


def print_summaries(summaries: Sequence[KindSummary]) -> None:
    """Print a table for each kind of entity; all kinds together come first."""
    out = console()
    header = ["metric", "found", "correct", "precision", "recall", "micro F1", "mean F1"]
    for kind in sorted({s.kind for s in summaries}, key=lambda k: (k != ALL, k)):
        of_kind = [s for s in summaries if s.kind == kind]
        entities = kind
        if kind == ALL:
            entities = "every kind of entity"
        if not of_kind[0].reference:
            largest = max(s.found for s in of_kind)
            out.print(
                f"{entities}: no reference correspondence; up to {largest} found, all wrong\n"
            )
            continue
        reference = count(of_kind[0].reference, "reference correspondence")
        tasks = count(max(s.tasks for s in of_kind), "task")
        out.print(f"{entities}: {reference} in {tasks}")
        rows = [
            [
                s.metric,
                str(s.found),
                _with_range(s.correct, s.correct_range),
                *map(number_text, (s.micro_precision, s.micro_recall, s.micro_f1, s.macro_f1)),
            ]
            for s in of_kind
        ]
        print_numbers(header, rows)
        out.print()


def _with_range(number: int, limits: tuple[int, int] | None) -> str:
    """Return a number with the range that it can have; without one where the range is a point.

    Examples
    --------
    >>> _with_range(7, (5, 8)), _with_range(7, (7, 7)), _with_range(7, None)
    ('7 [5–8]', '7', '7')
    """
    if limits is None or limits[0] == limits[1]:
        return str(number)
    return f"{number} [{limits[0]}–{limits[1]}]"


def f1_by_threshold(earned: Credits) -> NDArray[np.float64]:
    """Return F1 at every threshold of `GRID`: 2 correct / (found + reference).

    Examples
    --------
    >>> from alignrank.evaluation.credit.credits import standard
    >>> from alignrank.ontologies import Alignment, Correspondence
    >>> found = Alignment([Correspondence("a", "x", "=", 0.9), Correspondence("b", "y", "=", 0.2)])
    >>> values = f1_by_threshold(standard(found, Alignment([Correspondence("a", "x")])))
    >>> values[[0, 50, 95]].round(3).tolist()
    [0.667, 1.0, 0.0]
    """
    confidence = np.array([c.confidence for c in earned.found])
    is_kept = confidence[None, :] >= GRID[:, None]
    sizes = is_kept.sum(axis=1) + earned.reference_weight.sum()
    values: NDArray[np.float64] = 2.0 * (is_kept @ earned.found_credit) / np.maximum(sizes, 1.0)
    return values


def chosen_elsewhere(
    earned: Mapping[str, Credits], ontologies: Mapping[str, frozenset[str]]
) -> dict[str, float]:
    """Return for each task the threshold with the best mean F1 on other tasks.

    Parameters
    ----------
    earned
        Credits of one metric's uncut alignment, by task; at least two tasks.
    ontologies
        By task: which ontologies it pairs. Where there are tasks that share none of them, only
        those choose; else every other task does.

    Returns
    -------
    dict
        Threshold by task; the lowest of several that are equally good.
    """
    curves = {task: f1_by_threshold(task_credits) for task, task_credits in earned.items()}
    return {task: _best([curves[t] for t in other_tasks(task, ontologies)]) for task in earned}


def without_strangers(ontologies: Mapping[str, frozenset[str]]) -> list[str]:
    """Return the tasks that share an ontology with every other task.

    Examples
    --------
    >>> without_strangers({"a-b": frozenset("ab"), "b-c": frozenset("bc"), "c-d": frozenset("cd")})
    ['b-c']
    """
    return [
        task
        for task, own in ontologies.items()
        if all(own & other_entities for name, other_entities in ontologies.items() if name != task)
    ]


def other_tasks(task: str, ontologies: Mapping[str, frozenset[str]]) -> list[str]:
    """Return the tasks that share no ontology with one; where there are none, all but it."""
    other_names = [t for t in ontologies if t != task]
    strangers = [t for t in other_names if not ontologies[t] & ontologies[task]]
    return strangers or other_names


def _best(curves: Sequence[NDArray[np.float64]]) -> float:
    # rounded, so that the order of summation cannot decide between equals
    return float(GRID[int(np.round(np.mean(curves, axis=0), 12).argmax())])


_RANGES = "correct-ranges.json"


def keep(folder: Path, matched: MatchedTask) -> None:
    """Write a step's folder: an alignment for each metric, in their order, and the ranges."""
    for number, alignment in enumerate(matched.alignments.values()):
        write_alignment(alignment, folder / f"{number}.jsonl")
    write_json(folder / _RANGES, matched.correct_ranges)


def kept(folder: Path) -> MatchedTask:
    """Read the folder of a finished step."""
    ranges = json.loads((folder / _RANGES).read_text(encoding="utf-8"))
    alignments = {
        name: read_alignment(folder / f"{number}.jsonl", name=name)
        for number, name in enumerate(ranges)
    }
    return MatchedTask(alignments, {name: (low, high) for name, (low, high) in ranges.items()})
