"""Westfall and Young's min-P against its definition, on the data of anatomy, and with copies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation import EvaluationError, compare, compare_counts
from alignrank.evaluation.comparison.contingency import decisions, incidence
from alignrank.evaluation.comparison.settings import AnalysisSettings, EntityClusters
from alignrank.evaluation.corrections.adjusting import adjust
from alignrank.evaluation.corrections.westfall_young import JointFlips, joint_flips, westfall_young
from alignrank.evaluation.significance.clustered import cluster_index, parent_clusters, per_unit
from alignrank.evaluation.significance.crossed import crossed_test
from alignrank.ontologies import load_ontology, read_alignment
from tests.generated import examples

Pair = tuple[int, int]


def partitions(things: list[int]) -> Iterator[list[list[int]]]:
    if not things:
        yield []
        return
    for smaller in partitions(things[1:]):
        yield [[things[0]], *smaller]
        for k, block in enumerate(smaller):
            yield [*smaller[:k], [things[0], *block], *smaller[k + 1 :]]


def by_definition(flips: JointFlips) -> tuple[dict[Pair, float], dict[Pair, float]]:
    """Step-down and closed values from every exhaustive set."""
    n = len(flips.sums)
    pairs = list(combinations(range(n), 2))
    tails = {pair: flips.tail(*pair) for pair in pairs}

    def share(chosen: list[Pair]) -> float:
        smallest = np.min([tails[pair] for pair in chosen], axis=0)
        return float((smallest <= smallest[0] * (1 + 1e-9)).mean())

    closed = dict.fromkeys(pairs, 0.0)
    for partition in partitions(list(range(n))):
        chosen = [pair for block in partition for pair in combinations(sorted(block), 2)]
        for pair in chosen:
            closed[pair] = max(closed[pair], share(chosen))
    order = sorted(pairs, key=lambda pair: tails[pair][0])
    shares = [share(order[k:]) for k in range(len(order))]
    step_down = dict(zip(order, np.maximum.accumulate(shares).tolist(), strict=True))
    return step_down, closed


@st.composite
def answers(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    systems = draw(st.integers(2, 5))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    accuracy = rng.choice([0.1, 0.3, 0.9, 1.0], systems)
    right = rng.random((systems, draw(st.sampled_from([4, 8, 14, 60])))) < accuracy[:, None]
    return right, rng.integers(0, draw(st.sampled_from([3, 9, 60])), right.shape[1])


@examples(100)
@given(answers(), st.sampled_from([0.05, 0.2, 0.5]))
def test_decisions_are_those_of_the_closed_test(
    data: tuple[np.ndarray, np.ndarray], alpha: float
) -> None:
    flips = joint_flips(per_unit(*data), flips=999)
    step_down, closed = by_definition(flips)
    result = westfall_young(flips, alpha=alpha)
    assert result.exact.all()
    for pair, value in closed.items():
        found = result.values[pair]
        assert (found <= alpha) == (value <= alpha + 1e-9)
        assert value - 1e-12 <= found <= step_down[pair] + 1e-12
        if step_down[pair] <= alpha:
            assert found == step_down[pair]


def test_the_closed_test_goes_beyond_step_down() -> None:
    """Of four systems two pairs can be equal side by side; step-down allows for more."""
    rng = np.random.default_rng(11)
    gains = 0
    for _ in range(60):
        right = rng.random((4, 60)) < np.array([0.9, 0.7, 0.5, 0.3])[:, None]
        flips = joint_flips(right.astype(np.int64), flips=999)
        closed, alone = westfall_young(flips), westfall_young(flips, budget=0)
        assert (closed.values <= alone.values)[~np.eye(4, dtype=bool)].all()
        gains += int(((closed.values <= 0.05) > (alone.values <= 0.05)).sum())
        assert closed.exact.all()
        assert alone.exact[alone.values <= 0.05].all()
    assert gains > 0


def test_copies_of_a_system_change_nothing_that_step_down_finds() -> None:
    rng = np.random.default_rng(5)
    right = rng.random((6, 200)) < np.linspace(0.6, 0.85, 6)[:, None]
    copied = np.concatenate([right, right[[0, 0, 0, 0, 0]]])
    once, again = (joint_flips(r.astype(np.int64), flips=2000) for r in (right, copied))
    among = np.triu_indices(6, 1)
    found = westfall_young(once, budget=0).values[among]
    assert westfall_young(again, budget=0).values[among] == pytest.approx(found)
    assert (found <= 0.05).sum() > (adjust(again.p, "bergmann-hommel").values[among] <= 0.05).sum()


def test_the_arrows_of_anatomy(oaei: Path) -> None:
    """Ten systems of 2016: 44 of 45 by entity, 42 with clusters together, as Bergmann–Hommel."""
    anatomy = oaei / "anatomy"
    files = sorted((anatomy / "systems-2016").glob("*.rdf"))
    systems = {f.stem: read_alignment(f) for f in files if f.stem != "DKP-AOM-Lite"}
    reference = read_alignment(anatomy / "reference.rdf")
    table = incidence(systems, reference)
    answers = decisions(table, "entity")
    source_clusters = parent_clusters(load_ontology(anatomy / "mouse.owl"))
    assert (len(systems), answers.correct.shape[1]) == (10, 1914)
    for clusters, arrows, by_steps in ((None, 44, 44), (source_clusters, 42, 41)):
        flips = joint_flips(per_unit(answers.correct, cluster_index(answers.entities, clusters)))
        assert (westfall_young(flips).values <= 0.05).sum() == 2 * arrows
        assert (westfall_young(flips, budget=0).values <= 0.05).sum() == 2 * by_steps
        assert (adjust(flips.p, "bergmann-hommel").values <= 0.05).sum() == 2 * arrows
    compared = compare(
        systems,
        reference,
        settings=AnalysisSettings(
            correction="westfall-young", clusters=EntityClusters(source_clusters)
        ),
    )
    view = compared.views["entity"]
    assert (view.test, len(view.edges)) == ("sign-flip", 42)
    assert "Westfall" in view.adjusted["westfall-young"].validity


def test_clusters_of_the_reference_enlarge_the_adjusted_p_values() -> None:
    """Twenty target clusters share their fate, the source clusters do not see it."""
    rng = np.random.default_rng(3)
    right = np.tile(rng.random((4, 20)) < 0.6, 15) & (rng.random((4, 300)) < 0.95)
    source, target = np.arange(300) // 3, np.arange(300) % 20
    crossed = crossed_test(right, source, [target])
    flips = joint_flips(crossed.counts)
    plain, heeding = westfall_young(flips), westfall_young(flips, p=crossed.test.p)
    pairs = np.triu_indices(4, 1)
    assert (crossed.test.p[pairs] > flips.p[pairs]).all()
    assert (heeding.values[pairs] >= plain.values[pairs]).all()
    assert (heeding.values[pairs] > crossed.test.p[pairs] - 0.02).all()  # 20,000 flips
    assert (plain.values[pairs] < crossed.test.p[pairs] - 0.02).any()
    uncrossed = crossed_test(right, source).test.p
    assert westfall_young(flips, p=uncrossed).values[pairs].tolist() == plain.values[pairs].tolist()


def test_p_values_alone_do_not_suffice() -> None:
    with pytest.raises(EvaluationError, match="needs to know who is right on which item: use holm"):
        compare_counts(
            [[0, 9], [1, 0]], ["a", "b"], settings=AnalysisSettings(correction="westfall-young")
        )
    with pytest.raises(EvaluationError, match="does not serve all systems against one"):
        adjust([0.1, 0.2], "westfall-young")
