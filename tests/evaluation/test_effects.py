"""Effect sizes, equivalence, power, fragility and the omnibus test, each by its definition."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import optimize, stats

from evaluation import EvaluationError, Pairwise, compare, compare_counts, mcnemar
from evaluation.comparison.views import discordant
from evaluation.corrections import adjust
from evaluation.significance.mcnemar import cochran_q
from evaluation.uncertainty.effects import effects, score_interval, score_z
from evaluation.uncertainty.equivalence import verdicts
from evaluation.uncertainty.fragility import fragility
from evaluation.uncertainty.power import critical_count, detectable, mid_p_power, smallest_share
from ontologies import Alignment, Correspondence

COUNT = st.integers(0, 60)


def view(b: int, c: int, reference: int | None = 1000, **options: Any) -> Pairwise:
    result = compare_counts([[0, b], [c, 0]], ["a", "b"], reference=reference, **options)
    return next(iter(result.views.values()))


@given(COUNT, COUNT, st.integers(1, 60), st.floats(-0.8, 0.8))
def test_score_statistic_maximises_the_likelihood(b: int, c: int, both: int, share: float) -> None:
    n = b + c + both

    def loss(q: float) -> float:
        """Minus the log-likelihood with expected shares q + share, q and the rest."""
        cells = ((b, q + share), (c, q), (both, 1 - 2 * q - share))
        return -sum(k * math.log(max(p, 1e-300)) for k, p in cells if k)

    low, high = max(0.0, -share), (1 - share) / 2
    q = optimize.minimize_scalar(loss, bounds=(low, high), options={"xatol": 1e-12}).x
    variance = n * (2 * q + share - share**2)
    assume(variance > 1e-3)
    z = (b - c - n * share) / math.sqrt(variance)
    assert float(score_z(b, c, n * share, n)) == pytest.approx(z, rel=1e-4, abs=1e-4)


@given(COUNT, COUNT)
def test_score_statistic_at_zero_is_mcnemars(b: int, c: int) -> None:
    assume(b + c > 0)
    expected = (b - c) / math.sqrt(b + c)
    for items in (b + c, 500.0, math.inf):
        assert float(score_z(b, c, 0, items)) == pytest.approx(expected)


@given(COUNT, COUNT, st.integers(0, 300), st.sampled_from([0.9, 0.95, 0.99]))
def test_interval_inverts_the_statistic(b: int, c: int, concordant: int, level: float) -> None:
    items = max(b + c + concordant, 1)
    z = stats.norm.ppf(0.5 + level / 2)
    for n in (items, math.inf):
        low, high = (float(x) for x in score_interval(b, c, n, level=level))
        assert -n <= low <= b - c <= high <= n
        for limit, expected in ((low, z), (high, -z)):
            if abs(limit) < n * (1 - 1e-9) and n > b + c:
                assert float(score_z(b, c, limit, n)) == pytest.approx(expected, abs=1e-6)


def test_interval_covers_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    for p10, p01, n in ((0.1, 0.05, 200), (0.3, 0.3, 60), (0.02, 0.0, 150)):
        b, c, _ = rng.multinomial(n, [p10, p01, 1 - p10 - p01], 4000).T
        low, high = score_interval(b, c, n)
        truth = n * (p10 - p01)
        covered = np.mean((low <= truth) & (truth <= high))
        assert 0.93 < covered < 0.98


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
    robust = effects(compare(systems, r, clusters=clusters).views["ifp"])
    assert robust.difference[0, 1] == plain.difference[0, 1]
    assert robust.low[0, 1] < plain.low[0, 1] < plain.high[0, 1] < robust.high[0, 1]
    assert robust.odds_low[0, 1] < plain.odds_low[0, 1]


@given(COUNT, COUNT, st.sampled_from([0.01, 0.03, 0.1]))
def test_equivalent_exactly_if_the_90_percent_interval_lies_within_the_margin(
    b: int, c: int, margin: float
) -> None:
    v = view(b, c)
    low, high = (float(x) for x in score_interval(b, c, 1000, level=0.9))
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


def test_effects_need_their_facts() -> None:
    with pytest.raises(EvaluationError, match="reference correspondences is unknown"):
        effects(view(3, 4, None))
    with pytest.raises(EvaluationError, match="differ on 7 items, but there are only 5"):
        effects(view(3, 4, 5))
    with pytest.raises(EvaluationError, match="margin is 0"):
        verdicts(view(3, 4), 0)
    with pytest.raises(EvaluationError, match="level is 95"):
        effects(view(3, 4), level=95)


@given(st.integers(0, 80), st.sampled_from([0.001, 0.05, 0.1]))
def test_critical_count_is_the_first_that_rejects(n: int, alpha: float) -> None:
    rejected = [k for k in range(n + 1) if 2 * k > n and float(mcnemar(k, n - k).p) <= alpha]
    assert int(critical_count(n, alpha)) == (rejected[0] if rejected else n + 1)


@given(st.integers(0, 60), st.floats(0.5, 1.0))
def test_power_sums_the_rejected_outcomes(n: int, share: float) -> None:
    x = np.arange(n + 1)
    expected = stats.binom.pmf(x, n, share)[mcnemar(x, n - x).p <= 0.05].sum()
    assert float(mid_p_power(n, share)) == pytest.approx(expected, abs=1e-12)


@given(st.integers(6, 3000))
def test_smallest_share_reaches_the_power(n: int) -> None:
    share = float(smallest_share(n))
    assert float(mid_p_power(n, share)) == pytest.approx(0.8, abs=1e-6)


def test_power_by_simulation() -> None:
    rng = np.random.default_rng(11)
    share = float(smallest_share(150, power=0.8, alpha=0.01))
    b = rng.binomial(150, share, 5000)
    found = np.mean(mcnemar(b, 150 - b).p <= 0.01)
    assert found == pytest.approx(0.8, abs=0.02)


def test_detectable_difference_of_every_pair() -> None:
    matrix = [[0, 40, 12], [8, 0, 4], [13, 37, 0]]
    v = compare_counts(matrix, ["a", "b", "c"], reference=1000).views["ifp"]
    d = detectable(v)
    assert d.level == pytest.approx(0.05 / 3)
    assert d.items[0, 1] == pytest.approx(48 * (2 * float(smallest_share(48, alpha=0.05 / 3)) - 1))
    assert d.rate[0, 1] == d.items[0, 1] / 1000
    assert detectable(v, level=0.05).items[0, 1] < d.items[0, 1]
    assert math.isnan(detectable(view(2, 1)).items[0, 1])
    assert len(d.to_frame()) == 3
    with pytest.raises(EvaluationError, match=r"power is 0\.01"):
        detectable(v, power=0.01, level=0.05)


@given(st.integers(1, 80), st.integers(0, 40))
def test_fragility_counts_up_until_the_arrow_falls(b: int, c: int) -> None:
    v = view(b, c)
    if b > c and v.ranking.edges:
        loss = next(f for f in range(b + 1) if not view(b - f, c).ranking.edges)
        assert fragility(v).items == {("a", "b"): loss}
    elif not v.ranking.edges:
        assert fragility(v).items == {}


def test_fragility_under_a_correction_is_that_of_adjusting_again() -> None:
    matrix = np.array([[0, 40, 45], [8, 0, 19], [9, 15, 0]])
    v = compare_counts(matrix, ["a", "b", "c"], correction="nemenyi").views["ifp"]
    for (better, worse), loss in fragility(v).items.items():
        i, j = "abc".index(better), "abc".index(worse)
        for f in (loss - 1, loss):
            p = v.tests["mid-p"].p.copy()
            p[i, j] = p[j, i] = float(mcnemar(matrix[i, j] - f, matrix[j, i]).p)
            assert (adjust(p, "nemenyi").values[i, j] <= 0.05) == (f < loss)


def test_fragility_where_p_underflows() -> None:
    (loss,) = fragility(view(2000, 0, 5000)).items.values()
    assert loss == 1996  # 4 to 0 is not significant, 5 to 0 is


def test_fragility_needs_a_mcnemar_test() -> None:
    r = Alignment([Correspondence("a", "b")])
    v = compare({"x": r, "y": Alignment()}, r, clusters={}).views["ifp"]
    with pytest.raises(EvaluationError, match="sign-flip is no McNemar test"):
        fragility(v)


@given(st.integers(2, 5), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_cochrans_q_from_the_items(k: int, m: int, seed: int) -> None:
    right = np.random.default_rng(seed).random((k, m)) < 0.6
    columns, rows = right.sum(axis=1), right.sum(axis=0)
    result = cochran_q(discordant(right))
    spread = int((rows * (k - rows)).sum())
    if not spread:
        assert math.isnan(result.statistic)
        assert result.p == 1
        return
    q = k * (k - 1) * ((columns - columns.mean()) ** 2).sum() / spread
    assert result.statistic == pytest.approx(q)
    assert result.p == pytest.approx(stats.chi2.sf(q, k - 1))


def test_cochrans_q_of_two_is_mcnemars() -> None:
    assert cochran_q([[0, 8], [2, 0]]).p == pytest.approx(float(mcnemar(8, 2, "asymptotic").p))
    with pytest.raises(EvaluationError, match="must be square"):
        cochran_q([[0, 1, 2], [1, 0, 3]])
