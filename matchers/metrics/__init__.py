"""String metrics: what one is, and a module for each kind of slow and obvious definitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import chdir
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Similarity = Callable[[str, str], float]
#: Writes the similarities of the sources first, ..., last - 1 to the rows of a matrix:
#: (first, last, matrix of shape (last - first, m)). Called from several threads at once.
Rows = Callable[[int, int, Matrix], None]
#: Prepares the sources and the targets; returns the function that fills rows of their matrix.
Batch = Callable[[Sequence[str], Sequence[str]], Rows]


@dataclass(frozen=True, slots=True)
class Metric:
    """A string metric: the similarity of two strings, and its facts.

    Strings are sequences of Unicode code points. A metric folds, strips or normalises nothing
    unless its definition says so: labels are prepared before (`alignrank.matchers.settings`).

    Parameters
    ----------
    name
        Its name.
    family
        ``standard`` (textbook definitions), ``ontosim`` (bit-faithful to OntoSim 2.4),
        ``rapidfuzz``, ``textdistance``, ``custom``, or another name for its relatives.
    similarity
        Plain definition: two strings -> similarity, 0 for unrelated; never NaN.
    summary
        One line: what it measures, with its formula.
    source
        Author and year, or the program that defines it.
    batch
        Another library's code that fills rows of a matrix, if there is one.
    kernel
        Name of our compiled code that fills rows of a matrix (`alignrank.matchers.kernels`), equal
        to `similarity` in every bit; metrics with the same kernel are computed in one pass. Without
        a batch and a kernel, `similarity` is called for each pair, on one thread.
    symmetric
        Whether the similarity of (s, t) is always that of (t, s).
    identity
        Whether every non-empty string has similarity 1 with itself.
    maximum
        Largest possible similarity.
    synonyms
        Other names of the metric.
    """

    name: str
    family: str
    similarity: Similarity
    summary: str
    source: str
    batch: Batch | None = None
    kernel: str | None = None
    symmetric: bool = True
    identity: bool = True
    maximum: float = 1.0
    synonyms: tuple[str, ...] = ()

    @property
    def all_or_nothing(self) -> bool:
        """Whether only equal strings are similar: their pairs need no matrix."""
        return self.kernel == "equality"


def plain_matrix(similarity: Similarity, sources: Sequence[str], targets: Sequence[str]) -> Matrix:
    """Return the similarities of all pairs, one call for each: the oracle of every kernel.

    Examples
    --------
    >>> plain_matrix(lambda s, t: float(s == t), ["a", "b"], ["b"])
    array([[0.],
           [1.]])
    """
    matrix = np.empty((len(sources), len(targets)))
    with chdir("."):  # a user's function may leave the working directory
        for row, s in zip(matrix, sources, strict=True):
            row[:] = [similarity(s, t) for t in targets]
    return matrix
