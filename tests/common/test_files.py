"""Files are written whole or not at all, and read or refused."""

from __future__ import annotations

import gzip
import json
import os
import signal
import threading
from pathlib import Path

import pytest

from alignrank.common import files
from alignrank.common.files import (
    read_beginning,
    read_hashed,
    read_input,
    replacing,
    sha256,
    text_of,
    write_text,
)
from alignrank.ontologies import LoadingError


def test_a_pipe_behind_a_link_is_written_to() -> None:
    reader, writer = os.pipe()
    write_text(f"/dev/fd/{writer}", "through")
    os.close(writer)
    with os.fdopen(reader) as end:
        assert end.read() == "through"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="only Unix has devices as files")
def test_what_has_no_end_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LoadingError, match=r"^/dev/zero is a device or a socket: name a file$"):
        read_input("/dev/zero", LoadingError)
    monkeypatch.setattr(files, "_LONGEST_WAIT", 0.1)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(LoadingError, match=r"pipe is empty$"):
        read_input(pipe, LoadingError)
    writer = threading.Thread(target=pipe.write_text, args=("text",))
    writer.start()
    assert read_input(pipe, LoadingError) == b"text"
    writer.join()


def test_an_interrupted_write_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")

    def interrupted() -> None:
        with replacing(path) as part:
            part.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_what_a_killed_run_was_writing_is_removed_and_what_is_in_use_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    child = os.fork()
    if not child:
        with replacing(path) as part:
            part.write_text("half")
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".alignrank-")
    of_the_user = tmp_path / ".alignrank-notes.txt"
    of_the_user.touch()
    with replacing(tmp_path / "b.txt") as part:
        part.touch()
        write_text(path, "whole")
        assert part.exists()
    assert sorted(tmp_path.iterdir()) == [of_the_user, path, tmp_path / "b.txt"]


def test_text_has_unix_line_ends_and_readable_permissions(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.txt"
    write_text(path, "ä\n")
    assert path.read_bytes() == b"\xc3\xa4\n"
    beside = tmp_path / "b.txt"
    beside.touch()
    assert path.stat().st_mode == beside.stat().st_mode


def test_a_file_name_that_is_no_text_can_be_written_about(tmp_path: Path) -> None:
    name = os.fsdecode(b"s\xff.owl")
    write_text(tmp_path / "a.json", json.dumps({"path": name}, ensure_ascii=False))
    assert json.loads((tmp_path / "a.json").read_text()) == {"path": name}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"<!-- saved --><!DOCTYPE html><html>", "web page"),
        (b'<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">', "web page"),
        (b"PK\x03\x04rest", "compressed"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is no text, such as a picture"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
        (gzip.compress(b"a" * 1000, mtime=0)[:-9], "compressed by gzip, and damaged"),
        (gzip.compress(b"\n", mtime=0), "is empty"),
        (gzip.compress(b"\0" * 257 + b"ustar" + b"\0" * 250, mtime=0), r"archive of files \(tar\)"),
        (gzip.compress(gzip.compress(b"a", mtime=0) + b"PK", mtime=0) + b"PK", "compressed"),
    ],
)
def test_what_no_reader_can_use(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "a.owl"
    path.write_bytes(data)
    with pytest.raises(LoadingError, match=message):
        read_input(path, LoadingError)


def test_gzip_is_unpacked_and_the_hash_is_that_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.owl.gz"
    path.write_bytes(gzip.compress(b"text", mtime=0))
    assert read_input(path, LoadingError) == b"text"
    assert read_hashed(path, LoadingError)[1] == sha256(path.read_bytes())
    assert read_beginning(path, 1000) == b"text"


def test_a_file_begins_after_its_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("text", encoding="utf-8-sig")
    assert read_beginning(path, 1000) == b"text"


def test_a_gzip_file_of_nothing_but_repetition_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_ALWAYS_UNPACKED", 1000)
    path = tmp_path / "a.owl.gz"
    path.write_bytes(gzip.compress(b"a" * 1_000_000, mtime=0))
    with pytest.raises(LoadingError, match="unpacks to more than"):
        read_input(path, LoadingError)


def test_text_is_utf8_or_utf16_and_a_wrong_byte_is_located() -> None:
    assert text_of("ä".encode(), "a", LoadingError) == "ä"
    assert text_of("ä".encode("utf-8-sig"), "a", LoadingError) == "ä"
    assert text_of("ä".encode("utf-16"), "a", LoadingError) == "ä"
    with pytest.raises(LoadingError, match="a, line 2: not UTF-8"):
        text_of("b\nä".encode("latin-1"), "a", LoadingError)
    with pytest.raises(LoadingError, match="a, line 1: not UTF-8"):  # UTF-16 without its mark
        text_of("b\nc".encode("utf-16-be"), "a", LoadingError)


@pytest.mark.parametrize("name", ["mine.xlsx", "MINE.XLSX", "mine.ods"])
def test_a_spreadsheet_is_to_be_saved_as_csv(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"PK\x03\x04 and so on")
    with pytest.raises(LoadingError, match=f"{name} is a spreadsheet: save it as CSV"):
        read_input(tmp_path / name, LoadingError)
