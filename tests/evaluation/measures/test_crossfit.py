"""Cross-fitted thresholds: nothing is judged by what it was chosen on, and nothing is drawn."""

from __future__ import annotations

import math
import random
from statistics import median, median_low

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.measures import crossfit as module
from evaluation.measures.crossfit import FOLDS, REPEATS, crossfit
from evaluation.measures.threshold_curve import curve
from ontologies import Alignment, Correspondence
from tests.generated import examples


def build(values: list[tuple[float, bool]]) -> tuple[Alignment, Alignment]:
    found = [
        Correspondence(f"a#{k}", f"b#{k if right else k + 1000}", "=", confidence)
        for k, (confidence, right) in enumerate(values)
    ]
    return Alignment(found), Alignment(
        Correspondence(f"a#{k}", f"b#{k}") for k in range(len(values))
    )


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
    values = sorted(fitted.thresholds.values())
    assert fitted.range == (values[0], median_low(values), values[-1])


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
