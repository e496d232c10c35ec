"""What judged questions say, as a table and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

from alignrank.common.names import count
from alignrank.common.table import Table
from alignrank.evaluation.judged.conclusions import Limits, PoolEstimate

#: The number of sentences on sizes of the reference at which another system becomes better.
MOST_FLIPS = 3


def pool_table(estimate: PoolEstimate, names: Sequence[str], letters: Mapping[str, str]) -> Table:
    """Return the measures in the pool, the best F1 first."""
    header = ["system", "F1 in the pool", "precision", "recall in the pool", "correct"]
    order = sorted(range(len(names)), key=lambda k: (-estimate.measures["f1"].value[k], names[k]))
    rows = []
    for k in order:
        cells = [names[k]]
        for name in ("f1", "precision", "recall", "correct"):
            cells.append(_with_limits(estimate.measures[name], k, 0 if name == "correct" else 3))
        if letters:
            cells.append(letters[names[k]])
        rows.append(cells)
    if letters:
        header.append("letters")
    return Table("The systems in the pool", header, rows)


def _with_limits(limits: Limits, k: int, digits: int) -> str:
    value, low, high = (float(part[k]) for part in (limits.value, limits.low, limits.high))
    if low == high:
        return f"{value:.{digits}f}"
    return f"{value:.{digits}f} [{low:.{digits}f}–{high:.{digits}f}]"


def pool_sentences(estimate: PoolEstimate) -> list[str]:
    """Return what the table cannot say: the pool, footnotes, and how far the results carry."""
    value, low, high = estimate.right
    right = f"{value:.0f} of them right"
    if low < high:
        right = f"about {right} [{low:.0f}–{high:.0f}]"
    sentences = [
        f"The pool holds {count(estimate.pairs, 'pair')}, {right}. Right pairs "
        "outside the pool are unknown: they lower recall and F1, not precision and correct."
    ]
    sentences += _if_complete(estimate)
    sentences.append(
        "In these files: the answer on F1, and the intervals, which hold together for each measure."
    )
    return sentences


def _if_complete(estimate: PoolEstimate) -> list[str]:
    """Return what holds only if the pool has (nearly) all right pairs."""
    ordered = sorted(estimate.if_complete, key=lambda edge: edge[2])
    flips = [edge for edge in ordered if isfinite(edge[2])]
    sentences = [
        f"{better} is better than {worse} in F1 only while the reference holds fewer than "
        f"{flip:,.0f} correspondences."
        for better, worse, flip in flips[:MOST_FLIPS]
    ]
    if others := ordered[len(sentences) :]:
        pairs = ", ".join(f"{better} > {worse}" for better, worse, _ in others)
        sentences.append(f"Better in F1 in the pool, perhaps not with what it lacks: {pairs}.")
    return sentences


#: What the letters of the table mean.
LETTERS = (
    "Beyond these files: systems that share a letter do not differ significantly in the right "
    "pairs that they find (McNemar's test)."
)
