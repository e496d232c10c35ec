"""Averages of precision, recall and F over several tasks, and what they average over."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from alignrank.common.errors import EvaluationError
from alignrank.common.names import refuse_unknown
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.credit.counts import judged
from alignrank.evaluation.credit.credits import (
    Credits,
    PrecisionRecall,
    ZeroDivision,
    pooled,
    standard,
)
from alignrank.ontologies.alignment import Alignment


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
        evaluated = judged(results.get(task) or Alignment(), reference)
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
        means.append(math.fsum(defined) / len(defined) if defined else math.nan)
        if len(defined) < len(column):
            undefined[name] = len(column) - len(defined)
    macro = PrecisionRecall(*means)
    total = macro.precision + macro.recall
    f1_of_means = 2 * macro.precision * macro.recall / total if total else 0.0
    return Averages(values, micro, macro, f1_of_means, absent, undefined)
