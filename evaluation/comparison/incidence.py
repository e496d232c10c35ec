"""Who found what: systems × items, from which every table, score and test follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evaluation.credit.counts import Item, Scores, judged_items, unjudged_pairs
from evaluation.errors import EvaluationError
from ontologies.alignment import Alignment

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Incidence:
    """Which system found which judged correspondence.

    Parameters
    ----------
    systems
        n names.
    items
        The m correspondences that the reference or at least one system holds, in order.
    found
        (n, m): whether the system holds the item.
    correct
        (m,): whether the reference holds it.
    """

    systems: tuple[str, ...]
    items: tuple[Item, ...]
    found: Bools
    correct: Bools

    @property
    def reference(self) -> int:
        """|R|."""
        return int(self.correct.sum())

    @cached_property
    def scores(self) -> dict[str, Scores]:
        """Scores of each system, by name."""
        right = (self.found & self.correct).sum(axis=1)
        return {
            name: Scores(int(found), int(correct), self.reference)
            for name, found, correct in zip(
                self.systems, self.found.sum(axis=1), right, strict=True
            )
        }

    def entities(self, side: int) -> tuple[list[str], Ints]:
        """Return the distinct entities of one side (0 source, 1 target), and each item's index."""
        names = sorted({item[side] for item in self.items})
        place = {name: k for k, name in enumerate(names)}
        return names, np.array([place[item[side]] for item in self.items], dtype=np.int64)


def incidence(
    alignments: Mapping[str, Alignment], reference: Alignment, *, relations: bool = True
) -> Incidence:
    """Line up several alignments and their reference.

    Parameters
    ----------
    alignments
        Alignment of each system, by name.
    reference
        What is right; its ``?`` pairs are left out on all sides, as in `evaluation.score`.
    relations
        Whether a correspondence is (entity1, entity2, relation) or only (entity1, entity2).

    Raises
    ------
    EvaluationError
        If the reference holds no judged correspondence.

    Examples
    --------
    >>> from ontologies.alignment import Correspondence
    >>> r = Alignment([Correspondence("a", "x"), Correspondence("b", "y")])
    >>> table = incidence({"one": r, "none": Alignment()}, r)
    >>> table.found.tolist(), table.correct.tolist()
    ([[True, True], [False, False]], [True, True])
    """
    unjudged = unjudged_pairs(reference)
    right = judged_items(reference, unjudged, relations=relations)
    if not right:
        raise EvaluationError(
            f"the reference {reference.path or reference.name} holds no judged correspondence: "
            "nothing can be right or wrong"
        )
    found = [judged_items(a, unjudged, relations=relations) for a in alignments.values()]
    items = sorted(right.union(*found))
    place = {item: k for k, item in enumerate(items)}
    table = np.zeros((len(found), len(items)), dtype=np.bool_)
    for row, held in zip(table, found, strict=True):
        row[[place[item] for item in held]] = True
    correct = np.zeros(len(items), dtype=np.bool_)
    correct[[place[item] for item in right]] = True
    return Incidence(tuple(alignments), tuple(items), table, correct)
