"""Read the syntaxes of OWL and OBO with horned-owl, within limits; OBO in parts."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Literal

import pyoxigraph as ox

from alignrank.common.errors import LoadingError
from alignrank.common.files import FilePath
from alignrank.common.names import short
from alignrank.ontologies.vocabulary import IAO, OBO, OBO_IN_OWL, OWL, RDF, RDFS

#: Limits of the reader process: megabytes; seconds, to which each million characters adds one.
_MEMORY = 1000
_SECONDS = 10
#: Expressions, elements or triples one within another, far beyond what anybody writes.
DEEPEST = 1000
# horned-owl calls itself for each expression within another, and dies where they are too many: so
# it does that in a process of its own.
_READER = f"""
import sys
from alignrank.common.system import limit_this_process
limit_this_process({_MEMORY} << 20, int(sys.argv[2]))
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


def owl_as_rdf_xml(
    text: str, form: Literal["ofn", "omn", "owx"], syntax: str, path: FilePath
) -> bytes:
    """Return a file in a syntax of OWL as RDF/XML.

    Raises
    ------
    LoadingError
        If it is not valid, or needs more than 1,000 MB or the seconds allowed.
    """
    if form != "owx":
        advice = "expressions one within another: name the inner ones, or leave them out"
        check_depth(text, _TOKEN, {"(": 1, ")": -1}, path, advice)
    seconds = _SECONDS + len(text) // 1_000_000
    command = [sys.executable, "-P", "-c", _READER, form, str(seconds)]
    process = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    if process.returncode == 0:
        return process.stdout
    if process.returncode == 3:
        raise LoadingError(_message(process.stderr.decode(), [(1, text)], syntax, path))
    raise LoadingError(
        f"{path}: cannot be read in {_MEMORY} MB and {seconds} seconds: its expressions are nested "
        "too deeply, or it is too large; save it as RDF/XML"
    )


_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|<[^>\s]*>|#[^\n]*|[()]', re.S)


def check_depth(
    text: str,
    token: re.Pattern[str],
    steps: Mapping[str, int],
    path: FilePath,
    advice: str,
) -> None:
    """Refuse brackets that are nested too deeply: parsers call themselves for each.

    Parameters
    ----------
    text
        A file's content.
    token, steps
        What the content consists of, and what opens (1) and closes (-1).
    path
        The file, for the message.
    advice
        The end of the message: what is nested, and what to do.
    """
    depth = 0
    for match in token.finditer(text):
        depth += steps.get(match.group(), 0)
        if depth > DEEPEST:
            line = text.count("\n", 0, match.start()) + 1
            raise LoadingError(f"{path}, line {line}: more than {DEEPEST} {advice}")


#: A part of a file: the number of its first line, and its text.
Piece = tuple[int, str]

_STANZA = re.compile(r"^(?=\[\w+\])", re.M)
_SCOPES = ("EXACT", "RELATED", "BROAD", "NARROW")
_FREE = ("[Term]", "[Instance]")
_LISTED = re.compile(r'^((?:def|synonym):[ \t]*"[^"\\\n]*(?:\\.[^"\\\n]*)*"[^\[\n]*)\[.*', re.M)
_XREF = re.compile(r'^(xref:[ \t]*)((?:[^\s"{!\\]+|\\.|[ \t]+(?!["{!\s]))+).*', re.M)
_QUOTED = r'"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"'
_SCOPE = "|".join(_SCOPES)
#: A synonym that is not written as the standard has it: horned-owl leaves such out in silence.
_ODD_SYNONYM = re.compile(
    r"^(?:(exact|related|broad|narrow)_synonym:|synonym:"
    rf'(?![ \t]*{_QUOTED}(?<!\\")[ \t]+(?:{_SCOPE})'
    r'(?:[ \t]+[^\s"\[{!]+)?(?=\s)[ \t]*[\[{!\n]))[ \t]*(.*)',
    re.M,
)
#: Its text, up to the last quotation mark that only words and lists follow; and these words.
_TEXT_AND_WORDS = re.compile(r'"(.*)"([^"\[\]{}!]*)(?:[\[{!].*)?')
#: The same where a quotation mark is missing.
_UNQUOTED = re.compile(rf'"?(.*?)"?(?:[ \t]({_SCOPE})\b.*|[\[{{].*)?')
_TYPE_OF_SYNONYM = re.compile(
    rf"^synonymtypedef:[ \t]*(\S+)[ \t]+{_QUOTED}(?:[ \t]+({_SCOPE})\b)?", re.M
)
_BLANK = re.compile(r"(?<!\\)[ \t]")
#: An address as horned-owl takes it; any other is read as a name, if its colon is escaped.
_ADDRESS = re.compile(r"([^\s\\\"<>{}|^`\[\]%#]|%[0-9A-Fa-f]{2})*(#[^#]*)?")
#: Characters of an OBO file that are read at once: horned-owl needs fifty bytes for each.
_AT_ONCE = 250_000
#: Plain lines that are handed on at once.
_LINES = 50_000
#: A part is at least this many times as long as the head that each part repeats.
_HEADS = 4
#: More characters that cannot be parted are not read: they would take more than 1 GB.
_MOST = 4_000_000


#: Lines of a term that are plain to see; what the last of them say is not read here.
_ID, _TEXT = "[A-Z][A-Za-z0-9_]*:[A-Za-z0-9_]+", r'[^\\"\x00-\x1f\x7f-\xa0\u2028\u2029]'
_NAME = r'[^\\{}!"\x00-\x1f\x7f-\xa0\u2028\u2029]+'
_TERM = re.compile(rf"\[Term\]\nid: ({_ID})\n")
_PLAIN = re.compile(
    rf"^(?:name: ({_NAME})|is_a: ({_ID})(?: ! {_NAME})?"
    rf'|synonym: "({_TEXT}+)" ({"|".join(_SCOPES)}) (?:[\w-]+ )?\[\]'
    rf'|xref: (?:[^\s"{{}}!\\]|\\ )+(?: "{_TEXT}*")?|comment: ({_NAME})|def: "({_TEXT}+)" \[\])$',
    re.M,
)
_PROPERTIES = (
    *("comment:", "def:", "xref:", *(f'" {scope}' for scope in _SCOPES)),
    rf'" (?:{"|".join(_SCOPES)}) [\w-]+ \[',  # a synonym with a type
)
#: The tag of a line, and tags of lines without which an entity is another, or gone.
_TAG = re.compile(r"([\w-]+)[ \t]*:")
_NEEDED = ("id", "name", "is_a", "is_obsolete", "synonym", "relationship", "ontology", "import")
#: Lines that are dropped at most: each costs another parse of its part.
_MOST_DROPPED = 100
#: Numbers of dropped lines in a caution, and characters of the first such line.
_LISTED_LINES, _QUOTED_LENGTH = 10, 80
#: Names that a stanza defines, and IRIs of OBO.
_STATED = re.compile(r"^(?:id|alt_id):[ \t]*([^\s!{]+)", re.M)
_OBO_NAME = re.compile(rf"<{re.escape(OBO)}\w+>")
_TYPE, _CLASS = ox.NamedNode(f"{RDF}type"), ox.NamedNode(f"{OWL}Class")
#: What gives names another IRI than that of OBO.
_IDSPACE = re.compile("^(?:idspace|id-mapping):", re.M)
#: What changes the meaning of names in terms.
_RENAMING = re.compile(r"^(idspace|id-mapping|treat-|default-relationship)", re.M)


def obo_triples(
    text: str, path: FilePath, of_rdf_xml: Callable[[bytes], list[ox.Quad]]
) -> tuple[Iterator[list[ox.Quad]], list[str]]:
    """Return the triples of an OBO file, a part at a time, and cautions on mends.

    The list of cautions is complete when all parts are read: each part may drop lines that are not
    valid, such as a remark that ends in ``!``; never a line that names an entity or its parents.

    What is said about statements (where a definition or a synonym is from) is left out: nothing
    here reads it, and it is most of many files. Blanks in the names of cross-references, which
    should be escaped, are; so is the colon of an address that is not valid. A synonym without a
    scope has that of its type, else it is a related one, as OBO 1.2 has it; what else is odd about
    a synonym is mended. Names, synonyms and parents are most of the rest, and need no horned-owl.

    Parameters
    ----------
    text
        The file's content.
    path
        The file, for messages.
    of_rdf_xml
        Function from RDF/XML to triples.

    Raises
    ------
    LoadingError
        If a part is not valid.
    """
    unescaped: list[int] = []

    def escape(match: re.Match[str]) -> str:
        name = _BLANK.sub(r"\\ ", match.group(2))
        if "://" in name and not _ADDRESS.fullmatch(name):
            name = re.sub(r"(?<!\\)(?=://)", r"\\", name)
        if name != match.group(2):
            unescaped.append(match.start())
        return match.group(1) + name

    text = text.replace("\r\n", "\n").replace("\r", "\n")
    listed = _LISTED.sub(r"\1[]", f"{text.rstrip()}\n")
    text, cautions = _mended_synonyms(_XREF.sub(escape, listed), path)
    if unescaped:
        line = listed.count("\n", 0, unescaped[0]) + 1
        cautions.append(
            f"{path}, line {line}: blanks in the names of cross-references, and the colon of an "
            f"address that is not valid, are read as if escaped (lines: {len(unescaped)}); write a "
            "backslash before each"
        )
    stanzas = _STANZA.split(text)
    return _parts(stanzas, path, of_rdf_xml, cautions), cautions


def _mended_synonyms(text: str, path: FilePath) -> tuple[str, list[str]]:
    """Return an OBO file with every synonym as the standard has it, and a caution if any was not.

    A scope that is left out, and a tag of OBO 1.0 that names it, are no fault.
    """
    scope_by_type: dict[str, str] = dict(_TYPE_OF_SYNONYM.findall(text))
    faults: list[int] = []

    def mend(match: re.Match[str]) -> str:
        tag = match.group(1)
        value = match.group(2).strip()
        quoted = _TEXT_AND_WORDS.fullmatch(value)
        parts = quoted or _UNQUOTED.fullmatch(value)
        synonym, after = parts.groups("") if parts else ("", "")
        synonym = synonym.strip()
        words = after.split()
        if not synonym:
            return match.group()
        # horned-owl takes a backslash at the end for one before the quotation mark
        is_escaped = re.fullmatch(_QUOTED, f'"{synonym}"') and not synonym.endswith("\\")
        all_words_known = all(word in _SCOPES or word in scope_by_type for word in words)
        if not (quoted and is_escaped and all_words_known):
            faults.append(match.start())
        if not is_escaped:
            synonym = re.sub(r'(?<!\\)"', r"\\\g<0>", synonym.rstrip("\\"))
        # a scope that is stated comes before that of a type
        scopes = [tag or "", *words, *(scope_by_type.get(word, "") for word in words)]
        scope = next((s.upper() for s in scopes if s.upper() in _SCOPES), "RELATED")
        return f'synonym: "{synonym}" {scope} []'

    mended = _ODD_SYNONYM.sub(mend, text)
    if not faults:
        return mended, []
    line = text.count("\n", 0, faults[0]) + 1
    return mended, [
        f"{path}, line {line}: a synonym is not written as OBO has it, and is mended "
        f"(lines: {len(faults)}): escape quotation marks, and name a scope"
    ]


def _parts(
    stanzas: list[str],
    path: FilePath,
    of_rdf_xml: Callable[[bytes], list[ox.Quad]],
    cautions: list[str],
) -> Iterator[list[ox.Quad]]:
    """Yield triples of the plain lines of terms, then of everything else.

    A caution on the lines that were dropped goes to `cautions`.
    """
    renamed = _RENAMING.search(stanzas[0])
    # horned-owl declares a property where it first occurs, so that stanza is not shortened.
    firsts = ((i for i, s in enumerate(stanzas) if re.search(word, s)) for word in _PROPERTIES)
    whole = {next(places, 0) for places in firsts}
    plain: list[str] = []
    pieces: list[Piece] = []
    line = 1
    for i, stanza in enumerate(stanzas):
        unread = stanza
        if not renamed and i not in whole and (head := _TERM.match(stanza)):
            term = _named(head.group(1))
            plain.append(f"{term} <{RDF}type> <{OWL}Class> .\n")
            plain += (_triples(term, *of_line) for of_line in _PLAIN.findall(stanza))
            unread = _PLAIN.sub("", stanza)
            unread = unread if unread[head.end() :].strip() else ""
        if unread:
            pieces.append((line, unread))
        line += stanza.count("\n")
        if len(plain) >= _LINES:
            yield list(ox.parse("".join(plain), format=ox.RdfFormat.N_TRIPLES, lenient=True))
            plain.clear()
    yield list(ox.parse("".join(plain), format=ox.RdfFormat.N_TRIPLES, lenient=True))
    dropped: dict[int, str] = {}
    # horned-owl declares each name that a stanza refers to. Only names that a stanza defines
    # keep their declaration; a parent is a class anyway.
    are_of_obo = _IDSPACE.search(stanzas[0]) is None
    terms = {_named(name) for stanza in stanzas for name in _STATED.findall(stanza)}

    def is_stated(quad: ox.Quad) -> bool:
        if (quad.predicate, quad.object) != (_TYPE, _CLASS):
            return True
        node = str(quad.subject)
        return node in terms or not _OBO_NAME.fullmatch(node)

    for quads in map(of_rdf_xml, _of_pieces(pieces, path, dropped)):
        yield list(filter(is_stated, quads)) if are_of_obo else quads
    if dropped:
        line, text = min(dropped.items())
        more = ", ".join(map(str, sorted(dropped)[1:_LISTED_LINES]))
        further = f" (lines too: {more}{' …' if len(dropped) > _LISTED_LINES else ''})"
        cautions.append(
            f"{path}, line {line}: not valid OBO, and left out{further if more else ''}: "
            f"{short(text, _QUOTED_LENGTH)}"
        )


def _triples(
    term: str, name: str, parent: str, synonym: str, scope: str, comment: str, definition: str
) -> str:
    """Return N-Triples of a plain line of a term."""
    if name:
        return f'{term} <{RDFS}label> "{name}" .\n'
    if synonym:
        return f'{term} <{OBO_IN_OWL}has{scope.title()}Synonym> "{synonym}" .\n'
    if comment:
        return f'{term} <{RDFS}comment> "{comment}" .\n'
    if definition:
        return f'{term} <{IAO}0000115> "{definition}" .\n'
    if not parent:
        return ""
    above = _named(parent)
    return f"{above} <{RDF}type> <{OWL}Class> .\n{term} <{RDFS}subClassOf> {above} .\n"


def _named(name: str) -> str:
    return f"<{OBO}{name.replace(':', '_', 1)}>"


def _of_pieces(pieces: list[Piece], path: FilePath, dropped: dict[int, str]) -> Iterator[bytes]:
    """Yield RDF/XML of groups of stanzas, small enough to bound the memory.

    The header and the relations that the file declares are in each, as they say what names mean.
    Lines that had to be dropped go to `dropped`, by their numbers.
    """
    head = [piece for piece in pieces if not piece[1].startswith(_FREE)]
    repeated = sum(len(text) for _, text in head)
    size = max(_AT_ONCE, min(_HEADS * repeated, _MOST // 2 - repeated))
    chunk = list(head)
    length = 0
    has_yielded = False
    for piece in pieces:
        if piece[1].startswith(_FREE):
            chunk.append(piece)
            length += len(piece[1])
        if length >= size:
            yield _of_part(chunk, path, dropped)
            chunk = list(head)
            length = 0
            has_yielded = True
    if length or not has_yielded:
        yield _of_part(chunk, path, dropped)


def _of_part(pieces: list[Piece], path: FilePath, dropped: dict[int, str]) -> bytes:
    """Parse a part; drop invalid lines that nothing depends on, and parse again."""
    import pyhornedowl  # most files are in other formats

    if sum(len(text) for _, text in pieces) > _MOST:
        line, _ = max(pieces, key=lambda piece: len(piece[1]))
        raise LoadingError(
            f"{path}, line {line}: a stanza, or all stanzas of relations, are too long to be read "
            f"(more than {_MOST:,} characters): is the file damaged?"
        )
    pieces = [_without(piece, dropped) for piece in pieces]
    while True:
        try:
            text = "".join(text for _, text in pieces)
            parsed = pyhornedowl.open_ontology_from_string(text, serialization="obo")
            return parsed.save_to_string("rdf").encode()
        except ValueError as reason:
            lines = _droppable(str(reason), pieces) if len(dropped) < _MOST_DROPPED else {}
            if not lines:
                raise LoadingError(_message(str(reason), pieces, "OBO", path)) from None
            dropped |= lines
            pieces = [_without(piece, lines) for piece in pieces]


def _without(piece: Piece, dropped: Collection[int]) -> Piece:
    """Return a part of a file where lines, by their numbers in the file, are empty."""
    first, text = piece
    if not dropped:
        return piece
    lines = text.split("\n")
    empty = [number - first for number in dropped if first <= number < first + len(lines)]
    for index in empty:
        lines[index] = ""
    if empty:
        return first, "\n".join(lines)
    return piece


def _droppable(reason: str, pieces: list[Piece]) -> dict[int, str]:
    """Return {number: line} of the line that horned-owl cannot read.

    It is empty if the line must stay, or is unknown.
    """
    number, column = _place(reason, pieces)
    # A "!" in a line of the header is reported as an error at column 1 of the next line. Other
    # lines with an error at column 1 do not begin with "tag:", and such a file is refused.
    number -= column == 1
    for first, text in pieces:
        lines = text.split("\n")
        if first <= number < first + len(lines):
            line = lines[number - first]
            tag = _TAG.match(line)
            # The last line may be cut off: that is an error, not a line to leave out.
            is_last = text is pieces[-1][1] and not "".join(lines[number - first + 1 :])
            if tag and tag[1] not in _NEEDED and not is_last:
                return {number: line}
            return {}
    return {}


def _place(reason: str, pieces: list[Piece]) -> tuple[int, int]:
    """Return line and column in the file of horned-owl's error; the line is 0 if it is unknown."""
    line = column = 0
    if at := re.search(r"line_col: Pos\(\((\d+), (\d+)", reason):
        line = int(at.group(1))
        column = int(at.group(2))
    elif at := re.search(r"ByteSpan\((\d+)", reason):
        before = "".join(text for _, text in pieces).encode()[: int(at.group(1))]
        line = before.count(b"\n") + 1
    for first, text in pieces if line else ():
        lines = text.count("\n")
        if line <= lines or (first, text) == pieces[-1]:
            return first + line - 1, column
        line -= lines
    return 0, column


def _message(reason: str, pieces: list[Piece], syntax: str, path: FilePath) -> str:
    """Return a sentence for horned-owl's error, which is a dump of its internal state."""
    line, _ = _place(reason, pieces)
    where = f"{path}, line {line}" if line else f"{path}"
    cause = re.search(r'ValidityError\("([^"]*)"', reason)
    wording = cause.group(1) if cause else "it breaks off or is misspelt here"
    return f"{where}: not valid {syntax}: {wording}"
