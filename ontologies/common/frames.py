"""The one door to pandas, which takes .4 s to import and which most commands never need."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import TypeAlias

    import pandas as pd

    Frame: TypeAlias = pd.DataFrame
else:
    Frame = "pandas.DataFrame"


def frame(
    rows: Any,  # whatever pandas takes: it checks it itself
    columns: Iterable[Hashable] | None = None,
    *,
    index: Iterable[Hashable] | None = None,
    index_name: str | None = None,
    columns_name: str | None = None,
) -> Frame:
    """Return rows as a pandas frame.

    Parameters
    ----------
    rows
        Whatever `pandas.DataFrame` takes: records, lists, an array, columns by name.
    columns
        Names of the columns, where `rows` do not say.
    index
        Names of the rows.
    index_name, columns_name
        What the names of rows and of columns name.

    Examples
    --------
    >>> frame([["a", 0.5]], ["system", "F1"]).to_dict("records")
    [{'system': 'a', 'F1': 0.5}]
    """
    import pandas as pd

    return pd.DataFrame(
        rows,
        columns=None if columns is None else pd.Index(list(columns), name=columns_name),
        index=None if index is None else pd.Index(list(index), name=index_name),
    )


def stacked(frames: Iterable[Frame]) -> Frame:
    """Return frames below each other, their rows numbered anew."""
    import pandas as pd

    return pd.concat(list(frames), ignore_index=True)
