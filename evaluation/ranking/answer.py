"""The answer in words: who is better than whom, and who cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .layout import Edge

#: With more groups than this only the number of undecided pairs is said.
_GROUPS = 6


def enumeration(names: Sequence[str]) -> str:
    """Return names as English prose writes them.

    Examples
    --------
    >>> enumeration(["a"]), enumeration(["a", "b"]), enumeration(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    if len(names) <= 1:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def answer(systems: Sequence[str], edges: Iterable[Edge]) -> str:
    """Say in one or two sentences what the significant differences amount to.

    Parameters
    ----------
    systems
        All names.
    edges
        Pairs (better, worse).

    Returns
    -------
    str
        "Cannot be told apart" is said of systems without an arrow between any two of them, never
        "equal".

    Examples
    --------
    >>> answer(["a", "b", "c"], [("a", "b"), ("a", "c")])
    'a is better than the other two. b and c cannot be told apart.'
    >>> answer(["a", "b", "c", "d"], [("a", "c"), ("a", "d"), ("b", "d")])
    'a and b are beaten by none. Cannot be told apart: a and b; b and c; c and d.'
    >>> answer(["a", "b"], [])
    'No difference is significant: a and b cannot be told apart.'
    """
    arrows = set(edges)
    n = len(systems)
    if not arrows:
        return f"No difference is significant: {enumeration(systems)} cannot be told apart."
    beats = {s: sum((s, t) in arrows for t in systems) for s in systems}
    beaten = {s: sum((t, s) in arrows for t in systems) for s in systems}
    best = [s for s in systems if not beaten[s]]
    words = ["", "the other one", "the other two", "the other three", "the other four"]
    if not best:
        first = "Each is beaten by another."
    elif len(best) == 1 and beats[best[0]] == n - 1:
        others = words[n - 1] if n - 1 < len(words) else f"all {n - 1} others"
        first = f"{best[0]} is better than {others}."
    elif len(best) == 1:
        first = (
            f"{best[0]} is beaten by none and better than {beats[best[0]]} of the {n - 1} others."
        )
    else:
        first = f"{enumeration(best)} are beaten by none."
    groups = undecided_groups(systems, arrows)
    if not groups:
        return f"{first} Every difference is significant."
    if len(groups) == 1:
        return f"{first} {enumeration(groups[0])} cannot be told apart."
    if len(groups) > _GROUPS:
        open_pairs = n * (n - 1) // 2 - len({frozenset(arrow) for arrow in arrows})
        return f"{first} {open_pairs} of the {n * (n - 1) // 2} pairs cannot be told apart."
    listed = "; ".join(enumeration(group) for group in groups)
    return f"{first} Cannot be told apart: {listed}."


def undecided_groups(systems: Sequence[str], edges: Iterable[Edge]) -> list[tuple[str, ...]]:
    """Return the largest groups of systems without an arrow between any two, the best first.

    Examples
    --------
    >>> undecided_groups(["a", "b", "c"], [("c", "a")])
    [('b', 'c'), ('a', 'b')]
    """
    import networkx as nx

    arrows = set(edges)
    place = {s: k for k, s in enumerate(systems)}
    beaten = {s: sum((t, s) in arrows for t in systems) for s in systems}
    apart = nx.Graph(
        (s, t)
        for i, s in enumerate(systems)
        for t in systems[i + 1 :]
        if (s, t) not in arrows and (t, s) not in arrows
    )
    groups = [sorted(clique, key=place.__getitem__) for clique in nx.find_cliques(apart)]
    groups.sort(key=lambda group: (sum(beaten[s] for s in group) / len(group), group))
    return [tuple(group) for group in groups]
