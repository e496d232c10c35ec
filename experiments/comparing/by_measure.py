"""A measure by its name, as systems are compared in it by paired randomisation."""

from __future__ import annotations

from evaluation import Context, Measure
from evaluation.measures.measure import get_measure
from evaluation.significance.randomisation import Judge
from experiments.errors import ExperimentError

#: Values of the standard measure that the fast randomisation knows.
_STANDARD = ("precision", "recall", "f1", "f0.5", "f2", "overall", "jaccard")


def measure_and_value(named: str) -> tuple[Measure, str]:
    """Return a measure and which of its values is compared.

    Parameters
    ----------
    named
        A measure's name, or name and value.

    Raises
    ------
    ExperimentError
        If the measure has no such value.

    Examples
    --------
    >>> measure, value = measure_and_value("relaxed-symmetric:recall")
    >>> measure.name, value
    ('relaxed-symmetric', 'recall')
    """
    name, _, value = named.partition(":")
    if name in _STANDARD:
        name, value = "standard", name
    measure = get_measure(name)
    value = value or ("f1" if "f1" in measure.columns else measure.columns[0])
    if value not in measure.columns and name != "standard":
        raise ExperimentError(
            f"measure {name!r} has no value {value!r}: use one of {', '.join(measure.columns)}"
        )
    return measure, value


def judge_by(named: str, context: Context) -> tuple[Judge, str]:
    """Return how `compare_judged` judges by a measure, and the value that it compares."""
    measure, value = measure_and_value(named)
    return lambda alignment, right: measure(alignment, right, context), value
