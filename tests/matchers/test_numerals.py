"""Numbers in names: one form for all spellings, and letters and units stay what they are."""

from __future__ import annotations

import pytest

from alignrank.matchers.settings import with_digits


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("somite 05", "somite 5"),
        ("cranial nerve x", "cranial nerve 10"),
        ("twentieth rib", "20 rib"),
        ("101st section", "101 section"),
        ("type iva", "type iva"),
        ("x chromosome", "x chromosome"),
        ("chromosome x", "chromosome x"),
        ("induced x ray", "induced x ray"),
        ("vitamin d", "vitamin d"),
        ("i band", "i band"),
        ("e v", "e v"),
        ("version 2.01", "version 2.01"),
        ("metre per second squared", "metre per second squared"),
        ("000", "0"),
    ],
)
def test_numbers_are_digits(name: str, plain: str) -> None:
    assert with_digits(name) == plain
    assert with_digits(plain) == plain
