"""Near misses: what relaxed measures credit although it is not quite right, and why."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.measures.context import Context
from evaluation.measures.registry import Measure
from evaluation.measures.relaxed.near_pairs import TargetSimilarity
from evaluation.measures.relaxed.proximity import PROXIMITIES, Proximity
from evaluation.measures.relaxed.relaxed import relaxed
from ontologies import Alignment


@dataclass(frozen=True)
class NearMiss:
    """A found correspondence, the correct one that it is credited for, and what separates them.

    ``link`` leads from the found pair to the correct one, as in
    `evaluation.measures.relaxed.relaxed.Match`.
    """

    system: str
    measure: str
    entity1: str
    entity2: str
    relation: str
    correct1: str
    correct2: str
    correct_relation: str
    proximity: float
    link: str


@dataclass(frozen=True)
class RelaxedMeasure(Measure):
    """A relaxed measure with a proximity of one's own."""

    proximity: Proximity = PROXIMITIES["symmetric"]


def relaxed_measure(proximity: Proximity) -> RelaxedMeasure:
    """Return the relaxed measure of a proximity, called ``relaxed-NAME``."""
    return RelaxedMeasure(
        f"relaxed-{proximity.name}",
        "near misses, by weights of your own",
        ("precision", "recall", "f1"),
        lambda a, r, context: relaxed(a, r, *context.hierarchies, proximity).credits,
        proximity=proximity,
    )


def near_misses(
    system: str, measure: Measure, alignment: Alignment, reference: Alignment, context: Context
) -> list[NearMiss]:
    """Return the near misses of one system under one measure; none if the measure is not relaxed.

    Parameters
    ----------
    system
        Its name.
    measure
        Any measure; of ``relaxed-oriented`` the near misses are those of its precision.
    alignment, reference, context
        What the measure judges.
    """
    proximity = _proximity(measure, context)
    if proximity is None:
        return []
    matches = relaxed(alignment, reference, *context.hierarchies, proximity).near_misses
    return [
        NearMiss(system, measure.name, *m.found.key, *m.correct.key, m.proximity, m.link)
        for m in matches
    ]


def _proximity(measure: Measure, context: Context) -> str | Proximity | TargetSimilarity | None:
    if isinstance(measure, RelaxedMeasure):
        return measure.proximity
    kind, _, name = measure.name.partition("-")
    if kind != "relaxed":
        return None
    if name == "bdm":
        return context.balanced_distance
    return context.learning_accuracy if name == "learning-accuracy" else name
