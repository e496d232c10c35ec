"""`alignrank study` beside autorank and scikit-posthocs, on the same made tables of scores.

    python benchmarks/studies.py [--peers PYTHON]

writes ``results/studies.md`` beside this script. PYTHON is the interpreter of an environment that
has the other libraries (``pip install autorank scikit-posthocs``). Each run is a whole process: its
start, the reading of the table and the output are included. The programs take turns.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from growth import RESULTS, cost, studied
from timing import spread

RUNS = 3
#: Systems and tasks of the tables.
SIZES = ((60, 41), (12, 500))
READ = "import sys, pandas; table = pandas.read_csv(sys.argv[1], index_col=0); "
#: By peer: what it computes, and the program.
PEERS = {
    "autorank": (
        "the tests it chooses, effect sizes, intervals",
        READ + "import autorank; print(autorank.autorank(table))",
    ),
    "scikit-posthocs, Nemenyi": (
        "p-values of all pairs",
        READ + "import scikit_posthocs as sp; print(sp.posthoc_nemenyi_friedman(table))",
    ),
    "scikit-posthocs, Wilcoxon": (
        "p-values of all pairs, Holm",
        READ + "import scikit_posthocs as sp; print(sp.posthoc_wilcoxon(table.melt(), "
        "val_col='value', group_col='variable', p_adjust='holm'))",
    ),
}
#: Processor seconds and megabytes of each run, by program.
Costs = dict[str, list[tuple[float, float]]]
OURS = "all pairs, Bergmann–Hommel, effect sizes, intervals, ranks"


def measured(peers: str, systems: int, tasks: int) -> Costs:
    """Return processor seconds and megabytes of each run, by program."""
    with tempfile.TemporaryDirectory() as folder:
        ours = studied(tasks, systems, Path(folder))
        programs = {"alignrank study": (sys.executable, ours)}
        for name, (_, code) in PEERS.items():
            programs[name] = (peers, ["-c", code, ours[-1]])
        cost(ours)  # compiles what is new
        costs: Costs = {name: [] for name in programs}
        for _ in range(RUNS):
            for name, (python, arguments) in programs.items():
                costs[name].append(cost(arguments, python))
                print(systems, tasks, name, costs[name][-1], flush=True)
    return costs


def versions(peers: str) -> str:
    """Return the versions of the other libraries."""
    code = (
        "from importlib.metadata import version; "
        "print(', '.join(f'{n} {version(n)}' for n in ('autorank', 'scikit-posthocs', 'scipy')))"
    )
    return subprocess.run([peers, "-c", code], capture_output=True, text=True, check=True).stdout


def page(peers: str, costs_by_size: dict[tuple[int, int], Costs]) -> str:
    """Return the page of results."""
    from kernels import machine  # late: see `growth.cost`

    tasks_of_each = {"alignrank study": OURS, **{name: task for name, (task, _) in PEERS.items()}}
    lines = [
        "# Studies beside other libraries",
        "",
        "Made scores of systems on tasks, the same table for each program. Processor seconds and "
        "peak memory of the whole process, its start included; medians (and ranges) of "
        f"{RUNS} runs, for which the programs take turns. They do not compute the same: the "
        "second column says what each one does. `python benchmarks/studies.py` makes this page.",
        "",
        f"{machine()} Peers: {versions(peers).strip()}.",
    ]
    for (systems, tasks), costs in costs_by_size.items():
        ours = statistics.median(seconds for seconds, _ in costs["alignrank study"])
        lines += [
            "",
            f"## {systems:,} systems on {tasks:,} tasks",
            "",
            "| program | computes | processor s | of ours | peak MB |",
            "|---|---|---:|---:|---:|",
        ]
        for name, runs in costs.items():
            seconds = [run[0] for run in runs]
            memory = statistics.median(run[1] for run in runs)
            ratio = statistics.median(seconds) / ours
            cells = [name, tasks_of_each[name], spread(seconds, 1), f"{ratio:.1f} ×"]
            lines.append(f"| {' | '.join(cells)} | {memory:.0f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", default=sys.executable, help="interpreter that has the peers")
    peers = parser.parse_args().peers
    versions(peers)  # ends here if the peers are not installed
    costs_by_size = {size: measured(peers, *size) for size in SIZES}
    (RESULTS / "studies.md").write_text(page(peers, costs_by_size))


if __name__ == "__main__":
    main()
