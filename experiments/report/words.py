"""The answer in words: who is better than whom, and who cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Edge = tuple[str, str]

#: What the views are called in headings.
VIEWS = {
    "ifp": "False positives ignored (ifp)",
    "cfp": "False positives considered (cfp)",
    "entity": "One decision per entity (entity)",
}


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
        "Cannot be told apart" is said of pairs without an arrow, never "equal".

    Examples
    --------
    >>> answer(["a", "b", "c"], [("a", "b"), ("a", "c")])
    'a is better than the other two. b and c cannot be told apart.'
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
    if len(best) == 1 and beats[best[0]] == n - 1:
        others = words[n - 1] if n - 1 < len(words) else f"all {n - 1} others"
        first = f"{best[0]} is better than {others}."
    elif len(best) == 1:
        first = (
            f"{best[0]} is beaten by none and better than {beats[best[0]]} of the {n - 1} others."
        )
    else:
        first = f"{enumeration(best)} are beaten by none."
    apart = [
        (s, t)
        for i, s in enumerate(systems)
        for t in systems[i + 1 :]
        if (s, t) not in arrows and (t, s) not in arrows
    ]
    if not apart:
        return first + " Every difference is significant."
    if len(apart) > 5:
        return first + f" {len(apart)} of the {n * (n - 1) // 2} pairs cannot be told apart."
    pairs = "; ".join(f"{s} and {t}" for s, t in apart)
    return f"{first} {pairs} cannot be told apart."


def answer_against(one: str, systems: Sequence[str], edges: Iterable[Edge]) -> str:
    """Say how one system does against each other; the others were not compared with each other.

    Examples
    --------
    >>> answer_against("a", ["a", "b", "c"], [("a", "b")])
    'a is better than b; a and c cannot be told apart.'
    """
    arrows = set(edges)
    others = [s for s in systems if s != one]
    better = [s for s in others if (one, s) in arrows]
    worse = [s for s in others if (s, one) in arrows]
    open_ones = [s for s in others if s not in better and s not in worse]
    said = []
    if better:
        said.append(f"{one} is better than {enumeration(better)}")
    if worse:
        said.append(f"{one} is worse than {enumeration(worse)}")
    if open_ones:
        said.append(f"{one} and {enumeration(open_ones)} cannot be told apart")
    return "; ".join(said) + "."
