"""One worker process against two, and one of two killed: a scheduler and workers by their commands.

python benchmarks/cluster.py [ROWS COLUMNS]
python benchmarks/cluster.py match [NUMBER]

finds the pairs of made labels from Levenshtein .8 on, or matches them by the default metric, which
is done without workers, too. Each worker has one thread. Processor seconds say what a quiet machine
would need: where other programs want the cores, seconds by the clock do not.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from distributed import Client
from labels import labels, perturbed
from matcher_size import ontology

from alignrank.common.executor import using
from alignrank.matchers import Settings, get_metric, match, prepare
from alignrank.matchers.similarity.tiles import similar_pairs

PROJECT = Path(__file__).parents[1]


def start(*arguments: str) -> subprocess.Popen[bytes]:
    """Start a command of Dask's; workers find alignrank as it is here."""
    command = [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]]
    advised = {  # by docs/tasks/cluster.md
        "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
        "MALLOC_TRIM_THRESHOLD_": "67108864",
        "MALLOC_MMAP_THRESHOLD_": "33554432",
        "PYTHONPATH": str(Path(__file__).parent),
    }
    environment = {**os.environ, **advised}
    return subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)


def edges(sources: list[str], targets: list[str]) -> tuple[int, bytes]:
    """Return the number of edges, and their bytes."""
    found = similar_pairs(sources, targets, get_metric("levenshtein"), 0.8)
    return found.nnz, b"".join(x.tobytes() for x in (found.indptr, found.indices, found.data))


def matched(sources: list[str], targets: list[str]) -> tuple[int, bytes]:
    """Return the number of correspondences of the default metric, and their text."""
    source, target = ontology("a#", sources), ontology("b#", targets)
    alignment = match(prepare(source, target, Settings(threshold=0.5)), "combined").alignment
    return len(alignment), repr([(c.pair, c.confidence) for c in alignment]).encode()


def alone(sources: list[str], targets: list[str]) -> str:
    """Match without workers; return what it took, and a digest."""
    clock, own = time.perf_counter(), time.process_time()
    number, content = matched(sources, targets)
    clock, own = time.perf_counter() - clock, time.process_time() - own
    return (
        f"alone: {clock:.1f} s by the clock (load {os.getloadavg()[0]:.1f}), "
        f"{own:.1f} processor seconds, {number} pairs, {sha256(content).hexdigest()[:12]}"
    )


def measure(
    work: Callable[[list[str], list[str]], tuple[int, bytes]],
    workers: int,
    sources: list[str],
    targets: list[str],
    kill: bool = False,
) -> str:
    """Work on so many workers; return what it took, and a digest of the result."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    begun = [start("dask_scheduler", "--port", str(port), "--no-dashboard")]
    begun += [start("dask_worker", address, "--nthreads", "1") for _ in range(workers)]
    with Client(address, timeout=60) as client:
        client.wait_for_workers(workers)
        client.run(work, sources[:50], targets[:50])  # is compiled now
        pids = list(client.run(os.getpid).values())
        before = client.run(time.process_time)
        if kill:
            threading.Timer(8, os.kill, (pids[0], signal.SIGKILL)).start()
        clock, own = time.perf_counter(), time.process_time()
        with using(client):
            number, content = work(sources, targets)
        clock, own = time.perf_counter() - clock, time.process_time() - own
        alive = list(client.run(os.getpid).values())
        taken = [x - before.get(who, 0.0) for who, x in client.run(time.process_time).items()]
        client.shutdown()
    for process in begun:
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
    seconds = " + ".join(f"{x:.1f}" for x in taken)
    killed = f", killed {len(set(pids) - set(alive))}" if kill else ""
    return (
        f"{workers} workers{killed}: {clock:.1f} s by the clock (load {os.getloadavg()[0]:.1f}), "
        f"{seconds} processor seconds of the workers, {own:.1f} of the client, "
        f"{number} pairs, {sha256(content).hexdigest()[:12]}"
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["match"]:
        (number,) = map(int, sys.argv[2:3] or (50_000,))
        sources = labels(number, seed=1)
        targets = perturbed(sources, 0.5, seed=2)
        for workers, kill in ((0, False), (2, False), (0, False), (2, False), (2, True)):
            done = measure(matched, workers, sources, targets, kill) if workers else ""
            print(done or alone(sources, targets), flush=True)
    else:
        rows, columns = map(int, sys.argv[1:3] or (386_000, 211_000))
        sources = labels(386_000, seed=1)
        targets = perturbed(sources, 0.3, seed=2)[:columns]
        sources = sources[:rows]
        for workers, kill in ((1, False), (2, False), (1, False), (2, False), (2, True)):
            print(measure(edges, workers, sources, targets, kill), flush=True)
