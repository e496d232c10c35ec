"""Every metric: worked values, the contract of a metric, and other implementations."""

from __future__ import annotations

import difflib
import json
import math
from pathlib import Path

import numpy as np
import pytest
import textdistance
from hypothesis import example, given
from hypothesis import strategies as st
from rapidfuzz import distance

from alignrank.matchers.by_name import METRICS, get_metric
from alignrank.matchers.metrics import Metric, plain_matrix, substring
from alignrank.matchers.metrics import ngram as kondrak
from alignrank.matchers.similarity.matrix import string_similarities
from tests.generated import examples

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "golden" / "string_metrics.json").read_text(encoding="utf-8")
)
STANDARD = [metric for metric in METRICS.values() if metric.family == "standard"]
ONTOSIM = [metric for metric in METRICS.values() if metric.family == "ontosim"]

#: Few letters make matches, repeats and ties; the rest of Unicode makes sure of everything else.
strings = st.one_of(
    st.text(alphabet="ab", max_size=9),
    st.text(alphabet="abAB ._", max_size=12),
    st.text(alphabet="hearting_ ", max_size=30),
    st.text(max_size=8),
)
each_metric = pytest.mark.parametrize("metric", METRICS.values(), ids=lambda metric: metric.name)
each_standard = pytest.mark.parametrize("metric", STANDARD, ids=lambda metric: metric.name)


@each_metric
def test_worked_values(metric: Metric) -> None:
    for s, t, expected in GOLDEN[metric.name]:
        # null is OntoSim's 0/0, here 0
        assert metric.similarity(s, t) == pytest.approx(expected or 0.0, abs=1e-9), (s, t)
        # random strings hardly ever share a word
        if metric.symmetric:
            assert metric.similarity(t, s) == pytest.approx(expected or 0.0, abs=1e-9), (t, s)


def test_every_metric_has_worked_values() -> None:
    assert {metric.name for metric in METRICS.values()} == set(GOLDEN)
    assert all(len(cases) >= 6 for cases in GOLDEN.values())
    assert len(STANDARD) >= 13
    assert len(ONTOSIM) == 9


@each_metric
@examples(60)
@given(s=strings, t=strings)
@example(s="", t="")
@example(s="", t="a")
@example(s="a", t="abc")
@example(s="ab", t="ab")
def test_range_and_symmetry(metric: Metric, s: str, t: str) -> None:
    value = metric.similarity(s, t)
    assert type(value) is float
    assert 0.0 <= value <= metric.maximum
    if metric.symmetric:
        assert metric.similarity(t, s) == value


@each_metric
@examples(40)
@given(s=strings.filter(bool))
def test_identity(metric: Metric, s: str) -> None:
    if metric.identity:
        assert metric.similarity(s, s) == 1.0


@each_standard
@examples(40)
@given(s=strings.filter(lambda s: substring.without_separators(s) != ""))
def test_an_empty_string_is_like_an_empty_one_and_nothing_else(metric: Metric, s: str) -> None:
    assert metric.similarity("", "") == 1.0
    assert metric.similarity(s, "") == metric.similarity("", s) == 0.0


#: A pair of strings for each.
ASYMMETRIC = [
    ("smoa", "abbaac", "aacbba"),
    ("ontosim-jaro", "larynx muscle", "laryngeal_muscle"),
    ("ontosim-jaro-winkler", "larynx muscle", "laryngeal_muscle"),
    ("ontosim-smoa", "aab", "aaab"),
    ("ontosim-substring", "aab", "aaab"),
]


@pytest.mark.parametrize(("name", "s", "t"), ASYMMETRIC)
def test_what_is_declared_asymmetric_is(name: str, s: str, t: str) -> None:
    metric = get_metric(name)
    assert not metric.symmetric
    assert metric.similarity(s, t) != metric.similarity(t, s)


def test_no_other_metric_is_declared_asymmetric() -> None:
    asymmetric = {metric.name for metric in METRICS.values() if not metric.symmetric}
    assert asymmetric == {name for name, _, _ in ASYMMETRIC}


@pytest.mark.parametrize(
    ("name", "s", "value"),
    [
        ("ontosim-jaro", "a", 0.0),
        ("ontosim-jaro-winkler", "heart", 0.6),
        ("ontosim-ngram", "ab", 0.0),
        ("ontosim-ngram", "aaaa", 2.0),
        ("ontosim-smoa", "ab", 0.1),
    ],
)
def test_what_is_declared_without_identity_lacks_it(name: str, s: str, value: float) -> None:
    metric = get_metric(name)
    assert not metric.identity
    assert metric.similarity(s, s) == pytest.approx(value)


@each_metric
def test_batch_form_is_the_plain_definition_in_every_bit(metric: Metric) -> None:
    sources = ["heart", "aab", "", "left ventricle", "a.b_c d", "Larynx muscle", "straße", "é🫀"]
    targets = ["Heart", "aaab", "ventricle_left", "ab", "capillary", "", "e\u0301🫀", "aaaa"]
    got = string_similarities(sources, targets, metric)
    assert got.dtype == np.float64
    assert np.array_equal(got, plain_matrix(metric.similarity, sources, targets))
    assert string_similarities([], targets, metric).shape == (0, 8)
    assert string_similarities(sources, [], metric).shape == (8, 0)


@pytest.mark.parametrize("name", ["hamming", "levenshtein", "needleman-wunsch", "jaro"])
@examples(100)
@given(s=strings, t=strings)
def test_rapidfuzz_gives_the_same_bits(name: str, s: str, t: str) -> None:
    expected = {
        "hamming": lambda: distance.Hamming.normalized_similarity(s, t),
        "levenshtein": lambda: distance.Levenshtein.normalized_similarity(s, t),
        "needleman-wunsch": lambda: distance.Levenshtein.normalized_similarity(
            s, t, weights=(2, 2, 1)
        ),
        "jaro": lambda: distance.Jaro.similarity(s, t),
    }[name]()
    assert get_metric(name).similarity(s, t) == expected


@examples(150)
@given(s=strings, t=strings)
@example(s="martha", t="marhta")
def test_rapidfuzz_gives_the_same_bits_for_jaro_winkler(s: str, t: str) -> None:
    if s or t:  # RapidFuzz and we agree on 1 here too, by different ways
        expected = distance.JaroWinkler.similarity(s, t)
        assert get_metric("jaro-winkler").similarity(s, t) == expected


@examples(100)
@given(s=strings, t=strings)
def test_longest_block_is_difflibs(s: str, t: str) -> None:
    matcher = difflib.SequenceMatcher(None, s, t, autojunk=False)
    expected = matcher.find_longest_match()
    assert substring.longest_block(s, t) == (
        (expected.a, expected.b, expected.size) if expected.size else (0, 0, 0)
    )
    assert substring.scanned_block(s, t).length <= expected.size


@examples(100)
@given(s=strings.filter(lambda s: len(s) > 2), t=strings.filter(lambda t: len(t) > 2))
def test_ngram_is_textdistances_sorensen(s: str, t: str) -> None:
    sorensen = textdistance.Sorensen(qval=3, as_set=False, external=False)
    assert get_metric("ngram").similarity(s, t) == pytest.approx(sorensen.similarity(s, t))


@examples(60)
@given(s=strings, t=strings)
def test_kondrak_with_single_characters_is_lcs_ratio_and_levenshtein(s: str, t: str) -> None:
    longest = max(len(s), len(t))
    subsequence = distance.LCSseq.similarity(s, t) / longest if longest else 1.0
    assert kondrak.n_sim(s, t, 1) == subsequence
    assert kondrak.n_dist(s, t, 1) == distance.Levenshtein.normalized_similarity(s, t)


def test_smoa_takes_the_longest_block_where_ontosims_scan_misses_it() -> None:
    # 'lla' is shared by 'capillary' and 'corticalcelllayer': c = 3, prefix 'c'.
    comm, u, v = 6 / 26, 6 / 9, 14 / 17
    diff = u * v / (0.6 + 0.4 * (u + v - u * v))
    expected = (comm - diff + 0.1 * (1 - comm) + 1) / 2
    assert get_metric("smoa").similarity("capillary", "cortical_cell_layer") == pytest.approx(
        expected, abs=1e-12
    )
    assert get_metric("ontosim-smoa").similarity(
        "capillary", "cortical_cell_layer"
    ) == pytest.approx(0.05)


def test_ontosim_jaro_winkler_ranks_as_its_jaro() -> None:
    for s, t, _ in GOLDEN["ontosim-jaro"]:
        jaro = get_metric("ontosim-jaro").similarity(s, t)
        winkler = get_metric("ontosim-jaro-winkler").similarity(s, t)
        assert math.isclose(winkler, 0.6 * jaro, abs_tol=1e-15)


def test_characters_are_code_points() -> None:
    # One character beyond the basic plane is one character, not two surrogates.
    assert get_metric("hamming").similarity("a🫀", "b🫀") == 0.5
    assert get_metric("ontosim-hamming").similarity("a🫀", "b🫀") == 0.5
