"""N-gram: an inverted index leads from each trigram to the targets that contain it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compiled import kernel
from .encoding import Pairs, Texts
from .family import Family, Job, Outputs, Work


class Counts(NamedTuple):
    """How often each key (a trigram, a text) goes with each value: a sparse matrix in CSR form."""

    starts: NDArray[np.int64]
    values: NDArray[np.int64]
    counts: NDArray[np.int64]


def trigram_counts(pairs: Pairs) -> tuple[Counts, Counts]:
    """Return the trigrams of each source, and for each trigram the targets that contain it."""
    in_sources, in_targets = _trigrams(pairs.sources), _trigrams(pairs.targets)
    # Number the trigrams as pairs of (number of the first two characters, third character).
    first, second, third = (
        np.concatenate([a, b]) for a, b in zip(in_sources[1:], in_targets[1:], strict=True)
    )
    bigram = np.unique(first * pairs.alphabet + second, return_inverse=True)[1]
    distinct, number = np.unique(bigram * pairs.alphabet + third, return_inverse=True)
    split = len(in_sources[0])
    return (
        _count(in_sources[0], number[:split], len(pairs.sources), len(distinct)),
        _count(number[split:], in_targets[0], len(distinct), len(pairs.targets)),
    )


def _trigrams(texts: Texts) -> tuple[NDArray[np.int64], ...]:
    """Return each trigram's text and its three characters."""
    text = np.repeat(np.arange(len(texts)), texts.lengths)
    begin = np.flatnonzero(np.arange(len(text)) + 2 < texts.starts[text + 1])
    codes = texts.codes.astype(np.int64)
    return text[begin], codes[begin], codes[begin + 1], codes[begin + 2]


def _count(
    keys: NDArray[np.int64], values: NDArray[np.int64], keys_end: int, values_end: int
) -> Counts:
    cells, counts = np.unique(keys * values_end + values, return_counts=True)
    starts = np.searchsorted(cells, np.arange(keys_end + 1) * values_end)
    return Counts(starts, cells % max(values_end, 1), counts)


def _prepare(job: Job, outs: Outputs) -> Work:
    pairs = job.pairs
    in_source, targets_with = trigram_counts(pairs)
    column = np.argsort(pairs.rank)

    def work(first: int, last: int) -> None:
        for name, out in outs.items():
            _fill(
                Counts(in_source.starts[first : last + 1], *in_source[1:]),
                targets_with,
                pairs.sources.lengths[first:last],
                pairs.targets.lengths,
                column,
                name == "ontosim-ngram",
                out[first:last],
            )

    return work


@kernel
def _fill(
    in_source: Any,
    targets_with: Any,
    n_lengths: Any,
    m_lengths: Any,
    column: Any,
    ontosim: bool,
    out: Any,
) -> None:
    common = np.zeros(len(m_lengths), np.int64)
    met = np.empty(len(m_lengths), np.int64)  # targets with a common trigram
    for row in range(len(n_lengths)):
        number = 0
        for a in range(in_source.starts[row], in_source.starts[row + 1]):
            gram, count = in_source.values[a], in_source.counts[a]
            for b in range(targets_with.starts[gram], targets_with.starts[gram + 1]):
                k, times = targets_with.values[b], targets_with.counts[b]
                if common[k] == 0:
                    met[number] = k
                    number += 1
                common[k] += count * times if ontosim else min(count, times)
        for k in met[:number]:
            value = (2 * common[k]) / (n_lengths[row] - 2 + m_lengths[k] - 2)
            out[row, column[k]] = 1.0 - (1.0 - value) if ontosim else value
            common[k] = 0


def _prepare_standard(job: Job, outs: Outputs) -> Work:
    """Add to the trigrams the equal strings that are too short to have any."""
    trigrams = _prepare(job, outs)
    (out,) = outs.values()
    short: dict[str, list[int]] = {}
    for j, target in enumerate(job.targets):
        if len(target) < 3:
            short.setdefault(target, []).append(j)

    def work(first: int, last: int) -> None:
        trigrams(first, last)
        for i in range(first, last):
            if (equal := short.get(job.sources[i])) is not None:
                out[i, equal] = 1.0

    return work


FAMILIES = (
    Family(("ngram",), _prepare_standard, sparse=True),
    Family(("ontosim-ngram",), _prepare, sparse=True),
)
