"""Large inputs: whole commands, beside other libraries where they do the same work.

    python benchmarks/scale.py [--peers PYTHON]

Writes ``results/scale.md`` beside this script. Every line is a process of its own; `PYTHON` has
autorank and scikit-posthocs. Processor seconds are those of all threads, the start included.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
import tempfile
from pathlib import Path

from growth import RESULTS, alignment, compared, cost, studied

#: Times that each line is measured; the median counts.
RUNS = 3
_TABLE = "import sys, pandas; table = pandas.read_csv(sys.argv[1], index_col=0); "
#: What other libraries do with a table of tasks and systems.
PEERS = {
    "autorank, all": "from autorank import autorank; autorank(table)",
    "scikit-posthocs, Nemenyi": "import scikit_posthocs as s; s.posthoc_nemenyi_friedman(table)",
    "scikit-posthocs, Wilcoxon with Holm": "import scikit_posthocs as s; "
    "s.posthoc_wilcoxon(list(table.values.T), p_adjust='holm')",
}
_READ = "import sys; from alignrank.ontologies import read_alignment; read_alignment(sys.argv[1])"
_PARSE = "import sys, xml.etree.ElementTree as e\nfor _, x in e.iterparse(sys.argv[1]): x.clear()"


def commands(folder: Path, peers: str) -> dict[str, list[str]]:
    """Write the inputs; return the program and arguments of each line."""
    lines = {}
    for number in (100_000, 1_000_000):
        inputs = folder / str(number)
        inputs.mkdir()
        lines[f"`compare`, two systems of {number:,} correspondences"] = [
            sys.executable, *compared(number, 2, inputs)
        ]  # fmt: skip
    file = alignment(folder / "a.csv", 1_000_000, 0, 0.1)
    out = str(folder / "a.sssom.tsv")
    convert = [sys.executable, "-m", "alignrank", "convert", "--overwrite"]
    lines["`convert`, 1,000,000 correspondences, CSV to SSSOM"] = [*convert, file, out]
    rdf = str(folder / "a.rdf")
    cost([*convert[1:], alignment(folder / "b.csv", 100_000, 0, 0.1), rdf])
    lines["RDF of 100,000 cells: read"] = [sys.executable, "-c", _READ, rdf]
    lines["RDF of 100,000 cells: iterparse alone"] = [sys.executable, "-c", _PARSE, rdf]
    for tasks, systems in ((41, 60), (500, 12), (10_000, 3)):
        inputs = folder / f"{tasks}-{systems}"
        inputs.mkdir()
        arguments = studied(tasks, systems, inputs)
        title = f"{systems} systems × {tasks:,} tasks"
        lines[f"{title}: `study`"] = [sys.executable, *arguments]
        for name, code in PEERS.items() if peers else ():
            lines[f"{title}: {name}"] = [peers, "-c", _TABLE + code, arguments[-1]]
    return lines


def main(peers: str) -> None:
    """Measure all lines, one run of each after the other, and write the page."""
    with tempfile.TemporaryDirectory() as folder:
        lines = commands(Path(folder), peers)
        costs: dict[str, list[tuple[float, float]]] = {title: [] for title in lines}
        for _ in range(RUNS):
            for title, (program, *arguments) in lines.items():
                costs[title].append(cost(arguments, program))
    from kernels import machine  # late: see `cost`

    page = [
        "# Large inputs",
        "",
        f"Processor seconds and peak memory of whole processes, their start included: medians of "
        f"{RUNS} runs; the lines follow each other in each run. `study` makes three tests of every "
        "pair, five effect sizes with intervals, and Bergmann–Hommel; autorank chooses one test; "
        "scikit-posthocs makes the test that is named. To read RDF is mostly to parse XML. "
        "`python benchmarks/scale.py` makes this page.",
        "",
        machine(),
        "",
        "| what | seconds | MB |",
        "|---|---:|---:|",
    ]
    for title, runs in costs.items():
        seconds, memory = (statistics.median(column) for column in zip(*runs, strict=True))
        page.append(f"| {title} | {seconds:.1f} | {memory:,.0f} |")
    (RESULTS / "scale.md").write_text("\n".join(page) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    has_peers = importlib.util.find_spec("autorank") is not None
    parser.add_argument("--peers", default=sys.executable if has_peers else "")
    main(parser.parse_args().peers)
