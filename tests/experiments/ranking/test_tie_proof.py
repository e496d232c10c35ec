"""Tie-proof arrows: the bound holds over every combination of optimal assignments."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation import compare, mcnemar, score
from alignrank.experiments.ranking.rank import rank
from alignrank.experiments.ranking.tie_proof import tie_proof, tie_ranges, worst_case
from alignrank.matchers import Metric, Settings, match, prepare
from alignrank.ontologies import (
    Alignment,
    Correspondence,
    Entity,
    Kind,
    Label,
    NegatedCorrespondence,
    Ontology,
    load_ontology,
    read_alignment,
)
from alignrank.ontologies.tasks import bundled_task

SIZE = 5


def ontology(prefix: str) -> Ontology:
    return Ontology(
        "",
        {
            f"{prefix}#{k}": Entity(f"{prefix}#{k}", Kind.CLASS, (Label(str(k)),))
            for k in range(SIZE)
        },
    )


def metric_of(name: str, values: list[list[int]]) -> Metric:
    def similarity(s: str, t: str) -> float:
        return values[int(s)][int(t)] / 4

    return Metric(name=name, family="custom", similarity=similarity, summary="", source="")


def optimal_alignments(values: list[list[int]]) -> list[frozenset[tuple[str, str]]]:
    """Return every optimal alignment, by trying all permutations (similarity 0 is no pair)."""
    totals = {p: sum(values[i][j] for i, j in enumerate(p)) for p in permutations(range(SIZE))}
    best = max(totals.values())
    return list(
        {
            frozenset((f"a#{i}", f"b#{j}") for i, j in enumerate(p) if values[i][j])
            for p, total in totals.items()
            if total == best
        }
    )


def right(
    pairs: frozenset[tuple[str, str]], gold: frozenset[tuple[str, str]], view: str
) -> set[object]:
    if view == "ifp":
        return set(pairs & gold)
    if view == "entity":
        sources = {f"a#{i}" for i in range(SIZE)}
        return {
            e for e in sources if {p for p in pairs if p[0] == e} == {p for p in gold if p[0] == e}
        }
    universe = {(f"a#{i}", f"b#{j}") for i in range(SIZE) for j in range(SIZE)}
    return {pair for pair in universe if (pair in pairs) == (pair in gold)}


matrices = st.lists(
    st.lists(st.integers(0, 4), min_size=SIZE, max_size=SIZE), min_size=SIZE, max_size=SIZE
)


@given(matrices, matrices, st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1))
def test_no_choice_of_ties_gives_a_larger_p(
    one: list[list[int]], two: list[list[int]], gold_pairs: set[tuple[int, int]]
) -> None:
    reference = Alignment(Correspondence(f"a#{i}", f"b#{j}") for i, j in gold_pairs)
    gold = reference.pairs
    candidates = prepare(ontology("a"), ontology("b"), Settings(labels="raw"))
    matchings = {n: match(candidates, metric_of(n, v)) for n, v in (("one", one), ("two", two))}
    known = tie_ranges(matchings, reference)
    for view in ("entity", "ifp", "cfp"):
        b, c = worst_case(known["one"], known["two"], view)
        bound = float(mcnemar(b, c).p) if b > c else 1.0
        for mine in optimal_alignments(one):
            for theirs in optimal_alignments(two):
                first, second = right(mine, gold, view), right(theirs, gold, view)
                n10, n01 = len(first - second), len(second - first)
                p = float(mcnemar(n10, n01).p) if n10 > n01 else 1.0
                assert p <= bound + 1e-12


def test_an_arrow_without_ties_is_proven_and_one_that_hangs_on_a_tie_is_not() -> None:
    n = 30
    entities = [f"{k:02}" for k in range(n)]

    def side(prefix: str) -> Ontology:
        return Ontology(
            "",
            {f"{prefix}#{e}": Entity(f"{prefix}#{e}", Kind.CLASS, (Label(e),)) for e in entities},
        )

    def exact(s: str, t: str) -> float:
        return float(s == t)

    def shifted(s: str, t: str) -> float:  # wrong for all but the first ten, and unique
        k = int(s)
        return float(int(t) == (k if k < 10 else 10 + (k - 9) % 20))

    def blind(s: str, t: str) -> float:  # right for the first ten, all tied for the rest
        k = int(s)
        return float(s == t) if k < 10 else float(int(t) >= 10)

    reference = Alignment(Correspondence(f"a#{e}", f"b#{e}") for e in entities)
    candidates = prepare(side("a"), side("b"), Settings(labels="raw"))
    metrics = {
        name: Metric(name=name, family="custom", similarity=f, summary="", source="")
        for name, f in (("exact", exact), ("shifted", shifted), ("blind", blind))
    }
    matchings = {name: match(candidates, metric) for name, metric in metrics.items()}
    comparison = compare({n: m.alignment for n, m in matchings.items()}, reference)
    proven = tie_proof(comparison, tie_ranges(matchings, reference))["ifp"]
    assert ("exact", "shifted") in comparison.edges["ifp"]["bergmann-hommel"]
    assert ("exact", "shifted") in proven
    assert ("exact", "blind") not in proven  # all twenty tied rows could be right


@pytest.mark.parametrize("name", ["library", "petclinic", "foodchain", "citytransit"])
def test_the_count_lies_in_its_range_whatever_relations_the_reference_holds(name: str) -> None:
    task = bundled_task(name)
    reference = read_alignment(task.reference)
    ranking = rank(load_ontology(task.source), load_ontology(task.target), reference)
    assert ranking.comparison.matched is not None
    for metric, (smallest, largest) in ranking.comparison.matched.correct_range.items():
        assert smallest <= ranking.comparison.scores[metric].correct <= largest, metric


def test_an_open_pair_that_the_reference_negates_is_wrong_under_every_assignment() -> None:
    cells = [Correspondence("a#0", "b#0"), Correspondence("a#1", "b#1", "?")]
    negated = [NegatedCorrespondence("a#1", "b#1", "http://e.org/exact", "=")]
    metric = metric_of(
        "exact", [[4 * (i == j and i < 2) for j in range(SIZE)] for i in range(SIZE)]
    )
    candidates = prepare(ontology("a"), ontology("b"), Settings(labels="raw"))
    matchings = {"exact": match(candidates, metric)}
    for negations, size in (((), 1), (negated, 2)):
        reference = Alignment(cells, negated=negations)
        bounds = tie_ranges(matchings, reference)["exact"]
        assert (bounds.correct_min, bounds.size_min, bounds.size_max) == (1, size, size)
        assert score(matchings["exact"].alignment, reference).found == size
