"""What a metric is: a similarity of two strings, and its facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .batch import Kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

Similarity = Callable[[str, str], float]
#: Writes the similarities of the sources first, ..., last - 1 to the rows of a matrix:
#: (first, last, matrix of shape (last - first, m)). Called from several threads at once.
Rows = Callable[[int, int, "Matrix"], None]
#: Looks at the sources and the targets, and returns what fills rows of their matrix.
Batch = Callable[[Sequence[str], Sequence[str]], Rows]


@dataclass(frozen=True, slots=True)
class Metric:
    """A string metric: the similarity of two strings, its batch form and its facts.

    Strings are sequences of Unicode code points, taken as they are: what may be folded, stripped
    or normalised is the labels' business (`matchers.labels`), unless a metric's own definition
    says so.

    Parameters
    ----------
    name
        Name in the registry.
    family
        ``standard`` (textbook definitions), ``ontosim`` (bit-faithful to OntoSim 2.4),
        ``rapidfuzz``, ``textdistance`` or ``custom``.
    similarity
        Plain definition: two strings -> similarity, 0 for unrelated; never NaN.
    summary
        One line: what it measures, with its formula.
    source
        Author and year, or the program that defines it.
    batch
        Fills rows of a matrix, equal to `similarity` in every bit; None: `similarity` in a loop,
        on one thread.
    symmetric
        Whether the similarity of (s, t) is always that of (t, s).
    identity
        Whether every non-empty string has similarity 1 with itself.
    maximum
        Largest possible similarity, 1 unless its definition lets it be otherwise.
    synonyms
        Other names by which the metric is found.
    """

    name: str
    family: str
    similarity: Similarity
    summary: str
    source: str
    batch: Batch | None = None
    symmetric: bool = True
    identity: bool = True
    maximum: float = 1.0
    synonyms: tuple[str, ...] = ()

    @property
    def kernel(self) -> str | None:
        """Name of the kernel that computes it; None where its `similarity` or another code does."""
        return self.batch.name if isinstance(self.batch, Kernel) else None

    @property
    def all_or_nothing(self) -> bool:
        """Whether only equal strings are similar: such pairs are found without a matrix."""
        return self.kernel in ("equality", "ontosim-equality")

    def rows(self, sources: Sequence[str], targets: Sequence[str]) -> Rows:
        """Return what fills some rows of the matrix, so that the rest needs no memory.

        Parameters
        ----------
        sources, targets
            n and m strings; the source is the metric's first argument.

        Returns
        -------
        function of (first, last, out)
            Writes the similarities of the sources first, ..., last - 1 to `out`, of shape
            (last - first, m). With a `batch` it may be called from several threads at once.
        """
        if self.batch is not None:
            return self.batch(sources, targets)

        def fill(first: int, last: int, out: Matrix) -> None:
            out[...] = plain_matrix(self.similarity, sources[first:last], targets)

        return fill

    def matrix(
        self, sources: Sequence[str], targets: Sequence[str], *, threads: int | None = None
    ) -> Matrix:
        """Return the similarities of all pairs.

        Parameters
        ----------
        sources, targets
            n and m strings; the source is the metric's first argument.
        threads
            Number of threads; None for one per processor.

        Returns
        -------
        ndarray of float64, shape (n, m)
        """
        import numpy as np

        from matchers.machine.threads import run_rows

        matrix = np.empty((len(sources), len(targets)))
        if not matrix.size:
            return matrix
        fill = self.rows(sources, targets)

        def work(first: int, last: int) -> None:
            fill(first, last, matrix[first:last])

        run_rows(work, matrix.shape, threads if self.batch else 1)
        return matrix


def plain_matrix(similarity: Similarity, sources: Sequence[str], targets: Sequence[str]) -> Matrix:
    """Return the similarities of all pairs, one call for each: the definition of every batch form.

    Examples
    --------
    >>> plain_matrix(lambda s, t: float(s == t), ["a", "b"], ["b"])
    array([[0.],
           [1.]])
    """
    import numpy as np

    matrix = np.empty((len(sources), len(targets)))
    for row, s in zip(matrix, sources, strict=True):
        row[:] = [similarity(s, t) for t in targets]
    return matrix
