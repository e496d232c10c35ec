"""The cautions and the provenance of a result."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import metadata
from pathlib import Path

from .errors import Argument, Message


@dataclass(frozen=True)
class Caution:
    """A sentence that the reader of a result must know, and its subject.

    Parameters
    ----------
    kind
        A short name, such as ``views-disagree``: renderers choose and order cautions by it.
    text
        The sentence.
    view
        The view of the comparison that the caution is about; None: about the whole result.
    system
        The system that the caution is about, None where it is about several or none.
    parts
        Texts and arguments that make the sentence, where it names arguments: each reader reads them
        as he writes them.

    Examples
    --------
    >>> str(Caution("few-cases", "take the exact test", view="ifp"))
    'ifp: take the exact test'
    """

    kind: str
    text: str
    view: str | None = None
    system: str | None = None
    parts: tuple[str | Argument, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.parts:  # as read from a file
            object.__setattr__(self, "text", Message(*self.parts))
        elif isinstance(self.text, Message):
            object.__setattr__(self, "parts", self.text.parts)

    def after(self, words: str) -> Caution:
        """Return the caution with words before its sentence."""
        parts = (words, *self.parts) if self.parts else ()
        return replace(self, text=words + self.text, parts=parts)

    def __str__(self) -> str:
        if self.view is None:
            return str(self.text)
        return f"{self.view}: {self.text}"


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
    """Return the versions of the installed libraries that results depend on."""
    versions = {}
    for name in LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return versions


def installation() -> list[tuple[str, str]]:
    """Return the software behind a result, as name and value, for a report's provenance."""
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


#: Options that change what is shown of a result, or where it lies, and not the result.
_OF_THIS_RUN = ("--overwrite", "--resume", "--quiet", "-q", "--json", "--verbose", "-v")


def command() -> str:
    """Return the command line that makes the same results again, in a folder ``results``.

    Empty where no command was given, but a function called.
    """
    program, *arguments = sys.argv
    if Path(program).name != "alignrank":
        return ""
    arguments_kept = []
    place = None
    for k, argument in enumerate(arguments):
        if argument in ("--out", "-o"):
            place = k + 1
        elif k == place or argument.startswith("--out="):
            arguments_kept += ["--out", "results"]
        elif argument not in _OF_THIS_RUN:
            arguments_kept.append(argument)
    return shlex.join(["alignrank", *arguments_kept])
