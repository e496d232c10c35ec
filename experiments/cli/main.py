"""The start and end of a command: streams, exit codes, one line for an error of the user."""

from __future__ import annotations

import copy
import errno
import io
import logging
import sys
from pathlib import Path
from typing import Any

import typer

from .app import app

#: Base of every usage error that the command line's parser raises.
_USAGE_ERROR: Any = typer.BadParameter.__mro__[1]

#: What to do about an error of the file system.
_NEXT_STEP = {
    errno.ENOENT: "check the path",
    errno.EACCES: "ask for the right to use it, or name another",
    errno.EISDIR: "name a file in it",
    errno.EROFS: "name a place that can be written to",
    errno.ENOSPC: "free some space, or name another place",
    errno.ENOTDIR: "a part of this path is a file, not a folder",
    errno.ENAMETOOLONG: "choose a shorter name",
}


def main() -> None:
    """Run the command line: exit code 0 done, 1 findings, 2 bad input or usage.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C, when everything is tidied up (`experiments.start` makes exit code 130 of it).
    """
    from experiments.report.progress_bars import hide_bars

    logging.basicConfig(format="alignrank: %(message)s", level=logging.WARNING)
    for stream in (sys.stdout, sys.stderr):  # a name that the terminal cannot show is no failure
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.path.append(str(Path.cwd()))  # a metric of the user's own may lie in the current folder
    try:
        try:
            arguments = _common_first(sys.argv[1:])
            code = _narrowed(arguments)(arguments, standalone_mode=False)
        finally:
            hide_bars()
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        code = 0  # the reader of our output has left; results were written before
    except (ValueError, OSError, MemoryError) as error:
        code = _complain(error)
    except _USAGE_ERROR as error:
        code = _complain(error)
    if code == 130:  # the parser makes a number of Ctrl-C
        raise KeyboardInterrupt
    sys.exit(code if isinstance(code, int) else 0)


def _narrowed(arguments: list[str]) -> typer.Typer:
    """Return the command line with the command asked for alone: it takes time to make them all."""
    asked = next((argument for argument in arguments if not argument.startswith("-")), None)
    narrowed = copy.copy(app)
    narrowed.registered_commands = [c for c in app.registered_commands if c.name == asked]
    narrowed.registered_groups = [g for g in app.registered_groups if g.name == asked]
    known = asked and (narrowed.registered_commands or narrowed.registered_groups)
    return narrowed if known else app


def _common_first(arguments: list[str]) -> list[str]:
    """Put options that all commands share in front, so that they may stand anywhere."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    common = [a for a in arguments[:end] if a in ("--quiet", "--json", "--verbose")]
    rest = [a for a in arguments[:end] if a not in common]
    return [*common, *rest, *arguments[end:]]


def _complain(error: BaseException) -> int:
    """Print one line for an error that the user can mend; anything else is ours and is raised."""
    from evaluation.errors import EvaluationError
    from experiments.errors import ExperimentError
    from matchers.errors import MatcherError
    from ontologies.errors import OntologyError

    ours = (OntologyError, MatcherError, EvaluationError, ExperimentError, OSError)
    if isinstance(error, ValueError) and not isinstance(error, ours):
        raise error
    if isinstance(error, MemoryError):
        text = f"not enough memory ({error}): match in tiles with a threshold, or fewer kinds"
    elif isinstance(error, OSError) and error.filename:
        reason = (error.strerror or "it cannot be used").lower()
        todo = _NEXT_STEP.get(error.errno or 0, "name another")
        text = f"{error.filename}: {reason}: {todo}"
    elif isinstance(error, _USAGE_ERROR):
        context = getattr(error, "ctx", None)
        said = error.format_message().rstrip(".")
        parameter = getattr(error, "param", None)
        if said.startswith("Missing") and parameter is not None:
            said += f": {parameter.help or ''}".rstrip(": .")
        if said.startswith("Usage:"):  # no arguments at all: help is what is wanted
            print(said, file=sys.stderr)
            return 2
        said = said.replace("Input should be", "it must be").partition(", unable to parse")[0]
        text = f"{said} (see {context.command_path if context else 'alignrank'} --help)"
    else:
        text = str(error.args[0]) if hasattr(error, "mistakes") else str(error)
    lines = [text, *getattr(error, "mistakes", ())]
    print("alignrank: error:", "\n  ".join(" ".join(x.split()) for x in lines), file=sys.stderr)
    return 2
