"""McNemar's tests against rational arithmetic, in every corner."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from alignrank.evaluation import TESTS, EvaluationError, mcnemar
from alignrank.evaluation.comparison.contingency import discordant
from alignrank.evaluation.significance.mcnemar import cochran_q

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "mcnemar.json").read_text("utf-8"))
COUNT = st.integers(0, 400)


def rational(b: int, c: int, test: str) -> Fraction:
    """The exact or mid-p value by its definition, without rounding."""
    n, k = b + c, max(b, c)
    tail = Fraction(sum(math.comb(n, x) for x in range(k, n + 1)), 2**n)
    point = Fraction(math.comb(n, k), 2**n)
    if test == "exact":
        return min(Fraction(1), 2 * tail)
    if n == 0:
        return Fraction(1)
    return 1 - point / 2 if b == c else 2 * tail - point


def log10(value: Fraction) -> float:
    return (math.log(value.numerator) - math.log(value.denominator)) / math.log(10)


@pytest.mark.parametrize("test", ["exact", "mid-p"])
@given(COUNT, COUNT)
@example(0, 0)
@example(1, 0)
@example(3, 3)
@example(0, 1214)
@example(3, 1100)
@example(2000, 5)
def test_binomial_tests_equal_rational_arithmetic(test: str, b: int, c: int) -> None:
    outcome, expected = mcnemar(b, c, test), rational(b, c, test)  # type: ignore[arg-type]
    assert float(outcome.log10_p) == pytest.approx(log10(expected), rel=1e-13, abs=1e-12)
    if log10(expected) > -300:
        assert float(outcome.p) == pytest.approx(float(expected), rel=1e-12)


@given(COUNT, COUNT)
def test_chi_square_tests_equal_their_formulas(b: int, c: int) -> None:
    n = b + c
    for test, gap in (("asymptotic", abs(b - c)), ("continuity", max(abs(b - c) - 1, 0))):
        outcome = mcnemar(b, c, test)  # type: ignore[arg-type]
        statistic = gap**2 / n if n else math.nan
        assert float(outcome.statistic) == pytest.approx(statistic, nan_ok=True)
        p = stats.chi2.sf(statistic, 1) if n else 1.0
        assert float(outcome.p) == pytest.approx(p, rel=1e-12)


@given(COUNT, COUNT)
def test_order_symmetry_and_range(b: int, c: int) -> None:
    p = {test: float(mcnemar(b, c, test).p) for test in TESTS}
    for test in TESTS:
        assert p[test] == float(mcnemar(c, b, test).p)
        assert 0 <= p[test] <= 1
        assert float(mcnemar(b, c, test).log10_p) <= 0
    if b + c:
        assert p["mid-p"] <= p["exact"]
    assert p["asymptotic"] <= p["continuity"]


def test_corners() -> None:
    for test in TESTS:
        assert float(mcnemar(0, 0, test).p) == 1
        assert float(mcnemar(0, 0, test).log10_p) == 0
    assert math.isnan(float(mcnemar(0, 0, "asymptotic").statistic))
    assert [float(mcnemar(3, 3, test).p) for test in list(TESTS)[:3]] == [1, 1, 1]
    assert float(mcnemar(3, 3, "mid-p").p) == 1 - math.comb(6, 3) / 2**7
    assert float(mcnemar(4, 3, "continuity").statistic) == 0


def test_bentur_2009() -> None:
    expected = {
        "exact": 0.0703125,
        "mid-p": 0.0390625,
        "asymptotic": 0.0338948535,
        "continuity": 0.0770998717,
    }
    for test, p in expected.items():
        assert float(mcnemar(1, 7, test).p) == pytest.approx(p, abs=5e-11)  # type: ignore[arg-type]


@pytest.mark.parametrize("table", ["table2", "table3", "table5"])
def test_published_tables(table: str) -> None:
    facts = GOLDEN[table]
    place = {name: k for k, name in enumerate(facts["systems"])}
    matrix = np.array(facts["matrix"])
    outcome = {test: mcnemar(matrix, matrix.T, test) for test in TESTS}
    assert len(facts["pairs"]) == len(place) * (len(place) - 1) / 2
    for i, j, midp, log10_midp, exact, asymptotic, continuity, *_ in facts["pairs"]:
        cell = place[i], place[j]
        ours = [outcome[t].p[cell] for t in ("mid-p", "exact", "asymptotic", "continuity")]
        expected = [midp, exact, asymptotic, continuity]
        assert ours == pytest.approx(expected, rel=1e-10, abs=1e-300)
        assert outcome["mid-p"].log10_p[cell] == pytest.approx(log10_midp, rel=1e-12)


def test_millions() -> None:
    for test in TESTS:
        near = mcnemar(5_000_000, 4_990_000, test)
        assert float(near.p) == pytest.approx(0.001557, abs=2e-6)
        far = mcnemar(2_100_000, 2_000_000, test)
        assert float(far.p) == 0
        assert float(far.log10_p) == pytest.approx(-531.4, abs=0.1)
    assert float(mcnemar(3_000_000, 0, "exact").log10_p) == pytest.approx(
        math.log10(2) * (1 - 3_000_000), rel=1e-12
    )


def test_log10_p_has_no_step_where_p_underflows() -> None:
    b = np.arange(940, 990)  # mid-p from 1e-282 to 1e-297
    steps = np.diff(mcnemar(b, 0).log10_p)
    assert steps == pytest.approx(-math.log10(2), rel=1e-12)


def test_few_marks_less_than_25_discordant_cases() -> None:
    assert mcnemar([0, 12, 13], [0, 12, 12]).few.tolist() == [True, True, False]


@pytest.mark.parametrize("bad", [-1, 0.5, math.nan, math.inf, "many"])
def test_what_is_no_count_is_refused(bad: object) -> None:
    with pytest.raises(EvaluationError, match=r"^c"):
        mcnemar(1, bad, "exact")  # type: ignore[arg-type]


def test_counts_of_different_shapes_and_too_large_ones_are_named() -> None:
    with pytest.raises(EvaluationError, match=r"b has the shape \(2,\), c \(3,\): give one count"):
        mcnemar([1, 2], [1, 2, 3])
    with pytest.raises(EvaluationError, match=r"b is 9007199254740992: .* below 2\^52"):
        mcnemar(2**53, 1)


def test_unknown_test_is_refused() -> None:
    with pytest.raises(EvaluationError, match="test 'midp' is unknown: did you mean mid-p"):
        mcnemar(1, 2, "midp")  # type: ignore[arg-type]


@pytest.mark.parametrize("test", ["exact", "mid-p"])
def test_p_goes_down_to_the_smallest_number_there_is(test: Any) -> None:
    for b in range(0, 80, 7):
        found = mcnemar(b, 1100, test)
        assert float(found.p) == pytest.approx(10.0 ** float(found.log10_p), rel=1e-9, abs=1e-320)
    # mpmath, 60 digits
    assert float(mcnemar(28, 1124, "exact").p) == pytest.approx(4.152e-291, rel=1e-3)


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
