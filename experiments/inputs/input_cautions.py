"""Cautions on the ontologies and the reference behind a result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from alignrank.common.errors import Argument, Message
from alignrank.common.names import count, one_line
from alignrank.common.results import Caution
from alignrank.experiments.errors import ExperimentError
from alignrank.ontologies import Alignment, Kind, Ontology
from alignrank.ontologies.ontology import left_out_cautions, shared_entities
from alignrank.ontologies.tasks.filters import Filter

if TYPE_CHECKING:  # `compare` and `study` match nothing
    from alignrank.matchers import Candidates, Settings


def check_reference(reference: Alignment, source: Ontology, target: Ontology) -> list[Caution]:
    """Return a sentence on each side whose entities the ontologies do not all hold.

    Raises
    ------
    ExperimentError
        If a side's entities are all missing: the message says how many there are, and whether
        swapping source and target would mend it.
    """
    cautions = []
    sides = (
        ("entity1", {c.entity1 for c in reference}, source, "source"),
        ("entity2", {c.entity2 for c in reference}, target, "target"),
    )
    lost = {role: entities - ontology.entities.keys() for role, entities, ontology, _ in sides}
    if any(len(lost[role]) == len(entities) for role, entities, _, _ in sides):
        turned = sum(c.entity1 in target and c.entity2 in source for c in reference)
        counts = " and ".join(
            f"{len(entities) - len(lost[role])} of its {len(entities)} {role} entities are in "
            f"the {side} {ontology.path}"
            for role, entities, ontology, side in sides
        )
        hint = "swapping source and target would not mend it: are these the right files?"
        if turned:
            hint = f"swapping source and target mends it ({turned} of {len(reference)} then fit)"
        raise ExperimentError(f"the reference {reference.path} does not fit: {counts}; {hint}")
    for role, entities, ontology, side in sides:
        if lost[role]:
            text = (
                f"{len(lost[role])} of the reference's {len(entities)} {role} entities are not in "
                f"the {side} {ontology.path} (first: {min(lost[role])}): nobody can find them"
            )
            cautions.append(Caution("reference-outside", text))
    return cautions


def ontology_cautions(*ontologies: Ontology) -> list[Caution]:
    """Return a sentence on everything that is not in the ontologies though it might be."""
    cautions: list[Caution] = []
    for ontology in ontologies:
        cautions += (Caution("mended", text) for text in ontology.mended)
        cautions += (
            Caution("left-out", f"{ontology.path}: {text}")
            for text in left_out_cautions(ontology.left_out)
        )
        if ontology.missing_imports:
            missing = ", ".join(map(one_line, ontology.missing_imports))
            text = Message(
                f"{ontology.path}: imports not found locally: {missing} (give a folder of files "
                "with ",
                Argument("imports"),
                ")",
            )
            cautions.append(Caution("imports-missing", text))
    return cautions


def evaluated_kinds(
    settings: Settings, rule: Filter | None, ontologies: Iterable[Ontology]
) -> tuple[Settings, int]:
    """Return settings that match only the kinds that a track evaluates, and the number of others.

    Kinds that the user has named stay.
    """
    if rule is None or not rule.kinds or settings.kinds:
        return settings, 0
    left_out = sum(entity.kind not in rule.kinds for ontology in ontologies for entity in ontology)
    return replace(settings, kinds=rule.kinds), left_out


def left_out_kinds(left_out: int) -> list[Caution]:
    """Return a sentence on the entities that `evaluated_kinds` leaves out."""
    if not left_out:
        return []
    fact = f"{count(left_out, 'entity')} of kinds that the track does not judge: not matched"
    return [Caution("not-judged", Message(f"{fact} (", Argument("kinds"), " names others)"))]


def without_shared(
    settings: Settings, reference: Alignment, source: Ontology, target: Ontology
) -> tuple[Settings, list[Caution]]:
    """Return settings that leave entities of one IRI on both sides out of the ranking.

    Where the reference holds a pair of one IRI, all entities stay.
    """
    shared = shared_entities(source, target)
    if not shared or any(c.entity1 == c.entity2 for c in reference):
        return settings, []
    entities = count(len(shared), "entity")
    text = f"{entities} with the same IRI on both sides: left out of the ranking"
    return replace(settings, shared="drop"), [Caution("shared", text)]


def out_of_reach(
    references: Iterable[tuple[Alignment, Ontology]], settings: Settings
) -> list[Caution]:
    """Return a sentence on the correspondences of references that no metric can find.

    Parameters
    ----------
    references
        Each with its task's source ontology.
    settings
        Which kinds are matched.
    """
    resolved = [
        (c, source.entities.get(c.entity1))
        for reference, source in references
        for c in reference
        if c.relation != "?"
    ]
    other_relations = sum(c.relation != "=" for c, _ in resolved)
    kinds = settings.kinds or tuple(Kind)
    foreign = sum(entity is not None and entity.kind not in kinds for _, entity in resolved)
    cautions = []
    if other_relations:
        text = (
            f"{other_relations} of {count(len(resolved), 'reference correspondence')} have another "
            "relation than =. Metrics find only =, so these count as missed, and = in their place "
            "counts as wrong"
        )
        cautions.append(Caution("out-of-reach", text))
    if foreign:
        text = (
            f"{foreign} of {count(len(resolved), 'reference correspondence')} are not of kind "
            f"{' or '.join(kinds)}, and count as missed: recall cannot reach 1"
        )
        cautions.append(Caution("out-of-reach", text))
    return cautions


def nameless_cautions(candidates: Candidates) -> list[Caution]:
    """Return a sentence on each side that has entities without a name."""
    return [
        Caution(
            "left-out", f"{count(nameless, f'{side} entity')} without a name to match by: left out"
        )
        for side, nameless in zip(("source", "target"), candidates.nameless, strict=True)
        if nameless
    ]
