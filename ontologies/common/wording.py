"""Words and names in messages and figures."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


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


#: So many names are listed in full where none is near.
_FEW = 8


def hint(name: str, known: Iterable[str], *, listed_by: str = "") -> str:
    """Return what to do about a name that is not known.

    Parameters
    ----------
    name
        What was given.
    known
        What could be given.
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
        *most, last = close
        hint = f"did you mean {', '.join(most)} or {last}?" if most else f"did you mean {last}?"
        return f"{hint} ({listed_by} lists all)" if listed_by else hint
    if listed_by and len(names) > _FEW:
        return f"{listed_by} lists all"
    return f"use one of {', '.join(names)}"


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Return at most three known names that a name may have been meant to be, the likeliest first.

    Examples
    --------
    >>> nearest("libary", ["library", "vehicles"])
    ['library']
    """
    folded = {one.casefold(): one for one in known}
    near = get_close_matches(name.casefold(), folded, n=3, cutoff=0.7)
    near += [one for one in folded if name.casefold() in one and one not in near]
    return [folded[one] for one in near[:3]]


#: Longer names are shortened in figures.
LONGEST_NAME = 32


def one_line(text: str) -> str:
    """Return text without line breaks and without signs that cannot be seen.

    Examples
    --------
    >>> one_line("heart" + chr(0x202E) + " and " + chr(10) + "lung")
    'heart and lung'
    """
    return "".join(c for c in " ".join(text.split()) if c.isprintable())


def short(name: str, longest: int = LONGEST_NAME) -> str:
    """Return a name as a figure shows it: one line, printable, its middle left out if it is long.

    Examples
    --------
    >>> short("  n-gram   (3) "), short("a" * 20 + "b" * 20, 9)
    ('n-gram (3)', 'aaaa…bbbb')
    """
    whole = one_line(name)
    if len(whole) <= longest:
        return whole
    return f"{whole[: longest // 2]}…{whole[-((longest - 1) // 2) :]}"
