"""Every registered measure: worked values, a generic contract, and a paper's guidelines."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.credit.counts import score
from alignrank.evaluation.credit.credits import values
from alignrank.evaluation.measures.measure import MEASURES, Context, get_measure, measure_and_value
from alignrank.evaluation.measures.precision_recall import RelaxedOptions
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.ontology import Entity, Kind, Ontology
from tests.generated import examples

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "measures.json").read_text("utf-8"))
NAMES = [name for name in MEASURES if name != "semantic-hermit"]  # Java: see test_reasoned


def pairs(rows):
    return Alignment(Correspondence(a, b, "=", *n) for a, b, *n in rows)


SYSTEM, REFERENCE = pairs(GOLDEN["system"]), pairs(GOLDEN["reference"])


def flat(names):
    return Ontology("", {n: Entity(n, Kind.CLASS) for n in names})


SEVEN = Context(flat(f"a{i}" for i in range(1, 8)), flat(f"b{i}" for i in range(1, 8)))


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("f0.5", "F0.5"),
        ("f2", "F2"),
        ("overall", "overall"),
        ("jaccard", "jaccard"),
        ("fallout", "fallout"),
        ("roc-auc", "roc_auc_all_pairs"),
    ],
)
def test_worked_example(name, key):
    (value,) = values(get_measure(name)(SYSTEM, REFERENCE, SEVEN)).values()
    assert value == pytest.approx(GOLDEN[key])


def test_worked_example_of_several_values():
    standard = values(get_measure("standard")(SYSTEM, REFERENCE))
    assert tuple(standard.values()) == pytest.approx((GOLDEN["P"], GOLDEN["R"], GOLDEN["F1"]))
    assert values(get_measure("curve")(SYSTEM, REFERENCE)) == pytest.approx(
        {
            "average_precision": GOLDEN["MAP_over_reference_api_run"],
            "best_f1": GOLDEN["best_F1"],
        }
    )
    table = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [3, 3, 1, 42], axis=0)
    mcc = values(get_measure("mcc")(SYSTEM, REFERENCE, SEVEN))["mcc"]
    assert mcc == pytest.approx(np.corrcoef(table.T)[0, 1])


# a generic contract -----------------------------------------------------------------------------

SOURCE = Ontology(
    "",
    {n: Entity(n, Kind.CLASS) for n in "ABCDE"},
    parents={"A": ("B",), "B": ("C",), "D": ("C",)},
    disjoints=(("B", "D"),),
)
TARGET = Ontology(
    "",
    {n: Entity(n, Kind.CLASS) for n in ("u", "v", "w", "x", "a")},
    parents={"u": ("v",), "v": ("w",), "x": ("w",)},
)
CONTEXT = Context(SOURCE, TARGET)
PERFECT = Alignment(Correspondence(a, b) for a, b in zip("ABCD", "uvwx", strict=True))
WORST = Alignment([Correspondence("E", "a")])  # no link leads from the two to anything
correspondences = st.builds(
    Correspondence,
    st.sampled_from("ABCDE"),
    st.sampled_from(["u", "v", "w", "x", "a"]),
    st.sampled_from(["=", "=", "<", ">"]),
    st.sampled_from([0.25, 0.5, 1.0]),
)
alignments = st.lists(correspondences, max_size=6).map(Alignment)


@pytest.mark.parametrize("name", NAMES)
@examples(15)
@given(alignments, alignments)
def test_values_have_the_promised_names_and_ranges(name, a, r):
    measure = MEASURES[name]
    got = values(measure(a, r, CONTEXT))
    assert tuple(got) == measure.columns
    for column, value in got.items():
        if column.endswith("violations") or column == "unsatisfiable":
            assert value >= 0
        elif column == "mcc":
            assert math.isnan(value) or -1 <= value <= 1
        elif name == "weighted-api2013" and column == "f1":
            assert isinstance(value, float)  # the mean of a negative precision can be any number
        elif column == "overall" or name == "weighted-api2013":
            assert value <= 1
        else:
            assert math.isnan(value) or -1e-12 <= value <= 1 + 1e-9


def test_f1_of_the_alignment_api_of_2013_can_be_more_than_1():
    cells = [Correspondence("A", "u", "=", 0.25)]
    found = Alignment([*cells, Correspondence("A", "v", "=", 0.25)])
    reference = Alignment([*cells, Correspondence("A", "v", "=", 1.0)])
    got = values(MEASURES["weighted-api2013"](found, reference))
    assert got["precision"] < 0
    assert got["f1"] == pytest.approx(4)


@pytest.mark.parametrize("name", NAMES)
def test_sources_say_what_can_be_resampled(name):
    measure = MEASURES[name]
    judgement = measure(PERFECT, WORST, CONTEXT)
    if name in ("coherence", "conservativity"):
        with pytest.raises(EvaluationError, match="belong to the alignment as a whole"):
            _ = judgement.sources
        return
    assert judgement.sources <= {*"ABCDE"}
    column = {s: i for i, s in enumerate(sorted(judgement.sources))}
    several = judgement.resampled(np.ones((3, len(column))), column)
    assert several.shape == (3, len(measure.columns))
    once = np.array(list(values(judgement).values()))
    assert np.array_equal(several[2], once, equal_nan=True)


REFERENCE_FREE = ("coherence", "conservativity")
GUIDED = [n for n in NAMES if n not in (*REFERENCE_FREE, "residual", "residual-wide")]


@pytest.mark.parametrize("name", GUIDED)
def test_a_perfect_alignment_has_the_best_value(name):
    best = values(MEASURES[name](PERFECT, PERFECT, CONTEXT))
    expected = 0.0 if MEASURES[name].less_is_better else 1.0
    assert all(v == pytest.approx(expected) for v in best.values())


@pytest.mark.parametrize("name", GUIDED)
def test_the_worst_alignment_has_the_worst_value(name):
    worst = values(MEASURES[name](WORST, PERFECT, CONTEXT))
    expected = {
        "overall": -1 / 4,
        "fallout": 1 / 21,
        "mcc": pytest.approx(-4 / math.sqrt(1 * 4 * 24 * 21)),
        "roc-auc": (20 / 21) / 2,
    }.get(name, 0.0)
    assert all(v == pytest.approx(expected) for v in worst.values())


@pytest.mark.parametrize("name", GUIDED)
@examples(20)
@given(st.sets(st.sampled_from(sorted(PERFECT)), max_size=4), st.sampled_from(sorted(PERFECT)))
def test_finding_one_more_is_never_worse(name, some, more):
    """Monotone: one more correct correspondence lowers no value."""
    sign = -1 if MEASURES[name].less_is_better else 1
    before = values(MEASURES[name](Alignment(some), PERFECT, CONTEXT), zero_division="zero")
    after = values(MEASURES[name](Alignment({*some, more}), PERFECT, CONTEXT), zero_division="zero")
    for column, value in before.items():
        if not math.isnan(value) and not math.isnan(after[column]):
            assert sign * after[column] >= sign * value - 1e-9


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("convention", ["oaei", "zero", "nan"])
def test_zero_division(name, convention):
    nothing = Alignment()
    both = values(MEASURES[name](nothing, nothing, CONTEXT), zero_division=convention)
    empty = {"oaei": 1.0, "zero": 0.0, "nan": math.nan}[convention]
    both_empty = 1 - empty if MEASURES[name].less_is_better else empty
    special = {"fallout": 0.0, "mcc": math.nan, "roc-auc": math.nan}
    for column, value in both.items():
        if name in REFERENCE_FREE:
            assert value == 0
        elif name == "curve":
            assert math.isnan(value) if column == "average_precision" else value == 0
        else:
            assert value == pytest.approx(special.get(name, both_empty), nan_ok=True)
    one_sided = values(MEASURES[name](nothing, PERFECT, CONTEXT), zero_division=convention)
    if "precision" in one_sided:
        assert one_sided["precision"] == pytest.approx(empty, nan_ok=True)
        assert (one_sided["recall"], one_sided["f1"]) == (0, 0)


# how it is called -------------------------------------------------------------------------------


def test_a_measure_that_needs_ontologies_says_so():
    for name, measure in MEASURES.items():
        if measure.needs_ontologies:
            with pytest.raises(EvaluationError, match=f"measure {name} needs the two ontologies"):
                measure(SYSTEM, REFERENCE, Context(source=SOURCE))
        else:
            assert values(measure(SYSTEM, REFERENCE))
    with pytest.raises(EvaluationError, match=r"give source=\.\.\. and"):
        _ = Context().hierarchies


def test_unknown_measure_and_universe():
    with pytest.raises(EvaluationError, match="did you mean relaxed-symmetric or"):
        get_measure("relaxed-symetric")
    many = Alignment(Correspondence(f"{i}", f"{i}") for i in range(30))
    with pytest.raises(EvaluationError, match="universe is 25, but alignment and reference hold"):
        values(get_measure("fallout")(many, PERFECT, CONTEXT))


@given(alignments, alignments)
def test_standard_is_the_score(a, r):
    counts = score(a, r)
    got = values(MEASURES["standard"](a, r))
    assert tuple(got.values()) == pytest.approx((counts.precision, counts.recall, counts.f1))
    assert values(MEASURES["overall"](a, r))["overall"] == pytest.approx(counts.overall)
    assert values(MEASURES["f2"](a, r))["f2"] == pytest.approx(counts.f(2))


@pytest.mark.parametrize("name", ["f1:recall", "overall:f1", "Precision:recall"])
def test_a_value_of_a_value_is_refused(name: str) -> None:
    """It was ignored: f1:recall compared F1."""
    with pytest.raises(EvaluationError, match="is one value: leave"):
        measure_and_value(name)
    assert measure_and_value("standard:recall")[1] == measure_and_value("recall")[1] == "recall"


def test_a_value_is_told_from_a_measure() -> None:
    for name in ("f1", "precision"):
        with pytest.raises(EvaluationError, match="is no measure, but a value of standard: name"):
            get_measure(name)


@pytest.mark.parametrize("name", ["curve", "roc-auc", "weighted", "weighted-symmetric"])
def test_a_measure_of_confidences_tells_where_none_is_stated(name: str) -> None:
    silent = Alignment(SYSTEM, has_confidences=False)
    measure = get_measure(name)
    assert measure(SYSTEM, REFERENCE, SEVEN).cautions == ()
    (caution,) = measure(silent, REFERENCE, SEVEN).cautions
    assert "No confidence is stated" in caution


def test_a_relaxed_measure_tells_it_where_it_looks_at_confidences() -> None:
    silent = Alignment(SYSTEM, has_confidences=False)
    heeding = replace(SEVEN, relaxed=RelaxedOptions(confidence="paper"))
    measure = get_measure("relaxed-symmetric")
    assert not any("No confidence" in c for c in measure(silent, REFERENCE, SEVEN).cautions)
    assert any("No confidence" in c for c in measure(silent, REFERENCE, heeding).cautions)
