"""What a kernel module offers: families of metrics that share their work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from matchers.kernels.strings.encoding import Pairs, encode
from matchers.kernels.strings.slices import Slices, slice_targets


@dataclass(frozen=True)
class Job:
    """The strings of a matrix: of its rows and of its columns."""

    sources: Sequence[str]
    targets: Sequence[str]

    @cached_property
    def pairs(self) -> Pairs:
        """The strings, encoded."""
        return encode(self.sources, self.targets)

    @cached_property
    def slices(self) -> Slices | None:
        """The targets in bit slices; None if these would be too large."""
        return slice_targets(self.pairs)


#: By metric: one row for each source that the work is on.
Outputs = Mapping[str, NDArray[Any]]
#: Fills outputs for the sources first, ..., last - 1; called from several threads at once.
Work = Callable[[int, int, Outputs], None]


@dataclass(frozen=True, slots=True)
class Family:
    """Metrics that share their work: what they count is the same, the last step differs.

    Attributes
    ----------
    names
        Names of the metrics.
    prepare
        Looks at the strings, and returns the work on some of the rows.
    sparse
        Whether it writes only what is not zero.
    """

    names: tuple[str, ...]
    prepare: Callable[[Job], Work]
    sparse: bool = False
