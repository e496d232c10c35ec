"""Where tasks run: on threads of this process, or on the workers of a Dask cluster.

Whoever has tasks asks for the `executor`; whoever starts the work chooses, with `using`. Placing
tasks, taking them from slow workers, doing those of a lost worker again: all that is Dask's.
"""

from __future__ import annotations

import logging
import os
import sys
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from math import ceil
from pathlib import Path
from queue import SimpleQueue
from threading import get_ident
from typing import TYPE_CHECKING, TypeVar
from uuid import uuid4

from alignrank.common.errors import Argument, Spelling, current_spelling, spelled

from .names import one_line

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")
Task = TypeVar("Task", bound=tuple[object, ...])

#: Of a cluster: the least seconds of a task, and how many more for each thread that it has, so that
#: its scheduler, which needs some two milliseconds for a task, is never what is waited for.
SECONDS, SECONDS_EACH = 1.0, 0.01

#: Slabs of equal size for each thread: none waits for long for another's last one.
TASKS_EACH = 4

#: Dask's settings for workers started here, which else wake up fifty times a second, all day long,
#: and give memory back that the next tile needs again. A stated trim threshold ends glibc's own
#: adjustment of the other one: every large array would be new pages.
_QUIET = {
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.profile.enabled": False,
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 2**26,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 2**25,
}

#: The only address at which they listen.
_LOOPBACK = "127.0.0.1"

#: What they run first: Ctrl-C, which a terminal sends to them too, ends them without a word; and
#: where the work ends early, they do not print that the scheduler is gone.
_START = """
import logging, signal
signal.signal(signal.SIGINT, signal.SIG_DFL)
logging.getLogger("distributed").setLevel(logging.CRITICAL)
"""


class Executor:
    """Runs tasks on threads of this process.

    Parameters
    ----------
    threads
        None: one per processor that this process may use.

    Attributes
    ----------
    seconds
        How long a task has to take to be worth its way.
    """

    seconds = 0.0

    def __init__(self, threads: int | None = None) -> None:
        self._threads = threads or available_processors()

    def at_once(self) -> int:
        """Return how many tasks run at a time."""
        return self._threads

    def places(self) -> int:
        """Return in how many memories tasks run: each needs its own of what tasks share."""
        return 1

    def put(self, make: Callable[..., T], *arguments: object) -> T:
        """Make something that tasks take as an argument; return it, or what stands for it."""
        return make(*arguments)

    def run(
        self, work: Callable[..., T], tasks: Iterable[Task]
    ) -> Generator[tuple[Task, T], None, None]:
        """Do tasks, and yield each with its result as they come.

        Few tasks are begun before they are asked for: there may be any number of them, and what
        they are may depend on earlier results. After an exception, a keyboard interrupt too, no
        further task is begun.

        Parameters
        ----------
        work
            Is called with the arguments that a task consists of.
        tasks
            Tuples of arguments; what `put` returned stands for what it made.

        Examples
        --------
        >>> sorted(result for _, result in Executor(2).run(pow, [(2, 3), (3, 2)]))
        [8, 9]
        """
        if self._threads == 1:
            for task in tasks:
                yield task, work(*task)
            return
        with ThreadPoolExecutor(self._threads) as pool:
            yield from self._run(pool.submit, work, tasks)

    def _run(
        self, submit: Callable[..., Future[T]], work: Callable[..., T], tasks: Iterable[Task]
    ) -> Generator[tuple[Task, T], None, None]:
        """Run tasks by a function that begins one and returns its future."""
        finished: SimpleQueue[Future[T]] = SimpleQueue()
        running: dict[Future[T], Task] = {}
        coming = iter(tasks)

        def begin() -> None:
            for task in islice(coming, max(0, 2 * self.at_once() - len(running))):
                future = submit(work, *task)
                running[future] = task
                future.add_done_callback(finished.put)

        try:
            begin()
            while running:
                future = finished.get()
                yield running.pop(future), future.result()
                begin()
        finally:
            for future in running:
                future.cancel()


class ClusterExecutor(Executor):
    """Runs tasks on the workers of a Dask cluster.

    Parameters
    ----------
    client
        Connected to the scheduler; workers may come and go.

    Attributes
    ----------
    thread
        The thread that uses the cluster.

    Raises
    ------
    ConnectionError
        If the cluster has no worker within half a minute, a worker has another version of this
        program, or, of `run`, one task has brought down several workers, or the scheduler is lost.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self.thread = get_ident()
        self._known_at = 0.0
        self._known = {"": 1}
        try:
            client.wait_for_workers(1, timeout=30)
            same = {_code(), *client.run(_code).values()} == {_code()}
        except TimeoutError:
            advice = "start one with dask worker ADDRESS"
            raise ConnectionError(f"the Dask cluster has no worker: {advice}") from None
        except ImportError:
            same = False
        if not same:
            raise ConnectionError("a worker has not this version of alignrank: install it there")

    def _workers(self) -> dict[str, int]:
        """Return the threads of each worker, as of some seconds ago."""
        if time.monotonic() > self._known_at + 5:
            self._known = self._client.nthreads() or {"": 1}
            self.seconds = SECONDS + SECONDS_EACH * sum(self._known.values())
            self._known_at = time.monotonic()
        return self._known

    def at_once(self) -> int:
        """Return how many threads the workers have."""
        return sum(self._workers().values())

    def places(self) -> int:
        """Return how many workers there are."""
        return len(self._workers())

    def put(self, make: Callable[..., T], *arguments: object) -> T:
        """Let a worker make something; others are sent it, and what is lost is made again."""
        future: T = self._client.submit(
            make, *arguments, pure=False
        )  # a future, which stands for it
        return future

    def _submit(self, work: Callable[..., T], *task: object) -> Future[T]:
        # in a group of its own: Dask sends what few groups share to every worker
        future: Future[T] = self._client.submit(work, *task, key=(f"{work.__name__}-{uuid4()}", 0))
        return future

    def run(
        self, work: Callable[..., T], tasks: Iterable[Task]
    ) -> Generator[tuple[Task, T], None, None]:
        """Do tasks on the workers, as `Executor.run`."""
        from distributed import CancelledError, KilledWorker  # what a single machine never needs

        try:
            yield from self._run(self._submit, work, tasks)
        except KilledWorker as error:
            raise ConnectionError(f"{error}: have the workers enough memory?") from None
        except CancelledError:
            raise ConnectionError("the Dask scheduler is lost: start it and this again") from None


@dataclass(frozen=True)
class Cluster:
    """Where to compute, as a command is told.

    Parameters
    ----------
    scheduler
        Address of a Dask scheduler, as ``tcp://HOST:8786``; workers have alignrank installed.
    workers
        Number of processes to start on this machine, instead.
    """

    scheduler: str | None = None
    workers: int | None = None

    @contextmanager
    def used(self) -> Iterator[None]:
        """Run tasks there, or on threads where nothing is said."""
        if self.scheduler and self.workers:
            raise ConnectionError(
                f"{Argument('scheduler')} and {Argument('workers')} name two clusters: give one"
            )
        if not self.scheduler and not self.workers:
            yield
            return
        try:
            from dask import config
            from distributed import Client, LocalCluster
            from distributed.gc import disable_gc_diagnosis
        except ImportError:
            raise ConnectionError("Dask is not installed: pip install '.[distributed]'") from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # errors are raised, too
        with config.set(_QUIET), ExitStack() as stack:
            try:
                place = self.scheduler or stack.enter_context(
                    LocalCluster(
                        n_workers=self.workers,
                        threads_per_worker=1,
                        host=_LOOPBACK,
                        # else Dask serves its state to the whole network, without a password
                        dashboard_address=f"{_LOOPBACK}:0",
                        scheduler_kwargs={"dashboard": False},
                        preload=[_START],
                    )
                )
            except RuntimeError as error:
                cause = f"({one_line(str(error))}): have they enough memory? Start fewer"
                if not _is_guarded():
                    cause = (
                        "since each runs this script anew: put what the script does under "
                        'if __name__ == "__main__":'
                    )
                raise ConnectionError(f"the workers do not start {cause}") from None
            disable_gc_diagnosis(force=True)  # an exception there, as Ctrl-C's, would be ignored
            try:
                client = stack.enter_context(Client(place, timeout=10))
            except (OSError, ValueError) as error:
                reason = f"no Dask scheduler answers at {place}: start one (dask scheduler)"
                raise ConnectionError(reason) from error
            stack.enter_context(using(client))
            yield


def _is_guarded() -> bool:
    """Return whether a process that imports the script that runs does not run it, too."""
    script = getattr(sys.modules["__main__"], "__file__", None)
    return script is None or "__name__" in Path(script).read_text(errors="replace")


def _code() -> str:
    """Return a digest of all sources of the package: workers must run the same code."""
    root = Path(__file__).parents[1]
    folders = [face.parent for face in root.glob("*/__init__.py")]
    files = [*root.glob("*.py"), *(path for folder in folders for path in folder.rglob("*.py"))]
    # sorted by content: a checkout and an installed wheel hold the same files in other folders
    digests = sorted(sha256(path.read_bytes()).hexdigest() for path in files)
    return sha256("".join(digests).encode()).hexdigest()


#: On this machine, by threads.
HERE = Cluster()

_used: list[ClusterExecutor] = []


@contextmanager
def using(client: Client) -> Iterator[None]:
    """Run all tasks on a Dask cluster, within a ``with``."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph")  # the labels: they are sent once
        _used.append(ClusterExecutor(client))
        try:
            yield
        finally:
            _used.pop()


def on_cluster() -> bool:
    """Return whether tasks run on a cluster."""
    return isinstance(executor(), ClusterExecutor)


def executor() -> Executor:
    """Return the executor in use: a cluster, or threads of this process.

    A task that runs on a thread, as workers of this very process have them, has threads only.
    """
    if _used and _used[-1].thread == get_ident():
        return _used[-1]
    return Executor()


def in_order(work: Callable[..., T], tasks: Iterable[Task]) -> Iterator[T]:
    """Yield the result of each task, in the order of the tasks.

    Large tasks, each of which may use every thread: on a cluster the workers share them, here they
    are done one after the other.

    Examples
    --------
    >>> list(in_order(pow, [(2, 3), (3, 2)]))
    [8, 9]
    """
    if not on_cluster():
        yield from (work(*task) for task in tasks)
        return
    numbered = ((number, current_spelling(), work, task) for number, task in enumerate(tasks))
    finished: dict[int, T] = {}
    due = 0
    for (number, *_), result in executor().run(_unnumbered, numbered):
        finished[number] = result
        while due in finished:
            yield finished.pop(due)
            due += 1


def _unnumbered(_number: int, spelling: Spelling, work: Callable[..., T], task: Task) -> T:
    with spelled(spelling):  # of messages: their reader is here
        return work(*task)


def slabs(rows: int, block: int) -> list[slice]:
    """Cut rows into slabs for `in_order`: `TASKS_EACH` for each thread, in multiples of a block."""
    size = block * ceil(rows / (block * TASKS_EACH * executor().at_once()))
    return [slice(first, first + size) for first in range(0, rows, max(size, 1))]


def available_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
