"""Words of the reports: what the views are called, and how one system does against the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evaluation.ranking.graph import Edge, enumeration

#: What the views are called in headings.
VIEWS = {
    "ifp": "False positives ignored (ifp)",
    "cfp": "False positives considered (cfp)",
    "entity": "One decision per entity (entity)",
}


def answer_against(one: str, systems: Sequence[str], edges: Iterable[Edge]) -> str:
    """Say how one system does against each other; the others were not compared with each other.

    Examples
    --------
    >>> answer_against("a", ["a", "b", "c"], [("a", "b")])
    'a is better than b; a cannot be told apart from c.'
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
        said.append(f"{one} cannot be told apart from {enumeration(open_ones)}")
    return "; ".join(said) + "."
