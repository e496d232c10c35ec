"""Ties and duals, against all optimal assignments in exact arithmetic."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import alignrank.matchers.assignment.optimal
from alignrank.matchers.assignment.optimal import TOLERANCE, Assignment, prove
from alignrank.matchers.assignment.pairs import assign
from alignrank.matchers.assignment.ties import CountRange, Pair, find_ties
from tests.generated import examples

Exact = list[list[Fraction]]


@pytest.fixture(
    params=[0, alignrank.matchers.assignment.optimal.LARGE],
    ids=["our kernel", "scipy"],
    scope="module",
)
def solver(request: pytest.FixtureRequest) -> Iterator[None]:
    """Which solver assigns: only ours tells its duals, which the ties then are read from."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignrank.matchers.assignment.optimal, "LARGE", request.param)
        yield


pytestmark = pytest.mark.usefixtures("solver")


def tally(matrix: Exact) -> tuple[Fraction, int, dict[Pair, int]]:
    """Return the best total, how many pairings have it, and how many of these hold each pair.

    By dynamic programming over the rows and the set of columns taken: every one-to-one pairing
    of entries above 0 is counted.
    """
    n = len(matrix)

    def steps(i: int, taken: int) -> Iterator[tuple[int | None, Fraction]]:
        yield None, Fraction(0)
        for j, x in enumerate(matrix[i]):
            if x > 0 and not taken >> j & 1:
                yield j, x

    def add(table: dict[int, tuple[Fraction, int]], key: int, total: Fraction, ways: int) -> None:
        known = table.get(key)
        if known is None or total > known[0]:
            table[key] = total, ways
        elif total == known[0]:
            table[key] = total, known[1] + ways

    before: list[dict[int, tuple[Fraction, int]]] = [{0: (Fraction(0), 1)}]
    for i in range(n):
        table: dict[int, tuple[Fraction, int]] = {}
        for taken, (total, ways) in before[i].items():
            for j, x in steps(i, taken):
                add(table, taken if j is None else taken | 1 << j, total + x, ways)
        before.append(table)
    after: list[dict[int, tuple[Fraction, int]]] = [{} for _ in range(n)]
    after.append(dict.fromkeys(before[n], (Fraction(0), 1)))
    holding: dict[Pair, int] = defaultdict(int)
    best = max(total for total, _ in before[n].values())
    for i in reversed(range(n)):
        for taken, (total, ways) in before[i].items():
            for j, x in steps(i, taken):
                rest, rest_ways = after[i + 1][taken if j is None else taken | 1 << j]
                add(after[i], taken, x + rest, rest_ways)
                if j is not None and total + x + rest == best:
                    holding[i, j] += ways * rest_ways
    return best, after[0][0][1], holding


def extremes(matrix: Exact, wanted: set[Pair]) -> CountRange:
    """Return how many wanted pairs an optimal pairing holds at least and at most.

    A pair's similarity, and a hair more or less if it is wanted: too little to change the total.
    """
    spread = math.lcm(*(x.denominator for row in matrix for x in row), 1)
    hair = Fraction(1, 2 * spread * (len(matrix) + 1))
    counts = []
    for sign in (-1, 1):
        tilted = [
            [x + sign * hair * ((i, j) in wanted) if x > 0 else x for j, x in enumerate(row)]
            for i, row in enumerate(matrix)
        ]
        counts.append(round((tally(tilted)[0] - tally(matrix)[0]) / hair * sign))
    return CountRange(*counts)


@dataclass
class Case:
    matrix: Exact
    wanted: set[Pair]

    @property
    def array(self) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        columns = len(self.matrix[0]) if self.matrix else 0
        return np.array([[float(x) for x in row] for row in self.matrix]).reshape(-1, columns)


#: Few values make many ties; of thirds, sevenths and tenths hardly a sum is exact in binary.
VALUES = [
    [Fraction(0), Fraction(1)],
    [Fraction(k, 2) for k in range(3)],
    [Fraction(k, d) for d in (3, 7, 10) for k in range(d + 1)],
    [Fraction(k, d) for d in (6, 12) for k in range(4)],
]


def cases(smallest: int, largest: int) -> st.SearchStrategy[Case]:
    """Return random matrices of fractions, square or not, each with some wanted pairs."""

    def build(n: int, m: int, values: list[Fraction], seed: int) -> Case:
        rng = random.Random(seed)
        wanted = {(i, j) for i in range(n) for j in range(m) if rng.random() < 0.3}
        return Case([[rng.choice(values) for _ in range(m)] for _ in range(n)], wanted)

    sides = st.integers(smallest, largest)
    return st.builds(build, sides, sides, st.sampled_from(VALUES), st.integers(0, 2**32 - 1))


def check(case: Case) -> None:
    array = case.array
    found = assign(array)
    ties = find_ties(array, found)
    best, number, holding = tally(case.matrix)
    assert found.total == pytest.approx(float(best), abs=1e-12)
    assert ties.always == {pair for pair, ways in holding.items() if ways == number}
    assert ties.sometimes == {pair for pair, ways in holding.items() if ways < number}
    assert ties.unique == (number == 1)
    assert ties.count(case.wanted) == extremes(case.matrix, case.wanted)
    everything = {(i, j) for i, row in enumerate(case.matrix) for j in range(len(row))}
    assert ties.size == extremes(case.matrix, everything)
    by_edges = find_ties(csr_array(array), found)
    assert (by_edges.always, by_edges.sometimes) == (ties.always, ties.sometimes)
    assert by_edges.count(case.wanted) == ties.count(case.wanted)


@examples(250)
@given(cases(1, 4))
def test_ties_are_those_of_all_optima(case: Case) -> None:
    check(case)


@examples(25)
@given(cases(5, 8))
def test_ties_are_those_of_all_optima_up_to_eight_by_eight(case: Case) -> None:
    check(case)


@examples(60)
@given(cases(1, 5), st.sampled_from([1e-200, 1e-12, 1e12, 1e200]))
def test_ties_do_not_depend_on_the_scale(case: Case, scale: float) -> None:
    plain, scaled = case.array, case.array * scale
    expected, ties = find_ties(plain, assign(plain)), find_ties(scaled, assign(scaled))
    assert (ties.always, ties.sometimes) == (expected.always, expected.sometimes)
    assert ties.count(case.wanted) == expected.count(case.wanted)
    by_edges = find_ties(csr_array(scaled), assign(scaled))
    assert (by_edges.always, by_edges.sometimes) == (ties.always, ties.sometimes)


@examples(60)
@given(cases(1, 5), st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(1)]))
def test_cut_after_assigning(case: Case, threshold: Fraction) -> None:
    ties = find_ties(case.array, assign(case.array))
    cut = ties.at_least(float(threshold))
    kept = {
        (i, j) for i, row in enumerate(case.matrix) for j, x in enumerate(row) if x >= threshold
    }
    assert cut.always == ties.always & kept
    assert cut.sometimes == ties.sometimes & kept
    assert cut.count(case.wanted) == extremes(case.matrix, case.wanted & kept)


@examples(60)
@given(cases(1, 5), st.data())
def test_each_row_can_have_its_own_threshold(case: Case, data: st.DataObject) -> None:
    thresholds = [data.draw(st.sampled_from([0.0, 0.34, 0.5, 1.0])) for _ in case.matrix]
    cut = find_ties(case.array, assign(case.array)).at_least(np.array(thresholds))
    kept = {
        (i, j)
        for i, (row, threshold) in enumerate(zip(case.matrix, thresholds, strict=True))
        for j, x in enumerate(row)
        if x >= threshold
    }
    assert cut.count(case.wanted) == extremes(case.matrix, case.wanted & kept)


@examples(100)
@given(cases(1, 6))
def test_duals_prove_the_optimum(case: Case) -> None:
    array = case.array
    found = assign(array)
    dual, _ = prove(array, found)
    assert (dual.rows >= -TOLERANCE).all()
    assert (dual.columns >= -TOLERANCE).all()
    assert (dual.rows[:, None] + dual.columns >= array - TOLERANCE).all()
    assert dual.total == pytest.approx(found.total, abs=TOLERANCE)


@pytest.mark.parametrize("columns", [[0, 1], [1, 2]])
def test_an_assignment_that_is_not_optimal_has_no_duals(columns: list[int]) -> None:
    matrix = np.array([[0.9, 0.8, 0.0], [0.8, 0.1, 0.1]])
    rows = np.arange(2)
    worse = Assignment(rows, np.array(columns), matrix[rows, columns], "hungarian")
    with pytest.raises(ArithmeticError, match="not optimal"):
        prove(matrix, worse)
    nothing = Assignment(rows[:0], rows[:0], matrix[0, :0], "hungarian")
    with pytest.raises(ArithmeticError, match="not optimal"):
        find_ties(matrix, nothing)
    for wrong in (worse, nothing):
        with pytest.raises(ArithmeticError, match="not optimal"):
            find_ties(csr_array(matrix), wrong)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0), (2, 3)])
def test_nothing_to_match(shape: tuple[int, int]) -> None:
    matrix = np.zeros(shape)
    ties = find_ties(matrix, assign(matrix))
    assert ties.unique
    assert ties.always == ties.sometimes == frozenset()
    assert ties.count([(0, 0)]) == CountRange(0, 0)


def test_all_equal() -> None:
    matrix = np.full((30, 40), 0.3)
    ties = find_ties(matrix, assign(matrix))
    assert len(ties.sometimes) == 1200
    assert ties.count({(i, j) for i in range(20) for j in range(40)}) == CountRange(20, 20)
    assert ties.count({(i, j) for i in range(30) for j in range(15)}) == CountRange(5, 15)


def test_sums_that_differ_by_more_than_rounding_are_not_tied() -> None:
    matrix = np.array([[0.5, 0.5], [0.5, 0.5 + 1e-6]])
    ties = find_ties(matrix, assign(matrix))
    assert ties.unique
    assert ties.always == {(0, 0), (1, 1)}
    # .1 + .7 and .3 + .5 differ in binary, by 1e-16
    matrix = np.array([[0.1, 0.3], [0.5, 0.7]])
    assert not find_ties(matrix, assign(matrix)).unique
