"""One-to-one pairs of rows and columns, and the prices that prove them the best ones."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontologies.common.table import Frame, Tabular, frame

Matrix = NDArray[np.float64]
Indices = NDArray[np.intp]

#: How far u_i + v_j may be from the similarity of a pair that is called tight; relative to the
#: largest similarity of a pair. Similarities are rounded to 1e-16, and duals, sums of a few
#: thousand of them, err by less than 1e-12; different sums of such fractions as string metrics
#: give are hardly ever that close. (Totals add up over the pairs, and so may their differences.)
TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Duals:
    """Optimal solution of the dual problem of the assignment problem.

    Every u_i and v_j is at least 0, every pair has u_i + v_j >= similarity, and the sum of all
    u_i and v_j is the largest total similarity: so no one-to-one pairing has a larger one.

    Parameters
    ----------
    rows, columns
        u and v.
    """

    rows: NDArray[np.float64]
    columns: NDArray[np.float64]

    @property
    def total(self) -> float:
        """Sum of all duals: no one-to-one pairing has a larger total similarity."""
        return math.fsum(self.rows.tolist()) + math.fsum(self.columns.tolist())


@dataclass(frozen=True, eq=False)
class Assignment(Tabular):
    """One-to-one pairs of rows and columns, all of similarity above 0, in the order of the rows.

    Parameters
    ----------
    rows, columns
        Indices of the pairs.
    similarities
        Similarity of each pair.
    method
        How they were chosen.
    duals
        Those by which the solver found the optimum, where it tells.
    """

    rows: Indices
    columns: Indices
    similarities: NDArray[np.float64]
    method: str
    duals: Duals | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def total(self) -> float:
        """Sum of the similarities, correctly rounded."""
        return math.fsum(self.similarities.tolist())

    @property
    def tolerance(self) -> float:
        """How far u_i + v_j may be from the similarity of a pair that is called tight.

        In an optimal assignment the largest similarity of a pair is at least half of the matrix's.
        """
        return TOLERANCE * float(self.similarities.max(initial=0.0))

    def at_least(self, threshold: float) -> Assignment:
        """Return the pairs of similarity `threshold` or more (``>=``)."""
        kept = self.similarities >= threshold
        return Assignment(self.rows[kept], self.columns[kept], self.similarities[kept], self.method)

    def to_frame(self) -> Frame:
        """Return one line per pair: ``row, column, similarity``."""
        return frame({"row": self.rows, "column": self.columns, "similarity": self.similarities})
