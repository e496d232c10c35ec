"""Where the ontologies lie that a file imports: in a folder, or where an XML catalog says."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree
from xml.parsers import expat

from alignrank.common.errors import Argument, LoadingError
from alignrank.common.files import read_input, unpacked_name
from alignrank.common.raw_bytes import as_utf8, check_doctype
from alignrank.ontologies.vocabulary import OWL, RDF

from .syntax import is_xml

#: The catalog that Protégé and ROBOT write beside an ontology.
CATALOG = "catalog-v001.xml"
_NAMESPACE = "urn:oasis:names:tc:entity:xmlns:xml:catalog"
#: The elements of a catalog, each with the attribute that holds the IRI.
_ENTRIES = {"uri": "name", "system": "systemId", "public": "publicId"}
_BASE = "{http://www.w3.org/XML/1998/namespace}base"

_IRI = r"<([^<>\s]+)>"
#: Ontology IRIs and version IRIs, as the headers of text formats state them.
_HEADERS = [
    re.compile(rf"{_IRI}\s+(?:a|<{RDF}type>)\s+(?:owl:Ontology|<{OWL}Ontology>)"),
    re.compile(rf"(?:owl:versionIRI|<{OWL}versionIRI>)\s+{_IRI}"),
    re.compile(rf"^[ \t]*Ontology\s*[(:]\s*{_IRI}(?:\s+{_IRI})?", re.M),
    re.compile(r"^ontology:\s*(\S+)", re.M),
]


def bare(iri: str) -> str:
    """Return an ontology IRI without the final # or / that some write and some do not."""
    return iri.rstrip("#/")


class ImportFiles:
    """The files of imports by their IRIs.

    Parameters
    ----------
    path
        The file that imports: a catalog may lie beside it.
    folder
        Folder with local copies, which may have a catalog; None: no folder was named.

    Raises
    ------
    LoadingError
        If there is no such folder, or a catalog is not well-formed.
    """

    def __init__(self, path: Path, folder: Path | None) -> None:
        if folder is not None and not folder.is_dir():
            raise LoadingError(
                f"{Argument('imports', folder)} is not a folder: name the one with the files"
            )
        self._folders = [path.parent] if folder is None else [folder, path.parent]
        self._folder = folder

    def find(self, iri: str) -> Path | None:
        """Return the file of an import; None where there is none.

        What a catalog says comes first, then the IRI or version IRI that a file of the folder
        states, then a file name that equals the IRI's last part.
        """
        name = bare(iri)
        file = self._by_catalog.get(name)
        if file is not None:
            return file
        last = re.split("[#/]", name)[-1]
        by_name = self._by_name.get(last) or self._by_name.get(unquote(last))
        return self._by_iri.get(name) or by_name

    @cached_property
    def _by_catalog(self) -> dict[str, Path]:
        files: dict[str, Path] = {}
        for folder in self._folders:
            catalog = folder / CATALOG
            if catalog.is_file():
                files = dict(_entries(catalog)) | files
        return files

    @cached_property
    def _files(self) -> list[Path]:
        """The files of the folder, sorted."""
        if self._folder:
            return sorted(p for p in self._folder.iterdir() if p.is_file())
        return []

    @cached_property
    def _by_name(self) -> dict[str, Path]:
        files: dict[str, Path] = {}
        for path in self._files:
            for named in (path, unpacked_name(path)):
                files.setdefault(named.name, path)
                files.setdefault(named.stem, path)
        return files

    @cached_property
    def _by_iri(self) -> dict[str, Path]:
        files: dict[str, Path] = {}
        for path in self._files:
            with suppress(LoadingError):  # files of other content may lie there
                for iri in ontology_iris(read_input(path, LoadingError)):
                    files.setdefault(bare(iri), path)
        return files


def _entries(catalog: Path) -> Iterator[tuple[str, Path]]:
    """Yield the IRIs of a catalog and their files, as far as these exist."""
    data, _ = as_utf8(catalog.read_bytes(), catalog, LoadingError)
    check_doctype(data, catalog, LoadingError)
    bases = [""]
    entries: list[tuple[str, str]] = []
    try:
        for event, element in ElementTree.iterparse(io.BytesIO(data), ("start", "end")):
            if event == "end":
                bases.pop()
                continue
            bases.append(element.get(_BASE, bases[-1]))
            space, _, name = element.tag[1:].rpartition("}")
            iri = element.get(_ENTRIES.get(name, ""), "")
            place = element.get("uri")
            if space == _NAMESPACE and iri and place is not None:
                entries.append((iri, f"{bases[-1]}{place}"))
    except ElementTree.ParseError as reason:
        why = expat.ErrorString(reason.code)
        raise LoadingError(
            f"{catalog}, line {reason.position[0]}: not well-formed XML ({why}): mend or remove it"
        ) from None
    for iri, place in entries:
        file = catalog.parent / unquote(re.sub("^file:(//)?", "", place))
        # addresses of the network have no such file
        if file.is_file():
            yield bare(iri), file


def ontology_iris(data: bytes) -> list[str]:
    r"""Return the ontology IRI and the version IRI that a file states, as far as there are any.

    Examples
    --------
    >>> ontology_iris(b"@prefix : <http://e.org#> .\n<http://e.org> a owl:Ontology .")
    ['http://e.org']
    """
    if is_xml(data):
        return _iris_of_xml(data)
    text = data.decode("utf-8-sig", errors="replace")
    headers = (pattern.search(text) for pattern in _HEADERS)
    return [iri for header in headers if header for iri in header.groups() if iri]


def _iris_of_xml(data: bytes) -> list[str]:
    iris: list[str] = []
    base = ""
    # the files of a folder need not be XML
    with suppress(LoadingError, ElementTree.ParseError, LookupError, ValueError):
        check_doctype(data, "", LoadingError)
        for event, element in ElementTree.iterparse(io.BytesIO(data), ("start", "end")):
            base = base or element.get(_BASE, "")
            is_header = element.tag == f"{{{OWL}}}Ontology"
            if is_header and event == "end":
                break
            if is_header:
                stated = element.get("ontologyIRI", element.get(f"{{{RDF}}}about", ""))
                iris += filter(None, (stated or base, element.get("versionIRI")))
            elif element.tag == f"{{{OWL}}}versionIRI" and event == "start":
                iris.append(element.get(f"{{{RDF}}}resource", ""))
            elif event == "end":
                element.clear()  # a file without a header may be large
    return iris
