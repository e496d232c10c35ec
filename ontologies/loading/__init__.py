"""Ontologies from files: recognised by content, closed to the network, imports from a folder."""

from __future__ import annotations

import logging
import os
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import pyoxigraph as ox

from alignrank.common.errors import Argument, LoadingError
from alignrank.common.files import FilePath, read_hashed, unpacked_name, without_collector
from alignrank.common.progress import phase
from alignrank.common.raw_bytes import as_utf8
from alignrank.ontologies.ontology import Ontology
from alignrank.ontologies.vocabulary import ALIGNMENT, NO_BASE, OWL

from .entities import read_ontology
from .imports import ImportFiles, bare
from .syntax import Syntax, recognise, triples_of
from .triples import Graph, Triples, n_triples_of

logger = logging.getLogger(__name__)

#: The version of an OBO file, in the lines before its first stanza.
_DATA_VERSION = re.compile(rb"(?:(?!\[).*\n)*?data-version:[ \t]*(.*)")
_ALIGNMENT = "is an alignment, not an ontology: give it as the reference or as a system"


def load_ontology(
    path: FilePath | Graph,
    *,
    imports: FilePath | None = None,
    label_properties: Sequence[str] = (),
) -> Ontology:
    """Load an ontology file.

    Parameters
    ----------
    path
        A file in RDF/XML, OWL/XML, N-Triples, Turtle, JSON-LD, OWL functional or Manchester syntax,
        or OBO; its content says which, not its ending. SKOS concepts are read as classes. Or an
        ``owlready2.Ontology`` with its imports, or an ``rdflib.Graph``.
    imports
        Folder in which imported ontologies are looked for: by the ontology IRI or version IRI that
        a file states, else by a file name that equals the IRI's last part. A ``catalog-v001.xml``
        there, or beside the file, comes first. Nothing is ever fetched; an import that is not
        there is recorded in `Ontology.missing_imports`.
    label_properties
        IRIs of further properties whose texts are labels, such as ``http://schema.org/name``.

    Returns
    -------
    Ontology
        Entities of the file and of its imports. `left_out` counts deprecated entities and the
        oboInOwl vocabulary with the nodes that carry synonyms and definitions.

    Raises
    ------
    LoadingError
        If the file cannot be read or holds no entity, or no entity has a label property; the
        message says why, and in which line.

    Notes
    -----
    Relative IRIs in a file that states no base are resolved against ``file:///`` and the file's
    name, so that the result does not depend on where the file lies.

    Examples
    --------
    >>> from alignrank.ontologies.tasks import bundled_task
    >>> library = load_ontology(bundled_task("library").source)
    >>> [str(kind) for kind in library.kinds]
    ['class', 'property', 'individual']
    """
    if isinstance(path, Graph):
        return _of_graph(path, label_properties)
    ontology, counts = _with_counts(path, imports, label_properties)
    _check_label_properties(path, label_properties, [counts])
    return ontology


def load_pair(
    source: FilePath,
    target: FilePath,
    *,
    imports: FilePath | None = None,
    label_properties: Sequence[str] = (),
) -> tuple[Ontology, Ontology]:
    """Load two ontologies; a label property that one of them has is enough.

    Parameters and errors are those of `load_ontology`.
    """
    one, counts1 = _with_counts(source, imports, label_properties)
    two, counts2 = _with_counts(target, imports, label_properties)
    _check_label_properties(source, label_properties, [counts1, counts2])
    return one, two


def _with_counts(
    path: FilePath, imports: FilePath | None, label_properties: Sequence[str]
) -> tuple[Ontology, Mapping[str, int]]:
    """Load an ontology; count the entities with a text by property where label properties are."""
    triples, ontology = load_with_triples(path, imports=imports, label_properties=label_properties)
    return ontology, _text_counts(triples, ontology) if label_properties else {}


def _text_counts(triples: Triples, ontology: Ontology) -> dict[str, int]:
    """Count the entities with a text by property."""
    return {
        predicate: len({iri for iri, _ in triples.texts(predicate, ontology.entities)})
        for predicate in triples.predicates
    }


@without_collector()
def load_with_triples(
    path: FilePath,
    *,
    imports: FilePath | None = None,
    label_properties: Sequence[str] = (),
) -> tuple[Triples, Ontology]:
    """Load an ontology file, and return its triples as well: they say what no `Ontology` holds.

    Parameters and errors are those of `load_ontology`.
    """
    path = Path(path)
    triples = Triples()
    with phase(f"loading {path.name}"):
        source = read_triples(triples, path)
        mended = list(source.mended)
        headers = triples.headers()
        folder = None if imports is None else Path(imports)
        imported, missing = _add_imports(triples, path, folder, mended)
        ontology = read_ontology(triples, headers, missing, label_properties)
    if not ontology.entities:
        raise LoadingError(f"{path} {_why_empty(source.is_alignment, ontology, missing)}")
    for reason, count in ontology.left_out.items():
        logger.info("%s: %d %s entities left out", path, count, reason)
    for iri in missing:
        logger.warning(
            f"%s: the import %s is missing: give its folder ({Argument('imports')})", path, iri
        )
    return triples, replace(
        ontology,
        missing_imports=tuple(missing),
        path=os.fspath(path),
        imported=tuple(map(os.fspath, imported)),
        version=ontology.version or source.data_version,
        sha256=source.sha256,
        mended=tuple(mended),
    )


def _of_graph(graph: Graph, label_properties: Sequence[str]) -> Ontology:
    """Return a graph of another library as an ontology without a file."""
    triples, name = Triples(), type(graph).__module__.partition(".")[0]
    parts, _ = triples_of(n_triples_of(graph), Syntax.N_TRIPLES, name, NO_BASE)
    for part in parts:
        triples.add(part)
    ontology = read_ontology(triples, triples.headers(), (), label_properties)
    if not ontology.entities:
        raise LoadingError(f"the {name} graph {_why_empty(False, ontology, [])}")
    if label_properties:
        counts = _text_counts(triples, ontology)
        _check_label_properties(f"the {name} graph", label_properties, [counts])
    return ontology


def _check_label_properties(
    where: FilePath, properties: Sequence[str], counts: Sequence[Mapping[str, int]]
) -> None:
    """Refuse label properties that no entity of any ontology has, by their counts of texts."""
    for iri in properties:
        if not any(texts.get(iri) for texts in counts):
            texts = counts[0]
            present = sorted((p for p in texts if texts[p]), key=lambda p: (-texts[p], p))
            listed = ", ".join(f"{p} ({texts[p]})" for p in present[:8]) or "none"
            raise LoadingError(
                f"{where}: no entity has the label property {iri}; properties with texts, and on "
                f"how many entities: {listed}"
            )


class Source(NamedTuple):
    """Facts about a file whose triples were read.

    Parameters
    ----------
    sha256
        Of its bytes.
    is_alignment
        Whether it speaks of alignments.
    mended
        What had to be mended in it, in sentences; complete when all its parts are read.
    data_version
        The version that the head of an OBO file states, or ''.
    """

    sha256: str
    is_alignment: bool
    mended: list[str]
    data_version: str


def read_triples(triples: Triples, path: FilePath) -> Source:
    """Add the triples of an ontology file, without its imports.

    Raises
    ------
    LoadingError
        If the file cannot be read.
    """
    parts, source = parts_of(Path(path))
    try:
        for chunk in parts:
            triples.add(chunk)
    except LoadingError:
        if source.is_alignment:
            raise LoadingError(f"{path} {_ALIGNMENT}") from None
        raise
    return source


def parts_of(path: Path) -> tuple[Iterator[list[ox.Quad]], Source]:
    """Return the triples of a file, a part at a time; its bytes are not kept."""
    data, digest = read_hashed(path, LoadingError)
    is_alignment = ALIGNMENT.encode() in data
    base = f"{NO_BASE}{quote(os.fsencode(unpacked_name(path).name))}"
    data, recoded = as_utf8(data, path, LoadingError)
    try:
        syntax = recognise(data, path)
        parts, mended = triples_of(data, syntax, path, base)
    except LoadingError:
        if is_alignment:
            raise LoadingError(f"{path} {_ALIGNMENT}") from None
        raise
    mended[:0] = recoded
    stated = _DATA_VERSION.match(data) if syntax is Syntax.OBO else None
    version = stated[1].decode().strip() if stated else ""
    return parts, Source(digest, is_alignment, mended, version)


def _add_imports(
    triples: Triples, path: Path, folder: Path | None, mended: list[str]
) -> tuple[list[Path], list[str]]:
    """Add every import, and theirs, whose files are here; return the files, and the missing.

    What was mended in them goes to `mended`.
    """
    files = ImportFiles(path, folder)
    imported = []
    missing = []
    loaded = {bare(iri) for iri in triples.headers()}
    added = {path.resolve()}
    queue = deque(_imports(triples))
    while queue:
        iri = queue.popleft()
        if bare(iri) in loaded:
            continue
        loaded.add(bare(iri))
        file = files.find(iri)
        if file is None:
            missing.append(iri)
        elif file.resolve() not in added:
            added.add(file.resolve())
            imported.append(file)
            mended += read_triples(triples, file).mended
            queue.extend(_imports(triples))
    return imported, sorted(missing)


def _imports(triples: Triples) -> list[str]:
    predicate = f"{OWL}imports"
    iris = {iri for _, iri in triples.links(predicate) if not iri.startswith("_:")}
    # some files state the address as a text
    return sorted(iris | {text.text for _, text in triples.texts(predicate, triples.headers())})


def _why_empty(is_alignment: bool, ontology: Ontology, missing: list[str]) -> str:
    if is_alignment:
        return _ALIGNMENT
    if ontology.left_out:
        counts = ", ".join(f"{n} {reason}" for reason, n in ontology.left_out.items())
        return f"holds no entity but {counts} ones, which are left out"
    hint = "is it the right file?"
    if missing:
        hint = f"its import {missing[0]} is missing: give its folder ({Argument('imports')})"
    return f"declares no class, property, individual or SKOS concept: {hint}"
