"""What a measure says of one alignment: named values, and what they are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from evaluation.errors import EvaluationError

from .credits import FloatArray, ZeroDivision

#: Values of which less is better.
LESS_IS_BETTER = frozenset(
    {
        *("fallout", "unsatisfiable", "degree", "incoherence"),
        *("source_violations", "target_violations"),
    }
)


class Judgement(Protocol):
    """Named values that can be computed again where source entities count more than once.

    `Credits` and `Curve` are judgements, and so are `Derived` and `Whole`.
    """

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the values."""

    @property
    def cautions(self) -> tuple[str, ...]:
        """Sentences that whoever shows the values must show too."""

    @property
    def sources(self) -> frozenset[str]:
        """Source entities of the alignment and the reference."""

    def resampled(
        self, weights: FloatArray, column: Mapping[str, int], zero_division: ZeroDivision = "oaei"
    ) -> FloatArray:
        """Return the values (b, k) where source entities count as often as the (b, n) weights."""


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
        Called as (weights, column, zero_division), as `Judgement.resampled`.
    cautions
        Sentences that whoever shows the values must show too.
    """

    columns: tuple[str, ...]
    sources: frozenset[str]
    function: Callable[[FloatArray, Mapping[str, int], ZeroDivision], FloatArray]
    cautions: tuple[str, ...] = ()

    def resampled(
        self, weights: FloatArray, column: Mapping[str, int], zero_division: ZeroDivision = "oaei"
    ) -> FloatArray:
        """Return the values where source entities count more than once."""
        return self.function(weights, column, zero_division)


@dataclass(frozen=True)
class Whole:
    """Values of an alignment as a whole, which no resampling of source entities can give.

    Parameters
    ----------
    columns
        Names of the values.
    numbers
        The values.
    cautions
        Sentences that whoever shows the values must show too.
    """

    columns: tuple[str, ...]
    numbers: tuple[float, ...]
    cautions: tuple[str, ...] = ()

    @property
    def sources(self) -> frozenset[str]:
        """Raise an error: there is nothing that could be resampled."""
        raise EvaluationError(
            f"{', '.join(self.columns)}: these belong to the alignment as a whole, so there is no "
            "interval by resampling source entities"
        )

    def resampled(
        self, weights: FloatArray, column: Mapping[str, int], zero_division: ZeroDivision = "oaei"
    ) -> FloatArray:
        """Return the values once for each sample."""
        return np.tile(self.numbers, (len(weights), 1))


def values(judgement: Judgement, *, zero_division: ZeroDivision = "oaei") -> dict[str, float]:
    """Return the values of a judgement by name.

    Examples
    --------
    >>> values(Whole(("unsatisfiable",), (3.0,)))
    {'unsatisfiable': 3.0}
    """
    sources = () if isinstance(judgement, Whole) else sorted(judgement.sources)
    column = {source: i for i, source in enumerate(sources)}
    row = judgement.resampled(np.ones((1, len(column))), column, zero_division)[0]
    return dict(zip(judgement.columns, row.tolist(), strict=True))
