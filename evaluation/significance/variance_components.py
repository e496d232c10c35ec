"""How much of what varies belongs to rows, to columns, and to their interplay."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evaluation.errors import EvaluationError
from ontologies.common.table import Tabular


@dataclass(frozen=True)
class Components(Tabular):
    """Variances of the parts of a table: value = mean + row + column + interplay.

    Parameters
    ----------
    rows, columns
        Variances of the effects of rows and of columns, not below 0.
    interplay
        Variance of the rest, with one value in each cell.
    """

    rows: float
    columns: float
    interplay: float


def crossed(table: ArrayLike) -> Components:
    """Split the variance of a table of rows × columns, by moments.

    With R rows and C columns and mean squares MS of the two-way analysis of variance: interplay
    MS_rest, rows (MS_rows − MS_rest)/C, columns (MS_columns − MS_rest)/R.

    Parameters
    ----------
    table
        (R, C), one value for each cell; two rows and two columns or more.

    Raises
    ------
    EvaluationError
        If there is only one row or one column.

    Notes
    -----
    Searle, Casella and McCulloch 1992, Variance components, section 4.3.

    Examples
    --------
    >>> crossed([[0.0, 1.0, 2.0], [4.0, 5.0, 6.0]])
    Components(rows=8.0, columns=1.0, interplay=0.0)
    """
    values = np.asarray(table, dtype=np.float64)
    if values.ndim != 2 or min(values.shape) < 2:
        raise EvaluationError(
            f"variances of rows and columns need two of each or more: the table is {values.shape}"
        )
    r, c = values.shape
    by_row, by_column = values.mean(axis=1, keepdims=True), values.mean(axis=0, keepdims=True)
    rest = values - by_row - by_column + values.mean()
    interplay = float((rest**2).sum()) / ((r - 1) * (c - 1))
    rows = float(by_row.var(ddof=1)) - interplay / c
    columns = float(by_column.var(ddof=1)) - interplay / r
    return Components(max(rows, 0.0), max(columns, 0.0), interplay)
