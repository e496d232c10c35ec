"""The draw of a pool's questions, and when their answers give verdicts.

Every beginning of the order of questions is a valid sample of estimates.

Priority sampling (Duffield, Lund and Thorup 2007, Journal of the ACM 54(6)): a question e with the
weight w_e gets the priority ξ_e = U_e / w_e, where U_e is uniform on [0, 1), and the smallest
priorities come first. Given τ, the priority of the first question that was not judged, each judged
question was drawn with probability min(1, w_e τ), and weighting by its inverse is unbiased. Later
systems add their questions, and no judgement is lost.

Who looks at a sample after every ten answers finds a false difference in a third of the samples.
Verdicts therefore come at a list of numbers that is fixed when the questions are drawn; the k-th
(k = 0, 1, …) has the level α / 2^(k + 1). The levels sum to at most α: all verdicts together hold
at α under any dependence (Bonferroni), however often the judge looks in between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import Argument, EvaluationError
from alignrank.evaluation.significance.mcnemar import Floats, Ints
from alignrank.ontologies.alignment import Alignment

from .estimate import LEAST_DEGREES, diagonal, f1_slopes, modelled_variance
from .judgements import Judgements
from .pool import ENOUGH_QUESTIONS, Pool, pool_of, uniform

#: The number of answers at which the first verdict comes.
FIRST_VERDICT = 100
#: Verdicts double up to the first share of the questions; one more comes at the second share.
DOUBLED_UNTIL, LAST_SHARE = 0.6, 0.75


def verdict_numbers(questions: int, first: int = FIRST_VERDICT) -> tuple[int, ...]:
    """Return the numbers of answers at which a pool of questions gives a verdict before its last.

    The last verdict comes when all questions are answered, and is not in the list.

    Parameters
    ----------
    questions
        The number of questions in the pool.
    first
        The number of answers at the first verdict.

    Examples
    --------
    >>> verdict_numbers(402), verdict_numbers(1607)
    ((100, 200, 300), (100, 200, 400, 800, 1200))
    >>> verdict_numbers(130)
    ()
    """
    doubled = (first * 2**k for k in range(64))
    numbers = [number for number in doubled if number <= DOUBLED_UNTIL * questions]
    late = int(LAST_SHARE * questions) // 10 * 10
    if late >= max([first, *(number + 1 for number in numbers)]):
        numbers.append(late)
    return tuple(numbers)


def usual_first(questions: int) -> int:
    """Return the number of answers at the first verdict where nobody chose one.

    Half of `FIRST_VERDICT` for a pool that would have no verdict before its last otherwise.

    Examples
    --------
    >>> usual_first(402), usual_first(120), usual_first(80)
    (100, 50, 100)
    """
    is_small = not verdict_numbers(questions) and DOUBLED_UNTIL * questions >= ENOUGH_QUESTIONS
    return ENOUGH_QUESTIONS if is_small else FIRST_VERDICT


def numbers_text(numbers: Sequence[int], questions: int) -> str:
    """Return when verdicts come, to follow "after".

    Examples
    --------
    >>> numbers_text((100, 200, 300), 402)
    '100, 200, 300 and all 402 answers'
    >>> numbers_text((100, 200, 400, 800, 1200), 1607)
    '100, 200, 400 … answers'
    >>> numbers_text((), 80)
    'all 80 answers'
    """
    listed = ", ".join(f"{number:,}" for number in numbers[:3])
    if len(numbers) > 3:
        return f"{listed} … answers"
    return " and ".join(filter(None, [listed, f"all {questions:,} answers"]))


@dataclass(frozen=True)
class Verdict:
    """The last verdict of a judged sample.

    Parameters
    ----------
    list
        The numbers of answers at which verdicts come before all questions are answered.
    answers
        The number of answers that it rests on: the first ones in the order.
    number
        Its place among the verdicts, from 1.
    alpha, level
        Its level, and that of its intervals, 1 − alpha.
    next
        The number of answers at the next verdict; None after the last.
    exact
        Whether every question is answered right or wrong: F1 in the pool is exact.
    recorded
        Whether the file of questions names the list.
    """

    list: tuple[int, ...]
    answers: int
    number: int
    alpha: float
    level: float
    next: int | None
    exact: bool
    recorded: bool


@dataclass(frozen=True)
class Schedule:
    """When a sample gives verdicts.

    Parameters
    ----------
    numbers
        As `verdict_numbers` returns them.
    questions
        The number of questions in the pool.
    is_drawn
        Whether the questions were drawn in an order; else there is one verdict, on all answers.
    is_recorded
        Whether the file names the numbers.

    Examples
    --------
    >>> schedule = Schedule((100, 200, 400), 700)
    >>> verdict = schedule.verdict(237, 0.05)
    >>> verdict.answers, verdict.number, verdict.alpha, verdict.next
    (200, 2, 0.0125, 400)
    >>> schedule.next_after(400), schedule.verdict(99, 0.05)
    (700, None)
    """

    numbers: tuple[int, ...]
    questions: int
    is_drawn: bool = True
    is_recorded: bool = True

    def level_of(self, answers: int, alpha: float) -> float:
        """Return the level of the verdict at a number of answers, one of the list or all."""
        if not self.is_drawn:
            return alpha
        return alpha * 0.5 ** (1 + sum(number < answers for number in self.numbers))

    def next_after(self, answers: int) -> int | None:
        """Return the number of answers at the next verdict; None: there is none."""
        if not self.is_drawn:
            return None
        later = (number for number in (*self.numbers, self.questions) if number > answers)
        return next(later, None)

    def verdict(self, answered: int, alpha: float, *, is_exact: bool = False) -> Verdict | None:
        """Return the last verdict at a number of answers; None before the first.

        Parameters
        ----------
        answered
            The number of answers at the beginning of the order.
        alpha
            The level of all verdicts together.
        is_exact
            Whether every question is answered right or wrong.
        """
        reached = [n for n in (*self.numbers, self.questions) if n <= answered]
        if not self.is_drawn:
            reached = [answered]
        if not reached:
            return None
        own = alpha if is_exact else self.level_of(reached[-1], alpha)
        return Verdict(
            self.numbers,
            reached[-1],
            len(reached),
            own,
            1 - own,
            self.next_after(reached[-1]),
            is_exact,
            self.is_recorded and self.is_drawn,
        )


#: The share of the weight that follows the questions' influence; the rest is the same for all.
INFLUENCE = 0.65
#: The mean weight of a pool's questions. Weights are whole numbers: no spreadsheet rounds them.
MEAN_WEIGHT = 1_000


def question_weights(pool: Pool) -> Floats:
    """Return the weight of each question: how much its answer tells, mixed with a constant.

    Of several systems, it tells how much F1 *differs*; of one system, how large F1 is. A pair u
    moves F1 of system s by ψ_us = (2 a_us − f_s) / (F_s + T), where f_s and T follow from the
    prior; of several systems, ψ_us less its mean over s.

    Returns
    -------
    (questions,) floats
        Whole numbers, at least 1 and about `MEAN_WEIGHT` on average.
    """
    proposed = pool.proposed.astype(float)
    right = pool.prior.sum()
    f1 = 2 * (proposed.T @ pool.prior) / (pool.sizes + right)
    influence = (2 * proposed - f1) / (pool.sizes + right)
    if len(pool.systems) > 1:
        influence -= influence.mean(axis=1, keepdims=True)
    squares = (influence**2).sum(axis=1) * pool.prior * (1 - pool.prior)
    telling = np.sqrt(pool.sum_by_question(squares))
    if not telling.any():
        return np.full(len(telling), float(MEAN_WEIGHT))
    relative = INFLUENCE * telling / telling.mean() + 1 - INFLUENCE
    return np.asarray(np.maximum(np.rint(MEAN_WEIGHT * relative), 1.0))


def drawn_order(sources: Sequence[str], weights: Floats, seed: str) -> tuple[Ints, Floats]:
    """Return the indices of the questions in their order, and each question's priority.

    Parameters
    ----------
    sources
        The source entity of each question, sorted.
    weights
        (questions,): their weights.
    seed
        Of the draw.
    """
    priorities = uniform(sources, seed) / weights
    return np.argsort(priorities, kind="stable"), priorities


def inclusion(weights: Floats, priorities: Floats, judged: int) -> Floats:
    """Return each question's probability to be among the first ones, given where they end.

    Parameters
    ----------
    weights, priorities
        (questions,).
    judged
        Number of questions that were judged, at the beginning of the order.

    Examples
    --------
    >>> inclusion(np.array([0.5, 0.25, 0.25]), np.array([0.1, 2.0, 3.0]), 1).tolist()
    [1.0, 0.5, 0.5]
    """
    if judged == len(weights):
        return np.ones(len(weights))
    first_unjudged = np.partition(priorities, judged)[judged]
    return np.asarray(np.minimum(1.0, weights * first_unjudged))


def expected_inclusion(weights: Floats, judged: int) -> Floats:
    """Return the approximate inclusion probabilities of a number of judged questions, their sum.

    Examples
    --------
    >>> expected_inclusion(np.array([4.0, 1.0, 1.0]), 2).tolist()
    [1.0, 0.5, 0.5]
    """
    if judged >= len(weights):
        return np.ones(len(weights))
    falling = -np.sort(-weights)
    # scale by the number of questions, those of the largest weights, that are certain
    scale = (judged - np.arange(judged)) / np.cumsum(falling[::-1])[::-1][:judged]
    certain = int(np.argmax(falling[:judged] * scale <= 1))
    return np.asarray(np.minimum(1.0, weights * scale[certain]))


@dataclass(frozen=True, eq=False)
class Questions:
    """The questions of a pool in their order.

    Parameters
    ----------
    pool
        The pool.
    weights
        (questions,): the weights that they were drawn by.
    order
        The indices of the questions, the first one first.
    seed
        Of the draw.
    verdict_numbers
        The numbers of answers at which verdicts come.
    """

    pool: Pool
    weights: Floats
    order: Ints
    seed: str
    verdict_numbers: tuple[int, ...]

    def expected_half_widths(
        self, judged: int, level: float = DEFAULTS.level
    ) -> tuple[float, float]:
        """Return the approximate half widths of intervals after a number of judgements.

        Parameters
        ----------
        judged
            The number of judgements.
        level
            Of the intervals.

        Returns
        -------
        tuple of float
            Of F1, and of a difference of F1 (0 of one system), as means over the systems; each
            interval for itself.
        """
        pool = self.pool
        k = len(pool.systems)
        gradient = f1_slopes(pool.proposed.T @ pool.prior, pool.sizes, pool.prior.sum())
        probability = expected_inclusion(self.weights, judged)
        variance = modelled_variance(pool, pool.prior, probability)
        factor = -scipy.special.stdtrit(max(judged - k, LEAST_DEGREES), (1 - level) / 2)
        rows, columns = np.triu_indices(k, 1)
        widths = []
        for contrasts in (gradient, gradient[rows] - gradient[columns]):
            spread = np.sqrt(diagonal(contrasts, variance))
            widths.append(float(factor * spread.mean()) if len(spread) else 0.0)
        return widths[0], widths[1]


def draw(
    alignments: Mapping[str, Alignment],
    *,
    seed: str = "0",
    earlier: Judgements | None = None,
    first_verdict: int | None = None,
) -> Questions:
    """Draw the questions of the systems' pool.

    Parameters
    ----------
    alignments
        What each system proposes.
    seed
        Of the draw; questions drawn earlier have their own.
    earlier
        Questions that were drawn earlier: they keep their priority, new ones are added. The
        verdicts that were reached stay.
    first_verdict
        The number of answers at the first verdict; None: 100, or 50 in a small pool.

    Raises
    ------
    EvaluationError
        If the systems propose no equivalence, or `first_verdict` is below `ENOUGH_QUESTIONS` or
        given for questions that were drawn earlier.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> a = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(9))
    >>> b = a.where(lambda c: c.entity1 < "a#7")
    >>> questions = draw({"a": a, "b": b})
    >>> sorted(questions.order.tolist()) == list(range(9))
    True
    """
    if first_verdict is not None and earlier is not None:
        raise EvaluationError(
            f"leave out {Argument('first_verdict')}: with {Argument('add')} the list of the "
            "first draw stays"
        )
    if first_verdict is not None and first_verdict < ENOUGH_QUESTIONS:
        raise EvaluationError(
            f"{Argument('first_verdict', first_verdict)} is below {ENOUGH_QUESTIONS}: intervals "
            "of so few "
            "answers were not checked"
        )
    pool = pool_of(alignments, () if earlier is None else earlier.pairs)
    weights = question_weights(pool)
    questions = len(pool.sources)
    numbers = verdict_numbers(questions, first_verdict or usual_first(questions))
    if earlier is not None:
        seed = earlier.seed
        drawn = [earlier.weights.get(source, np.nan) for source in pool.sources]
        weights = np.where(np.isnan(drawn), weights, drawn)
        numbers = _extended_numbers(earlier, questions)
    order, _ = drawn_order(pool.sources, weights, seed)
    return Questions(pool, weights, order, seed, numbers)


def _extended_numbers(earlier: Judgements, questions: int) -> tuple[int, ...]:
    """Return the list of verdicts with more questions: the numbers reached, then the rule's."""
    sources = sorted(earlier.weights)
    numbers = earlier.verdict_numbers
    if numbers is None:
        numbers = verdict_numbers(len(sources))
    first = numbers[0] if numbers else usual_first(questions)
    weights = np.array([earlier.weights[source] for source in sources])
    order, _ = drawn_order(sources, weights, earlier.seed)
    is_open = {source for source, target in earlier.pairs - earlier.verdicts.keys()}
    in_order = (sources[k] in is_open for k in order.tolist())
    answered = next((k for k, is_unjudged in enumerate(in_order) if is_unjudged), len(sources))
    reached = [number for number in numbers if number <= answered]
    later = verdict_numbers(questions, first)
    return (*reached, *(number for number in later if number > max(reached, default=0)))
