"""What the command line names: systems as ``NAME=FILE`` or ``FILE``, and their names on disk."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from experiments.errors import ExperimentError
from ontologies import Alignment, read_alignment


def slug(name: str) -> str:
    """Return a name that any file system takes.

    Examples
    --------
    >>> slug("rapidfuzz:ratio"), slug("N-gram (3)"), slug("../../etc")
    ('rapidfuzz-ratio', 'N-gram-3', 'etc')
    """
    return re.sub(r"[^\w.-]+", "-", name).strip("-._")[:100] or "unnamed"


def slugs(names: Sequence[str]) -> dict[str, str]:
    """Return the slug of each name.

    Raises
    ------
    ExperimentError
        If two names have the same slug (also when only upper and lower case differ).
    """
    found: dict[str, str] = {}
    taken: dict[str, str] = {}
    for name in names:
        short = slug(name)
        if short.lower() in taken:
            raise ExperimentError(
                f"the names {taken[short.lower()]!r} and {name!r} give the same file name "
                f"{short!r}: rename one with NAME=FILE"
            )
        taken[short.lower()] = name
        found[name] = short
    return found


def named_files(specs: Iterable[str]) -> dict[str, Path]:
    """Return the file of each system from ``NAME=FILE`` or ``FILE`` (named by its stem).

    Raises
    ------
    ExperimentError
        If a name is empty or comes twice.
    """
    files: dict[str, Path] = {}
    for spec in specs:
        name, sign, rest = spec.partition("=")
        named = sign and rest and not Path(spec).exists()
        path = Path(rest if named else spec)
        name = name if named else path.stem
        if not name or not name.isprintable():
            raise ExperimentError(f"{spec!r} gives no name that can be printed: write NAME=FILE")
        if name in files:
            raise ExperimentError(
                f"two systems are called {name!r} ({files[name]} and {path}): "
                "name one of them with NAME=FILE"
            )
        files[name] = path
    return files


def read_systems(files: Mapping[str, Path]) -> dict[str, Alignment]:
    """Read each system's alignment file."""
    return {name: read_alignment(path, name=name) for name, path in files.items()}


def read_reference(path: Path) -> Alignment:
    """Read a reference alignment.

    Raises
    ------
    ExperimentError
        If it holds no correspondence: nothing could be judged by it.
    """
    reference = read_alignment(path)
    if not any(c.relation != "?" for c in reference):
        raise ExperimentError(
            f"{path} holds no correspondence to judge by: is it the reference alignment?"
        )
    return reference
