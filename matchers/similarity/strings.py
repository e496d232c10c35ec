"""Many strings in little memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import overload


class Strings(Sequence[str]):
    """Strings end to end in UTF-8: 8 bytes each beside their text, where a list takes 57 or more.

    Parameters
    ----------
    strings
        Each is looked at once.

    Examples
    --------
    >>> names = Strings(["Herz", "cœur", ""])
    >>> len(names), names[1], names[-2:]
    (3, 'cœur', ['cœur', ''])
    """

    def __init__(self, strings: Iterable[str]) -> None:
        self._text, self._ends = bytearray(), array("q", [0])
        for string in strings:
            self._text += string.encode("utf-8", "surrogatepass")
            self._ends.append(len(self._text))

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, k: int) -> str: ...
    @overload
    def __getitem__(self, k: slice) -> list[str]: ...
    def __getitem__(self, k: int | slice) -> str | list[str]:
        place = range(len(self))[k]
        if isinstance(place, range):
            return [self[i] for i in place]
        text = self._text[self._ends[place] : self._ends[place + 1]]
        return text.decode("utf-8", "surrogatepass")
