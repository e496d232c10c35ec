"""Every correction against published tables, statsmodels and its own definition."""

from __future__ import annotations

import json
from itertools import combinations, pairwise
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from alignrank.evaluation import EvaluationError
from alignrank.evaluation.corrections.adjusting import (
    CORRECTIONS,
    Adjusted,
    adjust,
    cannot_reach,
    hommel,
    least_adjusted,
    rom_constants,
)
from alignrank.evaluation.corrections.bergmann_hommel import true_hypotheses
from alignrank.evaluation.significance.crossed import crossed_test
from tests.generated import examples

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "golden" / "corrections.json").read_text(encoding="utf-8")
)
N_BY_N = [name for name, facts in CORRECTIONS.items() if "N×N" in facts.comparisons]
N_BY_1 = [name for name, facts in CORRECTIONS.items() if "N×1" in facts.comparisons]
P = np.array([[np.nan, 0.01, 0.02], [0.01, np.nan, 0.04], [0.02, 0.04, np.nan]])

p_values = st.one_of(
    st.floats(0.0, 1.0),
    st.sampled_from([0.0, 1.0, 0.01, 0.04]),
    st.floats(-300.0, 0.0).map(lambda exponent: 10.0**exponent),
)


def symmetric(upper, systems):
    p = np.full((systems, systems), np.nan)
    p[np.triu_indices(systems, 1)] = upper
    p.T[np.triu_indices(systems, 1)] = upper
    return p


@st.composite
def matrices(draw, most=6):
    systems = draw(st.integers(2, most))
    count = systems * (systems - 1) // 2
    return symmetric(draw(st.lists(p_values, min_size=count, max_size=count)), systems)


def golden(table):
    """Give the p matrix of a table, and per column the matrix of adjusted values."""
    rows = GOLDEN[table]["rows"]
    systems = 1 + max(row[1] for row in rows)
    matrices = []
    for column in range(2, len(rows[0])):
        matrix = np.full((systems, systems), np.nan)
        for row in rows:
            matrix[row[0], row[1]] = matrix[row[1], row[0]] = row[column]
        matrices.append(matrix)
    return matrices[0], dict(zip(GOLDEN[table]["columns"], matrices[1:], strict=True))


@pytest.mark.parametrize("table", ["garcia_herrera", "table2", "table3", "table5"])
def test_published_tables_under_every_correction(table):
    p, expected = golden(table)
    for name, values in expected.items():
        monotone = name == "monotone"
        found = adjust(p, "bergmann-hommel" if monotone else name, monotone=monotone)
        np.testing.assert_allclose(found.values, values, rtol=1e-12, atol=0, err_msg=name)
        assert found.exact.all()
        if "edges" in GOLDEN[table]:
            edges = GOLDEN[table]["edges"][GOLDEN[table]["columns"].index(name)]
            assert np.count_nonzero(found.values[np.triu_indices(len(p), 1)] <= 0.05) == edges


def test_running_maximum_is_what_scmamp_prints_for_1nn_and_naive_bayes():
    p, _ = golden("garcia_herrera")
    assert adjust(p, "bergmann-hommel").values[1, 2] == pytest.approx(0.030337, abs=5e-7)
    assert adjust(p, "bergmann-hommel", monotone=True).values[1, 2] == pytest.approx(
        0.031854, abs=5e-7
    )


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("bonferroni", "bonferroni"),
        ("holm", "holm"),
        ("holland", "holm-sidak"),
        ("hochberg", "simes-hochberg"),
        ("hommel", "hommel"),
    ],
)
@given(p=st.lists(st.floats(0.0, 1.0), min_size=2, max_size=12))
@examples(50)
def test_equals_statsmodels(name, theirs, p):
    with mock.patch("gc.collect"):  # statsmodels calls it for each of Holm's
        expected = multipletests(p, method=theirs)[1]
    np.testing.assert_allclose(adjust(p, name).values, expected, rtol=1e-9, atol=1e-15)


@given(p=st.lists(p_values, min_size=1, max_size=7))
@examples(60)
def test_hommel_is_the_closure_of_simes(p):
    ascending = np.sort(p)
    closure = np.zeros(len(p))
    for count in range(1, len(p) + 1):
        for subset in combinations(range(len(p)), count):
            simes = min(count * ascending[i] / (k + 1) for k, i in enumerate(subset))
            closure[list(subset)] = np.maximum(closure[list(subset)], simes)
    np.testing.assert_allclose(hommel(ascending), closure, rtol=1e-12)


@given(p=st.lists(p_values, min_size=1, max_size=10))
@examples(60)
def test_li_rejects_as_its_two_steps_say(p):
    adjusted = adjust(p, "li").values
    for alpha in (0.013, 0.05, 0.21):
        rest = (1.0 - max(p)) / (1.0 - alpha) * alpha
        for value, one in zip(adjusted, p, strict=True):
            expected = max(p) <= alpha or one <= rest
            near = abs(one - rest) < 1e-12 or abs(value - alpha) < 1e-12
            assert near or (value <= alpha) == expected


@given(p=st.lists(p_values, min_size=1, max_size=8), alpha=st.floats(0.001, 0.3))
@examples(60)
def test_step_procedures_reject_as_their_thresholds_say(p, alpha):
    """Each procedure by its published accept/reject rule."""
    m = len(p)
    ascending = sorted(p)
    down = {
        "holm": [alpha / (m - i) for i in range(m)],
        "holland": [1 - (1 - alpha) ** (1 / (m - i)) for i in range(m)],
        "finner": [1 - (1 - alpha) ** ((i + 1) / m) for i in range(m)],
    }
    up = {
        "hochberg": [alpha / (m - i) for i in range(m)],
        "rom": rom_constants(m, alpha)[::-1].tolist(),
    }
    for name, critical in {**down, **up}.items():
        if any(abs(one - c) <= 1e-9 * c for one in ascending for c in critical):
            continue  # a tie with the threshold is decided by rounding
        passed = [one <= c for one, c in zip(ascending, critical, strict=True)]
        if name in down:
            rejected = passed.index(False) if False in passed else m
        else:
            rejected = m - passed[::-1].index(True) if True in passed else 0
        assert np.count_nonzero(adjust(p, name, alpha=alpha).values <= alpha) == rejected, name


def test_rom_constants():
    np.testing.assert_allclose(
        rom_constants(6, 0.05), [0.05, 0.025, 0.016875, 0.012713, 0.010193, 0.008505], atol=5e-7
    )
    many = rom_constants(1000, 0.05)
    assert np.all(np.diff(many) < 0)
    assert np.all(many * np.arange(1, 1001) >= 0.05)  # never below Bonferroni's share


def test_rom_has_size_alpha_by_simulation():
    """Under the full null with independent p: the family-wise error is exactly alpha."""
    rng = np.random.default_rng(7)
    p = np.sort(rng.random((400_000, 3)), axis=1)
    rate = (p <= rom_constants(3, 0.2)[::-1]).any(axis=1).mean()
    assert rate == pytest.approx(0.2, abs=4 * np.sqrt(0.16 / 400_000))


def test_shaffer_numbers_of_true_hypotheses():
    assert true_hypotheses(2) == [0, 1]
    assert true_hypotheses(3) == [0, 1, 3]
    assert true_hypotheses(4) == [0, 1, 2, 3, 6]
    assert true_hypotheses(6) == [0, 1, 2, 3, 4, 6, 7, 10, 15]


@given(p=matrices())
@examples(60)
def test_each_correction_is_pointwise_below_the_weaker_ones(p):
    upper = np.triu_indices(len(p), 1)
    value = {name: adjust(p, name).values[upper] for name in N_BY_N}
    order = ["none", "bergmann-hommel", "shaffer", "holm", "nemenyi"]
    for sharper, weaker in [*pairwise(order), ("hommel", "hochberg")]:
        assert np.all(value[sharper] <= value[weaker] * (1 + 1e-12)), (sharper, weaker)
    for sharper, weaker in [("hochberg", "holm"), ("rom", "hochberg"), ("finner", "holland")]:
        assert np.all(value[sharper] <= value[weaker] * (1 + 1e-12)), (sharper, weaker)
    monotone = adjust(p, "bergmann-hommel", monotone=True).values[upper]
    assert np.all(value["bergmann-hommel"] <= monotone)
    assert np.all(monotone <= value["shaffer"] * (1 + 1e-12))
    assert np.all(np.diff(monotone[np.argsort(p[upper], kind="stable")]) >= 0)


@given(p=matrices(), seed=st.integers(0, 99))
@examples(40)
def test_values_follow_the_systems_when_they_are_reordered(p, seed):
    order = np.random.default_rng(seed).permutation(len(p))
    for name in N_BY_N:
        values = adjust(p, name).values
        np.testing.assert_array_equal(values, values.T)
        assert np.isnan(np.diag(values)).all()
        assert np.nanmin(values) >= 0
        assert np.nanmax(values) <= 1
        moved = adjust(p[np.ix_(order, order)], name).values
        np.testing.assert_allclose(moved, values[np.ix_(order, order)], rtol=1e-12)


@pytest.mark.parametrize("name", N_BY_N)
def test_corner_cases_all_pairs(name):
    one = adjust(symmetric([0.03], 2), name).values
    np.testing.assert_allclose(one, [[np.nan, 0.03], [0.03, np.nan]], rtol=1e-12)
    for value in (0.0, 1.0):
        same = adjust(symmetric([value] * 6, 4), name).values
        assert np.all(same[np.triu_indices(4, 1)] == value)
    tied = adjust(symmetric([0.01] * 6, 4), name).values[np.triu_indices(4, 1)]
    assert np.ptp(tied) < 1e-15


@pytest.mark.parametrize("name", N_BY_1)
def test_corner_cases_against_one(name):
    np.testing.assert_allclose(adjust([0.03], name).values, [0.03], rtol=1e-12)
    for value in (0.0, 1.0):
        assert adjust([value] * 4, name).values.tolist() == [value] * 4
    assert np.ptp(adjust([0.01] * 4, name).values) < 1e-15


def test_tiny_p_values_lose_nothing():
    for name in ("holm", "holland", "finner", "rom", "bonferroni"):
        values = adjust([1e-300, 2e-300], name).values
        assert values[0] == pytest.approx(2e-300, rel=1e-9)


def test_the_facts_are_whole():
    assert set(N_BY_N) == {
        *("none", "nemenyi", "holm", "holland", "finner", "hochberg", "hommel", "rom"),
        *("shaffer", "bergmann-hommel"),
    }
    assert set(N_BY_1) == {
        *("none", "bonferroni", "holm", "holland", "finner", "hochberg", "hommel", "rom", "li"),
    }
    for name, facts in CORRECTIONS.items():
        assert facts.name == name
        assert facts.validity
        for comparisons in {"N×N", "N×1"} - set(facts.comparisons):
            assert comparisons in CORRECTIONS[facts.alternative].comparisons
    free = {name for name, facts in CORRECTIONS.items() if facts.any_dependence}
    assert free == {"nemenyi", "bonferroni", "holm", "shaffer", "bergmann-hommel"}


@pytest.mark.parametrize(
    ("p", "says"),
    [
        ([0.1, np.nan], r"p\[1\] is nan"),
        ([0.1, 1.5], r"p\[1\] is 1.5"),
        ([-0.1], r"p\[0\] is -0.1"),
        ([[np.nan, 0.1], [0.2, np.nan]], r"not symmetric: p\[0, 1\] is 0.1, p\[1, 0\] is 0.2"),
        ([[np.nan, np.nan], [np.nan, np.nan]], r"p\[0, 1\] is nan"),
        ([[0.5]], "at least two systems"),
        (np.zeros((2, 3)), r"shape \(2, 3\)"),
        ([], r"shape \(0,\)"),
        (0.5, r"shape \(\)"),
        ("holm", "numbers"),
        ([[0.1], [0.2, 0.3]], "numbers"),
    ],
)
def test_bad_p_values(p, says):
    with pytest.raises(EvaluationError, match=says):
        adjust(p, "holm")


@pytest.mark.parametrize(
    ("p", "name", "says"),
    [
        (P, "bonferoni", "unknown: did you mean bonferroni"),
        ([0.1, 0.2], "bh", "unknown: alignrank list corrections lists all"),
        (P, "bonferroni", "does not serve all pairs: use nemenyi"),
        (P, "li", "does not serve all pairs: use holm"),
        ([0.1, 0.2], "nemenyi", "does not serve all systems against one: use bonferroni"),
        ([0.1, 0.2], "shaffer", "does not serve all systems against one: use holm"),
        ([0.1, 0.2], "bergmann-hommel", "all systems against one: use holm"),
    ],
)
def test_a_correction_that_does_not_fit(p, name, says):
    with pytest.raises(EvaluationError, match=says):
        adjust(p, name)


def test_bad_settings():
    for alpha in (0.0, 1.0, np.nan):
        with pytest.raises(EvaluationError, match="alpha"):
            adjust(P, "holm", alpha=alpha)


def test_the_frame_names_the_systems():
    frame = adjust(P, "holm").to_frame(["a", "b", "c"])
    assert frame.columns.tolist() == ["system1", "system2", "adjusted_p", "exact"]
    assert frame[["system1", "system2"]].to_numpy().tolist() == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert frame["adjusted_p"].tolist() == [0.03, 0.04, 0.04]
    assert adjust([0.01], "li").to_frame(["a"])["system"].tolist() == ["a"]


def test_the_input_is_left_as_it_was():
    p = P.copy()
    np.fill_diagonal(p, 1.0)
    before = p.copy()
    for name in N_BY_N:
        adjust(p, name)
    np.testing.assert_array_equal(p, before)


def right_of(wins: int, losses: int) -> np.ndarray:
    """A and B, which differ on some items, and two systems that are far worse."""
    a = [1] * (wins + 230) + [0] * losses
    b = [0] * wins + [1] * (230 + losses)
    c = [0] * (wins + 130) + [1] * 100 + [0] * losses
    d = [0] * (wins + 130 + 100 + losses)
    return np.array([a, b, c, d], dtype=bool)


def least_p(right: np.ndarray, clusters: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """The smallest p of the sign test of chosen pairs: all differing clusters on one side."""
    least = np.full(pairs.shape, np.nan)
    for i, j in np.argwhere(pairs):
        difference = right[i].astype(int) - right[j]
        differing = sum(difference[clusters == c].sum() != 0 for c in np.unique(clusters))
        least[i, j] = min(1.0, 2.0 ** (1 - differing))
    return least


@pytest.mark.parametrize(("wins", "losses", "hopeless"), [(6, 1, False), (3, 1, True)])
def test_the_pairs_own_best_outcome_decides(wins: int, losses: int, hopeless: bool) -> None:
    right = right_of(wins, losses)
    clusters = np.arange(right.shape[1])
    p = crossed_test(right, clusters).test.p
    assert p[0, 1] > 0.05
    least = least_p(right, clusters, p > 0.05)
    assert least[0, 1] == pytest.approx(2.0 ** (1 - wins - losses))
    verdict = cannot_reach(p, least, "bergmann-hommel")
    assert verdict[0, 1] == hopeless
    assert (verdict == verdict.T).all()


def test_seven_to_none_is_decided_among_four_systems() -> None:
    right = right_of(7, 0)
    result = crossed_test(right, np.arange(right.shape[1]))
    assert adjust(result.test.p, "bergmann-hommel").values[0, 1] <= 0.05


@given(st.integers(0, 10_000), st.sampled_from(["holm", "shaffer", "bergmann-hommel", "nemenyi"]))
def test_every_pair_by_its_definition(seed: int, correction: str) -> None:
    rng = np.random.default_rng(seed)
    right = rng.random((4, 12)) < 0.7
    clusters = rng.integers(0, 9, 12)
    p = crossed_test(right, clusters).test.p
    pairs = p > 0.02
    least = least_p(right, clusters, pairs)
    verdict = cannot_reach(p, least, correction, alpha=0.2)
    for i, j in np.argwhere(np.triu(pairs, 1)):
        best = p.copy()
        best[i, j] = best[j, i] = least[i, j]
        assert verdict[i, j] == (adjust(best, correction).values[i, j] > 0.2)


def test_only_the_certain_is_said_where_the_correction_cannot_be_repeated() -> None:
    p = np.full((3, 3), 0.5)
    least = np.array([[np.nan, 0.04, 0.06], [0.04, np.nan, 0.06], [0.06, 0.06, np.nan]])
    assert cannot_reach(p, least, "westfall-young")[0].tolist() == [False, False, True]
    assert cannot_reach(p, least, "bergmann-hommel")[0].tolist() == [False, True, True]


def test_one_system_against_the_others() -> None:
    p = np.array([0.5, 0.6, 0.01])
    verdict = cannot_reach(p, np.array([0.03, 0.001, np.nan]), "holm")
    assert verdict.tolist() == [True, False, False]


def test_only_a_value_above_the_level_that_is_a_bound_is_unsettled() -> None:
    values, exact = np.array([0.01, 0.2, 0.3]), np.array([False, False, True])
    result = Adjusted(values, "bergmann-hommel", 0.05, False, exact, 0, "")
    assert result.unsettled.tolist() == [False, True, False]


@pytest.mark.parametrize("correction", N_BY_N)
def test_the_least_adjusted_value_is_that_of_equal_p(correction: str) -> None:
    rng = np.random.default_rng(4)
    upper = np.triu_indices(5, 1)
    least = least_adjusted(0.004, 5, correction)
    assert least == np.nanmin(adjust(np.full((5, 5), 0.004), correction).values)
    for _ in range(20):
        p = np.full((5, 5), 0.004)
        p[upper] = np.maximum(rng.random(10) ** 4, 0.004)
        p.T[upper] = p[upper]
        assert np.nanmin(adjust(p, correction).values) >= least - 1e-15
