"""Kernels on many and on long strings: several blocks of targets, bounds, fallbacks, threads."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from rapidfuzz.distance import Hamming, Jaro, JaroWinkler, Levenshtein
from rapidfuzz.process import cdist

from alignrank.common.errors import MatcherError
from alignrank.matchers.by_name import get_metric, select_metrics
from alignrank.matchers.kernels import strings as encoding
from alignrank.matchers.kernels.families import FAMILIES
from alignrank.matchers.kernels.strings import encode
from alignrank.matchers.metrics import ngram as kondrak
from alignrank.matchers.similarity.matrix import row_filler, string_similarities

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


#: Metrics that have a kernel.
KERNELS = [name for family in FAMILIES for name in family.names]
SOURCES = [*labels(20, seed=1), "aab", "", "a", "ab"]
TARGETS = [*labels(1100, seed=2), "aaab", "", "a", "ab", *labels(3, seed=3, longest=2000)]


def matrix(
    name: str, sources: list[str], targets: list[str], threads: int | None = 1
) -> NDArray[np.float64]:
    return string_similarities(sources, targets, get_metric(name), threads=threads)


def one_by_one(name: str, sources: list[str], targets: list[str]) -> NDArray[np.float64]:
    """Return the matrix as the kernels for one pair at a time fill it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoding, "LARGEST", 0)
        return matrix(name, sources, targets, threads=1)


def test_without_room_there_are_no_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    assert encoding.slice_targets(encode(["a"], ["a"]).targets, 1) is not None
    monkeypatch.setattr(encoding, "LARGEST", 0)
    assert encoding.slice_targets(encode(["a"], ["a"]).targets, 1) is None


@pytest.mark.parametrize("name", KERNELS)
def test_several_blocks_equal_the_scalar_kernels(name: str) -> None:
    assert len(TARGETS) > 2 * 512
    found = matrix(name, SOURCES, TARGETS, threads=2)
    np.testing.assert_array_equal(found, one_by_one(name, SOURCES, TARGETS))


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
    np.testing.assert_array_equal(matrix(name, SOURCES, TARGETS, None), expected)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("length", [63, 64, 65, 127, 254, 255, 256, 300])
def test_long_strings_equal_the_scalar_kernels(name: str, length: int) -> None:
    rng = random.Random(length)
    long = ["".join(rng.choices("abcdeé中", k=length + extra)) for extra in (-1, 0, 1)]
    sources = [*long, long[0][10:40], long[1][::-1], "b" * length]
    targets = [*long, long[1][:5] + long[0][20:], "b" * (length - 1) + "a", "abc"]
    found = matrix(name, sources, targets, threads=1)
    np.testing.assert_array_equal(found, one_by_one(name, sources, targets))


def test_very_long_strings_go_beyond_the_counts_of_the_slices() -> None:
    # 6 * 20,000 exceeds 16 bits: the scalar kernel takes over.
    targets = ["abc" * 7000, "abd"]
    found = matrix("kondrak-tri-dist", ["cab"], targets, threads=1)
    assert found.tolist() == [[kondrak.n_dist("cab", target, 3) for target in targets]]


@pytest.mark.parametrize("name", ["levenshtein", "ngram", "jaro", "smoa", "kondrak-tri-sim"])
def test_large_alphabets(name: str) -> None:
    rng = random.Random(5)
    han = [chr(code) for code in range(0x4E00, 0x4E00 + 3000)]
    targets = ["".join(rng.choices(han, k=rng.randint(1, 12))) for _ in range(600)]
    sources = [*targets[:6], "\ud800\U0010ffff"]
    found = matrix(name, sources, targets, threads=1)
    np.testing.assert_array_equal(found, one_by_one(name, sources, targets))


@pytest.mark.parametrize("name", KERNELS)
def test_threads_change_nothing(name: str) -> None:
    one = matrix(name, SOURCES, TARGETS)
    many = matrix(name, SOURCES * 30, TARGETS, threads=3)
    np.testing.assert_array_equal(many[-len(SOURCES) :], one)
    np.testing.assert_array_equal(many[: len(SOURCES)], one)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.names[0])
def test_together_is_as_alone_whatever_was_there(family: encoding.Family) -> None:
    shape = len(SOURCES), len(TARGETS)
    names = family.names[::-1]
    together = [np.full(shape, np.nan) for _ in names]
    row_filler(select_metrics(names), SOURCES, TARGETS)(0, len(SOURCES), together)
    for name, found in zip(names, together, strict=True):
        np.testing.assert_array_equal(found, matrix(name, SOURCES, TARGETS))


def test_unknown_kernel_is_named() -> None:
    metric = replace(get_metric("jaro"), name="jarro")
    with pytest.raises(MatcherError, match=r"no kernel computes jarro"):
        string_similarities(["a"], ["b"], metric)
