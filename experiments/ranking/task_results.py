"""One task matched with every metric: what it earned, by kind of entity, cut or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from evaluation.credit.counts import judged
from evaluation.credit.credits import Credits, PrecisionRecall, pooled, standard
from evaluation.multitask import ScoreTable
from experiments.inputs.input_cautions import check_reference
from experiments.inputs.named_inputs import read_reference
from experiments.report.console import console
from matchers import Metric, Settings, match_all, prepare
from ontologies import Alignment, Correspondence, Ontology, load_ontology
from ontologies.common.progress import track
from ontologies.common.wording import count
from ontologies.tasks import MatchingTask

from .thresholds import chosen_elsewhere
from .tie_proof import TieRange, tie_ranges

#: Part of a task that holds entities of every kind.
ALL = "all"


@dataclass(frozen=True)
class TaskResult:
    """What every metric made of one task.

    Parameters
    ----------
    task, source, reference
        The task's files, its source ontology and reference.
    alignments
        By metric.
    credits
        By metric, then by kind of entity (``all``: together): what the correspondences earned.
    ties
        By metric: what all its optimal assignments have in common.
    inputs
        Path and SHA-256 of each file.
    notes
        Sentences that the reader should know.
    """

    task: MatchingTask
    source: Ontology
    reference: Alignment
    alignments: Mapping[str, Alignment]
    credits: Mapping[str, Mapping[str, Credits]]
    ties: Mapping[str, TieRange]
    inputs: Mapping[str, Mapping[str, str]]
    notes: tuple[str, ...]


def match_task(
    task: MatchingTask, metrics: Sequence[Metric], settings: Settings, imports: Path | None = None
) -> TaskResult:
    """Load a task, match it with every metric and credit the correspondences by kind."""
    reference = read_reference(task.reference)
    source = load_ontology(task.source, imports=imports)
    target = load_ontology(task.target, imports=imports)
    notes = [f"{task.name}: {note}" for note in check_reference(reference, source, target)]
    candidates = prepare(source, target, settings)
    tracked = track(match_all(candidates, metrics), len(metrics), "metrics")
    matchings = {m.metric: m for m in tracked}
    equivalences = reference.where(lambda c: c.relation in ("=", "?"))
    return TaskResult(
        task=task,
        source=source,
        reference=reference,
        alignments={name: m.alignment for name, m in matchings.items()},
        credits={
            name: credits_by_kind(m.alignment, reference, source) for name, m in matchings.items()
        },
        ties=tie_ranges(matchings, equivalences),
        inputs={
            f"{task.name} {role}": {"path": str(path), "sha256": digest}
            for role, path, digest in (
                ("source", task.source, source.sha256),
                ("target", task.target, target.sha256),
                ("reference", task.reference, reference.sha256),
            )
        },
        notes=tuple(notes),
    )


def credits_by_kind(
    alignment: Alignment, reference: Alignment, source: Ontology
) -> dict[str, Credits]:
    """Return the credits of all correspondences, and of those of each kind of source entity."""
    kept = judged(alignment, reference)
    earned = standard(kept.alignment, kept.reference)

    def kind(c: Correspondence) -> str:
        return str(source.entities[c.entity1].kind) if c.entity1 in source else "undeclared"

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
    return ScoreTable(tuple(r.task.name for r in results), metrics, np.array(scores), "F1")


@dataclass(frozen=True)
class Summary:
    """One metric on all tasks, or on their entities of one kind.

    Parameters
    ----------
    metric, kind
        Which metric, and which kind of entity (``all``: together).
    tasks
        Tasks with a correspondence of the kind, found or right.
    reference, found, correct
        Correspondences over all tasks.
    correct_min, correct_max
        Smallest and largest number of correct ones that optimal assignments can have; only for
        ``all``.
    micro
        From the correspondences of all tasks together.
    macro_f1
        Mean of the tasks' F1.
    """

    metric: str
    kind: str
    tasks: int
    reference: int
    found: int
    correct: int
    correct_min: int | None
    correct_max: int | None
    micro: PrecisionRecall
    macro_f1: float


def summarise(results: Sequence[TaskResult]) -> list[Summary]:
    """Sum up every metric over all tasks, together and by kind, best first."""
    kinds = sorted({kind for r in results for parts in r.credits.values() for kind in parts})
    found = [_summary(results, metric, kind) for metric in results[0].alignments for kind in kinds]
    return sorted(found, key=lambda s: (kinds.index(s.kind), -s.macro_f1, s.metric))


def _summary(results: Sequence[TaskResult], metric: str, kind: str) -> Summary:
    # a task without a correspondence of the kind, found or right, says nothing about it
    parts = [r.credits[metric][kind] for r in results if kind in r.credits[metric]]
    together = pooled(parts)
    ties = [r.ties[metric] for r in results if metric in r.ties] if kind == ALL else []
    return Summary(
        metric=metric,
        kind=kind,
        tasks=len(parts),
        reference=len(together.reference),
        found=len(together.found),
        correct=round(float(together.found_credit.sum())),
        correct_min=sum(t.correct_min for t in ties) if ties else None,
        correct_max=sum(t.correct_max for t in ties) if ties else None,
        micro=together.scores(),
        macro_f1=fmean(part.scores().f1 for part in parts) if parts else 0.0,
    )


def print_summaries(summaries: Sequence[Summary]) -> None:
    """Print a table for each kind of entity; all kinds together come first."""
    from rich.table import Table

    out = console()
    for kind in sorted({s.kind for s in summaries}, key=lambda k: (k != ALL, k)):
        rows = [s for s in summaries if s.kind == kind]
        what = "every kind of entity" if kind == ALL else kind
        tasks = max(s.tasks for s in rows)
        if not rows[0].reference:
            most = max(s.found for s in rows)
            out.print(f"{what}: no reference correspondence; up to {most} found, all wrong\n")
            continue
        said = count(rows[0].reference, "reference correspondence")
        out.print(f"{what}: {said} in {count(tasks, 'task')}")
        table = Table(box=None, pad_edge=False)
        table.add_column("metric", no_wrap=True)
        for name in ("found", "correct", "precision", "recall", "micro F1", "mean F1"):
            table.add_column(name, justify="right", no_wrap=True)
        for s in rows:
            low, high = s.correct_min, s.correct_max
            correct = f"{s.correct}" + (f" [{low}–{high}]" if low != high else "")
            values = (s.micro.precision, s.micro.recall, s.micro.f1, s.macro_f1)
            table.add_row(s.metric, str(s.found), correct, *(f"{x:.3f}" for x in values))
        out.print(table)
        out.print()


def plain_summary(summary: Summary) -> dict[str, Any]:
    """Return a summary as a row of a table."""
    plain = asdict(summary)
    micro = plain.pop("micro")
    return plain | {f"micro_{name}": value for name, value in micro.items()}
