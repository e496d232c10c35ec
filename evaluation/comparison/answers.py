"""Results as bare tables: scores on items, in any number of runs, or discordant counts.

Counts of real systems obey two laws, whatever the view: the differences (i, j) − (j, i) are
differences of one score per system, so they add up around every triangle; and what i has right and
k wrong, j has either wrong or right, so (i, k) ≤ (i, j) + (j, k).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import ArrayLike

from alignrank.common.errors import EvaluationError
from alignrank.common.files import FilePath
from alignrank.common.names import first_of
from alignrank.common.table import Frame, Sheet, Tabular, frame
from alignrank.evaluation.significance.clustered import (
    Clusters,
    cluster_index,
    sign_flips,
    unit_tests,
)
from alignrank.evaluation.significance.mcnemar import Bools, Floats, Ints, PairTest, counts
from alignrank.evaluation.significance.randomisation import randomised_sums
from alignrank.evaluation.significance.runs import by_system, pooled_runs

from .table_checks import ScoreRows, measure_called, read_table, score_sheet


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
    crossing
        Cluster by item of another kind, such as that of its target entity; None: there are none.
    cautions
        Sentences on how the table was read.
    mentioned
        (systems, m): whether a run of the system or the reference mentions the item; None: all do.
    reference
        Number of items that the reference mentions, which differences are divided by; None: m.
    lower_is_better
        Whether the table holds errors; a score here is 1 minus the error.
    """

    items: tuple[str, ...]
    scores: Mapping[str, Floats]
    clusters: Clusters | None = None
    cautions: tuple[str, ...] = ()
    crossing: Clusters | None = None
    mentioned: Bools | None = None
    reference: int | None = None
    lower_is_better: bool = False

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


def answer_test(answers: Answers, clusters: Clusters | None) -> PairTest:
    """Test every pair of first runs, with clusters of items (None: items) as independent units."""
    index = cluster_index(answers.items, clusters)
    sizes = np.bincount(index).astype(float)
    sums = np.stack([np.bincount(index, row) for row in answers.first])
    if not answers.whole:
        divisors = np.broadcast_to(sizes, sums.shape)
        parts = np.stack([sums, divisors, sums, divisors], axis=-1)
        return randomised_sums(tuple(answers.scores), parts, "recall").test
    correct = sums.astype(np.int64)
    if clusters is None:
        return unit_tests(correct)["mid-p"]
    return sign_flips(correct)


def read_answers(data: object, *, lower_is_better: bool = False) -> Answers:
    """Read scores of systems on items from a file or a frame.

    Parameters
    ----------
    data
        As `read_table` takes it; a column ``cluster`` says which items depend on each other.
    lower_is_better
        The scores are errors from 0 (right) to 1 (wrong): 1 − score counts.

    Raises
    ------
    EvaluationError
        As `read_table` does; and if a score is missing or not from 0 to 1, an item is in two
        clusters, or each system has one value only.

    Examples
    --------
    >>> answers = read_answers({"a": {"q1": 1, "q2": 0}, "b": {"q1": 0, "q2": 0.5}})
    >>> {name: runs.tolist() for name, runs in answers.scores.items()}
    {'a': [[1.0, 0.0]], 'b': [[0.0, 0.5]]}
    """
    table = read_table(data, "item", lower_is_better=lower_is_better)
    scores = table.scores / 100 if table.in_percent else table.scores
    for k in np.flatnonzero(np.isnan(scores).any(axis=0))[:1].tolist():
        missing = np.flatnonzero(np.isnan(scores[:, k])).tolist()
        raise EvaluationError(
            f"{table.at_cells[missing[0], k]}: {table.systems[k]} has no score for "
            f"{len(missing)} of {len(table.names)} items, as "
            f"{table.names[missing[0]]!r}: write 0 where nothing was answered"
        )
    for row, k in np.argwhere((scores < 0) | (scores > 1))[:1].tolist():
        raise EvaluationError(
            f"{table.at_cells[row, k]}: {table.systems[k]} has the score "
            f"{table.scores[row, k]:g}: it must be a number from 0 to 1 (in a table of counts "
            "rows and columns have the same names)"
        )
    _refuse_single_values(table)
    cautions = list(table.cautions)
    if lower_is_better:
        scores = 1 - scores
    groups = by_system(table.systems)
    if pooled := pooled_runs(groups):
        cautions.append(f"runs of one system count by their mean ({pooled}).")
    by_run = dict(zip(table.systems, scores.T, strict=True))
    runs = {name: np.array([by_run[run] for run in group]) for name, group in groups.items()}
    clusters = dict(table.clusters)
    dependent = len(set(clusters.values())) < len(clusters)  # else each item is its own cluster
    return Answers(
        table.names,
        runs,
        clusters if dependent else None,
        tuple(cautions),
        lower_is_better=lower_is_better,
    )


def _refuse_single_values(table: ScoreRows) -> None:
    """Refuse one value of each system, as F1: it says nothing of how the value varies."""
    names = table.names
    if len(table.systems) == 1 and measure_called(table.systems[0]):
        names = table.systems  # the rows are systems
    if len(names) == 1:
        at = f"{table.source}: " if table.source else ""
        raise EvaluationError(
            f"{at}{names[0]} alone allows no test: add columns P and R, or TP, FP and FN, or "
            "a row for each item"
        )


#: Faults that one message tells of.
_SHOWN = 5


@dataclass(frozen=True, eq=False)
class CountMatrix(Tabular):
    """Discordant counts of n systems: cell (i, j) counts the items that i has right and j wrong."""

    systems: tuple[str, ...]
    matrix: Ints

    def to_frame(self) -> Frame:
        """Return the counts with the systems' names along both sides."""
        names = list(self.systems)
        return frame(self.matrix, index=names, columns=names)


def read_counts(path: FilePath | Sheet) -> CountMatrix:
    """Read a matrix of discordant counts, laid out as the McNemar paper's Tables 2, 3 and 5.

    The first line names the columns (its first cell is not read), each further line starts with
    its system's name. Cells are separated by commas, semicolons or tabs; the diagonal may be empty.
    A file that is read already is taken as `read_sheet` returned it.

    Raises
    ------
    EvaluationError
        If the file cannot be read, rows and columns do not name the same systems, or a cell is no
        count; the message names the line.
    """
    sheet = score_sheet(path)
    path = sheet.source
    if len(sheet.rows) < 2:
        raise EvaluationError(f"{path}: expected a line of names and a line for each of 2+ systems")
    names = sheet.header[1:]
    matrix = np.zeros((len(names), len(names)), dtype=np.int64)
    names_read: set[str] = set()
    for where, (name, *cells) in sheet.rows:
        if name not in names or name in names_read:
            fault = "a second time" if name in names_read else "but no column"
            raise EvaluationError(f"{where}: system {name!r} has a row {fault}")
        if len(cells) != len(names):
            raise EvaluationError(f"{where}: {len(cells)} counts for {len(names)} systems")
        names_read.add(name)
        i = names.index(name)
        for j, cell in enumerate(cells):
            try:
                matrix[i, j] = counts(float(cell) if cell or i != j else 0, "it")
            except ValueError as error:
                raise EvaluationError(
                    f"{where}: cell ({name}, {names[j]}) is {cell!r}: a count is a whole number, "
                    "0 or more"
                ) from error
    if missing := [name for name in names if name not in names_read]:
        raise EvaluationError(f"{path}: no row for {', '.join(missing)}")
    try:
        return CountMatrix(tuple(names), square_counts(matrix, names))
    except EvaluationError as error:
        raise EvaluationError(f"{path}: {error}") from None


def square_counts(matrix: ArrayLike, systems: Sequence[str]) -> Ints:
    """Return the matrix as integers.

    Raises
    ------
    EvaluationError
        If it is not square, holds anything but counts, or its diagonal is not 0.
    """
    table = counts(matrix, "matrix")
    if table.shape != (len(systems), len(systems)):
        raise EvaluationError(
            f"the matrix has shape {table.shape}: {len(systems)} systems need a square one of "
            f"{len(systems)} rows"
        )
    if np.diag(table).any():
        k = int(np.flatnonzero(np.diag(table))[0])
        raise EvaluationError(
            f"cell ({systems[k]}, {systems[k]}) is {table[k, k]}: a system does not differ from "
            "itself, the diagonal is 0"
        )
    return table


def check_counts(matrix: Ints, systems: Sequence[str]) -> None:
    """Refuse counts that no alignments can have, and name the cell that looks mistyped.

    Raises
    ------
    EvaluationError
        With a sentence on each of the first pairs of cells at fault.

    Examples
    --------
    >>> table = np.array([[0, 9, 12, 9], [4, 0, 10, 5], [2, 5, 0, 5], [3, 4, 9, 0]])
    >>> check_counts(table, "abcd")
    >>> table[0, 1] = 90
    >>> check_counts(table, "abcd")  # doctest: +NORMALIZE_WHITESPACE
    Traceback (most recent call last):
    alignrank.common.errors.EvaluationError: the counts contradict each other:
    (a, b) − (b, a) is 86, but the other cells say 5: (a, b) should be 9 instead of 90
    """
    faults = list(_additive_faults(matrix, systems)) or list(_triangle_faults(matrix, systems))
    if faults:
        sentences = first_of(faults, _SHOWN, "; ")
        raise EvaluationError(f"the counts contradict each other: {sentences}")


def _additive_faults(matrix: Ints, systems: Sequence[str]) -> Iterator[str]:
    """Name the pairs whose difference is outvoted by the detours over every third system."""
    n, difference = len(matrix), matrix - matrix.T
    for i, j in combinations(range(n), 2):
        votes = Counter(
            int(difference[i, k] + difference[k, j]) for k in range(n) if k not in (i, j)
        )
        stated = int(difference[i, j])
        if n == 3 and votes and stated not in votes:
            a, b, c = systems
            off = stated - next(iter(votes))
            yield (
                f"({a}, {b}) − ({b}, {a}), ({b}, {c}) − ({c}, {b}) and ({c}, {a}) − ({a}, {c}) "
                f"must add up to 0, but give {off}"
            )
            return
        votes[stated] += 1
        implied, support = votes.most_common(1)[0]
        if implied != stated and support > votes[stated]:
            yield _mending(matrix, systems, i, j, implied)


def _mending(matrix: Ints, systems: Sequence[str], i: int, j: int, implied: int) -> str:
    """Return a sentence with the corrected values of a pair's two cells."""
    ways: list[str] = []
    for row, column, value in (
        (i, j, int(matrix[j, i]) + implied),
        (j, i, int(matrix[i, j]) - implied),
    ):
        mended = matrix.copy()
        mended[row, column] = value
        other_indices = [k for k in range(len(matrix)) if k not in (i, j)]
        triples = [triple for k in other_indices for triple in permutations((i, j, k))]
        fits = all(mended[a, c] <= mended[a, b] + mended[b, c] for a, b, c in triples)
        if value >= 0 and fits:
            lead = f"({systems[row]}, {systems[column]})"
            verb = "" if ways else "should be "
            ways.append(f"{lead} {verb}{value} instead of {matrix[row, column]}")
    a, b = systems[i], systems[j]
    stated = int(matrix[i, j] - matrix[j, i])
    remedy = f": {', or '.join(ways)}" if ways else ""
    return f"({a}, {b}) − ({b}, {a}) is {stated}, but the other cells say {implied}{remedy}"


def _triangle_faults(matrix: Ints, systems: Sequence[str]) -> Iterator[str]:
    """Name the cells that are larger than a detour allows."""
    for i, j in permutations(range(len(matrix)), 2):
        detours = matrix[i] + matrix[:, j]
        k = int(np.argmin(detours))
        if detours[k] < matrix[i, j]:
            a, b, c = systems[i], systems[k], systems[j]
            yield (
                f"({a}, {c}) is {matrix[i, j]}, more than ({a}, {b}) + ({b}, {c}) = {detours[k]}"
            )
