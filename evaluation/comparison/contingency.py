"""Contingency tables of two systems, and the discordant counts of many.

A decision is right or wrong; the views differ in what a decision is (Mohammadi, Atashin, Hofman and
Tan 2018, section 2, equations 1 and 2; the third view is ours):

* ``ifp`` ignores false positives: one decision per correspondence of the reference R, right if the
  system found it. b − c is the difference of the two systems' correct correspondences.
* ``cfp`` considers them: one decision per candidate pair, right if it is in the alignment exactly
  if it is in R. b − c is the difference of (correct − wrong): of *overall*, not of F1.
* ``entity``: one decision per source entity (``entity-target``: per target entity), right if its
  whole answer, possibly empty, is that of the reference. One mistake counts once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from alignrank.common.errors import EvaluationError
from alignrank.common.names import Registry
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.credit.counts import (
    Item,
    Numbered,
    Scores,
    distinct_rows,
    evaluated_columns,
)
from alignrank.evaluation.credit.tied_ranks import is_rank_measure
from alignrank.evaluation.significance.mcnemar import Bools, Floats, Ints
from alignrank.ontologies.alignment import Alignment

_BLOCK = 1 << 16  # items at a time, so that 50 systems need 50 MB of floats


@dataclass(frozen=True, eq=False)
class Incidence:
    """Which system found which correspondence.

    Parameters
    ----------
    systems
        n names.
    columns
        Source entities, target entities and relations of the m correspondences that the reference
        or at least one system holds, in their order: the distinct texts, sorted, and each
        correspondence's index among them.
    found
        (n, m): whether the system holds the item.
    correct
        (m,): whether the reference holds it.
    reference_alignment
        The reference.
    """

    systems: tuple[str, ...]
    columns: tuple[Numbered, Numbered, Numbered]
    found: Bools
    correct: Bools
    reference_alignment: Alignment

    @property
    def reference(self) -> int:
        """|R|."""
        return int(self.correct.sum())

    @cached_property
    def scores(self) -> dict[str, Scores]:
        """Scores of each system, by name."""
        sizes = self.found.sum(axis=1).tolist()
        numbers = (self.found & self.correct).sum(axis=1).tolist()
        return {
            name: Scores(size, number, self.reference)
            for name, size, number in zip(self.systems, sizes, numbers, strict=True)
        }

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The m correspondences."""
        texts = (map(names.__getitem__, index.tolist()) for names, index in self.columns)
        return tuple(zip(*texts, strict=True))


def incidence(
    alignments: Mapping[str, Alignment], reference: Alignment, *, may_be_empty: bool = False
) -> Incidence:
    """Line up several alignments and their reference.

    Parameters
    ----------
    alignments
        Alignment of each system, by name.
    reference
        What is right; its ``?`` pairs are left out on all sides, as in
        `alignrank.evaluation.score`.
    may_be_empty
        Whether a reference without other pairs is taken, too.

    Raises
    ------
    EvaluationError
        If the reference holds no correspondence but ``?`` pairs.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> r = Alignment([Correspondence("a", "x"), Correspondence("b", "y")])
    >>> table = incidence({"one": r, "none": Alignment()}, r)
    >>> table.found.tolist(), table.correct.tolist()
    ([[True, True], [False, False]], [True, True])
    """
    table = lined_up(alignments, reference)
    if not table.reference and not may_be_empty:
        raise EvaluationError(
            f"the reference {reference.path or reference.name} holds no correspondence with a "
            "verdict: nothing can be correct or wrong"
        )
    return table


def lined_up(alignments: Mapping[str, Alignment], reference: Alignment) -> Incidence:
    """Return the `incidence` of alignments; the reference may be empty."""
    evaluated = [evaluated_columns(held, reference) for held in (reference, *alignments.values())]
    (sources, targets, relations), held = distinct_rows(
        [(columns.entity1, columns.entity2, columns.relation) for columns in evaluated]
    )
    return Incidence(tuple(alignments), (sources, targets, relations), held[1:], held[0], reference)


@dataclass(frozen=True, eq=False)
class ViewDecisions:
    """Which decisions each system got right in one view.

    Parameters
    ----------
    correct
        (n, m): whether the system (row) is right on the item. Decisions that all systems get right
        without saying anything (pairs or entities that nobody mentions) are left out: they are
        concordant.
    entities
        (m,): the entity of each decision, by which items can be clustered: its source entity (for
        ``entity-target`` the target entity).
    mentioned
        (n, m): whether the system or the reference has a correspondence of the item. Items that
        neither of two systems nor the reference mentions play no part in the comparison of the two.
    reference
        Number of decisions that the reference mentions.
    """

    correct: Bools
    entities: tuple[str, ...]
    mentioned: Bools
    reference: int


@dataclass(frozen=True)
class View:
    """A view: one definition of a decision.

    Parameters
    ----------
    title
        What the view is called in headings.
    counted, unit
        What the systems are compared by, and what the reference has a number of.
    independent
        What decisions are taken to be independent by, unless clusters are known.
    rate
        What the difference b − c is a difference of, as a rate.
    decide
        From who found what to who is right on what.
    """

    title: str
    counted: str
    unit: str
    independent: str
    rate: str
    decide: Callable[[Incidence], ViewDecisions]


def _correspondences(table: Incidence) -> ViewDecisions:
    names, index = table.columns[0]
    entities = tuple(map(names.__getitem__, index[table.correct].tolist()))
    correct = table.found[:, table.correct]
    return ViewDecisions(correct, entities, np.ones_like(correct), table.reference)


def _candidate_pairs(table: Incidence) -> ViewDecisions:
    names, index = table.columns[0]
    entities = tuple(map(names.__getitem__, index.tolist()))
    mentioned = table.found | table.correct
    return ViewDecisions(table.found == table.correct, entities, mentioned, table.reference)


def _answers(table: Incidence, side: int) -> ViewDecisions:
    """Return which whole answers are correct, by entity of a side (0 source, 1 target)."""
    names, index = table.columns[side]
    correct = _by_entity(table.found != table.correct, index) == 0
    mentioned = _by_entity(table.found | table.correct, index) > 0
    of_reference = int(np.count_nonzero(np.bincount(index, table.correct)))
    return ViewDecisions(correct, tuple(names), mentioned, of_reference)


def item_ratios(table: Incidence, measure: str, side: int = 0) -> tuple[Floats, Floats]:
    """Return each entity's parts a and b of a measure with the value Σ a / Σ b.

    Parameters
    ----------
    table
        Who found what.
    measure
        ``share``, ``recall``, ``precision`` or ``f1``.
    side
        0 for source entities, 1 for target entities.

    Returns
    -------
    a, b : ndarray
        (systems, entities).
    """
    _, index = table.columns[side]
    n_correct = _by_entity(table.found & table.correct, index)
    n_found = _by_entity(table.found, index)
    expected = np.broadcast_to(np.bincount(index, table.correct), n_found.shape)
    correct = _answers(table, side).correct.astype(float)
    ratios = {
        "share": (correct, np.ones_like(correct)),
        "recall": (n_correct, expected),
        "precision": (n_correct, n_found),
        "f1": (2 * n_correct, n_found + expected),
    }
    return ratios[measure]


def _by_entity(flags: Bools, index: Ints) -> Floats:
    return np.stack([np.bincount(index, row) for row in flags])


#: Name to view, in the order in which tables show them.
VIEWS = Registry(
    "view",
    {
        "ifp": View(
            "False positives ignored (ifp)",
            "correct correspondences",
            "correspondences",
            "source entities",
            "recall",
            _correspondences,
        ),
        "cfp": View(
            "False positives considered (cfp)",
            "correct minus wrong ones",
            "correspondences",
            "source entities",
            "overall",
            _candidate_pairs,
        ),
        "entity": View(
            "One decision per entity (entity)",
            "right answers",
            "source entities",
            "source entities",
            "net correct decisions",
            partial(_answers, side=0),
        ),
        "entity-target": View(
            "One decision per target entity (entity-target)",
            "right answers",
            "target entities",
            "target entities",
            "net correct decisions",
            partial(_answers, side=1),
        ),
    },
    EvaluationError,
)


def decisions(table: Incidence, view: str) -> ViewDecisions:
    """Return which system is correct in which decision.

    Raises
    ------
    EvaluationError
        If the view is unknown.
    """
    return VIEWS.lookup(view).decide(table)


def heading(view: str) -> str:
    """Return the title of a view, or the name of a measure."""
    return VIEWS[view].title if view in VIEWS else view


def unit_of(view: str) -> str:
    """Return the independent unit of a view's decisions where no clusters are known."""
    if view in VIEWS:
        return VIEWS[view].independent
    if is_rank_measure(view):
        return "queries"
    return "items" if view == "item" else "source entities"


def discordant(correct: Bools) -> Ints:
    """Return the (n, n) matrix whose cell (i, j) counts the items that i has right and j wrong.

    With Exp. 1 = i and Exp. 2 = j: n10 = (i, j) and n01 = (j, i). The captions of the paper's
    tables say it the other way round, against its equation 1.

    Parameters
    ----------
    correct
        (n, m): whether system i is right on item k.

    Examples
    --------
    >>> discordant(np.array([[True, True, False], [True, False, True]])).tolist()
    [[0, 1], [1, 0]]
    """
    both = jointly(correct)
    return np.diag(both)[:, None] - both


def jointly(flags: Bools) -> Ints:
    """Return the (n, n) matrix whose cell (i, j) counts the items that rows i and j both hold."""
    n, m = flags.shape
    both = np.zeros((n, n))
    for start in range(0, m, _BLOCK):
        # a product of 0/1 floats counts exactly below 2^53, at the speed of BLAS
        block = flags[:, start : start + _BLOCK].astype(float)
        both += block @ block.T
    return both.astype(np.int64)


def either(flags: Bools) -> Ints:
    """Return the (n, n) matrix whose cell (i, j) counts the items that row i or j holds."""
    both = jointly(flags)
    return np.asarray(np.diag(both)[:, None] + np.diag(both) - both)


@dataclass(frozen=True, eq=False)
class Counts(Tabular):
    """How many decisions every two systems take right and wrong; matrices (n, n) of pairs.

    Parameters
    ----------
    discordant
        What the row has right and the column wrong.
    both_wrong
        What both have wrong; None where unknown.
    mentioned
        Items that one of the two or the reference mentions; None where unknown.
    decisions
        Number of decisions that could be taken: |R| in ``ifp``, all candidate pairs (T) in ``cfp``,
        all entities of the ontology in ``entity``; None where the ontologies are unknown.
    """

    discordant: Ints
    both_wrong: Ints | None = None
    mentioned: Ints | None = None
    decisions: int | None = None


def pair_counts(decided: ViewDecisions, decisions: int | None = None) -> Counts:
    """Return what every two systems have right and wrong; `decisions` could be taken."""
    correct = decided.correct
    return Counts(discordant(correct), jointly(~correct), either(decided.mentioned), decisions)


def possible_decisions(
    view: str, decided: ViewDecisions, sizes: tuple[int, int] | None
) -> int | None:
    """Return the number of decisions that could be taken; None if it is unknown.

    `sizes` are the numbers of entities of both ontologies.
    """
    mentioned = len(decided.entities)
    if view == "ifp":
        return mentioned
    if sizes is None:
        return None
    number = {"cfp": sizes[0] * sizes[1], "entity": sizes[0], "entity-target": sizes[1]}[view]
    return number if number >= mentioned else None


@dataclass(frozen=True)
class ContingencyTable(Tabular):
    """Counts of decisions by (Exp. 1, Exp. 2): 0 wrong, 1 right.

    Parameters
    ----------
    n00, n01, n10, n11
        Both wrong; only the second right; only the first right; both right. `n11` is None where
        it needs the number of candidates and that was not given.
    """

    n00: int
    n01: int
    n10: int
    n11: int | None

    @property
    def total(self) -> int | None:
        """All decisions: |R| under ``ifp``, T under ``cfp``; None where `n11` is."""
        return None if self.n11 is None else self.n00 + self.n01 + self.n10 + self.n11

    def to_frame(self) -> Frame:
        """Return the two by two table: rows for the first system, columns for the second."""
        sides = ["wrong", "right"]
        counts = [[self.n00, self.n01], [self.n10, self.n11]]
        return frame(counts, columns=sides, index=sides, index_name="first", columns_name="second")


def contingency_table(
    first: Alignment,
    second: Alignment,
    reference: Alignment,
    view: str,
    candidates: int | None = None,
) -> ContingencyTable:
    """Return the whole contingency table of two alignments.

    Parameters
    ----------
    first, second, reference
        A1, A2 and R.
    view
        One of `VIEWS`.
    candidates
        Number of decisions that could be taken: T = n · m candidate pairs under ``cfp``, the
        number of source (target) entities under ``entity``. Only n11 needs it, and no test needs
        n11; ``ifp`` has |R| decisions whatever it says.

    Raises
    ------
    EvaluationError
        If there are fewer candidates than pairs (entities) that the three alignments mention.

    Examples
    --------
    The paper's example: A1 = R, A2 = R + B with two wrong correspondences, 5 × 5 candidates.

    >>> from alignrank.ontologies.alignment import Correspondence
    >>> r = Alignment([Correspondence("a", "x")])
    >>> b = Alignment([Correspondence("b", "y"), Correspondence("c", "z")])
    >>> contingency_table(r, r | b, r, "ifp")
    ContingencyTable(n00=0, n01=0, n10=0, n11=1)
    >>> contingency_table(r, r | b, r, "cfp", candidates=25)
    ContingencyTable(n00=0, n01=0, n10=2, n11=23)
    """
    right1, right2 = decisions(incidence({"1": first, "2": second}, reference), view).correct
    mentioned = len(right1)
    n10, n01 = int((right1 & ~right2).sum()), int((right2 & ~right1).sum())
    n00 = mentioned - int((right1 | right2).sum())
    if view == "ifp":
        candidates = mentioned
    elif candidates is not None and candidates < mentioned:
        units = "pairs" if view == "cfp" else "entities"
        raise EvaluationError(
            f"candidates is {candidates}, but the alignments mention {mentioned} {units}"
        )
    n11 = None if candidates is None else candidates - n00 - n01 - n10
    return ContingencyTable(n00, n01, n10, n11)
