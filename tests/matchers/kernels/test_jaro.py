"""Searches for pairs that Jaro and Jaro-Winkler find similar, against the plain definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from alignrank.matchers import get_metric
from alignrank.matchers.kernels.jaro import least_jaro
from alignrank.matchers.kernels.search import Thresholded
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


@pytest.mark.parametrize("name", ["jaro", "jaro-winkler"])
@given(pair=related)
@example(pair=("", ""))
@example(pair=("", "a"))
@example(pair=("abcdefgh", "hgfedcba"))
@example(pair=("martha", "marhta"))
@examples(200)
def test_a_pair_is_found_at_its_own_similarity(name: str, pair: tuple[str, str]) -> None:
    for s, t in (pair, pair[::-1]):
        similarity = get_metric(name).similarity(s, t)
        if similarity > 0:
            edges = Thresholded(name, [s, s], [t, t], similarity).edges((0, 2), (0, 2))
            assert edges is not None
            assert edges[2].tolist() == [similarity] * 4


def test_jaro_needed_by_the_common_prefix() -> None:
    np.testing.assert_allclose(least_jaro(0.8, False), 0.8)
    np.testing.assert_allclose(least_jaro(0.8, True), [0.8, 7 / 9, 0.75, 5 / 7, 0.7])
    np.testing.assert_allclose(least_jaro(0.6, True), 0.6)


def test_of_very_many_characters_no_edge_is_lost() -> None:
    characters = [chr(k) for k in range(0x10000, 0x10000 + 70_000)]
    sources = ["".join(characters), *map("{}{}bcdefgh".format, characters[-6:], "zaybxc")]
    targets = [s[:-1] + "i" for s in sources[1:]]
    found = Thresholded("jaro-winkler", sources, targets, 0.95).edges((0, 7), (0, 6))
    assert found is not None
    metric = get_metric("jaro-winkler")
    wanted = sum(metric.similarity(s, t) >= 0.95 for s in sources[1:] for t in targets)
    assert len(found[0]) == wanted >= 6
