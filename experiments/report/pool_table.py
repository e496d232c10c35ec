"""What judged questions say, as a table and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import isfinite

from alignrank.common.names import count
from alignrank.common.table import Table
from alignrank.evaluation import Pairwise
from alignrank.evaluation.comparison.contingency import unit_of
from alignrank.evaluation.judged.conclusions import CHANCE, Limits, PoolEstimate

#: The number of sentences on sizes of the reference at which another system becomes better.
MOST_FLIPS = 3


#: The columns of measures in the pool, by their names.
COLUMNS = {
    "f1": "F1 in the pool",
    "precision": "precision",
    "recall": "recall in the pool",
    "correct": "correct",
}


def pool_table(estimate: PoolEstimate, names: Sequence[str], view: Pairwise | None = None) -> Table:
    """Return the measures in the pool, the best F1 first, and what McNemar's test says.

    Parameters
    ----------
    estimate, names
        The estimates, and the systems in their order.
    view
        What McNemar's test says: letters, or the verdicts on its focus. None: no such column.
    """
    columns: dict[str, Mapping[str, str]] = dict(with_limits(estimate, names))
    if view is None:
        sentences = pool_sentences(estimate)
    else:
        sentences = pool_sentences(estimate, 1 - view.alpha)
        if view.focus is None:
            columns["letters"] = view.letters
            sentences.append(LETTERS.format(tested_quantity(view)))
        else:
            verdicts = view.verdicts
            columns[f"{view.focus} is"] = {
                name: verdicts.get((view.focus, name), "") for name in names
            }
            sentences.append(VERDICTS.format(view.focus, tested_quantity(view)))
    rows = [[name, *(cells[name] for cells in columns.values())] for name in estimate.order(names)]
    return Table("The systems in the pool", ["system", *columns], rows, "\n".join(sentences))


def differences_table(estimate: PoolEstimate, names: Sequence[str]) -> Table:
    """Return the differences of each two systems in the pool, and whether they are significant."""
    verdicts = dict.fromkeys(estimate.whatever, "better, whatever right pairs the files lack")
    for better, worse, flip in estimate.if_complete:
        verdicts[better, worse] = "better in the pool"
        if isfinite(flip):
            verdicts[better, worse] = f"better below {flip:,.0f} right pairs in all"
    needed = {frozenset((first, second)): number for first, second, number in estimate.more}
    rows = []
    for pair in combinations(estimate.order(names), 2):
        i, j = map(names.index, pair)
        f1, correct = estimate.differences["f1"], estimate.differences["correct"]
        verdict = verdicts.get(pair, "not significantly different")
        sizes = [_difference(f1, i, j, 3), _difference(correct, i, j, 0)]
        rows.append([*pair, *sizes, verdict, needed.get(frozenset(pair), "")])
    header = ["system", "other", "F1 in the pool", "correct", "in F1 it is", "more questions"]
    sentences = []
    if estimate.judged < estimate.questions or estimate.cannot_tell:
        sentences.append("In brackets: limits that hold for all pairs together.")
    if estimate.more:
        sentences.append(f"More questions: they decide with a chance of {CHANCE:.0%}.")
    else:
        header, rows = header[:-1], [row[:-1] for row in rows]
    return Table("Differences in the pool", header, rows, " ".join(sentences))


def _difference(limits: Limits, i: int, j: int, digits: int) -> str:
    # minus zero, as of two equal systems, has no sign
    matrices = (limits.value, limits.low, limits.high)
    value, low, high = (f"{round(m[i, j], digits) + 0.0:+.{digits}f}" for m in matrices)
    if low == high:
        return value
    return f"{value} [{low} to {high}]"


def with_limits(estimate: PoolEstimate, names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return each measure with its interval, by column of `COLUMNS` and system."""
    cells: dict[str, dict[str, str]] = {}
    for measure, column in COLUMNS.items():
        limits, digits = estimate.measures[measure], 3
        if measure == "correct":
            digits = 0
        cells[column] = {}
        for name, *numbers in zip(names, limits.value, limits.low, limits.high, strict=True):
            value, low, high = (f"{number:.{digits}f}" for number in numbers)
            cells[column][name] = value
            if low != high:
                cells[column][name] += f" [{low}–{high}]"
    return cells


def pool_sentences(estimate: PoolEstimate, level: float = 0.95) -> list[str]:
    """Return what the table cannot say: the pool, footnotes, and how far the results carry."""
    value, low, high = estimate.right
    right = f"{value:.0f} of them right"
    if low < high:
        right = f"about {right} [{low:.0f}–{high:.0f}]"
    sentences = [
        f"The pool is the {count(estimate.pairs, 'pair')} that the files propose, {right}. Right "
        "pairs outside the pool are unknown: they would lower recall and F1."
    ]
    sentences += _if_complete(estimate)
    if estimate.judged == estimate.questions:
        unsure = ""
        if estimate.cannot_tell:
            unsure = (
                f", {count(estimate.cannot_tell, 'pair')} as cannot tell: intervals hold the "
                "result with all of them right and the one with all of them wrong"
            )
        return [*sentences, f"All {estimate.questions:,} questions are judged{unsure}."]
    sentences.append(
        f"{estimate.judged:,} of {estimate.questions:,} questions are judged (one for each source "
        f"entity): F1 and intervals ({100 * level:g}%, for all systems together) estimate the "
        "result of judging all."
    )
    return sentences


def _if_complete(estimate: PoolEstimate) -> list[str]:
    """Return what holds only if the pool has (nearly) all right pairs."""
    ordered = sorted(estimate.if_complete, key=lambda edge: edge[2])
    flips = [edge for edge in ordered if isfinite(edge[2])]
    sentences = [
        f"F1 of {better} is significantly higher than that of {worse} if there are fewer than "
        f"{flip:,.0f} right pairs, inside and outside the pool."
        for better, worse, flip in flips[:MOST_FLIPS]
    ]
    if others := ordered[len(sentences) :]:
        pairs = ", ".join(f"{better} > {worse}" for better, worse, _ in others)
        sentences.append(
            "Significantly higher F1 in the pool, but perhaps not with the right pairs that it "
            f"lacks: {pairs}."
        )
    return sentences


#: What the last column of the table means.
VERDICTS = (
    "Better and worse are not about F1: {} is significantly better or worse in {} (McNemar's "
    "test); undecided: neither."
)
LETTERS = (
    "Letters are not about F1: systems that share a letter do not differ significantly in "
    "{} (McNemar's test)."
)


def tested_quantity(view: Pairwise) -> str:
    """Return in what the test compares judged systems: letters and verdicts are about it."""
    quantities = {"ifp": "the number of right pairs", "cfp": "right pairs minus wrong ones"}
    return quantities.get(view.view, f"the number of {unit_of(view.view)} answered right")
