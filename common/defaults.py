"""The defaults of an analysis: functions, commands, help texts and pages take them from here."""

from __future__ import annotations

from typing import NamedTuple


class Defaults(NamedTuple):
    """The defaults of an analysis.

    Parameters
    ----------
    alpha
        Family-wise error rate.
    margin
        Differences of shares below it count as equivalent; a gate lets such a loss pass.
    n_resamples
        Random resamples of a randomisation test, and random flips of Westfall and Young's.
    n_bootstrap
        Resamples of a bootstrap interval.
    seed
        Of random resamples.
    level
        Level of confidence intervals.
    power
        Chance to find a difference, of plans.
    threshold
        Similarity from which on strings are a pair, for all metrics but ``combined``.
    cutoffs
        Ranks at which ranked lists are scored: n of recall@n, hits@n and nDCG@n.
    mapping_cutoffs
        The same of ``score --kind mapping``.
    """

    alpha: float = 0.05
    margin: float = 0.01
    n_resamples: int = 20_000
    n_bootstrap: int = 2_000
    seed: int = 0
    level: float = 0.95
    power: float = 0.8
    threshold: float = 0.7
    cutoffs: tuple[int, ...] = (1, 5, 10)
    mapping_cutoffs: tuple[int, ...] = (1, 3, 5, 10)


#: All functions read their defaults here when they are imported.
DEFAULTS = Defaults()
