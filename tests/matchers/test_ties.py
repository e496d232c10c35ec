"""Ties and duals, against all optimal assignments in exact arithmetic."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matchers.assignment import Assignment, assign
from matchers.duals import TOLERANCE, duals
from matchers.registry import ONTOSIM, get_metric
from matchers.similarity import similarity_matrix
from matchers.ties import CountRange, Pair, Ties, find_ties

Exact = list[list[Fraction]]


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


@settings(max_examples=250)
@given(cases(1, 4))
def test_ties_are_those_of_all_optima(case: Case) -> None:
    check(case)


@settings(max_examples=40)
@given(cases(5, 8))
def test_ties_are_those_of_all_optima_up_to_eight_by_eight(case: Case) -> None:
    check(case)


@settings(max_examples=60)
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


@settings(max_examples=100)
@given(cases(1, 6))
def test_duals_prove_the_optimum(case: Case) -> None:
    array = case.array
    found = assign(array)
    dual = duals(array, found)
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
        duals(matrix, worse)
    nothing = Assignment(rows[:0], rows[:0], matrix[0, :0], "hungarian")
    with pytest.raises(ArithmeticError, match="not optimal"):
        find_ties(matrix, nothing)


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


#: Ranges of correct correspondences over 25 optimal assignments each, sampled by others.
SAMPLED = {
    "ontosim-equality": (200, 200),
    "ontosim-hamming": (1044, 1049),
    "ontosim-jaro": (1092, 1094),
    "ontosim-jaro-winkler": (1092, 1094),
    "ontosim-levenshtein": (1167, 1177),
    "ontosim-ngram": (1243, 1260),
    "ontosim-needleman-wunsch": (1133, 1141),
    "ontosim-smoa": (1006, 1014),
    "ontosim-substring": (623, 646),
}
#: Largest total similarity, mouse first.
OPTIMUM = {
    "ontosim-equality": 201.0,
    "ontosim-hamming": 1539.943872851,
    "ontosim-jaro": 2148.102619784,
    "ontosim-jaro-winkler": 1288.861571870,
    "ontosim-levenshtein": 1774.310960654,
    "ontosim-ngram": 1436.122907649,
    "ontosim-needleman-wunsch": 1644.555422626,
    "ontosim-smoa": 2255.088843605,
    "ontosim-substring": 1274.091268837,
}


@dataclass
class Anatomy:
    sources: list[list[str]]
    targets: list[list[str]]
    correct: set[Pair]


@pytest.fixture(scope="module")
def anatomy(oaei: Path) -> Anatomy:
    from ontologies import Kind, load_ontology, read_alignment

    folder = oaei / "anatomy"
    mouse, human = (
        load_ontology(folder / name).of_kind(Kind.CLASS) for name in ("mouse.owl", "human.owl")
    )
    row = {entity.iri: i for i, entity in enumerate(mouse)}
    column = {entity.iri: j for j, entity in enumerate(human)}
    return Anatomy(
        [[name.lower() for name in entity.names(synonyms=False)] for entity in mouse],
        [[name.lower() for name in entity.names(synonyms=False)] for entity in human],
        {(row[c.entity1], column[c.entity2]) for c in read_alignment(folder / "reference.rdf")},
    )


@pytest.mark.parametrize("name", ONTOSIM)
def test_anatomy(anatomy: Anatomy, name: str) -> None:
    matrix = similarity_matrix(anatomy.sources, anatomy.targets, get_metric(name))
    assert matrix.shape == (2737, 3298)
    found = assign(matrix)
    assert found.total == pytest.approx(OPTIMUM[name], abs=1e-6)
    ties = find_ties(matrix, found)
    pairs = set(zip(found.rows.tolist(), found.columns.tolist(), strict=True))
    assert ties.always <= pairs <= ties.always | ties.sometimes
    exact = ties.count(anatomy.correct)
    assert exact.smallest <= len(pairs & anatomy.correct) <= exact.largest
    smallest, largest = SAMPLED[name]
    assert exact.smallest <= smallest <= largest <= exact.largest
    assert_exact(ties, duals(matrix, found).rows > TOLERANCE)


@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("ontosim-jaro", 2148.100302510),
        ("ontosim-jaro-winkler", 1288.860181506),
        ("ontosim-smoa", 2254.953911660),
    ],
)
def test_anatomy_human_first(anatomy: Anatomy, name: str, total: float) -> None:
    matrix = similarity_matrix(anatomy.targets, anatomy.sources, get_metric(name))
    assert assign(matrix).total == pytest.approx(total, abs=1e-6)


def assert_exact(ties: Ties, row_needed: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> None:
    """Check in rational arithmetic that what is called tied is tied, not only nearly so.

    Along any cycle of tied pairs the similarities, taken with alternating signs, must cancel:
    there are exact values of rows and columns whose sums are the similarities, 0 for a row that
    may be left out. Denominators are small, so the nearest such fraction is the similarity.
    """
    neighbours: dict[tuple[str, int], list[tuple[tuple[str, int], Fraction]]] = defaultdict(list)
    values = ties.similarities[len(ties.fixed) :].tolist()
    for (row, column), value in zip(ties.free.tolist(), values, strict=True):
        exact = Fraction(value).limit_denominator(1_000_000)
        assert abs(float(exact) - value) < 1e-15
        neighbours["row", row].append((("column", column), exact))
        neighbours["column", column].append((("row", row), exact))
    optional = {node for node in neighbours if node[0] == "row" and not row_needed[node[1]]}
    worth: dict[tuple[str, int], Fraction] = {}
    for root in [*sorted(optional), *sorted(neighbours)]:
        if root in worth:
            continue
        worth[root] = Fraction(0)
        waiting = [root]
        while waiting:
            node = waiting.pop()
            for other, similarity in neighbours[node]:
                if other not in worth:
                    worth[other] = similarity - worth[node]
                    waiting.append(other)
                assert worth[node] + worth[other] == similarity
    assert all(worth[node] == 0 for node in optional)
