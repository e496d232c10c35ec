"""Words and names, as messages and figures show them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.names import LONGEST_NAME, short


@given(st.text(max_size=80))
def test_short_names_are_one_printable_line(name: str) -> None:
    shown = short(name)
    assert len(shown) <= LONGEST_NAME
    assert shown.isprintable()
