"""Large pairs: the similarities at or above a threshold, tile by tile, without the whole matrix.

Sources and targets are sorted by length and cut into tiles. A tile is filled by the metric as a
small matrix would be; what is at or above the threshold is kept. A tile is left out only where no
two strings of such lengths can reach the threshold. Nothing is lost: the edges are those of the
whole matrix, in every bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .errors import MatcherError
from .metrics.base import Metric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

#: Rows and columns of a tile: 28 MB of similarities for each thread.
TILE = 1024, 7 * 512
#: What the bound of a similarity may lie below the threshold by rounding.
_ROUNDING = 1e-9

Progress = Callable[[float], None]


class Band(NamedTuple):
    """The edges of some sources: of each source how many, and their targets and similarities."""

    sources: NDArray[np.intp]
    counts: NDArray[np.int64]
    targets: NDArray[np.int32]
    similarities: NDArray[np.float64]


def similar_pairs(
    sources: Sequence[str],
    targets: Sequence[str],
    metric: Metric,
    threshold: float,
    *,
    best: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> csr_array:
    """Return the similarities at or above a threshold.

    Parameters
    ----------
    sources, targets
        n and m strings.
    metric
        Any metric; those with a kernel are meant for this.
    threshold
        Above 0.
    best
        Keep only so many targets for each source: the most similar ones, of equally similar ones
        the first. None keeps all.
    threads
        Number of threads; None for one per processor. Each needs some 60 MB.
    progress
        Called with the fraction that is done, now and then.

    Returns
    -------
    csr_array of float64, shape (n, m)
        Equal to the matrix of `Metric.matrix` with all smaller entries left out.

    Raises
    ------
    MatcherError
        If `threshold` is not above 0, or `best` not above 0.

    Examples
    --------
    >>> from matchers import get_metric
    >>> found = similar_pairs(["heart", "tail"], ["hearts"], get_metric("levenshtein"), 0.8)
    >>> found.toarray().round(3)
    array([[0.833],
           [0.   ]])
    """
    from .threads import run_all

    if not threshold > 0.0:
        raise MatcherError(f"the threshold of tiles is {threshold}: it must be above 0")
    if best is not None and best < 1:
        raise MatcherError(f"best is {best}: keep at least one target for each source")
    columns = _by_length(targets, TILE[1])
    groups = _by_length(sources, TILE[0])

    def work(group: NDArray[np.intp]) -> Band:
        return _band(sources, targets, group, columns, metric, threshold, best)

    bands = []
    for band in run_all(work, groups, threads):
        bands.append(band)
        if progress is not None:
            progress(len(bands) / len(groups))
    return _together(bands, (len(sources), len(targets)))


def _band(
    sources: Sequence[str],
    targets: Sequence[str],
    group: NDArray[np.intp],
    columns: Sequence[NDArray[np.intp]],
    metric: Metric,
    threshold: float,
    best: int | None,
) -> Band:
    """Return the edges of a group of sources, tile after tile."""
    import numpy as np

    from .kernels.edges import entries_from

    names = [sources[i] for i in group]
    room = np.empty(len(names) * TILE[1])
    rows, chosen, similarities = np.empty(0, np.intp), np.empty(0, np.int32), np.empty(0)
    for column in columns:
        others = [targets[j] for j in column]
        if _largest_possible(metric, names, others) < threshold - _ROUNDING:
            continue
        tile = _tile(metric, names, others, room)
        at = entries_from(tile, threshold)
        rows = np.concatenate([rows, at[0]])
        chosen = np.concatenate([chosen, column[at[1]].astype(np.int32)])
        similarities = np.concatenate([similarities, tile[at]])
        if best is not None:
            kept = _best_of_each_row(rows, chosen, similarities, best)
            rows, chosen, similarities = rows[kept], chosen[kept], similarities[kept]
    order = np.lexsort((chosen, rows))
    counts = np.bincount(rows, minlength=len(group))
    return Band(group, counts, chosen[order], similarities[order])


def _best_of_each_row(
    rows: NDArray[np.intp], columns: NDArray[np.int32], similarities: NDArray[np.float64], best: int
) -> NDArray[np.intp]:
    """Return which entries to keep: in each row the most similar, of these the first columns."""
    import numpy as np

    order = np.lexsort((columns, -similarities, rows))
    first = np.searchsorted(rows[order], rows[order])  # where the row of each entry begins
    return order[np.arange(len(order)) - first < best]


def _together(bands: Sequence[Band], shape: tuple[int, int]) -> csr_array:
    """Return the matrix whose rows the bands hold."""
    import numpy as np
    from scipy.sparse import csr_array

    starts = np.zeros(shape[0] + 1, np.int64)
    for band in bands:
        starts[band.sources + 1] = band.counts
    starts = np.cumsum(starts)
    columns, similarities = np.empty(starts[-1], np.int32), np.empty(starts[-1])
    for band in bands:
        ends = np.cumsum(band.counts)
        shift = starts[band.sources] - (ends - band.counts)
        place = np.arange(len(band.targets)) + np.repeat(shift, band.counts)
        columns[place], similarities[place] = band.targets, band.similarities
    return csr_array((similarities, columns, starts), shape=shape)


def _tile(
    metric: Metric, sources: Sequence[str], targets: Sequence[str], room: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the similarities of a tile, in an array that the next tile overwrites."""
    from . import kernels

    if metric.name not in kernels.KERNELS:
        return metric.matrix(sources, targets, threads=1)
    shape = len(sources), len(targets)
    out = room[: shape[0] * shape[1]].reshape(shape)
    return kernels.matrix(metric.name, sources, targets, threads=1, out=out)


def _by_length(strings: Sequence[str], size: int) -> list[NDArray[np.intp]]:
    """Return the indices of strings, sorted by length, in groups of at most `size`."""
    import numpy as np

    order = np.argsort([len(s) for s in strings], kind="stable")
    return [order[first : first + size] for first in range(0, len(order), size)]


def _largest_possible(metric: Metric, sources: Sequence[str], targets: Sequence[str]) -> float:
    """Return a bound of the similarities of strings that are sorted by length."""
    bound = _BOUNDS.get(metric.name)
    if bound is None or (
        len(sources[0]) <= len(targets[-1]) and len(targets[0]) <= len(sources[-1])
    ):
        return metric.maximum
    shorter, longer = sorted([sources, targets], key=lambda strings: len(strings[0]))
    return bound(len(shorter[-1]), len(longer[0]))


def _ratio(n: int, m: int) -> float:
    """Bound what counts at most n of m characters, or at least m - n edits."""
    return n / m


def _gapped(n: int, m: int) -> float:
    return n / (n + 2 * (m - n))


def _shared(n: int, m: int) -> float:
    return 2 * n / (n + m)


def _trigrams(n: int, m: int) -> float:
    return 2 * (n - 2) / (n + m - 4) if n > 2 else 0.0


def _jaro(n: int, m: int) -> float:
    return (2 + n / m) / 3


def _winkler(n: int, m: int) -> float:
    return _jaro(n, m) + 0.4 * (1 - _jaro(n, m))


#: The largest similarity of strings of length n < m, where the lengths say anything.
_BOUNDS: dict[str, Callable[[int, int], float]] = {
    **dict.fromkeys(["equality", "ontosim-equality"], lambda n, m: 0.0),
    **dict.fromkeys(["levenshtein", "ontosim-levenshtein", "hamming", "ontosim-hamming"], _ratio),
    **dict.fromkeys(["kondrak-bi-sim", "kondrak-tri-sim"], _ratio),
    **dict.fromkeys(["kondrak-bi-dist", "kondrak-tri-dist"], _ratio),
    **dict.fromkeys(["needleman-wunsch", "ontosim-needleman-wunsch"], _gapped),
    **dict.fromkeys(["substring", "ontosim-substring"], _shared),
    "ngram": _trigrams,
    "jaro": _jaro,
    "jaro-winkler": _winkler,
}
