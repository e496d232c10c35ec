"""Tables cut by compiled code beside what pandas reads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.measures.retrieval.large_tables import (
    BLANKS,
    parse_frame,
    parsed_by_pandas,
    plain_frame,
)
from tests.generated import examples

KINDS = {"query": object, "doc": object, "score": float}
HEADER = ("query", "iteration", "doc", "rank", "score", "tag")
TEXTS = st.sampled_from(["q", "01", "1", "é", "http://a#1", "x y", "-", "null", "", '"a"', "a\x01"])
NUMBERS = st.one_of(
    st.floats(width=32).map(repr),
    st.floats(0, 1).map(repr),
    st.sampled_from(["1", "1.0", ".5", "-3e-2", "+4", "", "x", "nan", "1e999", " 1", "0,5", "1_0"]),
)


@given(
    st.lists(st.tuples(TEXTS, TEXTS, NUMBERS), min_size=1, max_size=6),
    st.sampled_from(["\t", ",", BLANKS]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
@examples(200)
def test_equals_pandas(
    rows: list[tuple[str, str, str]], delimiter: str, end: str, is_whole: bool
) -> None:
    """Where the compiled code is not in doubt, texts, numbers and lines are those of pandas."""
    header = None
    if delimiter == BLANKS:
        header = HEADER
        lines = [f"{q} Q0  {d}\t1 {score} run " for q, d, score in rows]
    else:
        lines = [delimiter.join(row) for row in (tuple(KINDS), *rows)]
    data = (end.join(lines) + end * is_whole).encode()
    plain = plain_frame(data, delimiter, KINDS, header)
    if plain is None:
        return
    expected = parsed_by_pandas(data, "run", delimiter, KINDS, header)
    assert plain.index.tolist() == expected.index.tolist()
    for name in KINDS:
        assert plain[name].tolist() == expected[name].tolist()


@pytest.mark.parametrize("delimiter", ["\t", ",", BLANKS])
def test_plain_tables_are_cut_and_others_left_to_pandas(delimiter: str) -> None:
    mark, header = (" ", tuple(KINDS)) if delimiter == BLANKS else (delimiter, None)
    rows = [["q", "dé", "1e-3"], ["q", "d", "0.1"], ["p", "d", "1"]]
    lines = [mark.join(row) for row in ([] if header else [list(KINDS)]) + rows]
    plain = plain_frame("\r\n".join(lines).encode(), delimiter, KINDS, header)
    assert plain is not None
    assert plain["doc"].tolist() == ["dé", "d", "d"]
    assert plain["score"].tolist() == [0.001, 0.1, 1.0]
    for line in ("", f"q{mark}d", mark.join("qd12"), f"q{mark}d{mark}inf", f'"q{mark}d{mark}1'):
        data = "\n".join([*lines, line, lines[-1]]).encode()
        assert plain_frame(data, delimiter, KINDS, header) is None


def test_all_bits_of_a_number_are_read() -> None:
    numbers = np.random.default_rng(0).random(2000)
    data = "score\n" + "\n".join(map(repr, numbers.tolist()))
    table = plain_frame(data.encode(), "\t", {"score": float}, None)
    assert table is not None
    assert table["score"].tolist() == numbers.tolist()


def test_a_line_with_more_cells_is_refused() -> None:
    with pytest.raises(EvaluationError, match="more cells than columns"):
        parse_frame(b"q\td\tscore\nq\td\t1\t2\n", "run", "\t", columns={"q": object})
