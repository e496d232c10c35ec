"""Matching tasks: two ontologies, the reference between them, and systems' alignments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from .errors import OntologyError

#: Our own ontology pairs, the one for a first look in front.
BUNDLED = ("library", "petclinic", "citytransit", "foodchain", "vehicles")


@dataclass(frozen=True)
class MatchingTask:
    """The files of one matching task.

    Parameters
    ----------
    name
        What the task is called in tables and on the command line.
    source, target
        The ontologies to match.
    reference
        The reference alignment.
    alignments
        Alignment file of each system that is bundled with the task, by the system's name.
    """

    name: str
    source: Path
    target: Path
    reference: Path
    alignments: Mapping[str, Path] = field(default_factory=dict)


def bundled_folder(name: str) -> Path:
    """Return the folder of a bundled data set: an ontology pair, or ``synsets`` (tables only).

    Parameters
    ----------
    name
        One of `BUNDLED`, or ``synsets``.

    Raises
    ------
    OntologyError
        If there is no data set of that name.

    Examples
    --------
    >>> (bundled_folder("library") / "README.md").exists()
    True
    """
    known = (*BUNDLED, "synsets")
    if name not in known:
        raise OntologyError(f"no bundled data set is named {name!r}: use one of {', '.join(known)}")
    return Path(str(files("ontologies") / "bundled" / name))


def bundled_task(name: str) -> MatchingTask:
    """Return one of our own ontology pairs.

    Parameters
    ----------
    name
        One of `BUNDLED`.

    Raises
    ------
    OntologyError
        If there is no pair of that name.

    Examples
    --------
    >>> task = bundled_task("library")
    >>> task.source.name, sorted(task.alignments)
    ('source.owl', ['system_bad', 'system_good', 'system_near_miss'])
    """
    if name not in BUNDLED:
        raise OntologyError(f"no bundled pair is named {name!r}: use one of {', '.join(BUNDLED)}")
    folder = bundled_folder(name)
    return MatchingTask(
        name=name,
        source=folder / "source.owl",
        target=folder / "target.owl",
        reference=folder / "reference.rdf",
        alignments={path.stem: path for path in sorted((folder / "alignments").glob("*.rdf"))},
    )


def bundled_tasks() -> list[MatchingTask]:
    """Return all our own ontology pairs, in the order of `BUNDLED`."""
    return [bundled_task(name) for name in BUNDLED]
