"""Effect sizes and the score statistic by their definitions, equivalence by its interval."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from alignrank.evaluation import EvaluationError, Pairwise, compare, compare_counts
from alignrank.evaluation.comparison.settings import AnalysisSettings, EntityClusters
from alignrank.evaluation.significance.score_limits import one_sided_z, tango_limits
from alignrank.evaluation.uncertainty.effects import effects, verdicts
from alignrank.ontologies import Alignment, Correspondence

COUNT = st.integers(0, 60)


def view(b: int, c: int, reference: int | None = 1000, **options: Any) -> Pairwise:
    result = compare_counts([[0, b], [c, 0]], ["a", "b"], reference=reference, **options)
    return next(iter(result.views.values()))


def test_effects_by_hand() -> None:
    e = effects(view(43, 7, 100))
    assert e.difference[0, 1] == 0.36 == -e.difference[1, 0]
    assert e.low[0, 1] == pytest.approx(-e.high[1, 0])
    assert e.odds_ratio[0, 1] == pytest.approx(43 / 7)
    wilson = stats.binomtest(43, 50).proportion_ci(method="wilson")
    assert e.odds_low[0, 1] == pytest.approx(wilson.low / (1 - wilson.low))
    assert e.odds_high[0, 1] == pytest.approx(wilson.high / (1 - wilson.high))
    assert e.rate == "recall"
    assert effects(view(43, 7, 100, view="cfp")).rate == "overall"
    assert len(e.to_frame()) == 1


def test_effects_at_the_ends() -> None:
    e = effects(view(9, 0))
    assert (e.odds_ratio[0, 1], e.odds_ratio[1, 0]) == (math.inf, 0)
    assert e.odds_high[0, 1] == math.inf
    assert e.odds_low[1, 0] == 0
    never = effects(view(0, 0))
    assert never.difference[0, 1] == 0 < never.high[0, 1] < 0.01
    assert math.isnan(never.odds_ratio[0, 1])


def test_cfp_effect_is_the_difference_of_overall() -> None:
    r = Alignment(Correspondence(f"a{k}", "b") for k in range(10))
    right, wrong = list(r), [Correspondence(f"w{k}", "b") for k in range(5)]
    systems = {"x": Alignment(right[:7] + wrong), "y": Alignment(right[:4] + wrong[:1])}
    comparison = compare(systems, r)
    for name, of in (("ifp", "recall"), ("cfp", "overall")):
        difference = effects(comparison.views[name]).difference[0, 1]
        expected = getattr(comparison.scores["x"], of) - getattr(comparison.scores["y"], of)
        assert difference == pytest.approx(expected)


def test_clustering_widens_intervals() -> None:
    r = Alignment(Correspondence(f"a{k:02}", "b") for k in range(60))
    systems = {"x": r.where(lambda c: c.entity1 < "a40"), "y": r.where(lambda c: c.entity1 > "a25")}
    clusters = {f"a{k:02}": str(k // 6) for k in range(60)}
    plain = effects(compare(systems, r).views["ifp"])
    robust = effects(
        compare(systems, r, AnalysisSettings(clusters=EntityClusters(clusters))).views["ifp"]
    )
    assert robust.difference[0, 1] == plain.difference[0, 1]
    assert robust.low[0, 1] < plain.low[0, 1] < plain.high[0, 1] < robust.high[0, 1]
    assert robust.odds_low[0, 1] < plain.odds_low[0, 1]


def test_effects_need_their_facts() -> None:
    with pytest.raises(EvaluationError, match="reference correspondences is unknown"):
        effects(view(3, 4, None))
    with pytest.raises(EvaluationError, match="differ on 7 items, but there are only 5"):
        effects(view(3, 4, 5))
    with pytest.raises(EvaluationError, match="margin is 0"):
        verdicts(view(3, 4), 0)


@given(COUNT, COUNT, st.sampled_from([0.01, 0.03, 0.1]))
def test_equivalent_exactly_if_both_limits_lie_within_the_margin(
    b: int, c: int, margin: float
) -> None:
    v = view(b, c)
    z = one_sided_z(0.05)
    low, high = (float(x) for x in tango_limits(b, c, 1000, z=z))
    inside = -margin * 1000 < low and high < margin * 1000
    result = verdicts(v, margin)
    assert (result.p[0, 1] <= 0.05) == inside
    assert result.p[0, 1] == pytest.approx(result.p[1, 0])
    significant = bool(v.ranking.edges)
    expected = "equivalent" if inside else "undecided"
    if significant:
        expected = "better" if b > c else "worse"
    assert result.verdicts["a", "b"] == expected
    assert result.negligible == ((("a", "b"),) if significant and inside else ())


def test_not_significant_is_not_equivalent() -> None:
    assert verdicts(view(5, 3, 20), 0.05).verdicts["a", "b"] == "undecided"
    assert verdicts(view(0, 0, 2000), 0.05).verdicts["a", "b"] == "equivalent"
    assert verdicts(view(5, 3, 20), 5.0).verdicts["a", "b"] == "equivalent"


def test_pairs_that_nobody_asked_about_are_not_called_undecided() -> None:
    table = [[0, 40, 12], [8, 0, 4], [13, 37, 0]]
    view = compare_counts(
        table, ["a", "b", "c"], settings=AnalysisSettings(focus="a"), reference=1000
    ).views["ifp"]
    found = verdicts(view, 0.02).verdicts
    assert found == {("a", "b"): "better", ("a", "c"): "equivalent", ("b", "c"): "not asked"}
