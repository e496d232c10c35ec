"""Every kernel against its metric's plain definition, in every bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from alignrank.matchers.by_name import METRICS
from alignrank.matchers.kernels.families import FAMILIES
from alignrank.matchers.metrics import plain_matrix
from alignrank.matchers.similarity.matrix import string_similarities
from tests.generated import examples

PLAIN = METRICS
KERNELS = [name for family in FAMILIES for name in family.names]

characters = st.one_of(
    st.sampled_from("ab"),
    st.sampled_from("aeiou ._-tTrRsS"),
    st.characters(),  # any code point, lone surrogates included
)
words = st.one_of(
    st.text("ab", max_size=12),
    st.text("abc_ ", max_size=12),
    st.text("abcdefghijklmnopqrstuvwxyz _", max_size=30),
    st.text(st.characters(), max_size=8),
    st.sampled_from(["", "aab", "aaab", "banana", "anana", "left ventricle", "ventricle_left"]),
)
lists = st.lists(words, max_size=6)


def assert_same_bits(name: str, sources: list[str], targets: list[str]) -> None:
    found = string_similarities(sources, targets, PLAIN[name], threads=1)
    expected = plain_matrix(PLAIN[name].similarity, sources, targets)
    assert found.dtype == np.float64
    assert found.shape == expected.shape
    different = np.argwhere(found != expected)
    for i, j in different[:1]:
        raise AssertionError(
            f"{name}({sources[i]!r}, {targets[j]!r}) is {found[i, j]!r}, not {expected[i, j]!r}"
        )
    assert not np.isnan(found).any()


def test_the_metrics_that_say_so_have_a_kernel() -> None:
    assert set(KERNELS) == {name for name, metric in PLAIN.items() if metric.kernel}
    assert len(KERNELS) >= 22


def test_metrics_of_one_kernel_are_the_families_that_share_their_work() -> None:
    for family in FAMILIES:
        assert {PLAIN[name].kernel for name in family.names} == {family.names[0]}


@pytest.mark.parametrize("name", KERNELS)
@given(sources=lists, targets=lists)
@example(sources=["aab", "aaab", ""], targets=["aaab", "aab", "", "a", "ab"])
@example(sources=[], targets=["a"])
@example(sources=["a"], targets=[])
@examples(60)
def test_kernel_is_its_plain_definition(name: str, sources: list[str], targets: list[str]) -> None:
    assert_same_bits(name, sources, targets)


#: Longer than 64, 128 and 255 characters, and with more distinct ones than a byte tells apart.
long_words = st.one_of(
    st.text("ab", min_size=60, max_size=140),
    st.text("abcd _", min_size=250, max_size=260),
    st.integers(0x100, 0x3000).map(lambda first: "".join(map(chr, range(first, first + 300)))),
)


@pytest.mark.parametrize("name", KERNELS)
@given(
    sources=st.lists(long_words, min_size=1, max_size=2),
    targets=st.lists(st.one_of(long_words, words), min_size=1, max_size=2),
)
@examples(15)
def test_strings_of_any_length_and_alphabet(
    name: str, sources: list[str], targets: list[str]
) -> None:
    assert_same_bits(name, sources, [*targets, *sources])


@pytest.mark.parametrize("name", ["smoa", "ontosim-smoa", "substring", "ontosim-substring"])
@given(
    sources=st.lists(st.text("ab", min_size=58, max_size=70), min_size=1, max_size=2),
    targets=st.lists(st.text("abc", min_size=0, max_size=70), min_size=1, max_size=4),
)
@examples(40)
def test_blocks_of_strings_longer_than_a_word(
    name: str, sources: list[str], targets: list[str]
) -> None:
    assert_same_bits(name, sources, targets)
    assert_same_bits(name, targets, sources)
