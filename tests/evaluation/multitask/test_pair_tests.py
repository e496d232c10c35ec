"""Two systems over many tasks: signed-rank, t, sign and Bayesian tests."""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.multitask import (
    bayesian_signed_ranks,
    effects,
    paired_t,
    sign_test,
    signed_rank,
)
from alignrank.evaluation.multitask.pair_tests import normality
from alignrank.evaluation.multitask.score_table import differences
from tests.generated import examples

# a coarse grid of scores: many ties and zeros
tied = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=9)
smooth = st.lists(
    st.tuples(st.floats(0, 1, width=32), st.floats(0, 1, width=32)), min_size=2, max_size=25
)


def columns(pairs: list[tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
    table = np.array(pairs, dtype=float) / 10
    return table[:, 0], table[:, 1]


def by_enumeration(x: np.ndarray, y: np.ndarray, zeros: str) -> float:
    """Exact two-sided p: every assignment of signs, one by one."""
    d = differences(x, y)
    magnitudes = np.abs(d) if zeros != "wilcox" else np.abs(d[d != 0])
    ranks = stats.rankdata(magnitudes)[magnitudes != 0]
    signs = np.sign(d[d != 0])
    observed = abs(float((signs * ranks).sum()))
    sums = [
        abs(sum(s * r for s, r in zip(choice, ranks, strict=True)))
        for choice in product([-1, 1], repeat=len(ranks))
    ]
    return sum(s >= observed - 1e-9 for s in sums) / len(sums)


@pytest.mark.parametrize("zeros", ["wilcox", "pratt", "zsplit"])
@given(pairs=tied)
@examples(30)
def test_exact_signed_rank_is_the_enumeration_of_signs(zeros, pairs):
    x, y = columns(pairs)
    result = signed_rank(x, y, zeros=zeros, method="exact")
    assert result.p == pytest.approx(by_enumeration(x, y, zeros), abs=1e-12)


@given(pairs=smooth)
@examples(50)
def test_signed_rank_agrees_with_scipy(pairs):
    x, y = columns(pairs)
    d = differences(x, y)
    for zeros in ("wilcox", "pratt"):
        if not d.any():
            continue
        ours = signed_rank(x, y, zeros=zeros, method="normal")
        theirs = stats.wilcoxon(d, zero_method=zeros, correction=False, method="approx")
        assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9)
        assert min(ours.w_plus, ours.w_minus) == theirs.statistic
    if len(set(np.abs(d))) == len(d) and d.all():
        assert signed_rank(x, y).p == pytest.approx(
            stats.wilcoxon(d, method="exact").pvalue, rel=1e-9
        )


def alternating(n: int, w: int) -> np.ndarray:
    """n distinct differences whose negative ranks sum to w."""
    d = np.arange(1.0, n + 1)
    for rank in range(n, 0, -1):
        if rank <= w:
            d[rank - 1] *= -1
            w -= rank
    assert w == 0
    return d


@pytest.mark.parametrize(
    ("n", "w", "p"),
    [
        (11, 0, 0.00097656),
        (12, 1, 0.00097656),
        (15, 0, 6.10e-5),
        (9, 0, 0.003906),
        (8, 14, 0.640625),
    ],
)
def test_exact_values_of_the_statistical_perspective_table(n, w, p):
    """Table 1 below the diagonal: exact p-values, 2/2^N where one system always wins."""
    d = alternating(n, w)
    result = signed_rank(d, np.zeros(n))
    assert result.method == "exact"
    assert result.p == pytest.approx(p, rel=1e-3)
    if w == 0:
        assert result.p == 2 / 2**n


@pytest.mark.parametrize(
    ("n", "untied", "printed"), [(20, 8.857e-5, (8.50e-5, 8.56e-5)), (17, 2.930e-4, (2.85e-4,))]
)
def test_larger_tables_used_the_normal_approximation_with_ties(n, untied, printed):
    """Without ties p would be larger than what the table prints; ties bring it down to that."""
    d = np.arange(1.0, n + 1)
    assert signed_rank(d, np.zeros(n), method="normal").p == pytest.approx(untied, rel=1e-3)
    for p in printed:
        assert p < untied
        reached = [
            signed_rank(np.repeat([1.0, *range(2, n + 2 - t)], [t] + [1] * (n - t)), np.zeros(n),
                        method="normal").p
            for t in range(1, n + 1)
        ]  # fmt: skip
        assert min(reached) < p < max(reached)


def test_zeros_are_dropped_ranked_or_split():
    x, y = np.array([1.0, 2.0, 3.0, 0.0, 0.0]), np.array([0.0, 0.0, 4.0, 0.0, 0.0])
    # differences 1, 2, −1, 0, 0: without zeros the ranks are 1.5, 3, 1.5; with them 3.5, 5, 3.5
    dropped, pratt, split = (signed_rank(x, y, zeros=z) for z in ("wilcox", "pratt", "zsplit"))
    assert (dropped.w_plus, dropped.w_minus) == (4.5, 1.5)
    assert (pratt.w_plus, pratt.w_minus) == (8.5, 3.5)
    assert (split.w_plus, split.w_minus) == (10.0, 5.0)
    assert dropped.n == pratt.n == split.n == 3
    assert dropped.zeros == 2


def test_demsars_rank_sums_with_zeros_split():
    """R+ = 93, R− = 12 over 14 data sets, two of them without a difference (Demšar 2006)."""
    d = [5, -8, 17, 33, 6, -5, 7, 0, 63, 0, 22, 47, 9, 21]  # thousandths of AUC, C4.5+m − C4.5
    result = signed_rank(np.array(d) / 1000, np.zeros(14), zeros="zsplit")
    assert (result.w_plus, result.w_minus) == (93, 12)


def test_no_difference_is_p_one():
    x = np.array([0.3, 0.5, 0.7])
    assert signed_rank(x, x).p == 1
    assert sign_test(x, x).p == 1
    assert paired_t(x, x).p == 1
    assert math.isnan(paired_t(x, x).t)
    assert effects(x, x).rank_biserial.value == 0
    assert effects(x, x).cohen_dz.value == 0


def test_the_same_difference_everywhere_is_the_limit_of_t():
    x = np.array([0.3, 0.5, 0.7, 0.2])
    result = paired_t(x + 0.1, x)
    assert (result.t, result.p) == (math.inf, 2 / 2**4)  # the exact sign test
    assert paired_t(x, x + 0.1).t == -math.inf


def test_normality_is_tested_up_to_5000_tasks(recwarn: pytest.WarningsRecorder) -> None:
    d = np.random.default_rng(0).normal(size=5001)
    rows = np.stack([d[:40], np.ones(40), d[40:80] ** 2])
    skewed = stats.shapiro(rows[2]).pvalue
    assert normality(rows)[2] == skewed < 0.01
    assert math.isnan(normality(rows)[1])
    assert math.isnan(paired_t(d, 0 * d).normality_p)
    assert not recwarn.list


def test_rounding_does_not_break_ties():
    x, y = np.array([0.8, 0.3, 0.9]), np.array([0.7, 0.2, 0.7])
    assert 0.8 - 0.7 != 0.3 - 0.2
    d = differences(x, y)
    assert d[0] == d[1]
    assert signed_rank(x, y).w_plus == 6
    assert differences([0.1 + 0.2, 1.0], [0.3, 0.0])[0] == 0


@given(pairs=smooth)
@examples(30)
def test_t_and_sign_agree_with_scipy(pairs):
    x, y = columns(pairs)
    d = differences(x, y)
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    if wins + losses:
        assert sign_test(x, y).p == pytest.approx(
            stats.binomtest(wins, wins + losses).pvalue, rel=1e-9
        )
    if d.std() > 1e-6:
        ours, theirs = paired_t(x, y), stats.ttest_rel(x, y)
        assert ours.t == pytest.approx(theirs.statistic, rel=1e-6)
        assert ours.p == pytest.approx(theirs.pvalue, rel=1e-6)
        low, high = theirs.confidence_interval(0.95)
        interval = effects(x, y).mean_difference
        assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-7)


@given(pairs=tied)
@examples(60)
def test_tests_are_symmetric_in_the_systems(pairs):
    x, y = columns(pairs)
    for test in (signed_rank, paired_t, sign_test):
        assert test(x, y).p == pytest.approx(test(y, x).p, abs=1e-12)
        assert 0 <= test(x, y).p <= 1
    there, back = effects(x, y), effects(y, x)
    for name in ("mean_difference", "hodges_lehmann", "cohen_dz", "rank_biserial", "cliff_delta"):
        a, b = getattr(there, name), getattr(back, name)
        assert (a.value, a.low, a.high) == pytest.approx(
            (-b.value, -b.high, -b.low), abs=1e-9, nan_ok=True
        )
        if not math.isnan(a.low):
            assert a.low <= a.value + 1e-12
            assert a.value <= a.high + 1e-12


def slow_bayesian(z: np.ndarray, margin: float, samples: int, seed: int) -> np.ndarray:
    """The definition, sum by sum."""
    rng = np.random.default_rng(seed)
    z = np.concatenate([[0.0], z])
    wins = np.zeros(3)
    for _ in range(samples):
        gammas = np.array([rng.gamma(0.5), *(rng.gamma(1.0) for _ in z[1:])])
        w = gammas / gammas.sum()
        theta = np.zeros(3)
        for i, a in enumerate(z):
            for j, b in enumerate(z):
                where = 0 if a + b > 2 * margin else 2 if a + b < -2 * margin else 1
                theta[where] += w[i] * w[j]
        wins[theta.argmax()] += 1
    return wins / samples


def test_bayesian_signed_rank_is_its_definition():
    d = np.array([0.031, -0.022, 0.053, 0.012, 0.0, 0.045, -0.034, 0.024])
    (ours,) = bayesian_signed_ranks([(d, np.zeros(8))], margin=0.01, samples=40_000, seed=1)
    slow = slow_bayesian(d, 0.01, 3_000, 7)
    found = np.array([ours.first_better, ours.equivalent, ours.second_better])
    assert found.sum() == pytest.approx(1)
    # standard error of the slow one is .009
    assert np.abs(found - slow).max() < 0.035
    (back,) = bayesian_signed_ranks([(np.zeros(8), d)], margin=0.01, samples=40_000, seed=1)
    assert (back.first_better, back.second_better) == (ours.second_better, ours.first_better)


def test_bayesian_signed_ranks_of_all_pairs_share_their_weights():
    scores = np.random.default_rng(4).integers(0, 9, (12, 4)) / 100
    together = bayesian_signed_ranks(combinations(scores.T, 2), margin=0.01, samples=2_000, seed=3)
    for (i, j), ours in zip(combinations(range(4), 2), together, strict=True):
        pair = scores[:, i], scores[:, j]
        assert bayesian_signed_ranks([pair], margin=0.01, samples=2_000, seed=3) == [ours]
        z = np.array([0, *np.rint(100 * (scores[:, i] - scores[:, j]))])
        sums = z[:, None] + z
        weights = np.random.default_rng(3).dirichlet([0.5, *[1] * 12], size=2_000)
        above, below = (
            np.einsum("si,ij,sj->s", weights, side, weights)
            for side in ((sums > 2).astype(float), (sums < -2).astype(float))
        )
        largest = np.argmax([above, 1 - above - below, below], axis=0)
        shares = [ours.first_better, ours.equivalent, ours.second_better]
        assert (np.bincount(largest, minlength=3) / 2_000).tolist() == pytest.approx(shares)


def test_bayesian_signed_rank_is_seeded_and_knows_equivalence():
    pairs = [(np.array([0.001, -0.002, 0.0, 0.003, 0.001]), np.zeros(5))]
    (result,) = bayesian_signed_ranks(pairs, margin=0.01)
    assert result.equivalent > 0.99
    assert bayesian_signed_ranks(pairs, margin=0.01) == [result]
    (result,) = bayesian_signed_ranks([([0.2, 0.3, 0.4], [0.19, 0.29, 0.39])], margin=0.01)
    assert result.equivalent == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: signed_rank([1.0, 2.0], [1.0]), "shapes"),
        (lambda: signed_rank([1.0], [1.0]), "fewer than two tasks"),
        (lambda: signed_rank([1.0, math.nan], [1.0, 2.0]), "finite"),
        (lambda: paired_t([1.0, math.inf], [1.0, 2.0]), "finite"),
        (lambda: signed_rank([1.0, 2.0], [1.0, 1.0], zeros="drop"), "zeros is 'drop'"),
        (lambda: signed_rank([1.0, 2.0], [1.0, 1.0], method="fast"), "method is 'fast'"),
        (lambda: signed_rank(["a", "b"], [1.0, 2.0]), "scores must hold numbers"),
        (lambda: bayesian_signed_ranks([([1.0, 2.0], [1.0, 1.0])], margin=-1), "margin"),
        (lambda: bayesian_signed_ranks([], margin=0.01), "all on the same tasks"),
        (
            lambda: bayesian_signed_ranks([([1, 2, 3], [1, 1, 1]), ([1, 2], [1, 1])], margin=0.01),
            "all on the same tasks",
        ),
        (lambda: bayesian_signed_ranks([([1.0, 2.0], [1.0, 1.0])], margin=0, samples=0), "samples"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(EvaluationError, match=message):
        call()
