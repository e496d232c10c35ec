"""Alignment files: read in any known format, written in the one that the ending names."""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ontologies.alignment import Alignment
from ontologies.common.files import sha256, write_text
from ontologies.common.inputs import read_input, text_of
from ontologies.errors import AlignmentError

__all__ = ["AlignmentFormat", "Written", "read_alignment", "write_alignment"]


class AlignmentFormat(StrEnum):
    """Formats of alignment files."""

    RDF = "rdf"
    SSSOM = "sssom"
    CSV = "csv"
    TSV = "tsv"
    JSON_LINES = "jsonl"


_ENDINGS = {
    ".sssom.tsv": AlignmentFormat.SSSOM,
    ".sssom": AlignmentFormat.SSSOM,
    ".rdf": AlignmentFormat.RDF,
    ".xml": AlignmentFormat.RDF,
    ".owl": AlignmentFormat.RDF,
    ".csv": AlignmentFormat.CSV,
    ".tsv": AlignmentFormat.TSV,
    ".jsonl": AlignmentFormat.JSON_LINES,
    ".ndjson": AlignmentFormat.JSON_LINES,
}


@dataclass(frozen=True)
class Written:
    """What `write_alignment` wrote.

    Parameters
    ----------
    files
        The alignment's file, and the one beside it where the format cannot say everything.
    remarks
        Sentences about what the format has no word for, and where it is kept.
    """

    files: tuple[Path, ...]
    remarks: tuple[str, ...] = ()


def read_alignment(path: str | os.PathLike[str], *, name: str | None = None) -> Alignment:
    """Read an alignment file.

    Parameters
    ----------
    path
        A file in the Alignment API's RDF format, SSSOM/TSV, CSV, TSV or JSON Lines; its content
        says which, not its ending.
    name
        Name of the system or metric; the file's stem where none is given.

    Returns
    -------
    Alignment
        Its `notes` say what had to be mended: confidences clipped, duplicates merged, relations
        that are not understood; and what was passed over.

    Raises
    ------
    AlignmentError
        If the file cannot be read; the message names the file, the line and the cause.

    Examples
    --------
    >>> import tempfile
    >>> from ontologies import Alignment, Correspondence
    >>> path = tempfile.mkdtemp() + "/mine.tsv"
    >>> _ = write_alignment(Alignment([Correspondence("http://a#x", "http://b#y")]), path)
    >>> read_alignment(path)
    <Alignment mine: 1 correspondence>
    """
    from .alignment_rdf import parse_alignment_rdf
    from .json_lines import parse_json_lines
    from .sssom import parse_sssom
    from .table import parse_table

    data = read_input(path, AlignmentError)
    parse = {
        AlignmentFormat.RDF: parse_alignment_rdf,
        AlignmentFormat.SSSOM: parse_sssom,
        AlignmentFormat.CSV: parse_table,
        AlignmentFormat.JSON_LINES: parse_json_lines,
    }[_recognise(data, path)]
    try:
        return parse(data, path, name=name, sha256=sha256(data))
    except csv.Error as reason:
        raise AlignmentError(f"{path}: {reason}: is a quotation mark not closed?") from None


def _recognise(data: bytes, path: str | os.PathLike[str]) -> AlignmentFormat:
    from .table import data_lines

    start = text_of(data, path, AlignmentError) if data[:1] != b"<" else "<"
    if start.lstrip().startswith("<"):
        return AlignmentFormat.RDF
    if start.lstrip().startswith(("{", "[")):
        return AlignmentFormat.JSON_LINES
    lines, _ = data_lines(start)
    if lines and "subject_id" in lines[0]:
        return AlignmentFormat.SSSOM
    return AlignmentFormat.CSV


def write_alignment(
    alignment: Alignment,
    path: str | os.PathLike[str],
    *,
    to: AlignmentFormat | None = None,
) -> Written:
    """Write an alignment file, whole or not at all; the same alignment gives the same bytes.

    Nothing is lost: read again, the file gives the same alignment.

    Parameters
    ----------
    alignment
        What to write.
    path
        The file; it is replaced where it exists.
    to
        The format; where it is None, the ending says which: ``.rdf``, ``.sssom.tsv``, ``.csv``,
        ``.tsv`` or ``.jsonl``.

    Returns
    -------
    Written
        The files, and remarks on what the format has no word for.

    Raises
    ------
    AlignmentError
        If the ending names no format, or the alignment holds something that the format cannot say.
    """
    from .alignment_rdf import alignment_rdf
    from .json_lines import json_lines
    from .sssom import sssom
    from .table import table, write_beside

    path = Path(path)
    to = to or _format_of(path)
    if to is AlignmentFormat.RDF:
        text = alignment_rdf(alignment)
    elif to is AlignmentFormat.SSSOM:
        text = sssom(alignment)
    elif to is AlignmentFormat.JSON_LINES:
        text = json_lines(alignment)
    else:
        text = table(alignment, "\t" if to is AlignmentFormat.TSV else ",")
    files = [path]
    if to in (AlignmentFormat.CSV, AlignmentFormat.TSV):
        files += filter(None, [write_beside(alignment, path)])
    write_text(path, text)
    return Written(tuple(files), tuple(_remarks(alignment, to, files)))


def _format_of(path: Path) -> AlignmentFormat:
    for ending, named in _ENDINGS.items():
        if path.name.lower().endswith(ending):
            return named
    raise AlignmentError(
        f"the ending of {path} names no alignment format: use {', '.join(_ENDINGS)}"
    )


def _remarks(alignment: Alignment, to: AlignmentFormat, files: list[Path]) -> list[str]:
    from .sssom import needs_extension

    remarks = []
    if len(files) > 1:
        remarks.append(f"ontologies and metadata have no place in {files[0].name}: {files[1].name}")
    clipped = sum(c.stated_confidence is not None for c in alignment)
    if clipped and to in (AlignmentFormat.RDF, AlignmentFormat.SSSOM):
        remarks.append(
            f"confidences outside [0, 1] are clipped, and kept as stated in an extension: {clipped}"
        )
    extended = sum(needs_extension(c) for c in alignment)
    if extended and to is AlignmentFormat.SSSOM:
        remarks.append(
            "relations without an SSSOM predicate are skos:mappingRelation, and kept in the "
            f"extension column alignment_relation: {extended}"
        )
    return remarks
