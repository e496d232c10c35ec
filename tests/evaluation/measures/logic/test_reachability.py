"""Semantic measures and coherence: HermiT's values, and every subset tried for the repair."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation.measures.logic.coherence import coherence, conservativity
from alignrank.evaluation.measures.logic.reachability import Merged, closed, semantic
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.ontology import Entity, Kind, Ontology
from tests.generated import examples

GOLDEN = json.loads((Path(__file__).parents[3] / "golden" / "measures.json").read_text("utf-8"))


def taxonomy(names, parents=(), **facts):
    above: dict[str, tuple[str, ...]] = {}
    for child, parent in parents:
        above[child] = tuple(sorted({*above.get(child, ()), parent}))
    return Ontology("", {n: Entity(n, Kind.CLASS) for n in names}, parents=above, **facts)


ONE = taxonomy("ABCD", ["AB", "BC"])
TWO = taxonomy(["one", "two", "three", "four"], [("one", "two"), ("two", "three")])
REFERENCE = Alignment(Correspondence(*row) for row in GOLDEN["semantic"]["reference"])


@pytest.mark.parametrize("name", GOLDEN["semantic"]["cases"])
def test_worked_cases(name):
    case = GOLDEN["semantic"]["cases"][name]
    got = semantic(Alignment(Correspondence(*row) for row in case["A"]), REFERENCE, ONE, TWO)
    scores = got.scores()
    assert (scores.precision, scores.recall) == pytest.approx((case["P_sem"], case["R_sem"]))
    if "F_sem" in case:
        assert scores.f1 == pytest.approx(case["F_sem"])
    assert got.cautions == ()


def test_closure_sizes():
    sizes = GOLDEN["semantic"]["closure_size_MELT_enhanceAlignment"]
    below = Alignment([Correspondence("A", "two", "<")])
    assert len(Merged(ONE, TWO, below).closure) == sizes["{A < two}"]
    assert len(Merged(ONE, TWO, REFERENCE).closure) == sizes["{B = two}"]
    got = closed(below, REFERENCE, ONE, TWO).scores()
    assert (got.precision, got.recall) == pytest.approx((1.0, 2 / 9))


classes1, classes2 = "ABCD", "wxyz"
correspondences = st.builds(
    Correspondence,
    st.sampled_from(classes1),
    st.sampled_from(classes2),
    st.sampled_from(["=", "=", "<", ">", "%"]),
)
alignments = st.lists(correspondences, max_size=5).map(Alignment)


def ontologies_(names):
    pairs = st.tuples(st.sampled_from(names), st.sampled_from(names))
    acyclic = pairs.filter(lambda p: p[0] < p[1])
    groups = st.sets(st.sampled_from(names), min_size=2).map(lambda g: tuple(sorted(g)))
    return st.builds(
        lambda parents, disjoints: taxonomy(names, parents, disjoints=tuple(disjoints)),
        st.lists(acyclic, max_size=4),
        st.lists(groups, max_size=2),
    )


def plainly(source, target, alignment):
    """The merged ontologies' subsumptions and unsatisfiable classes, by networkx."""
    graph = nx.DiGraph()
    graph.add_nodes_from([*source.entities, *target.entities])
    groups = (*source.disjoints, *target.disjoints)
    disjoint = [pair for group in groups for pair in combinations(group, 2)]
    for o in (source, target):
        graph.add_edges_from((c, p) for c, above in o.parents.items() for p in above)
    for c in alignment:
        if c.relation in "=<":
            graph.add_edge(c.entity1, c.entity2)
        if c.relation in "=>":
            graph.add_edge(c.entity2, c.entity1)
        if c.relation == "%":
            disjoint.append(c.pair)
    above = {n: nx.descendants(graph, n) | {n} for n in graph}
    return above, {n for n in graph if any(set(pair) <= above[n] for pair in disjoint)}


@examples(80)
@given(ontologies_(classes1), ontologies_(classes2), alignments, correspondences)
def test_entailment_is_reachability_or_unsatisfiability(source, target, a, c):
    merged = Merged(source, target, a)
    above, unsatisfiable = plainly(source, target, a)
    assert merged.unsatisfiable == unsatisfiable
    down = c.entity2 in above[c.entity1] or c.entity1 in unsatisfiable
    up = c.entity1 in above[c.entity2] or c.entity2 in unsatisfiable
    expected = {"<": down, ">": up, "=": down and up}
    if c.relation in expected:
        assert merged.entails(c) == expected[c.relation]
    assert all(merged.entails(own) for own in a)


@examples(60)
@given(ontologies_(classes1), ontologies_(classes2), alignments)
def test_repair_is_the_smallest_that_works(source, target, a):
    got = coherence(a, source, target)
    before = plainly(source, target, [])[1]
    assert set(got.unsatisfiable) == plainly(source, target, a)[1] - before
    assert (got.before, got.classes) == (len(before), 8)

    def works(removed):
        return not plainly(source, target, a - Alignment(removed))[1] - before

    assert works(got.repair)
    smaller = (works(some) for n in range(len(got.repair)) for some in combinations(a, n))
    assert not any(smaller)
    assert 0 <= got.incoherence <= 1
    assert (got.degree == 0) == (got.incoherence == 0)


@examples(60)
@given(ontologies_(classes1), ontologies_(classes2), alignments, st.randoms())
def test_precision_is_at_most_what_coherence_allows(source, target, a, random):
    r = Alignment(c for c in a if random.random() < 0.6)
    if len(a) and not coherence(r, source, target).unsatisfiable:
        assert len(a & r) / len(a) <= 1 - coherence(a, source, target).incoherence + 1e-12


@examples(60)
@given(ontologies_(classes1), ontologies_(classes2), alignments)
def test_conservativity_counts_new_subsumptions(source, target, a):
    got = conservativity(a, source, target)
    merged, apart = plainly(source, target, a)[0], plainly(source, target, [])[0]
    new = [
        [(c, d) for c in o.entities for d in (merged[c] - apart[c]) & set(o.entities)]
        for o in (source, target)
    ]
    assert (got.source, got.target) == (len(new[0]), len(new[1]))
    assert sorted(got.examples) == sorted(new[0] + new[1])


def test_incoherence_is_flagged():
    target = taxonomy("xyz", [("z", "y")], disjoints=(("x", "y"),))
    wrong = Alignment([Correspondence("A", "x"), Correspondence("A", "z")])
    right = Alignment([Correspondence("B", "y", "<")])
    got = semantic(wrong, right, ONE, target)
    assert Merged(ONE, target, wrong).unsatisfiable == {"A", "x", "z"}
    assert not Merged(ONE, target, right).unsatisfiable
    assert got.cautions == (
        "Under the alignment 3 classes are unsatisfiable: they are below every class, which "
        "raises semantic recall.",
    )


def test_inconsistency_entails_everything_and_is_flagged():
    entities = {"i": Entity("i", Kind.INDIVIDUAL), "A": Entity("A", Kind.CLASS)}
    source = Ontology("", entities, types={"i": ("A",)})
    target = taxonomy("xy", disjoints=(("x", "y"),))
    wrong = Alignment([Correspondence("A", "x"), Correspondence("A", "y")])
    got = semantic(wrong, Alignment([Correspondence("A", "x", "%")]), source, target)
    assert got.scores().recall == 1
    assert got.cautions[0].startswith("The alignment makes the ontologies inconsistent")
    assert coherence(wrong, source, target).inconsistent


def test_individuals_and_what_has_no_translation():
    source = Ontology(
        "",
        {"i": Entity("i", Kind.INDIVIDUAL), "A": Entity("A", Kind.CLASS)},
        types={"i": ("A",)},
    )
    target = Ontology(
        "",
        {"j": Entity("j", Kind.INDIVIDUAL), "x": Entity("x", Kind.CLASS)},
    )
    merged = Merged(source, target, Alignment([Correspondence("A", "x", "<")]))
    assert merged.entails(Correspondence("i", "x", "InstanceOf"))
    assert not merged.entails(Correspondence("i", "j"))
    same = Merged(source, target, Alignment([Correspondence("i", "j")]))
    assert same.entails(Correspondence("A", "j", "HasInstance")) is True
    different = Correspondence("i", "j", "%")
    assert Merged(source, target, Alignment([different])).entails(different)
    contradiction = Alignment([Correspondence("i", "j"), different])
    assert Merged(source, target, contradiction).inconsistent
    for senseless in (("i", "x", "="), ("i", "j", "<"), ("A", "x", "?"), ("A", "j", "InstanceOf")):
        c = Correspondence(*senseless)
        assert not Merged(source, target, Alignment([c])).entails(c)
    unknown = Correspondence("ghost", "x")
    assert Merged(source, target, Alignment([unknown])).entails(unknown)


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14),
    st.permutations(range(7)),
)
def test_what_is_above_does_not_depend_on_what_was_asked_before(
    links: list[tuple[int, int]], order: list[int]
) -> None:
    names = "ABCDEFG"
    parents = {n: tuple(names[j] for i, j in links if names[i] == n) for n in names}
    ontology = Ontology("", {n: Entity(n, Kind.CLASS) for n in names}, parents=parents)
    merged = Merged(ontology, Ontology("", {}), Alignment())
    graph = nx.DiGraph((names[i], names[j]) for i, j in links)
    for k in order:
        reached = nx.descendants(graph, names[k]) if names[k] in graph else set()
        assert merged.above(names[k]) == reached | {names[k]}
