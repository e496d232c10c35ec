"""Draw the questions of a pool; later systems add theirs, and no judgement is lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy

from alignrank.evaluation.significance.mcnemar import Floats, Ints
from alignrank.ontologies.alignment import Alignment

from .estimate import LEAST_DEGREES, diagonal, modelled_variance
from .judgements import Judgements
from .order import drawn_order, expected_inclusion, question_weights
from .pool import Pool, pool_of


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
    """

    pool: Pool
    weights: Floats
    order: Ints
    seed: str

    def expected_half_widths(self, judged: int, level: float = 0.95) -> tuple[float, float]:
        """Return about the half widths of intervals after so many judgements.

        Returns
        -------
        tuple of float
            Of F1, and of a difference of F1 (0 of one system), as means over the systems; each
            interval for itself.
        """
        pool = self.pool
        membership = np.hstack([pool.proposed, np.ones((len(pool.pairs), 1))])
        right, k = pool.prior.sum(), len(pool.systems)
        sizes = pool.sizes.astype(np.float64)
        correct = pool.proposed.T @ pool.prior
        gradient = np.eye(k, k + 1) * (2 / (sizes + right))[:, None]
        gradient[:, -1] = -2 * correct / (sizes + right) ** 2
        probability = expected_inclusion(self.weights, judged)
        variance = modelled_variance(pool, membership, pool.prior, probability)
        factor = scipy.stats.t.isf((1 - level) / 2, max(judged - k, LEAST_DEGREES))
        rows, columns = np.triu_indices(k, 1)
        widths = []
        for contrasts in (gradient, gradient[rows] - gradient[columns]):
            spread = np.sqrt(diagonal(contrasts, variance))
            widths.append(float(factor * spread.mean()) if len(spread) else 0.0)
        return widths[0], widths[1]


def draw(
    alignments: Mapping[str, Alignment], *, seed: str = "0", earlier: Judgements | None = None
) -> Questions:
    """Draw the questions of the systems' pool.

    Parameters
    ----------
    alignments
        What each system proposes.
    seed
        Of the draw; questions drawn earlier have their own.
    earlier
        Questions that were drawn earlier: they keep their priority, new ones are added.

    Raises
    ------
    EvaluationError
        If the systems propose no equivalence.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> a = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(9))
    >>> b = a.where(lambda c: c.entity1 < "a#7")
    >>> questions = draw({"a": a, "b": b})
    >>> sorted(questions.order.tolist()) == list(range(9))
    True
    """
    pool = pool_of(alignments, () if earlier is None else earlier.pairs)
    weights = question_weights(pool)
    if earlier is not None:
        seed = earlier.seed
        drawn = [earlier.weights.get(source, np.nan) for source in pool.sources]
        weights = np.where(np.isnan(drawn), weights, drawn)
    order, _ = drawn_order(pool.sources, weights, seed)
    return Questions(pool, weights, order, seed)
