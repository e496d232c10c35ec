"""Tables of ranked candidates as frames."""

from __future__ import annotations

import numpy as np
import pytest

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.measures.retrieval.candidate_files import parse_frame

BLANKS = r"\s+"
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


def test_all_bits_of_a_number_are_read() -> None:
    numbers = np.random.default_rng(0).random(2000)
    data = "score\n" + "\n".join(map(repr, numbers.tolist()))
    table = parse_frame(data.encode(), "run", "\t", columns={"score": float})
    assert table["score"].tolist() == numbers.tolist()


def test_a_line_with_more_cells_is_refused() -> None:
    with pytest.raises(EvaluationError, match="more cells than columns"):
        parse_frame(b"q\td\tscore\nq\td\t1\t2\n", "run", "\t", columns={"q": object})
