"""From names of metrics to filled matrices: which kernels run, and on which rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from matchers.errors import MatcherError
from matchers.machine.threads import run_rows

from . import edit, equality, hamming, jaro, smoa, substring, trigrams
from .family import Family, Job, Outputs, Work

FAMILIES: tuple[Family, ...] = (
    *equality.FAMILIES,
    *edit.FAMILIES,
    *hamming.FAMILIES,
    *jaro.FAMILIES,
    *smoa.FAMILIES,
    *substring.FAMILIES,
    *trigrams.FAMILIES,
)


def fill_all(
    names: Sequence[str],
    sources: Sequence[str],
    targets: Sequence[str],
    threads: int | None,
    dtype: DTypeLike,
    out: Mapping[str, NDArray[Any]],
) -> dict[str, NDArray[Any]]:
    """Do the work of `matchers.kernels.matrices`, whose parameters these are."""
    shape = len(sources), len(targets)
    for name, given in out.items():
        _check(name, given, shape)
    if np.dtype(dtype) not in (np.float64, np.float32):
        raise MatcherError(f"dtype is {np.dtype(dtype)}: a matrix is float64 or float32")
    job = Job(sources, targets)
    filled: dict[str, NDArray[Any]] = {}
    for family in FAMILIES:
        outs = {
            name: _array(out.get(name), shape, dtype, family.sparse)
            for name in family.names
            if name in names
        }
        filled |= outs
        if outs and 0 not in shape:
            work = family.prepare(job)

            def fill(first: int, last: int, work: Work = work, outs: Outputs = outs) -> None:
                work(first, last, {name: out[first:last] for name, out in outs.items()})

            run_rows(fill, shape, threads)
    return {name: filled[name] for name in names}


def row_filler(
    names: Sequence[str], sources: Sequence[str], targets: Sequence[str]
) -> Callable[[int, int, Sequence[NDArray[Any]]], None]:
    """Do the work of `matchers.kernels.rows`, whose parameters these are."""
    family = next(family for family in FAMILIES if set(names) <= set(family.names))
    work = family.prepare(Job(sources, targets))

    def fill(first: int, last: int, outs: Sequence[NDArray[Any]]) -> None:
        if family.sparse:
            for out in outs:
                out[...] = 0.0
        work(first, last, dict(zip(names, outs, strict=True)))

    return fill


def _array(
    given: NDArray[Any] | None, shape: tuple[int, int], dtype: DTypeLike, zeros: bool
) -> NDArray[Any]:
    """Return an array to fill: the given one, else a new one; with zeros where that is asked."""
    if given is None:
        return np.zeros(shape, dtype) if zeros else np.empty(shape, dtype)
    if zeros:
        given[...] = 0.0
    return given


def _check(name: str, given: NDArray[Any], shape: tuple[int, int]) -> None:
    if given.shape != shape or given.dtype not in (np.float64, np.float32):
        raise MatcherError(
            f"out for {name} has shape {given.shape} and type {given.dtype}: "
            f"it must have shape {shape} and type float64 or float32"
        )
