"""Read hostile files in forked workers, within limits, and judge how each is answered."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import NamedTuple

from alignrank.common.errors import EvaluationError, MatcherError, OntologyError
from alignrank.common.names import line_of
from alignrank.experiments.errors import ExperimentError
from tests.hostile.readers import KINDS, Case

PROJECT = Path(__file__).parents[2]
#: Our own errors: what is wrong is the file, and its user can mend it.
OURS = (OntologyError, MatcherError, EvaluationError, ExperimentError)
#: How a case is answered well.
WELL = ("read", "refused")
#: A worker is replaced after so many cases, lest one case suffer from all before it.
_CASES_OF_A_WORKER = 400
_FORK = multiprocessing.get_context("fork")


class Outcome(NamedTuple):
    """How a case was answered: one of `WELL`, or what went wrong; and what was said."""

    kind: str
    said: str = ""

    @property
    def well(self) -> bool:
        return self.kind in WELL


class Limits(NamedTuple):
    """What reading a file may take: seconds of computing and of waiting, and bytes."""

    seconds: float = 10
    waiting: float = 100
    memory: int = 1 << 30


LIMITS = Limits()


class Worker:
    """A process that reads one case after the other; one that dies of a case is replaced."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self.case: Case | None = None
        self._start()

    def _start(self) -> None:
        self._given = 0
        self.connection, theirs = _FORK.Pipe()
        self._process = _FORK.Process(target=_serve, args=(theirs, self._limits), daemon=True)
        self._process.start()
        theirs.close()

    def give(self, case: Case) -> None:
        """Let the worker read a case."""
        if self._given >= _CASES_OF_A_WORKER:
            self.stop()
            self._start()
        self._given += 1
        self.case, self._since = case, time.monotonic()
        self.connection.send(case)

    @property
    def overdue(self) -> bool:
        return time.monotonic() - self._since > self._limits.waiting

    def outcome(self) -> Outcome:
        """Return how its case was answered, when there is an answer or none will come."""
        self.case = None
        if self.overdue and not self.connection.poll():
            self.stop()
            self._start()
            return Outcome("time", "it waits")
        try:
            kind, said = self.connection.recv()
            return Outcome(kind, said)
        except EOFError:
            self._process.join()
            code = self._process.exitcode or 0
            self._start()
            if -code == signal.SIGPROF:
                return Outcome("time", "it computes")
            return Outcome("signal" if code < 0 else "exit", str(abs(code)))

    def answer(self, case: Case) -> Outcome:
        """Return how a case is answered."""
        self.give(case)
        self.connection.poll(self._limits.waiting)
        return self.outcome()

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self.connection.close()


@contextlib.contextmanager
def workers(number: int, limits: Limits = LIMITS) -> Iterator[list[Worker]]:
    """Give some workers; they end with the block."""
    all_workers = [Worker(limits) for _ in range(number)]
    try:
        yield all_workers
    finally:
        for worker in all_workers:
            worker.stop()


def answers(
    cases: Iterable[Case], number: int = 2, limits: Limits = LIMITS
) -> Iterator[tuple[Case, Outcome]]:
    """Yield how each case is answered, as it is."""
    waiting = iter(cases)
    with workers(number, limits) as all_workers:
        for worker, case in zip(all_workers, waiting, strict=False):
            worker.give(case)
        while busy := [worker for worker in all_workers if worker.case]:
            ready = wait([worker.connection for worker in busy], timeout=1)
            for worker in busy:
                if worker.connection in ready or worker.overdue:
                    case = worker.case
                    assert case is not None
                    yield case, worker.outcome()
                    following = next(waiting, None)
                    if following is not None:
                        worker.give(following)


def _serve(connection: Connection, limits: Limits) -> None:
    """Read cases until there are no more: what a worker does."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sys.dont_write_bytecode = True
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + limits.memory, resource.RLIM_INFINITY))
    while True:
        try:
            case: Case = connection.recv()
        except EOFError:
            return
        before = _seconds_of_children()
        signal.setitimer(signal.ITIMER_PROF, limits.seconds)
        outcome = read_case(case)
        signal.setitimer(signal.ITIMER_PROF, 0)
        if _seconds_of_children() - before > limits.seconds:
            outcome = Outcome("time", "a process of its own computes")
        connection.send(tuple(outcome))


def _seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def read_case(case: Case) -> Outcome:
    """Read a case's file in a folder of its own, and judge how that ends."""
    kind = KINDS[case.category]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder, kind.name)
        path.write_bytes(case.data)
        try:
            kind.read(path)
            return Outcome("read")
        except OURS as error:
            files = [file.name for file in Path(folder).rglob("*")]
            named = [*files, "metric 'hostile:f'", "alignment 'hostile'"]
            return _judged(line_of(str(error)).replace(folder, "…"), named)
        except OSError as error:  # the command line names its file and what to do
            return Outcome("refused" if error.filename else "traceback", _place(error))
        except MemoryError as error:
            return Outcome("memory", _place(error))
        except BaseException as error:
            return Outcome("traceback", _place(error))


def _judged(sentence: str, named: list[str]) -> Outcome:
    """Judge a refusal, as the command line prints it: it names the file, or what it held."""
    if not any(name in sentence for name in named):
        return Outcome("names no file", sentence)
    return Outcome("refused", sentence)


def _place(error: BaseException) -> str:
    """Return an error's type and the last place in our own code that it came by."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [
        f for f in frames if f.filename.startswith(str(PROJECT)) and "/tests/" not in f.filename
    ]
    last = (ours or frames)[-1]
    file = last.filename.removeprefix(f"{PROJECT}/")
    return f"{type(error).__name__} at {file}:{last.lineno} ({str(error)[:120]!r})"
