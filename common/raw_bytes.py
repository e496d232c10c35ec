"""Bytes of a file before they are parsed: brought to UTF-8, and a DOCTYPE that is bounded."""

from __future__ import annotations

import codecs
import html
import re
from collections import Counter
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from xml.parsers import expat

from .files import FilePath

_DECLARED = re.compile(rb"""\A(<\?xml[^>]{0,200}?\bencoding\s*=\s*)(["'])([\w.:-]+)\2""")
#: First two bytes of a file in UTF-16: a byte order mark, or without one the ``<`` of XML.
_UTF_16 = {
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    b"<\0": "utf-16-le",
    b"\0<": "utf-16-be",
}
#: Codecs of Python in which no text file is written; some need very long to decode.
_NO_CHARSETS = {"idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined", "utf-7"}
#: With a larger share of bytes that are not UTF-8 the file is in another encoding.
_STRAY = 0.1


def as_utf8(data: bytes, path: FilePath, error: type[ValueError]) -> tuple[bytes, tuple[str, ...]]:
    r"""Return a file's bytes in UTF-8 without a byte order mark, and cautions on mended bytes.

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
    utf_16 = _UTF_16.get(data[:2])
    if utf_16:
        text = _decoded(data, utf_16, path, error)
        return _DECLARED.sub(rb"\1\2UTF-8\2", text.encode(), count=1), ()
    if data.startswith(codecs.BOM_UTF8):  # it is right where the declaration contradicts it
        data = _DECLARED.sub(rb"\1\2UTF-8\2", data.removeprefix(codecs.BOM_UTF8))
    declared = _DECLARED.match(data)
    name = declared.group(3).decode() if declared else "utf-8"
    # The file declares UTF-16 and is not in it: the XML parser names the error.
    if name.lower().startswith("utf-16"):
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


def _decoded(data: bytes, encoding: str, path: FilePath, error: type[ValueError]) -> str:
    """Decode bytes; name the line of the first that fails.

    Python also knows codecs that decode no text, such as hex.
    """
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
    data: bytes, first: int, path: FilePath, error: type[ValueError]
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


#: Entities may add 10 MB and ten times the file's size; usual namespace entities add about five
#: times.
_MOST_BYTES = 10_000_000
_MOST_TIMES = 10
#: Entities one within another, far beyond what anybody writes: parsers call themselves for each.
_DEEPEST = 100
#: More than all the characters that HTML and MathML have names for.
_MOST_ENTITIES = 10_000

_NAME = rb"[^\s&%;<>\"'\[\]]+"
#: After ``<!ENTITY``, wherever that stands: some parsers read it in comments, too.
_DEFINITION = re.compile(rb"\s*%?\s*(" + _NAME + rb")\s*([\"'])((?:(?!\2).)*)(\2?)", re.S)
_REFERENCE = re.compile(rb"&(?!#)(" + _NAME + rb");")
_CHARACTER = re.compile(rb"&#x?[0-9a-fA-F]+;")
#: No default value holds a ``<``.
_ATTRIBUTES = re.compile(rb"<!ATTLIST\s+(" + _NAME + rb")([^<]*)")
_PREDEFINED = {b"amp", b"lt", b"gt", b"quot", b"apos"}


def check_doctype(data: bytes, path: FilePath, error: type[ValueError]) -> None:
    """Refuse an XML file whose entities are too much to expand, or stand for other files.

    Whether an entity is used does not matter: some parsers expand each when it is defined.

    Parameters
    ----------
    data
        The file's bytes, in UTF-8 or UTF-16 (also without a byte order mark).
    path
        The file, for messages.
    error
        What to raise.

    Examples
    --------
    >>> check_doctype(b'<!DOCTYPE r [<!ENTITY a "http://a.org/">]><r>&a;</r>', "a.owl", ValueError)
    >>> check_doctype(b'<!DOCTYPE r [<!ENTITY a "&a;">]><r/>', "a.owl", ValueError)
    Traceback (most recent call last):
    ...
    ValueError: a.owl, line 1: the entity &a; stands for itself: write its text
    """
    # XML begins with ``<`` or a blank: in UTF-16 without a mark the first or second byte is zero
    if data.startswith(b"\0"):
        data = data.decode("utf-16-be", "replace").encode()
    elif data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or data[1:2] == b"\0":
        data = data.decode("utf-16", "replace").encode()
    start = data.find(b"<!DOCTYPE")
    if start < 0:
        return
    where = f"{path}, line {_line(data, start)}"
    sizes = _sizes_by_entity(data, where, error)
    references = Counter(_REFERENCE.findall(data))
    total = sum(sizes.values()) + _expanded_size(references, sizes)
    for element, text in _ATTRIBUTES.findall(data):
        default = len(text) + _expanded_size(Counter(_REFERENCE.findall(text)), sizes)
        total += default * data.count(b"<" + element)
    limit = _MOST_BYTES + _MOST_TIMES * len(data)
    if total > limit:
        raise error(
            f"{where}: the entities and defaults of its DOCTYPE stand for more than "
            f"{limit // 1_000_000} MB: write their text where it is used"
        )
    declared, is_complete = _declared(data)
    for name in references:
        file = declared.get(name)
        if file is not None:
            reason = f"stands for the file {file!r}"
        # Where all entities are known, the XML parser itself refuses an undefined one.
        elif is_complete or name in declared or name in _PREDEFINED:
            continue
        else:
            reason = "is not defined in this file"
        line = _line(data, data.index(b"&" + name + b";"))
        raise error(
            f"{path}, line {line}: the entity {_shown(name)} {reason}, and no "
            "other file is read: put its text in its place"
        )


def _sizes_by_entity(data: bytes, where: str, error: type[ValueError]) -> dict[bytes, int]:
    """Return how many bytes each entity stands for."""
    lengths: Counter[bytes] = Counter()
    members: dict[bytes, Counter[bytes]] = {}
    if data.count(b"<!ENTITY") > _MOST_ENTITIES:
        raise error(f"{where}: more than {_MOST_ENTITIES:,} entities: leave out what is not used")
    for text in islice(data.split(b"<!ENTITY"), 1, None):
        definition = _DEFINITION.match(text)
        if definition is None:
            continue
        name, _, value, closed = definition.groups()
        if not closed:
            raise error(f"{where}: the text of the entity {_shown(name)} is not closed by a quote")
        # an entity that is defined twice counts twice: parsers differ in which one they take
        lengths[name] += len(value)
        within = _REFERENCE.findall(_CHARACTER.sub(_character, value))
        members.setdefault(name, Counter()).update(within)
    inner = {
        name: [member for member in of_name if member in members]
        for name, of_name in members.items()
    }
    sizes: dict[bytes, int] = {}
    depths: dict[bytes, int] = {}
    try:
        for name in TopologicalSorter(inner).static_order():
            sizes[name] = lengths[name] + _expanded_size(members[name], sizes)
            depths[name] = 1 + max((depths[member] for member in inner[name]), default=0)
    except CycleError as reason:
        name = reason.args[1][0]
        raise error(
            f"{where}: the entity {_shown(name)} stands for itself: write its text"
        ) from None
    if max(depths.values(), default=0) >= _DEEPEST:
        raise error(f"{where}: {_DEEPEST} entities one within another: write their text")
    return sizes


def _expanded_size(references: Counter[bytes], sizes: dict[bytes, int]) -> int:
    return sum(times * sizes.get(name, 0) for name, times in references.items())


def _character(reference: re.Match[bytes]) -> bytes:
    return html.unescape(reference.group().decode()).encode(errors="replace")


def _declared(data: bytes) -> tuple[dict[bytes, str | None], bool]:
    """Return the entities that are known after a DOCTYPE, and whether these are all.

    An entity that stands for another file has that file as its value. A DOCTYPE may name a file
    with more entities, or hold a reference after which parsers read no more of it: what they do
    not know then, they leave out in silence.
    """
    declared: dict[bytes, str | None] = {}
    is_complete = True

    def note_entity(
        name: str, is_parameter: bool, value: str | None, _: object, file: str, *__: object
    ) -> None:
        if not is_parameter:
            declared.setdefault(name.encode(), file if value is None else None)

    # expat calls this where the DOCTYPE names another file, or refers to a parameter entity
    def note_incomplete() -> int:
        nonlocal is_complete
        is_complete = False
        return 1

    def stop_at_root(*_: object) -> None:
        raise StopIteration

    parser = expat.ParserCreate()
    parser.EntityDeclHandler = note_entity
    parser.NotStandaloneHandler = note_incomplete
    parser.StartElementHandler = stop_at_root
    # what else is wrong the reader of the file says
    with suppress(StopIteration, expat.ExpatError, ValueError, LookupError):
        parser.Parse(data, True)
    return declared, is_complete


def _shown(name: bytes) -> str:
    return f"&{name.decode(errors='replace')};"


def _line(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1
