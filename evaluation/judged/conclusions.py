"""What the estimated sums say of the systems: measures in the pool, differences, arrows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import special

from alignrank.evaluation.ranking import Edge, enumeration
from alignrank.evaluation.significance.mcnemar import Bools, Floats, Ints, PairTest, off_diagonal

from .draw import expected_inclusion
from .estimate import PoolSums, diagonal, f1_slopes

#: Numbers of questions at which variances are computed, and at which they are interpolated.
TRIED, FINER = 12, 400
#: Simulations checked the intervals from this number of questions on; fewer allow no forecast.
ENOUGH_QUESTIONS = 50
#: The chance that so many more questions as are said to decide do decide.
CHANCE = 0.8


@dataclass(frozen=True, eq=False)
class Limits:
    """Estimates with limits that hold together, (k,) or (k, k) each."""

    value: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False)
class PoolEstimate:
    """What judged questions say of the systems, relative to the pool of their pairs.

    Parameters
    ----------
    questions, judged
        The questions of the pool, and those whose judgements are used.
    pairs, cannot_tell
        The pairs of the pool, and the used verdicts *cannot tell*.
    right
        The estimated number of right pairs in the pool, with its limits.
    measures
        By measure (f1, precision, recall, correct): (k,), with intervals that hold for all systems
        together.
        Precision and correct need no reference; recall and F1 take the pool's right pairs for it.
    differences
        ``f1`` and ``correct``: (k, k), row minus column, intervals that hold for all pairs.
    whatever
        Pairs (better, worse) in F1 whatever right pairs the files lack.
    if_complete
        (better, worse, flip): better in F1 only while the reference holds fewer than `flip`
        correspondences; infinity where it is only uncertain that it has as many correct pairs.
    more
        For other pairs: how many more questions decide them with the chance `CHANCE`.
    """

    questions: int
    judged: int
    pairs: int
    cannot_tell: int
    right: tuple[float, float, float]
    measures: Mapping[str, Limits]
    differences: Mapping[str, Limits]
    whatever: tuple[Edge, ...]
    if_complete: tuple[tuple[str, str, float], ...]
    more: tuple[tuple[str, str, int], ...]

    def order(self, systems: Sequence[str]) -> list[str]:
        """Return the systems by their F1 in the pool, the best first, then by name."""
        f1 = dict(zip(systems, self.measures["f1"].value.tolist(), strict=True))
        return sorted(systems, key=lambda name: (-f1[name], name))

    def answer(self, systems: Sequence[str], focus: str | None = None) -> list[str]:
        """Say how the best system's F1 in the pool, or that of `focus`, compares with the others'.

        Parameters
        ----------
        systems
            Their names, in the order of `measures`.
        focus
            One of them; None: the one with the best F1.
        """
        f1 = self.measures["f1"]
        k = systems.index(focus or self.order(systems)[0])
        name, value, low, high = systems[k], f1.value[k], f1.low[k], f1.high[k]
        limits = f"{value:.3f}" if low == high else f"{value:.3f} [{low:.3f}–{high:.3f}]"
        always = "{}, whatever right pairs the files lack"
        if_complete = "{} only if the files propose (nearly) all right pairs"
        others_by_verdict = {
            f"above that of {always}": [t for s, t in self.whatever if s == name],
            f"above that of {if_complete}": [t for s, t, _ in self.if_complete if s == name],
            f"below that of {always}": [s for s, t in self.whatever if t == name],
            f"below that of {if_complete}": [s for s, t, _ in self.if_complete if t == name],
        }
        decided = {name}.union(*others_by_verdict.values())
        undecided = [system for system in systems if system not in decided]
        sentences = [f"{name} has the best F1 in the pool: {limits}."]
        if focus is not None:
            sentences = [f"{name} has F1 {limits} in the pool."]
        elif undecided:
            sentences = [
                f"{name} has the highest F1 in the pool, {limits}, but after {self.judged:,} of "
                f"{self.questions:,} questions it does not differ significantly from that of "
                f"{enumeration(undecided)}{self._how_many_more(name, undecided)}."
            ]
        for verdict, others in others_by_verdict.items():
            if others:
                sentences.append(f"Its F1 is significantly {verdict.format(enumeration(others))}.")
        if focus is not None and undecided:
            sentences.append(
                f"After {self.judged:,} of {self.questions:,} questions it does not differ "
                f"significantly from {enumeration(undecided)}"
                f"{self._how_many_more(name, undecided)}."
            )
        return sentences

    def _how_many_more(self, system: str, undecided: Sequence[str]) -> str:
        """Say how many more questions decide between a system and the next one; '' if unknown."""
        numbers = {
            ({first, second} - {system}).pop(): number
            for first, second, number in self.more
            if system in (first, second)
        }
        if not numbers:
            return ""
        nearest = min(numbers, key=numbers.__getitem__)
        # two digits: the number is a forecast
        number = min(int(float(f"{numbers[nearest]:.1e}")), self.questions - self.judged)
        on_nearest = f" on {nearest}" if len(undecided) > 1 else ""
        return f": about {number:,} more decide{on_nearest} with a chance of {CHANCE:.0%}"


def conclude(
    runs: Sequence[PoolSums], weights: Floats, *, level: float = 0.95, cannot_tell: int = 0
) -> PoolEstimate:
    """Return what the sums say.

    Parameters
    ----------
    runs
        The sums; where verdicts are *cannot tell*, once with all of them right and once with all
        of them wrong. Intervals then hold both.
    weights
        (questions,): the weights that the questions were drawn by.
    level
        Of the intervals.
    cannot_tell
        The number of such verdicts.
    """
    pool, judged = runs[0].pool, runs[0].questions
    measures = _joined([_measures(run, level) for run in runs])
    differences = _joined([differences_in_pool(run, level) for run in runs])
    totals = [_total(run, level) for run in runs]
    estimates, lows, highs = zip(*totals, strict=True)
    right = float(np.mean(estimates)), min(lows), max(highs)
    f1 = differences["f1"]
    ahead, whatever = better_systems(differences)
    names = pool.systems
    counts = measures["correct"].value
    edges = [(i, j) for i, j in np.argwhere(ahead).tolist()]
    always: list[tuple[str, str]] = []
    if_complete: list[tuple[str, str, float]] = []
    for i, j in edges:
        if whatever[i, j]:
            always.append((names[i], names[j]))
        else:
            flip = flip_point(counts[i], counts[j], pool.sizes[i], pool.sizes[j])
            if_complete.append((names[i], names[j], flip))
    return PoolEstimate(
        len(pool.sources),
        judged,
        len(pool.pairs),
        cannot_tell,
        right,
        measures,
        differences,
        tuple(always),
        tuple(if_complete),
        _more_questions(runs, weights, f1, level),
    )


def better_systems(differences: Mapping[str, Limits]) -> tuple[Bools, Bools]:
    """Return where the row's F1 in the pool is better, and where whatever the pool lacks, (k, k).

    F1 is better at every size of the reference if it is better in the pool and the row has at
    least as many correct pairs.
    """
    ahead = differences["f1"].low > 0
    return ahead, ahead & (differences["correct"].low >= 0)


def f1_of(correct: Floats, sizes: Floats, right: float) -> Floats:
    """Return F1 = 2 C / (F + T) of each system, 0 where nothing is right."""
    whole = sizes + right
    return np.divide(2 * correct, whole, out=np.zeros(len(correct)), where=whole > 0)


def flip_point(correct_s: float, correct_t: float, size_s: float, size_t: float) -> float:
    """Return the size of the reference from which on F1 of s is no longer larger.

    F1 of s is larger at the size R if and only if C_s (F_t + R) > C_t (F_s + R): at every larger
    size, too, if C_s ≥ C_t.

    Examples
    --------
    >>> flip_point(8, 10, 8, 16)  # 16 / (8 + 24) = 20 / (16 + 24)
    24.0
    """
    if correct_s >= correct_t:
        return float("inf")
    return float((correct_t * size_s - correct_s * size_t) / (correct_s - correct_t))


def bounded_sums(run: PoolSums) -> Floats:
    """Return the sums (k + 1,) within what the judgements leave possible."""
    sums = np.clip(run.sums, *_possible(run))
    sums[-1] = sums.max()  # no system has more right pairs than the pool
    return sums


def _possible(run: PoolSums) -> tuple[Floats, Floats]:
    """Return the least and the largest sums that the judgements leave possible."""
    judged = run.judged[run.pool.question]
    least = run.pool.membership.T @ (judged * run.right)
    unjudged = run.pool.membership.T @ (1.0 - judged)
    return least, least + unjudged


def measures_of(run: PoolSums) -> dict[str, tuple[Floats, Floats]]:
    """Return each measure's values (k,), and their derivatives (k, k + 1) by the sums."""
    sums, sizes = bounded_sums(run), run.pool.sizes.astype(float)
    correct, right = sums[:-1], sums[-1]
    ones = np.ones(len(correct))  # 0/0, as the Alignment API counts it
    precision = np.divide(correct, sizes, out=ones.copy(), where=sizes > 0)
    recall = np.divide(correct, right, out=ones.copy(), where=right > 0)
    unit = np.eye(len(correct), len(sums))
    per_size = np.divide(1, sizes, out=np.zeros(len(sizes)), where=sizes > 0)
    divisor = max(right, 1e-9)
    by_recall = unit / divisor
    by_recall[:, -1] = -correct / divisor**2
    return {
        "f1": (f1_of(correct, sizes, right), f1_slopes(correct, sizes, right)),
        "precision": (precision, unit * per_size[:, None]),
        "recall": (recall, by_recall),
        "correct": (correct, unit),
    }


def _measures(run: PoolSums, level: float) -> dict[str, Limits]:
    least, most = (bound[:-1] for bound in _possible(run))
    limits = {}
    for name, (values, gradient) in measures_of(run).items():
        half = run.half_widths(gradient, level)
        low, high = values - half, values + half
        if name == "correct":
            low, high = np.maximum(low, least), np.minimum(high, most)
        else:
            low, high = np.maximum(low, 0.0), np.minimum(high, 1.0)
        limits[name] = Limits(values, low, high)
    return limits


def differences_in_pool(run: PoolSums, level: float) -> dict[str, Limits]:
    """Return the differences of F1 and of correct pairs, row minus column, (k, k)."""
    k = len(run.pool.systems)
    rows, columns = np.triu_indices(k, 1)
    measures, limits = measures_of(run), {}
    for name in ("f1", "correct"):
        values, gradient = measures[name]
        half = np.zeros((k, k))
        widths = run.half_widths(gradient[rows] - gradient[columns], level)
        half[rows, columns] = half[columns, rows] = widths
        difference = values[:, None] - values
        limits[name] = Limits(difference, difference - half, difference + half)
    return limits


def _total(run: PoolSums, level: float) -> tuple[float, float, float]:
    contrast = np.zeros((1, len(run.sums)))
    contrast[0, -1] = 1
    value = float(bounded_sums(run)[-1])
    half = float(run.half_widths(contrast, level)[0])
    least, most = (float(bound[-1]) for bound in _possible(run))
    return value, max(value - half, least), min(value + half, most)


def _joined(runs: Sequence[Mapping[str, Limits]]) -> dict[str, Limits]:
    """Return limits that hold those of every run, around the mean of the values."""
    joined = {}
    for name in runs[0]:
        each = [run[name] for run in runs]
        value = np.mean([e.value for e in each], axis=0)
        low = np.min([e.low for e in each], axis=0)
        joined[name] = Limits(value, low, np.max([e.high for e in each], axis=0))
    return joined


def _more_questions(
    runs: Sequence[PoolSums], weights: Floats, f1: Limits, level: float
) -> tuple[tuple[str, str, int], ...]:
    """Return for each pair that is not decided how many more questions decide it (`CHANCE`).

    No number can be said of two systems with the same answers, and where verdicts *cannot tell*
    reverse the difference.
    """
    names = runs[0].pool.systems
    signed = np.array([_needed_questions(run, weights, level) for run in runs])
    more = []
    for numbers, (i, j) in zip(signed.T, combinations(range(len(names)), 2), strict=True):
        is_reversed = numbers.min() < 0 < numbers.max()
        if f1.low[i, j] <= 0 <= f1.high[i, j] and numbers.any() and not is_reversed:
            more.append((names[i], names[j], int(np.abs(numbers).max())))
    return tuple(more)


def _needed_questions(run: PoolSums, weights: Floats, level: float) -> Ints:
    """Return for each two systems how many more questions decide; negative if the second leads.

    What is judged stays judged: after m questions, the estimate of a difference is normal around
    today's with the variance v(n) − v(m), and its interval's half width is in proportion to
    √v(m). The smallest m is taken at which the interval leaves out 0 with the chance `CHANCE`; v
    falls about linearly with 1/m. 0 where nothing is left to estimate.
    """
    judged, questions = run.questions, len(run.pool.sources)
    rows, columns = np.triu_indices(len(run.pool.systems), 1)
    needed = np.zeros(len(rows), dtype=np.int64)
    if judged == questions or judged < ENOUGH_QUESTIONS or not len(rows):
        return needed
    f1, gradient = measures_of(run)["f1"]
    contrasts = gradient[rows] - gradient[columns]
    difference = f1[rows] - f1[columns]
    half, now = run.half_widths(contrasts, level), run.variances(contrasts)
    tried = np.unique(np.geomspace(judged, questions, TRIED).round())
    inclusions = [expected_inclusion(weights, int(number)) for number in tried]
    expected = np.array([diagonal(contrasts, run.variance_at(share)) for share in inclusions])
    later = np.unique(np.geomspace(judged + 1, questions, FINER).round())
    for pair in np.flatnonzero(expected[0] > 0).tolist():
        share = np.interp(-1 / later, -1 / tried, expected[:, pair] / expected[0, pair])
        bound, spread = half[pair] * np.sqrt(share), np.sqrt(now[pair] * (1 - share))
        chance = special.ndtr((difference[pair] - bound) / spread)
        chance += special.ndtr((-difference[pair] - bound) / spread)
        needed[pair] = later[int(np.argmax(chance >= CHANCE))] - judged
    return np.where(difference < 0, -needed, needed)


def judged_tests(run: PoolSums) -> dict[str, PairTest]:
    """Return McNemar's test from judgements, for ``ifp`` and ``cfp``.

    D = Σ_e d_e is the difference of the two discordant counts, where d_e sums over the pairs of
    question e: (a_us − a_ut) y_u (ifp) or (a_us − a_ut) (2 y_u − 1) (cfp). Under the null
    hypothesis D has the variance V₁ = Σ_e d_e². D and V₁ are estimated, and the variance V₂ of the
    estimate of D by the sample is added: z = D̂ / √(V̂₁ + V̂₂).
    """
    pool = run.pool
    k = len(pool.systems)
    sums = bounded_sums(run)[:-1]
    proposed = pool.membership[:, :-1]
    judged_weight = np.where(run.judged, 1 / run.probability, 0.0)
    rows, columns = np.triu_indices(k, 1)
    unit = np.eye(k, k + 1)
    of_sample = np.zeros((k, k))
    of_pairs = run.variances(unit[rows] - unit[columns])
    of_sample[rows, columns] = of_sample[columns, rows] = of_pairs
    tests = {}
    for view, slope, shift in (("ifp", 1, 0), ("cfp", 2, 1)):
        advantage = slope * (sums[:, None] - sums) - shift * (pool.sizes[:, None] - pool.sizes)
        spread = slope**2 * run.guess * (1 - run.guess)
        guessed = pool.sum_by_question(proposed * (slope * run.guess - shift)[:, None])
        answered = pool.sum_by_question(proposed * (slope * run.right - shift)[:, None])
        ones = np.ones(len(judged_weight))
        predicted = squares(guessed, ones) + squares(proposed, spread)
        spread_judged = spread * judged_weight[pool.question]
        predicted_judged = squares(guessed, judged_weight) + squares(proposed, spread_judged)
        variance = predicted + squares(answered, judged_weight) - predicted_judged
        seen = squares(answered, run.judged.astype(float))
        variance = np.maximum(variance, np.maximum(seen, predicted / 4))
        whole = variance + slope**2 * of_sample
        z = np.divide(np.abs(advantage), np.sqrt(whole), out=np.zeros((k, k)), where=whole > 0)
        log_p = np.minimum(np.log(2) + special.log_ndtr(-z), 0.0)
        log_p = np.maximum(log_p, log_p.T)  # rounding may make the two halves differ
        tests[view] = PairTest(
            advantage.astype(float),
            off_diagonal(np.exp(log_p)),
            off_diagonal(log_p / np.log(10)),
        )
    return tests


def squares(rows: Floats, weight: Floats) -> Floats:
    """Return Σ_e w_e (h_es − h_et)² for each two columns s and t of `rows` (n, k).

    Examples
    --------
    >>> squares(np.array([[1.0, 3.0], [2.0, 2.0]]), np.array([0.5, 1.0])).tolist()
    [[0.0, 2.0], [2.0, 0.0]]
    """
    products = (rows * weight[:, None]).T @ rows
    products = (products + products.T) / 2  # the product is symmetric only up to rounding
    own = np.diag(products)
    return np.asarray(np.maximum(own[:, None] + own - 2 * products, 0.0))
