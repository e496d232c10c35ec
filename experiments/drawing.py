"""Figures drawn by a second process, which is ready by the time there is something to draw."""

from __future__ import annotations

import importlib
import pickle
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .errors import ExperimentError

if TYPE_CHECKING:
    from evaluation.curves import Curve


class Drawing:
    """A process that draws the figures of a results folder while this one goes on.

    It starts, and imports matplotlib, when it is made; leaving the block ends it in any case.

    Examples
    --------
    >>> with Drawing() as drawing:
    ...     pass
    """

    def __init__(self) -> None:
        # -P: modules come from where they are installed, not from the folder this runs in.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "experiments.drawing"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def __enter__(self) -> Drawing:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def begin(self, folder: Path, content: Mapping[str, Any], curves: Mapping[str, Curve]) -> None:
        """Let the figures be drawn (`experiments.outputs.write_figures`); once only."""
        assert self._process.stdin is not None
        try:
            pickle.dump((folder, content, curves), self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()
        except BrokenPipeError:  # it ended early: `wait` tells why
            pass

    def wait(self) -> None:
        """Wait until all figures are there.

        Raises
        ------
        ExperimentError
            If they could not be drawn.
        """
        _, errors = self._process.communicate()
        if self._process.returncode != 0:
            lines = errors.decode(errors="replace").split("\n")
            why = next((line for line in reversed(lines) if line.strip()), "no message")
            raise ExperimentError(f"the figures could not be drawn: {why}")


def _main() -> None:
    # Ctrl-C is for the first process: it ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What drawing needs is imported while the first process computes.
    for name in ("matplotlib.figure", "networkx"):
        importlib.import_module(name)

    from .outputs import write_figures

    try:
        job = pickle.load(sys.stdin.buffer)
    except EOFError:  # there is nothing to draw
        return
    write_figures(*job)


if __name__ == "__main__":
    _main()
