"""Scores summed up: averages over tasks, parts by kind and relation, how often entities occur."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from alignrank.common.errors import EvaluationError
from alignrank.common.names import refuse_unknown
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.credit.counts import without_unknown
from alignrank.evaluation.credit.credits import (
    Credits,
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
    """

    tasks: Mapping[str, PrecisionRecall]
    micro: PrecisionRecall
    macro: PrecisionRecall
    f1_of_means: float
    missing: tuple[str, ...]

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
    on_mismatch: Literal["refuse", "zero", "drop"] = "refuse",
) -> Averages:
    """Average precision, recall and F1 over the tasks of a track.

    Parameters
    ----------
    results
        Alignment by task; None or an absent task is a missing result.
    references
        Reference by task, for all tasks.
    on_mismatch
        A missing result is an error (``refuse``), or counts as ``zero`` (its reference
        correspondences are missed, and its precision is 0), or the task is
        left out (``drop``).

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
        earned[task] = standard(evaluated.alignment, evaluated.reference)
        values[task] = earned[task].scores()
        if task in absent:
            values[task] = PrecisionRecall(0.0, 0.0, 0.0)
    if not earned:
        undefined = PrecisionRecall(math.nan, math.nan, math.nan)
        return Averages({}, undefined, undefined, math.nan, absent)
    columns = zip(*(vars(rates).values() for rates in values.values()), strict=True)
    macro = PrecisionRecall(*map(fmean, columns))
    f1_of_means = 0.0
    if total := macro.precision + macro.recall:
        f1_of_means = 2 * macro.precision * macro.recall / total
    return Averages(values, pooled(earned.values()).scores(), macro, f1_of_means, absent)


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

    def kinds(c: Correspondence) -> str:
        source_kind, target_kind = source.kind_of(c.entity1), target.kind_of(c.entity2)
        if source_kind == target_kind:
            return source_kind
        return f"{source_kind}-{target_kind}"

    return _breakdown(earned, kinds, zero_division)


def _breakdown(
    earned: Credits, part_of: Callable[[Correspondence], str], zero_division: ZeroDivision
) -> Breakdown:
    return Breakdown(
        tuple(
            PartScores(name, len(part.found), len(part.reference), part.scores(zero_division))
            for name, part in earned.parts(part_of).items()
        )
    )


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
