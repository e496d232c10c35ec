"""The command line that makes the same results again."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

#: Options that change what is shown of a result, or where it lies, and not the result.
_OF_THIS_RUN = ("--overwrite", "--resume", "--quiet", "-q", "--json", "--verbose", "-v")


def command() -> str:
    """Return the command line that makes the same results again, in a folder ``results``.

    Empty where no command was given, but a function called.
    """
    program, *arguments = sys.argv
    if Path(program).name != "alignrank":
        return ""
    arguments_kept, place = [], None
    for k, argument in enumerate(arguments):
        if argument in ("--out", "-o"):
            place = k + 1
        elif k == place or argument.startswith("--out="):
            arguments_kept += ["--out", "results"]
        elif argument not in _OF_THIS_RUN:
            arguments_kept.append(argument)
    return shlex.join(["alignrank", *arguments_kept])
