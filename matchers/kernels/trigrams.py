"""N-gram: an inverted index leads from each trigram to the targets that contain it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compiled import kernel
from .encoding import Pairs, Texts, dense
from .family import Family, Job, Outputs, Work


class Table(NamedTuple):
    """How often columns occur in rows, zeros left out.

    Row k has the columns ``columns[starts[k] : starts[k + 1]]``, as often as `counts` says.
    """

    starts: NDArray[np.int64]
    columns: NDArray[np.uint32]
    counts: NDArray[np.int32]

    def rows(self, first: int, last: int) -> Table:
        """Return the rows first, ..., last - 1."""
        return Table(self.starts[first : last + 1], self.columns, self.counts)


def trigram_tables(pairs: Pairs) -> tuple[Table, Table]:
    """Return each source's trigrams, and each trigram's targets in the caller's order."""
    in_sources, in_targets = _trigrams(pairs.sources), _trigrams(pairs.targets)
    first, second, third = np.concatenate([in_sources, in_targets], axis=1)
    bigrams = dense(first * pairs.alphabet + second)[0]
    grams, size = dense(bigrams * pairs.alphabet + third)
    split = in_sources.shape[1]
    sources = _count(grams[:split], _trigram_starts(pairs.sources), size)
    targets = _count(grams[split:], _trigram_starts(pairs.targets), size)
    return sources, _transpose(targets, size, np.argsort(pairs.rank))


def _trigrams(texts: Texts) -> NDArray[np.int64]:
    """Return the three characters of every trigram, text by text, shape (3, trigrams)."""
    codes = texts.codes.astype(np.int64)
    begins = np.ones(len(codes), np.bool_)
    for back in (1, 2):
        ends = texts.starts[1:] - back
        begins[ends[texts.lengths >= back]] = False
    begin = np.flatnonzero(begins)
    trigrams: NDArray[np.int64] = codes[begin + np.arange(3)[:, None]]
    return trigrams


def _trigram_starts(texts: Texts) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(np.maximum(texts.lengths.astype(np.int64) - 2, 0))])


@kernel
def _count(grams: Any, starts: Any, size: int) -> Table:
    """Return how often each text has each gram."""
    table_starts = np.zeros(len(starts), np.int64)
    columns, counts = np.empty(len(grams), np.uint32), np.empty(len(grams), np.int32)
    place = np.full(size, -1)  # of a gram among the entries of the text
    end = 0
    for k in range(len(starts) - 1):
        begin = end
        for gram in grams[starts[k] : starts[k + 1]]:
            if place[gram] < begin:
                place[gram] = end
                columns[end], counts[end] = gram, 0
                end += 1
            counts[place[gram]] += 1
        table_starts[k + 1] = end
    return Table(table_starts, columns[:end], counts[:end])


@kernel
def _transpose(table: Any, size: int, names: Any) -> Table:
    """Return a table of `size` columns with rows and columns exchanged, and the rows renamed."""
    starts = np.zeros(size + 2, np.int64)
    for column in table.columns:
        starts[column + 2] += 1
    for column in range(size + 1):
        starts[column + 1] += starts[column]
    # While the entries are placed, starts[k + 1] is the place of the next one of row k.
    columns, counts = np.empty_like(table.columns), np.empty_like(table.counts)
    for row in range(len(table.starts) - 1):
        for entry in range(table.starts[row], table.starts[row + 1]):
            place = starts[table.columns[entry] + 1]
            starts[table.columns[entry] + 1] += 1
            columns[place], counts[place] = names[row], table.counts[entry]
    return Table(starts[:-1], columns, counts)


@kernel
def _fill(
    in_sources: Any, targets_with: Any, n_totals: Any, m_totals: Any, ontosim: bool, out: Any
) -> None:
    """Write 2F over the sum of the strings' totals: their numbers of trigrams, before clipping."""
    common = np.zeros(len(m_totals), np.int64)
    for row in range(len(n_totals)):
        for a in range(in_sources.starts[row], in_sources.starts[row + 1]):
            gram, count = in_sources.columns[a], np.int64(in_sources.counts[a])
            for b in range(targets_with.starts[gram], targets_with.starts[gram + np.uint32(1)]):
                times = np.int64(targets_with.counts[b])
                common[targets_with.columns[b]] += count * times if ontosim else min(count, times)
        for j in range(len(m_totals)):
            total = float(n_totals[row] + m_totals[j])
            value = (2 * common[j]) / total if common[j] > 0 else 0.0
            out[row, j] = 1.0 - (1.0 - value) if ontosim else value
        common[:] = 0


def _prepare(job: Job) -> Work:
    in_sources, targets_with = trigram_tables(job.pairs)
    n_totals = job.pairs.sources.lengths - 2
    m_totals = job.pairs.targets.lengths[job.pairs.rank] - 2

    def work(first: int, last: int, outs: Outputs) -> None:
        sources = in_sources.rows(first, last)
        for name, out in outs.items():
            ontosim = name == "ontosim-ngram"
            _fill(sources, targets_with, n_totals[first:last], m_totals, ontosim, out)

    return work


def _prepare_standard(job: Job) -> Work:
    """Add to the trigrams the equal strings that are too short to have any."""
    trigrams = _prepare(job)
    short: dict[str, list[int]] = {}
    for j, target in enumerate(job.targets):
        if len(target) < 3:
            short.setdefault(target, []).append(j)

    def work(first: int, last: int, outs: Outputs) -> None:
        trigrams(first, last, outs)
        (out,) = outs.values()
        for row, source in enumerate(job.sources[first:last]):
            if (equal := short.get(source)) is not None:
                out[row, equal] = 1.0

    return work


FAMILIES = (
    Family(("ngram",), _prepare_standard),
    Family(("ontosim-ngram",), _prepare),
)
