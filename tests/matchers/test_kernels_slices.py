"""Kernels on many and on long strings: several blocks of targets, bounds, fallbacks, threads."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from rapidfuzz.distance import Hamming, Jaro, JaroWinkler, Levenshtein
from rapidfuzz.process import cdist

from matchers import kernels
from matchers.errors import MatcherError
from matchers.kernels.strings import slices
from matchers.kernels.strings.encoding import encode
from matchers.metrics import kondrak

RAPIDFUZZ: dict[str, tuple[Any, dict[str, Any]]] = {
    "levenshtein": (Levenshtein, {}),
    "needleman-wunsch": (Levenshtein, {"weights": (2, 2, 1)}),
    "hamming": (Hamming, {"pad": True}),
    "jaro": (Jaro, {}),
    "jaro-winkler": (JaroWinkler, {}),
}


def labels(number: int, seed: int, alphabet: str = "aeinrst _", longest: int = 45) -> list[str]:
    """Return strings of many lengths that share blocks, some of them equal."""
    rng = random.Random(seed)
    stems = ["".join(rng.choices(alphabet, k=rng.randint(1, 6))) for _ in range(12)]
    made = []
    for _ in range(number):
        text = "".join(rng.choice(stems) for _ in range(rng.randint(0, 9)))
        cut = rng.randint(0, longest)
        made.append(text[:cut] if rng.random() < 0.9 else text + rng.choice(alphabet) * 3)
    return made


SOURCES = [*labels(20, seed=1), "aab", "", "a", "ab"]
TARGETS = [*labels(1100, seed=2), "aaab", "", "a", "ab", *labels(3, seed=3, longest=2000)]


def scalar(name: str, sources: list[str], targets: list[str]) -> NDArray[np.float64]:
    """Return the matrix as the scalar kernels fill it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slices, "LARGEST", 0)
        return kernels.matrix(name, sources, targets, threads=1)


def test_without_room_there_are_no_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    assert slices.slice_targets(encode(["a"], ["a"])) is not None
    monkeypatch.setattr(slices, "LARGEST", 0)
    assert slices.slice_targets(encode(["a"], ["a"])) is None


@pytest.mark.parametrize("name", kernels.KERNELS)
def test_several_blocks_equal_the_scalar_kernels(name: str) -> None:
    assert len(TARGETS) > 2 * 512
    found = kernels.matrix(name, SOURCES, TARGETS, threads=2)
    np.testing.assert_array_equal(found, scalar(name, SOURCES, TARGETS))


@pytest.mark.parametrize("name", RAPIDFUZZ)
def test_several_blocks_equal_rapidfuzz(name: str) -> None:
    scorer, options = RAPIDFUZZ[name]
    expected = cdist(
        SOURCES,
        TARGETS,
        scorer=scorer.normalized_similarity,
        scorer_kwargs=options,
        dtype=np.float64,
    )
    np.testing.assert_array_equal(kernels.matrix(name, SOURCES, TARGETS), expected)


@pytest.mark.parametrize("name", kernels.KERNELS)
@pytest.mark.parametrize("length", [63, 64, 65, 127, 254, 255, 256, 300])
def test_long_strings_equal_the_scalar_kernels(name: str, length: int) -> None:
    rng = random.Random(length)
    long = ["".join(rng.choices("abcdeé中", k=length + extra)) for extra in (-1, 0, 1)]
    sources = [*long, long[0][10:40], long[1][::-1], "b" * length]
    targets = [*long, long[1][:5] + long[0][20:], "b" * (length - 1) + "a", "abc"]
    found = kernels.matrix(name, sources, targets, threads=1)
    np.testing.assert_array_equal(found, scalar(name, sources, targets))


def test_very_long_strings_go_beyond_the_counts_of_the_slices() -> None:
    # 6 * 20,000 exceeds 16 bits: the scalar kernel takes over.
    targets = ["abc" * 7000, "abd"]
    found = kernels.matrix("kondrak-tri-dist", ["cab"], targets, threads=1)
    assert found.tolist() == [[kondrak.tri_dist("cab", target) for target in targets]]


@pytest.mark.parametrize("name", ["levenshtein", "ngram", "jaro", "smoa", "kondrak-tri-sim"])
def test_large_alphabets(name: str) -> None:
    rng = random.Random(5)
    han = [chr(code) for code in range(0x4E00, 0x4E00 + 3000)]
    targets = ["".join(rng.choices(han, k=rng.randint(1, 12))) for _ in range(600)]
    sources = [*targets[:6], "\ud800\U0010ffff"]
    found = kernels.matrix(name, sources, targets, threads=1)
    np.testing.assert_array_equal(found, scalar(name, sources, targets))


def test_threads_change_nothing() -> None:
    one = kernels.matrices(kernels.KERNELS, SOURCES, TARGETS, threads=1)
    many = kernels.matrices(kernels.KERNELS, SOURCES * 30, TARGETS, threads=3)
    for name, matrix in one.items():
        np.testing.assert_array_equal(many[name][-len(SOURCES) :], matrix)
        np.testing.assert_array_equal(many[name][: len(SOURCES)], matrix)


def test_together_is_as_alone() -> None:
    together = kernels.matrices(["jaro-winkler", "ontosim-hamming", "jaro"], SOURCES, TARGETS)
    assert list(together) == ["jaro-winkler", "ontosim-hamming", "jaro"]
    for name, matrix in together.items():
        np.testing.assert_array_equal(matrix, kernels.matrix(name, SOURCES, TARGETS))


@pytest.mark.parametrize("name", kernels.KERNELS)
def test_float32_is_float64_rounded_once(name: str) -> None:
    exact = kernels.matrix(name, SOURCES, TARGETS)
    rounded = kernels.matrix(name, SOURCES, TARGETS, dtype="float32")
    assert rounded.dtype == np.float32
    np.testing.assert_array_equal(rounded, exact.astype(np.float32))


@pytest.mark.parametrize("name", kernels.KERNELS)
def test_out_is_filled_whatever_it_held(name: str) -> None:
    out = np.full((len(SOURCES), len(TARGETS)), np.nan)
    assert kernels.matrix(name, SOURCES, TARGETS, out=out) is out
    np.testing.assert_array_equal(out, kernels.matrix(name, SOURCES, TARGETS))


def test_unknown_kernel_is_named() -> None:
    with pytest.raises(MatcherError, match=r"no kernel for the metric 'levenstein'.*levenshtein"):
        kernels.matrix("levenstein", ["a"], ["b"])


def test_wrong_out_is_refused() -> None:
    with pytest.raises(MatcherError, match=r"shape \(1, 2\).*must have shape \(1, 1\)"):
        kernels.matrix("jaro", ["a"], ["b"], out=np.empty((1, 2)))
    with pytest.raises(MatcherError, match="type int64"):
        kernels.matrix("jaro", ["a"], ["b"], out=np.empty((1, 1), np.int64))
    with pytest.raises(MatcherError, match="int8"):
        kernels.matrix("jaro", ["a"], ["b"], dtype="int8")
