"""One worker process against two, and one of two killed: a scheduler and workers by their commands.

python benchmarks/cluster.py [ROWS COLUMNS]

Each worker has one thread. Processor seconds say what a quiet machine would need: where other
programs want the cores, seconds by the clock do not.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from hashlib import sha256
from pathlib import Path

from distributed import Client
from labels import labels, perturbed

from alignrank.common.executor import using
from alignrank.matchers import get_metric
from alignrank.matchers.similarity.tiles import similar_pairs

PROJECT = Path(__file__).parents[1]


def start(*arguments: str) -> subprocess.Popen[bytes]:
    """Start a command of Dask's; workers find alignrank as it is here."""
    command = [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]]
    advised = {  # by docs/tasks/cluster.md
        "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
        "MALLOC_TRIM_THRESHOLD_": "67108864",
        "MALLOC_MMAP_THRESHOLD_": "33554432",
    }
    environment = {**os.environ, **advised}
    return subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)


def measure(workers: int, sources: list[str], targets: list[str], kill: bool = False) -> str:
    """Find the edges on so many workers; say what it took, and a digest of the edges."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    begun = [start("dask_scheduler", "--port", str(port), "--no-dashboard")]
    begun += [start("dask_worker", address, "--nthreads", "1") for _ in range(workers)]
    metric = get_metric("levenshtein")
    with Client(address, timeout=60) as client:
        client.wait_for_workers(workers)
        client.run(similar_pairs, sources[:50], targets[:50], metric, 0.8)  # is compiled now
        pids = list(client.run(os.getpid).values())
        before = client.run(time.process_time)
        if kill:
            threading.Timer(8, os.kill, (pids[0], signal.SIGKILL)).start()
        clock, own = time.perf_counter(), time.process_time()
        with using(client):
            edges = similar_pairs(sources, targets, metric, 0.8)
        clock, own = time.perf_counter() - clock, time.process_time() - own
        alive = list(client.run(os.getpid).values())
        taken = [x - before.get(who, 0.0) for who, x in client.run(time.process_time).items()]
        client.shutdown()
    for process in begun:
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
    digest = sha256(b"".join(x.tobytes() for x in (edges.indptr, edges.indices, edges.data)))
    seconds = " + ".join(f"{x:.1f}" for x in taken)
    killed = f", killed {len(set(pids) - set(alive))}" if kill else ""
    return (
        f"{workers} workers{killed}: {clock:.1f} s by the clock (load {os.getloadavg()[0]:.1f}), "
        f"{seconds} processor seconds of the workers, {own:.1f} of the client, "
        f"{edges.nnz} edges, {digest.hexdigest()[:12]}"
    )


if __name__ == "__main__":
    rows, columns = map(int, sys.argv[1:3] or (386_000, 211_000))
    sources = labels(386_000, seed=1)
    targets = perturbed(sources, 0.3, seed=2)[:columns]
    sources = sources[:rows]
    for workers, kill in ((1, False), (2, False), (1, False), (2, False), (2, True)):
        print(measure(workers, sources, targets, kill), flush=True)
