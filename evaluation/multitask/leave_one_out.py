"""Tasks that share ontologies are not independent: decide again without each ontology."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.ranking.layout import Edge
from ontologies.common.tables import Tabular

from .decision import decide
from .score_table import ScoreTable


@dataclass(frozen=True)
class LeftOut(Tabular):
    """What is left of the significant differences without one ontology.

    Parameters
    ----------
    ontology
        The ontology whose tasks were left out.
    tasks
        How many tasks remain.
    edges
        Pairs (better, worse) that are significant on them.
    lost, gained
        Pairs of the whole table that no longer are, and those that only now are.
    """

    ontology: str
    tasks: int
    edges: tuple[Edge, ...]
    lost: tuple[Edge, ...]
    gained: tuple[Edge, ...]


def task_ontologies(tasks: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the two ontologies of each task, or nothing if the names do not tell them.

    Names tell them if each has two parts around one hyphen, as ``cmt-conference`` has, and some
    ontology occurs in several tasks but none in all. Case does not count.

    Examples
    --------
    >>> task_ontologies(["cmt-confOf", "cmt-ekaw", "confof-ekaw"])
    (('cmt', 'confof'), ('cmt', 'ekaw'), ('confof', 'ekaw'))
    >>> task_ontologies(["data-1", "data-2", "test-1"]), task_ontologies(["Wine", "Zoo"])
    ((), ())
    """
    pairs = [tuple(task.casefold().split("-")) for task in tasks]
    if any(len(pair) != 2 or not all(pair) for pair in pairs):
        return ()
    if any(name.isdecimal() for pair in pairs for name in pair):  # tasks that are numbered
        return ()
    counts = [sum(name in pair for pair in pairs) for name in {n for pair in pairs for n in pair}]
    if max(counts) < 2 or max(counts) == len(pairs):
        return ()
    return tuple((pair[0], pair[1]) for pair in pairs)


def leave_one_ontology_out(
    table: ScoreTable,
    edges: Sequence[Edge],
    *,
    test: str = "signed-rank",
    correction: str = "bergmann-hommel",
    alpha: float = 0.05,
    against: str | None = None,
) -> tuple[LeftOut, ...]:
    """Decide again without the tasks of each ontology in turn.

    A difference that hangs on one ontology is lost here. Fewer tasks also mean less power, so a
    lost difference is a warning and no refutation.

    Parameters
    ----------
    table
        Tasks named after their two ontologies, as ``cmt-conference``.
    edges
        Significant differences (better, worse) on the whole table.
    test, correction, alpha, against
        As for the whole table (`evaluation.multitask.study`).

    Returns
    -------
    tuple of LeftOut
        One for each ontology whose absence leaves at least two tasks; empty where the tasks'
        names do not tell their ontologies.
    """
    pairs = task_ontologies(table.tasks)
    found = []
    for ontology in sorted({name for pair in pairs for name in pair}):
        rest = [t for t, pair in zip(table.tasks, pairs, strict=True) if ontology not in pair]
        if len(rest) < 2:
            continue
        decision = decide(
            table.select(rest), test=test, correction=correction, alpha=alpha, against=against
        )
        kept = decision.ranking.edges
        found.append(
            LeftOut(
                ontology,
                len(rest),
                kept,
                lost=tuple(edge for edge in edges if edge not in kept),
                gained=tuple(edge for edge in kept if edge not in edges),
            )
        )
    return tuple(found)
