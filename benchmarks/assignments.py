"""What an optimal assignment costs: scipy, ours, and lapx where it is installed."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from labels import labels, perturbed
from matrices import matrices
from scipy.optimize import linear_sum_assignment
from timing import seconds, spread

from alignrank.matchers import assign
from alignrank.matchers.assignment.optimal import Matrix

_HEAD = [
    "Processor seconds on a float64 matrix, medians (and ranges) of three runs, of one from 10,000 "
    "on; our pairs are scipy's each time. "
    "scipy gets the negative of the similarities, lapx 1 - similarity (it is faster on costs above "
    "0), made before the clock starts; ours includes the proof that no pairing is better. "
    "scipy solves constant rows, a constant and nearness in one look at 200 and 400 square: there "
    "ours, which has to make the negative, takes 1.4 to 1.5 times its time, and 1.1 to 1.2 times "
    "that of `maximize=True`. Where each search passes most columns (i·j and the next four), ours "
    "has to read whole rows: 1.0 to 1.3 times scipy's time.",
    "",
    "| matrix | scipy | ours | lapx |",
    "|---|---:|---:|---:|",
]


def assignment_table(sources: list[str], targets: list[str]) -> str:
    """Return the costs on anatomy, by metric, and of square problems, easy and hard."""
    lines = list(_HEAD)
    for metric in ("levenshtein", "ngram", "jaro", "smoa", "equality"):
        matrix = matrices([metric], sources, targets)[metric]
        lines.append(_line(f"{metric}, {len(sources):,} × {len(targets):,}", matrix, 3))
    for size in (2500, 5000, 10_000):
        rows = labels(size, seed=5)
        for name, columns in (
            ("60% shared", perturbed(rows, 0.6, seed=6)),
            ("nothing shared", labels(size, seed=7)),
        ):
            matrix = matrices(["levenshtein"], rows, columns)["levenshtein"]
            title = f"levenshtein, {size:,} square, {name}"
            lines.append(_line(title, matrix, 3 if size < 10_000 else 1))
    lines += [_line(f"{name}, 1,100 square", m, 3) for name, m in structured(1100).items()]
    return "\n".join(lines)


def structured(n: int) -> dict[str, Matrix]:
    """Return square similarities on which a search for a pair passes most columns."""
    rng = np.random.default_rng(n)
    i = np.arange(1, n + 1) / n
    product, rank_one = np.outer(i, i), np.outer(rng.random(n), rng.random(n))
    return {
        "i·j": product,
        "1 - i·j": 1 - product,
        "rank one": rank_one,
        "1 - rank one": 1 - rank_one,
        "constant columns": np.tile(rng.random(n), (n, 1)),
        "constant rows": np.tile(rng.random(n)[:, None], n),
        "constant": np.full((n, n), 0.5),
        "nearness": 1 - np.abs(i[:, None] - i),
    }


def _line(title: str, matrix: Any, runs: int) -> str:
    negative, distances, found = -matrix, 1.0 - matrix, assign(matrix)
    rows, columns = linear_sum_assignment(negative)
    above_zero = matrix[rows, columns] > 0.0
    assert found.rows.tolist() == rows[above_zero].tolist()
    assert found.columns.tolist() == columns[above_zero].tolist()
    assert abs(matrix[rows, columns].sum() - found.total) < 1e-6
    works: list[Callable[[], object]] = [
        lambda: linear_sum_assignment(negative),
        lambda: assign(matrix),
    ]
    cells = [spread([seconds(work) for _ in range(runs)]) for work in works]
    try:
        lapjvs: Any = importlib.import_module("lap").lapjvs
    except ImportError:
        cells.append("–")
    else:
        cells.append(spread([seconds(lambda: lapjvs(distances)) for _ in range(runs)]))
    return f"| {title} | {' | '.join(cells)} |"
