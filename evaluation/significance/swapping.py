"""Paired randomisation for measures that are more than sums: curves, and whatever can be judged.

The two systems' answers are put side by side in one alignment, each source entity twice, once for
each system. To count one of the two copies of every entity and not the other is to swap answers,
so that whatever gives bootstrap intervals gives the randomisation test too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evaluation.comparison.pairwise import PairTest
from evaluation.credit.credits import Credits, FloatArray
from evaluation.credit.judgement import LESS_IS_BETTER, Judgement, Whole, values
from evaluation.credit.unjudged import judged
from evaluation.errors import EvaluationError
from ontologies.alignment import Alignment, Correspondence
from ontologies.common.progress import track

from .clusters import cluster_index
from .randomisation import Randomisation, notes_of, random_signs, randomisation

#: A measure without its context: from an alignment and a reference to a judgement.
Judge = Callable[[Alignment, Alignment], Judgement]

_CELLS = 4_000_000  # numbers held at a time


def randomise(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    judge: Judge,
    value: str | None = None,
    *,
    clusters: Mapping[str, str] | None = None,
    swaps: int = 20_000,
    seed: int = 0,
) -> Randomisation:
    """Test every pair of systems in any measure, by swapping answers per source entity.

    Parameters
    ----------
    alignments, reference
        What was found, by system, and what is right.
    judge
        The measure; `evaluation.measures.registry` has them by name.
    value
        Which value of the measure: a name of its columns, for credits also ``overall`` or ``f2``
        and its like. None is ``f1`` where there is one, else the first. The larger one is ahead,
        the smaller one for those of `LESS_IS_BETTER`.
    clusters, swaps, seed
        As in `evaluation.significance.randomisation.randomisation`, which does the work for
        credits, all pairs at once. Other measures take a second or more for each pair.

    Raises
    ------
    EvaluationError
        If the measure has no such value, or belongs to the alignment as a whole (coherence), so
        that there is nothing to swap.

    Examples
    --------
    >>> from evaluation.measures.curves import curve
    >>> cells = [(f"a{k}", "b", "=", 1 - k / 40) for k in range(20)]
    >>> first = Alignment(Correspondence(*cell) for cell in cells)
    >>> r = first.where(lambda c: c.confidence > 0.7)
    >>> turned = [replace(c, confidence=1.5 - c.confidence) for c in first]
    >>> result = randomise({"good": first, "turned": Alignment(turned)}, r, curve, swaps=999)
    >>> result.values["good"], bool(result.test.p[0, 1] < 0.05)
    (1.0, True)
    """
    judgements = {name: judge(a, reference) for name, a in alignments.items()}
    columns = next(iter(judgements.values())).columns if judgements else ()
    chosen = value or ("f1" if "f1" in columns else columns[0] if columns else "")
    earned = {name: j for name, j in judgements.items() if isinstance(j, Credits)}
    if len(earned) == len(judgements):
        return randomisation(earned, chosen, clusters=clusters, swaps=swaps, seed=seed)
    if chosen not in columns:
        raise EvaluationError(f"value {chosen!r} is unknown: use one of {', '.join(columns)}")
    if any(isinstance(j, Whole) for j in judgements.values()):
        raise EvaluationError(
            f"{chosen} belongs to the alignment as a whole: no parts of it can be swapped"
        )
    found = {name: values(j)[chosen] for name, j in judgements.items()}
    n = len(found)
    p = np.full((n, n), np.nan)
    units = 0
    pairs = list(combinations(enumerate(alignments.values()), 2))
    for (i, first), (j, second) in track(pairs, len(pairs), "randomisation, pairs"):
        pair = _SideBySide(first, second, reference, judge, clusters)
        units = max(units, pair.units)
        p[i, j] = p[j, i] = pair.p_value(columns.index(chosen), swaps, seed)
    numbers = np.array(list(found.values())) * (-1 if chosen in LESS_IS_BETTER else 1)
    advantage = np.nan_to_num(numbers[:, None] - numbers[None, :])
    return Randomisation(
        found, PairTest(advantage, p, np.log10(p)), swaps, units, seed, notes_of(judgements)
    )


class _SideBySide:
    """Two systems' answers in one judgement, each source entity once for either system."""

    def __init__(
        self,
        first: Alignment,
        second: Alignment,
        reference: Alignment,
        judge: Judge,
        clusters: Mapping[str, str] | None,
    ) -> None:
        kept = judged(first, reference), judged(second, reference)
        both = Alignment(c for side, k in enumerate(kept) for c in _copy(side, k.alignment))
        right = Alignment(c for side, k in enumerate(kept) for c in _copy(side, k.reference))
        self.judgement = judge(both, right)
        sources = sorted(self.judgement.sources)
        self.column = {source: k for k, source in enumerate(sources)}
        self.side = np.array([int(source[0]) for source in sources])
        self.unit = cluster_index([source[1:] for source in sources], clusters)
        self.units = int(self.unit.max(initial=-1)) + 1

    def differences(self, swapped: NDArray[np.bool_], place: int) -> FloatArray:
        """Return first − second for rows of swaps (b, units)."""
        first = (swapped[:, self.unit] == self.side).astype(np.float64)
        one, two = (self.judgement.resampled(w, self.column)[:, place] for w in (first, 1 - first))
        return np.asarray(one - two)

    def p_value(self, place: int, swaps: int, seed: int) -> float:
        """Return the two-sided p-value of one value of the judgement."""
        rng = np.random.default_rng(seed)
        observed = abs(self.differences(np.zeros((1, self.units), dtype=np.bool_), place)[0])
        block = max(1, _CELLS // (len(self.side) + 1))
        as_large = 0
        starts = range(0, swaps, block)
        for start in track(starts, len(starts), "swaps"):
            signs = random_signs(rng, min(block, swaps - start), self.units)
            swapped = np.abs(self.differences(signs > 0, place))
            # "not smaller" also counts an undefined difference: never in favour of significance
            as_large += int((~(swapped < observed - 1e-12)).sum())
        return (1 + as_large) / (1 + swaps)


def _copy(side: int, alignment: Alignment) -> list[Correspondence]:
    """Mark the source entities of one system's copy."""
    return [replace(c, entity1=f"{side}{c.entity1}") for c in alignment]
