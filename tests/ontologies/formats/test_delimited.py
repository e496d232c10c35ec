"""Tables are read and written in parts."""

from __future__ import annotations

import csv
import errno
import gzip
import io
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import AlignmentError
from alignrank.ontologies import (
    Alignment,
    Correspondence,
    NegatedCorrespondence,
    read_alignment,
    write_alignment,
)
from alignrank.ontologies.alignment import NO_TERM, Columns
from alignrank.ontologies.formats import delimited
from alignrank.ontologies.formats.cells import Cells
from alignrank.ontologies.formats.delimited import data_lines
from alignrank.ontologies.vocabulary import SKOS

TEXTS = st.text(st.sampled_from('a,\t"\n\r \u2028'), max_size=4)


@given(st.lists(st.tuples(TEXTS, TEXTS)), st.sampled_from(",\t"))
def test_rows_are_quoted_as_csv_quotes_them(rows: list[tuple[str, str]], mark: str) -> None:
    def line(row: tuple[str, str]) -> str:
        out = io.StringIO()
        # with such an end of lines, it quotes a lone carriage return as well
        csv.writer(out, delimiter=mark, lineterminator="\r\n").writerow(row)
        return out.getvalue().removesuffix("\r\n") + "\n"

    assert delimited.delimited(rows, mark) == "".join(map(line, rows))


@given(st.text(st.sampled_from("a#\n\r\u2028"), max_size=12), st.integers(0, 3))
def test_lines_are_those_of_the_whole_text(text: str, part: int) -> None:
    lines = list(io.StringIO(text, newline=""))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "_PART", part)
        rest, first = data_lines(text)
        assert list(rest) == lines[first - 1 :]
        assert delimited.line_count(text) == len(lines)


def test_rows_in_several_parts_make_one_alignment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Alignment(Correspondence(f"http://a#{k}", f"http://b#{k}") for k in range(7))
    write_alignment(whole, tmp_path / "mine.csv")
    monkeypatch.setattr(delimited, "_ROWS_AT_ONCE", 2)
    assert read_alignment(tmp_path / "mine.csv") == whole
    write_alignment(whole, tmp_path / "parts.csv")
    assert (tmp_path / "parts.csv").read_bytes() == (tmp_path / "mine.csv").read_bytes()


def test_of_two_titles_that_differ_in_case_the_first_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("entity1,entity2,Confidence,confidence\nhttp://a#x,http://b#x,0.9,0.1\n")
    assert [c.confidence for c in read_alignment(path)] == [0.9]


@given(st.text(st.sampled_from('a,;|\t"\n\r'), max_size=12), st.sampled_from(["csv", "tsv"]))
def test_titles_and_cells_may_hold_any_sign(title: str, ending: str) -> None:
    extra = ((f"see {title}.", f"as {title}."),)
    mine = Alignment([Correspondence("http://a#x", "http://b#y", extra=extra)])
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"mine.{ending}"
        write_alignment(mine, path)
        assert read_alignment(path) == mine


def test_columns_of_several_lengths_are_refused() -> None:
    columns = Columns.of([Correspondence("http://a#x", "http://b#x")])
    columns.extra.clear()
    with pytest.raises(AlignmentError, match="one length"):
        Alignment(columns=columns)
    with pytest.raises(ValueError, match="longer"):
        Cells("mine.csv").extend(["a"], ["b"], ["="], ["1"], lines=[1, 2])


def test_what_lies_beside_a_table_stays_where_the_table_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.csv"
    mine = Alignment([Correspondence("http://a#x", "http://b#x")], ontology1="http://a")
    write_alignment(mine, path)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        with pytest.raises(OSError, match="No space"):
            write_alignment(Alignment(mine), path)
    assert read_alignment(path).ontology1 == "http://a"


@pytest.mark.parametrize("ontology1", ["", "http://a"])
def test_metadata_of_another_is_not_replaced(tmp_path: Path, ontology1: str) -> None:
    other = tmp_path / "mine.csv-metadata.json"
    other.write_text('{"tableSchema": {}}')
    mine = Alignment([Correspondence("http://a#x", "http://b#x")], ontology1=ontology1)
    with pytest.raises(AlignmentError, match=r"mine.csv-metadata.json does not hold the ontolog"):
        write_alignment(mine, tmp_path / "mine.csv")
    assert [path.read_text() for path in tmp_path.iterdir()] == ['{"tableSchema": {}}']


@pytest.mark.parametrize("ending", ["csv", "sssom.tsv"])
def test_a_line_of_blanks_is_no_row(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"mine.{ending}"
    mine = Alignment([Correspondence("http://a#x", "http://b#x")])
    write_alignment(mine, path)
    path.write_text(f"{path.read_text()}  \n \t\n")
    assert read_alignment(path) == mine


def test_the_metadata_of_a_packed_table_lie_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    no_match = NegatedCorrespondence("http://a#y", NO_TERM, f"{SKOS}exactMatch", "=")
    mine = Alignment([Correspondence("http://a#x", "http://b#x")], negated=[no_match])
    write_alignment(mine, path)
    (tmp_path / "mine.csv.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert read_alignment(tmp_path / "mine.csv.gz").negated == (no_match,)
