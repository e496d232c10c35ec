"""Cross-fitted thresholds: nothing is judged by what it was chosen on."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evaluation import score
from evaluation.measures.threshold_curve import crossfit, curve
from ontologies import Alignment, Correspondence


def build(values: list[tuple[float, bool]]) -> tuple[Alignment, Alignment]:
    found = [
        Correspondence(f"a#{k}", f"b#{k if right else k + 1000}", "=", confidence)
        for k, (confidence, right) in enumerate(values)
    ]
    return Alignment(found), Alignment(
        Correspondence(f"a#{k}", f"b#{k}") for k in range(len(values))
    )


pairs = st.lists(
    st.tuples(st.sampled_from([0.2, 0.5, 0.8, 1.0]), st.booleans()), min_size=2, max_size=60
)


@given(pairs, st.integers(0, 5))
def test_a_halfs_cut_does_not_depend_on_its_own_judgement(
    values: list[tuple[float, bool]], seed: int
) -> None:
    alignment, reference = build(values)
    fitted = crossfit(alignment, reference, seed=seed)
    # which entities are cut at the first threshold is known from the seed alone: turning every
    # judgement of that half around must leave that half's cut as it was
    entities = sorted({c.entity1 for c in alignment})
    changed = fitted
    for entity in entities:
        turned = reference.where(lambda c, e=entity: c.entity1 != e)
        turned = turned | Alignment([Correspondence(entity, "b#elsewhere")])
        changed = crossfit(alignment, turned, seed=seed)
        own = {c.key for c in fitted.alignment if c.entity1 == entity}
        assert own == {c.key for c in changed.alignment if c.entity1 == entity}


@given(pairs)
def test_it_never_beats_the_threshold_chosen_with_full_sight_in_each_half(
    values: list[tuple[float, bool]],
) -> None:
    alignment, reference = build(values)
    fitted = crossfit(alignment, reference)
    assert fitted.alignment <= alignment
    kept = score(fitted.alignment, reference)
    halves = {c.entity1 for c in alignment}
    assert kept.correct <= score(alignment, reference).correct
    if len(set(fitted.thresholds)) == 1 and halves:  # one threshold for both: it is on the curve
        assert kept.f1 <= curve(alignment, reference).best.f1 + 1e-12


def test_alignments_that_are_compared_are_split_alike() -> None:
    alignment, reference = build([(k / 100, k % 3 > 0) for k in range(100)])
    few = alignment.where(lambda c: c.confidence < 0.4)
    split = {c.entity1 for c in alignment} | {"a#more", "a#else"}
    for one in (few, alignment):
        fitted = crossfit(one, reference, seed=1, entities=split)
        entities = sorted(split)
        order = np.random.default_rng(1).permutation(len(entities))
        first = {entities[k] for k in order[: len(entities) // 2]}
        for half, threshold in zip((first, split - first), fitted.thresholds, strict=True):
            own = one.where(lambda c, half=half: c.entity1 in half)
            assert own.at_least(threshold) <= fitted.alignment
            rest = curve(
                one.where(lambda c, half=half: c.entity1 not in half),
                reference.where(lambda c, half=half: c.entity1 not in half),
            )
            assert threshold == (rest.best.threshold if rest.points else math.inf)


def test_the_same_seed_gives_the_same_cut_and_another_seed_another_split() -> None:
    values = [(k / 100, k % 3 > 0) for k in range(100)]
    alignment, reference = build(values)
    assert crossfit(alignment, reference).alignment == crossfit(alignment, reference).alignment
    cuts = {crossfit(alignment, reference, seed=s).thresholds for s in range(8)}
    assert len(cuts) > 1
