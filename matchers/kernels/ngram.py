"""N-gram: an inverted index leads from each trigram to the targets that contain it.

The first, second, ... occurrence of a trigram in a string are different *elements*. Then two
strings have as many trigrams in common as elements. OntoSim pairs each occurrence in one string
with each occurrence in the other: its elements are the trigrams.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from alignrank.common.compiled import kernel
from alignrank.matchers.metrics.edit import positions

from .strings import Family, Indices, Job, Outputs, Pairs, Texts, Work, dense, split, text

_Integers = NDArray[np.integer[Any]]


class Index(NamedTuple):
    """Places of elements.

    Source k has the elements ``elements[starts[k] : starts[k + 1]]``, and element e is in the
    targets ``targets[begins[e] : begins[e + 1]]``, columns in the caller's order.
    """

    starts: _Integers
    elements: _Integers
    begins: _Integers
    targets: _Integers


def trigram_texts(sources: Texts, targets: Texts, alphabet: int) -> tuple[Texts, Texts]:
    """Return the texts as sequences of trigrams.

    Examples
    --------
    >>> from alignrank.matchers.kernels.strings import encode
    >>> pairs = encode(["ababa"], ["abab"])
    >>> [texts.codes.tolist() for texts in trigram_texts(pairs.sources, pairs.targets, 2)]
    [[0, 1, 0], [0, 1]]
    """
    trigrams, _, starts = _trigrams((sources, targets), alphabet)
    return split(trigrams.astype(np.uint32), starts, len(sources.lengths))


def _trigrams(sides: tuple[Texts, Texts], alphabet: int) -> tuple[Indices, int, Indices]:
    """Return all trigrams as numbers, how many differ, and each text's first position."""
    codes = np.concatenate([side.codes for side in sides]).astype(np.int64)
    lengths = np.concatenate([side.lengths for side in sides]).astype(np.int64)
    begins = np.ones(len(codes), np.bool_)
    text_ends = np.cumsum(lengths)
    for back in (1, 2):
        begins[(text_ends - back)[lengths >= back]] = False
    bigrams = dense(codes[:-1] * alphabet + codes[1:])[0]
    trigrams = bigrams[:-1] * alphabet + codes[2:]
    starts = np.append(0, np.cumsum(np.maximum(lengths - 2, 0)))
    return *dense(trigrams[begins[:-2]]), starts


def index_trigrams(pairs: Pairs, ontosim: bool) -> Index:
    """Return the elements of the sources, and the targets of each element."""
    elements, size, starts = _trigrams((pairs.sources, pairs.targets), pairs.alphabet)
    if not ontosim:
        last = np.full(size, -1)
        earlier = np.empty_like(elements)
        _count_earlier(starts, elements, last, np.empty(size, np.int64), earlier)
        elements, size = dense(earlier * size + elements)
    n = len(pairs.sources.lengths)
    m = len(pairs.targets.lengths)
    split = starts[n]
    shape = m, max(size, 1)
    occurrences = np.ones(len(elements) - split, np.bool_)
    of_targets = csr_array((occurrences, elements[split:], starts[n:] - split), shape)
    with_element = of_targets.tocsc()
    columns = np.argsort(pairs.rank)[with_element.indices]
    unsigned = (np.asarray(x, np.uint32) for x in (elements[:split], with_element.indptr, columns))
    return Index(starts[: n + 1], *unsigned)  # unsigned indices need no test for negative values


def _totals(texts: Texts) -> NDArray[np.float64]:
    """Return numbers of trigrams; 1 for none, because they are divisors."""
    return np.maximum(texts.lengths - 2, 1).astype(np.float64)


@kernel
def _count_earlier(starts: Any, grams: Any, last: Any, number: Any, earlier: Any) -> None:
    """Write the number of earlier occurrences of each gram; `last` and `number` are scratch."""
    for k in range(len(starts) - 1):
        for p in range(starts[k], starts[k + 1]):
            gram = grams[p]
            number[gram] = number[gram] + 1 if last[gram] == k else 0
            last[gram] = k
            earlier[p] = number[gram]


@kernel
def _fill(index: Any, first: int, n_totals: Any, m_totals: Any, ontosim: bool, out: Any) -> None:
    """Write 2F over the sum of the strings' totals."""
    common = np.zeros(len(m_totals), np.int32)
    for row in range(len(out)):
        for a in range(index.starts[first + row], index.starts[first + row + 1]):
            element = index.elements[a]
            for b in range(index.begins[element], index.begins[element + 1]):
                common[index.targets[b]] += 1
        for j in range(out.shape[1]):
            value = 2.0 * common[j] / (n_totals[first + row] + m_totals[j])
            out[row, j] = 1.0 - (1.0 - value) if ontosim else value
            common[j] = 0


@kernel
def pair_common_elements(sources: Any, targets: Any, rows: Any, columns: Any) -> Any:
    """Return the number of codes in common, with repetitions; the texts' codes are sorted."""
    common = np.zeros(len(rows), np.int64)
    for k in range(len(rows)):
        s = text(sources, rows[k])
        t = text(targets, columns[k])
        i = j = 0
        while i < len(s) and j < len(t):
            common[k] += s[i] == t[j]
            first = s[i]
            second = t[j]
            i += first <= second
            j += second <= first
    return common


def _prepare(job: Job, ontosim: bool) -> Work:
    index = index_trigrams(job.pairs, ontosim)
    n_totals = _totals(job.pairs.sources)
    m_totals = _totals(job.pairs.targets)[job.pairs.rank]

    def work(first: int, last: int, outs: Outputs) -> None:
        for out in outs.values():
            _fill(index, first, n_totals, m_totals, ontosim, out)

    return work


def _prepare_standard(job: Job) -> Work:
    """Prepare trigrams, and add the equal strings that are too short to have any."""
    trigrams = _prepare(job, ontosim=False)
    short = [row for row, source in enumerate(job.sources) if len(source) < 3]
    columns = positions(job.targets) if short else {}

    def work(first: int, last: int, outs: Outputs) -> None:
        trigrams(first, last, outs)
        (out,) = outs.values()
        for row in short:
            if first <= row < last and (equal := columns.get(job.sources[row])):
                out[row - first, equal] = 1.0

    return work


FAMILIES = (
    Family(("ngram",), _prepare_standard),
    Family(("ontosim-ngram",), partial(_prepare, ontosim=True)),
)
