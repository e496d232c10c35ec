"""From counts to similarities: the last step of most kernels, with its only division.

A kernel counts whole numbers (edits, shared characters) for the targets in order of their length.
Here they become similarities, in the caller's order of the targets. Denominators and offsets are
linear in the shorter length and the difference of the lengths, a `Linear` of the two.

`divide` is a division by a number whose inverse is known: the same bits, three times as fast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from matchers.kernels.bits.vectors import MOST, PLANES, types, vectors
from matchers.machine.compiled import instruction, kernel

from .encoding import Family, Job, Outputs, Pairs, Texts, Work, every_pair, no_counts_yet


def counted(
    ratios: Mapping[str, Ratio],
    sliced: Callable[..., None],
    of_pairs: Callable[..., NDArray[Any]],
    *options: int,
    largest: int = 1,
) -> Family:
    """Return a family of metrics that are ratios of one count.

    Parameters
    ----------
    ratios
        By metric: from the count to the similarity.
    sliced
        Counts for 512 targets at once: takes (sources, slices, vectors, digits, counts). It may
        write `largest` vectors for each character of the longest target, and has the vectors
        `digits` for a sum (`sum_bits`); `counts` are for each source and block.
    of_pairs
        The same where slices would be too large, or counts exceed 16 bits, for pairs of strings
        from (sources, targets, rows, columns, *options).
    options
        Given to the latter.
    largest
        What one character of a target adds to a count at most.
    """

    def prepare(job: Job) -> Work:
        pairs, slices = job.pairs, job.slices
        fits = largest * int(pairs.targets.lengths.max(initial=0)) <= MOST

        def work(first: int, last: int, outs: Outputs) -> None:
            rows, targets = pairs.sources.rows(first, last), pairs.targets
            if slices is not None and fits:
                counts: NDArray[Any] = no_counts_yet(len(rows.lengths), slices)
                line = vectors(largest * slices.width[-1] + 3)
                sliced(rows, slices, line, vectors(PLANES), counts.ravel())
            else:
                every = of_pairs(rows, targets, *every_pair(rows, targets), *options)
                counts = every.reshape(len(rows.lengths), -1)
            for name, out in outs.items():
                ratios[name].fill(counts, rows, pairs, out)

        return work

    return Family(tuple(ratios), prepare)


class Linear(NamedTuple):
    """A linear form of the lengths n, m of two strings: shorter * min(n, m) + rest * |n - m|."""

    shorter: int
    rest: int


class Ratio(NamedTuple):
    """The similarity numerator / denominator, as a function of a count and the lengths.

    The numerator is ``scale * count``; with an `offset` the similarity is a complement,
    ``1 - (offset - count) / denominator``.

    Attributes
    ----------
    denominator
        0 for two empty strings only.
    empty
        Similarity of two empty strings.
    twice
        Whether to give 1 - (1 - x) in place of x: OntoSim's bits of a similarity.
    """

    denominator: Linear
    offset: Linear | None = None
    scale: int = 1
    empty: float = 1.0
    twice: bool = False

    def of(self, counts: NDArray[Any], n: NDArray[Any], m: NDArray[Any]) -> NDArray[np.float64]:
        """Return the similarities of pairs of strings of lengths n and m, by their counts."""
        shorter, rest = np.minimum(n, m), abs(n - m)
        below, zero = (
            form[0] * shorter + form[1] * rest for form in (self.denominator, self.offset or (0, 0))
        )
        start = 0.0 if self.offset is None else 1.0
        values = start + (self.scale * counts - zero) / np.maximum(below, 1)
        values = 1.0 - (1.0 - values) if self.twice else values
        return np.where(below == 0, self.empty, values)

    def fill(self, counts: NDArray[Any], rows: Texts, pairs: Pairs, out: NDArray[Any]) -> None:
        """Write the similarities of some sources to the rows of `out`.

        Parameters
        ----------
        counts
            One row per source, one column per target in order of length (more are ignored).
        rows
            The sources.
        pairs
            The strings of the whole matrix.
        out
            One row per source.
        """
        _fill(
            counts,
            rows.lengths,
            pairs.targets.lengths,
            pairs.rank,
            tuple(map(float, self.denominator)),
            tuple(map(float, self.offset or (0, 0))),
            0.0 if self.offset is None else 1.0,
            float(self.scale),
            self.empty,
            self.twice,
            np.empty(len(pairs.rank)),
            out,
        )


@kernel
def _fill(
    counts: Any,
    n_lengths: Any,
    m_lengths: Any,
    rank: Any,
    denominator: Any,
    offset: Any,
    start: float,
    scale: float,
    empty: float,
    twice: bool,
    values: Any,
    out: Any,
) -> None:
    """Write start + (scale * count - offset) / denominator; `values` is scratch for a row."""
    columns = len(m_lengths)
    for row in range(len(counts)):
        n = float(n_lengths[row])
        for k in range(columns):  # in whole numbers, but of the type that the division needs
            m = float(m_lengths[k])
            shorter, rest = n if n < m else m, abs(n - m)
            below = denominator[0] * shorter + denominator[1] * rest
            zero = offset[0] * shorter + offset[1] * rest
            values[k] = start + (scale * float(np.int32(counts[row, k])) - zero) / below
        if twice:
            for k in range(columns):
                values[k] = 1.0 - (1.0 - values[k])
        if n == 0:
            for k in range(columns):
                if m_lengths[k] == 0:
                    values[k] = empty
        for j in range(columns):
            out[row, j] = values[rank[j]]


_FLOAT = types.float64


@instruction
def divide(typing: Any, a: Any, b: Any, inverse: Any) -> Any:
    """Return a / b, rounded as a division is.

    Parameters
    ----------
    a
        A whole number below 2 ** 31 (for b = 3 any number of normal size).
    b
        A whole number from 1 to 2 ** 31.
    inverse
        ``1.0 / b``.

    Notes
    -----
    q = a * inverse is off by less than two units u of the last place. Its remainder a - b q is a
    whole multiple of u and below 2 b u, so that the processor's fused operation gives it exactly;
    and so q + remainder * inverse, before it is rounded, is off by less than 2 ** -51 u. It is
    rounded as a / b is, for no number where roundings change lies between the two: those are odd
    multiples of u / 2, and a / b, which cannot be one, is at least u / 2b away from it
    (after Markstein 1990). Where there is no fused operation, it divides.
    """

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        dividend, divisor, inverted = args
        if "+fma" not in context.codegen().magic_tuple()[2].split(","):
            return builder.fdiv(dividend, divisor)
        quotient = builder.fmul(dividend, inverted)
        remainder = builder.fma(builder.fneg(quotient), divisor, dividend)
        return builder.fma(remainder, inverted, quotient)

    return _FLOAT(_FLOAT, _FLOAT, _FLOAT), code
