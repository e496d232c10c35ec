"""The evaluation of an alignment by a measure: credits of correspondences, values from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from alignrank.common.defaults import ZeroDivision as ZeroDivision
from alignrank.common.errors import EvaluationError
from alignrank.common.names import Registry
from alignrank.common.table import Frame, Tabular, frame
from alignrank.ontologies.alignment import Alignment, Correspondence

FloatArray = NDArray[np.float64]

#: The value of 0/0 by convention.
ZERO_DIVISIONS = Registry(
    "zero_division", {"oaei": 1.0, "zero": 0.0, "nan": float("nan")}, EvaluationError
)


#: The largest β of F-beta; the square of a much larger one is no number.
MOST_BETA = 1e100

#: By how much rounding may raise a credit, relative to its weight or, if that is less, to 1.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class PrecisionRecall(Tabular):
    """Precision and recall of one alignment under some measure, each in [0, 1] or NaN."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, eq=False)
class Credits(Tabular):
    """Credit of every found and of every reference correspondence under some measure.

    P = Σ_a credit(a) / Σ_a weight(a),  R = Σ_r credit(r) / Σ_r weight(r),  F = 2PR / (P + R).

    Ordinary precision and recall give credit 1 to the correct correspondences and weight 1 to all;
    the relaxed, weighted, semantic, residual and hierarchical measures differ only in the credits
    and weights. That is why averages, breakdowns and bootstrap intervals need no code of their own
    for each measure.

    Parameters
    ----------
    found, reference
        The correspondences.
    found_credit, reference_credit
        Credit of each, at most its weight; below 0 in one variant of `weighted` only.
    found_weight, reference_weight
        Weight of each.
    cautions
        Sentences that whoever shows the values must show too.

    Examples
    --------
    >>> a = Correspondence("a", "x"), Correspondence("b", "y")
    >>> c = Credits.unweighted(a, a[:1], [1.0, 0.5], [1.0])
    >>> c.scores()
    PrecisionRecall(precision=0.75, recall=1.0, f1=0.8571428571428571)
    """

    found: tuple[Correspondence, ...]
    reference: tuple[Correspondence, ...]
    found_credit: FloatArray
    reference_credit: FloatArray
    found_weight: FloatArray
    reference_weight: FloatArray
    cautions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for side in ("found", "reference"):
            correspondences = getattr(self, side)
            credit, weight = getattr(self, f"{side}_credit"), getattr(self, f"{side}_weight")
            for name, numbers in (("credit", credit), ("weight", weight)):
                if len(numbers) != len(correspondences):
                    raise EvaluationError(
                        f"{side}_{name} must hold one number for each of the "
                        f"{len(correspondences)} correspondences of {side}"
                    )
            for k in np.flatnonzero(credit > weight + _ROUNDING * np.maximum(weight, 1))[:1]:
                raise EvaluationError(
                    f"{side}_credit holds {credit[k]:g} for {' '.join(correspondences[k].key)}, "
                    f"whose weight is {weight[k]:g}: a credit must not exceed its weight"
                )

    @classmethod
    def unweighted(
        cls,
        found: Iterable[Correspondence],
        reference: Iterable[Correspondence],
        found_credit: Sequence[float],
        reference_credit: Sequence[float],
        cautions: tuple[str, ...] = (),
    ) -> Credits:
        """Return credits where every correspondence has the weight 1."""
        return cls(
            tuple(found),
            tuple(reference),
            np.array(found_credit, dtype=float),
            np.array(reference_credit, dtype=float),
            np.ones(len(found_credit)),
            np.ones(len(reference_credit)),
            cautions,
        )

    #: Names of the columns of the result of `resampled`.
    columns: ClassVar[tuple[str, ...]] = ("precision", "recall", "f1")
    less_is_better: ClassVar[bool] = False

    @property
    def sources(self) -> frozenset[str]:
        """Source entities of all correspondences."""
        return frozenset(c.entity1 for c in (*self.found, *self.reference))

    @property
    def sums(self) -> FloatArray:
        """Sums of found credit, found weight, reference credit and reference weight."""
        names = ("found_credit", "found_weight", "reference_credit", "reference_weight")
        return np.array([getattr(self, name).sum() for name in names])

    def scores(self, zero_division: ZeroDivision = "oaei") -> PrecisionRecall:
        """Return precision, recall and F1."""
        return PrecisionRecall(*(float(x) for x in ratios(self.sums, zero_division)))

    def by_source(self, index: Mapping[str, int], n: int) -> FloatArray:
        """Return (n, 4): what each of n source entities adds to `sums`; `index` numbers them."""
        added = []
        for side in ("found", "reference"):
            rows = np.array([index[c.entity1] for c in getattr(self, side)], dtype=np.intp)
            for name in ("credit", "weight"):
                added.append(np.bincount(rows, getattr(self, f"{side}_{name}"), n))
        return np.stack(added, axis=1)

    def resampled_sums(self, weights: FloatArray, index: Mapping[str, int]) -> FloatArray:
        """Return the sums where source entities count more than once.

        Parameters
        ----------
        weights
            (b, n): how often each source entity counts in each of b samples.
        index
            Number of each source entity, from 0 to n − 1.

        Returns
        -------
        ndarray
            (b, 4), in the order of `sums`.
        """
        sums: FloatArray = weights @ self.by_source(index, weights.shape[1])
        return sums

    def resampled(
        self, weights: FloatArray, index: Mapping[str, int], zero_division: ZeroDivision = "oaei"
    ) -> FloatArray:
        """Return precision, recall and F1 where source entities count more than once: (b, 3)."""
        return ratios(self.resampled_sums(weights, index), zero_division)

    def where(self, keep: Callable[[Correspondence], bool]) -> Credits:
        """Return the credits of the correspondences for which `keep` is true."""
        keep_found = np.array([keep(c) for c in self.found], dtype=bool)
        keep_reference = np.array([keep(c) for c in self.reference], dtype=bool)
        return Credits(
            tuple(compress(self.found, keep_found)),
            tuple(compress(self.reference, keep_reference)),
            self.found_credit[keep_found],
            self.reference_credit[keep_reference],
            self.found_weight[keep_found],
            self.reference_weight[keep_reference],
            self.cautions,
        )

    def parts(self, part_of: Callable[[Correspondence], str]) -> dict[str, Credits]:
        """Return the credits of each part of the correspondences, by the part's name."""

        def part(name: str) -> Credits:
            return self.where(lambda c: part_of(c) == name)

        names = sorted({part_of(c) for c in (*self.found, *self.reference)})
        return {name: part(name) for name in names}

    def to_frame(self) -> Frame:
        """Return one row for each found, then each reference correspondence: credit and weight."""
        sides = {
            "found": (self.found, self.found_credit, self.found_weight),
            "reference": (self.reference, self.reference_credit, self.reference_weight),
        }
        rows = []
        for side, columns_of_side in sides.items():
            for c, credit, weight in zip(*columns_of_side, strict=True):
                rows.append((side, *c.key, float(credit), float(weight)))
        columns = ["side", "entity1", "entity2", "relation", "credit", "weight"]
        return frame(rows, columns=columns)


def ratios(sums: FloatArray, zero_division: ZeroDivision = "oaei") -> FloatArray:
    """Return precision, recall and F1 from sums of credits and weights.

    Parameters
    ----------
    sums
        Array (..., 4): found credit, found weight, reference credit, reference weight.
    zero_division
        What 0/0 means. F is 0 if only one of the two sides is empty, under every convention: with
        one overlap ω it is 2ω / (|A| + |R|), which 0/0 does not touch.

    Returns
    -------
    ndarray
        Array (..., 3).
    """
    empty = ZERO_DIVISIONS.lookup(zero_division)
    with np.errstate(divide="ignore", invalid="ignore"):
        credit, weight = sums[..., 0::2], sums[..., 1::2]
        rates = np.where(weight > 0, credit / weight, empty)
    f1 = np.where((weight > 0).sum(axis=-1) == 1, 0.0, f_of_rates(rates))
    f1 = np.where((weight > 0).sum(axis=-1) == 0, empty, f1)
    return np.concatenate([rates, f1[..., None]], axis=-1)


def f_of_rates(rates: FloatArray, beta: float = 1.0) -> FloatArray:
    """Return F-beta = (1 + β²) P R / (β² P + R) of precision and recall (..., 2); 0 for two zeros.

    It is that of `alignrank.evaluation.credit.counts.f_beta` where both follow from one number of
    correct correspondences; a measure whose two sides earn different credit has no such number.
    """
    precision, recall = rates[..., 0], rates[..., 1]
    weight = beta * beta * precision + recall
    return np.asarray((1 + beta * beta) * precision * recall / np.where(weight == 0, 1.0, weight))


def pooled(tasks: Iterable[Credits]) -> Credits:
    """Return the credits of several tasks as one: its scores are the micro averages."""
    parts = list(tasks)

    def joined(name: str) -> FloatArray:
        return np.concatenate([getattr(earned, name) for earned in parts] or [np.empty(0)])

    return Credits(
        tuple(c for earned in parts for c in earned.found),
        tuple(c for earned in parts for c in earned.reference),
        joined("found_credit"),
        joined("reference_credit"),
        joined("found_weight"),
        joined("reference_weight"),
        tuple(dict.fromkeys(caution for earned in parts for caution in earned.cautions)),
    )


def standard(alignment: Alignment, reference: Alignment) -> Credits:
    """Return the credits of ordinary precision and recall: 1 for each common correspondence.

    Examples
    --------
    >>> a = Alignment([Correspondence("a", "x"), Correspondence("b", "y", "<")])
    >>> standard(a, Alignment([Correspondence("a", "x"), Correspondence("b", "y")])).scores()
    PrecisionRecall(precision=0.5, recall=0.5, f1=0.5)
    """
    return Credits.unweighted(
        alignment,
        reference,
        [c in reference for c in alignment],
        [c in alignment for c in reference],
    )


def unstated_confidences(alignment: Alignment) -> tuple[str, ...]:
    """Return a caution for measures that need confidences, where an alignment states none.

    Examples
    --------
    >>> unstated_confidences(Alignment([Correspondence("a", "x")]))
    ()
    """
    if alignment.has_confidences or not alignment:
        return ()
    return ("No confidence is stated, and each counts as 1: nothing is ranked or weighted.",)


class Evaluation(Protocol):
    """Named values that can be computed again where source entities count more than once.

    `Credits` and `Curve` are evaluations, and so are `Derived` and `Whole`.
    """

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the values: the columns of the result of `resampled`."""

    @property
    def less_is_better(self) -> bool:
        """Whether the better alignment has the smaller values."""

    @property
    def cautions(self) -> tuple[str, ...]:
        """Sentences to show beside the values."""

    @property
    def sources(self) -> frozenset[str]:
        """Source entities of the alignment and the reference."""

    def resampled(
        self, weights: FloatArray, index: Mapping[str, int], zero_division: ZeroDivision = "oaei"
    ) -> FloatArray:
        """Return the values (b, k) where source entities count as often as the (b, n) weights.

        `index` numbers the source entities: each has the column of `weights` with its number.
        """


@dataclass(frozen=True, eq=False)
class Derived:
    """Values that a function makes of the weights of source entities.

    Parameters
    ----------
    columns
        Names of the values.
    sources
        Source entities of the alignment and the reference.
    function
        Called as (weights, index, zero_division), as `Evaluation.resampled`.
    cautions
        Sentences that whoever shows the values must show too.
    less_is_better
        Whether the better alignment has the smaller values.
    """

    columns: tuple[str, ...]
    sources: frozenset[str]
    function: Callable[[FloatArray, Mapping[str, int], ZeroDivision], FloatArray]
    cautions: tuple[str, ...] = ()
    less_is_better: bool = False

    def resampled(
        self, weights: FloatArray, index: Mapping[str, int], zero_division: ZeroDivision = "oaei"
    ) -> FloatArray:
        """Return the values where source entities count more than once."""
        return self.function(weights, index, zero_division)


@dataclass(frozen=True)
class Whole:
    """Values of an alignment as a whole, which no resampling of source entities can give.

    Parameters
    ----------
    columns
        Names of the values.
    numbers
        The values; counts are whole numbers.
    cautions
        Sentences that whoever shows the values must show too.
    less_is_better
        Whether the better alignment has the smaller values.
    is_lower_bound
        Whether the true values may be larger.
    """

    columns: tuple[str, ...]
    numbers: tuple[float, ...]
    cautions: tuple[str, ...] = ()
    less_is_better: bool = False
    is_lower_bound: bool = False

    @property
    def sources(self) -> frozenset[str]:
        """Raise an error: there is nothing that could be resampled."""
        raise EvaluationError(
            f"{', '.join(self.columns)}: these belong to the alignment as a whole, so there is no "
            "interval by resampling source entities"
        )

    def resampled(
        self, weights: FloatArray, index: Mapping[str, int], zero_division: ZeroDivision = "oaei"
    ) -> FloatArray:
        """Return the values once for each sample."""
        return np.tile(self.numbers, (len(weights), 1))


def values(evaluation: Evaluation, *, zero_division: ZeroDivision = "oaei") -> dict[str, float]:
    """Return the values of an evaluation by name.

    Examples
    --------
    >>> values(Whole(("unsatisfiable", "degree"), (3, 0.5)))
    {'unsatisfiable': 3, 'degree': 0.5}
    """
    if isinstance(evaluation, Whole):  # which is not resampled
        return dict(zip(evaluation.columns, evaluation.numbers, strict=True))
    index = {source: i for i, source in enumerate(sorted(evaluation.sources))}
    row = evaluation.resampled(np.ones((1, len(index))), index, zero_division)[0]
    return dict(zip(evaluation.columns, row.tolist(), strict=True))
