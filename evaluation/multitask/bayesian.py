"""The Bayesian signed-rank test with a region of practical equivalence."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evaluation.errors import EvaluationError
from ontologies.common.progress import track
from ontologies.common.table import Tabular

from .ranks import NOISE, differences

#: Weights drawn at a time, so that memory stays below about 30 MB.
_CHUNK = 1_000_000


@dataclass(frozen=True)
class BayesianSignedRank(Tabular):
    """Posterior probabilities that one system is better, or that the two are equivalent.

    Parameters
    ----------
    first_better, equivalent, second_better
        Probability that the difference is most often above the region of practical equivalence,
        inside it, below it. They add up to 1.
    rope
        Half the width of the region, in units of the score.
    samples, seed
        Of the Monte Carlo estimate; its standard error is at most 1/(2√samples).
    """

    first_better: float
    equivalent: float
    second_better: float
    rope: float
    samples: int
    seed: int


def bayesian_signed_rank(
    x: ArrayLike,
    y: ArrayLike,
    *,
    rope: float = 0.01,
    strength: float = 0.5,
    samples: int = 20_000,
    seed: int = 0,
) -> BayesianSignedRank:
    """Give the posterior probabilities of better, equivalent and worse.

    The differences z_1 … z_N and one pseudo-observation z_0 = 0 get weights w from a Dirichlet
    distribution with parameters (`strength`, 1, …, 1). With θ_right = ΣΣ w_i w_j I(z_i + z_j > 2
    rope), θ_left likewise below −2 rope and θ_rope the rest, the probability of each is how often
    its θ is the largest of the three.

    Parameters
    ----------
    x, y
        One score per task for each system.
    rope
        Differences up to this size count as none, ≥ 0.
    strength
        Weight of the prior, > 0.
    samples, seed
        Of the Monte Carlo estimate: the same seed gives the same numbers.

    Raises
    ------
    EvaluationError
        If the scores are not two equally long vectors of finite numbers, or an argument is out of
        range.

    Notes
    -----
    Benavoli, Mangili, Corani, Zaffalon and Ruggeri 2014, ICML; Benavoli, Corani, Demšar and
    Zaffalon 2017, JMLR 18(77):1–36.

    Examples
    --------
    >>> result = bayesian_signed_rank([0.8, 0.7, 0.9, 0.6, 0.7], [0.7, 0.5, 0.6, 0.5, 0.5])
    >>> result.first_better > 0.95
    True
    """
    if not (math.isfinite(rope) and rope >= 0):
        raise EvaluationError(f"rope is {rope}: it must be a number of 0 or more, such as 0.01")
    if not (strength > 0 and samples >= 1):
        raise EvaluationError(
            f"strength={strength}, samples={samples}: strength must be positive, samples 1 or more"
        )
    z = np.concatenate([[0.0], differences(x, y)])
    sums = z[:, None] + z[None, :]
    edge = 2 * rope + NOISE * float(np.abs(np.concatenate([np.ravel(x), np.ravel(y)])).max())
    right, left = (sums > edge).astype(np.float64), (sums < -edge).astype(np.float64)
    parameters = np.ones(len(z))
    parameters[0] = strength
    rng = np.random.default_rng(seed)
    wins = np.zeros(3)
    step = max(1, _CHUNK // len(z))
    starts = range(0, samples, step)
    for start in track(starts, len(starts), "Bayesian test"):
        w = rng.dirichlet(parameters, size=min(step, samples - start))
        above, below = (np.einsum("sj,sj->s", w @ side, w) for side in (right, left))
        theta = np.stack([above, 1 - above - below, below])
        # regions that tie share the sample
        largest = theta >= theta.max(axis=0) - NOISE
        wins += (largest / largest.sum(axis=0)).sum(axis=1)
    first, same, second = (wins / samples).tolist()
    return BayesianSignedRank(first, same, second, rope, samples, seed)
