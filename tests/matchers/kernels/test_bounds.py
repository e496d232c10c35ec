"""The bound from the order of characters, against plain definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from alignrank.common.compiled import kernel
from alignrank.matchers import get_metric
from alignrank.matchers.kernels.bounds import FEW, ROUNDING, agreeing, sift_by_order
from alignrank.matchers.kernels.jaro import least_jaro
from alignrank.matchers.kernels.search import Thresholded, heads_of
from alignrank.matchers.kernels.signatures import sign
from alignrank.matchers.kernels.strings import encode, slice_targets
from tests.generated import examples

#: Short, of few letters, beyond a word of 64 bits and beyond two, and not of this alphabet.
texts = st.one_of(
    st.text("ab", max_size=4),
    st.text("abcdef ", max_size=30),
    st.text("abcdefgh", min_size=60, max_size=70),
    st.text("abcdefgh", min_size=120, max_size=135),
    st.text("aé\U0001f40d漢", max_size=12),
)
#: Strings, others made of the same characters in another order, and some with parts exchanged.
related = st.one_of(
    st.tuples(texts, texts),
    texts.flatmap(lambda s: st.tuples(st.just(s), st.permutations(s).map("".join))),
    st.builds(lambda a, b, c: (a + b + c, c + b + a), texts, texts, texts),
    st.builds(lambda a, b, c, d: (a + b + c, a + d + c), texts, texts, texts, texts),
)


def kept(sources: list[str], targets: list[str], least: np.ndarray) -> set[tuple[int, int]]:
    """Return the pairs that may reach a similarity; columns count as they were given."""
    pairs = encode(sources, targets)
    signatures = sign(pairs.sources, pairs.targets)
    rows = np.repeat(np.arange(len(sources), dtype=np.int32), len(targets))
    columns = np.tile(np.arange(len(targets), dtype=np.int32), len(sources))
    slices = slice_targets(pairs.targets, pairs.alphabet)
    if slices is None:  # there are empty targets only
        return {(i, j) for i in range(len(sources)) for j in range(len(targets))}
    heads = heads_of(pairs.sources, pairs.alphabet), heads_of(pairs.targets, pairs.alphabet)
    texts = pairs.sources, pairs.targets
    number = sift_by_order(*texts, slices, signatures, heads, rows, columns, 0, least)
    place = np.argsort(pairs.rank)
    return {(int(rows[k]), int(place[columns[k]])) for k in range(number)}


@pytest.mark.parametrize("name", ["jaro", "jaro-winkler"])
@given(pair=related)
@example(pair=("", ""))
@example(pair=("", "a"))
@example(pair=("abcdefgh", "hgfedcba"))
@example(pair=("martha", "marhta"))
@examples(200)
def test_a_pair_is_kept_at_its_own_similarity(name: str, pair: tuple[str, str]) -> None:
    for s, t in (pair, pair[::-1]):
        similarity = get_metric(name).similarity(s, t)
        least = least_jaro(similarity, name == "jaro-winkler") - ROUNDING
        many = FEW + 1  # fewer are kept unseen
        assert len(kept([s], [t] * many, least)) == many
        if similarity > 0:
            edges = Thresholded(name, [s, s], [t] * many, similarity).edges((0, 2), (0, many))
            assert edges is not None
            assert edges[2].tolist() == [similarity] * (2 * many)


def common_subsequence(s: str, t: str, before: int, after: int) -> int:
    """Return the length of the longest, where place i meets i - before, ..., i + after only."""
    line = [0] * (len(t) + 1)
    for i, x in enumerate(s):
        above = line[:]
        for j, y in enumerate(t):
            near = i - before <= j <= i + after
            line[j + 1] = max(above[j + 1], line[j], above[j] + (near and x == y))
    return line[-1]


@given(pair=related)
@examples(150)
def test_what_is_left_out_is_what_the_formula_leaves_out(pair: tuple[str, str]) -> None:
    s, t = pair
    if not s or not t:
        return
    common = sum(min(s.count(x), t.count(x)) for x in set(s))
    share = 1 / len(s) + 1 / len(t)

    def bound(before: int, after: int) -> float:
        ordered = common_subsequence(s, t, before, after)
        of_all = common * share + 0.5 + (ordered + 1) / (2 * common) if common else 1.0
        return max((ordered + 1) * share + 1, of_all) / 3

    def found(least: float) -> bool:
        return bool(kept([s], [t] * (FEW + 1), np.full(5, least)))

    if common and len(set(s + t)) < 9 and len(s + t) < 60:  # signatures are exact
        assert not found(bound(len(s), len(t)) + 1e-6)
        assert found(bound(0, 0) - 1e-6)


def test_jaro_needed_by_the_common_prefix() -> None:
    np.testing.assert_allclose(least_jaro(0.8, False), 0.8)
    np.testing.assert_allclose(least_jaro(0.8, True), [0.8, 7 / 9, 0.75, 5 / 7, 0.7])
    np.testing.assert_allclose(least_jaro(0.6, True), 0.6)


@kernel
def agreeing_characters(head: Any, opposite: Any) -> Any:
    return agreeing(head, opposite)


@given(pair=related)
@examples(50)
def test_first_characters_that_agree(pair: tuple[str, str]) -> None:
    texts = encode([pair[0]], [pair[1]])
    (head,), (other,) = (heads_of(of, texts.alphabet) for of in (texts.sources, texts.targets))
    first, second = (list(s[:4]) + [""] * (4 - len(s)) for s in pair)  # both may have ended
    assert agreeing_characters(head, other) == sum(first[:k] == second[:k] for k in (1, 2, 3, 4))


def test_of_very_many_characters_no_edge_is_lost() -> None:
    characters = [chr(k) for k in range(0x10000, 0x10000 + 70_000)]
    sources = ["".join(characters), *map("{}{}bcdefgh".format, characters[-6:], "zaybxc")]
    targets = [s[:-1] + "i" for s in sources[1:]]
    found = Thresholded("jaro-winkler", sources, targets, 0.95).edges((0, 7), (0, 6))
    assert found is not None
    metric = get_metric("jaro-winkler")
    wanted = sum(metric.similarity(s, t) >= 0.95 for s in sources[1:] for t in targets)
    assert len(found[0]) == wanted >= 6
