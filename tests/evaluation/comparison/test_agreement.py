"""No interval contradicts the verdict beside it, and none leaves the possible range."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation import AnalysisSettings, Comparison, compare, compare_counts, effects
from alignrank.evaluation.comparison.answers import Answers
from alignrank.evaluation.comparison.compare import compare_answers, compare_measure
from alignrank.evaluation.comparison.pairwise import Pairwise
from alignrank.evaluation.comparison.settings import EntityClusters
from alignrank.evaluation.credit.credits import standard
from alignrank.evaluation.significance.score_limits import Simultaneous
from alignrank.ontologies.alignment import Alignment, Correspondence

NUMBER = 40


def some(rng: np.random.Generator, entities: int, gain: float) -> Alignment:
    """Return an alignment with right, wrong and superfluous correspondences."""
    cells = []
    for k in range(entities):
        if rng.random() < gain:
            cells.append(Correspondence(f"a#{k}", f"b#{k}"))
        elif rng.random() < 0.4:
            cells.append(Correspondence(f"a#{k}", f"b#{k + 1}"))
    extra = range(entities, entities + int(rng.integers(0, 5)))
    return Alignment([*cells, *(Correspondence(f"a#{k}", f"b#{k}") for k in extra)])


def sides(rng: np.random.Generator, entities: int) -> EntityClusters:
    """Return clusters that are unknown, alone, few, unequal or a single one, on each side."""
    clusters = []
    for letter in "ab":
        kind = rng.choice(["unknown", "alone", "few", "unequal", "one"])
        names = {
            "alone": {},
            "few": {f"{letter}#{k}": str(k % 6) for k in range(entities)},
            "unequal": {f"{letter}#{k}": str(int(np.log2(k + 1))) for k in range(entities - 3)},
            "one": {f"{letter}#{k}": "one" for k in range(entities + 9)},
        }
        clusters.append(names.get(str(kind)))
    return EntityClusters(*clusters)


def random_comparison(seed: int) -> Comparison:
    rng = np.random.default_rng(seed)
    n, entities = int(rng.integers(2, 6)), int(rng.integers(4, 90))
    gains = np.clip(rng.uniform(0, 1) + rng.normal(0, rng.choice([0, 0.1, 0.4]), n), 0, 1)
    reference = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(entities))
    systems = {f"s{k}": some(rng, entities, gain) for k, gain in enumerate(gains)}
    correction = str(rng.choice(["holm", "bergmann-hommel", "none"]))
    settings = AnalysisSettings(correction=correction, clusters=sides(rng, entities))
    if rng.random() < 0.3:
        settings = AnalysisSettings(focus="s0", clusters=settings.clusters)
    return compare(systems, reference, settings)


def excludes_0(intervals: Simultaneous) -> np.ndarray:
    """Return where an interval says that the row's difference is more than 0."""
    return (intervals.low > 0) | (intervals.is_cut & (intervals.low == 0))


def check(view: Pairwise) -> None:
    is_better = np.zeros((len(view.systems),) * 2, dtype=bool)
    for better, worse in view.edges:
        is_better[view.systems.index(better), view.systems.index(worse)] = True
    tested, f1 = view.intervals.tested, view.intervals.f1
    if tested is not None:
        np.testing.assert_array_equal(excludes_0(tested), is_better)
        np.testing.assert_array_equal(
            excludes_0(tested).T, (tested.high < 0) | (tested.is_cut & (tested.high == 0))
        )
        assert not (tested.low > tested.difference + 1e-9).any()
    if tested is not None and view.counts is not None and view.counts.mentioned is not None:
        largest = view.counts.mentioned / view.units.scale + 1e-9
        assert not (np.abs(np.nan_to_num(tested.low)) > largest).any()
        assert not (np.abs(np.nan_to_num(tested.high)) > largest).any()
        shown = effects(view)
        is_shown = (shown.low > 0) | (shown.is_cut & (shown.low == 0))
        np.testing.assert_array_equal(is_shown, is_better)
    if f1 is not None:
        assert not (excludes_0(f1) & ~is_better).any()
        assert not (np.abs(np.nan_to_num(f1.low)) > 1).any()
    if view.focus is None:
        letters = view.letters
        for i, first in enumerate(view.systems):
            for j, second in enumerate(view.systems):
                if i != j:
                    shares = bool(set(letters[first]) & set(letters[second]))
                    assert shares == (not is_better[i, j] and not is_better[j, i])


@given(st.integers(0, 10**6))
def test_intervals_of_alignments_agree_with_verdicts(seed: int) -> None:
    for view in random_comparison(seed).views.values():
        check(view)
        for test in view.tests:
            for correction in view.alternatives.get(test, ()):
                check(view.decided_by(test, correction))


@given(st.integers(0, 10**6))
def test_intervals_of_tables_agree_with_verdicts(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, items = int(rng.integers(2, 5)), int(rng.integers(3, 80))
    runs = [int(r) for r in rng.choice([1, 1, 1, 2, 3], n)]
    if 1 < sum(runs) - n < 2 or sum(runs) == n + 1:
        runs = [1] * n
    graded = rng.random() < 0.3
    scores = {}
    for k, number in enumerate(runs):
        chance = rng.random((number, items)) + rng.normal(0, 0.2)
        right = np.clip(chance, 0, 1) if graded else (chance > 0.4) * 1.0
        scores[f"s{k}"] = right
    names = tuple(map(str, range(items)))
    clusters = {name: str(int(name) // 3) for name in names} if rng.random() < 0.5 else None
    check(compare_answers(Answers(names, scores, clusters)).deciding)


def test_intervals_of_counts_agree_with_verdicts() -> None:
    for b in range(13):
        for c in range(0, 13, 3):
            view = compare_counts([[0, b], [c, 0]], ["a", "b"], reference=60).deciding
            check(view)


def test_a_cut_limit_reads_more_than_0() -> None:
    """Seven to one is decided by the mid-p test, where the score interval still holds 0."""
    found = [
        (b, view.intervals.tested)
        for b in range(5, 12)
        if (view := compare_counts([[0, b], [1, 0]], ["a", "b"], reference=100).deciding).edges
    ]
    cuts = [intervals for _, intervals in found if intervals is not None and intervals.is_cut[0, 1]]
    for intervals in cuts:
        assert intervals.low[0, 1] == 0 < intervals.difference[0, 1]
        assert intervals.high[1, 0] == 0
        assert intervals.to_frame()["0 excluded"].tolist() == [True]
    assert found


def test_one_target_cluster_is_named_as_the_reason() -> None:
    cells = [Correspondence(f"a#{k}", f"b#{k}") for k in range(60)]
    systems = {"A": Alignment(cells), "B": Alignment(cells[20:])}
    one = EntityClusters(target={f"b#{k}": "one" for k in range(60)})
    result = compare(systems, Alignment(cells), AnalysisSettings(clusters=one))
    assert result.deciding.unreachable == (("A", "B"),)
    assert result.answer()[0].startswith("All partners in the reference are in one group")
    few = EntityClusters(target={f"b#{k}": str(k % 5) for k in range(60)})
    result = compare(systems, Alignment(cells), AnalysisSettings(clusters=few))
    (caution,) = (c for c in result.cautions if c.kind == "few-target-groups")
    assert "(5 effective groups)" in caution.text


def test_more_right_decisions_need_not_be_a_higher_f1() -> None:
    """A finds sixty, B ninety-five and sixty that are foreign to the reference."""
    cells = [Correspondence(f"a#{k}", f"b#{k}") for k in range(100)]
    extra = [Correspondence(f"x#{k}", f"y#{k}") for k in range(60)]
    systems = {"A": Alignment(cells[:60]), "B": Alignment([*cells[:95], *extra])}
    result = compare(systems, Alignment(cells))
    assert result.deciding.edges == (("A", "B"),)
    texts = [caution.text for caution in result.cautions if caution.kind == "f1-undecided"]
    assert texts == ["A > B: more right decisions; whether its F1 is higher is not decided."]


@pytest.mark.parametrize("turned", [False, True])
def test_a_flat_side_leaves_the_clusters_of_the_other(turned: bool) -> None:
    """Sixty entities in four classes of the other ontology: one of four differs."""
    pairs = [(f"a#{k}", f"b#{k}") for k in range(60)]
    clusters = {f"b#{k}": str(k // 15) for k in range(60)}
    if turned:
        pairs = [pair[::-1] for pair in pairs]
    cells = [Correspondence(*pair) for pair in pairs]
    systems = {"A": Alignment(cells[:30]), "B": Alignment(cells[15:30])}
    flat = EntityClusters({}, clusters) if not turned else EntityClusters(clusters, {})
    result = compare(systems, Alignment(cells), AnalysisSettings(clusters=flat))
    view = result.deciding
    assert view.edges == ()
    assert view.chosen.p[0, 1] == pytest.approx(0.60724, abs=1e-5)
    assert not view.unreachable
    assert any("(4 effective groups)" in str(caution) for caution in result.cautions)
    assert view.intervals.tested is not None
    assert (view.intervals.tested.low[0, 1], view.intervals.tested.high[0, 1]) == (-1, 1)


def test_a_measure_and_joint_flips_take_the_side_that_has_clusters() -> None:
    """Sixty entities in four classes of one ontology: the p is the same whichever side it is."""
    pairs = [(f"a#{k}", f"b#{k}") for k in range(60)]
    joint, of_recall = [], []
    for turned in (False, True):
        cells = [Correspondence(*(pair[::-1] if turned else pair)) for pair in pairs]
        systems = {"A": Alignment(cells[:30]), "B": Alignment(cells[15:30])}
        clusters = {f"b#{k}": str(k // 15) for k in range(60)}
        sides = EntityClusters(clusters, {}) if turned else EntityClusters({}, clusters)
        reference, settings = Alignment(cells), AnalysisSettings(clusters=sides)
        measured = compare_measure(systems, reference, standard, "recall", settings, name="recall")
        of_recall.append(measured.deciding.chosen.p[0, 1])
        together = replace(settings, correction="westfall-young")
        joint.append(compare(systems, reference, together).deciding.adjusted_p[0, 1])
    assert of_recall == pytest.approx([2 / 2**15] * 2)
    assert joint[0] == joint[1] < 0.65
