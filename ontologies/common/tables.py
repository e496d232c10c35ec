"""Results as tables: a frame of their own, and the same in a notebook."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from .html import preview

if TYPE_CHECKING:
    import pandas as pd


class Tabular:
    """Base of results: `to_frame` gives a pandas frame, and a notebook shows it as a table.

    A result of a few numbers is one row with a column for each; others say in a `to_frame` of their
    own what their rows are.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Count(Tabular):
    ...     right: int
    ...     wrong: tuple[str, ...]
    >>> Count(3, ("a", "b")).to_frame().to_dict("records")
    [{'right': 3, 'wrong': 2}]
    """

    __slots__ = ()

    def to_frame(self) -> pd.DataFrame:
        """Return one row: a column for each value; of a collection its size."""
        import pandas as pd

        return pd.DataFrame([_row(self)])

    def _repr_html_(self) -> str:
        frame = self.to_frame()
        named = frame.index.dtype.kind == "O"  # rows with names of their own
        header = [str(name) for name in frame.columns]
        rows = [[_shown(cell) for cell in row] for row in frame.head(11).to_numpy(object).tolist()]
        if named:
            header = ["", *header]
            rows = [[str(name), *row] for name, row in zip(frame.index, rows, strict=False)]
        numbers = [k + named for k, kind in enumerate(frame.dtypes) if kind.kind in "iuf"]
        return preview(type(self).__name__, header, rows, numbers=numbers, total=len(frame))


def _row(result: Any, prefix: str = "") -> dict[str, Any]:
    """Return the values of a dataclass by name; those of a dataclass in it under its name too."""
    row: dict[str, Any] = {}
    for field in fields(result):
        value = getattr(result, field.name)
        if is_dataclass(value):
            row |= _row(value, f"{prefix}{field.name}_")
        elif isinstance(value, Sized) and not isinstance(value, str):
            row[prefix + field.name] = len(value)
        else:
            row[prefix + field.name] = value
    return row


def _shown(cell: Any) -> str:
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)
