"""A process beside the first that loads an ontology, compiles kernels and draws figures meanwhile.

It saves a fifth of a warm `alignrank rank` on anatomy. Little is imported here, so that it starts
to work before the first process has imported what it needs itself.
"""

from __future__ import annotations

import errno
import gc
import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from contextvars import ContextVar
from logging.handlers import QueueHandler
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import ParamSpec, TypeVar

from alignrank.common.progress import phase
from alignrank.experiments.errors import ExperimentError
from alignrank.ontologies import Ontology, load_ontology

#: Errors of the disk itself.
_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
#: Bytes of an ontology that is loaded in some tenths of a second.
_SMALL = 2_000_000
P = ParamSpec("P")
T = TypeVar("T")
Loaded = tuple[list[logging.LogRecord], Ontology | None, Exception | None]


class Worker:
    """A process that does what it is given, in that order; leaving the block ends it in any case.

    Parameters
    ----------
    paths, imports
        Ontologies that it loads at once, and a folder with local copies of what they import.

    Attributes
    ----------
    loading
        By path: the function that waits for the ontology, logs here what was logged there, raises
        what `alignrank.ontologies.load_ontology` raised, and `ExperimentError` if the process has
        ended.

    Examples
    --------
    >>> with Worker() as worker:
    ...     worker.submit(divmod, 7, 2).result()
    (3, 1)
    """

    def __init__(self, paths: Sequence[Path] = (), imports: Path | None = None) -> None:
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
        # Only the process sends results. If this one could, too, it would wait without end for the
        # rest of what the process was killed in the middle of sending. No interface closes its end.
        self._pool._result_queue._writer.close()  # type: ignore[attr-defined]  # as said above
        self.loading = {path: self.load(path, imports) for path in paths}

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
        try:
            return self._pool.submit(function, *arguments, **options)
        except BrokenProcessPool as error:  # it was killed: whoever asks for the result is told
            ended = Future[T]()
            ended.set_exception(error)
            return ended

    def load(self, path: Path, imports: Path | None = None) -> Callable[[], Ontology]:
        """Let an ontology be loaded; return the function that waits for it."""
        loading = self.submit(_load, path, imports)

        def loaded() -> Ontology:
            try:
                with phase(f"loading {path.name}"):
                    records, ontology, error = loading.result()
            except BrokenProcessPool:
                raise ExperimentError(f"{path} could not be loaded: {self.last_words()}") from None
            for record in records:
                logger = logging.getLogger(record.name)
                if logger.isEnabledFor(record.levelno):
                    logger.handle(record)
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
        OSError
            If the disk is full or fails: what else is to be written would meet the same.
        """
        try:
            return drawing.result()
        except BrokenProcessPool:
            why = self.last_words()
        except Exception as error:  # whatever stands in the way, as a broken installation
            if isinstance(error, OSError) and error.errno in _DISK:
                raise
            why = f"{type(error).__name__}: {error}"
        raise ExperimentError(
            f"the figures could not be drawn: {why}: all other results are written, and alignrank "
            "report draws figures from them"
        )

    def last_words(self) -> str:
        """Say how the process ended."""
        for _ in range(100):  # the pool's own thread waits for the process, too: let it finish
            if (code := self.process.exitcode) is not None:
                break
            time.sleep(0.01)
        code = code or 0
        how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
        return f"the process was {how} (is there enough memory?)"


#: What has begun to load an ontology before the options are known, if anything has.
BEGUN: ContextVar[Worker | None] = ContextVar("begun", default=None)


@contextmanager
def begun(paths: Sequence[Path]) -> Iterator[None]:
    """Have a worker load ontologies that the block may want: `BEGUN` holds it."""
    with Worker(paths) as worker:
        token = BEGUN.set(worker)
        try:
            yield
        finally:
            BEGUN.reset(token)


def to_load(*paths: Path) -> list[Path]:
    """Return the files that another process can read again, the largest first."""
    # it finds the same file by its name: not /dev/stdin
    files = [
        path
        for path in dict.fromkeys(paths)
        if path.is_file() and path.absolute().parts[1:2] not in (("dev",), ("proc",))
    ]
    return sorted(files, key=lambda path: path.stat().st_size, reverse=True)


def named_in(arguments: Sequence[str]) -> list[Path]:
    """Return which ontologies of `alignrank rank` a worker loads before the options are known.

    The larger one, and a small one too: both are there before this process has imported what it
    needs itself, which saves .4 s. None where their imports are to be looked for.
    """
    if any(argument.startswith(("--imports", "--help", "-h")) for argument in arguments):
        return []
    paths = [Path(argument) for argument in arguments if not argument.startswith("-")]
    files = to_load(*[path for path in paths if path.is_file()][:2])
    return files[:1] + [path for path in files[1:] if path.stat().st_size <= _SMALL]


def _begin() -> None:
    """Look for garbage seldom: nearly all that is made stays; and end with the first process."""
    gc.set_threshold(50_000)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _load(path: Path, imports: Path | None) -> Loaded:
    """Return what was logged, the ontology, and the error: of these two one is None."""
    root, records = logging.getLogger(), SimpleQueue[logging.LogRecord]()
    root.setLevel(logging.INFO)
    root.addHandler(handler := QueueHandler(records))
    ontology = problem = None
    try:
        ontology = load_ontology(path, imports=imports)
    except (ValueError, OSError) as error:
        problem = error
    root.removeHandler(handler)
    return [records.get() for _ in range(records.qsize())], ontology, problem
