"""Paired randomisation: whether two systems differ in any measure.

Under the null hypothesis the two systems' answers for an entity are exchangeable. Their difference
in the measure is compared with its differences after swapping the two answers of each entity at
random (Noreen 1989; Yeh 2000). A difference over its standard error is compared so also where the
systems are equal in the measure, but not in all else: F1 with other precision and recall
(Konietschke and Pauly 2014). Two measures need no random swaps: recall, where they are the sign
flips of a sum, and precision, where even so they would mislead (`ratios.weighted_score`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from alignrank.common.errors import EvaluationError
from alignrank.common.executor import executor
from alignrank.common.progress import blocks, track
from alignrank.evaluation.credit.counts import judged
from alignrank.evaluation.credit.credits import (
    LESS_IS_BETTER,
    Credits,
    FloatArray,
    Judgement,
    Whole,
    values,
)
from alignrank.ontologies.alignment import Alignment, Correspondence

from .clustered import cluster_index, sign_flips
from .mcnemar import PairTest
from .ratios import Measure, gradient, measure_of, sums_by_unit, weighted_score

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
    method
        ``randomisation``, ``sign-flip`` (recall) or ``weighted-score`` (precision).
    swaps
        Number of random swaps; no p-value of randomisation is below 1 / (swaps + 1).
    units
        Number of entities, or clusters of them, on which at least two systems differ.
    seed
        Seed of the swaps.
    cautions
        Sentences of the measure that whoever shows the values must show too.
    parts
        (systems, units, 4): what each unit adds to the sums of credits; None without credits.
    """

    values: dict[str, float]
    test: PairTest
    method: str
    swaps: int
    units: int
    seed: int
    cautions: tuple[str, ...] = ()
    parts: FloatArray | None = None


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
    is valid for any number of swaps (Phipson and Smyth 2010). Differences are taken over their
    standard error, which is computed again after each swap.

    Parameters
    ----------
    earned
        Credits of each system under some measure: of
        `alignrank.evaluation.credit.credits.standard`, or of the relaxed, weighted, semantic or
        residual measures.
    measure
        ``precision`` (the weighted score test), ``recall`` (exact sign flips where the credits are
        whole numbers), ``f1`` (or ``f0.5``, ``f2``...), ``overall`` or ``jaccard`` of the credits,
        or a function of their sums.
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
    Konietschke and Pauly 2014, Statistics and Computing 24:283–296.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Alignment, Correspondence
    >>> from alignrank.evaluation.credit.credits import standard
    >>> r = Alignment(Correspondence(f"a{k}", "b") for k in range(8))
    >>> none = Alignment()
    >>> result = randomisation({"all": standard(r, r), "none": standard(none, r)}, "recall")
    >>> result.values, float(result.test.p[0, 1].round(9)), 2 / 2**8
    ({'all': 1.0, 'none': 0.0}, 0.0078125, 0.0078125)
    """
    if len(earned) < 2:
        raise EvaluationError("a randomisation test compares two systems or more")
    if swaps < 1:
        raise EvaluationError(f"swaps is {swaps}: it must be a positive number, such as 20000")
    parts = sums_by_unit(earned, clusters)
    return replace(
        randomised_sums(tuple(earned), parts, measure, swaps=swaps, seed=seed),
        cautions=cautions_of(earned),
    )


def randomised_sums(
    systems: Sequence[str],
    parts: FloatArray,
    measure: str | Measure,
    *,
    swaps: int = 20_000,
    seed: int = 0,
) -> Randomisation:
    """Test every pair of systems by what each unit adds to the sums (`sums_by_unit`).

    Parameters
    ----------
    systems
        n names.
    parts
        (n, units, 4).
    measure, swaps, seed
        As for `randomisation`.
    """
    value = measure_of(measure) if isinstance(measure, str) else measure
    values = value(parts.sum(axis=1))
    advantage = np.nan_to_num(values[:, None] - values[None, :])
    if measure == "precision":
        method, test = "weighted-score", weighted_score(parts)
    elif measure == "recall" and _sums_of_whole_numbers(parts):
        flipped = sign_flips(parts[..., 2].astype(np.int64))
        method, test = "sign-flip", replace(flipped, advantage=advantage)
    else:
        p = _swapped(parts, value, swaps, seed)
        method, test = "randomisation", PairTest(advantage, p, np.log10(p))
    return Randomisation(
        values=dict(zip(systems, values.tolist(), strict=True)),
        test=test,
        method=method,
        swaps=swaps,
        units=int((parts != parts[:1]).any(axis=(0, 2)).sum()),
        seed=seed,
        parts=parts,
    )


def _sums_of_whole_numbers(parts: FloatArray) -> bool:
    """Tell whether recall is a sum over units: whole credits, and the same weights for all."""
    credit, weight = parts[..., 2], parts[..., 3]
    return bool((credit == np.floor(credit)).all() and (weight == weight[:1]).all())


def _swapped(parts: FloatArray, value: Measure, swaps: int, seed: int) -> FloatArray:
    """Return the p-values (n, n) of swapping the answers of every pair of systems."""
    differ = (parts != parts[:1]).any(axis=(0, 2))
    pairs = [
        _Pair(parts[i], parts[j], value, differ) for i, j in combinations(range(len(parts)), 2)
    ]
    rng = np.random.default_rng(seed)
    units = int(differ.sum())
    sizes = blocks(swaps, max(1, _CELLS // (units + 1)), "randomisation")
    signs = ((np.ascontiguousarray(random_signs(rng, rows, units).T),) for rows in sizes)
    found = executor().run(lambda signs: [pair.as_large(signs) for pair in pairs], signs)
    as_large = np.sum([counts for _, counts in found], axis=0)
    p = np.full((len(parts), len(parts)), np.nan)
    upper = np.triu_indices(len(parts), 1)
    p[upper] = p.T[upper] = (1 + as_large) / (1 + swaps)
    return p


class _Pair:
    """Two systems' answers, swapped per unit, and their difference over its standard error.

    With mean m_k and half difference h_k of what the two add to the sums in unit k, and ε_k = −1
    where they are swapped, Σ ε_k h_k gives the swapped sums. The influences differ by
    ψ_s − ψ_t = (g_s − g_t) · m_k + ε_k (g_s + g_t) · h_k with g the gradients there, so that the
    squares' sum needs Σ ε_k m_k h_k' only, beside what the swaps leave alone.
    """

    def __init__(
        self, first: FloatArray, second: FloatArray, value: Measure, differ: NDArray[np.bool_]
    ) -> None:
        mean, half = (first + second) / 2, (first - second) / 2
        self.value = value
        self.middle = mean.sum(axis=0)
        self.squares = mean.T @ mean, half.T @ half
        self.moved = half[differ].any(axis=1)  # of the rows of the signs
        mean, half = (x[differ][self.moved] for x in (mean, half))
        crossed = (mean[:, :, None] * half[:, None, :]).reshape(len(half), 16)
        self.moving = np.hstack([half, crossed])
        self.observed = self._differences(self.moving.sum(axis=0)[None, :])[0]

    def as_large(self, signs: FloatArray) -> int:
        """Return for how many columns of signs the difference is at least the observed one."""
        swapped = self._differences(signs[self.moved].T @ self.moving)
        # "not smaller" also counts an undefined difference: never in favour of significance
        return int((~(swapped < self.observed * (1 - 1e-9))).sum())

    def _differences(self, moved: FloatArray) -> FloatArray:
        shift, crossed = moved[:, :4], moved[:, 4:].reshape(-1, 4, 4)
        sides = self.middle + shift, self.middle - shift
        gap = np.abs(self.value(sides[0]) - self.value(sides[1]))
        slopes = [gradient(self.value, side) for side in sides]
        minus, plus = slopes[0] - slopes[1], slopes[0] + slopes[1]
        squares = (
            ((minus @ self.squares[0]) * minus).sum(axis=1)
            + ((plus @ self.squares[1]) * plus).sum(axis=1)
            + 2 * np.einsum("bi,bij,bj->b", minus, crossed, plus)
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            # rounding leaves no exact zeros; no difference is none, however sure
            ratio = gap / np.sqrt(np.where(squares > 1e-18, squares, 0.0))
        return np.where(gap > 1e-12, ratio, np.where(np.isnan(gap), np.nan, 0.0))


def cautions_of(judgements: Mapping[str, Judgement]) -> tuple[str, ...]:
    """Return the cautions of all systems' judgements, each with its system."""
    return tuple(f"{name}: {caution}" for name, j in judgements.items() for caution in j.cautions)


def random_signs(rng: np.random.Generator, rows: int, columns: int) -> FloatArray:
    """Return (rows, columns) of −1 and 1."""
    bits = np.frombuffer(rng.bytes(rows * ((columns + 7) // 8)), dtype=np.uint8)
    ones = np.unpackbits(bits.reshape(rows, -1), axis=1, count=columns)
    return ones.astype(np.float64) * 2 - 1


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
        The measure; `alignrank.evaluation.measures.measure` has them by name.
    value
        Which value of the measure: a name of its columns, for credits also ``overall`` or ``f2``
        and its like. None is ``f1`` where there is one, else the first. The larger one is ahead,
        the smaller one for those of `LESS_IS_BETTER`.
    clusters, swaps, seed
        As in `alignrank.evaluation.significance.randomisation.randomisation`, which does the work
        for credits, all pairs at once. Other measures take a second or more for each pair.

    Raises
    ------
    EvaluationError
        If the measure has no such value, or belongs to the alignment as a whole (coherence), so
        that there is nothing to swap.

    Examples
    --------
    >>> from alignrank.evaluation.measures.threshold_curve import curve
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
        of_system,
        PairTest(advantage, p, np.log10(p)),
        "randomisation",
        swaps,
        units,
        seed,
        cautions_of(judgements),
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
