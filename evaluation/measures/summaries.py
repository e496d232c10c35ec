"""Scores summed up: averages over tasks, parts by kind and relation, how several systems agree."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from alignrank.common.errors import EvaluationError
from alignrank.common.names import refuse_unknown
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.credit.counts import without_unknown
from alignrank.evaluation.credit.credits import (
    Credits,
    FloatArray,
    PrecisionRecall,
    ZeroDivision,
    pooled,
    standard,
)
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.ontology import Ontology


@dataclass(frozen=True)
class Averages(Tabular):
    """Precision, recall and F1 over several tasks.

    Parameters
    ----------
    tasks
        Values of each task that counts.
    micro
        From the credits of all tasks together: large tasks weigh more. (The Alignment API's tables
        call it H-mean.) NaN where no task counts.
    macro
        Means of the tasks' values; its F1 is the mean of the F1 (as in MELT).
    f1_of_means
        F1 of macro precision and macro recall, another number that the field reports.
    missing
        Tasks without a result: they count as 0 or were left out, as `on_mismatch` says.
    undefined
        By name of the value: the number of tasks that its mean leaves out because it is NaN there.
    """

    tasks: Mapping[str, PrecisionRecall]
    micro: PrecisionRecall
    macro: PrecisionRecall
    f1_of_means: float
    missing: tuple[str, ...]
    undefined: Mapping[str, int]

    def to_frame(self) -> Frame:
        """Return one row for each task, then one for each average."""
        n = len(self.tasks)
        rows = {name: vars(values) for name, values in self.tasks.items()}
        rows[f"micro ({n} tasks)"] = vars(self.micro)
        rows[f"macro ({n} tasks, mean of F1)"] = vars(self.macro)
        rows[f"macro ({n} tasks, F1 of means)"] = {**vars(self.macro), "f1": self.f1_of_means}
        return frame(list(rows.values()), index=rows)


def averages(
    results: Mapping[str, Alignment | None],
    references: Mapping[str, Alignment],
    *,
    measure: Callable[[Alignment, Alignment], Credits] = standard,
    on_mismatch: Literal["refuse", "zero", "drop"] = "refuse",
    zero_division: ZeroDivision = "oaei",
) -> Averages:
    """Average a measure over the tasks of a track.

    Parameters
    ----------
    results
        Alignment by task; None or an absent task is a missing result.
    references
        Reference by task, for all tasks.
    measure
        Returns the credits of an alignment; pairs marked ``?`` have left it and the reference.
    on_mismatch
        A missing result is an error (``refuse``), or counts as ``zero`` (its reference
        correspondences are missed, and its precision is 0 under every convention), or the task is
        left out (``drop``).
    zero_division
        What 0/0 means. NaN values are left out of the macro averages, and counted.

    Raises
    ------
    EvaluationError
        If there are no tasks, a result belongs to none, or one is missing and `on_mismatch` is
        ``refuse``.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> r = Alignment([Correspondence("a", "x")])
    >>> got = averages({"one": r}, {"one": r, "two": r}, on_mismatch="zero")
    >>> got.macro.f1, got.missing, round(got.micro.recall, 2)
    (0.5, ('two',), 0.5)
    """
    refuse_unknown("on_mismatch", on_mismatch, ("refuse", "zero", "drop"), EvaluationError)
    strangers = sorted(set(results) - set(references))
    if strangers:
        raise EvaluationError(
            f"results of {', '.join(strangers)} have no reference: name the tasks alike"
        )
    if not references:
        raise EvaluationError("there are no tasks to average over")
    absent = tuple(task for task in references if results.get(task) is None)
    if absent and on_mismatch == "refuse":
        raise EvaluationError(f"results are missing for {', '.join(absent)}: take zero or drop")
    earned: dict[str, Credits] = {}
    values: dict[str, PrecisionRecall] = {}
    for task, reference in references.items():
        if task in absent and on_mismatch == "drop":
            continue
        evaluated = without_unknown(results.get(task) or Alignment(), reference)
        earned[task] = measure(evaluated.alignment, evaluated.reference)
        values[task] = earned[task].scores(zero_division)
        if task in absent:
            values[task] = PrecisionRecall(0.0, 0.0, 0.0)
    micro = PrecisionRecall(math.nan, math.nan, math.nan)
    if earned:
        micro = pooled(earned.values()).scores(zero_division)
    means = []
    undefined = {}
    for name in ("precision", "recall", "f1"):
        column = [getattr(v, name) for v in values.values()]
        defined = [value for value in column if not math.isnan(value)]
        mean = math.nan
        if defined:
            mean = math.fsum(defined) / len(defined)
        means.append(mean)
        if len(defined) < len(column):
            undefined[name] = len(column) - len(defined)
    macro = PrecisionRecall(*means)
    f1_of_means = 0.0
    if total := macro.precision + macro.recall:
        f1_of_means = 2 * macro.precision * macro.recall / total
    return Averages(values, micro, macro, f1_of_means, absent, undefined)


@dataclass(frozen=True)
class PartScores:
    """Precision, recall and F1 of one part of the correspondences, with its sizes."""

    part: str
    found: int
    reference: int
    scores: PrecisionRecall


@dataclass(frozen=True)
class Breakdown(Tabular):
    """Precision, recall and F1 by part."""

    parts: tuple[PartScores, ...]

    def to_frame(self) -> Frame:
        """Return one row for each part."""
        rows = []
        for p in self.parts:
            sizes = {"part": p.part, "found": p.found, "reference": p.reference}
            rows.append(sizes | vars(p.scores))
        return frame(rows)


def by_relation(earned: Credits, *, zero_division: ZeroDivision = "oaei") -> Breakdown:
    """Break credits down by the relation of the correspondence.

    Examples
    --------
    >>> from alignrank.evaluation.credit.credits import standard
    >>> a = Alignment([Correspondence("a", "x"), Correspondence("b", "y", "<")])
    >>> [(p.part, p.scores.recall) for p in by_relation(standard(a, a)).parts]
    [('<', 1.0), ('=', 1.0)]
    """
    return _breakdown(earned, lambda c: c.relation, zero_division)


def by_kind(
    earned: Credits, source: Ontology, target: Ontology, *, zero_division: ZeroDivision = "oaei"
) -> Breakdown:
    """Break credits down by the kinds of the two entities.

    ``class`` stands for two classes; entities of different kinds give a part such as
    ``class-property``, entities that an ontology does not declare one with ``undeclared``.
    """

    def kind_of(iri: str, ontology: Ontology) -> str:
        if iri not in ontology:
            return "undeclared"
        return str(ontology.entities[iri].kind)

    def kinds(c: Correspondence) -> str:
        source_kind = kind_of(c.entity1, source)
        target_kind = kind_of(c.entity2, target)
        if source_kind == target_kind:
            return source_kind
        return f"{source_kind}-{target_kind}"

    return _breakdown(earned, kinds, zero_division)


def _breakdown(
    earned: Credits, part_of: Callable[[Correspondence], str], zero_division: ZeroDivision
) -> Breakdown:
    parts = []
    for name in sorted({part_of(c) for c in (*earned.found, *earned.reference)}):
        chosen = earned.where(lambda c, name=name: part_of(c) == name)  # type: ignore[misc]
        scores = chosen.scores(zero_division)
        parts.append(PartScores(name, len(chosen.found), len(chosen.reference), scores))
    return Breakdown(tuple(parts))


@dataclass(frozen=True)
class Arity(Tabular):
    """Numbers of correspondences whose entities occur once or several times.

    Parameters
    ----------
    one_to_one, one_to_many, many_to_one, many_to_many
        Correspondences by the number of their source's targets and their target's sources:
        ``one_to_many`` has a source with several targets, each of which has this source only.
    """

    one_to_one: int
    one_to_many: int
    many_to_one: int
    many_to_many: int


def arity(alignment: Alignment) -> Arity:
    """Count pairs by how often their entities occur; several relations of a pair count once.

    Examples
    --------
    >>> arity(Alignment(Correspondence(*p) for p in ["ax", "by", "bz"]))
    Arity(one_to_one=1, one_to_many=2, many_to_one=0, many_to_many=0)
    """
    targets = Counter(entity1 for entity1, _ in alignment.pairs)
    sources = Counter(entity2 for _, entity2 in alignment.pairs)
    kinds = Counter((targets[s] > 1, sources[t] > 1) for s, t in alignment.pairs)
    return Arity(kinds[False, False], kinds[True, False], kinds[False, True], kinds[True, True])


@dataclass(frozen=True, eq=False)
class Agreement(Tabular):
    """Overlap of several systems' alignments.

    Parameters
    ----------
    systems
        Names, in the order of the argument.
    jaccard
        (n, n): |A_i ∩ A_j| / |A_i ∪ A_j|, 1 for two empty alignments.
    unique_correct
        By system: correct correspondences that no other system found (UNTC of OAEI 2007).
    found_by
        By number of systems: the number of correct correspondences that exactly so many systems
        found, from 0 on.
    """

    systems: tuple[str, ...]
    jaccard: FloatArray
    unique_correct: Mapping[str, Alignment]
    found_by: Mapping[int, int]

    def to_frame(self) -> Frame:
        """Return the Jaccard matrix as a table."""
        return frame(self.jaccard, index=self.systems, columns=self.systems)


def agreement(alignments: Mapping[str, Alignment], reference: Alignment) -> Agreement:
    """Compare the alignments of several systems.

    Parameters
    ----------
    alignments
        Alignment of each system, by name.
    reference
        Pairs that it marks ``?`` are left out everywhere.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> a, b = Correspondence("a", "x"), Correspondence("b", "y")
    >>> got = agreement({"one": Alignment([a, b]), "two": Alignment([a])}, Alignment([a, b]))
    >>> float(got.jaccard[0, 1]), len(got.unique_correct["one"]), dict(got.found_by)
    (0.5, 1, {0: 0, 1: 1, 2: 1})
    """
    evaluated = {name: without_unknown(a, reference).alignment for name, a in alignments.items()}
    right = without_unknown(reference, reference).reference
    sets = [a.keys for a in evaluated.values()]
    n_systems: Counter[tuple[str, str, str]] = Counter()
    for keys in sets:
        n_systems.update(keys)
    by_number = Counter(n_systems[key] for key in right.keys)
    jaccard = np.ones((len(sets), len(sets)))
    for i, j in combinations(range(len(sets)), 2):
        union = len(sets[i] | sets[j])
        if union:
            jaccard[i, j] = jaccard[j, i] = len(sets[i] & sets[j]) / union
    unique_correct = {}
    for name, a in evaluated.items():
        unique_correct[name] = (a & right).where(lambda c: n_systems[c.key] == 1)
    found_by = {n: by_number[n] for n in range(len(sets) + 1)}
    return Agreement(tuple(evaluated), jaccard, unique_correct, found_by)
