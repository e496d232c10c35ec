"""What judged questions say of each two systems, and of the pool."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import isfinite

from alignrank.common.names import count
from alignrank.common.table import Table
from alignrank.evaluation.judged.conclusions import CHANCE, Chance, Limits, PoolEstimate, in_tens

#: The number of sentences on sizes of the reference at which another system becomes better.
MOST_FLIPS = 3


def differences_table(estimate: PoolEstimate, names: Sequence[str]) -> Table:
    """Return the differences of each two systems in the pool, and whether they are significant."""
    verdicts = dict.fromkeys(estimate.whatever, "better, whatever right pairs the files lack")
    for better, worse, flip in estimate.if_complete:
        verdicts[better, worse] = "better in the pool"
        if isfinite(flip):
            verdicts[better, worse] = f"better below {flip:,.0f} right pairs in all"
    chances = {frozenset(chance.systems): chance for chance in estimate.chances}
    rows = []
    for pair in combinations(estimate.order(names), 2):
        i, j = map(names.index, pair)
        f1, correct = estimate.differences["f1"], estimate.differences["correct"]
        verdict = verdicts.get(pair, "not significantly different")
        row = [*pair, difference_in_pool(f1, i, j, 3), difference_in_pool(correct, i, j, 0)]
        if estimate.verdict is not None:
            row.append(verdict)
        if estimate.chances:
            row += _chance_cells(chances.get(frozenset(pair)))
        rows.append(row)
    header, sentences = ["system", "other", "F1 in the pool", "correct"], []
    if estimate.verdict is not None:
        header.append("in F1 it is")
    if estimate.judged < estimate.questions or estimate.cannot_tell:
        sentences.append("In brackets: limits that hold for all pairs together.")
    if estimate.chances:
        header += ["next verdict decides", "80% after"]
        sentences.append(
            "Next verdict decides: the chance, a forecast. 80% after: the number of answers at the "
            f"first verdict that decides with a chance of {CHANCE:.0%} or more."
        )
    return Table("Differences in the pool", header, rows, " ".join(sentences))


def _chance_cells(chance: Chance | None) -> list[str]:
    """Return the chance that the next verdict decides, and the answers that decide with 80%."""
    if chance is None:
        return ["", ""]
    if chance.answers_for_80 is None:
        return ["never", ""]
    return [in_tens(chance.next).removeprefix("of "), f"{chance.answers_for_80:,}"]


def difference_in_pool(limits: Limits, i: int, j: int, digits: int) -> str:
    """Return a difference with its limits, if they differ."""
    # minus zero, as of two equal systems, has no sign
    matrices = (limits.value, limits.low, limits.high)
    value, low, high = (f"{round(m[i, j], digits) + 0.0:+.{digits}f}" for m in matrices)
    if low == high:
        return value
    return f"{value} [{low} to {high}]"


def pool_sentences(estimate: PoolEstimate) -> list[str]:
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
        if estimate.cannot_tell:
            sentences.append(
                f"All {estimate.questions:,} questions are judged, "
                f"{count(estimate.cannot_tell, 'pair')} as cannot tell: intervals hold the result "
                "with all of them right and the one with all of them wrong."
            )
        return sentences
    sentences.append(
        f"{estimate.judged:,} of {estimate.questions:,} questions are judged (one for each source "
        f"entity): F1 and intervals ({100 * estimate.level:.4g}%, for all systems together) "
        "estimate the result of judging all."
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


#: How far intervals hold: beside a verdict, and without one.
INTERVALS = (
    "Intervals hold with {:.3g}% at all verdicts together; between verdicts, for a number of "
    "answers chosen before."
)
INTERVALS_ONCE = "The interval holds for a number of answers chosen before."


def intervals_note(estimate: PoolEstimate) -> list[str]:
    """Return how far the intervals of a comparison hold; nothing where there are none."""
    if estimate.judged == estimate.questions and not estimate.cannot_tell:
        return []
    if estimate.has_several_verdicts:
        return [INTERVALS.format(100 * (1 - estimate.alpha))]
    return [INTERVALS_ONCE]


#: Shares of the level, by the number of the verdict.
_SHARES = {1: "half", 2: "a quarter", 3: "an eighth", 4: "a sixteenth"}


def verdict_line(estimate: PoolEstimate) -> str:
    """Return which verdict this is, and its level; '' where there is only one."""
    verdict = estimate.verdict
    if verdict is None or not estimate.has_several_verdicts:
        return ""
    share = _SHARES.get(verdict.number, f"1/{2**verdict.number}")
    level, of_all = f"{100 * verdict.alpha:.3g}%", f"{100 * estimate.alpha:.3g}%"
    return (
        f"Verdict {verdict.number} of a judged sample: level {level}, {share} of {of_all}, so that "
        "looking again adds no false differences"
    )
