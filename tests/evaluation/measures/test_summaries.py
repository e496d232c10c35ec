"""Averages over tasks, with missing results; parts; how often entities occur."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.credit.credits import standard
from alignrank.evaluation.measures.summaries import Arity, arity, averages, by_kind
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.ontology import Entity, Kind, Ontology
from tests.evaluation.worked_example import REFERENCE, SYSTEM, aligned

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "measures.json").read_text("utf-8"))


def task(tp, fp, fn):
    def some(n, prefix):
        return [Correspondence(f"{prefix}{i}", f"{prefix}{i}") for i in range(n)]

    common = some(tp, "c")
    return Alignment(common + some(fp, "a")), Alignment(common + some(fn, "r"))


RESULTS, REFERENCES = {}, {}
for number, counts in enumerate(GOLDEN["averaging"]["tp_fp_fn"]):
    RESULTS[f"t{number}"], REFERENCES[f"t{number}"] = task(*counts)


def test_published_example():
    got, expected = averages(RESULTS, REFERENCES), GOLDEN["averaging"]
    micro = (got.micro.precision, got.micro.recall, got.micro.f1)
    assert micro == pytest.approx(tuple(expected["micro"].values()))
    macro = expected["macro"]
    assert (got.macro.precision, got.macro.recall) == pytest.approx((macro["P"], macro["R"]))
    assert got.macro.f1 == pytest.approx(macro["F1_mean_of_F1"])
    assert got.f1_of_means == pytest.approx(macro["F1_of_means"])
    assert list(got.to_frame().index)[-2:] == [
        "macro (3 tasks, mean of F1)",
        "macro (3 tasks, F1 of means)",
    ]


def test_a_missing_result_counts_as_zero_or_is_skipped():
    partial = {"t0": RESULTS["t0"], "t1": None}
    zero = averages(partial, REFERENCES, on_mismatch="zero")
    assert zero.missing == ("t1", "t2")
    assert len(zero.tasks) == 3
    assert zero.macro.precision == pytest.approx(2 / 3 / 3)  # not 1 for the empty alignment
    assert zero.micro.recall == pytest.approx(2 / 10)
    skipped = averages(partial, REFERENCES, on_mismatch="drop")
    assert (len(skipped.tasks), skipped.missing) == (1, ("t1", "t2"))
    assert skipped.micro == skipped.macro == skipped.tasks["t0"]
    with pytest.raises(EvaluationError, match="results are missing for t1, t2: take"):
        averages(partial, REFERENCES)


def test_an_empty_result_is_not_a_missing_one():
    got = averages({"t0": Alignment()}, {"t0": REFERENCES["t0"]})
    assert got.missing == ()
    assert got.macro.precision == 1


def test_bad_input():
    with pytest.raises(EvaluationError, match="results of other have no reference"):
        averages({"other": Alignment()}, REFERENCES)
    with pytest.raises(EvaluationError, match="no tasks to average"):
        averages({}, {})
    with pytest.raises(EvaluationError, match="on_mismatch 'skip' is unknown"):
        averages({}, REFERENCES, on_mismatch="skip")


def test_breakdown_by_kind():
    entities = {"c": Entity("c", Kind.CLASS), "p": Entity("p", Kind.PROPERTY)}
    ontology = Ontology("", entities)
    a = aligned([["c", "c"], ["p", "p"], ["c", "p"], ["ghost", "c"]])
    parts = by_kind(standard(a, aligned([["c", "c"]])), ontology, ontology).parts
    assert {p.part: (p.found, p.reference, p.scores.precision) for p in parts} == {
        "class": (1, 1, 1.0),
        "class-property": (1, 0, 0.0),
        "property": (1, 0, 0.0),
        "undeclared-class": (1, 0, 0.0),
    }
    frame = by_kind(standard(a, a), ontology, ontology).to_frame()
    assert list(frame["part"]) == ["class", "class-property", "property", "undeclared-class"]


def test_arity():
    rows = [["a", "x"], ["b", "y"], ["b", "z"], ["c", "w"], ["d", "w"], ["e", "u"], ["e", "v"]]
    rows += [["f", "u"], ["f", "v"], ["f", "v", "<"]]
    assert arity(aligned(rows)) == Arity(1, 2, 2, 4)


def test_difference():
    parts = (SYSTEM & REFERENCE, SYSTEM - REFERENCE, REFERENCE - SYSTEM)
    assert tuple(map(len, parts)) == (3, 3, 1)
