"""Scores of a mapping of items to one candidate or to nothing: precision, recall, accuracy."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alignrank.common.errors import EvaluationError
from alignrank.common.table import Tabular
from alignrank.evaluation.credit.credits import ZeroDivision, ratios

from .candidates import Gold

#: Chosen candidate by item, None for "nothing".
Choices = Mapping[str, str | None]


@dataclass(frozen=True)
class MappingScores(Tabular):
    """Scores of a mapping, which chooses one candidate or nothing for each item.

    Parameters
    ----------
    items, positives
        Items of the gold standard, and those with a right candidate (S+).
    mapped, correct
        Items mapped to a candidate, and those of them mapped to a right one.
    precision, recall, f1
        correct / mapped, correct / positives (NaN without positives), and
        2 correct / (mapped + positives).
    accuracy
        Share of all items mapped rightly; nothing is right for an item without a right candidate.
    null_precision, null_recall
        Among the items mapped to nothing the share without a right candidate, and among the items
        without a right candidate the share mapped to nothing; NaN for 0/0.
    missing
        Gold items that the mapping lacks: they count as mapped to nothing.
    ignored
        Items of the mapping that the gold standard lacks.
    """

    items: int
    positives: int
    mapped: int
    correct: int
    precision: float
    recall: float
    f1: float
    accuracy: float
    null_precision: float
    null_recall: float
    missing: tuple[str, ...]
    ignored: tuple[str, ...]


def mapping_scores(
    gold: Gold, choices: Choices, *, zero_division: ZeroDivision = "oaei"
) -> MappingScores:
    """Judge a mapping that chooses one candidate, or nothing, for each item.

    Parameters
    ----------
    gold
        Right candidates by item, none for an item that should be mapped to nothing.
    choices
        Chosen candidate by item, None for nothing.
    zero_division
        The precision of a mapping that maps nothing.

    Raises
    ------
    EvaluationError
        If the gold standard is empty.

    References
    ----------
    Equations 4.3-4.9 of the evaluation that follows Fernando & Stevenson (2012).

    Examples
    --------
    >>> gold = {"p": ["a"], "q": ["b"], "r": ["c"], "s": ["d"], "t": []}
    >>> scores = mapping_scores(gold, {"p": "a", "q": "b", "r": "x", "s": None, "t": None})
    >>> round(scores.precision, 3), scores.recall, scores.accuracy
    (0.667, 0.5, 0.6)
    """
    right = correct_items(gold, choices)
    chosen = [choices.get(item) is not None for item in gold]
    empty = [not names for names in gold.values()]
    mapped = sum(chosen)
    positives = len(gold) - sum(empty)
    correct = int((right & chosen).sum())
    correct_null = int(right.sum()) - correct
    sums = np.array([correct, mapped, correct, positives], dtype=float)
    precision, recall, f1 = ratios(sums, zero_division).tolist()
    if not positives:
        recall = math.nan
    return MappingScores(
        len(gold),
        positives,
        mapped,
        correct,
        precision,
        recall,
        f1,
        accuracy=float(right.mean()),
        null_precision=_share(correct_null, len(gold) - mapped),
        null_recall=_share(correct_null, sum(empty)),
        missing=tuple(sorted(set(gold) - set(choices))),
        ignored=tuple(sorted(set(choices) - set(gold))),
    )


def _share(count: int, total: int) -> float:
    return count / total if total else math.nan


def correct_items(gold: Gold, choices: Choices) -> NDArray[np.bool_]:
    """Return whether the choice is right, for each gold item; nothing can be a right choice, too.

    Raises
    ------
    EvaluationError
        If the gold standard is empty.
    """
    if not gold:
        raise EvaluationError("the gold standard has no items: nothing can be judged")
    return np.array([choices.get(item) in (right or (None,)) for item, right in gold.items()])


def discordant_items(gold: Gold, mappings: Mapping[str, Choices]) -> NDArray[np.int64]:
    """Return the discordant counts of several mappings over the gold items.

    Returns
    -------
    ndarray
        Entry (i, j): number of items that mapping i gets right and mapping j wrong; nothing counts
        as an answer. McNemar's test takes these counts.

    Examples
    --------
    >>> gold = {"p": ["a"], "t": []}
    >>> discordant_items(gold, {"one": {"p": "a"}, "two": {"p": "x", "t": "y"}}).tolist()
    [[0, 2], [0, 0]]
    """
    right = np.array([correct_items(gold, choices) for choices in mappings.values()], dtype=int)
    discordant: NDArray[np.int64] = right @ (1 - right).T
    return discordant
