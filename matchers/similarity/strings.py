"""Many strings in little memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice, pairwise

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

    def __init__(self, strings: Iterable[str]) -> None:
        self._text, self._ends = bytearray(), array("q", [0])
        coming = iter(strings)
        while some := list(islice(coming, _TOGETHER)):
            text = "".join(some)
            sizes = map(len, some if text.isascii() else map(_bytes, some))
            self._ends.extend(islice(accumulate(sizes, initial=len(self._text)), 1, None))
            self._text += _bytes(text)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, k: int) -> str:  # type: ignore[override]  # no slices
        k = range(len(self))[k]
        return self._text[self._ends[k] : self._ends[k + 1]].decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), _TOGETHER):
            ends = self._ends[first : first + _TOGETHER + 1]
            if self._text[ends[0] : ends[-1]].isascii():
                text = self._text[ends[0] : ends[-1]].decode("ascii")
                yield from [text[a - ends[0] : b - ends[0]] for a, b in pairwise(ends)]
            else:
                yield from map(self.__getitem__, range(first, first + len(ends) - 1))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
