"""Words: the sparse products beside the definition, one pair of names at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.matchers import get_metric
from alignrank.matchers.evidence.words import (
    CLOSE,
    EXCHANGED,
    exchanged_words,
    words_matrix,
    words_of,
)
from tests.generated import examples

WORDS = ["heart", "hearts", "lung", "lungs", "valve", "of", "the", "a", "*", "artery", "arteries"]
NAMES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
ENTITIES = st.lists(st.lists(NAMES, min_size=1, max_size=3).map(tuple), min_size=1, max_size=4)


def plain(sources: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]) -> list[list[float]]:
    """Return soft TF-IDF by its definition."""
    names = [name for entity in (*sources, *targets) for name in entity]
    exchanged = exchanged_words([*sources, *targets])
    ngram = get_metric("ngram").similarity

    def idf(word: str) -> float:
        return math.log(1 + len(names) / sum(word in words_of(name) for name in names))

    def weights(name: str) -> dict[str, float]:
        length = math.sqrt(sum(idf(word) ** 2 for word in words_of(name)))
        return {word: idf(word) / length for word in words_of(name)}

    def close(one: str, other: str) -> float:
        similar = 1.0 if one == other else ngram(one, other)
        return max(
            similar if similar >= CLOSE else 0.0, EXCHANGED if (one, other) in exchanged else 0.0
        )

    def similarity(one: str, other: str) -> float:
        total = 0.0
        for word, weight in weights(one).items():
            closest, of_other = max((close(word, v), w) for v, w in weights(other).items())
            total += weight * of_other * closest
        return min(total, 1.0)

    return [[max(similarity(s, t) for s in one for t in two) for two in targets] for one in sources]


@examples(100)
@given(ENTITIES, ENTITIES)
def test_products_are_the_definition(
    sources: list[tuple[str, ...]], targets: list[tuple[str, ...]]
) -> None:
    found = words_matrix(sources, targets)
    assert found == pytest.approx(np.array(plain(sources, targets)), abs=1e-12)
    assert found.min() >= 0.0
    assert found.max() <= 1.0


def test_many_names_are_compared_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    entities = [("heart valve", "valve"), ("lung",), ("artery of the lung", "a", "of")]
    whole = words_matrix(entities, entities)
    monkeypatch.setattr("alignrank.matchers.evidence.words._BLOCK", 2)
    assert words_matrix(entities, entities).tolist() == whole.tolist()


def test_the_words_of_a_name() -> None:
    assert words_of("left_hand Left-hand 2nd") == ["left", "hand", "Left", "2nd"]
    assert words_of("Ärzte und Ärzte") == ["Ärzte", "und"]
    assert words_of("--") == ["--"]


def test_synonyms_teach_which_words_stand_for_each_other() -> None:
    assert exchanged_words([["a b", "a c", "d e f"], ["x", "y"]]) == {
        ("b", "c"),
        ("c", "b"),
        ("x", "y"),
        ("y", "x"),
    }
    assert not exchanged_words([["a b", "c d"], ["a", "a b"], ["a"]])
    known = words_matrix([["lung artery", "pulmonary artery"], ["lung vein"]], [["pulmonary vein"]])
    unknown = words_matrix([["lung artery"], ["lung vein"]], [["pulmonary vein"]])
    assert known[1, 0] > unknown[1, 0]
