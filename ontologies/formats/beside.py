"""What rows cannot say about an alignment: ontologies and metadata, in a file beside the table.

The file is named as the W3C recommendation "Metadata Vocabulary for Tabular Data" (CSV on the Web,
2015) names it, ``<table>-metadata.json``, and is a document of that kind.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ontologies.common.files import write_text

from ..alignment import Alignment
from ..errors import AlignmentError


def beside(path: str | os.PathLike[str]) -> Path:
    """Return the file beside a table that holds what the table cannot.

    Examples
    --------
    >>> beside("out/mine.csv").name
    'mine.csv-metadata.json'
    """
    path = Path(path)
    return path.with_name(f"{path.name}-metadata.json")


def beside_facts(alignment: Alignment) -> dict[str, Any]:
    """Return what rows cannot say about an alignment; nothing where there is nothing to say."""
    facts = {
        "ontology1": alignment.ontology1,
        "ontology2": alignment.ontology2,
        "metadata": dict(sorted(alignment.metadata.items())),
    }
    return {key: value for key, value in facts.items() if value}


def read_facts(facts: Any, where: str) -> dict[str, Any]:
    """Return what `beside_facts` wrote, as keyword arguments of an alignment."""
    try:
        return {
            "ontology1": str(facts.get("ontology1", "")),
            "ontology2": str(facts.get("ontology2", "")),
            "metadata": {str(k): str(v) for k, v in facts.get("metadata", {}).items()},
        }
    except AttributeError:
        raise AlignmentError(
            f"{where}: these are not an alignment's ontologies and metadata"
        ) from None


def write_beside(alignment: Alignment, path: str | os.PathLike[str]) -> Path | None:
    """Write the file beside the table `path`; where there is nothing to say, remove an old one."""
    target = beside(path)
    facts = beside_facts(alignment)
    if not facts:
        target.unlink(missing_ok=True)
        return None
    document = {
        "@context": "http://www.w3.org/ns/csvw",
        "url": Path(path).name,
        "notes": [facts],
    }
    write_text(target, json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    return target


def read_beside(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return ontologies and metadata as keyword arguments; nothing where there is no such file."""
    target = beside(path)
    if not target.is_file():
        return {}
    try:
        facts = json.loads(target.read_text(encoding="utf-8"))["notes"][0]
    except (ValueError, LookupError, TypeError):
        raise AlignmentError(
            f"{target} does not hold the ontologies and metadata of {Path(path).name}: mend or "
            "remove it"
        ) from None
    return read_facts(facts, os.fspath(target))
