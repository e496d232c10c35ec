"""A process beside the first that loads an ontology, compiles kernels and draws figures meanwhile.

It saves a fifth of a warm `alignrank rank` on anatomy. Little is imported here, so that it starts
to work before the first process has imported what it needs itself.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from logging.handlers import QueueHandler
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import ParamSpec, TypeVar

from experiments.errors import ExperimentError
from experiments.inputs.named_tasks import PairFiles
from ontologies import Ontology, load_ontology

P = ParamSpec("P")
T = TypeVar("T")
Loaded = tuple[list[logging.LogRecord], Ontology | None, Exception | None]

#: Bytes of an ontology that is loaded in some tenths of a second.
_SMALL = 2_000_000


class Worker:
    """A process that does what it is given, in that order; leaving the block ends it in any case.

    Parameters
    ----------
    files
        A pair of which it loads the largest ontology, and the other one if that is small.

    Attributes
    ----------
    loading
        By path: the function that waits for the ontology, logs here what was logged there, raises
        what `ontologies.load_ontology` raised, and `ExperimentError` if the process has ended.

    Examples
    --------
    >>> with Worker() as worker:
    ...     worker.submit(divmod, 7, 2).result()
    (3, 1)
    """

    def __init__(self, files: PairFiles | None = None) -> None:
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_begin)
        others = multiprocessing.active_children()
        # Ctrl-C is for the first process, which ends this one: it never sees it, not even at first
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._pool.submit(os.getpid)
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        (self.process,) = (p for p in multiprocessing.active_children() if p not in others)
        self.loading: dict[Path, Callable[[], Ontology]] = {}
        if files is not None:
            for path in to_give_away(files.source, files.target):
                self.loading[path] = self.load(path, files.imports)

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.process.kill()
        self._pool.shutdown(cancel_futures=True)

    def submit(
        self, function: Callable[P, T], *arguments: P.args, **options: P.kwargs
    ) -> Future[T]:
        """Let a function be called there; its result can be asked for later."""
        return self._pool.submit(function, *arguments, **options)

    def load(self, path: Path, imports: Path | None = None) -> Callable[[], Ontology]:
        """Let an ontology be loaded; return the function that waits for it."""
        loading = self.submit(_load, path, imports, logging.getLogger().level)

        def loaded() -> Ontology:
            try:
                records, ontology, error = loading.result()
            except BrokenProcessPool:
                raise ExperimentError(f"{path} could not be loaded: {self.last_words()}") from None
            for record in records:
                logging.getLogger(record.name).handle(record)
            if ontology is None:
                raise error or ExperimentError(f"{path} could not be loaded")
            return ontology

        return loaded

    def wait_for(self, drawing: Future[T]) -> T:
        """Return what was drawn.

        Raises
        ------
        ExperimentError
            If it could not be.
        """
        try:
            return drawing.result()
        except BrokenProcessPool:
            why = self.last_words()
        except Exception as error:  # whatever stands in the way, as a broken installation
            why = f"{type(error).__name__}: {error}"
        raise ExperimentError(
            f"the figures could not be drawn: {why}: all other results are written, and alignrank "
            "plot draws figures from them"
        )

    def last_words(self) -> str:
        """Say how the process ended."""
        self.process.join(1)
        code = self.process.exitcode or 0
        how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
        return f"the process was {how} (is there enough memory?)"


def to_give_away(*paths: Path) -> list[Path]:
    """Return which ontologies a worker loads: the largest first, and small ones.

    It has loaded small ones before the first process has imported what it needs itself.
    """
    # another process finds the same file by its name: not /dev/stdin
    files = [
        path
        for path in dict.fromkeys(paths)
        if path.is_file() and path.absolute().parts[1:2] not in (("dev",), ("proc",))
    ]
    by_size = sorted(files, key=lambda path: path.stat().st_size, reverse=True)
    return by_size[:1] + [path for path in by_size[1:] if path.stat().st_size <= _SMALL]


def _begin() -> None:
    """End with the first process, also where that is killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _load(path: Path, imports: Path | None, level: int) -> Loaded:
    """Return what was logged, the ontology, and the error: of these two one is None."""
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
