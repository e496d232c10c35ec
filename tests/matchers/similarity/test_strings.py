from __future__ import annotations

from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchers.similarity.strings import Strings
from tests.generated import examples

ANY = st.text(st.characters(), max_size=6)  # surrogates as well


@given(st.lists(ANY, max_size=20))
@examples(100)
def test_strings_come_back_as_they_went_in(names: list[str]) -> None:
    packed = Strings(iter(names))
    assert len(packed) == len(names)
    assert list(packed) == names == [packed[k] for k in range(len(names))]


def test_many_strings_are_packed_together() -> None:
    names = [*map(str, range(9000)), "cœur", "", *repeat("Herz", 5000)]
    packed = Strings(names)
    assert list(packed) == names
    assert (packed[9000], packed[-1]) == ("cœur", "Herz")
    with pytest.raises(IndexError):
        packed[len(names)]
