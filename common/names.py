"""Names: registries of facts by name, refusals of unknown names, names and texts as shown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TypeVar

K = TypeVar("K")
T = TypeVar("T")
#: Two texts that belong together, as the IRIs of a source and of a target entity.
Pair = tuple[str, str]
#: Texts by their names; those that a function makes.
Texts = Mapping[str, str]
MutableTexts = dict[str, str]
#: Characters that a terminal obeys: control characters but tab and line end, and those that turn
#: the direction of writing.
_OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def refuse_unknown(
    kind: str, name: str, known: Iterable[str], error: type[ValueError], *, listed_by: str = ""
) -> None:
    """Raise an error unless a name is known; the message names the nearest ones, or all.

    Parameters
    ----------
    kind
        What is named: ``metric``, ``--format``.
    name
        The name to check.
    known
        All names that are allowed.
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
    >>> refuse_unknown("format", "jsn", ["table", "json"], ValueError)
    Traceback (most recent call last):
    ValueError: format 'jsn' is unknown: did you mean json?
    """
    names = list(known)
    if name not in names:
        raise error(f"{kind} {name!r} is unknown: {hint(str(name), names, listed_by=listed_by)}")


class Registry(dict[str, T]):
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
        self, kind: str, entries: Mapping[str, T], error: type[ValueError], *, listed_by: str = ""
    ) -> None:
        super().__init__(entries)
        self.kind = kind
        self._error = error
        self._listed_by = listed_by

    def __contains__(self, name: object) -> bool:
        # the name may come from a JSON or TOML file, and be a list, which has no hash
        return isinstance(name, str) and super().__contains__(name)

    def lookup(self, name: str) -> T:
        """Return the facts of a name.

        Raises
        ------
        ValueError
            Of the registry's own class, if the name is unknown: it names the nearest ones.
        """
        refuse_unknown(self.kind, name, self, self._error, listed_by=self._listed_by)
        return self[name]


def grouped(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """Return the values of each key, in their order.

    Examples
    --------
    >>> grouped([("A", 1), ("B", 2), ("A", 3)])
    {'A': [1, 3], 'B': [2]}
    """
    groups: dict[K, list[T]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def count(number: int, noun: str) -> str:
    """Return a number with its noun, which stands in the plural unless the number is 1.

    Examples
    --------
    >>> count(1, "correspondence"), count(0, "correspondence"), count(9, "entity"), count(2, "key")
    ('1 correspondence', '0 correspondences', '9 entities', '2 keys')
    """
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{number} {noun[:-1]}ies"
    return f"{number} {noun}s"


def listed(names: Iterable[str], word: str = "or") -> str:
    """Return names in one phrase: with commas, and a word before the last.

    Examples
    --------
    >>> listed(["RDF", "SSSOM", "CSV"]), listed(["RDF"])
    ('RDF, SSSOM or CSV', 'RDF')
    """
    *earlier, last = names
    return f" {word} ".join(filter(None, [", ".join(earlier), last]))


def first_of(names: Iterable[str], limit: int, between: str = ", ") -> str:
    """Return the first names, and how many more there are.

    Examples
    --------
    >>> first_of(["a", "b", "c", "d"], 2), first_of(["a", "b"], 2)
    ('a, b and 2 more', 'a, b')
    >>> first_of(["a = b", "c = d", "e = f"], 2, "; ")
    'a = b; c = d; and 1 more'
    """
    names = list(names)
    start = between.join(names[:limit])
    if len(names) <= limit:
        return start
    return f"{start}{between.strip(', ')} and {len(names) - limit} more"


#: Of more names than the first only the second are written, and fewer of more characters.
_MANY = 12
_SOME = 6
_LONG = 160


def enumeration(names: Sequence[str], conjunction: str = "and") -> str:
    """Return names as English prose writes them; of many or long ones, some and how many others.

    Examples
    --------
    >>> enumeration(["a"]), enumeration(["a", "b"]), enumeration(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    >>> enumeration([f"s{k}" for k in range(30)])
    's0, s1, s2, s3, s4, s5 and 24 others'
    >>> enumeration([60 * "-" + name for name in "abcde"])[-14:]
    'b and 3 others'
    """
    number = len(names) if len(names) <= _MANY else _SOME
    while number > 2 and len(", ".join(names[:number])) > _LONG:
        number -= 1
    if number < len(names):
        names = [*names[:number], count(len(names) - number, "other")]
    if len(names) <= 1:
        return "".join(names)
    return f"{', '.join(names[:-1])} {conjunction} {names[-1]}"


#: Number of names that are listed in full where none is near.
_FEW = 8


def hint(name: str, known: Iterable[str], *, listed_by: str = "") -> str:
    """Return advice on an unknown name: the nearest known ones, or where all are listed.

    Parameters
    ----------
    name
        The unknown name.
    known
        All names that are allowed.
    listed_by
        Command that lists them, where they are many.

    Examples
    --------
    >>> hint("hlom", ["holm", "hommel", "rom"])
    'did you mean holm?'
    >>> hint("bonferroni", ["holm", "hommel", "rom"])
    'use one of holm, hommel, rom'
    >>> hint("relaxed", ["standard", "relaxed-bdm"], listed_by="alignrank list measures")
    'did you mean relaxed-bdm? (alignrank list measures lists all)'
    """
    names = list(known)
    if close := nearest(name, names):
        question = f"did you mean {listed(close)}?"
        if listed_by:
            question += f" ({listed_by} lists all)"
        return question
    if listed_by and len(names) > _FEW:
        return f"{listed_by} lists all"
    return f"use one of {', '.join(names)}"


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Return at most three known names that resemble a name or contain it, the likeliest first.

    Examples
    --------
    >>> nearest("libary", ["library", "vehicles"])
    ['library']
    """
    folded = {candidate.casefold(): candidate for candidate in known}
    near = get_close_matches(name.casefold(), folded, n=3, cutoff=0.7)
    near += [
        candidate for candidate in folded if name.casefold() in candidate and candidate not in near
    ]
    return [folded[candidate] for candidate in near[:3]]


#: Longer names are shortened in figures.
LONGEST_NAME = 32


def one_line(text: str) -> str:
    """Return text in one line: single blanks, and no unprintable characters.

    Examples
    --------
    >>> one_line("heart" + chr(0x202E) + " and " + chr(10) + "lung")
    'heart and lung'
    """
    line = " ".join(text.split())
    if line.isprintable():  # most, at a tenth of the time
        return line
    return "".join(filter(str.isprintable, line))


def plain_name(text: str) -> str:
    """Return a name in Unicode's NFC with single blanks, so that names that look equal are equal.

    Examples
    --------
    >>> plain_name(" Mu" + chr(0x308) + "nchen  2 ") == "M\u00fcnchen 2"
    True
    """
    return unicodedata.normalize("NFC", " ".join(text.split()))


def visible(text: str) -> str:
    """Return text with control characters as Python's escapes, so that a terminal obeys none.

    Line ends and tabs stay.

    Examples
    --------
    >>> len(visible(chr(27) + "[31m")), visible("heart")
    (8, 'heart')
    """
    return _OBEYED.sub(lambda sign: ascii(sign[0])[1:-1], text)


#: Longer messages are shortened: they quote machine-made text.
_LONGEST_LINE = 1_000


def line_of(text: str) -> str:
    """Return text in one line for a terminal; the middle of a long text is left out.

    Examples
    --------
    >>> line_of("a.csv, line 2:" + chr(10) + "what is wrong")
    'a.csv, line 2: what is wrong'
    >>> len(line_of("x" * 100_000))
    1000
    """
    lines = (line.strip() for line in text.splitlines())
    return _without_middle(visible(" ".join(filter(None, lines))), _LONGEST_LINE)


def short(name: str, longest: int = LONGEST_NAME) -> str:
    """Return a name as a figure shows it: one line, printable, its middle left out if it is long.

    Examples
    --------
    >>> short("  n-gram   (3) "), short("a" * 20 + "b" * 20, 9)
    ('n-gram (3)', 'aaaa…bbbb')
    """
    return _without_middle(one_line(name), longest)


def short_names(names: Iterable[str], longest: int = LONGEST_NAME) -> dict[str, str]:
    """Return each name shortened, with as many characters as tell all names apart.

    Examples
    --------
    >>> short_names(["gpt/direct/long", "gpt/staged/long", "AML"], 8)
    {'gpt/direct/long': 'gpt/d…long', 'gpt/staged/long': 'gpt/s…long', 'AML': 'AML'}
    """
    names = list(names)
    for width in range(longest, max(map(len, names), default=0)):
        shown = {name: short(name, width) for name in names}
        if len(set(shown.values())) == len(shown):
            return shown
    return {name: one_line(name) for name in names}


def percent(share: float) -> str:
    """Return a share, as a level or a risk, in per cent with six digits at most.

    Examples
    --------
    >>> percent(0.95), percent(0.9875), percent(1 - 0.0001), percent(1 - 0.05 / 3)
    ('95%', '98.75%', '99.99%', '98.3333%')
    """
    return f"{100 * share:.6g}%"


def _without_middle(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    # the ellipsis takes the place of one character
    return f"{text[: longest // 2]}…{text[-((longest - 1) // 2) :]}"
