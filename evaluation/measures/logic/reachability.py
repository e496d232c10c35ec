"""Two ontologies merged by an alignment: entailments by reachability, and their credits."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from alignrank.evaluation.credit.counts import without_unknown
from alignrank.evaluation.credit.credits import Credits, standard
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.loading.merging import statements
from alignrank.ontologies.ontology import Kind, Ontology


class Link(NamedTuple):
    """A link to an entity, and the correspondence that it comes from (None: an ontology's own)."""

    to: str
    by: Correspondence | None = None


class _DisjointEntities(NamedTuple):
    """Disjoint entities (or a single empty one), and the correspondence that states it, if any."""

    members: frozenset[str]
    by: Correspondence | None


class Merged:
    """Entailments of O1 ∪ O2 ∪ A about named entities, as far as reachability finds them.

    Subsumption is reachability over asserted super-entities, equivalences, types and the
    alignment's ``=``, ``<``, ``>``, ``InstanceOf`` and ``HasInstance``. A class or property is
    empty, and below every other, if two of its ancestors are declared disjoint or one is declared
    empty. This is sound, and complete for ontologies without other axioms; a reasoner may find
    more.

    Parameters
    ----------
    source, target
        The ontologies. An IRI that both declare is one entity.
    alignment
        A correspondence without a meaning (`alignrank.ontologies.loading.merging.statements`:
        entities of
        different kinds, ``<`` between individuals, ``?``) adds nothing and is never entailed.

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

    #: Name of the reasoner that finds the entailments.
    reasoner = "reachability"
    #: Why something may be missing, where it is not for the lack of a reasoner.
    cautions: tuple[str, ...] = ()

    def __init__(self, source: Ontology, target: Ontology, alignment: Alignment) -> None:
        self.source = source
        self.target = target
        self.links: dict[str, list[Link]] = defaultdict(list)
        self._disjoint: dict[str, list[_DisjointEntities]] = defaultdict(list)
        for ontology in (source, target):
            for above in (ontology.parents, ontology.types):
                for iri, upper in above.items():
                    self.links[iri].extend(Link(u) for u in upper)
            for first, second in ontology.equivalents:
                self.links[first].append(Link(second))
                self.links[second].append(Link(first))
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
        group = _DisjointEntities(frozenset(members), by)
        for member in group.members:
            self._disjoint[member].append(group)

    def above(self, entity: str) -> frozenset[str]:
        """Return the entity and all its super-entities."""
        if entity in self._above:
            return self._above[entity]
        reached = {entity}
        stack = [entity]
        while stack:
            for upper, _ in self.links.get(stack.pop(), ()):
                if upper in reached:
                    continue
                if upper in self._above:
                    reached |= self._above[upper]
                else:
                    reached.add(upper)
                    stack.append(upper)
        self._above[entity] = frozenset(reached)
        return self._above[entity]

    def kinds(self, c: Correspondence) -> tuple[Kind | None, Kind | None]:
        """Return the kinds of the two entities, None for one that is not declared."""
        return _kind(self.source, c.entity1), _kind(self.target, c.entity2)

    def translatable(self, c: Correspondence) -> bool:
        """Return whether a correspondence has a meaning; unknown entities fit any kind."""
        return bool(statements(c, self.kinds(c)))

    def clashes(self, entity: str) -> Iterator[tuple[str, Link]]:
        """Yield the pairs of disjoint classes above an entity, each pair in both orders."""
        above = self.above(entity)
        for upper in above & self._disjoint.keys():
            for link in self._disjoint_links(upper, above):
                yield upper, link

    def _disjoint_links(self, entity: str, entities: frozenset[str]) -> Iterator[Link]:
        """Yield the links from an entity to the entities that are disjoint with it."""
        for members, by in self._disjoint.get(entity, ()):
            for member in members & entities:
                if member != entity or len(members) == 1:
                    yield Link(member, by)

    @cached_property
    def empty(self) -> frozenset[str]:
        """Classes and properties below two disjoint ones, or below an empty one."""
        entities = self._named(Kind.CLASS) | self._named(Kind.PROPERTY)
        return frozenset(entity for entity in entities if any(self.clashes(entity)))

    @cached_property
    def unsatisfiable(self) -> frozenset[str]:
        """Named classes that cannot have an instance."""
        return self._named(Kind.CLASS) & self.empty

    @cached_property
    def inconsistent(self) -> bool:
        """Whether an individual has two disjoint types, or differs from itself: all follows."""
        return any(any(self.clashes(i)) for i in self._named(Kind.INDIVIDUAL))

    def causes(self) -> dict[str, frozenset[Correspondence]]:
        """Return for each unsatisfiable class the fewest correspondences that make it so."""
        return {broken: self._cause(broken) for broken in self.unsatisfiable}

    def _cause(self, broken: str) -> frozenset[Correspondence]:
        """Return the fewest correspondences on two paths from a class up to two disjoint ones."""
        cost = {broken: 0}
        last = dict[str, tuple[str, Correspondence | None]]()
        queue = deque([broken])
        while queue:
            node = queue.popleft()
            for above, by in self.links.get(node, ()):
                total = cost[node] + (by is not None)
                if total < cost.get(above, total + 1):
                    cost[above] = total
                    last[above] = (node, by)
                    # links of an ontology cost nothing, so the queue ascends in cost
                    if by is None:
                        queue.appendleft(above)
                    else:
                        queue.append(above)

        def cost_of_clash(clash: tuple[str, Link]) -> tuple[int, str, str]:
            first, link = clash
            return cost[first] + cost[link.to], first, link.to

        first, (second, by) = min(self.clashes(broken), key=cost_of_clash)
        used = {by}
        for node in (first, second):
            while node != broken:
                node, by = last[node]
                used.add(by)
        return frozenset(c for c in used if c is not None)

    def _named(self, kind: Kind) -> frozenset[str]:
        """Return the IRIs of both ontologies' entities of a kind."""
        entities = *self.source.of_kind(kind), *self.target.of_kind(kind)
        return frozenset(entity.iri for entity in entities)

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
        if self.inconsistent or not self.empty.isdisjoint(c.pair):
            return True
        above = self.above(c.entity2)
        return any(any(self._disjoint_links(upper, above)) for upper in self.above(c.entity1))

    @cached_property
    def closure(self) -> Alignment:
        """All ``<``, ``>`` and ``=`` between a class of each ontology that follow.

        Only by reachability: an unsatisfiable class is not below all others here.
        """
        correspondences = []
        for entity in self.source.of_kind(Kind.CLASS):
            lower = entity.iri
            for upper in self.above(lower) - {lower}:
                if upper in self.target:
                    correspondences.append(Correspondence(lower, upper, "<"))
                    if lower in self.above(upper):
                        correspondences.append(Correspondence(lower, upper, "="))
        for entity in self.target.of_kind(Kind.CLASS):
            lower = entity.iri
            for upper in self.above(lower) - {lower}:
                if upper in self.source:
                    correspondences.append(Correspondence(upper, lower, ">"))
        return Alignment(correspondences)


def _kind(ontology: Ontology, iri: str) -> Kind | None:
    entity = ontology.entities.get(iri)
    return entity.kind if entity else None


#: `Merged`, cached: several measures need the same.
merge = lru_cache(maxsize=8)(Merged)


def _cautions(by_alignment: Merged, by_reference: Merged) -> tuple[str, ...]:
    """Return a sentence for each alignment under which too much follows."""
    cautions = []
    for name, value, merged in (
        ("alignment", "recall", by_alignment),
        ("reference", "precision", by_reference),
    ):
        if merged.inconsistent:
            cautions.append(
                f"The {name} makes the ontologies inconsistent: it entails everything, and "
                f"semantic {value} is 1 for that reason alone."
            )
        elif merged.unsatisfiable:
            cautions.append(
                f"Under the {name} {len(merged.unsatisfiable)} classes are unsatisfiable: they are "
                f"below every class, which raises semantic {value}."
            )
    return tuple(cautions)


def semantic(
    alignment: Alignment,
    reference: Alignment,
    source: Ontology,
    target: Ontology,
    *,
    entailment: Callable[[Ontology, Ontology, Alignment], Merged] = merge,
) -> Credits:
    r"""Return semantic precision and recall: a correspondence that follows counts as found.

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
        1 for each correspondence that the other alignment entails; cautions name alignments that
        entail too much.

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
    evaluated = without_unknown(alignment, reference)
    by_alignment = entailment(source, target, evaluated.alignment)
    by_reference = entailment(source, target, evaluated.reference)
    return Credits.unweighted(
        evaluated.alignment,
        evaluated.reference,
        [by_reference.entails(c) for c in evaluated.alignment],
        [by_alignment.entails(c) for c in evaluated.reference],
        _cautions(by_alignment, by_reference),
    )


def closed(
    alignment: Alignment, reference: Alignment, source: Ontology, target: Ontology
) -> Credits:
    """Return the credits of the closures of both alignments.

    The "ideal" variant: precision and recall of the closures Cn(A) and Cn(R), restricted to
    correspondences of named classes, which keeps them finite (Fleischhacker & Stuckenschmidt 2009).
    An equivalence counts as ``=``, ``<`` and ``>``.
    """
    evaluated = without_unknown(alignment, reference)
    by_alignment = merge(source, target, evaluated.alignment)
    by_reference = merge(source, target, evaluated.reference)
    earned = standard(by_alignment.closure, by_reference.closure)
    return replace(earned, cautions=_cautions(by_alignment, by_reference))
