"""Joined tables, read as alignments of rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from alignrank.common.errors import AlignmentError
from alignrank.ontologies import read_alignment
from alignrank.ontologies.formats.delimited import is_joined_file, joined_tables

TABLE = """left_row,right_row,left,right,similarity,left.id,right.city
1,2,left heart,Left heart,0.9,A7,"Rome, Italy"
1,3,left heart,heart,0.6,A7,
"""


def test_rows_are_entities_with_all_columns_of_their_side(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text(TABLE, "utf-8")
    assert is_joined_file(path)
    alignment = read_alignment(path)
    assert [(c.pair, c.confidence) for c in alignment] == [
        (("file:///left/1", "file:///right/2"), 0.9),
        (("file:///left/1", "file:///right/3"), 0.6),
    ]
    left, right = joined_tables([alignment])
    assert [entity.names() for entity in right] == [["Left heart"], ["heart"]]
    assert left.definitions == {"file:///left/1": ("id: A7",)}
    assert right.definitions["file:///right/2"] == ("city: Rome, Italy",)


def test_a_row_that_breaks_off_is_named(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text(TABLE + "2,3,lung\n", "utf-8")
    with pytest.raises(AlignmentError, match=r"edges\.csv, line 4: the row has more or fewer"):
        read_alignment(path)
