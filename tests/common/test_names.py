"""Words and names, as messages and figures show them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.names import LONGEST_NAME, short, short_names

WAYS = ("direct_entity", "sequential_hierarchy")


@given(st.text(max_size=80))
def test_short_names_are_one_printable_line(name: str) -> None:
    shown = short(name)
    assert len(shown) <= LONGEST_NAME
    assert shown.isprintable()


def test_shortened_names_differ_where_the_names_do() -> None:
    """Names that agree at both ends were drawn as one."""
    names = [
        f"gemini-2.0-flash{lite}/{way}_with_synonyms" for lite in ("", "-lite") for way in WAYS
    ]
    shown = short_names([*names, "AML"], 20)
    assert list(shown) == [*names, "AML"]
    assert len(set(shown.values())) == len(shown)
    assert max(map(len, shown.values())) < max(map(len, names))
    assert short_names(["a" * 40, "b"], 9) == {"a" * 40: short("a" * 40, 9), "b": "b"}
