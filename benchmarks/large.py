"""What large pairs cost: made labels, similarities from .8 on, tile by tile.

    python benchmarks/kernels.py --large

writes ``results/kernels-large.md`` and ``results/kernels-growth.svg`` beside this script.
``python benchmarks/large.py METRIC ROWS COLUMNS [unassigned]`` measures one case and prints it.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from labels import labels, perturbed

from alignrank.matchers import STANDARD, get_metric
from alignrank.matchers.assignment.pairs import assign_edges
from alignrank.matchers.similarity.tiles import similar_pairs

RESULTS = Path(__file__).parent / "results"
PROJECT = Path(__file__).parents[1]
THRESHOLD = 0.8
ROWS, COLUMNS = 70_000, 67_000
GROWTH = ("levenshtein", "ngram", "jaro-winkler", "smoa")
SIZES = [1_000, 3_000, 10_000, 30_000, 100_000]


def measure(name: str, rows: int, columns: int, assigned: bool) -> dict[str, Any]:
    """Find the edges and assign them; the kernels are compiled before the clock starts."""
    sources = labels(rows, seed=1)
    targets = perturbed(sources, 0.3, seed=2)[:columns]
    metric = get_metric(name)
    similar_pairs(sources[:50], targets[:600], metric, THRESHOLD)
    similar_pairs(["a" * 40] * 99, ["a" * 40] * 99, metric, THRESHOLD)  # whole tiles as well
    clock, processor = time.perf_counter(), time.process_time()
    edges = similar_pairs(sources, targets, metric, THRESHOLD)
    found = {
        "seconds": time.perf_counter() - clock,
        "processor": time.process_time() - processor,
        "edges": edges.nnz,
    }
    if assigned:
        processor = time.process_time()
        found["pairs"] = len(assign_edges(edges))
        found["assignment"] = time.process_time() - processor
    found["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found["load"] = os.getloadavg()[0]
    return found


def in_a_process(name: str, rows: int, columns: int, *options: str) -> dict[str, Any]:
    """Return `measure` of a new process, so that the peak of memory is its own."""
    done = subprocess.run(
        [sys.executable, __file__, name, str(rows), str(columns), *options],
        env={**os.environ},
        capture_output=True,
        text=True,
        check=True,
    )
    print(name, rows, columns, done.stdout.strip(), flush=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def table() -> str:
    """Return the costs of the nine metrics, each in a process of its own."""
    lines = [
        f"{ROWS:,} × {COLUMNS:,} made labels (4.69 billion pairs; 29 characters on average, at "
        f"most 120), similarities from {THRESHOLD} on, all cores. Seconds are by the clock, beside "
        "the load of the machine (programs that want a core, ours included) when they ended; "
        "processor seconds are those of all threads. Last, the assignment of the edges (cut, then "
        "assign).",
        "",
        "| metric | seconds | load | processor seconds | edges | peak MB | assigned | processor "
        "seconds |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    total = [0.0, 0.0]
    for name in STANDARD:
        found = in_a_process(name, ROWS, COLUMNS)
        total = [total[0] + found["seconds"], total[1] + found["processor"]]
        cells = [
            name,
            f"{found['seconds']:.1f}",
            f"{found['load']:.1f}",
            f"{found['processor']:.1f}",
            f"{found['edges']:,}",
            f"{found['peak']:.0f}",
            f"{found['pairs']:,}",
            f"{found['assignment']:.1f}",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", f"All nine: {total[0]:.0f} s by the clock, {total[1]:.0f} processor seconds."]
    return "\n".join(lines)


def growth() -> str:
    """Time n × n labels, and draw it."""
    from matplotlib.figure import Figure

    costs = {
        name: {n: in_a_process(name, n, n, "unassigned")["processor"] for n in SIZES}
        for name in GROWTH
    }
    figure = Figure(figsize=(5.5, 3.8), layout="constrained")
    axes = figure.subplots()
    for marker, (name, measured) in zip("osd^", costs.items(), strict=True):
        axes.loglog(list(measured), list(measured.values()), f"{marker}-", label=name)
    scale = max(costs["levenshtein"][SIZES[-1]] / SIZES[-1] ** 2, 1e-12)
    axes.loglog(SIZES, [scale * n * n for n in SIZES], "k:", label="∝ n²")
    axes.set_xlabel("labels on each side")
    axes.set_ylabel("processor seconds")
    axes.legend(frameon=False)
    figure.savefig(RESULTS / "kernels-growth.svg", metadata={"Date": None})
    lines = [
        "## Growth",
        "",
        f"Processor seconds for n × n made labels, from {THRESHOLD} on.",
        "",
        "![The same as curves, beside n²](kernels-growth.svg)",
        "",
        "| n | " + " | ".join(costs) + " |",
        "|---:|" + "---:|" * len(costs),
    ]
    for n in SIZES:
        cells = [f"{costs[name][n]:.2f}" for name in costs]
        lines.append(f"| {n:,} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    metric, n, m, *options = sys.argv[1:]
    print(json.dumps(measure(metric, int(n), int(m), assigned=not options)))
