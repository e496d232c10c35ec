"""A second process beside the first: it loads ontologies, compiles kernels, draws figures."""

from __future__ import annotations

import gc
import importlib
import logging
import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from logging.handlers import QueueHandler
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from experiments.errors import ExperimentError
from experiments.start import NEW_OBJECTS
from matchers import Candidates
from matchers.warm_up import anything_compiled, compile_for, samples

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from evaluation import Comparison
    from evaluation.measures.threshold_curve import Curve
    from ontologies import Ontology


T = TypeVar("T")

#: What is imported to draw, also what matplotlib imports late.
_DRAWING = (
    "matplotlib.figure",
    "matplotlib.backends.backend_svg",
    "experiments.results.writing",
)


class SecondProcess:
    """A process that does what it is given, in that order, while this one goes on.

    It starts when it is made; leaving the block ends it in any case.

    Parameters
    ----------
    figures
        Folder that figures go to; None draws none.

    Examples
    --------
    >>> from ontologies.tasks import bundled_task
    >>> with SecondProcess(None) as second:
    ...     loaded = second.load(bundled_task("library").target)
    ...     len(loaded())
    72
    """

    def __init__(self, figures: Path | None) -> None:
        self._figures = figures
        self._first_run = not anything_compiled()
        # Answers are read when they come: the process does not wait until somebody asks for them.
        self._reader = ThreadPoolExecutor(1)
        with ExitStack() as block:
            # Not a pipe: it would get stuck if it was full while nobody reads it.
            self._errors = block.enter_context(tempfile.TemporaryFile())
            # -P: modules come from where they are installed, not from the folder this runs in.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "experiments.ranking.second_process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
            )
            self._block = block.pop_all()  # it ends with this object's own

    def __enter__(self) -> SecondProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()
        self._reader.shutdown()
        self._block.close()

    def load(self, path: Path, imports: Path | None = None) -> Callable[[], Ontology]:
        """Let an ontology be loaded; return the function that waits for it.

        What was logged about it is logged here then.

        Parameters
        ----------
        path, imports
            As `ontologies.load_ontology` takes them.

        Returns
        -------
        function
            It raises what `ontologies.load_ontology` raised, and `ExperimentError` if the process
            has ended.
        """
        self._do(_load, path, imports, logging.getLogger().level)
        assert self._process.stdout is not None
        answer = self._reader.submit(pickle.load, self._process.stdout)

        def loaded() -> Ontology:
            try:
                records, ontology, error = answer.result()
            except (EOFError, pickle.UnpicklingError):  # it has ended before, or within its answer
                self._process.wait()
                raise ExperimentError(f"{path} could not be loaded: {self._last_words()}") from None
            for record in records:
                logging.getLogger(record.name).handle(record)
            if error is not None:
                raise error
            result: Ontology = ontology
            return result

        return loaded

    def get_ready_to_draw(self) -> None:
        """Let what drawing needs be imported."""
        if self._figures is not None:
            self._do(_import_all, *_DRAWING)

    def compile(self, metrics: Sequence[str], candidates: Candidates) -> None:
        """Let the kernels of the last metrics be compiled while this process begins with the first.

        Only where nothing at all was compiled when it started, which is the first run after
        installation; what a later run uses for the first time, it compiles itself.

        Parameters
        ----------
        metrics
            Names of those that have kernels.
        candidates
            What will be matched.
        """
        if self._first_run:
            self._do(compile_for, metrics, samples(candidates))

    def draw_curves(self, curves: Mapping[str, Curve]) -> None:
        """Let the figures of systems along the threshold be drawn."""
        from experiments.results.writing import threshold_figures

        if self._figures is not None:
            self._do(_draw, self._figures, threshold_figures, curves)

    def draw_views(self, comparison: Comparison) -> None:
        """Let the figures of a comparison's views be drawn."""
        from experiments.results.writing import drawable_views, view_figures

        if self._figures is not None:
            self._do(_draw, self._figures, view_figures, drawable_views(comparison))

    def wait(self) -> None:
        """Wait until everything is done.

        Raises
        ------
        ExperimentError
            If it could not be.
        """
        self._process.communicate()
        if self._process.returncode != 0:
            raise ExperimentError(
                f"the figures could not be drawn: {self._last_words()}: all other results are "
                "written, and alignrank plot draws figures from them"
            )

    def _last_words(self) -> str:
        if self._process.returncode < 0:
            name = signal.Signals(-self._process.returncode).name
            return f"the process was killed by {name} (is there enough memory?)"
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").split("\n")
        return next((line for line in reversed(lines) if line.strip()), "no message")

    def _do(self, function: Callable[..., object], *arguments: object) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it ended early: whoever waits for it tells why
            pickle.dump((function, arguments), self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()


def _load(path: Path, imports: Path | None, level: int) -> object:
    """Return what was logged, the ontology, and the error: of these two one is None."""
    from ontologies import load_ontology

    root, records = logging.getLogger(), SimpleQueue[logging.LogRecord]()
    root.setLevel(level)
    root.addHandler(handler := QueueHandler(records))
    ontology = problem = None
    try:
        ontology = load_ontology(path, imports=imports)
    except (ValueError, OSError) as error:
        problem = error
    root.removeHandler(handler)
    return [records.get() for _ in range(records.qsize())], ontology, problem


def _import_all(*modules: str) -> None:
    for name in modules:
        importlib.import_module(name)


def _draw(folder: Path, figures: Callable[[T], Mapping[str, Callable[[], Figure]]], of: T) -> None:
    from experiments.results.writing import write_figures

    write_figures(folder, figures(of))


def main() -> None:
    """Do what standard input says, until there is nothing more; answer on standard output."""
    # Ctrl-C is for the first process: it ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(NEW_OBJECTS)
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # what anybody prints is no answer
        for function, arguments in _jobs():
            answer = function(*arguments)
            if answer is not None:
                pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
                answers.flush()
    gc.freeze()  # as `experiments.start` does


def _jobs() -> Iterator[tuple[Callable[..., object], tuple[object, ...]]]:
    with suppress(EOFError):
        while True:
            yield pickle.load(sys.stdin.buffer)


if __name__ == "__main__":
    # functions are sent by the module's own name, which is not the one it has here
    from .second_process import main as work

    work()
