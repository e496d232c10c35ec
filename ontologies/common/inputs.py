"""Files given by the user: read whole, or refused with a sentence."""

from __future__ import annotations

import os
import re
from pathlib import Path

_HTML = re.compile(
    rb"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<(!doctype\s+html|html)[\s>]", re.I | re.S
)
_BOM = b"\xef\xbb\xbf"


def read_input(path: str | os.PathLike[str], error: type[ValueError]) -> bytes:
    """Return the bytes of a file that should hold an ontology, an alignment or a table.

    Parameters
    ----------
    path
        The file.
    error
        What to raise if it is missing, a folder, empty, compressed, or a saved web page.
    """
    path = Path(path)
    if path.is_dir():
        raise error(f"{path} is a folder: name a file in it")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise error(f"{path} does not exist: check the path") from None
    except OSError as reason:
        raise error(f"{path} cannot be read: {reason.strerror}") from None
    if not data.strip():
        raise error(f"{path} is empty")
    if data.startswith((b"\x1f\x8b", b"PK\x03\x04", b"BZh", b"\xfd7zXZ")):
        raise error(f"{path} is a compressed file: unpack it first")
    if _HTML.match(data.removeprefix(_BOM)[:4096]):
        raise error(
            f"{path} is a web page (HTML): download the raw file, not the page that shows it"
        )
    return data


def read_text(path: str | os.PathLike[str], error: type[ValueError]) -> str:
    """Return the text of a file; what is wrong with it is raised as `error`."""
    return text_of(read_input(path, error), path, error)


def text_of(data: bytes, path: str | os.PathLike[str], error: type[ValueError]) -> str:
    """Return `data` as text: UTF-8, or UTF-16 where a byte-order mask says so."""
    utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if utf16 else "utf-8-sig")
        wrong = -1 if utf16 else data.find(b"\0")
    except UnicodeDecodeError as reason:
        text, wrong = "", reason.start
    if wrong >= 0:
        line = data.count(b"\n", 0, wrong) + 1
        raise error(f"{path}, line {line}: not UTF-8 text: save the file as UTF-8")
    return text
