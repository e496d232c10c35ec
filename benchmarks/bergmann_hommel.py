"""Time of exact Bergmann–Hommel against the number of systems.

    python benchmarks/bergmann_hommel.py                    # to 50 systems, about two minutes
    python benchmarks/bergmann_hommel.py --largest 100      # everything, about twenty minutes

Writes ``results/bergmann_hommel.md`` and ``results/bergmann_hommel.svg`` beside this script.
Seconds are processor time of one thread, the worst over fixed seeds. "Never capped" multiplies all
p by 1e-4, so that no adjusted value reaches 1 and none is settled for that reason.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, rankdata

from alignrank.evaluation.corrections.bergmann_hommel import DEFAULT_BUDGET, bergmann_hommel
from alignrank.evaluation.significance.mcnemar import mcnemar
from tests.evaluation.corrections.bergmann_hommel_by_definition import enumerate_adjusted

Floats = NDArray[np.float64]

RESULTS = Path(__file__).parent / "results"
SIZES = (10, 15, 20, 25, 30, 40, 50, 60, 80, 100)
SEEDS = 5

#: Seconds measured once under R 4.2.2, not in this run; scmamp refuses 10 systems.
SCMAMP = {5: 0.004, 6: 0.026, 7: 0.17, 8: 1.35, 9: 14.0}


def _symmetric(values: Floats, systems: int) -> Floats:
    p = np.full((systems, systems), np.nan)
    upper = np.triu_indices(systems, 1)
    p[upper] = p.T[upper] = values
    return p


def _mid_p(right: NDArray[np.bool_]) -> Floats:
    """Mid-p values of all pairs of systems (rows) over the same items (columns)."""
    answers = right.astype(np.int64)
    only = answers @ (1 - answers).T
    upper = np.triu_indices(len(right), 1)
    return _symmetric(mcnemar(only[upper], only.T[upper], "mid-p").p, len(right))


def _answers(ability: Floats, items: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Draw right answers: a logistic model with items of different difficulty."""
    logit = 2 * (ability[:, None] - rng.normal(0, 1, items))
    return rng.random(logit.shape) < 1 / (1 + np.exp(-logit))


def spread(n: int, rng: np.random.Generator) -> Floats:
    return _mid_p(_answers(rng.uniform(-1, 2, n), 1500, rng))


def close(n: int, rng: np.random.Generator) -> Floats:
    return _mid_p(_answers(rng.normal(0.5, 0.1, n), 1500, rng))


def close_few_items(n: int, rng: np.random.Generator) -> Floats:
    return _mid_p(_answers(rng.normal(0.5, 0.1, n), 200, rng))


def near_copies(n: int, rng: np.random.Generator) -> Floats:
    parents = _answers(rng.normal(0.5, 0.3, max(2, n // 5)), 1500, rng)
    children = parents[rng.integers(0, len(parents), n)]
    return _mid_p(children ^ (rng.random(children.shape) < 0.02))


def friedman(n: int, rng: np.random.Generator) -> Floats:
    scores = rng.normal(np.linspace(0, 1.5, n), 1, (30, n))
    ranks = rankdata(-scores, axis=1).mean(axis=0)
    upper = np.triu_indices(n, 1)
    z = np.abs(ranks[upper[0]] - ranks[upper[1]]) / np.sqrt(n * (n + 1) / (6 * 30))
    return _symmetric(2 * norm.sf(z), n)


def _random(draw: Callable[[np.random.Generator, int], Floats]) -> Family:
    return lambda n, rng: _symmetric(draw(rng, n * (n - 1) // 2), n)


Family = Callable[[int, np.random.Generator], Floats]

STRUCTURED: dict[str, Family] = {
    "McNemar, spread systems, 1500 items": spread,
    "McNemar, close systems, 1500 items": close,
    "McNemar, close systems, 200 items": close_few_items,
    "McNemar, families of near-copies": near_copies,
    "Friedman post-hoc, 30 tasks": friedman,
}
EASY: dict[str, Family] = {
    "all p equal": _random(lambda rng, m: np.full(m, 1e-3)),
    "all p in [1, 2]e-4": _random(lambda rng, m: rng.uniform(1e-4, 2e-4, m)),
    "uniform(0, 1)": _random(lambda rng, m: rng.random(m)),
}
RANDOM: dict[str, Family] = {
    "two values at random": _random(lambda rng, m: rng.choice([1e-6, 1e-3], m)),
    "log-uniform noise": _random(lambda rng, m: 10 ** rng.uniform(-8, 0, m)),
    "uniform·1e-4 (never capped)": _random(lambda rng, m: rng.random(m) * 1e-4),
}


@dataclass(frozen=True)
class Timing:
    """The worst of some runs."""

    seconds: float
    nodes: int
    bounded: int


def measure(family: Family, systems: int, scale: float = 1.0) -> Timing:
    runs = []
    for seed in range(SEEDS):
        p = family(systems, np.random.default_rng([seed, systems])) * scale
        start = time.process_time()
        found = bergmann_hommel(p)
        seconds = time.process_time() - start
        runs.append(Timing(seconds, found.nodes, int(np.count_nonzero(~found.exact)) // 2))
    return Timing(
        max(run.seconds for run in runs),
        max(run.nodes for run in runs),
        max(run.bounded for run in runs),
    )


def measure_families(largest: int) -> dict[str, dict[int, Timing]]:
    plan = [(name, family, 1.0, largest) for name, family in (STRUCTURED | EASY).items()]
    plan += [
        (f"{name}, never capped", family, 1e-4, largest) for name, family in STRUCTURED.items()
    ]
    plan += [(name, family, 1.0, min(largest, 30)) for name, family in RANDOM.items()]
    table: dict[str, dict[int, Timing]] = {}
    for name, family, scale, most in plan:
        table[name] = {}
        for systems in (size for size in SIZES if size <= most):
            table[name][systems] = timing = measure(family, systems, scale)
            print(f"{name}, {systems}: {timing}", flush=True)
    return table


def measure_enumeration() -> dict[int, float]:
    seconds = {}
    for systems in range(5, 11):
        p = spread(systems, np.random.default_rng([0, systems]))
        start = time.process_time()
        enumerate_adjusted(p)
        seconds[systems] = time.process_time() - start
    return seconds


def _cell(timing: Timing | None) -> str:
    if timing is None:
        return ""
    text = f"{timing.seconds:.2g}" if timing.seconds < 10 else f"{timing.seconds:.0f}"
    return text + (f" ({timing.bounded} bounded)" if timing.bounded else "")


def markdown(table: dict[str, dict[int, Timing]], enumeration: dict[int, float]) -> str:
    sizes = sorted({systems for row in table.values() for systems in row})
    lines = [
        "# Bergmann–Hommel: time against the number of systems",
        "",
        f"Seconds of processor time on one core, the worst of {SEEDS} fixed seeds. "
        f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}, "
        f"{_processor()}. Default budget, {DEFAULT_BUDGET:,} search nodes. All values are exact, "
        'except where "bounded" gives the number of pairs (worst seed) with an upper bound. The '
        "first search of more than 200,000 nodes after an installation takes four seconds more, to "
        "compile.",
        "",
        "| p-values | " + " | ".join(map(str, sizes)) + " |",
        "|---" * (len(sizes) + 1) + "|",
        *(
            f"| {name} | " + " | ".join(_cell(row.get(size)) for size in sizes) + " |"
            for name, row in table.items()
        ),
        "",
        "Every exhaustive set, one after the other:",
        "",
        "| | " + " | ".join(map(str, enumeration)) + " |",
        "|---" * (len(enumeration) + 1) + "|",
        "| our enumeration | " + " | ".join(f"{s:.2g}" for s in enumeration.values()) + " |",
        "| scmamp (R 4.2.2, measured before) | "
        + " | ".join(f"{SCMAMP[n]:g}" if n in SCMAMP else "refuses" for n in enumeration)
        + " |",
        "",
        "![time against number of systems](bergmann_hommel.svg)",
    ]
    return "\n".join(lines) + "\n"


def _processor() -> str:
    """Name the processor as the system does."""
    facts = Path("/proc/cpuinfo")
    if facts.is_file():
        for line in facts.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown processor"


def draw(table: dict[str, dict[int, Timing]], enumeration: dict[int, float], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "alignrank"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 5.5), layout="constrained")
    for name, row in table.items():
        if name in EASY:
            continue
        style = "-" if name in STRUCTURED else ":" if name in RANDOM else "--"
        axes.plot(list(row), [t.seconds for t in row.values()], style, marker=".", label=name)
    axes.plot(list(enumeration), list(enumeration.values()), "k-", label="our enumeration")
    axes.plot(list(SCMAMP), list(SCMAMP.values()), "kx-", label="scmamp (refuses 10)")
    axes.set(xlabel="systems", ylabel="seconds on one core (worst of five)", yscale="log")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="x-small")
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--largest", type=int, default=50, help="most systems (default 50)")
    table = measure_families(parser.parse_args().largest)
    enumeration = measure_enumeration()
    RESULTS.mkdir(exist_ok=True)
    text = markdown(table, enumeration)
    (RESULTS / "bergmann_hommel.md").write_text(text, encoding="utf-8")
    draw(table, enumeration, RESULTS / "bergmann_hommel.svg")
    print(text)


if __name__ == "__main__":
    main()
