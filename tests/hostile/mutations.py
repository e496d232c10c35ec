"""Ways to spoil a file: each takes its bytes, and returns others."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable

from tests.hostile.grammars import ODD_NUMBERS, ODD_WORDS, Draw

#: Marks that mean something in one format or another.
_MARKS = [
    *(b"\0", b"\xff", b"\xfe", b"\xef\xbb\xbf", b"\xc3", b"\xed\xa0\x80", b"\x1a", b"\r", b"\n"),
    *(b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?x?>", b"&a;", b"&", b"<", b">", b"</a>", b"<a>"),
    *(b'"', b"'", b'"""', b"\\", b"\\u", b"\\uD800", b"(", b")", b"[", b"]", b"{", b"}", b"#"),
    *(b"@prefix", b"@base", b"@context", b"a", b".", b";", b",", b"|", b"\t", b":", b"/", b"%"),
    *(b"!", b"*", b"&a", b"? ", b"- ", b"---\n", b"--- !!python/object\n", b"...", b"= ", b"[[x]]"),
    *(b'<!DOCTYPE a SYSTEM "/etc/passwd">', b'<!DOCTYPE a [<!ENTITY a SYSTEM "/dev/zero">]>'),
    *(b"xml:base=''", b'xml:lang="\xc3"', b"rdf:parseType='Literal'", b"1e999", b"-" * 40),
]
_TOKEN = re.compile(rb"\w+|\"[^\"\n]{0,200}\"|<[^<>\n]{0,200}>|[^\w\s]")
_NUMBER = re.compile(rb"\d+(\.\d+)?")
#: What stands within something, and may stand in itself many times.
_NESTS = [
    *((b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"<", b">"), (b"<<", b">>"), (b"[[", b"]]")),
    *((b"<a>", b"</a>"), (b'{"a":', b"}"), (b'{"@list":[', b"]}"), (b"[ :p ", b" ]"), (b"", b"")),
    *((b"( ", b" )"), (b"not (", b")"), (b"(:p some ", b")"), (b"ObjectComplementOf(", b")")),
    *((b"<ObjectComplementOf>", b"</ObjectComplementOf>"), (b"- ", b"")),
    (b"<rdf:Description><rdf:x>", b"</rdf:x></rdf:Description>"),
    (b"<owl:Class><owl:complementOf>", b"</owl:complementOf></owl:Class>"),
]
_ENCODINGS = [
    *("utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252", "gbk", "shift_jis"),
    *("utf-7", "utf-8-sig", "cp037", "big5", "iso2022_jp"),
]
_DECLARED = [
    *("GBK", "Shift_JIS", "UTF-16", "utf-32", "latin1", "windows-1252", "US-ASCII", "EBCDIC"),
    *("x-none", "", "\xff", "idna", "punycode", "hex", "rot13", "undefined", "zip", "utf-7"),
]


def spoiled(draw: Draw, text: str, other: Callable[[], str], largest: int) -> bytes:
    """Return a file's bytes after none, one or some mutations.

    Parameters
    ----------
    draw
        Where chance comes from.
    text
        A file, mostly right.
    other
        Makes another file, of any kind, to take a part of.
    largest
        So many bytes at most.
    """
    data = text.encode("utf-8", errors="surrogatepass")
    for _ in range(draw.choice([0, 0, 1, 1, 1, 2, 2, 4])):
        if draw.rarely(20):
            data = _spliced(draw, data, other().encode("utf-8", errors="surrogatepass"))
        else:
            data = draw.choice(MUTATIONS)(draw, data, largest)
        data = data[:largest]
    return data


def _place(draw: Draw, data: bytes) -> int:
    return draw.randint(0, len(data))


def _times(draw: Draw, piece: int, largest: int) -> int:
    """Return how often to repeat a piece: mostly a few times, rarely up to the largest file."""
    return max(1, int(2 ** draw.uniform(0, max(1.0, (largest // max(piece, 1)).bit_length()))))


def _spliced(draw: Draw, data: bytes, other: bytes) -> bytes:
    return data[: _place(draw, data)] + other[_place(draw, other) :]


def _flip(draw: Draw, data: bytes, largest: int) -> bytes:
    k = _place(draw, data)
    return data[:k] + bytes([draw.randrange(256)]) + data[k + 1 :]


def _insert(draw: Draw, data: bytes, largest: int) -> bytes:
    k = _place(draw, data)
    return data[:k] + draw.choice(_MARKS) + data[k:]


def _cut_out(draw: Draw, data: bytes, largest: int) -> bytes:
    k = _place(draw, data)
    return data[:k] + data[k + draw.choice([1, 2, 5, 20, 100]) :]


def _truncate(draw: Draw, data: bytes, largest: int) -> bytes:
    return data[: _place(draw, data)]


def _lines(draw: Draw, data: bytes, largest: int) -> bytes:
    """Take lines out, or change their places."""
    lines = data.split(b"\n")
    one, two = draw.randrange(len(lines)), draw.randrange(len(lines))
    if draw.rarely(2):
        del lines[one]
    else:
        lines[one], lines[two] = lines[two], lines[one]
    return b"\n".join(lines)


def _replace_token(draw: Draw, data: bytes, largest: int) -> bytes:
    """Put an odd word, or another token of the file, in the place of a token."""
    tokens = [match.span() for match in _TOKEN.finditer(data)]
    if not tokens:
        return data
    (start, end), (first, last) = draw.choice(tokens), draw.choice(tokens)
    odd = draw.choice(ODD_WORDS).encode("utf-8", errors="surrogatepass")
    return data[:start] + draw.choice([odd, data[first:last]]) + data[end:]


def _replace_number(draw: Draw, data: bytes, largest: int) -> bytes:
    numbers = [match.span() for match in _NUMBER.finditer(data)]
    if not numbers:
        return data
    start, end = draw.choice(numbers)
    return data[:start] + draw.choice(ODD_NUMBERS).encode() + data[end:]


def _repeat_lines(draw: Draw, data: bytes, largest: int) -> bytes:
    """Repeat some lines, as they are or with their digits counted on."""
    lines = data.splitlines(keepends=True)
    k = draw.randrange(len(lines) or 1)
    piece = b"".join(lines[k : k + draw.randint(1, 4)])
    return b"".join([*lines[:k], _many(draw, piece, largest), *lines[k:]])


def _repeat_token(draw: Draw, data: bytes, largest: int) -> bytes:
    tokens = [match.span() for match in _TOKEN.finditer(data)]
    if not tokens:
        return data
    start, end = draw.choice(tokens)
    piece = draw.choice([data[start:end], data[start:end] + b" ", draw.choice(_MARKS)])
    return data[:start] + _many(draw, piece, largest) + data[end:]


def _many(draw: Draw, piece: bytes, largest: int) -> bytes:
    times = _times(draw, len(piece), largest)
    if draw.rarely(2) and _NUMBER.search(piece):
        return b"".join(_NUMBER.sub(str(k).encode(), piece) for k in range(times))[:largest]
    return piece * times


def _nest(draw: Draw, data: bytes, largest: int) -> bytes:
    """Put a token into brackets of some kind, many times."""
    tokens = [match.span() for match in _TOKEN.finditer(data)] or [(0, len(data))]
    start, end = draw.choice(tokens)
    before, after = draw.choice(_NESTS)
    times = _times(draw, len(before + after) + 1, largest)
    return data[:start] + before * times + data[start:end] + after * times + data[end:]


def _comments(draw: Draw, data: bytes, largest: int) -> bytes:
    """Put comments of every kind in front."""
    comment = draw.choice(
        [b"<!-- x -->\n", b"# x\n", b"! x\n", b"\n", b" ", b"<!-- x -->", b"#\n#"]
    )
    head, mark, rest = data.partition(b"?>\n") if draw.rarely(2) else (b"", b"", data)
    return head + mark + comment * _times(draw, len(comment), largest) + rest


def _attributes(draw: Draw, data: bytes, largest: int) -> bytes:
    """Give a tag many namespaces or attributes."""
    ends = [match.end() for match in re.finditer(rb"<[\w:]+", data)]
    if not ends:
        return data
    k = draw.choice(ends)
    piece = draw.choice([b' xmlns:n0="http://n/0"', b' a0="x"', b' xmlns="http://n/0"', b" a='"])
    times = _times(draw, len(piece) + 4, largest)
    return data[:k] + b"".join(piece.replace(b"0", b"%d" % n) for n in range(times)) + data[k:]


def _entities(draw: Draw, data: bytes, largest: int) -> bytes:
    """Declare XML entities that stand for each other, and use the last."""
    depth, width = draw.randint(1, 12), draw.randint(1, 12)
    declared = b"".join(
        b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * width if n else b"x" * width)
        for n in range(depth)
    )
    if draw.rarely(4):
        declared = b'<!ENTITY e0 "&e1;"><!ENTITY e1 "&e0;">' + declared
    head, mark, rest = data.partition(b"?>\n")
    head, mark, rest = (head, mark, rest) if mark else (b"", b"", data)
    k = rest.rfind(b">", 0, _place(draw, rest)) + 1
    return b"".join(
        [head, mark, b"<!DOCTYPE x [", declared, b"]>", rest[:k], b"&e%d;" % (depth - 1), rest[k:]]
    )


def _anchors(draw: Draw, data: bytes, largest: int) -> bytes:
    """Put YAML into a header whose anchors stand for each other."""
    width, depth = draw.randint(1, 12), draw.randint(1, 12)
    lines = [b"#a0: &a0 [x]\n"]
    for n in range(1, depth):
        lines.append(b"#a%d: &a%d [%s]\n" % (n, n, b",".join([b"*a%d" % (n - 1)] * width)))
    return b"".join(lines) + data


def _encode(draw: Draw, data: bytes, largest: int) -> bytes:
    text = data.decode("utf-8", errors="replace")
    return text.encode(draw.choice(_ENCODINGS), errors="replace")


def _declare(draw: Draw, data: bytes, largest: int) -> bytes:
    name = draw.choice(_DECLARED).encode("latin-1")
    rest = re.sub(rb"\A<\?xml[^>]{0,80}\?>\s?", b"", data)
    return b'<?xml version="1.0" encoding="%s"?>' % name + rest


def _line_ends(draw: Draw, data: bytes, largest: int) -> bytes:
    return data.replace(
        b"\n", draw.choice([b"\r\n", b"\r", b"\n\n", b"\x0b", b"\xe2\x80\xa8", b" "])
    )


def _other_thing(draw: Draw, data: bytes, largest: int) -> bytes:
    """Return what is no such file at all."""
    page = b"<!DOCTYPE html>\n<html><body>404</body></html>"
    nothing = [
        b"",
        b"\n",
        b"\0" * 64,
        b"{}",
        b"[]",
        b"null",
        b"<",
        b"<a/>",
        b"#",
        b"\xff\xfe",
        page,
    ]
    return draw.choice([*nothing, gzip.compress(data), draw.randbytes(200), data[::-1], data * 2])


#: What happens to a file; often to what is inside its lines.
MUTATIONS = [
    *(_flip, _insert, _cut_out, _truncate, _lines, _replace_token, _replace_number),
    *(_insert, _cut_out, _lines, _replace_token, _repeat_lines, _repeat_token, _nest),
    *(_comments, _attributes, _entities, _anchors, _encode, _declare, _line_ends, _other_thing),
]
