"""Things of one kind by their names, and one way to refuse a name that is none of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from .wording import hint

T = TypeVar("T")


def refuse_unknown(
    kind: str, name: str, known: Iterable[str], error: type[ValueError], *, listed_by: str = ""
) -> None:
    """Raise an error that says which names there are, unless `name` is one of them.

    Parameters
    ----------
    kind
        What is named: ``metric``, ``--format``.
    name
        What was given.
    known
        What can be given.
    error
        Class of the error.
    listed_by
        Command that lists the names, where they are many.

    Raises
    ------
    error
        If `name` is not known.

    Examples
    --------
    >>> refuse_unknown("--format", "jsn", ["table", "json"], ValueError)
    Traceback (most recent call last):
    ValueError: --format 'jsn' is unknown: did you mean json?
    """
    names = list(known)
    if name not in names:
        raise error(f"{kind} {name!r} is unknown: {hint(str(name), names, listed_by=listed_by)}")


class Registry(Mapping[str, T]):
    """Facts by name, in the order in which they are listed.

    The command line takes its choices from it and the docs their tables, so that help, completion
    and refusal have one source.

    Parameters
    ----------
    kind
        What the names stand for, as a message says it: ``measure``.
    entries
        Facts by name.
    error
        Class of the error for a name that is unknown.
    listed_by
        Command that lists the names, where they are many.

    Examples
    --------
    >>> tests = Registry("test", {"exact": 1, "mid-p": 2}, ValueError)
    >>> list(tests), tests.lookup("exact")
    (['exact', 'mid-p'], 1)
    >>> tests.lookup("midp")
    Traceback (most recent call last):
    ValueError: test 'midp' is unknown: did you mean mid-p?
    """

    def __init__(
        self,
        kind: str,
        entries: Mapping[str, T],
        error: type[ValueError],
        *,
        listed_by: str = "",
    ) -> None:
        self.kind = kind
        self._entries = dict(entries)
        self._error = error
        self._listed_by = listed_by

    def __getitem__(self, name: str) -> T:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def lookup(self, name: str) -> T:
        """Return the facts of a name.

        Raises
        ------
        ValueError
            Of the registry's own class, if the name is unknown: it names the nearest ones.
        """
        refuse_unknown(self.kind, name, self, self._error, listed_by=self._listed_by)
        return self._entries[name]
