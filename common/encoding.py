"""Bytes of a file as UTF-8, whatever it says or does: leniently, and telling what was mended."""

from __future__ import annotations

import codecs
import os
import re

_DECLARED = re.compile(rb"""(<\?xml[^>]{0,200}?\bencoding\s*=\s*)(["'])([\w.:-]+)\2""")
_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16", codecs.BOM_UTF8: "utf-8"}
#: What no file of text is in, though Python knows it: some take for ever to decode.
_NO_CHARSETS = {"idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined", "utf-7"}
#: A larger part than this of bytes that are not UTF-8 is another encoding altogether.
_STRAY = 0.1


def as_utf8(
    data: bytes, path: str | os.PathLike[str], error: type[ValueError]
) -> tuple[bytes, tuple[str, ...]]:
    r"""Return a file's bytes in UTF-8 without a mark, and cautions on what was mended.

    An XML file's declaration is followed, and then says UTF-8. In a file of UTF-8, bytes that are
    not are read as Windows-1252, which is what most of them are.

    Parameters
    ----------
    data
        The file's bytes.
    path
        The file, for messages.
    error
        What to raise if the encoding is unknown, or the bytes are not in it.

    Examples
    --------
    >>> as_utf8(b"caf\xe9 or latt\xc3\xa9", "a.csv", ValueError)[0].decode()
    'café or latté'
    """
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    declared = _DECLARED.match(data)
    if mark and _MARKS[mark] != "utf-8":
        text = _decoded(data, "utf-16", path, error)
        return _DECLARED.sub(rb"\1\2UTF-8\2", text.encode(), count=1), ()
    data = data[len(mark) :]
    name = declared.group(3).decode() if declared else "utf-8"
    if name.lower().startswith("utf-16"):  # without a mark, who reads the XML says what is wrong
        return data, ()
    try:
        codec = codecs.lookup(name).name
    except LookupError:
        codec = ""
    if not codec or codec in _NO_CHARSETS:
        raise error(f"{path}, line 1: its encoding {name!r} is not known: save the file as UTF-8")
    if codec not in ("utf-8", "ascii"):
        text = _decoded(data, name, path, error)
        return _DECLARED.sub(rb"\1\2UTF-8\2", text.encode(), count=1), ()
    try:
        data.decode()
    except UnicodeDecodeError as reason:
        return _mended(data, reason.start, path, error)
    return data, ()


def _decoded(
    data: bytes, encoding: str, path: str | os.PathLike[str], error: type[ValueError]
) -> str:
    try:
        return data.decode(encoding)
    except LookupError:
        raise error(
            f"{path}, line 1: {encoding!r} is no encoding of text: save the file as UTF-8"
        ) from None
    except UnicodeError as reason:
        start = reason.start if isinstance(reason, UnicodeDecodeError) else 0
        line = data.count(b"\n", 0, start) + 1
        raise error(f"{path}, line {line}: not {encoding} text: save the file as UTF-8") from None


def _mended(
    data: bytes, first: int, path: str | os.PathLike[str], error: type[ValueError]
) -> tuple[bytes, tuple[str, ...]]:
    line = data.count(b"\n", 0, first) + 1
    # what is not UTF-8 comes as lone surrogates, one for each byte
    text = data.decode(errors="surrogateescape")
    stray = len(_SURROGATE.findall(text))
    try:
        if b"\0" in data or stray > _STRAY * len(data):
            raise UnicodeError
        mended = _SURROGATE.sub(_windows_1252, text).encode()
    except UnicodeError:
        raise error(f"{path}, line {line}: not UTF-8 text: save the file as UTF-8") from None
    bytes_are = "1 byte is" if stray == 1 else f"{stray} bytes are"
    return mended, (
        f"{path}, line {line}: {bytes_are} not UTF-8, and read as Windows-1252: save the file as "
        "UTF-8",
    )


_SURROGATE = re.compile("[\udc80-\udcff]")


def _windows_1252(byte: re.Match[str]) -> str:
    return bytes([ord(byte.group()) - 0xDC00]).decode("cp1252")
