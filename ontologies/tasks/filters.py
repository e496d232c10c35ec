"""Filters of correspondences: a track's own rule, or one by relation, namespace and kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from alignrank.common.errors import OntologyError
from alignrank.common.names import count, refuse_unknown
from alignrank.ontologies.alignment import RELATIONS, Alignment, RowKey
from alignrank.ontologies.ontology import Kind, Ontology

from .catalogue import data_sets

#: The kinds of the source's and of the target's entities; an entity of both may have two.
Kinds = Sequence[Mapping[str, Kind]]


@dataclass(frozen=True)
class Filter:
    """A rule that leaves correspondences out before anything is counted.

    Parameters
    ----------
    name
        Name on the command line.
    relations
        Relations that stay; empty: all.
    without
        Beginnings of IRIs: a correspondence with such an entity goes.
    kinds
        Kinds of which both entities must be; empty: any. The reference is cut to them too.
    any_relation
        Whether ``<``, ``>`` and ``=`` count as the same, as in Bio-ML; ``?`` stays unknown.
    """

    name: str
    relations: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    any_relation: bool = False

    @property
    def may_change_reference(self) -> bool:
        """Whether a reference may be another one under the filter."""
        return bool(self.kinds or self.any_relation)

    def keeps(self, key: RowKey, kinds: Kinds) -> bool:
        """Whether a system's correspondence stays; `kinds` are those of both sides' entities."""
        entity1, entity2, relation = key
        return (
            (not self.relations or relation in self.relations)
            and not entity1.startswith(self.without)
            and not entity2.startswith(self.without)
            and self.fits(key, kinds)
        )

    def fits(self, key: RowKey, kinds: Kinds) -> bool:
        """Whether a correspondence's entities are of the filter's kinds."""
        if not self.kinds:
            return True
        of_source, of_target = kinds
        return of_source.get(key[0]) in self.kinds and of_target.get(key[1]) in self.kinds


def filters(folders: Iterable[Path] = ()) -> dict[str, Filter]:
    """Return the tracks' filters of the catalogue and of campaigns in folders, by name.

    Examples
    --------
    >>> filters()["oaei-anatomy"].relations
    ('=',)
    """
    by_name = {}
    for campaign in data_sets(folders).values():
        if rule := campaign.rule:
            name, kinds = f"oaei-{campaign.name}", tuple(map(Kind, rule.get("kinds", ())))
            by_name[name] = Filter(name, rule.get("relations", ()), rule.get("without", ()), kinds)
    return by_name


def read_filter(text: str, folders: Iterable[Path] = ()) -> Filter:
    """Return the filter that a name or a rule describes.

    Parameters
    ----------
    text
        A name of `filters`; ``relation=R`` or ``kind=K``, which stay; ``relation=any``: relations
        do not matter; or ``without=IRI``: entities whose IRI begins so are left out.
    folders
        Data folders whose campaigns may have the filter, too.

    Raises
    ------
    OntologyError
        If there is no such filter, relation or kind.

    Examples
    --------
    >>> read_filter("relation==").relations, read_filter("kind=class").kinds
    (('=',), (<Kind.CLASS: 'class'>,))
    """
    field, sign, value = text.partition("=")
    if not sign:
        by_name = filters(folders)
        refuse_unknown("filter", text, by_name, OntologyError)
        return by_name[text]
    refuse_unknown("filter", field, ("relation", "kind", "without"), OntologyError)
    if text == "relation=any":
        return Filter(text, any_relation=True)
    if field == "relation":
        refuse_unknown("filter by relation", value, ("any", *sorted(RELATIONS)), OntologyError)
        return Filter(text, relations=(value,))
    if field == "kind":
        refuse_unknown("filter by kind", value, [str(kind) for kind in Kind], OntologyError)
        return Filter(text, kinds=(Kind(value),))
    return Filter(text, without=(value,))


def filtered(
    systems: Mapping[str, Alignment],
    reference: Alignment,
    rules: Sequence[Filter],
    ontologies: Iterable[Ontology | None] = (),
) -> tuple[dict[str, Alignment], Alignment, list[str]]:
    """Apply filters to systems and reference; also return a caution on what they leave out.

    Parameters
    ----------
    systems, reference
        Alignments by system, and the reference alignment.
    rules
        Filters; a correspondence stays if all keep it.
    ontologies
        Source and target: a filter by kind needs both.

    Raises
    ------
    OntologyError
        If a filter is by kind and an ontology is missing, or the filtered reference is empty.
    """
    if not rules:
        return dict(systems), reference, []
    loaded = [ontology for ontology in ontologies if ontology is not None]
    kinds = [{entity.iri: entity.kind for entity in ontology} for ontology in loaded]
    if len(loaded) < 2 and any(rule.kinds for rule in rules):
        raise OntologyError(
            "a filter by kind needs both ontologies: give source and target, or a task by name"
        )
    filtered_systems = {}
    left_out = {}
    for name, system in systems.items():
        keys = system.columns.row_keys()
        flags = (all(rule.keeps(key, kinds) for rule in rules) for key in keys)
        alignment = system.with_columns(system.columns.where(flags))
        left_out[name] = len(system) - len(alignment)
        filtered_systems[name] = alignment
    filtered_reference = reference.where(lambda c: all(rule.fits(c.key, kinds) for rule in rules))
    if not filtered_reference:
        raise OntologyError(f"the filters leave nothing of the reference {reference.path}")
    left_out["the reference"] = len(reference) - len(filtered_reference)
    if any(rule.any_relation for rule in rules):
        filtered_systems = {name: _existing(a) for name, a in filtered_systems.items()}
        filtered_reference = _existing(filtered_reference)
    cautions = [left_out_caution(rules, left_out)] if any(left_out.values()) else []
    return filtered_systems, filtered_reference, cautions


def _existing(alignment: Alignment) -> Alignment:
    """Return the alignment with ``=`` in place of ``<`` and ``>``."""
    return alignment.with_correspondences(
        replace(c, relation="=") if c.relation in ("<", ">") else c for c in alignment
    )


#: Systems that a caution names.
_NAMED = 5


def left_out_caution(rules: Sequence[Filter], left_out: Mapping[str, int]) -> str:
    """Return a sentence on how many correspondences of each system the filters leave out.

    Examples
    --------
    >>> left_out_caution([filters()["oaei-anatomy"]], {"LogMap": 10, "FCA_Map": 0})
    'correspondences left out, neither right nor wrong, by the rule oaei-anatomy: 10 of LogMap'
    """
    names = ", ".join(rule.name for rule in rules)
    counts = [f"{n} of {name}" for name, n in left_out.items() if n]
    if not counts:
        return f"the rule {names} leaves out nothing"
    listed = ", ".join(counts[:_NAMED])
    if len(counts) > _NAMED:
        listed += f" and some of {count(len(counts) - _NAMED, 'more system')}"
    return f"correspondences left out, neither right nor wrong, by the rule {names}: {listed}"
