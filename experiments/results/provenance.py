"""Where a result comes from: settings, inputs, versions, the command that makes it again."""

from __future__ import annotations

import platform
import shlex
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path

#: Options that change what is shown of a result, or where it lies, and not the result.
_OF_THIS_RUN = ("--overwrite", "--resume", "--quiet", "-q", "--json", "--verbose", "-v")
#: Libraries that results depend on; a manifest and a report name their versions.
LIBRARIES = ("matplotlib", "networkx", "numba", "numpy", "owlready2", "rapidfuzz", "scipy")


@cache
def version() -> str:
    """Return alignrank's version; ``unknown`` where it runs from a bare checkout."""
    try:
        return metadata.version("alignrank")
    except metadata.PackageNotFoundError:
        return "unknown"


@cache
def libraries() -> dict[str, str]:
    """Return the versions of the libraries that results depend on, those that are installed."""
    found = {}
    for name in LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def installation() -> list[tuple[str, str]]:
    """Return what a result was computed with, as name and value, for a report's provenance."""
    listed = ", ".join(f"{name} {number}" for name, number in libraries().items())
    return [
        ("alignrank", version()),
        ("Python", platform.python_version()),
        ("libraries", listed),
    ]


def command() -> str:
    """Return the command line that makes the same results again, in a folder ``results``.

    Empty where no command was given, but a function called.
    """
    program, *arguments = sys.argv
    if Path(program).name != "alignrank":
        return ""
    kept, place = [], None
    for k, argument in enumerate(arguments):
        if argument in ("--out", "-o"):
            place = k + 1
        elif k == place or argument.startswith("--out="):
            kept += ["--out", "results"]
        elif argument not in _OF_THIS_RUN:
            kept.append(argument)
    return shlex.join(["alignrank", *kept])


@dataclass(frozen=True)
class InputFile:
    """A file that a result depends on, and its SHA-256."""

    path: str
    sha256: str


@dataclass(frozen=True)
class Provenance:
    """Where a result comes from.

    Parameters
    ----------
    settings
        Every choice by name, the command first.
    inputs
        Every file that was read, by its role.
    version
        alignrank's own.
    """

    settings: Mapping[str, object]
    inputs: Mapping[str, InputFile]
    version: str = field(default_factory=version)
