"""Alignment files: read in any known format, written in the one that the ending names.

To add a format, write a module with its reader and mostly a writer, and a row in `FORMATS`.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from alignrank.common.errors import AlignmentError, Argument
from alignrank.common.files import FilePath, read_hashed, replacing, text_of, without_collector
from alignrank.common.names import Registry
from alignrank.common.raw_bytes import as_utf8
from alignrank.ontologies.alignment import Alignment, NegatedCorrespondence
from alignrank.ontologies.curation import Statement, current_rows, gone_text

from .alignment_rdf import alignment_rdf, cautions_of_rdf, is_xml, parse_alignment_rdf
from .cells import Cells
from .delimited import (
    beside,
    facts_of,
    is_joined,
    is_tab_separated,
    parse_joined,
    parse_table,
    table,
    write_beside,
)
from .json_lines import is_jskos, is_json, json_lines, parse_jskos, parse_json_lines
from .links import holds_links, parse_links
from .sssom import is_mapping_set, metadata_file, parse_sssom
from .sssom_writing import cautions_of_sssom, sssom

__all__ = ["FORMATS", "WRITABLE", "Format", "Written", "read_alignment", "write_alignment"]

#: Makes an alignment of a file's bytes, by way of its cells, which know the file; raises
#: `AlignmentError` with file, line and cause.
Reader = Callable[[bytes, Cells], Alignment]


@dataclass(frozen=True)
class Format:
    """One format of alignment files.

    Parameters
    ----------
    name
        What it is called on the command line.
    endings
        Of its files; the first format with an ending has it. A format that is only read has none.
    recognises
        Whether a file's text is in this format; the first that recognises it reads it.
    read, write
        From bytes to an alignment, and from an alignment to text; None if it is only read.
    cautions
        What the format has no word for in an alignment, in sentences.
    clips
        Whether a confidence outside [0, 1] needs an extension of the format.
    beside
        Whether ontologies, metadata and negated correspondences go to a file beside the
        alignment's.
    negates
        Whether the file itself holds a negated correspondence.
    keeps_gone
        Whether its readers see that the terms of a row are gone; else such rows are left out.
    mended
        What is read as well, or mended, in such files, beside stray bytes and other encodings.
    """

    name: str
    endings: tuple[str, ...]
    recognises: Callable[[str], bool]
    read: Reader
    write: Callable[[Alignment], str] | None = None
    cautions: Callable[[Alignment], list[str]] = lambda alignment: []
    clips: bool = False
    beside: bool = False
    negates: Callable[[NegatedCorrespondence], bool] = lambda negated: False
    keeps_gone: bool = True
    mended: str = ""


_OF_TABLES = (
    "other usual names of columns, or none, as LogMap writes; comments before the header; commas, "
    "semicolons, tabs or bars between cells"
)
#: Every format, by name. JSKOS and links come before the JSON and the XML that they are written in,
#: SSSOM before the tables whose ending it shares; what takes any text for a table comes last.
FORMATS = Registry(
    "format",
    {
        row.name: row
        for row in (
            Format(
                "jskos",
                (),
                is_jskos,
                parse_jskos,
                mended="a concordance, a list or lines of mappings; those of several concepts "
                "together are left out",
            ),
            Format(
                "sssom",
                (".sssom.tsv", ".sssom"),
                is_mapping_set,
                parse_sssom,
                sssom,
                cautions_of_sssom,
                clips=True,
                negates=lambda negated: True,
                mended="SSSOM/JSON, with the prefixes of `@context` or `curie_map`; metadata in a "
                "`.yml` file beside the table; cells that a spreadsheet adds; a last row that ends "
                "before its comments; mappings of a literal are left out",
            ),
            Format(
                "joined",
                (),
                is_joined,
                parse_joined,
                mended="CSV of `alignrank join`: rows are entities, by their numbers",
            ),
            Format(
                "links",
                (),
                holds_links,
                parse_links,
                mended="triples in RDF/XML, Turtle, N-Triples or JSON-LD: `skos:exactMatch` and "
                "its like between two IRIs, OWL's equivalences and subsumptions between two "
                "namespaces, axioms with SSSOM's annotations, also negated ones",
            ),
            Format(
                "rdf",
                (".rdf", ".xml", ".owl"),
                is_xml,
                parse_alignment_rdf,
                alignment_rdf,
                cautions_of_rdf,
                clips=True,
                negates=lambda negated: negated.is_no_match,
                keeps_gone=False,
                mended="the namespace with `#` or without; cells as `rdf:Description`, in any "
                "order, with `map` or without; relations that are escaped twice",
            ),
            Format(
                "jsonl",
                (".jsonl", ".ndjson"),
                is_json,
                parse_json_lines,
                json_lines,
                negates=lambda negated: True,
                mended="a list of objects, as OntoAligner writes it",
            ),
            Format(
                "tsv",
                (".tsv",),
                is_tab_separated,
                parse_table,
                partial(table, mark="\t"),
                beside=True,
                mended=_OF_TABLES,
            ),
            Format(
                "csv",
                (".csv",),
                lambda text: True,
                parse_table,
                table,
                beside=True,
                mended=_OF_TABLES,
            ),
        )
    },
    AlignmentError,
)


#: Those that are also written.
WRITABLE = Registry(
    "format", {name: row for name, row in FORMATS.items() if row.write}, AlignmentError
)

#: Formats whose columns or fields a user can choose.
TABLES = ("jsonl", "tsv", "csv")


@dataclass(frozen=True)
class Written:
    """The files that `write_alignment` wrote.

    Parameters
    ----------
    files
        The alignment's file, and the one beside it where the format cannot say everything.
    cautions
        Sentences about what the format has no word for, and where it is kept.
    """

    files: tuple[Path, ...]
    cautions: tuple[str, ...] = ()


@without_collector()
def read_alignment(
    path: FilePath,
    *,
    name: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Alignment:
    """Read an alignment file.

    Parameters
    ----------
    path
        A file in the Alignment API's RDF format, SSSOM (TSV, CSV or JSON), CSV, TSV or JSON Lines,
        or RDF with links such as skos:exactMatch; its content says which, not its ending.
    name
        Name of the system or metric; the file's stem where none is given.
    columns
        Names of a table's columns (or of JSON's fields) by role, where they are not the usual ones:
        ``{"subject": "old", "object": "new", "confidence": "p"}``; the fourth role is ``relation``.

    Returns
    -------
    Alignment
        Its `notes` say what had to be mended: confidences clipped, duplicates merged, relations
        that are not understood; and what was passed over. `has_confidences` is false where the
        file states none.

    Raises
    ------
    AlignmentError
        If the file cannot be read; the message names the file, the line and the cause.

    Examples
    --------
    >>> import tempfile
    >>> from alignrank.ontologies import Alignment, Correspondence
    >>> path = tempfile.mkdtemp() + "/mine.tsv"
    >>> _ = write_alignment(Alignment([Correspondence("http://a#x", "http://b#y")]), path)
    >>> read_alignment(path)
    <Alignment mine: 1 correspondence>
    """
    stated, digest = read_hashed(path, AlignmentError)
    data, mended = as_utf8(stated, path, AlignmentError)
    if data.startswith(b"<"):  # in which encoding XML is, it says itself
        text = data.decode(errors="replace")
    else:
        text = text_of(data, path, AlignmentError)
    row = next(row for row in FORMATS.values() if row.recognises(text))
    if columns and row.name not in TABLES:
        raise AlignmentError(f"{path} is no table, but {row.name}: leave out {Argument('columns')}")
    try:
        del text  # as long as the file
        return row.read(data, Cells(path, name, digest, mended, columns))
    except csv.Error as reason:
        raise AlignmentError(f"{path}: {reason}: is a quotation mark not closed?") from None


def write_alignment(alignment: Alignment, path: FilePath, *, to: str | None = None) -> Written:
    """Write an alignment file, whole or not at all; the same alignment gives the same bytes.

    Nothing is lost: read again, the file gives the same alignment. Only RDF has no place for
    negated correspondences, except no-matches, and none for rows of terms that are gone: they are
    left out, and a caution counts them.

    Parameters
    ----------
    alignment
        What to write.
    path
        The file; it is replaced where it exists.
    to
        Name of the format, one of `WRITABLE`; where it is None, the ending says which: ``.rdf``,
        ``.sssom.tsv``, ``.csv``, ``.tsv`` or ``.jsonl``.

    Returns
    -------
    Written
        The files, and cautions about what the format has no word for.

    Raises
    ------
    AlignmentError
        If no format has that name or ending, or the alignment holds something that the format
        cannot say.
    """
    path = Path(path)
    row = by_ending(path) if to is None else WRITABLE.lookup(to)
    assert row.write is not None
    gone: tuple[Statement, ...] = ()
    if not row.keeps_gone:
        alignment, gone = current_rows(alignment)
    text = row.write(alignment)
    is_stream = path.exists() and not path.is_file()  # beside which nothing can lie
    with replacing(path) as draft:
        draft.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
        # last, so that an error leaves both files as they were
        further = write_beside(alignment, path) if row.beside and not is_stream else None
    cautions = []
    if gone:
        cautions.append(f"{gone_text(len(gone))} have no place in {path.name}: left out")
    if further:
        cautions.append(f"ontologies and metadata have no place in {path.name}: {further.name}")
    elif row.beside and facts_of(alignment):
        cautions.append(f"ontologies and metadata have no place in {path.name}: left out")
    if homeless := sum(not row.negates(negated) for negated in alignment.negated):
        place = further.name if further else "left out"
        cautions.append(
            f"negated correspondences have no place in {path.name}: {homeless}, {place}"
        )
    clipped = len(alignment) - alignment.columns.stated_confidence.count(None)
    if clipped and row.clips:
        cautions.append(
            f"confidences outside [0, 1] are clipped, and kept as stated in an extension: {clipped}"
        )
    files = (path, further) if further else (path,)
    return Written(files, (*cautions, *row.cautions(alignment)))


def is_read_alone(path: FilePath) -> bool:
    """Return whether no file beside an alignment's may be read with it."""
    return not beside(path).is_file() and metadata_file(path) is None


def by_ending(path: Path) -> Format:
    """Return the format that a file's ending names; refuse an ending of none."""
    for row in WRITABLE.values():
        if path.name.lower().endswith(row.endings):
            return row
    endings = ", ".join(ending for row in WRITABLE.values() for ending in row.endings)
    raise AlignmentError(f"the ending of {path} names no alignment format: use {endings}")
