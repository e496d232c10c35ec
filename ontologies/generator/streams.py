"""Random choices that depend on a seed and a purpose, and on nothing else.

No stream is shared: what one alterator draws never changes what another draws. Which entities an
alterator changes is a prefix of one order of them all, so that the entities changed at level 0.2
are among those changed at 0.4.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from hashlib import sha256
from random import Random
from typing import TypeVar

K = TypeVar("K", int, tuple[int, int])


def stream(seed: int, *purpose: object) -> Random:
    """Return a random stream of its own for `purpose`.

    Examples
    --------
    >>> stream(1, "a").random() == stream(1, "a").random() != stream(1, "b").random()
    True
    """
    return Random(_digest(seed, *purpose))


def select(keys: Iterable[K], level: float, seed: int, *purpose: object) -> list[K]:
    """Return ⌊level · n + 0.5⌋ of n keys: the first ones of an order that the level leaves alone.

    Examples
    --------
    >>> few, many = (select(range(10), p, 7, "remove") for p in (0.2, 0.5))
    >>> few == many[:2], len(many)
    (True, 5)
    """
    ordered = order(keys, seed, *purpose) if level > 0 else []
    return ordered[: math.floor(level * len(ordered) + 0.5)]


def order(keys: Iterable[K], seed: int, *purpose: object) -> list[K]:
    """Return the keys in an order by chance that depends on each key, not on which others exist."""
    return sorted(keys, key=lambda key: (_digest(seed, *purpose, key), key))


def _digest(*parts: object) -> int:
    return int.from_bytes(sha256(repr(parts).encode()).digest()[:8], "big")
