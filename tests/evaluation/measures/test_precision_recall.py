"""Relaxed precision and recall: Table 8, the spec's traps, and the framework's properties."""

from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.measures.precision_recall import (
    EQUALITY,
    PROXIMITIES,
    SYMMETRIC,
    PairWeights,
    Proximity,
    RelaxedOptions,
    relaxed,
)
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.hierarchy import Hierarchy
from alignrank.ontologies.ontology import Kind
from tests.generated import examples

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "relaxed.json").read_text("utf-8"))
KINDS = {"classes": Kind.CLASS, "properties": Kind.PROPERTY, "individuals": Kind.INDIVIDUAL}


def alignment(rows):
    return Alignment([Correspondence(*row) for row in rows])


def overlap(scores):
    """Return the overlap ω of Definition 4."""
    return scores.credits.found_credit.sum()


def figure1(side):
    data = GOLDEN[side]
    parents: dict[str, list[str]] = {}
    for child, parent in [*data.get("subClassOf", []), *data.get("subPropertyOf", [])]:
        parents.setdefault(child, []).append(parent)
    kinds = {e: kind for name, kind in KINDS.items() for e in data[name]}
    return Hierarchy.of_parents(parents, entities=kinds, kinds=kinds)


@pytest.mark.parametrize("both_sides", ["zero", "product"])
@pytest.mark.parametrize("max_distance", [1, 2, 5])
@pytest.mark.parametrize("confidence", ["ignore", "paper"])
def test_table_8(both_sides, max_distance, confidence):
    source, target = figure1("ontology1"), figure1("ontology2")
    reference = alignment(GOLDEN["alignments"]["R"])
    options = RelaxedOptions(
        both_sides=both_sides, max_distance=max_distance, confidence=confidence
    )
    paper_names = {"standard": "equality", "edit": "effort"}
    for name, rows in GOLDEN["table8"].items():
        found = alignment(GOLDEN["alignments"][name])
        for measure, expected in rows.items():
            ours = paper_names.get(measure, measure)
            scores = relaxed(found, reference, source, target, ours, options=options)
            assert [scores.precision, scores.recall] == pytest.approx(expected, abs=1e-12)
        for measure, omega in GOLDEN["overlap"][name].items():
            scores = relaxed(found, reference, source, target, measure, options=options)
            assert overlap(scores) == pytest.approx(omega, abs=1e-12)
    assert sum(len(rows) * 2 for rows in GOLDEN["table8"].values()) == 32


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["name"])
def test_extra_cases(case):
    source, target = (
        Hierarchy.of_parents(
            case[f"up{i}"],
            entities=case[f"kinds{i}"],
            kinds={e: Kind(kind) for e, kind in case[f"kinds{i}"].items()},
        )
        for i in (1, 2)
    )
    given_options = case["options"]
    options = RelaxedOptions(
        both_sides=given_options.get("both", "zero"),
        max_distance=given_options.get("maxd", 1),
        confidence="paper" if given_options.get("conf", True) else "ignore",
    )
    for measure, omega in case["omega"].items():
        scores = relaxed(
            alignment(case["A"]), alignment(case["R"]), source, target, measure, options=options
        )
        assert overlap(scores) == pytest.approx(omega, abs=1e-9)
        assert scores.precision == pytest.approx(case["precision"][measure], abs=1e-9)
        assert scores.recall == pytest.approx(case["recall"][measure], abs=1e-9)


# random small ontologies and alignments ---------------------------------------------------------

entity = st.integers(0, 5)
correspondence = st.builds(
    Correspondence,
    entity.map(str),
    entity.map(lambda i: f"t{i}"),
    st.sampled_from(["=", "=", "=", "<", ">", "%"]),
    st.sampled_from([0.0, 0.25, 0.5, 1.0]),
)
alignments = st.lists(correspondence, max_size=6).map(Alignment)
hierarchies = st.tuples(
    st.lists(st.tuples(entity, entity), max_size=6), st.sampled_from([Kind.CLASS, Kind.INDIVIDUAL])
)
options_ = st.builds(
    RelaxedOptions,
    both_sides=st.sampled_from(["zero", "product"]),
    max_distance=st.integers(0, 3),
    confidence=st.sampled_from(["ignore", "paper"]),
    relations=st.sampled_from(["paper", "ignore", "strict"]),
    aggregate=st.sampled_from(["product", "mean"]),
    direction=st.sampled_from(["forward", "backward"]),
)
proximities = st.sampled_from(list(PROXIMITIES))


def hierarchy(drawn, prefix):
    links, kind = drawn
    names = [f"{prefix}{i}" for i in range(6)]
    parents = {f"{prefix}{a}": [f"{prefix}{b}"] for a, b in links if a > b}
    return Hierarchy.of_parents(parents, entities=names, kinds=dict.fromkeys(names, kind))


def plain_overlap(found, correct, source, target, table, options):
    """The definition: a dense matrix of every pair's proximity, and an assignment."""
    if options.direction == "backward":
        table = table.swapped()

    def side(h, name, a, r):
        up, down = h.distances_up(h.node(a)), h.distances_down(h.node(a))
        r = h.node(r)
        weights = table.individuals if h.kinds.get(r) is Kind.INDIVIDUAL else table.concepts
        if r == h.node(a):
            return 1.0
        if up.get(r, 99) <= options.max_distance:
            return getattr(weights, f"{name}_super") ** up[r]
        if down.get(r, 99) <= options.max_distance:
            return getattr(weights, f"{name}_sub") ** down[r]
        return 0.0

    matrix = np.zeros((len(found), len(correct)))
    for (i, a), (j, r) in product(enumerate(found), enumerate(correct)):
        one, two = (
            side(source, "source", a.entity1, r.entity1),
            side(target, "target", a.entity2, r.entity2),
        )
        pair = one * two
        same = source.node(a.entity1) == source.node(r.entity1) or target.node(
            a.entity2
        ) == target.node(r.entity2)
        if options.both_sides == "zero" and not same:
            pair = 0.0
        matrix[i, j] = options.combine(table, pair, a, r)
    return matrix[linear_sum_assignment(matrix, maximize=True)].sum()


@examples(150)
@given(alignments, alignments, hierarchies, hierarchies, proximities, options_)
def test_sparse_overlap_is_the_dense_definition(a, r, one, two, name, options):
    source, target = hierarchy(one, ""), hierarchy(two, "t")
    scores = relaxed(a, r, source, target, name, options=options)
    expected = plain_overlap(list(a), list(r), source, target, PROXIMITIES[name], options)
    assert overlap(scores) == pytest.approx(expected, abs=1e-9)


@examples(150)
@given(alignments, alignments, hierarchies, hierarchies, proximities, options_)
def test_framework_properties(a, r, one, two, name, options):
    source, target = hierarchy(one, ""), hierarchy(two, "t")
    omega = overlap(relaxed(a, r, source, target, name, options=options))
    same = sum(1 for c in a if c.key in r and r[c.key].confidence == c.confidence)
    if name == "effort" and options.confidence == "paper":  # its confidence factor may be 0
        same = sum(1 for c in a if c.key in r and c.confidence == r[c.key].confidence > 0)
    assert 0 <= omega <= min(len(a), len(r)) + 1e-9
    assert omega >= same - 1e-9
    itself = relaxed(r, r, source, target, name, options=options)
    if not (name == "effort" and any(c.confidence == 0 for c in r)):
        assert overlap(itself) == pytest.approx(len(r))
        assert itself.near_misses == () or name != "equality"


@given(alignments, alignments, hierarchies, hierarchies)
def test_equality_is_ordinary_precision_and_recall(a, r, one, two):
    source, target = hierarchy(one, ""), hierarchy(two, "t")
    scores = relaxed(a, r, source, target, "equality")
    assert overlap(scores) == len(a & r)
    whole = relaxed(a, r, source, target, EQUALITY, options=RelaxedOptions(confidence="paper"))
    assert overlap(whole) == sum(1 for c in a if c.key in r and r[c.key] == c)


@given(alignments, alignments, hierarchies, hierarchies, options_)
def test_swapping_ontologies_and_direction_changes_nothing(a, r, one, two, options):
    source, target = hierarchy(one, ""), hierarchy(two, "t")
    turned = RelaxedOptions(
        **{
            **vars(options),
            "direction": "backward" if options.direction == "forward" else "forward",
        }
    )
    for name in PROXIMITIES:
        there = relaxed(a, r, source, target, name, options=options)
        back = relaxed(a.swapped(), r.swapped(), target, source, name, options=turned)
        assert overlap(there) == pytest.approx(overlap(back))


unit = st.floats(0, 1)


@given(unit, unit, unit, st.sampled_from(["product", "mean"]))
def test_aggregation_keeps_the_paper_s_constraints(pair, conf, higher, aggregate):
    options = RelaxedOptions(aggregate=aggregate, confidence="paper")

    def value(p, c):
        return options.combine(
            SYMMETRIC, p, Correspondence("a", "x"), Correspondence("a", "x", "=", c)
        )

    assert 0 <= value(pair, conf) <= 1
    assert value(1, 1) == 1
    assert value(max(pair, higher), conf) >= value(pair, conf) - 1e-12
    assert value(pair, max(conf, higher)) >= value(pair, conf) - 1e-12


# conventions and reports ------------------------------------------------------------------------

CARS = Hierarchy.of_parents({"Porsche": ["Automobile"], "Automobile": ["Thing"]})
MINE = Hierarchy.of_parents({}, entities=["Car"])


def test_near_misses_say_what_and_why():
    found = alignment([["Car", "Porsche", "="], ["Car", "Thing", "<"], ["Ghost", "Thing"]])
    correct = alignment([["Car", "Automobile", "="], ["Car", "Thing", "="], ["Ghost", "Thing"]])
    scores = relaxed(found, correct, MINE, CARS)
    links = {(m.found.entity2, m.correct.entity2, m.link): m.proximity for m in scores.near_misses}
    assert links == {
        ("Porsche", "Automobile", "target super"): 0.5,
        ("Thing", "Thing", "relation"): 0.5,
    }
    assert scores.credits.cautions == (
        "Entities that no hierarchy holds: 1, such as Ghost; they earn credit for equality only.",
    )
    assert overlap(scores) == 2.0  # equality needs no hierarchy
    assert list(scores.to_frame()["proximity"]) == [0.5, 0.5, 1.0]


def test_collapsed_cycles_are_noted():
    cyclic = Hierarchy.of_parents({"a": ["b"], "b": ["a"]})
    found, correct = alignment([["Car", "a"]]), alignment([["Car", "b"]])
    scores = relaxed(found, correct, MINE, cyclic)
    assert scores.precision == 1
    assert scores.credits.cautions == (
        "Cycles in the hierarchies, each collapsed to one entity: 1, such as a < b.",
    )


def test_distance_and_equivalents_are_named():
    far = relaxed(
        alignment([["Car", "Porsche"]]),
        alignment([["Car", "Thing"]]),
        MINE,
        CARS,
        "effort",
        options=RelaxedOptions(max_distance=2),
    )
    assert far.matches[0].link == "target super 2"
    assert far.matches[0].proximity == pytest.approx(0.36)
    same = Hierarchy.of_parents({}, equivalents=[("Auto", "Car")])
    scores = relaxed(alignment([["Auto", "Thing"]]), alignment([["Car", "Thing"]]), same, CARS)
    assert scores.matches[0].link == "equivalent"
    assert scores.precision == 1.0


def test_pairs_that_are_not_judged_count_neither_way():
    reference = alignment([["Car", "Automobile"], ["Car", "Thing", "?"]])
    found = alignment([["Car", "Automobile"], ["Car", "Thing"]])
    scores = relaxed(found, reference, MINE, CARS)
    assert (scores.precision, scores.recall) == (1, 1)
    assert (len(scores.credits.found), len(scores.credits.reference)) == (1, 1)


def test_zero_division():
    one, none = alignment([["Car", "Thing"]]), Alignment()

    def values(a, r, convention):
        s = relaxed(a, r, MINE, CARS, "oriented").credits.scores(convention)
        return s.precision, s.recall, s.f1

    assert values(none, one, "oaei") == (1, 0, 0)
    assert values(one, none, "oaei") == (0, 1, 0)
    assert values(none, none, "oaei") == (1, 1, 1)
    assert values(none, one, "zero") == (0, 0, 0)
    assert values(none, none, "zero") == (0, 0, 0)
    assert math.isnan(values(none, one, "nan")[0])
    assert values(none, one, "nan")[1:] == (0, 0)
    assert all(math.isnan(v) for v in values(none, none, "nan"))


def test_a_function_of_target_classes_is_a_proximity():
    found, correct = alignment([["Car", "Porsche"]]), alignment([["Car", "Automobile"]])
    calls = []

    def similarity(key, response):
        calls.append((key, response))
        return 0.75

    assert relaxed(found, correct, MINE, CARS, similarity).precision == 0.75
    assert calls == [("Automobile", "Porsche")]
    ghost = alignment([["Car", "Ghost"]])
    assert relaxed(ghost, correct, MINE, CARS, similarity).precision == 0


def test_bad_options_and_weights_are_named():
    with pytest.raises(EvaluationError, match=r"weight target_sub is 1\.5"):
        PairWeights(target_sub=1.5)
    with pytest.raises(EvaluationError, match="weight of relations = and < is -1"):
        Proximity("p", relations={("=", "<"): -1})
    with pytest.raises(EvaluationError, match="both_sides 'some' is unknown"):
        RelaxedOptions(both_sides="some")
    with pytest.raises(EvaluationError, match="max_distance -1 is negative"):
        RelaxedOptions(max_distance=-1)
    with pytest.raises(EvaluationError, match="proximity 'cosine' is unknown: use one of equality"):
        relaxed(Alignment(), Alignment(), MINE, CARS, "cosine")


def test_table_7_as_printed_would_give_the_reference_no_recall():
    printed = Proximity("printed", relations={("=", "="): 0.0})
    assert printed.relation("=", "=") == 1.0  # identity is 1, whatever a table says
    reference = alignment([["Car", "Automobile"]])
    assert relaxed(reference, reference, MINE, CARS, "recall").recall == 1.0


def test_large_alignments_need_no_dense_matrix():
    n = 20_000
    tree = Hierarchy.of_parents({f"{i}": [f"{i // 3}"] for i in range(1, n)})
    reference = Alignment(Correspondence(str(i), "t") for i in range(n))
    found = Alignment(Correspondence(str(min(n - 1, 3 * i + 1)), "t") for i in range(n // 3))
    scores = relaxed(found, reference, tree, Hierarchy.of_parents({}, entities=["t"]))
    assert overlap(scores) == len(found)
