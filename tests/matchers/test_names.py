"""The words of names; WordNet's database files: which words share a meaning."""

from __future__ import annotations

from pathlib import Path

import pytest

from alignrank.common.errors import MatcherError
from alignrank.matchers import Settings, match, prepare
from alignrank.matchers.names import PARTS_OF_SPEECH, read_wordnet, words_of
from alignrank.ontologies import Entity, Kind, Label, Ontology

LICENCE = "  1 This software and database is being provided to you, the LICENSEE\n"
CAR = "02958343 06 n 03 car 0 automobile 0 motor_car 0 001 @ 03791235 n 0000 | a motor vehicle\n"


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    """Return a folder of database files with one set of synonyms."""
    for part in PARTS_OF_SPEECH:
        text = LICENCE + (CAR if part == "noun" else "")
        (tmp_path / f"data.{part}").write_text(text, "ascii")
    return tmp_path


def test_words_of_a_set_are_synonyms_and_phrases_are_none(wordnet: Path) -> None:
    words = frozenset({"car", "automobile"})
    assert read_wordnet(str(wordnet)) == {"car": words, "automobile": words}


def test_synonyms_of_wordnet_make_a_pair_more_probable(wordnet: Path) -> None:
    source, target = (
        Ontology("", {name: Entity(name, Kind.CLASS, (Label(name),))})
        for name in ("owner of an automobile", "car owner")
    )

    def confidence(folder: str | None) -> float:
        candidates = prepare(source, target, Settings(wordnet=folder))
        (found,) = match(candidates, "combined").alignment
        return found.confidence

    assert confidence(str(wordnet)) > 2.0 * confidence(None) > 0.0


def test_what_is_no_wordnet_is_told(wordnet: Path) -> None:
    (wordnet / "data.verb").write_text(f"{LICENCE}nothing of use\n", "ascii")
    with pytest.raises(MatcherError, match=r"data.verb, line 2 holds no set of synonyms"):
        read_wordnet(str(wordnet))
    (wordnet / "data.verb").unlink()
    with pytest.raises(MatcherError, match=r"data.verb is missing: name the folder of WordNet's"):
        read_wordnet(str(wordnet))


@pytest.mark.parametrize(
    ("name", "other"),
    [("パパ", "ババ"), ("ガス", "カス"), ("काल", "कील"), ("ตา", "ตี"), ("කල", "කිල"), ("ކަން", "ކިން")],
)
def test_signs_that_make_another_letter_are_no_accents(name: str, other: str) -> None:
    assert words_of(name) != words_of(other)
    assert len(words_of(name)) == len(words_of(other)) == 1


def test_accents_points_and_variations_of_signs_are_left_out() -> None:
    assert words_of("E\u0301te\u0301 \u2764\ufe0f 1\ufe0f\u20e3") == ("ete", "1")
    assert words_of("קָמָץ") == words_of("קמץ")
