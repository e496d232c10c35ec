"""What the papers on many tasks print: García & Herrera 2008, Demšar 2006, García et al. 2010."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from evaluation.corrections import adjust
from evaluation.multitask import (
    friedman,
    iman_davenport,
    posthoc,
    read_scores,
    signed_rank,
    study_ranks,
    task_ranks,
)
from experiments.errors import ExperimentError

from .side_by_side import Reproduction, as_printed, published


def score_file(data: Path, name: str) -> Path:
    """Return a published score table: it lies in ``scores`` beside the OAEI files.

    Raises
    ------
    ExperimentError
        If it is not there.
    """
    path = data.parent / "scores" / name
    if not path.is_file():
        raise ExperimentError(
            f"{path} is not there: put the published score table into that folder"
        )
    return path


def garcia_herrera(data: Path) -> Reproduction:
    """Recompute the ten p-values of García & Herrera 2008 under every correction."""
    facts = published("multitask")["garcia-herrera"]
    table = read_scores(score_file(data, facts["file"]))
    p = posthoc(table.scores, "friedman").p
    corrections = ("none", "nemenyi", "holm", "shaffer", "bergmann-hommel")
    columns = [adjust(p, name).values for name in corrections]
    columns.append(adjust(p, "bergmann-hommel", monotone=True).values)
    index = {name: k for k, name in enumerate(table.systems)}
    paper = [pair[2:] for pair in facts["pairs"]]
    ours = [
        [
            as_printed(printed, float(values[index[pair[0]], index[pair[1]]]))
            for printed, values in zip(pair[2:], columns, strict=True)
        ]
        for pair in facts["pairs"]
    ]
    rows = [f"{pair[0]} - {pair[1]}" for pair in facts["pairs"]]
    return Reproduction("garcia-herrera", facts["caption"], rows, facts["columns"], paper, ours)


def _statistics(name: str, found: dict[str, float]) -> Reproduction:
    facts = published("multitask")[name]
    printed = facts["statistics"]
    return Reproduction(
        name,
        facts["caption"],
        list(printed),
        ["value"],
        [[value] for value in printed.values()],
        [[as_printed(value, found[key])] for key, value in printed.items()],
    )


def rank_statistics(name: str, data: Path) -> Reproduction:
    """Mean ranks, Friedman and Iman–Davenport of a published score table."""
    table = read_scores(score_file(data, published("multitask")[name]["file"]))
    means = task_ranks(table.scores).mean(axis=0)
    found = {f"rank {s}": float(r) for s, r in zip(table.systems, means, strict=True)}
    found["Friedman"] = friedman(table.scores).statistic
    found["Iman–Davenport"] = iman_davenport(table.scores).statistic
    return _statistics(name, found)


def demsar() -> Reproduction:
    """Demšar 2006, from the published rank sums."""
    facts = published("multitask")["demsar"]
    tasks = facts["tasks"]
    result = study_ranks([r / tasks for r in facts["rank_sums"]], tasks)
    return _statistics(
        "demsar",
        {
            "Friedman": result.friedman.statistic,
            "Iman–Davenport": result.iman_davenport.statistic,
            "critical difference": result.critical_difference,
        },
    )


def table1() -> Reproduction:
    """Table 1 of the statistical-perspective paper, as far as it can be inferred: 2/2^N."""
    facts = published("multitask")["table1"]
    paper, ours, rows = [], [], []
    for pair, tasks, printed in facts["values"]:
        better = np.arange(1.0, tasks + 1)  # all differences of one sign, none tied
        rows.append(f"{pair} (N = {tasks})")
        paper.append([printed])
        ours.append([as_printed(printed, signed_rank(better, np.zeros(tasks)).p)])
    note = "The scores behind Table 1 are not published: nothing else of it can be recomputed."
    return Reproduction("table1", facts["caption"], rows, ["p"], paper, ours, [note])
