"""Candidates: the entities of two ontologies by kind, with their prepared names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

from alignrank.common.errors import MatcherError
from alignrank.common.table import Tabular
from alignrank.ontologies.curation import NOTHING_DECIDED, Decisions
from alignrank.ontologies.ontology import Kind, Ontology, is_of_vocabulary, shared_entities

from .evidence import KindCandidates, Side
from .settings import Settings
from .settings import prepare as prepare_label


@dataclass(frozen=True)
class Candidates(Tabular):
    """Two ontologies prepared for matching, once for any number of metrics.

    Entities are in the order of their IRIs. This order decides among several optimal assignments,
    which therefore do not depend on the order of entities in the files.

    Parameters
    ----------
    groups
        Candidates by kind.
    settings
        Settings of preparation and matching.
    ontology1, ontology2
        IRIs of the ontologies.
    decisions
        What a person accepted and rejected before.
    """

    groups: tuple[KindCandidates, ...]
    settings: Settings
    ontology1: str = ""
    ontology2: str = ""
    decisions: Decisions = NOTHING_DECIDED

    @property
    def pairs(self) -> int:
        """Number T of candidate pairs, the sum of n * m over the kinds."""
        return sum(group.pairs for group in self.groups)

    @property
    def nameless(self) -> tuple[int, int]:
        """Number of source and of target entities left out because they have no name."""
        source = sum(group.source.nameless for group in self.groups)
        target = sum(group.target.nameless for group in self.groups)
        return source, target


def prepare(
    source: Ontology,
    target: Ontology,
    settings: Settings | None = None,
    decisions: Decisions | None = None,
) -> Candidates:
    """Return the entities that can be matched, by kind, with their prepared names.

    Parameters
    ----------
    source, target
        The two ontologies.
    settings
        How to match; None for the defaults.
    decisions
        What a person accepted and rejected. Accepted correspondences are kept, and their entities
        are matched with no others; rejected pairs are never matched.

    Raises
    ------
    MatcherError
        If none of the kinds has named entities on both sides, or labels state their languages and
        none of `settings.langs` is among them.

    Examples
    --------
    >>> from alignrank.ontologies.ontology import Entity, Kind, Label, Ontology
    >>> def ontology(*entities): return Ontology("", {e.iri: e for e in entities})
    >>> heart = ontology(Entity("a#1", Kind.CLASS, (Label("Heart"),)))
    >>> hearts = ontology(Entity("b#1", Kind.CLASS, (Label("hearts"),)), Entity("b#2", Kind.CLASS))
    >>> candidates = prepare(heart, hearts)
    >>> candidates.pairs, candidates.groups[0].target.names
    (2, (('hearts',), ('2',)))
    """
    settings = settings or Settings()
    decisions = decisions or NOTHING_DECIDED
    _check_languages(settings, source, target)
    shared = frozenset(shared_entities(source, target))
    if not settings.structure:
        source, target = (replace(o, parents={}, links=(), types={}) for o in (source, target))
    groups = []
    for kind in source.kinds:
        if kind in target.kinds and (settings.kinds is None or kind in settings.kinds):
            sides = (
                _side(source, kind, settings, shared),
                _side(target, kind, settings, shared),
            )
            group = KindCandidates(kind, *sides, wordnet=settings.wordnet)
            groups.append(_decided(group, decisions))
    candidates = Candidates(tuple(groups), settings, source.iri, target.iri, decisions)
    if candidates.pairs == 0:
        of_kinds = f" of kind {', '.join(settings.kinds)}" if settings.kinds else ""
        raise MatcherError(
            f"nothing can be matched: the source has {_census(source)}, the target "
            f"{_census(target)}, and no named entities{of_kinds} are on both sides"
        )
    return candidates


def _decided(group: KindCandidates, decisions: Decisions) -> KindCandidates:
    """Return the candidates with the accepted and rejected pairs marked.

    Entities of accepted correspondences are closed: they are matched with no others. A pair that
    was accepted in another relation, such as ``<``, is not equivalent.
    """
    if not decisions.accepted and not decisions.rejected:
        return group
    accepted = {c.pair for c in decisions.accepted if c.relation == "="}
    of_other_relations = {c.pair for c in decisions.accepted} - accepted
    sources = {source for source, _ in accepted}
    targets = {target for _, target in accepted}
    return replace(
        group,
        accepted=group.positions(accepted),
        rejected=group.positions(decisions.denied | of_other_relations),
        closed_rows=frozenset(k for k, iri in enumerate(group.source.iris) if iri in sources),
        closed_columns=frozenset(k for k, iri in enumerate(group.target.iris) if iri in targets),
    )


def _check_languages(settings: Settings, *ontologies: Ontology) -> None:
    """Raise `MatcherError` if labels state languages, but none that the settings select.

    A selected ``en`` also selects the labels of ``en-GB``.
    """
    if settings.langs is None or "" in settings.langs:  # labels without a language are kept
        return
    present = set()
    for entity in chain(*ontologies):
        names = (*entity.labels, *entity.synonyms)
        present |= {name.lang.lower() for name in names if name.lang}
    selected = {lang.lower() for lang in settings.langs}
    without_region = {lang.split("-")[0] for lang in present}
    if present and not selected & (present | without_region):
        langs = " or ".join(map(repr, settings.langs))
        raise MatcherError(f"no label is in {langs}: there are {', '.join(sorted(present))}")


def _side(ontology: Ontology, kind: Kind, settings: Settings, shared: frozenset[str]) -> Side:
    """Return the named entities of one kind in one ontology, with their prepared names."""
    entities = ontology.of_kind(kind)
    if settings.shared == "only":
        entities = [e for e in entities if e.iri in shared]
    if settings.shared == "drop":
        entities = [e for e in entities if e.iri not in shared]
    if settings.shared == "keep":
        entities = [e for e in entities if e.iri not in shared or not is_of_vocabulary(e)]
    iris = []
    names = []
    scopes = []
    for entity in entities:
        scopes_of_texts = entity.scopes(synonyms=settings.synonyms, langs=settings.langs)
        prepared: dict[str, str] = {}
        for text, scope in scopes_of_texts.items():
            name = prepare_label(text, settings.labels)
            if name.strip():
                prepared.setdefault(name, scope)
        if prepared:
            iris.append(entity.iri)
            names.append(tuple(prepared))
            scopes.append(tuple(prepared.values()))
    nameless = len(entities) - len(iris)
    return Side(tuple(iris), tuple(names), ontology, nameless, tuple(scopes))


def _census(ontology: Ontology) -> str:
    """Return the number of entities of each kind, for a message."""
    counts = [f"{len(ontology.of_kind(kind))} of kind {kind}" for kind in ontology.kinds]
    return ", ".join(counts) or "no entities"
