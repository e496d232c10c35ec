"""Whole processes: the first after installation, which compiles what it uses, and the next."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from timing import spread

PROJECT = Path(__file__).parents[1]
#: Runs that find everything compiled.
WARM = 7
#: An installation holds the modules' bytecode; a checkout gets it in the first process.
BYTECODE = {"PYTHONDONTWRITEBYTECODE": ""}


def kernels_cold_and_warm() -> str:
    """Time the nine metrics on few labels in two processes; the first one has to compile."""
    code = (
        "import time, labels, matrices; from alignrank.matchers import STANDARD;"
        "s, t = labels.labels(50, 1), labels.labels(600, 2); a = time.perf_counter();"
        "matrices.matrices(STANDARD, s, t); print(time.perf_counter() - a)"
    )
    with tempfile.TemporaryDirectory() as cache:
        environment = {
            **os.environ,
            **BYTECODE,
            "NUMBA_CACHE_DIR": cache,
            "PYTHONPATH": os.pathsep.join([str(PROJECT), str(Path(__file__).parent)]),
        }
        first, second = (
            float(
                subprocess.run(
                    [sys.executable, "-c", code],
                    env=environment,
                    capture_output=True,
                    text=True,
                    check=True,
                ).stdout
            )
            for _ in range(2)
        )
    return (
        f"The nine standard metrics on 50 × 600 labels, by the clock, importing numba included: "
        f"{first:.1f} s in the first process after installation (everything is compiled), "
        f"{second:.2f} s in the next."
    )


def rank_cold_and_warm(data: Path) -> str:
    """Time ``alignrank rank`` on anatomy, cold and warm, by the clock, with its peak memory."""
    anatomy = data / "anatomy"
    files = [str(anatomy / name) for name in ("mouse.owl", "human.owl", "reference.rdf")]
    lines = ["| `alignrank rank` on anatomy | seconds | processor seconds | peak MB |"]
    lines.append("|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).with_name("alignrank")), "rank", *files]
        command += ["--out", f"{folder}/results", "--overwrite"]
        environment = {
            **os.environ,
            **BYTECODE,
            "NUMBA_CACHE_DIR": f"{folder}/cache",
            "PYTHONPATH": os.pathsep.join([str(PROJECT), os.environ.get("PYTHONPATH", "")]),
        }
        for name, runs in (("nothing compiled yet", 1), (f"the next {WARM} processes", WARM)):
            costs = zip(*(_cost(command, environment) for _ in range(runs)), strict=True)
            lines.append(f"| {name} | {' | '.join(map(spread, costs, (1, 1, 0)))} |")
    return "\n".join(lines)


def _cost(command: list[str], environment: dict[str, str]) -> tuple[float, float, float]:
    """Return the seconds by the clock, those of the processors, and the peak memory in MB."""
    start = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    clock = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return clock, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def table(data: Path | None) -> str:
    """Return all figures of this module, from a small process.

    What a process starts with counts towards the peak of what it starts.
    """
    command = [sys.executable, __file__, *([] if data is None else [str(data)])]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()


if __name__ == "__main__":
    print(kernels_cold_and_warm())
    if len(sys.argv) > 1:
        print("\n" + rank_cold_and_warm(Path(sys.argv[1])))
