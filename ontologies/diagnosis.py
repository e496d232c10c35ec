"""Diagnosis: why an alignment and the ontologies do not fit together, and safe mends."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from .alignment import Alignment
from .lint import Finding, kinds_differ, note, warning
from .ontology import Entity, Kind, Ontology, local_name, namespace


@dataclass(frozen=True)
class Diagnosis:
    """Findings on ontologies and alignments, and safe mends.

    Parameters
    ----------
    findings
        Warnings and notes: on the ontologies, the reference, then the other alignments.
    mends
        The safe mend of each alignment; false where nothing is mended.
    """

    findings: tuple[Finding, ...]
    mends: tuple[Mend, ...]


def diagnose(source: Ontology, target: Ontology, *alignments: Alignment) -> Diagnosis:
    """Find the reasons why matching or evaluation gives nothing, or too little.

    Parameters
    ----------
    source, target
        The ontologies.
    alignments
        Alignments between them: the reference, then those that it evaluates.

    Returns
    -------
    Diagnosis
        Codes on the ontologies: ``mended``, ``same-ontology``, ``no-labels``, ``languages``,
        ``no-equal-name``, ``missing-import``. On each alignment: ``swapped``, ``scheme`` (http and
        https), ``separator`` (# and /), ``case``, ``encoding`` (percent-encoded or not),
        ``normal-form`` (of Unicode), ``deprecated``, ``no-replacement``, ``other-namespace``,
        ``not-found``, ``kinds-differ``, ``empty``. On one and the reference:
        ``other-relation``, ``nothing-in-common``.

    Notes
    -----
    A mend is safe where an entity that is not in the ontology differs from exactly one that is, by
    nothing but scheme, separator, case of the namespace, percent-encoding or Unicode's normal form;
    and where the ontology says what replaces a deprecated entity.

    Examples
    --------
    >>> from alignrank.ontologies import Correspondence, Entity, Kind
    >>> def ontology(*iris):
    ...     return Ontology("", {iri: Entity(iri, Kind.CLASS) for iri in iris})
    >>> paper, article = ontology("http://confOf#Paper"), ontology("http://ekaw#Paper")
    >>> reference = Alignment([Correspondence("http://ekaw#Paper", "http://confof#Paper")])
    >>> diagnosis = diagnose(paper, article, reference)
    >>> [f.code for f in diagnosis.findings if f.where.startswith("reference")]
    ['swapped', 'case']
    >>> [c.pair for c in diagnosis.mends[0].apply(reference)]
    [('http://confOf#Paper', 'http://ekaw#Paper')]
    """
    findings = list(_ontologies(source, target))
    indices = EntityIndex(source), EntityIndex(target)
    mended: list[Alignment] = []
    mends: list[Mend] = []
    for alignment in alignments:
        role = "alignment" if mends else "reference"
        where = alignment.path or alignment.name or role
        mend, of_entities = mend_entities(alignment, where, *indices)
        mends.append(mend)
        mended.append(mend.apply(alignment))
        findings += of_entities
        findings += kinds_differ(mended[-1], where, source, target)
        if len(mended) > 1:
            findings += _overlap(mended[0], mended[-1], where)
    return Diagnosis(tuple(findings), tuple(mends))


# --- the ontologies --------------------------------------------------------------------------

_CODE = re.compile(r"[A-Za-z]{0,10}[_:.-]?[A-Za-z]?\d+\Z")


def _ontologies(source: Ontology, target: Ontology) -> Iterator[Finding]:
    if source.entities.keys() == target.entities.keys():
        yield warning("same-ontology", "source and target", len(source))
    yield from lint_ontology(source, "source")
    yield from lint_ontology(target, "target")
    yield from _languages("source", source, target)
    yield from _languages("target", target, source)
    if not _folded_names(source) & _folded_names(target):
        yield warning("no-equal-name", "source and target", 0)


def lint_ontology(ontology: Ontology, role: str = "ontology") -> Iterator[Finding]:
    """Yield the findings on a single ontology; without a path it is called by its role."""
    where = ontology.path or role
    for mended in ontology.mended:
        yield warning("mended", where, 1, what=mended.removeprefix(f"{where}, "))
    for iri in ontology.missing_imports:
        yield note("missing-import", where, 1, iri=iri)
    for kind in (Kind.CLASS, Kind.PROPERTY, Kind.INDIVIDUAL):
        entities = ontology.of_kind(kind)
        bare = [e for e in entities if not e.labels]
        if not entities or len(bare) < len(entities) / 2:
            continue
        coded = [e.iri for e in bare if _CODE.match(local_name(e.iri))]
        share = f"{len(bare)} of {len(entities)} ({100 * len(bare) / len(entities):.0f} %)"
        if len(coded) >= len(bare) / 2:
            yield warning("no-labels", where, len(bare), coded, share=share, kind=kind)
        else:
            yield note("no-labels", where, len(bare), share=share, kind=kind)


def _languages(where: str, ontology: Ontology, partner: Ontology) -> Iterator[Finding]:
    """Find entities whose labels are all in languages that the partner does not have."""
    partner_langs = set[str]().union(*map(_langs, partner))
    labelled = [langs for langs in map(_langs, ontology) if langs]
    if "" in partner_langs or not partner_langs or not labelled:
        return
    alone = [langs for langs in labelled if not langs & (partner_langs | {""})]
    if alone:
        total = len(labelled)
        report = warning if len(alone) >= total / 2 else note
        langs = ", ".join(sorted(set[str]().union(*alone)))
        theirs = ", ".join(sorted(partner_langs))
        yield report(
            "languages", where, len(alone), total=len(labelled), langs=langs, theirs=theirs
        )


def _langs(entity: Entity) -> set[str]:
    return {label.lang.split("-")[0] for label in (*entity.labels, *entity.synonyms)}


def _folded_names(ontology: Ontology) -> set[tuple[Kind, str]]:
    """Return the kinds and names of all entities, without case and signs."""
    names = set()
    for entity in ontology:
        for name in entity.names():
            composed = unicodedata.normalize("NFC", name)
            folded = "".join(filter(str.isalnum, composed)).casefold()
            if folded:
                names.add((entity.kind, folded))
    return names


# --- the alignment and its reference ---------------------------------------------------------


def _overlap(reference: Alignment, alignment: Alignment, where: str) -> Iterator[Finding]:
    if not reference or not alignment:
        return
    common = reference.pairs & alignment.pairs
    if not common:
        yield warning("nothing-in-common", where, 0)
    unjudged = {c.pair for c in reference if c.relation == "?"}
    agreed = {(k.entity1, k.entity2) for k in reference.keys & alignment.keys}
    differing = common - agreed - unjudged
    if differing:
        pairs = map(" ".join, differing)
        yield warning("other-relation", where, len(differing), pairs, total=len(common))


@dataclass(frozen=True)
class Mend:
    """A safe change that maps an alignment's entities to those of the ontologies.

    Parameters
    ----------
    swapped
        Whether source and target are exchanged first.
    renamed1, renamed2
        New IRI by old one, on each side.
    """

    swapped: bool = False
    renamed1: Mapping[str, str] = field(default_factory=dict)
    renamed2: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.swapped or self.renamed1 or self.renamed2)

    def apply(self, alignment: Alignment) -> Alignment:
        """Return the mended alignment."""
        turned = alignment.swapped() if self.swapped else alignment
        return turned.renamed(
            lambda iri: self.renamed1.get(iri, iri), lambda iri: self.renamed2.get(iri, iri)
        )


class EntityIndex:
    """The entities of an ontology, also by their IRIs without scheme, separator, case, encoding."""

    def __init__(self, ontology: Ontology) -> None:
        self.entities = ontology.entities
        self.replacements = ontology.replacements
        self._by_key: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        self._by_name: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for iri in ontology.entities:
            self._by_key[_key(iri)].append(iri)
            self._by_name[local_name(iri)][namespace(iri)] += 1

    def resolve(self, iri: str) -> str | None:
        """Return the entity with this IRI, else the only one with a similar IRI."""
        if iri in self.entities:
            return iri
        similar = self._by_key.get(_key(iri), [])
        if len(similar) == 1:
            return similar[0]
        return None

    def namespaces_of(self, name: str) -> Counter[str]:
        """Count the entities with this last part by namespace."""
        return self._by_name.get(name, Counter())


def _key(iri: str) -> tuple[str, str]:
    space = namespace(iri).rstrip("#/").lower()
    local = unicodedata.normalize("NFC", unquote(iri[len(namespace(iri)) :]))
    return space.removeprefix("https:").removeprefix("http:"), local


def mend_entities(
    alignment: Alignment, where: str, source: EntityIndex, target: EntityIndex
) -> tuple[Mend, list[Finding]]:
    """Return the safe mend of an alignment's entities, and the findings on them.

    Parameters
    ----------
    alignment
        The alignment.
    where
        Its name in findings.
    source, target
        Entities of the source and of the target.
    """
    if not alignment and not alignment.negated:
        return Mend(), [warning("empty", where, 0)]
    findings = []
    straight = _count_resolved(alignment, source, target)
    crossed = _count_resolved(alignment, target, source)
    # twice as many: ontologies that share entities must not be swapped for one of them
    swapped = crossed > 2 * straight
    if swapped:
        findings.append(warning("swapped", where, crossed, straight=straight))
        alignment = alignment.swapped()
    renamed: list[dict[str, str]] = []
    for side, index in (("entity1", source), ("entity2", target)):
        iris = {getattr(c, side) for c in alignment}
        negated_iris = {getattr(n, side) for n in alignment.negated}
        new_iris: dict[str, str] = {}
        deprecated: dict[str, str] = {}
        unknown: set[str] = set()
        for iri in sorted(iris | negated_iris):
            entity = index.resolve(iri)
            if entity is None and iri in index.replacements:
                replacement = index.replacements[iri]
                deprecated[iri] = replacement if replacement in index.entities else ""
            elif entity is None:
                unknown.add(iri)
            elif entity != iri:
                new_iris[iri] = entity
        findings += _differences(new_iris, f"{where}, {side}")
        findings += _deprecated(deprecated, f"{where}, {side}")
        replaced = {old: new for old, new in deprecated.items() if new}
        renamed.append(new_iris | replaced)
        findings += _unknown(unknown & iris, len(iris), index, f"{where}, {side}")
    return Mend(swapped, *renamed), findings


def _count_resolved(alignment: Alignment, source: EntityIndex, target: EntityIndex) -> int:
    entities1 = {c.entity1 for c in alignment}
    entities2 = {c.entity2 for c in alignment}
    resolved = [*map(source.resolve, entities1), *map(target.resolve, entities2)]
    return len(resolved) - resolved.count(None)


#: The part of an IRI in which two IRIs of an entity may differ, by the finding's code.
_DIFFERENCES: dict[str, Callable[[str], str]] = {
    "scheme": lambda iri: iri.partition(":")[0].lower(),
    "separator": lambda iri: namespace(iri)[-1:],
    "case": lambda iri: namespace(iri).rstrip("#/").partition(":")[2],
    "encoding": lambda iri: unicodedata.normalize("NFC", iri[len(namespace(iri)) :]),
    "normal-form": lambda iri: unquote(iri[len(namespace(iri)) :]),
}


def _differences(renamed: Mapping[str, str], where: str) -> Iterator[Finding]:
    by_code: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for old, new in renamed.items():
        for code, extract in _DIFFERENCES.items():
            if extract(old) != extract(new):
                by_code[code].append((old, new))
    for code, pairs in by_code.items():
        yield warning(code, where, len(pairs), old=pairs[0][0], new=pairs[0][1])


def _deprecated(replacements: Mapping[str, str], where: str) -> Iterator[Finding]:
    """Name the deprecated entities, and what replaces them."""
    replaced = [(old, new) for old, new in replacements.items() if new]
    alone = [old for old, new in replacements.items() if not new]
    if replaced:
        yield warning("deprecated", where, len(replaced), old=replaced[0][0], new=replaced[0][1])
    if alone:
        yield warning("no-replacement", where, len(alone), alone)


def _unknown(unknown: set[str], total: int, index: EntityIndex, where: str) -> Iterator[Finding]:
    if not unknown:
        return
    yield warning("not-found", where, len(unknown), unknown, total=total)
    elsewhere: Counter[tuple[str, str]] = Counter()
    for iri in unknown:
        for space in index.namespaces_of(local_name(iri)):
            elsewhere[namespace(iri), space] += 1
    for (here, there), count in sorted(elsewhere.items()):
        if 2 * count >= sum(namespace(iri) == here for iri in unknown):
            yield note("other-namespace", where, count, here=here, there=there)
