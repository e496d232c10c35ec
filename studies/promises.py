"""Whether the bounds that the documentation states hold, each in designs that try to break it.

`simulation_page.py` runs them all. Every line names a promise, a design, the bound, and what was
measured. A bound holds if it is not missed by more than two Monte-Carlo errors. Lines without a
bound are measured to be stated: they are not solved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from alignrank.common.executor import executor
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.evaluation.corrections.adjusting import adjust
from alignrank.evaluation.credit.credits import Credits
from alignrank.evaluation.multitask.score_table import ScoreTable
from alignrank.evaluation.multitask.study import decide
from alignrank.evaluation.significance.crossed import best_set, crossed_test
from alignrank.evaluation.significance.mcnemar import Ints, PairTest
from alignrank.evaluation.significance.runs import compare_runs
from alignrank.evaluation.significance.score_limits import difference_limits, discordance
from alignrank.evaluation.uncertainty.score_intervals import credit_intervals
from alignrank.ontologies import Correspondence
from simulation import ANATOMY, Flags, Floats

#: One run of a design: whether something happened, for each line that the design gives.
Trial = Callable[[np.random.Generator], Sequence[float]]


@dataclass(frozen=True)
class Line:
    """What a design measures, and the bound of it.

    Parameters
    ----------
    promise
        What is promised, such as the family-wise error.
    bound
        None where the line only states what is unsolved.
    at_most
        Whether the bound is an upper one.
    """

    promise: str
    bound: float | None = None
    at_most: bool = True


@dataclass(frozen=True)
class Design:
    """A way to make data, and the lines that it measures."""

    name: str
    lines: tuple[Line, ...]
    trial: Trial


@dataclass(frozen=True)
class Measured:
    """A line with the share of runs in which it happened."""

    promise: str
    design: str
    bound: float | None
    at_most: bool
    measured: float
    runs: int

    @property
    def held(self) -> bool:
        """Whether the bound is missed by no more than two Monte-Carlo errors."""
        if self.bound is None:
            return True
        error = 2 * math.sqrt(self.bound * (1 - self.bound) / self.runs)
        if self.at_most:
            return self.measured <= self.bound + error
        return self.measured >= self.bound - error


def measure(design: Design, runs: int = 2000, seed: int = 2024) -> list[Measured]:
    """Run a design, in blocks that do not depend on the number of workers.

    Examples
    --------
    >>> coin = Design("a coin", (Line("heads", 0.5),), lambda rng: [rng.random() < 0.5])
    >>> measure(coin, runs=400)[0].held
    True
    """
    sizes = [min(50, runs - start) for start in range(0, runs, 50)]

    def block(number: int, size: int) -> Floats:
        rng = np.random.default_rng((seed, number))
        happened: Floats = np.array([design.trial(rng) for _ in range(size)], dtype=float)
        return np.asarray(happened.sum(axis=0))

    blocks = executor().run(block, enumerate(sizes))
    shares = (np.sum([total for _, total in blocks], axis=0) / runs).tolist()
    return [
        Measured(line.promise, design.name, line.bound, line.at_most, share, runs)
        for line, share in zip(design.lines, shares, strict=True)
    ]


# --- clusters on both sides ----------------------------------------------------------------------


def laid_out(sizes: Sequence[int], items: int, seed: int) -> Ints:
    """Return the cluster of each item, with clusters of these sizes over and over."""
    rng = np.random.default_rng(seed)
    every = np.resize(rng.permutation(np.array(sizes)), items)
    return rng.permutation(np.repeat(np.arange(items), every)[:items])


#: How many of anatomy's head words (mouse, 2016) 1, 2, 3 … entities have.
WORDS = {1: 341, 2: 67, 3: 41, 4: 17, 5: 9, 6: 8, 7: 7, 8: 7, 9: 9, 10: 5, 11: 1, 12: 2, 13: 1}
WORDS |= {14: 2, 16: 2, 17: 1, 18: 1, 19: 1, 20: 2, 21: 1, 27: 1, 32: 1, 36: 1, 37: 2, 38: 1}
WORDS |= {40: 1, 43: 1, 65: 1, 72: 1, 125: 1, 144: 1}

SIZES = {
    "anatomy": [size for size, times in ANATOMY.items() for _ in range(times)],
    "words": [size for size, times in WORDS.items() for _ in range(times)],
    "alone": [1],
    "equal": [150],
    "zipf": [max(1, 400 // rank) for rank in range(1, 31)],
    "hub": [200, *[1] * 1300],
    "small": [1, 2, 3, 4, 5, 6, 7],
}


@dataclass(frozen=True)
class Crossing:
    """Six systems whose answers depend on source cluster, target cluster and head word.

    Parameters
    ----------
    source, target, head
        Shares of the variance; difficulty has half of it, chance the rest.
    sizes
        Keys of `SIZES` for the three partitions.
    items
        Number of items.
    """

    source: float = 0.0
    target: float = 0.0
    head: float = 0.0
    sizes: tuple[str, str, str] = ("anatomy", "anatomy", "words")
    items: int = 1500

    def partitions(self) -> list[Ints]:
        """Return the clusters of all items, on each side."""
        return [laid_out(SIZES[name], self.items, seed) for seed, name in enumerate(self.sizes)]

    def right(self, rng: np.random.Generator, accuracy: Floats) -> Flags:
        """Simulate who is right on what, (systems, items)."""
        return np.asarray(self.latent(rng, len(accuracy)) < ndtri(accuracy)[:, None])

    def latent(self, rng: np.random.Generator, n: int) -> Floats:
        """Simulate standard normal variables of n systems, which are right where they are low."""
        shares = (self.source, self.target, self.head)
        latent = math.sqrt(0.5) * rng.standard_normal((1, self.items))
        latent = latent + math.sqrt(0.5 - sum(shares)) * rng.standard_normal((n, self.items))
        for share, partition in zip(shares, self.partitions(), strict=True):
            effects = rng.standard_normal((n, int(partition.max()) + 1))
            latent += math.sqrt(share) * effects[:, partition]
        return latent


EQUAL = np.full(6, 0.8)
TIERS = np.array([0.76, 0.76, 0.8, 0.8, 0.84, 0.84])

#: Which partitions a test knows.
TESTS = ("source only", "source and target", "source, target and head word")


def significant(test: PairTest) -> Flags:
    """Return (n, n): whether the row is significantly better, by Bergmann–Hommel at .05."""
    p = test.p
    if np.nanmin(p) > 0.05:
        return np.zeros(p.shape, dtype=np.bool_)
    return np.asarray((adjust(p, "bergmann-hommel").values <= 0.05) & (test.advantage > 0))


def false_arrows(crossing: Crossing) -> Trial:
    """Return a trial: whether some of six equal systems gets an arrow, by each of `TESTS`."""
    source, *further = crossing.partitions()

    def trial(rng: np.random.Generator) -> list[float]:
        right = crossing.right(rng, EQUAL)
        tests = [crossed_test(right, source, further[:known]).test for known in range(3)]
        return [float(significant(test).any()) for test in tests]

    return trial


def arrows_and_sets(crossing: Crossing) -> Trial:
    """Return a trial: the share of true arrows by each of `TESTS`; whether a best is missed.

    The last is of six equal systems: each of them is a best one.
    """
    source, *further = crossing.partitions()
    better = TIERS[:, None] > TIERS

    def trial(rng: np.random.Generator) -> list[float]:
        right = crossing.right(rng, TIERS)
        tests = [crossed_test(right, source, further[:known]).test for known in range(3)]
        equal = crossed_test(crossing.right(rng, EQUAL), source, further[:1]).test
        missed = not best_set(equal, significant(equal))[0]
        return [*(float(significant(test)[better].mean()) for test in tests), float(missed)]

    return trial


def cousins() -> Trial:
    """Return a trial: whether some equal system gets an arrow where classes share a grandparent.

    By the default test, and with all classes together that share a grandparent.
    """
    crossing = Crossing(0.05, 0.05)
    source, target, _ = crossing.partitions()
    # a grandparent has 1, 2, 3 … children that are parents
    grandparent = laid_out(SIZES["small"], int(source.max()) + 1, 3)[source]
    share = 0.1

    def trial(rng: np.random.Generator) -> list[float]:
        effects = rng.standard_normal((len(EQUAL), int(grandparent.max()) + 1))
        bound = ndtri(EQUAL)[:, None] * math.sqrt(1 + share)
        right = crossing.latent(rng, 6) + math.sqrt(share) * effects[:, grandparent] < bound
        tests = [crossed_test(right, units, [target]).test for units in (source, grandparent)]
        return [float(significant(test).any()) for test in tests]

    return trial


CROSSINGS = {
    "independent": Crossing(sizes=("alone", "alone", "alone")),
    "siblings .1": Crossing(source=0.1),
    "crossed .1/.03": Crossing(0.1, 0.03),
    "crossed .1/.06": Crossing(0.1, 0.06),
    "crossed .1/.1": Crossing(0.1, 0.1),
    "target clusters only": Crossing(0.0, 0.1),
    "hub: one target cluster of 200": Crossing(0.05, 0.1, sizes=("anatomy", "hub", "words")),
    "hub: one head word of 200": Crossing(0.05, 0.0, 0.1, sizes=("anatomy", "anatomy", "hub")),
    "source .05, target .03, head word .05": Crossing(0.05, 0.03, 0.05),
    "the same with 30 head words (Zipf)": Crossing(
        0.05, 0.03, 0.05, sizes=("anatomy", "anatomy", "zipf")
    ),
    "Zipf clusters, crossed": Crossing(0.05, 0.05, sizes=("zipf", "zipf", "zipf")),
    "ten equal clusters, crossed": Crossing(0.05, 0.05, sizes=("equal", "equal", "words")),
    "clusters of 1–7, n = 300": Crossing(0.1, 0.1, 0.1, ("small", "small", "small"), 300),
}

#: Designs in which only a test that knows the head word holds, and one in which no test does: its
#: largest head words have 27%, 13% and 9% of the items, too few units for a variance.
_HEAD_WORDS = ("hub: one head word of 200", "source .05, target .03, head word .05")
_UNSOLVED = "the same with 30 head words (Zipf)"


def crossed_designs() -> Iterator[Design]:
    """Yield the designs of the family-wise error, of power, and of the set for the best."""
    for name, crossing in CROSSINGS.items():
        bounds: tuple[float | None, ...] = (None, 0.055, 0.06)
        if name in _HEAD_WORDS:
            bounds = (None, None, 0.06)
        elif name == _UNSOLVED:
            bounds = (None, None, None)
        lines = [Line(f"false arrow, {test}", b) for test, b in zip(TESTS, bounds, strict=True)]
        yield Design(name, tuple(lines), false_arrows(crossing))
    together = Line("false arrow, classes that share a grandparent together", 0.055)
    yield Design("cousins .1", (Line(f"false arrow, {TESTS[1]}"), together), cousins())
    for name in ("siblings .1", "crossed .1/.06"):
        lines = [Line(f"true arrows found, {test}") for test in TESTS]
        lines.append(Line("a best system is missing from the set", 0.05))
        yield Design(name, tuple(lines), arrows_and_sets(CROSSINGS[name]))


# --- rare differences ----------------------------------------------------------------------------


def near_copies(items: int) -> Trial:
    """Return a trial: whether all 15 intervals hold 0, for copies with 2% answers of their own."""

    def trial(rng: np.random.Generator) -> list[float]:
        answers = np.repeat(rng.random((1, items)) < 0.8, 6, axis=0)
        own = rng.random((6, items)) < 0.02
        answers = np.where(own, rng.random((6, items)) < 0.8, answers)
        return [covered(answers, np.arange(items))]

    return trial


def covered(right: Flags, source: Ints, crossing: Sequence[Ints] = ()) -> float:
    """Return whether the simultaneous intervals of equal systems all hold 0."""
    names = [str(k) for k in range(len(right))]
    ones = np.ones(right.shape)
    limits = difference_limits(names, right.astype(float), ones, source, crossing)
    upper = np.triu_indices(len(right), 1)
    return float((limits.low[upper] <= 0).all() and (limits.high[upper] >= 0).all())


def crossed_intervals(crossing: Crossing) -> Trial:
    """Return a trial: whether all 15 intervals hold, with clusters on both sides."""
    source, target, _ = crossing.partitions()
    return lambda rng: [covered(crossing.right(rng, EQUAL), source, [target])]


def by_fate(rng: np.random.Generator, chance: float, cluster: Ints, shared: float) -> Flags:
    """Draw events that items of a cluster share with this probability."""
    of_clusters = rng.random(int(cluster.max()) + 1)[cluster]
    together = rng.random(len(cluster)) < shared
    return np.asarray(np.where(together, of_clusters, rng.random(len(cluster))) < chance)


def lost_margin(kind: str, cluster: Ints, shared: float, margin: float = 0.01) -> Trial:
    """Return a trial: whether the gate passes a loss that equals the margin."""
    items = len(cluster)

    def trial(rng: np.random.Generator) -> list[float]:
        old = rng.random(items) < 0.8
        if kind == "wrong extras, F1":
            found = 1.0 * old + (rng.random(items) < 0.1)
            f1 = 1.6 / 1.9
            extra = by_fate(rng, 1.6 / (f1 - margin) - 1.9, cluster, shared)
            a, b = np.stack([2.0 * old] * 2), np.stack([found + 1.0, found + extra + 1.0])
            low, _ = discordance(a, b, cluster, measure="f1").limits(0.05)
            return [float(low[1, 0] > -margin)]
        gains = 0.0
        if kind == "losses and gains":
            gains = 0.02
        gained = ~old & by_fate(rng, gains / 0.2, cluster, shared)
        lost = old & by_fate(rng, (margin + gains) / 0.8, cluster, shared)
        right = np.stack([old, (old & ~lost) | gained]).astype(float)
        low, _ = discordance(right, np.ones(right.shape), cluster).limits(0.05)
        return [float(low[1, 0] > -margin)]

    return trial


def rare_designs() -> Iterator[Design]:
    """Yield near-copies, crossed clusters, and the gate at the margin."""
    covers = (Line("all 15 intervals cover", 0.94, at_most=False),)
    for items in (120, 300, 1000):
        yield Design(f"near-copies, n = {items}", covers, near_copies(items))
    for name in ("siblings .1", "crossed .1/.06", "Zipf clusters, crossed"):
        yield Design(name, covers, crossed_intervals(CROSSINGS[name]))
    passes = (Line("the gate passes a loss of the margin", 0.056),)
    kinds = ("losses", "losses and gains", "wrong extras, F1")
    for kind in kinds:
        for items in (30, 100, 200, 300, 500, 1000):
            trial = lost_margin(kind, np.arange(items), 0.0)
            yield Design(f"{kind}, n = {items}", passes, trial)
        for name, cluster in (
            ("clusters of anatomy, n = 500", laid_out(SIZES["anatomy"], 500, 1)),
            ("100 clusters of 5", np.repeat(np.arange(100), 5)),
            ("20 clusters of 15", np.repeat(np.arange(20), 15)),
        ):
            for shared in (0.3, 0.7):
                trial = lost_margin(kind, cluster, shared)
                yield Design(f"{kind}, {name}, fate shared {shared:g}", passes, trial)


# --- several runs --------------------------------------------------------------------------------


def equal_runs(runs: Sequence[int], spreads: Sequence[float], items: int = 500) -> Trial:
    """Return a trial: whether some of equal systems with runs gets an arrow."""

    def trial(rng: np.random.Generator) -> list[float]:
        chance = rng.beta(4, 1, items)
        right = {}
        for k, (times, spread) in enumerate(zip(runs, spreads, strict=True)):
            effects = spread * rng.standard_normal((times, 1))
            right[str(k)] = rng.random((times, items)) < np.clip(chance + effects, 0, 1)
        return [float(significant(compare_runs(right, np.arange(items)).test).any())]

    return trial


def run_designs() -> Iterator[Design]:
    """Yield equal systems with one run or several; a run moves all items by .025 (sd)."""
    line = (Line("false arrow of runs", 0.06),)
    for runs in ((2, 2), (1, 3), (1, 10), (1, 1, 3, 3), (2,) * 6):
        yield Design(f"runs {runs}", line, equal_runs(runs, [0.025] * len(runs)))
    yield Design(
        "runs (3, 3, 3), sd .01, .025, .05", line, equal_runs((3,) * 3, (0.01, 0.025, 0.05))
    )
    unsolved = (Line("false arrow of runs, unsolved"),)
    yield Design(
        "runs (1, 3), the one varies twice as much", unsolved, equal_runs((1, 3), (0.05, 0.025))
    )


# --- few tasks -----------------------------------------------------------------------------------

#: Noise of a score on a task, of standard deviation about 1.
NOISE: dict[str, Callable[[np.random.Generator, int], NDArray[np.float64]]] = {
    "normal": lambda rng, n: rng.standard_normal((n, 4)),
    "skewed": lambda rng, n: rng.exponential(1.0, (n, 4)),
    "heavy tails": lambda rng, n: rng.standard_t(3, (n, 4)) / math.sqrt(3),
    "unequal tasks": lambda rng, n: rng.standard_normal((n, 4)) * rng.exponential(1, (n, 1)),
    "unequal systems": lambda rng, n: rng.standard_normal((n, 4)) * [0.25, 0.5, 1, 2],
    # the last system fails by 4 on one task of ten; its mean is that of the others
    "rare failures": lambda rng, n: (
        0.6 * rng.standard_normal((n, 4)) + (0.4 - 4 * (rng.random((n, 4)) < 0.1)) * [0, 0, 0, 1]
    ),
}


def few_tasks(noise: str, tasks: int, step: float) -> Trial:
    """Return a trial: a false arrow of equal systems; true arrows of a ladder, by two tests."""
    names = tuple(map(str, range(tasks)))

    def trial(rng: np.random.Generator) -> list[float]:
        equal = NOISE[noise](rng, tasks)
        ladder = equal - step * np.arange(4)
        tables = [ScoreTable(names, tuple("abcd"), x, common_scale=True) for x in (equal, ladder)]
        false, true = (len(decide(table)[0].edges) for table in tables)
        ranked = len(decide(tables[1], AnalysisSettings("signed-rank"))[0].edges)
        return [float(false > 0), float(true), float(ranked)]

    return trial


def sharing_tasks(ontologies: int) -> Trial:
    """Return a trial: a false arrow on all pairs of some ontologies, and by t as if independent."""
    pairs = tuple((f"o{a}", f"o{b}") for a, b in combinations(range(ontologies), 2))
    ends = np.array(list(combinations(range(ontologies), 2)))
    names = tuple("-".join(pair) for pair in pairs)

    def trial(rng: np.random.Generator) -> list[float]:
        effects = rng.standard_normal((ontologies, 4))
        scores = effects[ends].sum(axis=1) + rng.standard_normal((len(pairs), 4))
        table = ScoreTable(names, tuple("abcd"), scores, ontologies=pairs, common_scale=True)
        tests = (None, "paired-t")
        return [float(bool(decide(table, AnalysisSettings(test))[0].edges)) for test in tests]

    return trial


def task_designs() -> Iterator[Design]:
    """Yield studies of four systems on few tasks."""
    for noise in NOISE:
        bound = None if noise == "rare failures" else 0.051
        lines = (
            Line("false arrow of a study", bound),
            Line("true arrows of 6, mean difference"),
            Line("true arrows of 6, signed-rank"),
        )
        for tasks in (4, 5, 6, 7):
            yield Design(f"{noise}, {tasks} tasks", lines, few_tasks(noise, tasks, 1.2))
    sharing = (
        Line("false arrow of a study", 0.06),
        Line("false arrow of a study, tasks as if independent"),
    )
    for ontologies in (5, 7):
        yield Design(f"all pairs of {ontologies} ontologies", sharing, sharing_tasks(ontologies))


# --- precision, recall, F1 -----------------------------------------------------------------------


def many_targets(entities: int, cluster: Ints | None = None) -> Trial:
    """Return a trial: whether the intervals of precision, recall and F1 cover.

    Entities have one to forty targets (Pareto), which they mostly lose or find together; with
    clusters they have one, and clusters share their fate.
    """
    names = [f"e{k:04}" for k in range(entities)]
    clusters = None
    if cluster is not None:
        clusters = {name: str(k) for name, k in zip(names, cluster.tolist(), strict=True)}

    def trial(rng: np.random.Generator) -> list[float]:
        sizes = np.ones(entities, dtype=int)
        fate = rng.beta(3, 1, entities)
        if cluster is None:
            sizes = np.minimum(1 + np.floor(rng.pareto(1.5, entities)), 40).astype(int)
        else:
            fate = rng.beta(3, 1, int(cluster.max()) + 1)[cluster]
        owner = np.repeat(np.arange(entities), sizes)
        hit = (rng.random(len(owner)) < fate[owner]).astype(np.float64)
        extra = (rng.random(len(owner)) < 0.2).astype(np.float64)
        cells = tuple(Correspondence(names[k], str(i)) for i, k in enumerate(owner.tolist()))
        wrong = tuple(Correspondence(names[k], f"w{i}") for i, k in enumerate(owner.tolist()))
        ones = np.ones(len(owner))
        none = np.zeros(len(owner))
        earned = Credits(
            (*cells, *wrong), cells, np.append(hit, none), hit, np.append(hit, extra), ones
        )
        truths = {"precision": 0.75 / 0.95, "recall": 0.75, "f1": 1.5 / 1.95}
        intervals = credit_intervals(earned, clusters=clusters)
        return [
            float(intervals[n].low <= truth <= intervals[n].high) for n, truth in truths.items()
        ]

    return trial


def interval_designs() -> Iterator[Design]:
    """Yield 1:n references and clusters."""
    lines = tuple(
        Line(f"interval of {name} covers", 0.92, at_most=False)
        for name in ("precision", "recall", "F1")
    )
    for entities in (30, 100, 300):
        yield Design(f"1:n, {entities} entities", lines, many_targets(entities))
    for name, cluster in (
        ("clusters of anatomy, n = 300", laid_out(SIZES["anatomy"], 300, 1)),
        ("30 Zipf clusters", laid_out(SIZES["zipf"], 1500, 1)),
        ("5 clusters of 60", np.repeat(np.arange(5), 60)),
    ):
        _, dense = np.unique(cluster, return_inverse=True)
        yield Design(name, lines, many_targets(len(dense), dense.astype(np.int64)))


def designs() -> list[Design]:
    """Return all designs."""
    families = (crossed_designs, rare_designs, run_designs, task_designs, interval_designs)
    return [design for family in families for design in family()]
