"""Two ontologies merged by an alignment: what follows by reachability counts as found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from alignrank.evaluation.credit.counts import judged
from alignrank.evaluation.credit.credits import Credits, standard
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.merging import statements
from alignrank.ontologies.ontology import Kind, Ontology


class Link(NamedTuple):
    """A link to an entity, and the correspondence that it comes from (None: an ontology's own)."""

    to: str
    by: Correspondence | None = None


class _Group(NamedTuple):
    """Entities that are disjoint one with another, or one with itself; and who says so."""

    members: frozenset[str]
    by: Correspondence | None


class Merged:
    """What O1 ∪ O2 ∪ A entails about named entities, as far as reachability tells.

    Subsumption is reachability over asserted super-entities, equivalences, types and the
    alignment's ``=``, ``<``, ``>``, ``InstanceOf`` and ``HasInstance``; a class or property with
    two ancestors that are declared disjoint, or with one that is stated to be empty, is empty and
    below every other. That is sound, and complete for ontologies that hold no other axioms; a
    reasoner may find more.

    Parameters
    ----------
    source, target
        The ontologies. An IRI that both declare is one entity.
    alignment
        What says nothing (`alignrank.ontologies.merging.statements`: entities of different kinds,
        ``<`` between individuals, ``?``) adds nothing and is never entailed.

    Examples
    --------
    >>> from alignrank.ontologies.ontology import Entity
    >>> def taxonomy(*chain):
    ...     entities = {c: Entity(c, Kind.CLASS) for c in chain}
    ...     return Ontology("", entities, parents={a: (b,) for a, b in zip(chain, chain[1:])})
    >>> one, two, a = taxonomy("A", "B"), taxonomy("x", "y"), Alignment([Correspondence("B", "x")])
    >>> merged = Merged(one, two, a)
    >>> merged.entails(Correspondence("A", "y", "<")), merged.entails(Correspondence("A", "y"))
    (True, False)
    """

    def __init__(self, source: Ontology, target: Ontology, alignment: Alignment) -> None:
        self.source = source
        self.target = target
        self.links: dict[str, list[Link]] = defaultdict(list)
        self._disjoint: dict[str, list[_Group]] = defaultdict(list)
        for ontology in (source, target):
            for above in (ontology.parents, ontology.types):
                for iri, upper in above.items():
                    self.links[iri].extend(Link(u) for u in upper)
            for one, two in ontology.equivalents:
                self.links[one].append(Link(two))
                self.links[two].append(Link(one))
            for group in (*ontology.disjoints, *((iri,) for iri in ontology.empty)):
                self._keep_apart(group)
        for c in alignment:
            if not self.translatable(c):
                continue
            if c.relation in ("=", "<", "InstanceOf"):
                self.links[c.entity1].append(Link(c.entity2, c))
            if c.relation in ("=", ">", "HasInstance"):
                self.links[c.entity2].append(Link(c.entity1, c))
            if c.relation == "%":
                self._keep_apart(c.pair, c)
        self._above: dict[str, frozenset[str]] = {}

    def _keep_apart(self, members: Iterable[str], by: Correspondence | None = None) -> None:
        group = _Group(frozenset(members), by)
        for one in group.members:
            self._disjoint[one].append(group)

    def above(self, entity: str) -> frozenset[str]:
        """Return all that the entity is, itself included."""
        if entity in self._above:
            return self._above[entity]
        found, stack = {entity}, [entity]
        while stack:
            for other, _ in self.links.get(stack.pop(), ()):
                if other not in found:
                    if other in self._above:
                        found |= self._above[other]
                    else:
                        found.add(other)
                        stack.append(other)
        self._above[entity] = frozenset(found)
        return self._above[entity]

    def kinds(self, c: Correspondence) -> tuple[Kind | None, Kind | None]:
        """Return the kinds of the two entities, None for one that is not declared."""
        one, two = self.source.entities.get(c.entity1), self.target.entities.get(c.entity2)
        return (one.kind if one else None), (two.kind if two else None)

    def translatable(self, c: Correspondence) -> bool:
        """Return whether a correspondence has a meaning; unknown entities fit any kind."""
        return bool(statements(c, self.kinds(c)))

    def clashes(self, entity: str) -> Iterator[tuple[str, Link]]:
        """Generate the pairs of disjoint classes above an entity, each pair in both orders."""
        above = self.above(entity)
        for one in above & self._disjoint.keys():
            for link in self._apart(one, above):
                yield one, link

    def _apart(self, one: str, others: frozenset[str]) -> Iterator[Link]:
        """Generate the links from an entity to those of `others` that are disjoint with it."""
        for members, by in self._disjoint.get(one, ()):
            for other in members & others:
                if other != one or len(members) == 1:
                    yield Link(other, by)

    @cached_property
    def empty(self) -> frozenset[str]:
        """Classes and properties below two disjoint ones, or below what is stated to be empty."""
        kinds = (Kind.CLASS, Kind.PROPERTY)
        return frozenset(e for kind in kinds for e in self._named(kind) if any(self.clashes(e)))

    @cached_property
    def unsatisfiable(self) -> frozenset[str]:
        """Named classes that cannot have an instance."""
        return frozenset(self._named(Kind.CLASS)) & self.empty

    @cached_property
    def inconsistent(self) -> bool:
        """Whether an individual has two disjoint types, or is another than itself: all follows."""
        return any(any(self.clashes(i)) for i in self._named(Kind.INDIVIDUAL))

    def _named(self, kind: Kind) -> Iterator[str]:
        seen: set[str] = set()
        for ontology in (self.source, self.target):
            for entity in ontology.of_kind(kind):
                if entity.iri not in seen:
                    seen.add(entity.iri)
                    yield entity.iri

    def subsumed(self, lower: str, upper: str) -> bool:
        """Return whether `lower` is a sub-entity of `upper`."""
        return upper in self.above(lower) or lower in self.empty or self.inconsistent

    def entails(self, c: Correspondence) -> bool:
        """Return whether a correspondence follows."""
        if not self.translatable(c):
            return False
        if c.relation in ("<", "InstanceOf"):
            return self.subsumed(c.entity1, c.entity2)
        if c.relation in (">", "HasInstance"):
            return self.subsumed(c.entity2, c.entity1)
        if c.relation == "=":
            return self.subsumed(c.entity1, c.entity2) and self.subsumed(c.entity2, c.entity1)
        return self._disjoined(c.entity1, c.entity2)

    def _disjoined(self, one: str, two: str) -> bool:
        if self.inconsistent or {one, two} & self.empty:
            return True
        above = self.above(two)
        return any(True for x in self.above(one) for _ in self._apart(x, above))

    def closure(self) -> Alignment:
        """Return all ``<``, ``>`` and ``=`` between a class of each ontology that follow.

        Only by reachability: an unsatisfiable class does not bring all others with it.
        """
        found = []
        for lower, upper, relation in (
            (self.source, self.target, "<"),
            (self.target, self.source, ">"),
        ):
            for entity in lower.of_kind(Kind.CLASS):
                for other in self.above(entity.iri):
                    if other != entity.iri and other in upper:
                        one, two = (entity.iri, other) if relation == "<" else (other, entity.iri)
                        found.append(Correspondence(one, two, relation))
                        if relation == "<" and entity.iri in self.above(other):
                            found.append(Correspondence(one, two, "="))
        return Alignment(found)


#: `Merged`; the last ones are kept, as several measures ask for the same.
merge = lru_cache(maxsize=8)(Merged)


def _notes(by_alignment: Merged, by_reference: Merged) -> tuple[str, ...]:
    """Return a sentence for each alignment under which too much follows."""
    notes = []
    for name, value, merged in (
        ("alignment", "recall", by_alignment),
        ("reference", "precision", by_reference),
    ):
        if merged.inconsistent:
            notes.append(
                f"The {name} makes the ontologies inconsistent: it entails everything, and "
                f"semantic {value} is 1 for that reason alone."
            )
        elif merged.unsatisfiable:
            notes.append(
                f"Under the {name} {len(merged.unsatisfiable)} classes are unsatisfiable: they are "
                f"below every class, which raises semantic {value}."
            )
    return tuple(notes)


def semantic(
    alignment: Alignment,
    reference: Alignment,
    source: Ontology,
    target: Ontology,
    *,
    entailment: Callable[[Ontology, Ontology, Alignment], Merged] = merge,
) -> Credits:
    r"""Judge an alignment by what it entails and what entails it.

    .. math:: P = |\{a \in A : O_1 \cup O_2 \cup R \models a\}| / |A|, \quad
              R = |\{r \in R : O_1 \cup O_2 \cup A \models r\}| / |R|

    Parameters
    ----------
    alignment, reference
        A and R. Pairs that the reference marks ``?`` leave both.
    source, target
        The two ontologies.
    entailment
        `merge`: reachability between named entities, sound and fast; or `Reasoned`: HermiT, which
        needs Java and the ontologies' files.

    Returns
    -------
    Credits
        1 for each correspondence that the other alignment entails; the cautions say why the values
        may mean nothing.

    References
    ----------
    Euzenat (2007), "Semantic precision and recall for ontology alignment evaluation".

    Examples
    --------
    >>> from alignrank.ontologies import Correspondence, Entity, Kind
    >>> one = Ontology("", {c: Entity(c, Kind.CLASS) for c in "AB"}, parents={"A": ("B",)})
    >>> two = Ontology("", {"x": Entity("x", Kind.CLASS)})
    >>> a, r = Alignment([Correspondence("A", "x", "<")]), Alignment([Correspondence("B", "x")])
    >>> semantic(a, r, one, two).scores()
    PrecisionRecall(precision=1.0, recall=0.0, f1=0.0)
    """
    kept = judged(alignment, reference)
    by_alignment = entailment(source, target, kept.alignment)
    by_reference = entailment(source, target, kept.reference)
    return Credits.unweighted(
        kept.alignment,
        kept.reference,
        [by_reference.entails(c) for c in kept.alignment],
        [by_alignment.entails(c) for c in kept.reference],
        _notes(by_alignment, by_reference),
    )


def closed(
    alignment: Alignment, reference: Alignment, source: Ontology, target: Ontology
) -> Credits:
    """Return the credits of comparing all that either entails between named classes.

    The "ideal" variant: precision and recall of the closures Cn(A) and Cn(R), restricted to
    correspondences of named classes, which keeps them finite (Fleischhacker & Stuckenschmidt 2009).
    An equivalence counts as ``=``, ``<`` and ``>``.
    """
    kept = judged(alignment, reference)
    by_alignment = merge(source, target, kept.alignment)
    by_reference = merge(source, target, kept.reference)
    earned = standard(by_alignment.closure(), by_reference.closure())
    return replace(earned, cautions=_notes(by_alignment, by_reference))
