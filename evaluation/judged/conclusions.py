"""Conclusions from the estimated sums: measures in the pool, differences, arrows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import scipy

from alignrank.common.defaults import DEFAULTS
from alignrank.common.names import enumeration
from alignrank.common.results import Caution
from alignrank.evaluation.ranking import Edge
from alignrank.evaluation.significance.mcnemar import Bools, Floats, Ints, PairTest, off_diagonal

from .draw import Schedule, Verdict, expected_inclusion, inclusion
from .estimate import PoolSums, diagonal, f1_slopes, simultaneous_tail
from .pool import ENOUGH_QUESTIONS, Pool

#: The first verdict with this chance to decide is named.
CHANCE = 0.8
#: Smaller differences of F1 are those of rounding.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Limits:
    """Estimates with limits that hold together, (k,) or (k, k) each."""

    value: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True)
class Chance:
    """The chance that a later verdict decides between two systems.

    Parameters
    ----------
    systems
        The two.
    next
        The chance that the next verdict decides, from 0 to 1; 0 where no verdict ever does.
    answers_for_80
        The number of answers at the first verdict that decides with the chance `CHANCE` or more;
        None where no verdict does.
    """

    systems: Edge
    next: float
    answers_for_80: int | None


@dataclass(frozen=True, eq=False)
class PoolEstimate:
    """Estimates of the systems by judged questions, relative to the pool of their pairs.

    Estimates rest on all answers. A verdict comes only at fixed numbers of answers
    (`alignrank.evaluation.judged.draw`), and rests on the first ones.

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
    level
        Of these intervals.
    alpha
        The level of all verdicts together.
    verdict
        The last verdict; None before the first.
    next_verdict
        The number of answers at the next verdict; None where there is none.
    whatever
        Pairs (better, worse) in F1 whatever right pairs the files lack, at the verdict.
    if_complete
        (better, worse, flip): at the verdict, better in F1 only while the reference holds fewer
        than `flip` correspondences; infinity where it is only uncertain that it has as many
        correct pairs.
    chances
        For other pairs: the chance that later verdicts decide.
    """

    questions: int
    judged: int
    pairs: int
    cannot_tell: int
    right: tuple[float, float, float]
    measures: Mapping[str, Limits]
    differences: Mapping[str, Limits]
    level: float
    alpha: float
    verdict: Verdict | None
    next_verdict: int | None
    whatever: tuple[Edge, ...]
    if_complete: tuple[tuple[str, str, float], ...]
    chances: tuple[Chance, ...]

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
        highest, whose = f"{name} has the highest F1 in the pool", "Its F1"
        best = [system for system, of in zip(systems, f1.value, strict=True) if of == value]
        if focus is not None:
            best, highest = [name], f"{name} has F1 {limits} in the pool"
        elif len(best) > 1:  # none of equals is the best, and each has limits of its own
            highest, whose = f"{enumeration(best)} have the highest F1 in the pool", f"{name}'s F1"
            limits = f"{value:.3f}"
        if self.verdict is None:
            state = f"{self.judged:,} of {self.questions:,} questions are answered"
            value_of_all = f"{highest} so far"
            if focus is None:
                value_of_all += f": {limits}"
            first = f"the first verdict comes after {self._number(self.next_verdict)}"
            return [f"{state}: {first}.", f"{value_of_all}."]
        always = "{}, whatever right pairs the files lack"
        if_complete = "{} only if the files propose (nearly) all right pairs"
        only_in_pool = [(better, worse) for better, worse, _ in self.if_complete]
        worse_systems = {
            always: [t for s, t in self.whatever if s == name],
            if_complete: [t for s, t in only_in_pool if s == name],
        }
        better_systems = {
            always: [s for s, t in self.whatever if t == name],
            if_complete: [s for s, t in only_in_pool if t == name],
        }
        decided = {name}.union(*worse_systems.values(), *better_systems.values())
        open_rivals = [system for system in systems if system not in decided]
        undecided = [system for system in open_rivals if system not in best]
        like = f"does not differ significantly from that of {enumeration(undecided)}"
        if focus is not None:
            sentences = [f"{highest}."]
        elif len(best) > 1:
            sentences = [f"{highest}: {limits}."]
        elif not undecided and not any(better_systems.values()):
            sentences = [f"{name} has the best F1 in the pool: {limits}."]
        elif undecided:
            after = f"after {self._number(self.verdict.answers)} answers"
            sentences = [f"{highest}, {limits}, but {after} it {like}."]
        else:
            sentences = [f"{highest}: {limits}."]
        for place, by_verdict in (("above", worse_systems), ("below", better_systems)):
            for verdict, rivals in by_verdict.items():
                if rivals:
                    listed = verdict.format(enumeration(rivals))
                    sentences.append(f"{whose} is significantly {place} that of {listed}.")
        if (focus is not None or len(best) > 1) and undecided:
            after = f"After {self._number(self.verdict.answers)} answers"
            sentences.append(f"{after} {'it' if focus else whose} {like}.")
        return [*sentences, *self._state(self.verdict, self._forecast(name, open_rivals))]

    @property
    def has_several_verdicts(self) -> bool:
        """Whether the verdict is one of several, each at a level of its own."""
        verdict = self.verdict
        return verdict is not None and not verdict.exact and verdict.alpha < self.alpha

    def _number(self, answers: int | None) -> str:
        """Return a number of answers as text; the questions are ``all 402``."""
        if answers is None or answers == self.questions:
            return f"all {self.questions:,}"
        return f"{answers:,}"

    def _state(self, verdict: Verdict, forecast: str) -> list[str]:
        """Say which verdict this is, when the next comes, and how probably it decides."""
        if verdict.exact:
            return [f"All {self.questions:,} questions are answered: F1 in the pool is exact."]
        after = self._number(verdict.answers)
        if verdict.answers < self.judged:
            state = (
                f"This is the verdict after the first {after} of {self.judged:,} answers; "
                f"estimates use all {self.judged:,}"
            )
            if verdict.next is not None:
                state += f"; the next verdict comes after {self._number(verdict.next)}"
        elif forecast:
            return [forecast]
        else:
            state = f"This is the verdict after {after} answers"
            if verdict.next is not None:
                state += f"; the next comes after {self._number(verdict.next)}"
        return [text for text in (f"{state}.", forecast) if text]

    def _forecast(self, system: str, undecided: Sequence[str]) -> str:
        """Say how probably verdicts decide between a system and the nearest one; '' if unknown."""
        chances = {
            ({*chance.systems} - {system}).pop(): chance
            for chance in self.chances
            if system in chance.systems
        }
        if not chances or self.next_verdict is None:
            return ""
        nearest = max(chances, key=lambda name: chances[name].next)
        chance = chances[nearest]
        if chance.answers_for_80 is None:
            return f"No verdict decides between {system} and {nearest}: their F1 is the same."
        question, later = "this", ""
        if len(undecided) > 1:
            question = f"between {system} and {nearest}"
        if chance.next < 0.5:
            later = f", that after {self._number(chance.answers_for_80)} with 80% or more"
        return (
            f"The verdict after {self._number(self.next_verdict)} answers decides {question} with "
            f"a chance {in_tens(chance.next, before='of ')}{later}."
        )


def in_tens(chance: float, before: str = "") -> str:
    """Return a forecast in tens of per cent; `before` stands before a number, not before "below".

    Examples
    --------
    >>> in_tens(0.56), in_tens(0.56, "of "), in_tens(0.04, "of ")
    ('about 60%', 'of about 60%', 'below 10%')
    """
    if chance < 0.1:
        return "below 10%"
    return f"{before}about {round(chance, 1):.0%}"


@dataclass(frozen=True, eq=False)
class Sample:
    """The judged questions that are used, and how probable each was to be judged.

    Parameters
    ----------
    pool
        The pool.
    judged
        (questions,): whether the question's judgement is used.
    probability
        (questions,): how probable it was.
    weights
        (questions,): the weights of the draw.
    right
        (N,): the verdicts, NaN where the judge cannot tell; 0 where there is none.
    schedule
        When verdicts come.
    order, priorities
        (questions,): the order of the draw, and the priorities; empty where nothing was drawn.
    cautions
        What the reader must know.
    """

    pool: Pool
    judged: Bools
    probability: Floats
    weights: Floats
    right: Floats
    schedule: Schedule
    order: Ints
    priorities: Floats
    cautions: tuple[Caution, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether every pair is judged, right or wrong."""
        return bool(self.judged.all() and not np.isnan(self.right).any())

    @property
    def cannot_tell(self) -> int:
        """The number of verdicts *cannot tell* among the used ones."""
        return int(np.isnan(self.right[self.judged[self.pool.question]]).sum())

    def runs(self) -> list[PoolSums]:
        """Return the sums; with verdicts *cannot tell* once as right and once as wrong."""
        answers = [1.0, 0.0] if self.cannot_tell else [0.0]
        return [
            PoolSums(
                self.pool, np.nan_to_num(self.right, nan=answer), self.judged, self.probability
            )
            for answer in answers
        ]

    def beginning(self, answers: int) -> Sample:
        """Return the sample of the first answers."""
        if answers == self.judged.sum():
            return self
        judged = np.zeros(len(self.judged), dtype=bool)
        judged[self.order[:answers]] = True
        return replace(
            self,
            judged=judged,
            probability=inclusion(self.weights, self.priorities, answers),
            right=np.where(judged[self.pool.question], self.right, 0.0),
        )

    def verdict(self, alpha: float) -> Verdict | None:
        """Return the last verdict, where all together have the level `alpha`."""
        answered = int(self.judged.sum())
        return self.schedule.verdict(answered, alpha, is_exact=self.is_complete)

    def own_alpha(self, alpha: float) -> float:
        """Return the level of the last verdict alone; before the first one, its level."""
        verdict = self.verdict(alpha)
        if verdict is None:
            return self.schedule.level_of(0, alpha)
        return verdict.alpha

    def estimate(self, alpha: float = DEFAULTS.alpha, level: float | None = None) -> PoolEstimate:
        """Return the estimates of all systems by the judgements.

        Intervals hold the results with all verdicts *cannot tell* right, and with all wrong.

        Parameters
        ----------
        alpha
            The level of all verdicts together.
        level
            Of the intervals; None: that of the last verdict, which holds at all verdicts together.
        """
        if level is None:
            level = 1 - self.own_alpha(alpha)
        pool, verdict, runs = self.pool, self.verdict(alpha), self.runs()
        differences = _joined([differences_in_pool(run, level) for run in runs])
        totals = [_total(run, level) for run in runs]
        estimates, lows, highs = zip(*totals, strict=True)
        always: tuple[Edge, ...] = ()
        if_complete: tuple[tuple[str, str, float], ...] = ()
        if verdict is not None:
            at_verdict, limits = runs, differences
            if verdict.answers < runs[0].questions or verdict.level != level:
                at_verdict = self.beginning(verdict.answers).runs()
                limits = _joined([differences_in_pool(run, verdict.level) for run in at_verdict])
            always, if_complete = _arrows(at_verdict, limits)
        decided = {frozenset(edge) for edge in always}
        decided |= {frozenset((better, worse)) for better, worse, _ in if_complete}
        judged = runs[0].questions
        return PoolEstimate(
            len(pool.sources),
            judged,
            len(pool.pairs),
            self.cannot_tell,
            (float(np.mean(estimates)), min(lows), max(highs)),
            _joined([_measures(run, level) for run in runs]),
            differences,
            level,
            alpha,
            verdict,
            self.schedule.next_after(judged),
            always,
            if_complete,
            _chances(self, runs, alpha, decided),
        )


def _arrows(
    runs: Sequence[PoolSums], differences: Mapping[str, Limits]
) -> tuple[tuple[Edge, ...], tuple[tuple[str, str, float], ...]]:
    """Return which F1 is better for every size of the reference, and which only for small ones."""
    pool = runs[0].pool
    always: list[Edge] = []
    if_complete: list[tuple[str, str, float]] = []
    ahead, whatever = better_systems(differences)
    counts = np.mean([bounded_sums(run) for run in runs], axis=0)
    for i, j in np.argwhere(ahead).tolist():
        edge = pool.systems[i], pool.systems[j]
        if whatever[i, j]:
            always.append(edge)
        else:
            flip = flip_point(counts[i], counts[j], pool.sizes[i], pool.sizes[j])
            if_complete.append((*edge, flip))
    return tuple(always), tuple(if_complete)


def better_systems(differences: Mapping[str, Limits]) -> tuple[Bools, Bools]:
    """Return where the row's F1 is better in the pool, and for every size of the reference, (k, k).

    F1 is better at every size of the reference if it is better in the pool and the row has at
    least as many correct pairs.
    """
    ahead = differences["f1"].low > ROUNDING
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
    """Return the sums (k + 1,), within the limits that the judgements allow."""
    sums = np.clip(run.sums, *_possible(run))
    sums[-1] = sums.max()  # no system has more right pairs than the pool
    return sums


def _possible(run: PoolSums) -> tuple[Floats, Floats]:
    """Return the least and the largest sums that the judgements leave possible."""
    judged = run.judged[run.pool.question]
    lowest = run.pool.membership.T @ (judged * run.right)
    unjudged = run.pool.membership.T @ (1.0 - judged)
    return lowest, lowest + unjudged


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
    lowest, highest = (bound[:-1] for bound in _possible(run))
    limits = {}
    for name, (values, gradient) in measures_of(run).items():
        half = run.half_widths(gradient, level)
        low, high = values - half, values + half
        if name == "correct":
            low, high = np.maximum(low, lowest), np.minimum(high, highest)
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
    lowest, highest = (float(bound[-1]) for bound in _possible(run))
    return value, max(value - half, lowest), min(value + half, highest)


def _joined(runs: Sequence[Mapping[str, Limits]]) -> dict[str, Limits]:
    """Return limits that contain the limits of every run, around the mean of the values."""
    joined = {}
    for name in runs[0]:
        each = [run[name] for run in runs]
        value = np.mean([e.value for e in each], axis=0)
        low = np.min([e.low for e in each], axis=0)
        joined[name] = Limits(value, low, np.max([e.high for e in each], axis=0))
    return joined


def _chances(
    sample: Sample, runs: Sequence[PoolSums], alpha: float, decided: Set[frozenset[str]]
) -> tuple[Chance, ...]:
    """Return for each pair that is not decided the chance that later verdicts decide it.

    Nothing can be said where verdicts *cannot tell* reverse the difference.
    """
    pool, schedule, judged = sample.pool, sample.schedule, runs[0].questions
    later = [n for n in (*schedule.numbers, schedule.questions) if n > judged]
    if not schedule.is_drawn or not later or judged < ENOUGH_QUESTIONS:
        return ()
    levels = [1 - schedule.level_of(number, alpha) for number in later]
    forecasts = [_chances_of(run, sample.weights, later, levels) for run in runs]
    values = [measures_of(run)["f1"][0] for run in runs]
    chances = []
    for k, (i, j) in enumerate(combinations(range(len(pool.systems)), 2)):
        pair = pool.systems[i], pool.systems[j]
        is_reversed = len({np.sign(f1[i] - f1[j]) for f1 in values}) > 1
        if is_reversed or frozenset(pair) in decided:
            continue
        of_pair = np.min([forecast[:, k] for forecast in forecasts], axis=0)
        is_enough = of_pair >= CHANCE
        first = later[int(is_enough.argmax())] if is_enough.any() else None
        chances.append(Chance(pair, float(of_pair[0]), first))
    return tuple(chances)


def _chances_of(
    run: PoolSums, weights: Floats, later: Sequence[int], levels: Sequence[float]
) -> Floats:
    """Return the chance (verdicts, pairs) that each later verdict decides between two systems.

    What is judged stays judged: after m questions, the estimate of a difference is normal around
    today's with the variance v(n) − v(m), and the limits of its interval are in proportion to
    √v(m). A verdict decides if its interval leaves out 0.
    """
    rows, columns = np.triu_indices(len(run.pool.systems), 1)
    f1, gradient = measures_of(run)["f1"]
    contrasts = gradient[rows] - gradient[columns]
    difference, now = np.abs(f1[rows] - f1[columns]), run.variances(contrasts)
    expected_now = diagonal(contrasts, run.variance_at(expected_inclusion(weights, run.questions)))
    chances = np.zeros((len(later), len(rows)))
    for chance, number, level in zip(chances, later, levels, strict=True):
        expected = diagonal(contrasts, run.variance_at(expected_inclusion(weights, number)))
        share = np.divide(expected, expected_now, out=np.zeros(len(rows)), where=expected_now > 0)
        tail = simultaneous_tail(contrasts, run.expected_variance, level)
        share = np.minimum(share, 1.0)  # rounding
        bound = -scipy.special.stdtrit(run.degrees_at(number), tail) * np.sqrt(now * share)
        spread = np.sqrt(now * (1 - share))
        chance[:] = difference > np.maximum(bound, ROUNDING)
        varies = spread > ROUNDING
        ahead, behind = (
            (lead - bound)[varies] / spread[varies] for lead in (difference, -difference)
        )
        chance[varies] = scipy.special.ndtr(ahead) + scipy.special.ndtr(behind)
    return chances


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
        of_answers = squares(answered, run.judged.astype(float))
        variance = np.maximum(variance, np.maximum(of_answers, predicted / 4))
        whole = variance + slope**2 * of_sample
        z = np.divide(np.abs(advantage), np.sqrt(whole), out=np.zeros((k, k)), where=whole > 0)
        log_p = np.minimum(np.log(2) + scipy.special.log_ndtr(-z), 0.0)
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
