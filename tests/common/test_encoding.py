"""Encodings: declared ones are followed, stray bytes mended and told, the rest refused."""

from __future__ import annotations

import pytest

from alignrank.common.encoding import as_utf8

XML = '<?xml version="1.0" encoding="{}"?><a>中é</a>'


@pytest.mark.parametrize("encoding", ["GBK", "utf-8", "UTF-16", "gb18030"])
def test_a_declared_encoding_is_followed(encoding: str) -> None:
    data, mended = as_utf8(XML.format(encoding).encode(encoding), "a.rdf", ValueError)
    assert data.decode() == XML.format("utf-8" if encoding == "utf-8" else "UTF-8")
    assert mended == ()


def test_stray_bytes_are_windows_1252_and_told() -> None:
    data, mended = as_utf8(b"one,two\nthree,caf" + b"\xe9\x96\n", "a.csv", ValueError)
    assert data.decode() == "one,two\nthree,café–\n"
    assert len(mended) == 1
    assert mended[0].startswith("a.csv, line 2: 2 bytes are not UTF-8")


@pytest.mark.parametrize(
    "data",
    [
        b"one\n\x81two, and enough of it for a share",
        "中文字".encode("gbk"),
        b"a\0\xe9" * 30,
        XML.format("no-such").encode(),
        XML.format("hex").encode(),
        XML.format("idna").encode(),
        XML.format("ascii").encode()[:-6] + b"\x81" + b" " * 40,
    ],
)
def test_what_is_no_text_is_refused_with_its_line(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"a\.rdf, line \d: .*: save the file as UTF-8"):
        as_utf8(data, "a.rdf", ValueError)
