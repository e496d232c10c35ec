"""Numbers of things in messages."""

from __future__ import annotations


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
