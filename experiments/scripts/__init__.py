"""Experiments of papers as scripts of 20 to 40 lines: read, run, copy, change."""

import sys
from types import TracebackType
from typing import NoReturn


def stop() -> NoReturn:
    """End a script after Ctrl-C."""
    print("stopped: the same command goes on from here", file=sys.stderr)
    sys.exit(130)


def _end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Show an error as Python does; after Ctrl-C, end without a traceback."""
    # Python 3.11 wraps what is raised while a class is made
    if isinstance(error.__cause__ or error, KeyboardInterrupt):
        stop()
    sys.__excepthook__(kind, error, trace)


# a script's imports take a second; while Python looks for the script it is called so
if sys.argv[:1] == ["-m"]:
    sys.excepthook = _end
