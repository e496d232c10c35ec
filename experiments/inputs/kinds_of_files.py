"""The kind of a file's content, by its beginning: commands notice swapped files by it."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Literal

from alignrank.common.errors import LoadingError
from alignrank.common.files import read_beginning, refuse_unread
from alignrank.evaluation.measures.retrieval.candidate_files import holds_candidates, is_json_lines
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.answer_files import holds_answers
from alignrank.ontologies.formats.columns import is_entity_column
from alignrank.ontologies.formats.links import holds_links, is_alignment
from alignrank.ontologies.loading.syntax import recognise
from alignrank.ontologies.tasks.reader import BEGINNING, begins_as_json, titles_in
from alignrank.ontologies.vocabulary import ALIGNMENT

#: Of no file: ``candidates`` is a gold standard or a run, ``object`` anything else.
Content = Literal[
    "folder", "ontology", "alignment", "ranking", "answers", "candidates", "object", ""
]

#: What an alignment in RDF holds, and no ontology does.
_RDF = re.compile(r"<([\w.-]+:)?(Alignment|Cell)[\s/>]")
#: What states a mapping, and no hierarchy.
_MAPPING = re.compile(r"\b(exact|close|broad|narrow|related)Match\b|\bequivalentClass\b")
#: The keys of JSON that only JSON-LD has.
_ONTOLOGY_KEYS = {"@graph", "@id", "@type"}

#: TREC's judgements and runs, and runs as JSON objects; OntoAligner's have a key of their own.
_RANKING = re.compile(
    r"(\S+[ \t]+){3}(-?\d+|\d+[ \t]+[-+.\deE]+[ \t]+\S+)\s*$|"
    r'\s*\{\s*"[^"@][^"]*"\s*:\s*\{\s*"[^"@][^"]*"\s*:\s*-?\d',
    re.MULTILINE,
)
#: Columns of a gold standard's or a ranking's table, as far as they differ from an alignment's.
_ITEMS = {"item", "synset", "query", "query_id", "query-id", "qid"}
_LISTS = {"tgtcandidates", "rankedcandidates", "queryid"}


def content_of(typed: object) -> Content:
    """Return the kind of content of a path or an object; "" where it is unknown.

    Objects are ``candidates`` (a gold standard or a run) or ``object``; for paths see
    `content_of_path`.
    """
    if isinstance(typed, Path):
        return content_of_path(typed)
    return "candidates" if holds_candidates(typed) else "object"


def content_of_path(path: Path) -> Content:
    """Return the kind of content of a path; "" where it is unknown, or nothing is there.

    Returns
    -------
    str
        ``folder``, ``ontology``, ``alignment``, ``ranking``: candidates of items, or their gold
        standard, or ``answers``: a system's verdicts on items.

    Raises
    ------
    ExperimentError
        If the file is a Git LFS pointer or OBO Graphs JSON.
    """
    if path.is_dir():
        return "folder"
    if not path.is_file():  # a pipe can be read only once
        return ""
    data, text = _beginning(path)
    if holds_answers(text):
        return "answers"
    if ALIGNMENT in text and _RDF.search(text):
        return "alignment"
    syntax = None
    for read in (data, text.encode()):  # the second where some bytes are not UTF-8
        with suppress(LoadingError):
            syntax = syntax or recognise(read, path)
    if syntax and holds_links(text) and is_alignment(data, syntax):
        return "alignment"
    titles = titles_in(text)
    columns = {title.casefold().replace(" ", "") for title in titles}
    if columns & _LISTS or _RANKING.match(text):
        return "ranking"
    if begins_as_json(text):
        # a damaged line must not make an ontology of JSON Lines
        if "target-cands" in titles or is_json_lines(text):
            return "ranking"
        is_mapping_set = "mappings" in titles and "subject_id" in titles
        if titles & _ONTOLOGY_KEYS and not is_mapping_set:
            return "ontology"
        return "alignment"
    if syntax:
        return "ontology"
    if columns & _ITEMS:
        return "ranking"
    if not any(map(is_entity_column, titles)):
        return ""
    if _has_long_lists(text):
        return "ranking"
    return "alignment"


def may_be_table(path: Path) -> bool:
    """Return whether a path holds neither alignments nor an ontology.

    JSON without source entities counts as a table: the reader of tables says that CSV is needed.
    """
    content = content_of(path)
    if content != "alignment":
        return content not in ("folder", "ontology")
    text = read_beginning(path, BEGINNING).decode(errors="replace")
    return begins_as_json(text) and not any(map(is_entity_column, titles_in(text)))


def serves_as(path: Path, place: Content) -> bool:
    """Tell whether a file may stand where an ontology, or an alignment, is asked for.

    A vocabulary that carries mappings serves as either: the place decides, and what is read there
    says what is missing.
    """
    if not path.is_file() or content_of_path(path) in (place, "", "ranking", "answers"):
        return True
    _, text = _beginning(path)
    return holds_links(text) and (place == "ontology" or _MAPPING.search(text) is not None)


def refuse_swapped(metavar: str, typed: str | Path, expected: Content) -> None:
    """Refuse a file, or NAME=FILE, whose content belongs to another argument."""
    path = Path(typed)
    if not path.exists():
        path = Path(str(typed).partition("=")[2])
    if not serves_as(path, expected):
        raise ExperimentError(
            f"{metavar}: {path} holds an {content_of(path)}, and an {expected} stands here: first "
            "come ontologies (where none are asked for, --source and --target), then the "
            "reference, then alignments"
        )


def _has_long_lists(text: str) -> bool:
    """Tell whether a table has ten lines or more for each first cell, as a ranking in Bio-ML."""
    sources = [line.partition("\t")[0] for line in text.splitlines()[1:]]
    return len(sources) >= 10 * len(set(sources)) > 0


def _beginning(path: Path) -> tuple[bytes, str]:
    """Return the beginning of a file, as bytes and as text."""
    data = read_beginning(path, BEGINNING)
    refuse_unread(data, path, ExperimentError)
    if len(data) == BEGINNING:  # a line may end within a sign
        data = data.rpartition(b"\n")[0] or data
    return data, data.decode(errors="replace")
