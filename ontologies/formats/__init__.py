"""Alignment files: read in any known format, written in the one that the ending names."""

from __future__ import annotations

import os

from ..alignment import Alignment
from ..errors import AlignmentError
from ..files import sha256, write_text
from ..inputs import read_input

__all__ = ["read_alignment", "write_alignment"]


def read_alignment(path: str | os.PathLike[str], *, name: str | None = None) -> Alignment:
    """Read an alignment file.

    Parameters
    ----------
    path
        A file in the Alignment API's RDF format.
    name
        Name of the system or metric; the file's stem where none is given.

    Returns
    -------
    Alignment
        Its `notes` say what had to be mended: confidences clipped, duplicates merged, relations
        that are not understood.

    Raises
    ------
    AlignmentError
        If the file cannot be read; the message names the file, the line and the cause.

    Examples
    --------
    >>> import tempfile
    >>> from ontologies import Alignment, Correspondence
    >>> path = tempfile.mkdtemp() + "/mine.rdf"
    >>> write_alignment(Alignment([Correspondence("http://a#x", "http://b#y")]), path)
    >>> read_alignment(path)
    <Alignment mine: 1 correspondences>
    """
    from .alignment_rdf import parse_alignment_rdf

    data = read_input(path, AlignmentError)
    return parse_alignment_rdf(data, path, name=name, sha256=sha256(data))


def write_alignment(alignment: Alignment, path: str | os.PathLike[str]) -> None:
    """Write an alignment file, whole or not at all; the same alignment gives the same bytes.

    Parameters
    ----------
    alignment
        What to write.
    path
        The file; it is replaced where it exists.

    Raises
    ------
    AlignmentError
        If the alignment holds something that the format cannot say.
    """
    from .alignment_rdf import alignment_rdf

    write_text(path, alignment_rdf(alignment))
