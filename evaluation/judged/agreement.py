"""Two judges of the same pairs: how far they agree, and where they do not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .judgements import Judgements
from .pool import Pair


@dataclass(frozen=True)
class JudgeAgreement:
    """How far two judges agree on right and wrong.

    Parameters
    ----------
    pairs
        The number of pairs that both have judged right or wrong.
    share
        The share on which they agree, in [0, 1].
    kappa
        Cohen's kappa (1960), at most 1; NaN where both always give the same one verdict.
    ac1
        Gwet's AC1 (2008), which a rare verdict does not lower.
    error_rate
        ε, where both err independently and equally often: 1 − share = 2 ε (1 − ε). NaN where they
        disagree on more than half.
    disputed
        The pairs on which they disagree.
    """

    pairs: int
    share: float
    kappa: float
    ac1: float
    error_rate: float
    disputed: tuple[Pair, ...]


def judge_agreement(
    first: Judgements, second: Judgements, weights: Mapping[Pair, float] | None = None
) -> JudgeAgreement | None:
    """Return how far two judges agree; None where no pair is judged by both.

    Parameters
    ----------
    first, second
        Their verdicts; *cannot tell* is left out.
    weights
        1 / the probability that a pair was judged; None: all pairs count the same.

    Examples
    --------
    >>> one = Judgements({("a", "1"): 1.0, ("b", "2"): 0.0}, frozenset())
    >>> two = Judgements({("a", "1"): 1.0, ("b", "2"): 1.0}, frozenset())
    >>> judge_agreement(one, two).disputed
    (('b', '2'),)
    """
    both = sorted(
        pair
        for pair, verdict in first.verdicts.items()
        if not math.isnan(verdict) and not math.isnan(second.verdicts.get(pair, math.nan))
    )
    if weights is not None:
        both = [pair for pair in both if pair in weights]
    if not both:
        return None
    weight = np.array([1.0 if weights is None else weights[pair] for pair in both])
    weight /= weight.sum()
    ones = np.array([first.verdicts[pair] for pair in both])
    twos = np.array([second.verdicts[pair] for pair in both])
    share = min(float(weight @ (ones == twos)), 1.0)
    p, q = float(weight @ ones), float(weight @ twos)
    by_chance = p * q + (1 - p) * (1 - q)
    kappa = (share - by_chance) / (1 - by_chance) if by_chance < 1 else math.nan
    mean = (p + q) / 2
    by_chance = 2 * mean * (1 - mean)
    ac1 = (share - by_chance) / (1 - by_chance)
    error_rate = (1 - math.sqrt(2 * share - 1)) / 2 if share >= 0.5 else math.nan
    disputed = tuple(pair for pair, a, b in zip(both, ones, twos, strict=True) if a != b)
    return JudgeAgreement(len(both), share, kappa, ac1, error_rate, disputed)


def joined_judgements(first: Judgements, second: Judgements) -> Judgements:
    """Return the verdicts of two judges; where they disagree, the verdict is *cannot tell*.

    Where one of them cannot tell or has not judged, the other's verdict stands.
    """
    verdicts = {**first.verdicts}
    for pair, verdict in second.verdicts.items():
        earlier = verdicts.get(pair, math.nan)
        if math.isnan(earlier):
            verdicts[pair] = verdict
        elif not math.isnan(verdict) and verdict != earlier:
            verdicts[pair] = math.nan
    return replace(first, verdicts=verdicts)


def joined_parts(files: Sequence[Judgements]) -> Sequence[Judgements]:
    """Return one judge's answers where several files hold parts of them, else the files.

    Files are parts if their questions were not drawn and no pair is in two of them.

    Examples
    --------
    >>> parts = [Judgements({(name, "1"): 1.0}, frozenset({(name, "1")})) for name in "ab"]
    >>> joined_parts(parts)[0].verdicts
    {('a', '1'): 1.0, ('b', '1'): 1.0}
    """
    pairs = frozenset().union(*(file.pairs for file in files))
    is_shared = sum(len(file.pairs) for file in files) > len(pairs)
    if len(files) == 1 or is_shared or any(file.is_drawn for file in files):
        return files
    verdicts = {pair: v for file in files for pair, v in file.verdicts.items()}
    return [replace(files[0], verdicts=verdicts, pairs=pairs)]
