"""A results folder read back: what `table` and `plot` work on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from evaluation.ranking.graph import rank_ranges
from experiments.errors import ExperimentError
from experiments.report.console import best_first

Matrix = list[list[float | None]]
T = TypeVar("T")


@dataclass(frozen=True)
class Decided:
    """Every pair of systems, as one view, test and correction decide it.

    Parameters
    ----------
    view, test, correction, alpha
        How. The view of a study is ``tasks``.
    systems
        Names, best first.
    p, adjusted
        (n, n), in the order of `systems`; None on the diagonal and where nothing was compared.
    edges
        Significant differences (better, worse).
    layers
        Systems by layer, best first.
    discordant
        (n, n): what the row has right and the column wrong; None where no decisions were compared.
    """

    view: str
    test: str
    correction: str
    alpha: float
    systems: tuple[str, ...]
    p: Matrix
    adjusted: Matrix
    edges: tuple[tuple[str, str], ...]
    layers: tuple[tuple[str, ...], ...]
    discordant: Matrix | None = None


def read_results(folder: Path) -> dict[str, Any]:
    """Return the content of a results folder's ``summary.json``.

    Raises
    ------
    ExperimentError
        If it is not the results folder of `rank`, `compare` or `study`.
    """
    path = folder / "summary.json"
    if not path.is_file():
        raise ExperimentError(
            f"{folder} holds no summary.json: name the results folder (--out) of alignrank rank, "
            "compare or study"
        )
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ExperimentError(f"{path} cannot be read as JSON ({error})") from None
    needed = {"systems", "edges", "layers", "settings"}
    if not isinstance(content, dict) or not needed <= content.keys():
        raise ExperimentError(
            f"{path} compares no systems: name the results folder of alignrank rank, compare or "
            "study"
        )
    return content


def is_study(content: Mapping[str, Any]) -> bool:
    """Tell whether a summary is that of a study of many tasks."""
    return "mean_ranks" in content


def views(content: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the views of a summary, the first one first."""
    return ("tasks",) if is_study(content) else tuple(content["edges"])


def decided(
    content: Mapping[str, Any],
    *,
    view: str | None = None,
    test: str | None = None,
    correction: str | None = None,
) -> Decided:
    """Return how a view, a test and a correction decide; None is the one that was chosen.

    Raises
    ------
    ExperimentError
        If the results do not hold what is asked for.
    """
    view = _one_of("view", view, views(content), views(content)[0])
    settings = content["settings"]
    if is_study(content):
        _one_of("test", test, [content["test"]], content["test"])
        _one_of("correction", correction, [content["correction"]], content["correction"])
        return _of_study(content)
    tests, adjusted = content["p"][view], content["adjusted"][view]
    chosen = settings["test"] if settings["test"] in tests else next(iter(tests))
    test = _one_of("test", test, tests, chosen)
    correction = _one_of("correction", correction, adjusted, settings["correction"])
    edges = tuple((better, worse) for better, worse in content["edges"][view][correction])
    order = best_first(content, rank_ranges(content["systems"], edges))
    discordant = content.get("discordant", {}).get(view)
    return Decided(
        view,
        test,
        correction,
        settings["alpha"],
        tuple(order),
        reordered(tests[test], content["systems"], order),
        reordered(adjusted[correction], content["systems"], order),
        edges,
        tuple(map(tuple, content["layers"][view][correction])),
        None if discordant is None else reordered(discordant, content["systems"], order),
    )


def reordered(matrix: Sequence[Sequence[T]], names: Sequence[str], order: Sequence[str]) -> Any:
    """Return a square matrix with rows and columns in another order of the names.

    Examples
    --------
    >>> reordered([[0, 1], [2, 0]], ["a", "b"], ["b", "a"])
    [[0, 2], [1, 0]]
    """
    index = [names.index(name) for name in order]
    return [[matrix[i][j] for j in index] for i in index]


def _of_study(content: Mapping[str, Any]) -> Decided:
    means = content["mean_ranks"]
    order = sorted(content["systems"], key=lambda s: (means[s], s))
    place = {name: i for i, name in enumerate(order)}
    p: Matrix = [[None] * len(order) for _ in order]
    adjusted: Matrix = [[None] * len(order) for _ in order]
    for pair in content["pairs"]:
        i, j = place[pair["system1"]], place[pair["system2"]]
        p[i][j] = p[j][i] = pair["p"]
        adjusted[i][j] = adjusted[j][i] = pair["adjusted_p"]
    return Decided(
        "tasks",
        content["test"],
        content["correction"],
        content["alpha"],
        tuple(order),
        p,
        adjusted,
        tuple((better, worse) for better, worse in content["edges"]),
        tuple(map(tuple, content["layers"])),
    )


def _one_of(option: str, asked: str | None, known: Any, default: str) -> str:
    if asked is not None and asked not in known:
        raise ExperimentError(
            f"the results hold no {option} {asked!r}: use one of {', '.join(known)}"
        )
    return asked or default
