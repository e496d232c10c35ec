"""The prior: how many of the likely pairs of two ontologies are right, estimated or learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from scipy.special import expit, logit

from .evidence import Values

#: Share of right pairs among mutually best ones where nothing is known: their share in the pairs
#: of ontologies that were fitted.
USUAL_SHARE = 0.3
#: How many pairs `USUAL_SHARE` counts as beside those of the ontologies.
PSEUDO_PAIRS = 10.0
#: Largest change of the log odds that is estimated without decisions.
LARGEST_ESTIMATE = 2.0
#: Mutually best pairs of smaller log odds say nothing of the prior.
LEAST_ODDS = -4.0
#: Fewer mutually best pairs say nothing of the prior.
LEAST_PAIRS = 10
#: Steps of the estimation.
STEPS = 30
#: Fewer decided pairs teach nothing: with ten, some families lost F1 (docs/evidence.md).
LEAST_DECISIONS = 30
#: Largest change of the log odds that decisions teach, and the variance of its normal prior.
LARGEST_LESSON, VARIANCE = 6.0, 4.0

#: Name under which an alignment's metadata say from how many decided pairs the prior was learned.
PRIOR_DECISIONS = "prior_decisions"


@dataclass(frozen=True, slots=True)
class Prior:
    """What is added to the log odds of all pairs of two ontologies.

    Parameters
    ----------
    shift
        What is added.
    decisions
        Number of decided pairs that it was learned from; 0 if it was estimated without them.
    """

    shift: float = 0.0
    decisions: int = 0

    @property
    def metadata(self) -> dict[str, str]:
        """What an alignment states of the prior."""
        return {"prior": f"{self.shift:.2f}", PRIOR_DECISIONS: str(self.decisions)}

    @property
    def caution(self) -> str:
        """Why the probabilities may be wrong; empty where there is no reason."""
        if self.decisions or abs(self.shift) < LARGEST_ESTIMATE:
            return ""
        direction = "high" if self.shift > 0.0 else "low"
        return (
            "The share of right pairs could not be estimated; probabilities may be too "
            f"{direction}. Decide some thirty pairs with show."
        )


def estimated_shift(odds: Values) -> float:
    """Return the shift by the log odds of the mutually best pairs, without decisions.

    The share of right pairs among them is estimated by expectation-maximisation.

    References
    ----------
    Saerens, Latinne and Decaestecker (2002), Adjusting the outputs of a classifier to new a priori
    probabilities.
    """
    odds = odds[odds > LEAST_ODDS]
    if len(odds) < LEAST_PAIRS:
        return 0.0
    shift = 0.0
    for _ in range(STEPS):
        right = float(expit(odds + shift).sum()) + PSEUDO_PAIRS * USUAL_SHARE
        share = right / (len(odds) + PSEUDO_PAIRS)
        change = float(logit(share) - logit(USUAL_SHARE))
        shift = min(max(change, -LARGEST_ESTIMATE), LARGEST_ESTIMATE)
    return shift


def learned(estimate: float, odds: Values, is_right: Sequence[bool]) -> Prior:
    r"""Return the prior that decided pairs teach; the estimate if they are too few.

    With z the log odds of the decided pairs under the estimate and y what was decided, it adds

        argmax_d sum_k (y_k (z_k + d) - ln(1 + exp(z_k + d))) - d^2 / 8,  -6 <= d <= 6.

    Which pairs were decided may depend on their probabilities: the likelihood stays the same.

    Parameters
    ----------
    estimate
        The shift without decisions.
    odds
        Log odds of the decided pairs, without the prior.
    is_right
        Whether each was accepted.

    Examples
    --------
    >>> learned(1.0, np.zeros(40), [True] * 10 + [False] * 30)  # doctest: +ELLIPSIS
    Prior(shift=-1.0..., decisions=40)
    >>> learned(1.0, np.zeros(4), [False] * 4)
    Prior(shift=1.0, decisions=0)
    """
    if len(odds) < LEAST_DECISIONS:
        return Prior(estimate)

    def loss(lesson: float) -> float:
        shifted = odds + estimate + lesson
        losses = np.logaddexp(0.0, shifted) - np.where(is_right, shifted, 0.0)
        return float(losses.sum()) + lesson**2 / (2.0 * VARIANCE)

    bounds = (-LARGEST_LESSON, LARGEST_LESSON)
    lesson = float(scipy.optimize.minimize_scalar(loss, bounds=bounds, method="bounded").x)
    return Prior(estimate + lesson, len(odds))
