"""What may be similar enough: bounds, signatures and candidates, against plain definitions."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from alignrank.matchers import get_metric
from alignrank.matchers.kernels import bounds
from alignrank.matchers.kernels.bounds import BOUNDED, ROUNDING, largest_similarity, needs
from alignrank.matchers.kernels.ngram import trigram_texts
from alignrank.matchers.kernels.search import Thresholded
from alignrank.matchers.kernels.signatures import NEVER, sign
from alignrank.matchers.kernels.strings import encode
from alignrank.matchers.metrics.substring import without_separators
from alignrank.matchers.similarity.matrix import string_similarities
from alignrank.matchers.similarity.tiles import similar_pairs
from tests.generated import examples

#: Tiny, short, of one letter, and longer than a word of 64 bits.
texts = st.one_of(
    st.text("ab", max_size=4),
    st.text("abc", max_size=9),
    st.text("a", max_size=9),
    st.text("abcdef _A", max_size=30),
    st.text("abcdefgh", min_size=60, max_size=80),
    st.text("abcdefgh", min_size=120, max_size=140),
)
#: Two strings of which one comes from the other by a few edits, or not at all.
pairs = st.one_of(
    st.tuples(texts, texts),
    st.builds(lambda a, b, c, d: (a + b + c, a + d + c), texts, texts, texts, texts),
    st.builds(lambda a, b, c: (a + b + c, c + b + a), texts, texts, texts),
)


def in_common(s: str, t: str, size: int) -> int:
    """Return how many characters or trigrams are in both, each as often as in both."""
    first, second = (Counter(x[i : i + size] for i in range(len(x) - size + 1)) for x in (s, t))
    return (first & second).total()


def possible(name: str, s: str, t: str) -> float:
    if name == "smoa":
        s, t = without_separators(s), without_separators(t)
    prefix = sum(s[:k] == t[:k] and len(s) >= k <= len(t) for k in (1, 2, 3, 4))
    common = in_common(s, t, 3 if BOUNDED[name].bound.trigrams else 1)
    values = map(np.array, (len(s), len(t), common, prefix))
    return float(largest_similarity(BOUNDED[name].bound, *values))


@pytest.mark.parametrize("name", BOUNDED)
@given(pair=pairs)
@example(pair=("", ""))
@example(pair=("a", ""))
@example(pair=("ab", "ab"))
@example(pair=("abcd", "abcd"))
@example(pair=("aaaa", "aaaaa"))
@examples(150)
def test_no_similarity_is_above_its_bound(name: str, pair: tuple[str, str]) -> None:
    # by the kernel, which the bound spares: `test_families` compares it with the plain definition
    similarities = string_similarities(pair, pair, get_metric(name), threads=1)
    for (i, s), (j, t) in itertools.product(enumerate(pair), repeat=2):
        assert similarities[i, j] <= possible(name, s, t) + ROUNDING / 10


@pytest.mark.parametrize("name", BOUNDED)
def test_bounds_of_all_tiny_strings(name: str) -> None:
    strings = ["".join(s) for n in range(5) for s in itertools.product("ab", repeat=n)]
    for s, t in itertools.product(strings, repeat=2):
        assert get_metric(name).similarity(s, t) <= possible(name, s, t) + ROUNDING / 10, (s, t)


@pytest.mark.parametrize("name", ["levenshtein", "hamming", "ngram", "jaro", "jaro-winkler"])
def test_a_bound_can_be_reached(name: str) -> None:
    for s, t in [("abcde", "abcde"), ("abcdef", "abcde"), ("abcdexxx", "abcdexxx")]:
        assert get_metric(name).similarity(s, t) == pytest.approx(possible(name, s, t))


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("threshold", [0.05, 0.5, 0.7, 0.8, 1.0])
def test_what_is_needed_is_the_least_that_is_enough(name: str, threshold: float) -> None:
    bound, lengths = BOUNDED[name].bound, np.array([0, 1, 2, 3, 4, 5, 9, 28, 31, 70])
    found = needs(bound, lengths, lengths, threshold)
    assert (np.diff(found, axis=2) <= 0).all()  # a longer prefix never needs more
    for (i, n), (j, m), p in itertools.product(enumerate(lengths), enumerate(lengths), range(5)):
        most = min(n, m) if not bound.trigrams else max(min(n, m) - 2, 0)
        enough = [
            c
            for c in range(most + 1)
            if largest_similarity(bound, n, m, np.array(c), np.array(p)) >= threshold - ROUNDING
        ]
        assert found[i, j, p] == (enough[0] if enough else NEVER)
        assert enough == list(range(most + 1))[most + 1 - len(enough) :]  # it grows with c


many = st.lists(
    st.one_of(texts, st.text(min_size=0, max_size=12), st.text("ab\U0001f40d", max_size=9)),
    min_size=1,
    max_size=20,
)


@given(sources=many, targets=many, trigrams=st.booleans())
@examples(150)
def test_signatures_bound_what_is_in_common(
    sources: list[str], targets: list[str], trigrams: bool
) -> None:
    encoded = encode(sources, targets)
    both = encoded.sources, encoded.targets
    if trigrams:
        both = trigram_texts(*both, encoded.alphabet)
    of_sources, of_targets = sign(*both)
    for i, s in enumerate(sources):
        for j, t in enumerate(targets):
            at = encoded.rank[j]
            bits = of_sources.words[:, i] & of_targets.words[:, at]
            bound = sum(int(word).bit_count() for word in bits)
            bound += min(of_sources.further[i], of_targets.further[at])
            assert bound >= in_common(s, t, 3 if trigrams else 1)


def test_signatures_are_exact_while_there_are_bits() -> None:
    encoded = encode(["heart", "left valve"], ["lung", "tail"])
    of_sources, of_targets = sign(encoded.sources, encoded.targets)
    assert not of_sources.further.any()
    assert not of_targets.further.any()
    for i, s in enumerate(["heart", "left valve"]):
        for j, t in enumerate(["lung", "tail"]):
            bits = of_sources.words[:, i] & of_targets.words[:, encoded.rank[j]]
            assert sum(int(word).bit_count() for word in bits) == in_common(s, t, 1)


@pytest.mark.parametrize("name", BOUNDED)
@given(sources=many, targets=many, threshold=st.sampled_from([0.05, 0.5, 0.7, 0.8, 1.0]))
@examples(30)
def test_a_tile_has_the_edges_of_the_matrix(
    name: str, sources: list[str], targets: list[str], threshold: float
) -> None:
    found = Thresholded(name, sources, targets, threshold)
    matrix = string_similarities(sources, targets, get_metric(name))
    sorted_matrix = matrix[np.ix_(found.source_order, found.target_order)]
    n, m = matrix.shape
    for rows, columns in [((0, n), (0, m)), ((n // 3, n), (0, 1 + m // 2)), ((0, 1), (m - 1, m))]:
        edges = found.edges(rows, columns)
        assert edges is not None
        part = np.zeros_like(matrix)
        part[edges[:2]] = edges[2]
        expected = np.zeros_like(matrix)
        inside = np.s_[rows[0] : rows[1], columns[0] : columns[1]]
        expected[inside] = sorted_matrix[inside]
        np.testing.assert_array_equal(part, np.where(expected >= threshold, expected, 0.0))


def test_too_many_candidates_are_told() -> None:
    strings = ["".join(s) for s in itertools.permutations("abcde")]
    assert Thresholded("levenshtein", strings, strings, 0.2).edges((0, 120), (0, 120)) is None
    assert Thresholded("levenshtein", strings, strings, 0.2).edges((0, 5), (0, 5)) is not None


@pytest.mark.parametrize("alike", [100, 160])
def test_too_many_left_by_the_order_are_told(alike: int) -> None:
    strings = ["a" * 9] * alike + ["b" * 9] * (200 - alike)  # in the second case 68 % are equal
    edges = Thresholded("jaro", strings, strings, 0.8).edges((0, 200), (0, 200))
    assert (edges is None) == (alike == 160)
    found = similar_pairs(strings, strings, get_metric("jaro"), 0.8)
    assert found.nnz == alike**2 + (200 - alike) ** 2


def test_more_characters_than_a_head_holds_are_no_trouble() -> None:
    letters = [chr(code) for code in range(32, 0x11000) if not 0xD800 <= code < 0xE000]
    sources = ["".join(letters[k : k + 50]) for k in range(0, len(letters), 50)] + ["abcd", "abcx"]
    targets = ["abcd", "abc", "abcde", "xbcd"]
    found = Thresholded("jaro-winkler", sources, targets, 0.7)
    edges = found.edges((0, len(sources)), (0, 4))
    assert edges is not None
    matrix = string_similarities(sources, targets, get_metric("jaro-winkler"))
    assert len(edges[0]) == np.count_nonzero(matrix >= 0.7) > 4


def test_every_bound_is_of_a_metric_that_has_a_kernel() -> None:
    assert all(get_metric(name).kernel for name in BOUNDED)
    assert bounds.ROUNDING < 1e-6
