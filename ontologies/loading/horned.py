"""The syntaxes of OWL and OBO, which horned-owl makes RDF/XML of: within limits, part by part."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import accumulate
from typing import Literal

from ontologies.errors import LoadingError

#: What reading an expression may take: megabytes, and seconds for a file and for each of its own.
_MEMORY = 1000
_SECONDS = 10
#: Expressions one within another, far beyond what anybody writes.
_DEEPEST = 1000
# horned-owl calls itself for each expression within another, and dies where they are too many: so
# it does that in a process of its own.
_READER = f"""
import sys
try:
    import resource
    size = {_MEMORY} << 20
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    seconds = int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
except (ImportError, ValueError, OSError):
    pass
import pyhornedowl
text = sys.stdin.buffer.read().decode()
try:
    parsed = pyhornedowl.open_ontology_from_string(text, serialization=sys.argv[1])
    del text
    sys.stdout.buffer.write(parsed.save_to_string("rdf").encode())
except ValueError as reason:
    sys.stderr.buffer.write(str(reason).encode())
    sys.exit(3)
"""


def of_expressions(
    text: str, form: Literal["ofn", "omn", "owx"], syntax: str, path: str | os.PathLike[str]
) -> bytes:
    """Return a file in a syntax of OWL as RDF/XML.

    Raises
    ------
    LoadingError
        If it is not valid, or cannot be read in 1,000 MB.
    """
    if form != "owx":
        _check_depth(text, path)
    seconds = _SECONDS + len(text) // 1_000_000
    command = [sys.executable, "-I", "-c", _READER, form, str(seconds)]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    if done.returncode == 0:
        return done.stdout
    if done.returncode == 3:
        raise LoadingError(_message(done.stderr.decode(), [(1, text)], syntax, path))
    raise LoadingError(
        f"{path}: cannot be read in {_MEMORY} MB and {seconds} seconds: its expressions are nested "
        "too deeply, or it is too large; save it as RDF/XML"
    )


_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|<[^>\s]*>|#[^\n]*|[()]', re.S)


def _check_depth(text: str, path: str | os.PathLike[str]) -> None:
    depth = 0
    for token in _TOKEN.finditer(text):
        depth += {"(": 1, ")": -1}.get(token.group(), 0)
        if depth > _DEEPEST:
            line = text.count("\n", 0, token.start()) + 1
            raise LoadingError(
                f"{path}, line {line}: more than {_DEEPEST} expressions one within another: name "
                "the inner ones, or leave them out"
            )


#: A part of a file: the number of its first line, and its text.
Piece = tuple[int, str]

_STANZA = re.compile(r"^(?=\[\w+\])", re.M)
_FREE = ("[Term]", "[Instance]")
_LISTED = re.compile(r'^((?:def|synonym):[ \t]*"[^"\\\n]*(?:\\.[^"\\\n]*)*"[^\[\n]*)\[.*', re.M)
_XREF = re.compile(r'^(xref:[ \t]*)((?:[^\s"{!\\]+|\\.|[ \t]+(?!["{!\s]))+).*', re.M)
_BLANK = re.compile(r"(?<!\\)[ \t]")
#: Characters of an OBO file that are read at once: horned-owl needs fifty bytes for each.
_AT_ONCE = 250_000
#: A part is at least so many times as long as what is repeated in each.
_HEADS = 4
#: More characters that cannot be parted are not read: they would take more than 1 GB.
_MOST = 4_000_000


def of_obo(text: str, path: str | os.PathLike[str]) -> tuple[Iterator[bytes], tuple[str, ...]]:
    """Return an OBO file as RDF/XML, a part at a time, and cautions on what was mended.

    What is said about statements (where a definition or a synonym is from) is left out: nothing
    here reads it, and it is most of many files. Blanks in the names of cross-references, which
    should be escaped, are.

    Raises
    ------
    LoadingError
        If a part is not valid.
    """
    unescaped: list[int] = []

    def reference(match: re.Match[str]) -> str:
        name = _BLANK.sub(r"\\ ", match.group(2))
        if name != match.group(2):
            unescaped.append(match.start())
        return match.group(1) + name

    text = _XREF.sub(reference, _LISTED.sub(r"\1[]", f"{text.rstrip()}\n"))
    cautions = []
    if unescaped:
        line = text.count("\n", 0, unescaped[0]) + 1
        cautions.append(
            f"{path}, line {line}: blanks in the names of cross-references are read as if escaped "
            f"(lines: {len(unescaped)}); write a backslash before each"
        )
    stanzas = _STANZA.split(text)
    firsts = accumulate((stanza.count("\n") for stanza in stanzas), initial=1)
    return _of_pieces(list(zip(firsts, stanzas, strict=False)), path), tuple(cautions)


def _of_pieces(pieces: list[Piece], path: str | os.PathLike[str]) -> Iterator[bytes]:
    """Yield RDF/XML of so many stanzas at a time that memory stays bounded.

    The header and the relations that the file declares are in each, as they say what names mean.
    """
    head = [piece for piece in pieces if not piece[1].startswith(_FREE)]
    repeated = sum(len(text) for _, text in head)
    size = max(_AT_ONCE, min(_HEADS * repeated, _MOST // 2 - repeated))
    part, length, read = list(head), 0, False
    for piece in pieces:
        if piece[1].startswith(_FREE):
            part.append(piece)
            length += len(piece[1])
        if length >= size:
            yield _of_part(part, path)
            part, length, read = list(head), 0, True
    if length or not read:
        yield _of_part(part, path)


def _of_part(pieces: list[Piece], path: str | os.PathLike[str]) -> bytes:
    import pyhornedowl  # most files are in other formats

    text = "".join(text for _, text in pieces)
    if len(text) > _MOST:
        line, _ = max(pieces, key=lambda piece: len(piece[1]))
        raise LoadingError(
            f"{path}, line {line}: a stanza, or all stanzas of relations, are too long to be read "
            f"(more than {_MOST:,} characters): is the file damaged?"
        )
    try:
        parsed = pyhornedowl.open_ontology_from_string(text, serialization="obo")
        return parsed.save_to_string("rdf").encode()
    except ValueError as reason:
        raise LoadingError(_message(str(reason), pieces, "OBO", path)) from None


def _message(reason: str, pieces: list[Piece], syntax: str, path: str | os.PathLike[str]) -> str:
    """Return a sentence for horned-owl's error, which is a dump of its internal state."""
    line = 0
    if at := re.search(r"line_col: Pos\(\((\d+)", reason):
        line = int(at.group(1))
    elif at := re.search(r"ByteSpan\((\d+)", reason):
        before = "".join(text for _, text in pieces).encode()[: int(at.group(1))]
        line = before.count(b"\n") + 1
    where = f"{path}"
    for first, text in pieces if line else ():
        lines = text.count("\n")
        if line <= lines or (first, text) == pieces[-1]:
            where += f", line {first + line - 1}"
            break
        line -= lines
    cause = re.search(r'ValidityError\("([^"]*)"', reason)
    what = cause.group(1) if cause else "it breaks off or is misspelt here"
    return f"{where}: not valid {syntax}: {what}"
