"""What a file holds, told by how it begins: so that commands know, and notice what was swapped."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from ontologies.errors import LoadingError
from ontologies.formats.delimited import column_names
from ontologies.loading.syntax import recognise

Content = Literal["folder", "ontology", "alignment", "items", ""]

#: So much of a file is looked at.
_BEGINNING = 20_000
#: What the formats of alignments say before the first correspondence, and no ontology does.
_ALIGNMENT = re.compile(
    r"knowledgeweb\.semanticweb\.org/heterogeneity/alignment|\"entity1\"|\"subject_id\""
)

#: Columns of a gold standard's table, and of an alignment's, as far as they differ.
_ITEMS = {"item", "synset"}
_ENTITIES = {"entity1", "source", "srcentity", "sourceentity", "sourceuri", "subject_id"}


def content_of(path: Path) -> Content:
    """Say what a path holds; "" where that cannot be told, or nothing is there.

    Returns
    -------
    str
        ``folder``, ``ontology``, ``alignment``, or ``items``: a table of items and candidates.
    """
    if path.is_dir():
        return "folder"
    if not path.is_file():  # a pipe can be read only once
        return ""
    with path.open("rb") as file:
        data = file.read(_BEGINNING)
    if len(data) == _BEGINNING:  # a line may end within a sign
        data = data.rpartition(b"\n")[0] or data
    text = data.decode(errors="replace")
    if _ALIGNMENT.search(text):
        return "alignment"
    try:
        recognise(data, path)
    except LoadingError:
        pass
    else:
        return "ontology"
    columns = set(re.split(r"[\t,;|\"]+", column_names(text).casefold().replace(" ", "")))
    if columns & _ITEMS:
        return "items"
    return "alignment" if columns & _ENTITIES else ""
