"""What an optimal assignment costs: scipy, ours, and lapx where it is installed."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from labels import labels, perturbed
from scipy.optimize import linear_sum_assignment
from timing import seconds

from matchers import assign, kernels
from matchers.core import assign_on_core

_HEAD = [
    "Processor seconds on a float64 matrix, least of some runs; our total is scipy's each time. "
    "scipy and lapx get a matrix of costs, 1 - similarity, made before the clock starts.",
    "",
    "| matrix | scipy | ours | lapx |",
    "|---|---:|---:|---:|",
]


def assignment_table(sources: list[str], targets: list[str]) -> str:
    """Return the costs on anatomy, by metric, and of square problems, easy and hard."""
    lines = list(_HEAD)
    for metric in ("levenshtein", "ngram", "jaro", "smoa", "equality"):
        matrix = kernels.matrix(metric, sources, targets)
        lines.append(_line(f"{metric}, {len(sources):,} × {len(targets):,}", matrix, assign, 3))
    for size in (2500, 5000):
        rows = labels(size, seed=5)
        for name, columns in (
            ("60 % shared", perturbed(rows, 0.6, seed=6)),
            ("nothing shared", labels(size, seed=7)),
        ):
            matrix = kernels.matrix("levenshtein", rows, columns)
            title = f"levenshtein, {size:,} square, {name} (ours: sparse core with proof)"
            lines.append(_line(title, matrix, assign_on_core, 1))
    return "\n".join(lines)


def _line(title: str, matrix: Any, ours: Callable[[Any], Any], runs: int) -> str:
    cost = 1.0 - matrix
    total = ours(matrix).total
    rows, columns = linear_sum_assignment(cost)
    assert abs(matrix[rows, columns].sum() - total) < 1e-6
    works: list[Callable[[], object]] = [
        lambda: linear_sum_assignment(cost),
        lambda: ours(matrix),
    ]
    cells = [f"{min(seconds(work) for _ in range(runs)):.2f}" for work in works]
    try:
        lapjvs: Any = importlib.import_module("lap").lapjvs
    except ImportError:
        cells.append("–")
    else:
        cells.append(f"{min(seconds(lambda: lapjvs(cost)) for _ in range(runs)):.2f}")
    return f"| {title} | {' | '.join(cells)} |"
