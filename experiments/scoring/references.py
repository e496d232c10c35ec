"""Systems scored by several references side by side, such as a repaired and an original one."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from alignrank.common.files import plain
from alignrank.common.names import first_of
from alignrank.evaluation import get_measure
from alignrank.experiments.inputs.evaluation_input import EvaluationInput
from alignrank.experiments.presentation.columns import decimals
from alignrank.experiments.report.console import (
    finish,
    print_cautions,
    print_numbers,
    print_prose,
)

from .every_measure import ScoringOptions, score_systems

#: Heading of each value of the standard measure.
HEADINGS = {"precision": "P", "recall": "R", "f1": "F1"}


def score_by_references(inputs: Mapping[str, EvaluationInput], options: ScoringOptions) -> None:
    """Print each system's precision, recall and F1 by every reference, and what order changes.

    Parameters
    ----------
    inputs
        The systems with one of the references, by the reference's name; the first reference
        orders the rows.
    options
        Completeness and the meaning of 0/0.
    """
    scores: dict[str, dict[tuple[str, str], float]] = {}
    cautions = []
    for reference, read in inputs.items():
        scored = score_systems(
            read.systems, read.reference, [get_measure("standard")], read.context, options
        )
        scores[reference] = {(row.system, row.name): row.value for row in scored.values}
        texts = (*(caution.text for caution in read.cautions), *scored.cautions)
        cautions += [f"{reference}: {text}" for text in texts]
    usable = set.intersection(*(set(read.systems) for read in inputs.values()))
    first, *further = scores
    systems = sorted(usable, key=lambda name: (-scores[first][name, "f1"], name))
    header = [f"{title} {name}" for name in scores for title in HEADINGS.values()]
    rows = [
        [system, *(decimals(scores[name][system, key]) for name in scores for key in HEADINGS)]
        for system in systems
    ]
    changes = [
        f"{better} before {worse} by {first}, behind it by {reference}"
        for reference in further
        for better, worse in combinations(systems, 2)
        if scores[first][better, "f1"] > scores[first][worse, "f1"]
        and scores[reference][better, "f1"] < scores[reference][worse, "f1"]
    ]
    answer = "The order of the systems by F1 is the same by each reference."
    if changes:
        answer = f"The order by F1 differs: {first_of(changes, 3, '; ')}."
    print_prose(answer)
    print_numbers(["system", *header], rows)
    print_cautions(cautions)
    by_reference = {
        name: {system: {key: scores[name][system, key] for key in HEADINGS} for system in systems}
        for name in scores
    }
    finish(plain({"references": by_reference, "order_changes": changes, "cautions": cautions}))
