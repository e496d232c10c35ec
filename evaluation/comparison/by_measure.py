"""Compare many systems by any measure, with paired randomisation."""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.credit.credits import Credits
from evaluation.significance.randomisation import (
    Judge,
    Measure,
    Randomisation,
    randomisation,
    randomise,
)
from ontologies.alignment import Alignment

from .compare import Comparison, check, chosen_corrections, concluded
from .pairwise import pairwise


def compare_measure(
    earned: Mapping[str, Credits],
    measure: str | Measure = "f1",
    *,
    name: str = "",
    clusters: Mapping[str, str] | None = None,
    swaps: int = 20_000,
    seed: int = 0,
    correction: str = "bergmann-hommel",
    alpha: float = 0.05,
) -> Comparison:
    """Compare every pair of systems in any measure, by paired randomisation.

    Parameters
    ----------
    earned, measure, clusters, swaps, seed
        As in `evaluation.significance.randomisation.randomisation`.
    name
        Name of the measure in the result; '' is `measure` itself.
    correction, alpha
        As in `compare`.

    Raises
    ------
    EvaluationError
        If there are fewer than two systems or an option is unknown.

    Examples
    --------
    >>> from ontologies.alignment import Correspondence
    >>> from evaluation.credit.credits import standard
    >>> r = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(20))
    >>> half = r.where(lambda c: c.entity1 < "a#15")
    >>> result = compare_measure({"half": standard(half, r), "all": standard(r, r)}, "f1")
    >>> result.edges["f1"]["bergmann-hommel"]
    (('all', 'half'),)
    """
    check(list(earned), "exact", correction, alpha)
    outcome = randomisation(earned, measure, clusters=clusters, swaps=swaps, seed=seed)
    shown = name or (measure if isinstance(measure, str) else measure.__name__)
    return _randomised(outcome, shown, correction, alpha)


def compare_judged(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    judge: Judge,
    value: str | None = None,
    *,
    name: str,
    clusters: Mapping[str, str] | None = None,
    swaps: int = 20_000,
    seed: int = 0,
    correction: str = "bergmann-hommel",
    alpha: float = 0.05,
) -> Comparison:
    """Compare every pair of systems in any measure that judges alignments, by randomisation.

    Parameters
    ----------
    alignments, reference, judge, value, clusters, swaps, seed
        As in `evaluation.significance.randomisation.randomise`.
    name
        Name of the measure in the result.
    correction, alpha
        As in `compare`.

    Raises
    ------
    EvaluationError
        If there are fewer than two systems, an option is unknown, or the measure's parts cannot be
        swapped between systems.
    """
    check(list(alignments), "exact", correction, alpha)
    outcome = randomise(
        alignments, reference, judge, value, clusters=clusters, swaps=swaps, seed=seed
    )
    return _randomised(outcome, name, correction, alpha)


def _randomised(outcome: Randomisation, name: str, correction: str, alpha: float) -> Comparison:
    """Compare by a measure of the alignments."""
    result = pairwise(
        name,
        list(outcome.values),
        {"randomisation": outcome.test},
        test="randomisation",
        corrections=chosen_corrections(correction),
        alpha=alpha,
        values=outcome.values,
    )
    return concluded({name: result}, {}, outcome.notes)
