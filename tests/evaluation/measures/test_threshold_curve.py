"""Precision and recall along the threshold."""

from __future__ import annotations

import math
import random
from itertools import product
from statistics import median, median_low

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.credit.counts import score
from alignrank.evaluation.credit.credits import values
from alignrank.evaluation.measures import threshold_curve as module
from alignrank.evaluation.measures.threshold_curve import (
    FOLDS,
    REPEATS,
    Curve,
    crossfit,
    curve,
    f1_of_choice,
)
from alignrank.ontologies.alignment import Alignment, Correspondence
from tests.evaluation.worked_example import GOLDEN, REFERENCE, SYSTEM, aligned, alignments
from tests.generated import examples


def roc_auc(judgement: Curve, universe: int) -> float:
    column = {source: k for k, source in enumerate(judgement.sources)}
    return float(judgement.resampled_auc(np.ones((1, len(column))), column, universe)[0, 0])


def test_curve_example():
    got = curve(SYSTEM, REFERENCE)
    expected = GOLDEN["threshold_curve"]
    keys = ("threshold", "found", "tp", "P", "R", "F1")
    for point, row in zip(got.points, expected, strict=True):
        assert tuple(point) == pytest.approx(tuple(row[k] for k in keys))
    assert (got.best.f1, got.best.threshold) == (GOLDEN["best_F1"], GOLDEN["best_threshold"])
    hits = [[p.recall, p.precision] for p, c in zip(got.points, got.correct, strict=True) if c]
    assert hits == GOLDEN["pr_points_at_hits"][1:]
    area = values(got)["average_precision"]
    assert area == pytest.approx(GOLDEN["MAP_over_reference_api_run"])
    assert roc_auc(got, GOLDEN["universe"]) == pytest.approx(GOLDEN["roc_auc_all_pairs"])
    assert list(got.to_frame().columns)[:2] == ["threshold", "found"]


def test_ties_example():
    tied = curve(aligned(GOLDEN["system"], 0.5), REFERENCE)
    assert values(tied)["average_precision"] == pytest.approx(3 / 6 * 3 / 4)
    assert len(tied.points) == 1


@given(alignments, alignments)
def test_points_are_the_alignment_cut_at_each_threshold(a, r):
    got = curve(a, r)
    for point in got.points:
        counts = score(a.at_least(point.threshold), r)
        assert (point.found, point.correct) == (counts.found, counts.correct)
        assert (point.precision, point.recall, point.f1) == pytest.approx(
            (counts.precision, counts.recall, counts.f1)
        )


@given(alignments, alignments)
def test_auc_is_mann_whitney_over_all_pairs(a, r):
    a, r = (Alignment(Correspondence(*c.pair, "=", c.confidence) for c in x) for x in (a, r))
    confidences = dict.fromkeys(product("abc", "xyz"), 0.0) | {c.pair: c.confidence for c in a}
    right = [v for pair, v in confidences.items() if pair in r.pairs]
    wrong = [v for pair, v in confidences.items() if pair not in r.pairs]
    got = roc_auc(curve(a, r), 9)
    if not right or not wrong:
        assert math.isnan(got)
    else:
        wins = sum((x > y) + (x == y) / 2 for x in right for y in wrong)
        assert got == pytest.approx(wins / len(right) / len(wrong))


def test_curves_of_nothing():
    empty = curve(Alignment(), REFERENCE)
    assert empty.points == ()
    assert values(empty)["average_precision"] == 0
    assert roc_auc(empty, 49) == 0.5
    with pytest.raises(EvaluationError, match="an empty alignment has no best threshold"):
        _ = empty.best
    assert math.isnan(values(curve(SYSTEM, Alignment()))["average_precision"])
    with pytest.raises(EvaluationError, match="universe is 5, but alignment and reference hold 7"):
        roc_auc(curve(SYSTEM, REFERENCE), 5)


def build(rows: list[tuple[float, bool]]) -> tuple[Alignment, Alignment]:
    found = [
        Correspondence(f"a#{k}", f"b#{k if right else k + 1000}", "=", confidence)
        for k, (confidence, right) in enumerate(rows)
    ]
    return Alignment(found), Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(len(rows)))


pairs = st.lists(
    st.tuples(st.sampled_from([0.2, 0.5, 0.8, 1.0]), st.booleans()), min_size=2, max_size=40
)


@examples(20)
@given(pairs)
def test_a_clusters_thresholds_do_not_depend_on_its_own_judgement(
    values: list[tuple[float, bool]],
) -> None:
    alignment, reference = build(values)
    clusters = {f"a#{k}": f"c{k // 3}" for k in range(len(values))}
    fitted = crossfit(alignment, reference, clusters=clusters)
    assert fitted.alignment <= alignment
    for cluster in set(clusters.values()):
        own = {entity for entity, name in clusters.items() if name == cluster}
        turned = reference.where(lambda c, own=own: c.entity1 not in own)
        turned = turned | Alignment([Correspondence(entity, "b#elsewhere") for entity in own])
        changed = crossfit(alignment, turned, clusters=clusters).thresholds
        assert {changed[entity] for entity in own} == {fitted.thresholds[e] for e in own}


@examples(10)
@given(pairs, pairs)
def test_each_fold_takes_the_alignment_that_is_best_on_the_others(
    first: list[tuple[float, bool]], second: list[tuple[float, bool]]
) -> None:
    alignments = {"first": build(first)[0], "second": build(second)[0]}
    reference = build(max(first, second, key=len))[1]
    entities = sorted({c.entity1 for c in reference})
    clusters = {entity: f"c{k // 3}" for k, entity in enumerate(entities)}
    folds = module._folds(clusters[entity] for entity in entities)
    values = []
    for division in folds.tolist():
        fold_of = dict(zip(entities, division, strict=True))
        correct = sizes = 0
        for fold in range(FOLDS):
            inside = reference.where(lambda c, f=fold, of=fold_of: of[c.entity1] == f)
            outside = reference.where(lambda c, f=fold, of=fold_of: of[c.entity1] != f)
            f1 = {
                name: curve(a.where(lambda c, f=fold, of=fold_of: of[c.entity1] != f), outside)
                for name, a in alignments.items()
            }
            whole = {
                name: 2 * c.correct.sum() / max(len(c.correct) + len(c.reference), 1)
                for name, c in f1.items()
            }
            chosen = alignments[max(whole, key=whole.__getitem__)]
            held_out = curve(chosen.where(lambda c, f=fold, of=fold_of: of[c.entity1] == f), inside)
            correct += held_out.correct.sum()
            sizes += len(held_out.correct) + len(held_out.reference)
        values.append(2 * correct / sizes)
    assert f1_of_choice(alignments, reference, clusters) == pytest.approx(np.mean(values))


@examples(10)
@given(pairs)
def test_thresholds_are_the_median_of_what_other_folds_chose(
    values: list[tuple[float, bool]],
) -> None:
    alignment, reference = build(values)
    fitted = crossfit(alignment, reference)
    entities = sorted({c.entity1 for c in reference})
    folds = dict(zip(entities, module._folds(entities).T.tolist(), strict=True))
    for entity in entities[:5]:
        chosen = []
        for repeat in range(REPEATS):
            others = {e for e in entities if folds[e][repeat] != folds[entity][repeat]}
            seen = curve(
                alignment.where(lambda c, others=others: c.entity1 in others),
                reference.where(lambda c, others=others: c.entity1 in others),
            )
            best = max((p.f1 for p in seen.points), default=0)
            if best > 0:  # without a right pair nothing can be chosen
                chosen.append(seen.best.threshold)
        if len(chosen) == REPEATS:
            assert fitted.thresholds[entity] == pytest.approx(median(chosen))


def test_neither_order_nor_what_else_is_there_changes_a_threshold() -> None:
    alignment, reference = build([(k / 100, k % 3 > 0) for k in range(100)])
    fitted = crossfit(alignment, reference)
    shuffled = list(alignment)
    random.Random(1).shuffle(shuffled)
    again = crossfit(Alignment(shuffled), reference, entities=["a#more"])
    assert again.alignment == fitted.alignment
    assert {entity: again.thresholds[entity] for entity in fitted.thresholds} == fitted.thresholds
    assert len(fitted.alignment) < len(alignment)
    thresholds = sorted(fitted.thresholds.values())
    assert fitted.range == (thresholds[0], median_low(thresholds), thresholds[-1])


def test_folds_are_hashed_and_even() -> None:
    folds = module._folds(f"entity {k}" for k in range(2000))
    assert module._folds(["entity 7"])[:, 0].tolist() == folds[:, 7].tolist()
    assert folds.shape == (REPEATS, 2000)
    shares = np.bincount(folds.ravel(), minlength=FOLDS) / folds.size
    assert shares == pytest.approx(np.full(FOLDS, 1 / FOLDS), abs=0.005)


def test_nothing_to_choose_on() -> None:
    reference = Alignment([Correspondence("a", "b")])
    fitted = crossfit(Alignment(), reference)
    assert fitted.alignment == Alignment()
    assert fitted.thresholds == {"a": math.inf}
