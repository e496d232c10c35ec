"""Label presets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import MatcherError
from alignrank.matchers.settings import PRESETS, normalise, split_camel_case


@pytest.mark.parametrize(
    ("label", "lower", "underscore", "words"),
    [
        ("Adrenal_Gland", "adrenal_gland", "adrenal gland", "adrenal gland"),
        ("hasAuthor", "hasauthor", "hasauthor", "has author"),
        ("Meta-Reviewer", "meta-reviewer", "meta-reviewer", "meta reviewer"),
        ("XMLSchemaPart2Type", "xmlschemapart2type", "xmlschemapart2type", "xml schema part2 type"),
        ("  two  spaces ", "  two  spaces ", "  two  spaces ", "2 spaces"),
        ("\ufb01n", "\ufb01n", "\ufb01n", "fin"),
        ("T8_vertebra", "t8_vertebra", "t8 vertebra", "t8 vertebra"),
        ("ÜberÄhnlich", "überähnlich", "überähnlich", "über ähnlich"),
        ("non\u2011breaking", "non\u2011breaking", "non\u2011breaking", "non breaking"),
        ("PhD", "phd", "phd", "ph d"),
        ("", "", "", ""),
    ],
)
def test_presets(label: str, lower: str, underscore: str, words: str) -> None:
    assert normalise(label, "raw") == label
    assert normalise(label, "lower") == lower
    assert normalise(label, "underscore") == underscore
    assert normalise(label, "words") == words


def test_an_unknown_preset_is_named_with_the_known_ones() -> None:
    with pytest.raises(MatcherError, match="'stem' is unknown: use one of raw, lower"):
        normalise("x", "stem")


@given(st.text(max_size=20))
def test_preparing_twice_changes_no_more(label: str) -> None:
    for preset in ("raw", "underscore"):
        once = normalise(label, preset)
        assert normalise(once, preset) == once or preset == "underscore"
    assert normalise(label, "words") == normalise(label, "words").strip()


@given(st.text(alphabet="abAB12 ", max_size=15))
def test_camel_case_only_adds_spaces(text: str) -> None:
    assert split_camel_case(text).replace(" ", "") == text.replace(" ", "")


def test_four_presets() -> None:
    assert list(PRESETS) == ["raw", "lower", "underscore", "words"]


def plainly_split(text: str) -> str:
    """Look at every character."""
    words = ""
    for before, c, after in zip(" " + text, text, text[1:] + " ", strict=False):
        inner = after.islower() and (before.isupper() or before.isdigit())
        words += " " + c if c.isupper() and (before.islower() or inner) else c
    return words


@given(st.text("aBc12 _-.ßÄé²ⒶⓐⅣǅ") | st.text())
def test_camel_case_is_split_as_by_looking_at_every_character(text: str) -> None:
    assert split_camel_case(text) == plainly_split(text)


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("Alzheimer&#39;s disease", "alzheimer's disease"),
        ("<i>Escherichia coli</i> infection", "escherichia coli infection"),
        ("Crohn&amp;apos;s", "crohn's"),
        ("H<sub>2</sub>O", "h2o"),
        ("p < 0.5 & q > 2", "p < 0.5 & q > 2"),
    ],
)
def test_markup_is_no_part_of_a_name(label: str, words: str) -> None:
    assert normalise(label, "words") == words
    assert normalise(label, "raw") == label


@pytest.mark.parametrize("preset", PRESETS)
def test_normal_forms_are_one(preset: str) -> None:
    assert normalise("Mu\u0308nchen", preset) == normalise("M\u00fcnchen", preset)
