"""Kernels compiled beside the first run, which takes some seconds, for that run and later ones."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from matchers.assignment.choose import assign
from matchers.assignment.ties import find_ties
from matchers.by_name import get_metric
from matchers.machine.compiled import KERNELS
from matchers.metrics.metric import Metric
from matchers.similarity.matrix import similarity_matrix

from .candidates import Candidates

#: How many entities of each side tell which kernels are used: those with the longest names.
_SAMPLE = 2


def anything_compiled() -> bool:
    """Return whether kernels were compiled before, or could not be kept for other processes."""
    folder = Path(os.environ.get("NUMBA_CACHE_DIR", KERNELS))
    if folder.is_dir():
        return not os.access(folder, os.W_OK) or any(folder.rglob("*.nbi"))
    return not os.access(KERNELS, os.W_OK)


def warm_up(metrics: Sequence[Metric]) -> None:
    """Match two names with the first metric that needs a kernel: that imports what matching needs.

    It takes half a second, which is well spent while something else is waited for.
    """
    needs = (metric for metric in metrics if metric.kernel and not metric.all_or_nothing)
    if first := next(needs, None):
        matrix = similarity_matrix([["a"]], [["a"]], first, threads=1)
        find_ties(matrix, assign(matrix))


def samples(candidates: Candidates) -> list[tuple[list[list[str]], list[list[str]]]]:
    """Return, of each kind, the names of few entities that need every kernel that all need.

    Examples
    --------
    >>> from matchers.candidates import prepare
    >>> from ontologies import load_ontology
    >>> from ontologies.tasks import bundled_task
    >>> task = bundled_task("library")
    >>> found = samples(prepare(load_ontology(task.source), load_ontology(task.target)))
    >>> [[len(side) for side in kind] for kind in found]
    [[2, 2], [2, 2], [2, 2]]
    """
    return [
        (_longest(group.source.names), _longest(group.target.names)) for group in candidates.groups
    ]


def _longest(names: Sequence[Sequence[str]]) -> list[list[str]]:
    by_length = sorted(names, key=lambda known: (len(known), sum(map(len, known))), reverse=True)
    return [list(known) for known in by_length[:_SAMPLE]]


def compile_for(
    metrics: Sequence[str], groups: Sequence[tuple[list[list[str]], list[list[str]]]]
) -> None:
    """Compile what the similarities of `samples` need, the last metric first.

    Another process that computes the first metric meanwhile finds the last ones compiled. What is
    wrong with a metric, that process finds as well, and tells it.

    Parameters
    ----------
    metrics
        Their names.
    groups
        From `samples`.
    """
    for name in reversed(metrics):
        with suppress(Exception):
            for sources, targets in groups:
                similarity_matrix(sources, targets, get_metric(name), threads=1)
