"""Paired randomisation: whether two systems differ in any measure.

Under the null hypothesis the two systems' answers for an entity are exchangeable. Their difference
in the measure is compared with its differences after swapping the two answers of each entity at
random (Noreen 1989; Yeh 2000).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evaluation.credit.counts import Formula, Totals, jaccard, judged, overall
from evaluation.credit.credits import (
    LESS_IS_BETTER,
    Credits,
    FloatArray,
    Judgement,
    Whole,
    f_of_rates,
    ratios,
    values,
)
from evaluation.errors import EvaluationError
from ontologies.alignment import Alignment, Correspondence
from ontologies.common.progress import blocks, track

from .clustered import cluster_index
from .mcnemar import PairTest

#: A measure: from sums (..., 4) of found credit, found weight, reference credit and reference
#: weight to values (...).
Measure = Callable[[FloatArray], FloatArray]

_FORMULAS: Mapping[str, Formula] = {"overall": overall, "jaccard": jaccard}

_CELLS = 4_000_000  # numbers held at a time


@dataclass(frozen=True, eq=False)
class Randomisation:
    """Result of the paired randomisation test on every pair of systems.

    Parameters
    ----------
    values
        The measure by system.
    test
        Differences, p-values and their log10.
    swaps
        Number of random swaps; no p-value is below 1 / (swaps + 1).
    units
        Number of entities, or clusters of them, on which at least two systems differ.
    seed
        Seed of the swaps.
    cautions
        Sentences of the measure that whoever shows the values must show too.
    """

    values: dict[str, float]
    test: PairTest
    swaps: int
    units: int
    seed: int
    cautions: tuple[str, ...] = ()


def randomisation(
    earned: Mapping[str, Credits],
    measure: str | Measure = "f1",
    *,
    clusters: Mapping[str, str] | None = None,
    swaps: int = 20_000,
    seed: int = 0,
) -> Randomisation:
    """Test every pair of systems by swapping their answers per source entity.

    p = (1 + number of swaps whose difference is at least as large) / (1 + swaps), two-sided, which
    is valid for any number of swaps (Phipson and Smyth 2010).

    Parameters
    ----------
    earned
        Credits of each system under some measure: of `evaluation.credit.credits.standard`, or of
        the relaxed, weighted, semantic or residual measures.
    measure
        ``precision``, ``recall``, ``f1`` (or ``f0.5``, ``f2``...), ``overall`` or ``jaccard`` of
        the credits, or a function of their sums.
    clusters
        Cluster by entity: answers are swapped for a whole cluster at a time. None: per entity.
    swaps
        Number of random swaps; the same for all pairs.
    seed
        Of the random numbers.

    Raises
    ------
    EvaluationError
        If the measure is unknown, there are fewer than two systems, or `swaps` is not positive.

    Notes
    -----
    Credits are swapped as they are. Where one entity's answer changes another's credit (relaxed
    measures match found and reference correspondences one to one), that is an approximation.

    Examples
    --------
    >>> from ontologies.alignment import Alignment, Correspondence
    >>> from evaluation.credit.credits import standard
    >>> r = Alignment(Correspondence(f"a{k}", "b") for k in range(8))
    >>> none = Alignment()
    >>> result = randomisation({"all": standard(r, r), "none": standard(none, r)}, "recall")
    >>> result.values, bool(abs(result.test.p[0, 1] - 2 / 2**8) < 0.003)
    ({'all': 1.0, 'none': 0.0}, True)
    """
    if len(earned) < 2:
        raise EvaluationError("a randomisation test compares two systems or more")
    if swaps < 1:
        raise EvaluationError(f"swaps is {swaps}: it must be a positive number, such as 20000")
    value = measure_of(measure) if isinstance(measure, str) else measure
    parts = _sums_by_unit(earned, clusters)
    totals = parts.sum(axis=1)
    values = value(totals)
    first, second = np.triu_indices(len(parts), 1)
    observed = values[first] - values[second]
    parts = parts[:, (parts != parts[:1]).any(axis=(0, 2))]
    middle = (totals[first] + totals[second]) / 2
    as_large = np.zeros(len(first), dtype=np.int64)
    rng = np.random.default_rng(seed)
    block = max(1, _CELLS // (parts.shape[1] + 16 * len(first)))
    for rows in blocks(swaps, block, "randomisation"):
        signs = random_signs(rng, rows, parts.shape[1])
        moved = _signed_sums(signs, parts)
        shift = (moved[first] - moved[second]) / 2
        swapped = value(middle[:, None] + shift) - value(middle[:, None] - shift)
        # "not smaller" also counts an undefined difference: never in favour of significance
        as_large += (~(np.abs(swapped) < np.abs(observed)[:, None] - 1e-12)).sum(axis=1)
    p = np.full((len(parts), len(parts)), np.nan)
    p[first, second] = p[second, first] = (1 + as_large) / (1 + swaps)
    advantage = np.nan_to_num(values[:, None] - values[None, :])
    return Randomisation(
        values=dict(zip(earned, values.tolist(), strict=True)),
        test=PairTest(advantage, p, np.log10(p)),
        swaps=swaps,
        units=parts.shape[1],
        seed=seed,
        cautions=cautions_of(earned),
    )


def cautions_of(judgements: Mapping[str, Judgement]) -> tuple[str, ...]:
    """Return the cautions of all systems' judgements, each with its system."""
    return tuple(f"{name}: {caution}" for name, j in judgements.items() for caution in j.cautions)


def measure_of(name: str) -> Measure:
    """Return the measure of a name: precision, recall, overall, jaccard, or f and a number.

    Raises
    ------
    EvaluationError
        If there is none of this name.

    Examples
    --------
    >>> float(measure_of("f2")(np.array([3.0, 4.0, 3.0, 6.0])).round(4))
    0.5357
    """
    if name in ("precision", "recall"):
        place = ("precision", "recall").index(name)
        return lambda sums: ratios(sums)[..., place]
    if name in _FORMULAS:
        return lambda sums: _from_counts(_FORMULAS[name], sums)
    try:
        beta = float(name.removeprefix("f"))
    except ValueError:
        beta = -1.0
    if not name.startswith("f") or not 0 < beta < np.inf:
        raise EvaluationError(
            f"measure {name!r} is unknown: use precision, recall, overall, jaccard, f1 or f with "
            "another number, such as f0.5"
        )
    return lambda sums: f_of_rates(ratios(sums), beta)


def _from_counts(formula: Formula, sums: FloatArray) -> FloatArray:
    """Return a measure of counts, with found credit in the place of the correct ones."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return formula(Totals(sums[..., 0], sums[..., 1], sums[..., 3], np.nan, 1.0))


def _sums_by_unit(earned: Mapping[str, Credits], clusters: Mapping[str, str] | None) -> FloatArray:
    """Return (systems, units, 4): what each entity, or cluster of them, adds to the four sums."""
    entities = sorted(frozenset().union(*(part.sources for part in earned.values())))
    index = dict(zip(entities, cluster_index(entities, clusters).tolist(), strict=True))
    units = max(index.values(), default=-1) + 1
    return np.stack([part.by_source(index, units) for part in earned.values()])


def random_signs(rng: np.random.Generator, rows: int, columns: int) -> FloatArray:
    """Return (rows, columns) of −1 and 1."""
    bits = np.frombuffer(rng.bytes(rows * ((columns + 7) // 8)), dtype=np.uint8)
    ones = np.unpackbits(bits.reshape(rows, -1), axis=1, count=columns)
    return ones.astype(np.float64) * 2 - 1


def _signed_sums(signs: FloatArray, parts: FloatArray) -> FloatArray:
    """Return (systems, rows, 4): Σ over units of sign · part."""
    n, units, _ = parts.shape
    flat = parts.transpose(1, 0, 2).reshape(units, n * 4)
    sums: FloatArray = (signs @ flat).reshape(len(signs), n, 4)
    return sums.transpose(1, 0, 2)


#: A measure without its context: from an alignment and a reference to a judgement.
Judge = Callable[[Alignment, Alignment], Judgement]


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
        The measure; `evaluation.measures.measure` has them by name.
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
    >>> from evaluation.measures.threshold_curve import curve
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
    of_system = {name: values(j)[chosen] for name, j in judgements.items()}
    n = len(of_system)
    p = np.full((n, n), np.nan)
    units = 0
    pairs = list(combinations(enumerate(alignments.values()), 2))
    for (i, first), (j, second) in track(pairs, len(pairs), "randomisation, pairs"):
        pair = _SideBySide(first, second, reference, judge, clusters)
        units = max(units, pair.units)
        p[i, j] = p[j, i] = pair.p_value(columns.index(chosen), swaps, seed)
    numbers = np.array(list(of_system.values())) * (-1 if chosen in LESS_IS_BETTER else 1)
    advantage = np.nan_to_num(numbers[:, None] - numbers[None, :])
    return Randomisation(
        of_system, PairTest(advantage, p, np.log10(p)), swaps, units, seed, cautions_of(judgements)
    )


class _SideBySide:
    """Two systems' answers in one alignment, each source entity twice, once for either system.

    To count one of the two copies of every entity and not the other is to swap answers, so that
    whatever gives bootstrap intervals gives the randomisation test too: also for measures that are
    more than sums, such as curves.
    """

    def __init__(
        self,
        first: Alignment,
        second: Alignment,
        reference: Alignment,
        judge: Judge,
        clusters: Mapping[str, str] | None,
    ) -> None:
        sides = judged(first, reference), judged(second, reference)
        both = Alignment(c for k, side in enumerate(sides) for c in _copy(k, side.alignment))
        right = Alignment(c for k, side in enumerate(sides) for c in _copy(k, side.reference))
        self.judgement = judge(both, right)
        sources = sorted(self.judgement.sources)
        self.column = {source: k for k, source in enumerate(sources)}
        self.side = np.array([int(source[0]) for source in sources])
        self.unit = cluster_index([source[1:] for source in sources], clusters)
        self.units = int(self.unit.max(initial=-1)) + 1

    def differences(self, swapped: NDArray[np.bool_], place: int) -> FloatArray:
        """Return first − second for rows of swaps (b, units)."""
        first = (swapped[:, self.unit] == self.side).astype(np.float64)
        of_first, of_second = (
            self.judgement.resampled(weights, self.column)[:, place]
            for weights in (first, 1 - first)
        )
        return np.asarray(of_first - of_second)

    def p_value(self, place: int, swaps: int, seed: int) -> float:
        """Return the two-sided p-value of one value of the judgement."""
        rng = np.random.default_rng(seed)
        observed = abs(self.differences(np.zeros((1, self.units), dtype=np.bool_), place)[0])
        block = max(1, _CELLS // (len(self.side) + 1))
        as_large = 0
        for rows in blocks(swaps, block, "swaps"):
            signs = random_signs(rng, rows, self.units)
            swapped = np.abs(self.differences(signs > 0, place))
            # "not smaller" also counts an undefined difference: never in favour of significance
            as_large += int((~(swapped < observed - 1e-12)).sum())
        return (1 + as_large) / (1 + swaps)


def _copy(side: int, alignment: Alignment) -> list[Correspondence]:
    """Mark the source entities of one system's copy."""
    return [replace(c, entity1=f"{side}{c.entity1}") for c in alignment]
