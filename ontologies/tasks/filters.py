"""What of an alignment is judged: a track's own rule, or one by relation, namespace and kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from alignrank.common.errors import OntologyError
from alignrank.common.names import refuse_unknown
from alignrank.ontologies.alignment import RELATIONS, Alignment, Correspondence
from alignrank.ontologies.ontology import Kind, Ontology

from .catalogue import filter_rules


@dataclass(frozen=True)
class Filter:
    """A rule that leaves correspondences out before anything is counted.

    Parameters
    ----------
    name
        What it is called on the command line.
    relations
        Relations that stay; empty: all.
    without
        Beginnings of IRIs: a correspondence with such an entity goes.
    kinds
        Kinds of which both entities must be; empty: any. The reference is cut to them too.
    """

    name: str
    relations: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()

    def keeps(self, c: Correspondence, kinds: Mapping[str, Kind]) -> bool:
        """Whether a system's correspondence stays; `kinds` are those of all known entities."""
        return (
            (not self.relations or c.relation in self.relations)
            and not any(entity.startswith(self.without) for entity in c.pair)
            and self.fits(c, kinds)
        )

    def fits(self, c: Correspondence, kinds: Mapping[str, Kind]) -> bool:
        """Whether a correspondence's entities are of the filter's kinds."""
        return not self.kinds or all(kinds.get(entity) in self.kinds for entity in c.pair)


@cache
def filters() -> dict[str, Filter]:
    """Return the tracks' filters of the catalogue, by name.

    Examples
    --------
    >>> filters()["oaei-anatomy"].relations
    ('=',)
    """
    return {
        name: Filter(
            name,
            tuple(rule.get("relations", ())),
            tuple(rule.get("without", ())),
            tuple(Kind(kind) for kind in rule.get("kinds", ())),
        )
        for name, rule in filter_rules().items()
    }


def read_filter(text: str) -> Filter:
    """Return a filter by its name, or by what it keeps.

    Parameters
    ----------
    text
        A name of `filters`, ``relation=R`` or ``kind=K`` (what stays), or ``without=IRI`` (entities
        that begin so go).

    Raises
    ------
    OntologyError
        If there is no such filter, relation or kind.

    Examples
    --------
    >>> read_filter("relation==").relations, read_filter("kind=class").kinds
    (('=',), (<Kind.CLASS: 'class'>,))
    """
    what, sign, value = text.partition("=")
    if not sign:
        refuse_unknown("--filter", text, filters(), OntologyError)
        return filters()[text]
    refuse_unknown("--filter", what, ("relation", "kind", "without"), OntologyError)
    if what == "relation":
        refuse_unknown("--filter relation", value, sorted(RELATIONS), OntologyError)
        return Filter(text, relations=(value,))
    if what == "kind":
        refuse_unknown("--filter kind", value, [str(kind) for kind in Kind], OntologyError)
        return Filter(text, kinds=(Kind(value),))
    return Filter(text, without=(value,))


def filtered(
    systems: Mapping[str, Alignment],
    reference: Alignment,
    rules: Sequence[Filter],
    ontologies: Iterable[Ontology | None] = (),
) -> tuple[dict[str, Alignment], Alignment, list[str]]:
    """Return systems and reference without what the filters leave out, and how much that is.

    Parameters
    ----------
    systems, reference
        Alignments by system, and what is right.
    rules
        Filters; a correspondence stays if all keep it.
    ontologies
        Source and target: a filter by kind needs both.

    Raises
    ------
    OntologyError
        If a filter is by kind and an ontology is missing, or nothing is left of the reference.
    """
    loaded = [ontology for ontology in ontologies if ontology is not None]
    kinds = {entity.iri: entity.kind for ontology in loaded for entity in ontology}
    if len(loaded) < 2 and any(rule.kinds for rule in rules):
        raise OntologyError(
            "--filter by kind needs both ontologies: give --source and --target, or a task by name "
            "(compare, score, gate --task); a folder of references has none"
        )
    kept = {
        name: system.where(lambda c: all(rule.keeps(c, kinds) for rule in rules))
        for name, system in systems.items()
    }
    judge = reference.where(lambda c: all(rule.fits(c, kinds) for rule in rules))
    if not judge:
        raise OntologyError(f"the filters leave nothing of the reference {reference.path}")
    left_out = {name: len(systems[name]) - len(kept[name]) for name in systems}
    left_out["the reference"] = len(reference) - len(judge)
    return kept, judge, [told(rules, left_out)] if any(left_out.values()) else []


def told(rules: Sequence[Filter], left_out: Mapping[str, int]) -> str:
    """Say how many correspondences of each system the filters leave out.

    Examples
    --------
    >>> told([filters()["oaei-anatomy"]], {"LogMap": 10, "FCA_Map": 0})
    'oaei-anatomy leaves out correspondences: 10 of LogMap'
    """
    counts = ", ".join(f"{n} of {name}" for name, n in left_out.items() if n)
    what = f"correspondences: {counts}" if counts else "nothing"
    return f"{', '.join(rule.name for rule in rules)} leaves out {what}"
