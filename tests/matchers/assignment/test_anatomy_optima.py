"""OntoSim's nine metrics on OAEI anatomy: optimal sums, and what ties leave open."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from alignrank.matchers.assignment.optimal import TOLERANCE, prove
from alignrank.matchers.assignment.pairs import assign
from alignrank.matchers.assignment.ties import Pair, Ties, find_ties
from alignrank.matchers.by_name import ONTOSIM, get_metric
from alignrank.matchers.similarity.matrix import similarity_matrix

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
    from alignrank.ontologies import Kind, load_ontology, read_alignment

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
    assert_exact(ties, prove(matrix, found)[0].rows > TOLERANCE)


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


@pytest.mark.parametrize(
    ("name", "correct"),
    # counted by others, with other programs, after another choice among the optima; the standard
    # family's are in tests/experiments/ranking/test_rank_anatomy.py
    [("kondrak-bi-sim", 1166), ("kondrak-tri-dist", 1163)],
)
def test_kondraks_with_underscores_to_spaces(anatomy: Anatomy, name: str, correct: int) -> None:
    sources, targets = (
        [[name.replace("_", " ") for name in names] for names in side]
        for side in (anatomy.sources, anatomy.targets)
    )
    matrix = similarity_matrix(sources, targets, get_metric(name))
    exact = find_ties(matrix, assign(matrix)).count(anatomy.correct)
    assert exact.smallest <= correct <= exact.largest


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
