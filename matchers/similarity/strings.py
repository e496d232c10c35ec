"""From names to a matrix of similarities, whole or in tiles; the names, checked and packed."""

from __future__ import annotations

import math
import reprlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import accumulate, islice, pairwise
from numbers import Real

from alignrank.common.errors import MatcherError
from alignrank.common.names import line_of

#: The names of each entity.
EntityNames = Sequence[Sequence[str]]

#: Strings that are packed, and read, together: a call for each would take longer than a search.
_TOGETHER = 2**12


class Strings(Sequence[str]):
    """Strings end to end in UTF-8: 8 bytes each beside their text, where a list takes 57 or more.

    Parameters
    ----------
    strings
        Each is looked at once.

    Examples
    --------
    >>> names = Strings(["Herz", "cœur", ""])
    >>> len(names), names[1], list(names)
    (3, 'cœur', ['Herz', 'cœur', ''])
    """

    def __init__(self, strings: Iterable[str] = ()) -> None:
        self._text = bytearray()
        self._ends = array("q", [0])
        self.extend(strings)

    def extend(self, strings: Iterable[str]) -> None:
        """Add strings at the end."""
        coming = iter(strings)
        while batch := list(islice(coming, _TOGETHER)):
            text = "".join(batch)
            sizes = map(len, batch if text.isascii() else map(_bytes, batch))
            self._ends.extend(islice(accumulate(sizes, initial=len(self._text)), 1, None))
            self._text += _bytes(text)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, k: int) -> str:  # type: ignore[override]  # no slices
        k = range(len(self))[k]
        return self._text[self._ends[k] : self._ends[k + 1]].decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), _TOGETHER):
            bounds = self._ends[first : first + _TOGETHER + 1]
            if self._text[bounds[0] : bounds[-1]].isascii():
                text = self._text[bounds[0] : bounds[-1]].decode("ascii")
                yield from [text[a - bounds[0] : b - bounds[0]] for a, b in pairwise(bounds)]
            else:
                yield from map(self.__getitem__, range(first, first + len(bounds) - 1))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def strings_of(values: object, argument: str) -> Sequence[str]:
    """Return a collection's strings by their positions; a missing one is empty.

    Parameters
    ----------
    values
        A list, an array, a column of a table (pandas, polars, pyarrow), a generator ... of strings;
        None, NaN and NA are missing.
    argument
        What a message calls them.

    Raises
    ------
    MatcherError
        If they are a single string, a table or without an order, or one of them is no string.

    Examples
    --------
    >>> strings_of(("heart", None), "left")
    ['heart', '']
    >>> strings_of("heart", "left")
    Traceback (most recent call last):
    alignrank.common.errors.MatcherError: left is 'heart': give a list of strings, as ['heart']
    >>> strings_of(["heart", 7], "left")
    Traceback (most recent call last):
    alignrank.common.errors.MatcherError: left, position 1: 7 is no string: turn it into one first
    """
    if not isinstance(values, list | tuple):  # nearly all are
        if isinstance(values, Strings):
            return values
        if hasattr(values, "collect"):  # asking for its columns would collect it
            lazy = type(values).__name__
            raise MatcherError(f"{argument} is a {lazy}: collect() it, and give one of its columns")
        if hasattr(values, "columns") or getattr(values, "ndim", 1) > 1:
            raise MatcherError(f"{argument} is a table: give one of its columns")
    listed = _listed(values, argument, "a list of strings, as ['heart']")
    strings = [value for value in listed if isinstance(value, str)]
    if len(strings) == len(listed):
        return strings
    return [_text(value, argument, position) for position, value in enumerate(listed)]


def names_of(entities: object, argument: str) -> list[list[str]]:
    """Return the distinct names of each entity; a missing one, or one of white space, is none.

    Parameters and exceptions are those of `strings_of`, of each entity's names.

    Examples
    --------
    >>> names_of([["heart", " ", "cor", "heart"], []], "sources")
    [['heart', 'cor'], []]
    >>> names_of("heart", "sources")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    alignrank.common.errors.MatcherError: sources is 'heart': give a list for each entity, ...
    """
    names = []
    expected = "a list for each entity, as [['heart']]"
    for k, names_given in enumerate(_listed(entities, argument, expected)):
        strings = strings_of(names_given, f"{argument}, position {k}")
        names.append([name for name in dict.fromkeys(strings) if name.strip()])
    return names


def _listed(values: object, argument: str, expected: str) -> list[object]:
    """Return the members of a collection, in its order."""
    if isinstance(values, list | tuple):  # nearly all are: what follows takes four times as long
        return list(values)
    if isinstance(values, Mapping | Set):
        raise MatcherError(f"{argument} is a {type(values).__name__}: give {expected}")
    if hasattr(values, "to_pylist"):  # of pyarrow, whose own values are no strings
        values = values.to_pylist()
    is_single = isinstance(values, str | bytes) or getattr(values, "ndim", 1) == 0
    if is_single or not isinstance(values, Iterable):
        raise MatcherError(f"{argument} is {_shown(values)}: give {expected}")
    return list(values)


def _text(value: object, argument: str, position: int) -> str:
    if isinstance(value, str):
        return value
    # pandas's NA has no truth: it cannot be compared with itself
    is_missing = value is None or type(value).__name__ in ("NAType", "NaTType")
    if is_missing or (isinstance(value, Real) and math.isnan(value)):
        return ""
    raise MatcherError(
        f"{argument}, position {position}: {_shown(value)} is no string: turn it into one first"
    )


def _shown(value: object) -> str:
    return line_of(reprlib.repr(value))
