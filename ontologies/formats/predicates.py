"""The predicates that state correspondences, and which of them count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from alignrank.common.errors import AlignmentError
from alignrank.ontologies.alignment import PREDICATE, Alignment, Correspondence
from alignrank.ontologies.ontology import local_name

from .cells import PREDICATES
from .curies import UnknownPrefix, expand
from .sssom_writing import declared_prefixes


def predicate_of(c: Correspondence) -> str:
    """Return the IRI of the predicate that states a correspondence, '' where there is none.

    Examples
    --------
    >>> predicate_of(Correspondence("a#x", "b#y", "="))
    'http://www.w3.org/2004/02/skos/core#exactMatch'
    """
    if c.stated_relation is not None:
        return c.stated_relation
    return dict(c.extra).get(PREDICATE) or PREDICATES.get(c.relation, "")


def counts_by_predicate(alignment: Alignment) -> Counter[str]:
    """Return the number of correspondences of each predicate, by its CURIE."""
    prefixes = declared_prefixes(alignment)
    predicates = filter(None, map(predicate_of, alignment))
    return Counter(prefixes.curie(predicate) for predicate in predicates)


def as_equivalences(alignment: Alignment, predicates: Sequence[str]) -> Alignment:
    """Return the alignment where chosen predicates of no known relation state ``=``.

    Parameters
    ----------
    alignment
        As it was read.
    predicates
        As IRIs, CURIEs or last parts of IRIs: ``skos:closeMatch`` or ``closeMatch``.
    """
    return _replaced(alignment, predicates, only=False)


def judged_by(reference: Alignment, predicates: Sequence[str]) -> Alignment:
    """Return the reference where only chosen predicates count.

    A chosen predicate of no known relation states ``=``; what another predicate states is ``?``,
    not judged.

    Parameters
    ----------
    reference
        As it was read.
    predicates
        As IRIs, CURIEs or last parts of IRIs: ``skos:closeMatch`` or ``closeMatch``.

    Raises
    ------
    AlignmentError
        If no correspondence has one of the predicates; the message names those that there are.

    Examples
    --------
    >>> close = Correspondence("a#x", "b#x", "?", stated_relation="http://e.org#closeMatch")
    >>> reference = Alignment([close, Correspondence("a#y", "b#y")])
    >>> [c.relation for c in judged_by(reference, ["closeMatch"])]
    ['=', '?']
    """
    for name in predicates:
        if not any(_matching(reference, [name])):
            listed = ", ".join(
                f"{p} ({n})" for p, n in counts_by_predicate(reference).most_common()
            )
            raise AlignmentError(
                f"predicates={name}: no correspondence of {reference.path} has this predicate: it "
                f"has {listed or 'none'}"
            )
    return _replaced(reference, predicates, only=True)


def _matching(alignment: Alignment, names: Sequence[str]) -> Iterator[bool]:
    """Yield for each correspondence whether its predicate is one of those that are named."""
    prefixes = declared_prefixes(alignment).namespaces
    wanted = set(names)
    for name in names:
        try:
            wanted.add(expand(name, prefixes))
        except UnknownPrefix:
            continue
    for c in alignment:
        predicate = predicate_of(c)
        yield bool(predicate) and (predicate in wanted or local_name(predicate) in wanted)


def _replaced(alignment: Alignment, names: Sequence[str], *, only: bool) -> Alignment:
    """Return the alignment with the relations that the chosen predicates give it."""
    correspondences = []
    for c, is_chosen in zip(alignment, _matching(alignment, names), strict=True):
        relation = c.relation
        if is_chosen and relation == "?":
            relation = "="
        elif only and not is_chosen:
            relation = "?"
        if relation != c.relation:
            c = replace(c, relation=relation, stated_relation=predicate_of(c) or None)
        correspondences.append(c)
    chosen = alignment.with_correspondences(correspondences)
    chosen.notes = alignment.notes
    return chosen
