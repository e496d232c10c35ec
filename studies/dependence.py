"""Few or unequal clusters: verdicts, intervals, runs, the gate and studies, by their own functions.

python studies/dependence.py docs          # 300 runs of each design: about ten minutes of processor
python studies/dependence.py FOLDER 50     # a quick look, at a copy of `simulation.md`
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from alignrank.common.progress import track
from alignrank.common.table import Table
from alignrank.evaluation.comparison.answers import Answers
from alignrank.evaluation.comparison.contingency import discordant
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.evaluation.multitask.score_table import ScoreTable
from alignrank.evaluation.multitask.study import decide
from alignrank.evaluation.significance.crossed import crossed_test
from alignrank.evaluation.significance.mcnemar import Ints
from alignrank.evaluation.significance.runs import compare_runs
from alignrank.evaluation.significance.score_limits import net_decisions
from alignrank.evaluation.uncertainty.gate import gate_answers
from alignrank.experiments.report.console import show_bars
from promises import (
    SIZES,
    TIERS,
    Design,
    Line,
    Measured,
    Trial,
    by_fate,
    laid_out,
    measure,
    significant,
)
from simulation import Floats
from simulation_page import fill, promises_table, write_records

RUNS = 300

ALONE = np.arange(1500)


def zipf(groups: int, items: int = 1500) -> Ints:
    """Return clusters whose sizes fall as 1/rank."""
    shares = np.cumsum(1 / np.arange(1, groups + 1))
    return np.searchsorted(shares / shares[-1], (np.arange(items) + 0.5) / items)


def giant(share: float, items: int = 1500) -> Ints:
    """Return one cluster of a share of the items; the others are alone."""
    return np.where(np.arange(items) < share * items, 0, np.arange(items))


def mixed(partition: Ints, seed: int) -> Ints:
    """Return a partition whose items stand in another order."""
    return np.random.default_rng(seed).permutation(partition)


#: Source and target clusters, and the shares of the variance that they have, of equal systems.
SPEC: dict[str, tuple[Ints, Ints, float, float]] = {
    "flat × 30 Zipf (.05)": (ALONE, zipf(30), 0, 0.05),
    "flat × 10 equal (.05)": (ALONE, ALONE % 10, 0, 0.05),
    "flat × 40 equal (.05)": (ALONE, ALONE % 40, 0, 0.05),
    "flat × giant of 30% (.05)": (ALONE, giant(0.3), 0, 0.05),
    "flat × anatomy (.1), n = 500": (ALONE[:500], laid_out(SIZES["anatomy"], 500, 1), 0, 0.1),
    "flat × 15 Zipf (.1), n = 200": (ALONE[:200], zipf(15, 200), 0, 0.1),
    "anatomy (.1) × 30 Zipf (.05)": (laid_out(SIZES["anatomy"], 1500, 1), zipf(30), 0.1, 0.05),
    "anatomy (.05) × hub of 200 (.1)": (
        laid_out(SIZES["anatomy"], 1500, 1), laid_out(SIZES["hub"], 1500, 2), 0.05, 0.1,
    ),
    "anatomy × anatomy (.1/.06)": (
        laid_out(SIZES["anatomy"], 1500, 1), laid_out(SIZES["anatomy"], 1500, 2), 0.1, 0.06,
    ),
    "anatomy × anatomy (.1/.1)": (
        laid_out(SIZES["anatomy"], 1500, 1), laid_out(SIZES["anatomy"], 1500, 2), 0.1, 0.1,
    ),
    "anatomy × anatomy, targets only (.1)": (
        laid_out(SIZES["anatomy"], 1500, 1), laid_out(SIZES["anatomy"], 1500, 2), 0, 0.1,
    ),
    "anatomy (.1) × anatomy without effect": (
        laid_out(SIZES["anatomy"], 1500, 1), laid_out(SIZES["anatomy"], 1500, 2), 0.1, 0,
    ),
    "30 Zipf × 30 Zipf (.05/.05)": (mixed(zipf(30), 1), zipf(30), 0.05, 0.05),
    "10 equal × 10 equal (.05/.05)": (mixed(ALONE % 10, 1), ALONE % 10, 0.05, 0.05),
    "1–7 × 1–7 (.1/.1), n = 300": (
        laid_out(SIZES["small"], 300, 1), laid_out(SIZES["small"], 300, 2), 0.1, 0.1,
    ),
    "30 Zipf (.05) × flat": (zipf(30), ALONE, 0.05, 0),
}  # fmt: skip

#: Six of another shape than any there.
FURTHER: dict[str, tuple[Ints, Ints, float, float]] = {
    "flat × 5 equal (.05)": (ALONE, ALONE % 5, 0, 0.05),
    "flat × two giants of 35% (.05)": (
        ALONE, np.where(ALONE < 525, 0, np.where(ALONE < 1050, 1, ALONE)), 0, 0.05,
    ),
    "target clusters hold whole source clusters (.05/.05)": (
        ALONE // 5, ALONE // 75, 0.05, 0.05,
    ),
    "the same clusters on both sides (.05/.05)": (ALONE // 10, ALONE // 10, 0.05, 0.05),
    "half of the targets unknown, half in 12 (.1)": (
        ALONE // 3, np.where(ALONE % 2, ALONE, ALONE // 2 % 12), 0, 0.1,
    ),
    "20 equal (.1) × 6 equal (.05), n = 120": (
        ALONE[:120] % 20, ALONE[:120] // 20, 0.1, 0.05,
    ),
}  # fmt: skip

#: Bounds that two seeds of the specification missed, as measured there: two systems.
_TWO = {"flat × 30 Zipf (.05)": 0.067, "flat × 10 equal (.05)": 0.06}


def answers(
    rng: np.random.Generator, clusters: tuple[Ints, Ints, float, float], accuracy: Floats
) -> np.ndarray:
    """Simulate who is right on what: half of the variance is the items' difficulty."""
    source, target, of_source, of_target = clusters
    n = len(accuracy)
    latent = math.sqrt(0.5) * rng.standard_normal((1, len(source)))
    own = math.sqrt(0.5 - of_source - of_target)
    latent = latent + own * rng.standard_normal((n, len(source)))
    for share, partition in ((of_source, source), (of_target, target)):
        effects = rng.standard_normal((n, int(partition.max()) + 1))
        latent += math.sqrt(share) * effects[:, partition]
    # the normal quantile of each accuracy
    return np.asarray(latent < np.array([_QUANTILES[a] for a in accuracy.tolist()])[:, None])


_QUANTILES = {0.76: 0.7063026, 0.8: 0.8416212, 0.84: 0.9944579}


def verdicts(clusters: tuple[Ints, Ints, float, float]) -> Trial:
    """Return a trial of six equal systems, and of the first two alone.

    False arrows; whether all 15 intervals of the net difference hold; pairs whose interval
    contradicts the verdict.
    """
    source, target, *_ = clusters
    source, target = (np.unique(part, return_inverse=True)[1] for part in (source, target))

    def trial(rng: np.random.Generator) -> list[float]:
        right = answers(rng, clusters, np.full(6, 0.8))
        crossed = crossed_test(right, source, [target])
        arrows = significant(crossed.test)
        edges = [(str(i), str(j)) for i, j in np.argwhere(arrows)]
        variance, degrees = crossed.dependence.spread, crossed.dependence.degrees
        counts = net_decisions(discordant(right), right.shape[1], variance, degrees, largest=1.0)
        limits = counts.intervals("net", tuple("012345"), 0.95, 15)
        limits = limits.agreeing(edges, is_tested=True)
        upper = np.triu_indices(6, 1)
        holds = (limits.low[upper] <= 0) & (limits.high[upper] >= 0) & ~limits.is_cut[upper]
        excludes = (limits.low > 0) | (limits.is_cut & (limits.low == 0))
        contradictions = float((excludes != arrows)[upper].mean())
        is_false = float(crossed.test.p[0, 1] <= 0.05)
        return [float(arrows.any()), is_false, holds.all(), contradictions]

    return trial


def power(clusters: tuple[Ints, Ints, float, float]) -> Trial:
    """Return a trial: the share of true arrows that is found, of six systems in three tiers."""
    source, target, *_ = clusters
    better = TIERS[:, None] > TIERS

    def trial(rng: np.random.Generator) -> list[float]:
        test = crossed_test(answers(rng, clusters, TIERS), source, [target]).test
        return [float(significant(test)[better].mean())]

    return trial


def verdict_designs() -> Iterator[Design]:
    """Yield the designs of the specification, and six more."""
    for name, clusters in (SPEC | FURTHER).items():
        lines = (
            Line("false arrow, six systems", 0.06),
            Line("false arrow, two systems", _TWO.get(name, 0.06)),
            Line("all 15 intervals hold", 0.94, at_most=False),
            Line("intervals that contradict the verdict", 0.0),
        )
        yield Design(name, lines, verdicts(clusters))
    of_power = ("anatomy (.1) × anatomy without effect", "anatomy × anatomy (.1/.06)")
    flat = {"flat × 30 Zipf without effect": (ALONE, zipf(30), 0.0, 0.0)}
    flat["flat × flat"] = (ALONE, ALONE, 0.0, 0.0)
    for name, clusters in {**{name: SPEC[name] for name in of_power}, **flat}.items():
        yield Design(name, (Line("true arrows found"),), power(clusters))


def unequal_runs(runs: Sequence[int], spreads: Sequence[float]) -> Trial:
    """Return a trial: whether some of equal systems with unequally varying runs gets an arrow.

    Chances stay away from 0 and 1: cut there, a system whose runs vary more would be worse.
    """

    def trial(rng: np.random.Generator) -> list[float]:
        chance = 0.2 + 0.6 * rng.beta(4, 1, 500)
        right = {}
        for k, (times, spread) in enumerate(zip(runs, spreads, strict=True)):
            effects = spread * rng.standard_normal((times, 1))
            right[str(k)] = rng.random((times, 500)) < chance + effects
        return [float(significant(compare_runs(right, np.arange(500)).test).any())]

    return trial


def run_designs() -> Iterator[Design]:
    """Yield equal systems whose runs vary unequally."""
    for runs, spreads, bound in (
        ((2, 10), (0.05, 0.01), 0.06),
        ((2, 20), (0.05, 0.01), 0.06),
        ((3, 10), (0.05, 0.01), 0.06),
        ((3, 20), (0.05, 0.01), 0.061),
        ((3, 3), (0.05, 0.01), 0.06),
        ((2, 10, 10), (0.05, 0.01, 0.01), 0.06),
        ((2, 4), (0.01, 0.05), 0.06),
        ((2, 2), (0.05, 0.0), None),
    ):
        lines = (Line("false arrow of runs", bound),)
        yield Design(f"runs {runs}, sd {spreads}", lines, unequal_runs(runs, spreads))


def lost_margin(cluster: Ints, side: str, fate: float, lost: float, gained: float) -> Trial:
    """Return a trial: whether the gate passes a loss of the margin .01, the difference of both."""
    names = tuple(map(str, range(len(cluster))))
    clusters = {name: str(k) for name, k in zip(names, cluster.tolist(), strict=True)}
    sides = {"source": (clusters, None), "target": ({}, clusters)}[side]

    def trial(rng: np.random.Generator) -> list[float]:
        old = rng.random(len(cluster)) < 0.8
        gains = ~old & by_fate(rng, gained / 0.2, cluster, fate)
        losses = old & by_fate(rng, lost / 0.8, cluster, fate)
        scores = {"old": old[None] * 1.0, "new": ((old & ~losses) | gains)[None] * 1.0}
        own, crossing = sides
        decided = gate_answers(Answers(names, scores, own, crossing=crossing))
        return [float(decided.low > -0.01)]

    return trial


def gate_designs() -> Iterator[Design]:
    """Yield losses that equal the margin, of clusters that share their fate."""
    anatomy = laid_out(SIZES["anatomy"], 500, 1)
    for name, cluster, side, fate, rates, bound in (
        ("30 Zipf targets, fate .3", zipf(30, 600), "target", 0.3, (0.06, 0.05), 0.06),
        ("anatomy targets, fate .7", anatomy, "target", 0.7, (0.03, 0.02), 0.06),
        ("30 Zipf sources, fate .3", zipf(30, 600), "source", 0.3, (0.06, 0.05), 0.06),
        ("independent, n = 500", np.arange(500), "source", 0.0, (0.03, 0.02), 0.06),
        ("33 sources of 15, fate .7", np.arange(495) // 15, "source", 0.7, (0.06, 0.05), None),
        ("33 targets of 15, fate .7", np.arange(495) // 15, "target", 0.7, (0.06, 0.05), None),
        ("66 targets of 15, fate .7", np.arange(990) // 15, "target", 0.7, (0.06, 0.05), None),
        ("100 targets of 5, fate .7", np.arange(500) // 5, "target", 0.7, (0.06, 0.05), None),
    ):
        lines = (Line("the gate passes a loss of the margin", bound),)
        yield Design(name, lines, lost_margin(cluster, side, fate, *rates))


def own_ontologies(pairs: list[tuple[str, str]], effect: float) -> Trial:
    """Return a trial: a false arrow of two equal systems; a hub's effect is `effect` times."""
    hubs = [name for pair in pairs for name in pair if name.isupper()]
    names = tuple(f"{a}-{b}" for a, b in pairs)

    def trial(rng: np.random.Generator) -> list[float]:
        effects = {name: rng.standard_normal() for pair in pairs for name in pair}
        effects |= {name: effect * rng.standard_normal() for name in hubs}
        gaps = np.array([effects[a] + effects[b] + rng.standard_normal() for a, b in pairs])
        scores = np.stack([gaps, 0 * gaps], axis=1)
        table = ScoreTable(names, ("x", "y"), scores, ontologies=tuple(pairs), common_scale=True)
        return [float(bool(decide(table)[0].edges))]

    return trial


def steady(tasks: int, spread: float) -> Trial:
    """Return a trial: a false arrow of two equal systems whose scores have two decimals."""
    names = tuple(map(str, range(tasks)))

    def trial(rng: np.random.Generator) -> list[float]:
        scores = np.round(0.7 + spread * rng.standard_normal((tasks, 2)), 2)
        return [float(bool(decide(ScoreTable(names, ("x", "y"), scores))[0].edges))]

    return trial


def skewed(tasks: int) -> Trial:
    """Return a trial: a false arrow of two equal systems with skewed scores."""
    names = tuple(map(str, range(tasks)))

    def trial(rng: np.random.Generator) -> list[float]:
        scores = rng.exponential(1.0, (tasks, 2)) * [1.0, 0.2]
        scores -= [1.0, 0.2]
        table = ScoreTable(names, ("x", "y"), scores, common_scale=True)
        return [float(bool(decide(table, AnalysisSettings())[0].edges))]

    return trial


def study_designs() -> Iterator[Design]:
    """Yield tasks around one's own ontologies, steady differences, and skewed scores."""
    bounds = {"two": 0.06, "three": 0.06, "four": 0.06, "star of 8 + 1 beside": 0.06}
    tasks = {
        "star of 8 + 1 beside": [*(("A", x) for x in "abcdefgh"), ("a", "b")],
        "two of one's own, six others": [(own, x) for own in "AB" for x in "abcdef"],
        "three of one's own, six others": [(own, x) for own in "ABC" for x in "abcdef"],
        "four stars of 4": [
            (own, x) for own, others in zip("ABCD", ("abcd", "efgh", "ijkl", "mnop"), strict=True)
            for x in others
        ],
    }  # fmt: skip
    for name, pairs in tasks.items():
        bound = bounds.get(name, bounds.get(name.split()[0]))
        for effect in (1, 4):
            lines = (Line("false arrow of a study", bound),)
            yield Design(f"{name}, effect {effect}", lines, own_ontologies(pairs, effect))
    for number in (4, 5, 7):
        lines = (Line("false arrow of a study", 0.06),)
        yield Design(f"two decimals, {number} tasks, sd .006", lines, steady(number, 0.006))
        lines = (Line("false arrow of a study"),)
        yield Design(f"two skewed systems, {number} tasks", lines, skewed(number))


def designs() -> list[Design]:
    """Return all designs."""
    families = (verdict_designs, run_designs, gate_designs, study_designs)
    return [design for family in families for design in family()]


def main(folder: Path, runs: int) -> None:
    """Measure every design, and write it into the page, what does not hold first."""
    every = designs()
    measured = [
        line for design in track(every, len(every), "designs") for line in measure(design, runs)
    ]
    write_records(folder / "simulation-dependence.csv", measured)
    power = [line for line in measured if line.promise.startswith("true arrows")]
    missed = [
        line for line in measured if line not in power and (line.bound is None or not line.held)
    ]
    held = [line for line in measured if line not in missed]
    fill(folder / "simulation.md", {"unsolved": tabulated(missed), "dependence": tabulated(held)})


def tabulated(measured: Iterable[Measured]) -> Table:
    """Return the table of `promises_table` with the number of runs of each line."""
    lines = list(measured)
    table = promises_table(lines)
    rows = [[*row, line.runs] for row, line in zip(table.rows, lines, strict=True)]
    return Table("", [*table.header, "runs"], rows)


if __name__ == "__main__":
    show_bars()
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else RUNS)
