"""What a file holds, told by how it begins: so that commands know, and notice what was swapped."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Literal

from alignrank.common.errors import LoadingError
from alignrank.ontologies.formats.delimited import column_names
from alignrank.ontologies.loading.syntax import recognise
from alignrank.ontologies.vocabulary import ALIGNMENT

Content = Literal["folder", "ontology", "alignment", "items", ""]

#: So much of a file is looked at.
_BEGINNING = 1_000_000
#: What an alignment in RDF holds, and one in JSON begins with, and no ontology does.
_RDF = re.compile(r"<([\w.-]+:)?(Alignment|Cell)[\s/>]")
_JSON = re.compile(r'\s*\{[^{]*"(entity1|subject_id)"\s*:')

#: TREC's judgements and runs, and rankings in JSON.
_RANKING = re.compile(
    r"(\S+[ \t]+){3}(-?\d+|\d+[ \t]+[-+.\deE]+[ \t]+\S+)\s*$|"
    r'\s*\{\s*"[^"@][^"]*"\s*:\s*\{\s*"[^"@][^"]*"\s*:\s*-?\d|\s*\[\s*\{\s*"source"\s*:',
    re.MULTILINE,
)
#: Columns of a gold standard's or a ranking's table, and of an alignment's, as far as they differ.
_ITEMS = {"item", "synset", "query", "query_id", "qid"}
_LISTS = {"tgtcandidates", "rankedcandidates"}
_ENTITIES = {"entity1", "source", "srcentity", "sourceentity", "sourceuri", "subject_id"}


def content_of(path: Path) -> Content:
    """Say what a path holds; "" where that cannot be told, or nothing is there.

    Returns
    -------
    str
        ``folder``, ``ontology``, ``alignment``, or ``items``: candidates of items.
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
    if (ALIGNMENT in text and _RDF.search(text)) or _JSON.match(text):
        return "alignment"
    columns = set(re.split(r"[\t,;|\"]+", column_names(text).strip().casefold().replace(" ", "")))
    if columns & _LISTS or _RANKING.match(text):
        return "items"
    for read in (data, text.encode()):  # the second where some bytes are not UTF-8
        with suppress(LoadingError):
            recognise(read, path)
            return "ontology"
    if columns & _ITEMS:
        return "items"
    if not columns & _ENTITIES:
        return ""
    return "items" if _has_long_lists(text) else "alignment"


def _has_long_lists(text: str) -> bool:
    """Tell whether a table has ten lines or more for each first cell, as a ranking in Bio-ML."""
    sources = [line.partition("\t")[0] for line in text.splitlines()[1:]]
    return len(sources) >= 10 * len(set(sources)) > 0
