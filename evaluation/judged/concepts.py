"""Pairs that no judge is asked about: one of their entities is no concept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from alignrank.common.names import count
from alignrank.common.results import Caution
from alignrank.ontologies.alignment import Alignment
from alignrank.ontologies.ontology import Ontology

#: What an entity is that is no concept, by the reason for which the loader leaves it out.
_NOUNS = {
    "vocabulary": "terms of a vocabulary such as oboInOwl",
    "helper": "nodes that only hold synonyms, definitions or references",
    "grouping": "schemes or collections of SKOS",
}


def no_concepts(
    alignments: Mapping[str, Alignment],
    source: Ontology,
    target: Ontology,
    asked: Collection[str] = (),
) -> dict[str, str]:
    """Return the entities that systems match but a judge cannot: the reason by IRI.

    Parameters
    ----------
    alignments
        What each system proposes.
    source, target
        The ontologies.
    asked
        Entities of earlier questions: their answers stay.
    """
    reasons = {}
    for alignment in alignments.values():
        columns = alignment.columns
        for iris, ontology in ((columns.entity1, source), (columns.entity2, target)):
            for iri in set(iris).difference(ontology.entities, asked):
                if reason := ontology.why_no_concept(iri):
                    reasons[iri] = reason
    return reasons


def of_concepts(
    alignments: Mapping[str, Alignment], reasons: Mapping[str, str]
) -> tuple[Mapping[str, Alignment], list[Caution]]:
    """Leave out the pairs whose entities are no concepts, and say how many.

    Parameters
    ----------
    alignments
        What each system proposes.
    reasons
        By entity, as `no_concepts` returns them.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> found = Alignment([Correspondence("a#x", "b#x"), Correspondence("a#y", "b#node")])
    >>> alignments, cautions = of_concepts({"mine": found}, {"b#node": "helper"})
    >>> alignments["mine"].pairs
    {('a#x', 'b#x')}
    >>> print(cautions[0])
    left out, with nodes that only hold synonyms, definitions or references: 1 pair of mine
    """
    if not reasons:
        return alignments, []
    kept = {}
    numbers: dict[str, list[str]] = {}
    for name, alignment in alignments.items():
        columns = alignment.columns
        ends = zip(columns.entity1, columns.entity2, strict=True)
        of_rows = [reasons.get(source) or reasons.get(target, "") for source, target in ends]
        kept[name] = alignment.with_columns(columns.where(not reason for reason in of_rows))
        for reason, number in Counter(filter(None, of_rows)).items():
            numbers.setdefault(reason, []).append(f"{count(number, 'pair')} of {name}")
    cautions = [
        Caution("no-concepts", f"left out, with {_NOUNS[reason]}: {', '.join(of_reason)}")
        for reason, of_reason in sorted(numbers.items())
    ]
    return kept, cautions
