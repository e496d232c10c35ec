"""Systems compared in any measure, by paired randomisation."""

from __future__ import annotations

from collections.abc import Mapping

from evaluation import Comparison, Context, Measure, compare_judged
from evaluation.measures.measure import get_measure
from experiments.errors import ExperimentError
from ontologies import Alignment

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


def compare_by_measure(
    systems: Mapping[str, Alignment],
    reference: Alignment,
    context: Context,
    named: str,
    *,
    clusters: Mapping[str, str] | None = None,
    swaps: int = 20_000,
    seed: int = 0,
    correction: str | None = None,
    alpha: float = 0.05,
    against: str | None = None,
) -> Comparison:
    """Compare systems in a measure, as `measure_and_value` names it, and `compare_judged` does.

    Raises
    ------
    ExperimentError
        If the measure has no such value.
    """
    measure, value = measure_and_value(named)
    return compare_judged(
        systems,
        reference,
        lambda alignment, right: measure(alignment, right, context),
        value,
        name=named.replace(":", "-"),
        clusters=clusters,
        swaps=swaps,
        seed=seed,
        correction=correction,
        alpha=alpha,
        against=against,
    )
