"""A second process beside the first: it compiles kernels, and draws what can be drawn."""

from __future__ import annotations

import importlib
import pickle
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .errors import ExperimentError

if TYPE_CHECKING:
    from evaluation.curves import Curve
    from matchers import Candidates


class Drawing:
    """A process that draws the figures of a results folder while this one goes on.

    It starts, and imports matplotlib, when it is made; leaving the block ends it in any case.

    Parameters
    ----------
    folder
        Where the figures go.

    Examples
    --------
    >>> with Drawing(Path("figures")) as drawing:
    ...     pass
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # Not a pipe: it would get stuck if it was full while nobody reads it.
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - `__exit__` closes it
        # -P: modules come from where they are installed, not from the folder this runs in.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "experiments.drawing"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
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
        self._errors.close()

    def compile(self, metrics: Sequence[str], candidates: Candidates) -> None:
        """Let the kernels of the last metrics be compiled while this process begins with the first.

        Only where nothing at all was compiled before, which is the first run after installation;
        what a later run uses for the first time, it compiles itself.

        Parameters
        ----------
        metrics
            Names of those that have kernels.
        candidates
            What will be matched.
        """
        from matchers.compiling import anything_compiled, compile_for, samples

        if not anything_compiled():
            self._do(compile_for, metrics, samples(candidates))

    def draw_curves(self, curves: Mapping[str, Curve]) -> None:
        """Let the figures of systems along the threshold be drawn."""
        from .outputs import write_curves

        self._do(write_curves, self._folder, curves)

    def draw_views(self, content: Mapping[str, Any]) -> None:
        """Let the figures of a comparison's views be drawn."""
        from .outputs import write_views

        self._do(write_views, self._folder, content)

    def wait(self) -> None:
        """Wait until all figures are there.

        Raises
        ------
        ExperimentError
            If they could not be drawn.
        """
        self._process.communicate()
        if self._process.returncode != 0:
            self._errors.seek(0)
            lines = self._errors.read().decode(errors="replace").split("\n")
            why = next((line for line in reversed(lines) if line.strip()), "no message")
            raise ExperimentError(f"the figures could not be drawn: {why}")

    def _do(self, function: Callable[..., None], *arguments: object) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it ended early: `wait` tells why
            pickle.dump((function, arguments), self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()


def _main() -> None:
    # Ctrl-C is for the first process: it ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What drawing needs is imported while the first process computes.
    for name in ("matplotlib.figure", "networkx", "experiments.outputs"):
        importlib.import_module(name)
    while True:
        try:
            function, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:  # there is nothing more to do
            return
        function(*arguments)


if __name__ == "__main__":
    from experiments.drawing import _main as main  # functions are sent by the module's own name

    main()
