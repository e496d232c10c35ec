"""The best target entities of each source entity by a metric, without an assignment."""

from __future__ import annotations

from pathlib import Path

from alignrank.common.table import write_rows
from alignrank.evaluation.measures.retrieval.candidates import Candidate, candidates_of
from alignrank.matchers import Candidates, Metric
from alignrank.matchers.evidence.own import kind_matrices


def ranked_targets(
    candidates: Candidates, metric: Metric, top: int
) -> dict[str, tuple[Candidate, ...]]:
    """Return the targets of each source entity, best first; pairs of similarity 0 are none.

    Parameters
    ----------
    candidates
        The prepared pair.
    metric
        Gives the order of the targets.
    top
        Number of targets; those tied with the last one are added.
    """
    targets: dict[str, tuple[Candidate, ...]] = {}
    matrices = kind_matrices(candidates.groups, metric)
    for group, matrix in zip(candidates.groups, matrices, strict=True):
        targets |= candidates_of(matrix, group.source.iris, group.target.iris, top=top)
    return targets


def write_run(candidates: Candidates, metric: Metric, top: int, path: Path) -> int:
    """Write the best targets as a run that `compare` reads; return their number."""
    targets = ranked_targets(candidates, metric, top)
    rows = [(source, *target) for source, listed in targets.items() for target in listed]
    write_rows(path, ["item", "candidate", "score"], rows)
    return len(rows)
