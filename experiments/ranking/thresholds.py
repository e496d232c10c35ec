"""A threshold for every metric and task, chosen on other tasks: never on what it is judged by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.credit.credits import Credits
from experiments.errors import ExperimentError
from matchers import Settings

#: Thresholds to choose from.
GRID = np.linspace(0.0, 1.0, 101)


def f1_by_threshold(earned: Credits) -> NDArray[np.float64]:
    """Return F1 at every threshold of `GRID`: 2 correct / (found + reference).

    Examples
    --------
    >>> from evaluation.credit.credits import standard
    >>> from ontologies import Alignment, Correspondence
    >>> found = Alignment([Correspondence("a", "x", "=", 0.9), Correspondence("b", "y", "=", 0.2)])
    >>> values = f1_by_threshold(standard(found, Alignment([Correspondence("a", "x")])))
    >>> values[[0, 50, 95]].round(3).tolist()
    [0.667, 1.0, 0.0]
    """
    confidence = np.array([c.confidence for c in earned.found])
    kept = confidence[None, :] >= GRID[:, None]
    sizes = kept.sum(axis=1) + earned.reference_weight.sum()
    values: NDArray[np.float64] = 2.0 * (kept @ earned.found_credit) / np.maximum(sizes, 1.0)
    return values


def chosen_elsewhere(
    earned: Mapping[str, Credits], ontologies: Mapping[str, frozenset[str]]
) -> dict[str, float]:
    """Return for each task the threshold with the best mean F1 on other tasks.

    Parameters
    ----------
    earned
        Credits of one metric's uncut alignment, by task; at least two tasks.
    ontologies
        By task: which ontologies it pairs. Where there are tasks that share none of them, only
        those choose; else every other task does.

    Returns
    -------
    dict
        Threshold by task; the lowest of several that are equally good.
    """
    curves = {task: f1_by_threshold(part) for task, part in earned.items()}
    return {task: _best([curves[t] for t in _others(task, ontologies)]) for task in earned}


def check_protocol(settings: Settings) -> None:
    """Raise `ExperimentError` where a threshold that is chosen later cannot cut first."""
    if settings.protocol != "assign-then-cut":
        raise ExperimentError(
            "--threshold best cuts what is assigned: leave --protocol cut-then-assign out"
        )


def without_strangers(ontologies: Mapping[str, frozenset[str]]) -> list[str]:
    """Return the tasks that share an ontology with every other task.

    Examples
    --------
    >>> without_strangers({"a-b": frozenset("ab"), "b-c": frozenset("bc"), "c-d": frozenset("cd")})
    ['b-c']
    """
    return [
        task
        for task, own in ontologies.items()
        if all(own & other for name, other in ontologies.items() if name != task)
    ]


def _others(task: str, ontologies: Mapping[str, frozenset[str]]) -> list[str]:
    others = [t for t in ontologies if t != task]
    strangers = [t for t in others if not ontologies[t] & ontologies[task]]
    return strangers or others


def _best(curves: Sequence[NDArray[np.float64]]) -> float:
    # rounded, so that the order of summation cannot decide between equals
    return float(GRID[int(np.round(np.mean(curves, axis=0), 12).argmax())])
