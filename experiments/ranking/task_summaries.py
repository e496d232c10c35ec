"""A metric on many tasks: pooled and averaged, all kinds of entities together and one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from evaluation.credit.credits import PrecisionRecall, pooled
from experiments.report.console import console
from ontologies.common.wording import count

from .task_results import ALL, TaskResult


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
