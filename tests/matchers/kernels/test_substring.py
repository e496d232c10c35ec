"""Common blocks of long strings, taken out in turn, against the plain definition."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.matchers.by_name import get_metric
from alignrank.matchers.kernels.smoa import _count_again
from alignrank.matchers.kernels.strings import encode
from alignrank.matchers.metrics.substring import _common_characters, longest_block
from alignrank.matchers.similarity.matrix import string_similarities
from tests.generated import examples


def in_blocks(s: str, t: str) -> int:
    pairs = encode([s], [t])
    common = np.zeros((1, 1), np.uint16)
    _count_again(pairs.sources, pairs.targets, np.zeros((2, 1), np.uint32), False, common)
    return int(common[0, 0])


@st.composite
def alike(draw: st.DrawFn) -> tuple[str, str]:
    """Return two strings of few letters, the second with parts of the first in another order."""
    letters = draw(st.sampled_from(["a", "ab", "abc", "abcdef"]))
    s = draw(st.text(letters, max_size=40))
    parts = [s[draw(st.integers(0, len(s))) :][: draw(st.integers(0, 20))] for _ in range(3)]
    return s, draw(st.text(letters, max_size=15)).join(parts)


@examples(600)
@given(alike())
def test_characters_in_blocks_are_those_of_the_definition(pair: tuple[str, str]) -> None:
    assert in_blocks(*pair) == _common_characters(*pair, longest_block)


@pytest.mark.parametrize("letters", ["ab", "abcdefghij"])
def test_blocks_of_long_strings(letters: str) -> None:
    rng = random.Random(7)
    for size in (70, 300):
        s = "".join(rng.choices(letters, k=size))
        t = s[size // 2 :] + "".join(rng.choices(letters, k=size // 3)) + s[: size // 3]
        assert in_blocks(s, t) == _common_characters(s, t, longest_block)
        expected = get_metric("smoa").similarity(s, t)
        assert string_similarities([s], [t], get_metric("smoa"))[0, 0] == expected


def test_labels_of_ten_thousand_characters_take_no_minutes() -> None:
    rng = random.Random(1)
    s, t = ("".join(rng.choices("etaoinshrdlucmfw", k=10_000)) for _ in range(2))
    assert 0.5 < string_similarities([s], [t], get_metric("smoa"))[0, 0] < 1.0
