"""Scores of systems on items, in any number of runs: as arrays, or read from a table."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.significance.clustered import cluster_index, sign_flips, unit_tests
from evaluation.significance.mcnemar import Floats, PairTest
from evaluation.significance.randomisation import randomised_sums
from evaluation.significance.runs import SeveralRuns, compare_runs
from ontologies.common.table import read_rows
from ontologies.errors import EvaluationError


@dataclass(frozen=True, eq=False)
class Answers:
    """How well systems answered the same items.

    Parameters
    ----------
    items
        Names of the m items.
    scores
        By system: (runs, m), from 0 (wrong) to 1 (right).
    clusters
        Cluster by item; items in none stand for themselves. None: all do.
    """

    items: tuple[str, ...]
    scores: Mapping[str, Floats]
    clusters: Mapping[str, str] | None = None

    @property
    def whole(self) -> bool:
        """Whether every answer is right or wrong."""
        return all(np.isin(runs, (0, 1)).all() for runs in self.scores.values())

    @property
    def several(self) -> bool:
        """Whether a system has several runs."""
        return any(len(runs) > 1 for runs in self.scores.values())

    @property
    def first(self) -> Floats:
        """(systems, m): the first run of each."""
        return np.stack([runs[0] for runs in self.scores.values()])


def answer_sums(answers: Answers, clusters: Mapping[str, str] | None) -> Floats:
    """Return (systems, units, 4): the first runs' scores and number of items, twice, by unit."""
    index = cluster_index(answers.items, clusters)
    sizes = np.bincount(index).astype(np.float64)
    sums = [np.bincount(index, row, len(sizes)) for row in answers.first]
    return np.stack([np.stack([s, sizes, s, sizes], axis=-1) for s in sums])


def answer_tests(
    answers: Answers, clusters: Mapping[str, str] | None
) -> tuple[PairTest, SeveralRuns | None]:
    """Test every pair of systems, with clusters of items (None: items) as the independent units."""
    parts = answer_sums(answers, clusters)
    if not answers.whole:
        single = randomised_sums(tuple(answers.scores), parts, "recall").test
    elif clusters is None:
        single = unit_tests(parts[..., 0].astype(np.int64))["mid-p"]
    else:
        single = sign_flips(parts[..., 0].astype(np.int64))
    if not answers.several:
        return single, None
    several = compare_runs(answers.scores, cluster_index(answers.items, clusters), single)
    return several.test, several


def by_system(names: Iterable[str]) -> dict[str, list[str]]:
    """Group names such as ``AML@1`` and ``AML@2``, the runs of one system, by it.

    Examples
    --------
    >>> by_system(["AML@1", "LogMap", "AML@2", "mine@home"])
    {'AML': ['AML@1', 'AML@2'], 'LogMap': ['LogMap'], 'mine@home': ['mine@home']}
    """
    names = list(names)
    stems = [name.rpartition("@")[0] or name for name in names]
    groups: dict[str, list[str]] = {}
    for name, stem in zip(names, stems, strict=True):
        groups.setdefault(stem if stems.count(stem) > 1 else name, []).append(name)
    return groups


def read_answers(path: str | os.PathLike[str]) -> Answers:
    """Read a table of items, as `answers_of` takes it, from a CSV file.

    Raises
    ------
    EvaluationError
        As `answers_of` does; the message names the line.
    """
    (_, header), *rows = read_rows(path, ",;\t", EvaluationError)
    return answers_of(header, [(f"{path}, line {line}", cells) for line, cells in rows])


def answers_of(header: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> Answers:
    """Return the answers that a table holds.

    Parameters
    ----------
    header
        The names of the columns: ``item``, ``system``, ``score`` and perhaps ``run`` and
        ``cluster`` (a row for each answer); or a name for the items, each system (``NAME@1``,
        ``NAME@2`` for its runs) and perhaps ``cluster`` (a row for each item).
    rows
        Where each row stands, and its cells.

    Raises
    ------
    EvaluationError
        If a row has another number of cells, a score is no number from 0 to 1, an answer is
        missing or comes twice, or an item is in two clusters.

    Examples
    --------
    >>> rows = [("line 2", ["q1", "1", "0"]), ("line 3", ["q2", "0", "0.5"])]
    >>> {name: runs.tolist() for name, runs in answers_of(["item", "a", "b"], rows).scores.items()}
    {'a': [[1.0, 0.0]], 'b': [[0.0, 0.5]]}
    """
    names = [name.lower() for name in header]
    long = {"item", "system", "score"} <= set(names)
    columns = [name for name in header[1:] if name.lower() != "cluster"]
    run_of = {run: system for system, runs in by_system(columns).items() for run in runs}
    scores: dict[str, dict[str, dict[str, float]]] = {}  # by system, run and item
    clusters: dict[str, str] = {}
    for where, cells in rows:
        if len(cells) != len(header):
            raise EvaluationError(f"{where}: {len(cells)} cells for {len(header)} columns")
        row = dict(zip(names if long else header, cells, strict=True))
        item = row["item"] if long else cells[0]
        told = [(row["system"], row.get("run", ""), row["score"])] if long else []
        told += [] if long else [(run_of[name], name, row[name]) for name in columns]
        for system, run, score in told:
            of_run = scores.setdefault(system, {}).setdefault(run, {})
            if item in of_run:
                raise EvaluationError(f"{where}: {system} has a second score for {item!r}")
            of_run[item] = _score(score, f"{where}: {system}")
        cluster = dict(zip(names, cells, strict=True)).get("cluster", "")
        if cluster and clusters.setdefault(item, cluster) != cluster:
            raise EvaluationError(f"{where}: {item!r} is in two clusters")
    items = tuple(
        dict.fromkeys(item for runs in scores.values() for r in runs.values() for item in r)
    )
    for system, runs in scores.items():
        for run, of_run in runs.items():
            if missing := [item for item in items if item not in of_run]:
                name = f"{system}, run {run}" if long and run else run or system
                raise EvaluationError(
                    f"{name} has no score for {len(missing)} of {len(items)} items, as "
                    f"{missing[0]!r}: write 0 where nothing was answered"
                )
    arrays = {
        s: np.array([[r[i] for i in items] for r in runs.values()]) for s, runs in scores.items()
    }
    return Answers(items, arrays, clusters or None)


def _score(cell: str, where: str) -> float:
    try:
        score = float(cell)
    except ValueError:
        score = float("nan")
    if not 0 <= score <= 1:
        raise EvaluationError(
            f"{where} has the score {cell!r}: it must be a number from 0 to 1 (in a table of "
            "counts rows and columns have the same names)"
        )
    return score
