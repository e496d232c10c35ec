"""What can be matched: the entities of two ontologies by kind, with their prepared names."""

from __future__ import annotations

from dataclasses import dataclass

from alignrank.common.errors import MatcherError
from alignrank.common.table import Tabular
from alignrank.matchers.evidence.own import KindCandidates, Side
from alignrank.ontologies.ontology import Kind, Ontology

from . import settings as labels
from .settings import Settings


@dataclass(frozen=True)
class Candidates(Tabular):
    """Two ontologies prepared for matching; prepared once, for any number of metrics.

    Entities are in the order of their IRIs, so that nothing that follows depends on the order of
    the files: this is what decides among several optimal assignments.

    Parameters
    ----------
    groups
        By kind.
    settings
        How they were prepared, and are to be matched.
    ontology1, ontology2
        IRIs of the ontologies.
    """

    groups: tuple[KindCandidates, ...]
    settings: Settings
    ontology1: str = ""
    ontology2: str = ""

    @property
    def pairs(self) -> int:
        """Number T of candidate pairs, the sum of n * m over the kinds."""
        return sum(group.pairs for group in self.groups)

    @property
    def nameless(self) -> tuple[int, int]:
        """Number of source and of target entities that are left out for want of a name."""
        sides = [(group.source.nameless, group.target.nameless) for group in self.groups]
        return sum(source for source, _ in sides), sum(target for _, target in sides)


def prepare(source: Ontology, target: Ontology, settings: Settings | None = None) -> Candidates:
    """Return what can be matched: entities by kind, with their prepared names.

    Parameters
    ----------
    source, target
        The two ontologies.
    settings
        How to match; None for the defaults.

    Raises
    ------
    MatcherError
        If no kind that is asked for has named entities on both sides, or labels state their
        languages and none of those asked for is among them.

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
    _check_languages(settings, source, target)
    kinds = [
        kind
        for kind in source.kinds
        if kind in target.kinds and (settings.kinds is None or kind in settings.kinds)
    ]
    groups = tuple(
        KindCandidates(kind, _side(source, kind, settings), _side(target, kind, settings))
        for kind in kinds
    )
    candidates = Candidates(groups, settings, source.iri, target.iri)
    if candidates.pairs == 0:
        asked = "" if settings.kinds is None else f" of kind {', '.join(settings.kinds)}"
        raise MatcherError(
            f"nothing can be matched: the source has {_census(source)}, the target "
            f"{_census(target)}, and no named entities{asked} are on both sides"
        )
    return candidates


def _check_languages(settings: Settings, *ontologies: Ontology) -> None:
    if settings.langs is None or "" in settings.langs:  # labels without a language are kept
        return
    known = {
        name.lang.lower()
        for ontology in ontologies
        for entity in ontology
        for name in (*entity.labels, *entity.synonyms)
        if name.lang
    }
    wanted = {lang.lower() for lang in settings.langs}
    if known and not wanted & (known | {lang.split("-")[0] for lang in known}):
        asked = " or ".join(map(repr, settings.langs))
        raise MatcherError(f"no label is in {asked}: there are {', '.join(sorted(known))}")


def _side(ontology: Ontology, kind: Kind, settings: Settings) -> Side:
    entities = ontology.of_kind(kind)
    iris, names = [], []
    for entity in entities:
        texts = entity.names(synonyms=settings.synonyms, langs=settings.langs)
        prepared = dict.fromkeys(labels.prepare(text, settings.labels) for text in texts)
        kept = tuple(name for name in prepared if name.strip())
        if kept:
            iris.append(entity.iri)
            names.append(kept)
    return Side(tuple(iris), tuple(names), ontology, nameless=len(entities) - len(iris))


def _census(ontology: Ontology) -> str:
    counts = [f"{len(ontology.of_kind(kind))} of kind {kind}" for kind in ontology.kinds]
    return ", ".join(counts) or "no entities"
