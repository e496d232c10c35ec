"""One task matched with every metric: what it earned, by kind of entity, whole or cut.

A threshold of a metric and task is chosen on other tasks: never on what it is judged by.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from alignrank.common.files import sha256
from alignrank.common.names import count
from alignrank.common.progress import track
from alignrank.common.results import Caution, InputFile
from alignrank.evaluation.comparison.compare import compare_pooled
from alignrank.evaluation.comparison.contingency import incidence
from alignrank.evaluation.comparison.pairwise import Pairwise
from alignrank.evaluation.comparison.settings import AnalysisSettings, EntityClusters
from alignrank.evaluation.credit.counts import judged
from alignrank.evaluation.credit.credits import Credits, pooled, standard
from alignrank.evaluation.multitask import KindSummary, ScoreTable
from alignrank.evaluation.multitask.score_table import COMPUTED
from alignrank.evaluation.significance.clustered import parent_clusters
from alignrank.experiments.inputs.input_cautions import check_reference, only_judged, without_shared
from alignrank.experiments.inputs.named_inputs import (
    filters_in_force,
    input_files,
    read_reference,
    siblings_in,
    slug,
)
from alignrank.experiments.presentation.columns import decimals, with_range
from alignrank.experiments.ranking.rank import MatchedPair
from alignrank.experiments.ranking.tie_proof import TieRange, tie_ranges
from alignrank.experiments.report.console import console, print_numbers
from alignrank.experiments.results.folder import write_json
from alignrank.experiments.results.steps import Steps, fingerprint, metric_files
from alignrank.matchers import Matching, Metric, Settings, match_all, prepare
from alignrank.ontologies import (
    Alignment,
    Correspondence,
    Kind,
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
class TaskResult:
    """What every metric made of one task.

    Parameters
    ----------
    task, source, reference
        The task's files, its source ontology and reference.
    target_clusters
        Cluster by target entity: classes that share a parent.
    alignments
        By metric.
    credits
        By metric, then by kind of entity (``all``: together): what the correspondences earned.
    ties
        By metric: what all its optimal assignments have in common.
    inputs
        Each file with its SHA-256.
    cautions
        Sentences that the reader must know.
    left_out
        Entities of kinds that the track does not judge.
    """

    task: MatchingTask
    source: Ontology
    target_clusters: Mapping[str, str]
    reference: Alignment
    alignments: Mapping[str, Alignment]
    credits: Mapping[str, Mapping[str, Credits]]
    ties: Mapping[str, TieRange]
    inputs: Mapping[str, InputFile]
    cautions: tuple[Caution, ...]
    left_out: int


def match_task(
    task: MatchingTask,
    metrics: Sequence[Metric],
    settings: Settings,
    imports: Path | None = None,
    steps: Steps | None = None,
    reader: AlignmentReader | None = None,
) -> TaskResult:
    """Load a task, match it with every metric and credit the correspondences by kind.

    What was matched in a finished step is not matched again.
    """
    reference = read_reference(task.reference, reader)
    source = load_ontology(task.source, imports=imports)
    target = load_ontology(task.target, imports=imports)
    cautions = [
        replace(caution, text=f"{task.name}: {caution.text}")
        for caution in check_reference(reference, source, target)
    ]
    settings, left_out = only_judged(settings, filters_in_force((), task.track), (source, target))
    settings, of_shared = without_shared(settings, reference, source, target)
    cautions += of_shared

    def matched() -> MatchedPair:
        tracked = track(
            match_all(prepare(source, target, settings), metrics), len(metrics), "metrics"
        )
        matchings = {m.metric: m for m in tracked}
        equivalences = reference.where(lambda c: c.relation in ("=", "?"))
        return MatchedPair(matchings, ranges=tie_ranges(matchings, equivalences))

    if steps is None or not steps.kept:
        matched_pair = matched()
    else:
        choices = {**asdict(settings), "metrics": [metric.name for metric in metrics]}
        read = {"ontologies": (source.sha256, target.sha256, reference.sha256)}
        depends_on = fingerprint({**choices, **read}, [*metric_files(metrics), imports])
        matched_pair = kept(steps.step(slug(task.name), depends_on, lambda at: keep(at, matched())))
    files: dict[str, Ontology | Alignment] = {"source": source, "target": target}
    files["reference"] = reference
    return TaskResult(
        task=task,
        source=source,
        target_clusters=parent_clusters(target),
        reference=reference,
        alignments=matched_pair.alignments,
        credits={
            name: credits_by_kind(a, reference, source)
            for name, a in matched_pair.alignments.items()
        },
        ties=matched_pair.ranges or {},
        inputs=input_files(**{f"{task.name} {role}": read for role, read in files.items()}),
        cautions=tuple(cautions),
        left_out=left_out,
    )


def credits_by_kind(
    alignment: Alignment, reference: Alignment, source: Ontology
) -> dict[str, Credits]:
    """Return the credits of all correspondences, and of those of each kind of source entity."""
    evaluated = judged(alignment, reference)
    earned = standard(evaluated.alignment, evaluated.reference)

    def kind(c: Correspondence) -> str:
        if c.entity1 not in source:
            return "undeclared"
        return str(source.entities[c.entity1].kind)

    kinds = sorted({kind(c) for c in (*earned.found, *earned.reference)})
    return {ALL: earned} | {
        name: earned.where(lambda c, name=name: kind(c) == name)  # type: ignore[misc]
        for name in kinds
    }


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
        cut.append(replace(r, alignments=alignments, credits=earned, ties={}))
    return cut, thresholds


def task_ontologies(results: Sequence[TaskResult]) -> dict[str, frozenset[str]]:
    """Return which ontologies each task pairs."""
    return {r.task.name: frozenset(map(str, (r.task.source, r.task.target))) for r in results}


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
    clusters = siblings_in(r.source for r in results)
    target_clusters: dict[str, str] = {}
    for r in results:
        target_clusters |= r.target_clusters
    pooling = replace(settings, clusters=EntityClusters(clusters, target_clusters))
    return compare_pooled(tables, pooling)


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
    """Return what the two ontologies of each task are called: equal ones have the same name.

    An ontology is known by its bytes, and called by its first file.
    """
    digests = {path: sha256(path.read_bytes()) for path in chain.from_iterable(files)}
    stems: dict[str, str] = {}
    for path, digest in digests.items():
        name = path.stem
        if name in stems.values():
            name = f"{path.parent.name}/{name}"
        stems.setdefault(digest, name)
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
    ties = [r.ties[metric] for r in results if metric in r.ties]
    limits = None
    if ties and kind == ALL:
        limits = sum(t.correct_min for t in ties), sum(t.correct_max for t in ties)
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
                with_range(s.correct, s.correct_range),
                *map(decimals, (s.micro_precision, s.micro_recall, s.micro_f1, s.macro_f1)),
            ]
            for s in of_kind
        ]
        print_numbers(header, rows)
        out.print()


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


_FACTS = "matched.json"


def keep(folder: Path, matched: MatchedPair) -> None:
    """Write what `kept` reads: an alignment for each metric, in their order, and the facts.

    The matchings' ties are kept as their ranges, which are to be known.
    """
    for number, matching in enumerate(matched.matchings.values()):
        write_alignment(matching.alignment, folder / f"{number}.jsonl")
    facts = {
        "matchings": [
            {"metric": m.metric, "totals": m.totals, "clipped": m.clipped, "order": m.order}
            for m in matched.matchings.values()
        ],
        "thresholds": matched.thresholds,
        "cautions": [asdict(caution) for caution in matched.cautions],
        "ranges": {
            name: {
                fact: sorted(value) if isinstance(value, frozenset) else value
                for fact, value in vars(tie_range).items()
            }
            for name, tie_range in (matched.ranges or {}).items()
        },
    }
    write_json(folder / _FACTS, facts)


def kept(folder: Path) -> MatchedPair:
    """Return what `keep` has written; the ties are known by their ranges only."""
    facts = json.loads((folder / _FACTS).read_text(encoding="utf-8"))
    matchings = {
        fields["metric"]: Matching(
            read_alignment(folder / f"{number}.jsonl", name=fields["metric"]),
            fields["metric"],
            {Kind(kind): total for kind, total in fields["totals"].items()},
            fields["clipped"],
            fields["order"],
        )
        for number, fields in enumerate(facts["matchings"])
    }
    ranges = {}
    for name, tie_range in facts["ranges"].items():
        pairs = {k: frozenset(map(tuple, v)) for k, v in tie_range.items() if isinstance(v, list)}
        ranges[name] = TieRange(**(tie_range | pairs))
    thresholds = {
        name: (_number(low), _number(middle), _number(high))
        for name, (low, middle, high) in facts["thresholds"].items()
    }
    return MatchedPair(
        matchings, thresholds, tuple(Caution(**caution) for caution in facts["cautions"]), ranges
    )


def _number(threshold: float | None) -> float:
    """Return a threshold; JSON knows no infinite one, which keeps nothing."""
    if threshold is None:
        return math.inf
    return threshold
