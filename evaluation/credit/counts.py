"""A reference's verdict on each pair; the measures that follow from three counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from alignrank.common.defaults import Completeness as Completeness
from alignrank.common.errors import EvaluationError
from alignrank.common.names import grouped, refuse_unknown
from alignrank.common.table import Frame, Tabular, frame
from alignrank.ontologies.alignment import Alignment, Columns, RowKey

from .credits import MOST_BETA, ZERO_DIVISIONS, Credits, Derived, FloatArray, ZeroDivision

#: A correspondence as a set holds it: its relation is left out where relations are ignored.
Item = tuple[str, ...]

IntArray = NDArray[np.int64]
#: Distinct texts in their order, and the index of each of m texts among them.
Numbered = tuple[list[str], IntArray]


@dataclass(frozen=True)
class Scores(Tabular):
    """How good one alignment is: three counts, and the measures that follow from them.

    Parameters
    ----------
    found
        |A|, the correspondences of the alignment on which the reference has a verdict.
    correct
        |A ∩ R|.
    reference
        |R|.
    zero_division
        What 0/0 means: ``oaei`` — an empty alignment has precision 1, an empty reference recall 1
        (the Alignment API's convention); ``zero`` — 0; ``nan`` — undefined.

    Raises
    ------
    EvaluationError
        If the counts contradict each other, or `zero_division` is unknown.

    Examples
    --------
    >>> s = Scores(found=4, correct=3, reference=6)
    >>> s.precision, s.recall, s.f1, s.overall
    (0.75, 0.5, 0.6, 0.3333333333333333)
    >>> round(s.f(0.5), 4)
    0.6818
    """

    found: int
    correct: int
    reference: int
    zero_division: ZeroDivision = "oaei"

    def __post_init__(self) -> None:
        if not 0 <= self.correct <= min(self.found, self.reference):
            raise EvaluationError(
                f"correct is {self.correct}: it must lie between 0 and both found "
                f"({self.found}) and reference ({self.reference})"
            )
        ZERO_DIVISIONS.lookup(self.zero_division)

    @property
    def wrong(self) -> int:
        """|A − R|, the false positives."""
        return self.found - self.correct

    @property
    def missed(self) -> int:
        """|R − A|, the false negatives."""
        return self.reference - self.correct

    @property
    def precision(self) -> float:
        """|A ∩ R| / |A|, in [0, 1] or NaN."""
        return self._share(self.found)

    @property
    def recall(self) -> float:
        """|A ∩ R| / |R|, in [0, 1] or NaN."""
        return self._share(self.reference)

    def _share(self, whole: int) -> float:
        return self.correct / whole if whole else ZERO_DIVISIONS[self.zero_division]

    @property
    def f1(self) -> float:
        """2 |A ∩ R| / (|A| + |R|), the harmonic mean of precision and recall."""
        return self.f(1.0)

    def f(self, beta: float) -> float:
        """Return F-beta = (1 + β²) |A ∩ R| / (β² |R| + |A|); β > 1 favours recall.

        It is 0/0 only where both sides are empty (van Rijsbergen 1979).
        """
        if not 0 < beta <= MOST_BETA:
            raise EvaluationError(f"beta is {beta!r}: it must be a positive number, such as 1")
        return self._value_of(f_beta(beta))

    @property
    def overall(self) -> float:
        """(|A ∩ R| − |A − R|) / |R| = recall · (2 − 1 / precision), at most 1.

        Negative where more is wrong than right: removing the wrong correspondences costs more than
        starting anew (Melnik, Garcia-Molina and Rahm 2002). −∞ for a reference that is empty while
        the alignment is not.
        """
        return self._value_of(overall)

    def _value_of(self, formula: Formula) -> float:
        counts = np.array([self.correct, self.found, self.reference], dtype=float)
        correct, found, reference = counts
        empty = ZERO_DIVISIONS[self.zero_division]
        return float(evaluated(formula, Totals(correct, found, reference, math.nan, empty)))

    def to_dict(self) -> dict[str, float]:
        """Return precision, recall, f1 and overall by name."""
        return {name: getattr(self, name) for name in ("precision", "recall", "f1", "overall")}

    def to_frame(self) -> Frame:
        """Return one row: the three counts, precision, recall, f1 and overall."""
        counts = {"found": self.found, "correct": self.correct, "reference": self.reference}
        return frame([counts | self.to_dict()])


def score(
    alignment: Alignment,
    reference: Alignment,
    *,
    relations: bool = True,
    zero_division: ZeroDivision = "oaei",
) -> Scores:
    """Compare an alignment with the reference as sets; confidence plays no part.

    Parameters
    ----------
    alignment, reference
        What was found, and what is right. A pair that the reference holds with the relation ``?``
        is unknown: the alignment's correspondences of these two entities, with any relation
        and in either direction, count neither way. Only what the reference negates is wrong there,
        as everywhere.
    relations
        Whether a correspondence is (entity1, entity2, relation) or only (entity1, entity2).
    zero_division
        As in `Scores`.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> r = Alignment([Correspondence("a", "x"), Correspondence("b", "y", "?")])
    >>> found = [("a", "x"), ("y", "b"), ("c", "z")]
    >>> s = score(Alignment(Correspondence(*pair) for pair in found), r)
    >>> s.found, s.correct, s.reference
    (2, 1, 1)
    """
    answers = evaluated_items(alignment, reference, relations=relations)
    correct = evaluated_items(reference, reference, relations=relations)
    return Scores(len(answers), len(answers & correct), len(correct), zero_division)


def unknown_pairs(reference: Alignment) -> frozenset[tuple[str, str]]:
    """Return the pairs that the reference leaves open (relation ``?``), in both directions."""
    if "?" not in reference.columns.relation:
        return frozenset()
    open_pairs = {key[:2] for key in reference.columns.row_keys() if key[2] == "?"}
    return frozenset(open_pairs | {(entity2, entity1) for entity1, entity2 in open_pairs})


def evaluated_columns(alignment: Alignment, reference: Alignment) -> Columns:
    """Return the rows of an alignment on which a reference has a verdict."""
    columns = alignment.columns
    if unknown := unknown_pairs(reference):
        denied = reference.denied
        columns = columns.where(
            key[:2] not in unknown or key in denied for key in columns.row_keys()
        )
    return columns


def distinct_rows(
    tables: Sequence[Sequence[Sequence[str]]],
) -> tuple[list[Numbered], NDArray[np.bool_]]:
    """Return the distinct rows of tables of texts, and which table holds which row.

    Parameters
    ----------
    tables
        The columns of each table, of which all have the same number.

    Returns
    -------
    list of (list of str, ndarray)
        The m rows in the order of their texts, by column: the distinct texts of that column in all
        tables, sorted, and the index of each row's text among them.
    ndarray
        (tables, m): whether the table holds the row.

    Examples
    --------
    >>> ((sources, source), _), held = distinct_rows([(["a", "b"], ["y", "y"]), (["a"], ["x"])])
    >>> [sources[k] for k in source], held.astype(int).tolist()
    (['a', 'a', 'b'], [[0, 1, 1], [1, 0, 0]])
    """
    columns = [_numbered(column) for column in zip(*tables, strict=True)]
    # the number of a row: rows are in the order of their texts
    shape = [len(texts) for texts, _ in columns]
    numbers = [
        np.ravel_multi_index(indices, shape)
        for indices in zip(*(of_tables for _, of_tables in columns), strict=True)
    ]
    rows = np.sort(np.concatenate(numbers), kind="stable")
    rows = rows[np.diff(rows, prepend=-1) > 0]
    held = np.zeros((len(tables), len(rows)), np.bool_)
    for flags, of_table in zip(held, numbers, strict=True):
        flags[np.searchsorted(rows, of_table)] = True
    indices = np.unravel_index(rows, shape)
    texts = [texts for texts, _ in columns]
    return list(zip(texts, indices, strict=True)), held


def _numbered(columns: Sequence[Sequence[str]]) -> tuple[list[str], list[IntArray]]:
    """Return the distinct texts in their order, and the index of each text of each column."""
    names = sorted(set().union(*columns))
    place = {name: k for k, name in enumerate(names)}
    return names, [
        np.fromiter(map(place.__getitem__, column), np.int64, len(column)) for column in columns
    ]


def evaluated_items(
    alignment: Alignment, reference: Alignment, *, relations: bool = True
) -> set[Item]:
    """Return the items of an alignment on which a reference has a verdict."""
    keys: Iterable[Item] = evaluated_columns(alignment, reference).row_keys()
    return set(keys) if relations else {key[:2] for key in keys}


@dataclass(frozen=True)
class Evaluated(Tabular):
    """An alignment and a reference without unknown pairs.

    Parameters
    ----------
    alignment, reference
        What remains of the two.
    left_out_found
        How many correspondences were left out of the alignment.
    """

    alignment: Alignment
    reference: Alignment
    left_out_found: int


def without_unknown(
    alignment: Alignment, reference: Alignment, completeness: Completeness = "complete"
) -> Evaluated:
    """Leave out the pairs on which the reference has no verdict.

    A pair that the reference holds with the relation ``?`` leaves both sides, whatever relation
    the alignment gives it and in either direction. Under a partial gold standard a found
    correspondence that is not in the reference is wrong only if a reference correspondence of the
    same relation shares its source (``source``), its target (``target``), or either of the two
    (``partial``, as tracks call it, or ``source-target``); under ``none`` no such one counts.
    Correct ones always count, and so do those that the reference negates: they are wrong.

    Parameters
    ----------
    alignment, reference
        The two to compare.
    completeness
        For which entities the reference is complete.

    Raises
    ------
    EvaluationError
        If `completeness` is unknown.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> r = Alignment([Correspondence("a", "x"), Correspondence("b", "y", "?")])
    >>> a = Alignment([Correspondence("b", "y"), Correspondence("c", "z")])
    >>> j = without_unknown(a, r)
    >>> sorted(j.alignment.pairs), sorted(j.reference.pairs)
    ([('c', 'z')], [('a', 'x')])
    >>> len(without_unknown(a, r, "partial").alignment)
    0
    """
    refuse_unknown("completeness", completeness, get_args(Completeness), EvaluationError)
    decided, evaluated_part = reference, alignment
    if unknown_pairs(reference):
        decided, evaluated_part = (
            held.with_columns(evaluated_columns(held, reference)) for held in (reference, alignment)
        )
    denied = reference.denied
    if completeness != "complete":
        sides = "source-target" if completeness == "partial" else completeness
        sources = {(c.entity1, c.relation) for c in decided if "source" in sides}
        targets = {(c.entity2, c.relation) for c in decided if "target" in sides}
        evaluated_part = evaluated_part.where(
            lambda c: (
                c in decided
                or c.key in denied
                or (c.entity1, c.relation) in sources
                or (c.entity2, c.relation) in targets
            )
        )
    return Evaluated(evaluated_part, decided, len(alignment) - len(evaluated_part))


#: Parents of every entity of an ontology, by IRI.
Parents = Mapping[str, Sequence[str]]


def near_miss(
    found1: str,
    found2: str,
    partners: tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]],
    parents: tuple[Parents, Parents],
) -> tuple[str, str, int] | None:
    """Return a correct pair one step away from a wrong one, and the step; None without one.

    Parameters
    ----------
    found1, found2
        The wrong pair.
    partners
        Correct targets by source, and correct sources by target.
    parents
        Parents of the source's and of the target's entities.

    Returns
    -------
    tuple
        Correct source, correct target, and a step: 0 if the correct target is the parent of the
        found one, 1 if it is a child, 2 if the correct source is the parent of the found one, 3 if
        it is a child.
    """
    for side, (fixed, moved) in enumerate(((found1, found2), (found2, found1))):
        above = parents[1 - side]
        for partner in partners[side].get(fixed, ()):
            for step, (child, parent) in enumerate(((moved, partner), (partner, moved))):
                if parent in above.get(child, ()):
                    if side == 0:
                        return fixed, partner, step
                    return partner, fixed, 2 + step
    return None


class Case(NamedTuple):
    """A correspondence that a system or the reference holds.

    Parameters
    ----------
    entity1, entity2
        IRIs of the two entities.
    relation
        Its relation.
    verdict
        The reference's verdict: 1 correct, 0 wrong or −1 unknown.
    found_by
        Indices of the systems that found it.
    near
        Of a near miss: the right pair and `near_miss`'s step.
    """

    entity1: str
    entity2: str
    relation: str
    verdict: int
    found_by: list[int]
    near: tuple[str, str, int] | None


class Cases(NamedTuple):
    """Every correspondence that a system or the reference holds, in the order of their keys.

    Parameters
    ----------
    rows
        The correspondences.
    with_parents
        Whether the parents of entities are known, by which near misses are told.
    """

    rows: Sequence[Case]
    with_parents: bool


def cases(
    alignments: Iterable[Alignment],
    reference: Alignment,
    parents: tuple[Parents, Parents] | None = None,
) -> Cases:
    """Return every correspondence that a system or the reference holds.

    Parameters
    ----------
    alignments
        The alignment of each system.
    reference
        The reference; its pairs marked ``?`` are unknown.
    parents
        Parents of the source's and of the target's entities, by IRI; None where they are unknown,
        and no near miss can be told.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> found, right = (Alignment([Correspondence("a", x)]) for x in "xy")
    >>> for case in cases([found], right, ({}, {"x": ["y"]})).rows:
    ...     print(*case)
    a x = 0 [0] ('a', 'y', 0)
    a y = 1 [] None
    """
    finders: dict[RowKey, list[int]] = {c.key: [] for c in reference if c.relation != "?"}
    right, unknown, denied = set(finders), unknown_pairs(reference), reference.denied
    for k, alignment in enumerate(alignments):
        for key in alignment.columns.row_keys():
            finders.setdefault(key, []).append(k)
    equal = [(entity1, entity2) for entity1, entity2, relation in sorted(right) if relation == "="]
    partners = grouped(equal), grouped((entity2, entity1) for entity1, entity2 in equal)
    rows = []
    for key, found_by in sorted(finders.items()):
        verdict, near = int(key in right), None
        if not verdict and key[:2] in unknown and key not in denied:
            verdict = -1
        if parents and not verdict:
            near = near_miss(key[0], key[1], partners, parents)
        rows.append(Case(*key, verdict, found_by, near))
    return Cases(rows, parents is not None)


class Totals(NamedTuple):
    """Counts of one or of many samples, and the value of 0/0.

    ``correct`` is |A ∩ R|, ``found`` |A|, ``reference`` |R|, ``pairs`` |U|: all pairs of one kind.
    """

    correct: FloatArray
    found: FloatArray
    reference: FloatArray
    pairs: float
    empty: float


Formula = Callable[[Totals], FloatArray]


def evaluated(formula: Formula, totals: Totals) -> FloatArray:
    """Return a formula's values; its divisions by 0 are not warned of: it says what they count."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return formula(totals)


def f_beta(beta: float) -> Formula:
    """Return F-beta = (1 + β²) TP / (β² |R| + |A|), in [0, 1] (van Rijsbergen 1979)."""

    def formula(n: Totals) -> FloatArray:
        whole = beta**2 * n.reference + n.found
        return np.where(whole > 0, (1 + beta**2) * n.correct / whole, n.empty)

    return formula


def overall(n: Totals) -> FloatArray:
    """Return (2 TP − |A|) / |R|, at most 1; −∞ where only the reference is empty.

    Melnik, Garcia-Molina & Rahm (2002).
    """
    value = (2 * n.correct - n.found) / n.reference
    return np.where((n.reference > 0) | (n.found > 0), value, n.empty)


def jaccard(n: Totals) -> FloatArray:
    """Return TP / |A ∪ R|, in [0, 1]."""
    union = n.found + n.reference - n.correct
    return np.where(union > 0, n.correct / union, n.empty)


def fallout(n: Totals) -> FloatArray:
    """Return FP / (|U| − |R|), in [0, 1]; NaN where every pair is right."""
    wrong = n.pairs - n.reference
    return np.where(wrong > 0, (n.found - n.correct) / wrong, np.nan)


def mcc(n: Totals) -> FloatArray:
    """Return the Matthews correlation over all pairs, in [−1, 1]; NaN where a margin is empty."""
    margins = n.found * n.reference * (n.pairs - n.found) * (n.pairs - n.reference)
    value = (n.correct * n.pairs - n.found * n.reference) / np.sqrt(margins)
    return np.where(margins > 0, value, np.nan)


@dataclass(frozen=True, eq=False, kw_only=True)
class FromCounts(Derived):
    """One value that follows from the counts.

    Parameters
    ----------
    earned
        Credits of ordinary precision and recall.
    by_correct
        The value by the number of correct correspondences, with as many found and in the reference
        as there are.
    """

    earned: Credits
    by_correct: Callable[[FloatArray, ZeroDivision], FloatArray]


def from_counts(
    name: str, formula: Formula, earned: Credits, universe: int | None = None
) -> FromCounts:
    """Return an evaluation of one value that follows from the counts.

    Parameters
    ----------
    name
        Name of the value.
    formula
        How it follows.
    earned
        Credits of ordinary precision and recall.
    universe
        Number of all pairs, if the formula needs it.

    Notes
    -----
    Its value is an error if the universe is smaller than the pairs that it must hold
    (`check_universe`).
    """
    pairs = np.nan if universe is None else float(universe)

    def by_correct(correct: FloatArray, zero_division: ZeroDivision) -> FloatArray:
        _, found, _, reference = earned.sums
        totals = Totals(correct, found, reference, pairs, ZERO_DIVISIONS[zero_division])
        return evaluated(formula, totals)

    def resampled(
        weights: FloatArray, index: Mapping[str, int], zero_division: ZeroDivision
    ) -> FloatArray:
        correct, found, _, reference = earned.resampled_sums(weights, index).T
        if universe is not None:
            check_universe(universe, found + reference - correct, weights)
        totals = Totals(correct, found, reference, pairs, ZERO_DIVISIONS[zero_division])
        return evaluated(formula, totals)[:, None]

    return FromCounts((name,), earned.sources, resampled, earned=earned, by_correct=by_correct)


def check_universe(universe: int, held: FloatArray, weights: FloatArray) -> None:
    """Refuse more pairs than there are, where no source entity counts more than once.

    Parameters
    ----------
    universe
        Number of all pairs.
    held
        (b,): how many pairs alignment and reference hold in each of b samples.
    weights
        (b, n): how often each source entity counts there.

    Raises
    ------
    EvaluationError
        If a sample holds more than the universe.
    """
    least_size = held[(weights <= 1).all(axis=1)].max(initial=0.0)
    if universe < least_size:
        raise EvaluationError(
            f"universe is {universe}, but alignment and reference hold {least_size:g} pairs: check "
            "that the ontologies are those of the alignments"
        )
