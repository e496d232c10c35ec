"""Where a result comes from: versions, settings, and the files that were read."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata

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
    versions = {}
    for name in LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return versions


def installation() -> list[tuple[str, str]]:
    """Return what a result was computed with, as name and value, for a report's provenance."""
    listed = ", ".join(f"{name} {number}" for name, number in libraries().items())
    return [("alignrank", version()), ("Python", platform.python_version()), ("libraries", listed)]


@dataclass(frozen=True)
class InputFile:
    """A file that a result depends on, and its SHA-256.

    Bytes of the path that are not UTF-8 are written as in Python, as no JSON holds them.
    """

    path: str
    sha256: str

    def __post_init__(self) -> None:
        printable = os.fsencode(self.path).decode("utf-8", "backslashreplace")
        object.__setattr__(self, "path", printable)


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

    settings: Mapping[str, object] = field(default_factory=dict)
    inputs: Mapping[str, InputFile] = field(default_factory=dict)
    version: str = field(default_factory=version)
