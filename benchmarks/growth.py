"""How time and memory of the commands grow with their input.

    python benchmarks/growth.py [CASE ...]
    python benchmarks/growth.py --check [CASE ...]

The first form writes ``results/growth.csv``, ``growth.md`` and ``growth.svg`` beside this script.
The second one measures again, writes nothing, and ends with code 1 if an exponent is larger than in
``growth.csv`` by more than `TOLERANCE`. Each command runs in a process of its own; processor
seconds are those of all its threads. A size is two, four or ten times the one before it.
"""

from __future__ import annotations

import csv
import math
import os
import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from labels import labels, perturbed

RESULTS = Path(__file__).parent / "results"
#: By how much an exponent may be larger than before: runs of one version differ by half of it.
TOLERANCE = 0.3
#: Costs of four sizes, by case: (size, processor seconds, megabytes).
Costs = dict[str, list[tuple[int, float, float]]]


@dataclass(frozen=True)
class Case:
    """A command at four sizes: `arguments` writes the input of a size into a folder."""

    unit: str
    sizes: tuple[int, int, int, int]
    arguments: Callable[[int, Path], list[str]]


def alignment(path: Path, number: int, seed: int, wrong: float) -> str:
    """Write a table of correspondences, of which a share leads to another entity."""
    rng = random.Random(seed)
    with path.open("w") as file:  # line by line: see `cost`
        file.write("source,target,confidence\n")
        for i in range(number):
            target = rng.randrange(number) if rng.random() < wrong else i
            file.write(f"http://a.org/a#{i},http://b.org/b#{target},{rng.random():.3f}\n")
    return str(path)


def compared(number: int, systems: int, folder: Path) -> list[str]:
    reference = alignment(folder / "reference.csv", number, 0, 0.0)
    files = [
        alignment(folder / f"s{k}.csv", number, k + 1, 0.1 + 0.4 * k / systems)
        for k in range(systems)
    ]
    return ["-m", "alignrank", "compare", reference, *files]


def studied(
    tasks: int, systems: int, folder: Path, correction: str = "bergmann-hommel"
) -> list[str]:
    rng = random.Random(0)
    skills = [rng.gauss(0.6, 0.05) for _ in range(systems)]
    lines = ["task," + ",".join(f"s{j}" for j in range(systems))]
    for i in range(tasks):
        scores = (min(1.0, max(0.0, rng.gauss(skill, 0.05))) for skill in skills)
        lines.append(f"t{i}," + ",".join(f"{score:.4f}" for score in scores))
    path = folder / "scores.csv"
    path.write_text("\n".join(lines))
    return ["-m", "alignrank", "study", str(path), "--correction", correction]


def ontology(path: Path, names: list[str]) -> str:
    terms = [f"[Term]\nid: X:{k:07}\nname: {name}\n" for k, name in enumerate(names)]
    path.write_text("format-version: 1.2\nontology: x\n\n" + "\n".join(terms))
    return str(path)


def matched(number: int, folder: Path) -> list[str]:
    names = labels(number, seed=1)
    sides = {"a.obo": names, "b.obo": perturbed(names, 0.5, seed=2)}
    files = [ontology(folder / file, side) for file, side in sides.items()]
    return ["-m", "alignrank", "match", *files, "--out", str(folder / "mapping.sssom.tsv")]


def converted(number: int, folder: Path) -> list[str]:
    file = alignment(folder / "a.csv", number, 0, 0.1)
    return ["-m", "alignrank", "convert", file, str(folder / "a.sssom.tsv")]


def loaded(number: int, folder: Path) -> list[str]:
    file = ontology(folder / "a.obo", labels(number, seed=1))
    code = "import sys; from alignrank.ontologies import load_ontology; load_ontology(sys.argv[1])"
    return ["-c", code, file]


CASES = {
    "compare, correspondences": Case(
        "correspondences", (1000, 10_000, 100_000, 1_000_000), lambda n, f: compared(n, 2, f)
    ),
    "compare, systems": Case("systems", (4, 8, 16, 32), lambda n, f: compared(1000, n, f)),
    "study, tasks": Case("tasks", (100, 400, 1600, 6400), lambda n, f: studied(n, 3, f)),
    "study, systems": Case("systems", (15, 30, 60, 120), lambda n, f: studied(41, n, f)),
    "study, systems, by Holm": Case(
        "systems", (15, 30, 60, 120), lambda n, f: studied(41, n, f, "holm")
    ),
    "match": Case("entities a side", (500, 1000, 2000, 4000), matched),
    "convert": Case("correspondences", (1000, 10_000, 100_000, 1_000_000), converted),
    "load": Case("entities", (1000, 4000, 16_000, 64_000), loaded),
}


#: What the exponents come from, a line each.
REASONS = [
    "Where the exponents come from:",
    "",
    "- `convert`, `load`, and `compare` by correspondences read each line once and sort: n log n.",
    "- `study` by tasks looks at each task once for each pair of systems.",
    "- `compare` and `study` by systems test each pair of systems, n (n − 1)/2 of them: an "
    "exponent of 2 is the work's own.",
    "- The default correction of both, Bergmann–Hommel, also searches for the largest sets of "
    "pairs that can be equal at once, which is NP-hard: the exponent above 2 is that of this "
    "search. It ends after 160 million steps, half a minute; a p-value that is not settled by then "
    "is a valid upper bound ([time by number of systems](bergmann_hommel.md)). "
    "`--correction holm` needs no search.",
    "- `match` multiplies sparse vectors of words and trigrams: names share few of them.",
]


def cost(arguments: list[str], python: str = sys.executable) -> tuple[float, float]:
    """Return processor seconds and megabytes of a Python process.

    Linux counts the memory of the process that starts another as the other's: this one must be
    small, and imports nothing large before all is measured.

    Raises
    ------
    SystemExit
        If the process fails.
    """
    silent = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
    command = [python, *arguments]
    process = os.posix_spawn(python, command, os.environ, file_actions=silent)
    _, status, usage = os.wait4(process, 0)
    if status:
        sys.exit(f"growth: {' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    scale = 1e6 if sys.platform == "darwin" else 1e3
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / scale


def measured(names: list[str]) -> Costs:
    """Measure the cases at each size.

    The smallest and the largest run once before they count: they compile what is new. The largest
    one stays last: this process grows with the inputs that it makes.
    """
    costs: Costs = {}
    for name in names:
        case = CASES[name]
        costs[name] = []
        for size in (case.sizes[0], *case.sizes, case.sizes[-1]):
            with tempfile.TemporaryDirectory() as folder:
                costs[name].append((size, *cost(case.arguments(size, Path(folder)))))
        del costs[name][0], costs[name][-2]
        print(name, costs[name], flush=True)
    return costs


def exponent(sizes: list[int], values: list[float]) -> float:
    """Return how a cost grows from the third size to the fourth, above the cost of the first.

    The first size stands for what any input costs: the start of the program.

    Examples
    --------
    >>> round(exponent([1, 4, 16, 64], [3 + n**2 for n in (1, 4, 16, 64)]), 2)
    2.0
    """
    third, fourth = (max(value - values[0], 0.0) for value in values[2:])
    if third <= 0.05 * values[0] or fourth <= third:
        return 0.0
    return math.log(fourth / third) / math.log(sizes[3] / sizes[2])


def exponents(costs: Costs) -> dict[str, tuple[float, float]]:
    """Return the exponents of time and memory by case."""
    return {
        name: (
            exponent([row[0] for row in rows], [row[1] for row in rows]),
            exponent([row[0] for row in rows], [row[2] for row in rows]),
        )
        for name, rows in costs.items()
    }


def written() -> Costs:
    """Return the costs of ``growth.csv``."""
    costs: Costs = {}
    with (RESULTS / "growth.csv").open() as file:
        for row in csv.DictReader(file):
            line = int(row["size"]), float(row["seconds"]), float(row["megabytes"])
            costs.setdefault(row["case"], []).append(line)
    return costs


def write(costs: Costs) -> None:
    """Write the table, the page and the figure."""
    from kernels import machine  # late, as in `draw`: see `cost`

    with (RESULTS / "growth.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["case", "size", "seconds", "megabytes"])
        for name, rows in costs.items():
            writer.writerows([name, n, f"{s:.2f}", f"{m:.0f}"] for n, s, m in rows)
    lines = [
        "# How the commands grow",
        "",
        "Processor seconds and peak memory of the whole command in a process of its own, its start "
        "included, at four sizes. The exponent is that of the growth from the third size to the "
        "fourth, without what the first size costs: 1 is linear, 2 quadratic. "
        "`python benchmarks/growth.py` makes this page, and `python benchmarks/growth.py --check` "
        "says where an exponent is larger than here.",
        "",
        machine(),
        "",
        "| command | sizes | seconds | MB | exponent of time | of memory |",
        "|---|---|---|---|---:|---:|",
    ]
    for name, (of_time, of_memory) in exponents(costs).items():
        sizes, seconds, memory = zip(*costs[name], strict=True)
        cells = [
            f"{name} ({CASES[name].unit})",
            ", ".join(f"{n:,}" for n in sizes),
            ", ".join(f"{s:.1f}" for s in seconds),
            ", ".join(f"{m:,.0f}" for m in memory),
            f"{of_time:.1f}",
            f"{of_memory:.1f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "![Time and memory by size](growth.svg)", "", *REASONS, ""]
    (RESULTS / "growth.md").write_text("\n".join(lines))
    draw(costs)


def draw(costs: Costs) -> None:
    """Draw seconds and megabytes against the size, relative to the smallest one."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    mpl.rcParams["svg.hashsalt"] = "growth"
    plain_number = FuncFormatter(lambda value, _: f"{value:,g}")
    figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    for name, rows in costs.items():
        for axis, column in zip(axes, (1, 2), strict=True):
            axis.plot(
                [r[0] / rows[0][0] for r in rows], [r[column] for r in rows], "o-", label=name
            )
    for axis, label in zip(axes, ("processor seconds", "MB"), strict=True):
        axis.set(xscale="log", yscale="log", xlabel="times the smallest size", ylabel=label)
        axis.set_xticks([1, 2, 4, 8, 16, 32, 64, 256, 1000])
        axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        for scale in (axis.xaxis, axis.yaxis):
            scale.set_major_formatter(plain_number)
            scale.set_minor_formatter(NullFormatter())
    axes[0].legend(fontsize=7, frameon=False)
    figure.savefig(RESULTS / "growth.svg", metadata={"Date": None})


def grown(before: Costs, after: Costs) -> list[str]:
    """Return a sentence on each exponent that is larger than before by more than `TOLERANCE`.

    Examples
    --------
    >>> sizes = (1, 4, 16, 64)
    >>> linear = {"load": [(n, 1.0 + n, 10.0 + n) for n in sizes]}
    >>> grown(linear, {"load": [(n, 1.0 + n**2, 10.0 + n) for n in sizes]})
    ['load: time grows with exponent 2.0, 1.0 before']
    """
    sentences = []
    old = exponents(before)
    for name, new in exponents(after).items():
        for what, was, is_now in zip(("time", "memory"), old[name], new, strict=True):
            if is_now > was + TOLERANCE:
                sentences.append(
                    f"{name}: {what} grows with exponent {is_now:.1f}, {was:.1f} before"
                )
    return sentences


def main(arguments: list[str]) -> int:
    checks = "--check" in arguments
    names = [name for name in arguments if name != "--check"] or list(CASES)
    if unknown := [name for name in names if name not in CASES]:
        print(f"growth: {unknown[0]!r} is unknown: use {', '.join(map(repr, CASES))}")
        return 2
    before = written() if (RESULTS / "growth.csv").exists() else {}
    if checks and (unmeasured := [name for name in names if name not in before]):
        print(f"growth: {unmeasured[0]!r} was never measured: run it without --check first")
        return 2
    costs = measured(names)
    if not checks:
        all_costs = before | costs
        write({name: all_costs[name] for name in CASES if name in all_costs})
        return 0
    sentences = grown(before, costs)
    print("\n".join(sentences) or "No exponent has grown.")
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
