"""Tables of ranked candidates as frames."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.measures.retrieval import run_tables
from alignrank.evaluation.measures.retrieval.candidate_files import parse_frame
from alignrank.evaluation.measures.retrieval.run_tables import (
    BLANKS,
    parsed_by_pandas,
    plain_rows,
)
from tests.generated import examples

KINDS = {"query": object, "doc": object, "score": float}


@pytest.mark.parametrize("delimiter", ["\t", ",", BLANKS])
def test_texts_numbers_and_lines_are_those_of_the_file(delimiter: str) -> None:
    mark, header = (" ", tuple(KINDS)) if delimiter == BLANKS else (delimiter, None)
    rows = [["q", "01", "1e-3"], ["q", "1", "0.1"], ["p", "dé", "x"]]
    lines = [mark.join(row) for row in ([] if header else [list(KINDS)]) + rows]
    table = parse_frame("\r\n".join(lines).encode(), "run", delimiter, columns=KINDS, header=header)
    assert table["doc"].tolist() == ["01", "1", "dé"]
    assert table["score"].tolist()[:2] == [0.001, 0.1]
    assert np.isnan(table["score"].iloc[2])
    assert table.index[0] == (1 if header else 2)


_CELLS = st.one_of(
    st.sampled_from(["a", "dé", "01", "1", "", " ", '"x"', "b\tc", "nan", "-.", "1_0", "é" * 99]),
    st.floats().map(repr),
    st.floats(allow_nan=False).map("{:.3f}".format),
)


@examples(200)
@given(
    st.lists(st.tuples(_CELLS, _CELLS, _CELLS), min_size=1),
    st.sampled_from(["\t", ",", BLANKS]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_plain_rows_are_those_of_pandas(rows, delimiter, line_end, is_closed) -> None:
    mark, header = (" ", tuple(KINDS)) if delimiter == BLANKS else (delimiter, None)
    lines = [mark.join(row) for row in ([] if header else [tuple(KINDS)]) + rows]
    data = (line_end.join(lines) + line_end * is_closed).encode()
    plain = plain_rows(data, delimiter, KINDS, header)
    if plain is not None:
        expected = parsed_by_pandas(data, "run", delimiter, KINDS, header)
        for name in KINDS:
            assert plain[name].astype("object").equals(expected[name].astype("object"))


def test_texts_that_share_a_key_are_read_by_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"query\tdoc\tscore\nq\ta\t1\nq\tb\t2\n"
    assert plain_rows(data, "\t", KINDS, None) is not None
    same_codes = np.zeros(2, np.int64), np.zeros(1, np.uint64)
    monkeypatch.setattr(run_tables.pd, "factorize", lambda keys: same_codes)
    assert plain_rows(data, "\t", KINDS, None) is None


def test_all_bits_of_a_number_are_read() -> None:
    numbers = np.random.default_rng(0).random(2000)
    for places in (3, 15, 16, 17, 20):
        texts = [f"{number:.{places}f}" for number in numbers.tolist()]
        rows = "".join(f"q\td\t{text}\n" for text in texts)
        table = plain_rows(f"query\tdoc\tscore\n{rows}".encode(), "\t", KINDS, None)
        assert isinstance(table, pd.DataFrame)
        assert table["score"].tolist() == list(map(float, texts))


def test_a_line_with_more_cells_is_refused() -> None:
    with pytest.raises(EvaluationError, match="more cells than columns"):
        parse_frame(b"q\td\tscore\nq\td\t1\t2\n", "run", "\t", columns={"q": object})
