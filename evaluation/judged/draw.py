"""The draw of a pool's questions: every beginning of their order is a valid sample of estimates.

Priority sampling (Duffield, Lund and Thorup 2007, Journal of the ACM 54(6)): a question e with the
weight w_e gets the priority ξ_e = U_e / w_e, where U_e is uniform on [0, 1), and the smallest
priorities come first. Given τ, the priority of the first question that was not judged, each judged
question was drawn with probability min(1, w_e τ), and weighting by its inverse is unbiased. Later
systems add their questions, and no judgement is lost.
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
from .pool import Pool, pool_of, uniform
from .verdicts import ENOUGH_QUESTIONS, extended_numbers, usual_first, verdict_numbers

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
    """Return about the probabilities that so many judged questions will have: their sum is that.

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
        """Return about the half widths of intervals after so many judgements.

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
    """Return the list of verdicts once there are more questions: those reached stay."""
    sources = sorted(earlier.weights)
    numbers = earlier.verdict_numbers
    if numbers is None:
        numbers = verdict_numbers(len(sources))
    weights = np.array([earlier.weights[source] for source in sources])
    order, _ = drawn_order(sources, weights, earlier.seed)
    is_open = {source for source, target in earlier.pairs - earlier.verdicts.keys()}
    in_order = (sources[k] in is_open for k in order.tolist())
    answered = next((k for k, is_unjudged in enumerate(in_order) if is_unjudged), len(sources))
    return extended_numbers(numbers, answered, questions)
