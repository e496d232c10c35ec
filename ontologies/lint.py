"""Findings on ontologies and alignments: faults, why they do not fit together, safe mends."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from urllib.parse import unquote

from alignrank.common.errors import Argument
from alignrank.common.names import MutableTexts, Pair, Texts, grouped

from .alignment import NO_TERM, Alignment
from .ontology import Entity, Kind, Ontology, local_name, namespace
from .vocabulary import SKOS

_EXAMPLES = 3


class Severity(StrEnum):
    """Severity of a finding: a warning spoils results, a note does not."""

    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Finding:
    """A fault or a peculiarity of a file.

    Parameters
    ----------
    code
        Kind of the finding, in a few words joined by hyphens; stable.
    severity
        A warning spoils results; a note does not.
    where
        The file, or an argument's name.
    count
        Number of cells or entities that it concerns.
    message
        A sentence: the fault, and what to do.
    examples
        Some of the entities or values.
    """

    code: str
    severity: Severity
    where: str
    count: int
    message: str
    examples: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = f"{self.severity}: {self.where}: {self.message}"
        if self.examples:
            text += f" (such as {', '.join(self.examples)})"
        return text


_DIFFERENT_IRIS = "{count} entities differ from the ontology's in %s: {old} for {new}"
#: Messages of warnings by code; ``{count}`` and the facts of the finding stand in braces.
_WARNINGS = {
    "empty": "there is no correspondence in it",
    "mended": "{what}",
    "clipped": "confidences outside [0, 1]: {count}, from {low:g} to {high:g}; clipped to the "
    "nearest end{advice}",
    "duplicates": "cells that repeat another: {count}; the highest confidence is kept",
    "unknown-relation": "cells with the relation {text!r}, which is not understood: {count}; as ? "
    "they are not judged in a reference, and wrong in a system's alignment: write =, < or >",
    "several-relations": "pairs with several relations: {count}; keep one of each",
    "not-found": "entities that are not in the ontology: {count} of {total}; are their IRIs right, "
    "and is it this version of the ontology?",
    "kinds-differ": "correspondences between entities of different kinds: {count}; no matcher here "
    "proposes such",
    "same-ontology": "both hold the same entities",
    "no-equal-name": "no two entities of a kind have an equal name, whatever its case and "
    "separators: are the labels in properties that are not read as such?",
    "no-labels": "no label for {share} of the entities of kind {kind}, and the last parts of their "
    "IRIs are codes: nothing to match by. If a property holds their names, give its IRI "
    "({label_properties})",
    "languages": "labels of {count} of {total} labelled entities are in {langs} only, those on the "
    "other side in {theirs}",
    "nothing-in-common": "no pair of entities is in the reference as well",
    "other-relation": "pairs of the reference with another relation than there: {count} of {total}",
    "swapped": "source and target are swapped: {straight} entities are found as they stand, "
    "{count} the other way round",
    "scheme": _DIFFERENT_IRIS % "http and https",
    "separator": _DIFFERENT_IRIS % "# and /",
    "case": _DIFFERENT_IRIS % "upper and lower case of the namespace",
    "encoding": _DIFFERENT_IRIS % "percent-encoding",
    "normal-form": _DIFFERENT_IRIS % "the normal form of Unicode",
    "deprecated": "deprecated entities: {count}; {old} is replaced by {new}",
    "no-replacement": "deprecated entities that nothing replaces: {count}; leave them out",
}
#: Relations of SKOS that are neither equivalence nor subsumption.
_VAGUE = ("closeMatch", "relatedMatch", "mappingRelation")
#: Messages of notes by code.
_NOTES = {
    "foreign": "passed over what {name} says, {times}",
    "unjudged": "cells with ?: {count}; not judged in a reference, wrong in a system's alignment",
    "vague-relation": "cells with the relation {text!r}: {count}; as ? they are not judged in a "
    "reference, and wrong in a system's alignment",
    "negated": "negated correspondences: {count}; never to be found, and no answers: what a "
    "reference negates is wrong in a system's alignment",
    "no-match": "unmatched entities: {count}; where a reference states that, each match of "
    "theirs in a system's alignment is wrong",
    "namespaces": "{count} of {side} lie outside {main}, the namespace of most",
    "missing-import": "the import {iri} is missing: give its folder ({imports})",
    "no-labels": "no label for {share} of the entities of kind {kind}: the last parts of their "
    "IRIs are compared instead. If a property holds their names, give its IRI "
    "({label_properties})",
    "languages": _WARNINGS["languages"],
    "other-namespace": "{count} of them have the names of entities in {there}, but are in {here}: "
    "is it another version of the ontology?",
}


def _finding(
    severity: Severity,
    messages: Texts,
    code: str,
    where: str,
    count: int,
    examples: Iterable[str] = (),
    /,
    **facts: object,
) -> Finding:
    """Return a finding with the first few examples."""
    arguments = {name: Argument(name) for name in ("imports", "label_properties")}
    message = messages[code].format(count=count, **arguments, **facts)
    return Finding(code, severity, where, count, message, tuple(sorted(examples)[:_EXAMPLES]))


warning = partial(_finding, Severity.WARNING, _WARNINGS)
note = partial(_finding, Severity.NOTE, _NOTES)


def lint_alignment(alignment: Alignment) -> tuple[Finding, ...]:
    """Check an alignment that was read from a file.

    Parameters
    ----------
    alignment
        As `read_alignment` gives it, with its notes.

    Returns
    -------
    tuple of Finding
        In a fixed order. Codes of warnings: ``empty``, ``mended``, ``clipped``, ``duplicates``,
        ``unknown-relation``, ``several-relations``. Codes of notes: ``unjudged``,
        ``vague-relation``, ``negated``, ``no-match``, ``foreign``, ``namespaces``.

    Examples
    --------
    >>> from alignrank.ontologies import Correspondence
    >>> cs = [Correspondence("a#x", "b#y", r) for r in "=<"]
    >>> [str(finding) for finding in lint_alignment(Alignment(cs, name="mine"))]
    ['warning: mine: pairs with several relations: 1; keep one of each (such as a#x b#y)']
    """
    where = alignment.path or alignment.name or "alignment"
    return (
        *_reading(alignment, where),
        *_relations(alignment, where),
        *_namespaces(alignment, where),
    )


def _reading(alignment: Alignment, where: str) -> Iterator[Finding]:
    notes = alignment.notes
    if not alignment and not alignment.negated:
        yield warning("empty", where, 0)
    if notes.clipped:
        low = notes.smallest
        high = notes.largest
        percentages = low >= 0 and 1 < high <= 100
        advice = "; if these are percentages, divide them by 100" if percentages else ""
        yield warning("clipped", where, notes.clipped, low=low, high=high, advice=advice)
    if notes.duplicates:
        yield warning("duplicates", where, notes.duplicates)
    for mended in notes.mended:
        yield warning("mended", where, 1, what=mended.removeprefix(where).lstrip(",: "))
    for name, count in notes.foreign.items():
        times = "once" if count == 1 else f"{count} times"
        yield note("foreign", where, count, name=name, times=times)


def _relations(alignment: Alignment, where: str) -> Iterator[Finding]:
    for text, count in alignment.notes.unknown_relations.items():
        if text.removeprefix(SKOS).removeprefix("skos:") in _VAGUE:
            yield note("vague-relation", where, count, text=text)
        else:
            yield warning("unknown-relation", where, count, text=text)
    unknown = sum(c.relation == "?" and c.stated_relation is None for c in alignment)
    if unknown:
        yield note("unjudged", where, unknown)
    negated: list[str] = []
    unmatched: list[str] = []
    for n in alignment.negated:
        if n.entity1 == NO_TERM:
            unmatched.append(n.entity2)
        elif n.entity2 == NO_TERM:
            unmatched.append(n.entity1)
        else:
            negated.append(f"{n.entity1} {n.entity2}")
    if negated:
        yield note("negated", where, len(negated), negated)
    if unmatched:
        yield note("no-match", where, len(unmatched), unmatched)
    relations = Counter(c.pair for c in alignment)
    several = [" ".join(pair) for pair, count in relations.items() if count > 1]
    if several:
        yield warning("several-relations", where, len(several), several)


def _namespaces(alignment: Alignment, where: str) -> Iterator[Finding]:
    for side in ("entity1", "entity2"):
        iris = {getattr(c, side) for c in alignment}
        sizes = Counter(map(namespace, iris))
        main = max(sorted(sizes), key=sizes.__getitem__, default="")
        foreign = {iri for iri in iris if namespace(iri) != main}
        if foreign:
            yield note("namespaces", where, len(foreign), foreign, side=side, main=main)


def kinds_differ(
    alignment: Alignment, where: str, source: Ontology, target: Ontology
) -> Iterator[Finding]:
    """Yield a warning if correspondences join entities of different kinds."""
    differing = []
    for c in alignment:
        entity1 = source.entities.get(c.entity1)
        entity2 = target.entities.get(c.entity2)
        if not entity1 or not entity2 or c.relation in ("InstanceOf", "HasInstance"):
            continue
        if entity1.kind is not entity2.kind:
            differing.append(f"{c.entity1} {c.entity2}")
    if differing:
        yield warning("kinds-differ", where, len(differing), differing)


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
        share = f"{len(bare)} of {len(entities)} ({100 * len(bare) / len(entities):.0f}%)"
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
    unknown = {c.pair for c in reference if c.relation == "?"}
    agreed = {(k.entity1, k.entity2) for k in reference.keys & alignment.keys}
    differing = common - agreed - unknown
    if differing:
        pairs = map(" ".join, differing)
        yield warning("other-relation", where, len(differing), pairs, total=len(common))


@dataclass(frozen=True)
class Mend:
    """A safe change that maps an alignment's entities to entities of the ontologies.

    Parameters
    ----------
    swapped
        Whether source and target are exchanged first.
    renamed1, renamed2
        New IRI by old one, on each side.
    """

    swapped: bool = False
    renamed1: Texts = field(default_factory=dict)
    renamed2: Texts = field(default_factory=dict)

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
        self._by_key = grouped((_key(iri), iri) for iri in ontology.entities)
        self.namespaces = grouped((local_name(iri), namespace(iri)) for iri in ontology.entities)

    def resolve(self, iri: str) -> str | None:
        """Return the entity with this IRI, else the only one with a similar IRI."""
        if iri in self.entities:
            return iri
        similar = self._by_key.get(_key(iri), [])
        if len(similar) == 1:
            return similar[0]
        return None


def _key(iri: str) -> Pair:
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
    renamed: list[MutableTexts] = []
    for side, index in (("entity1", source), ("entity2", target)):
        iris = {getattr(c, side) for c in alignment}
        negated_iris = {getattr(n, side) for n in alignment.negated}
        new_iris: MutableTexts = {}
        deprecated: MutableTexts = {}
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


def _differences(renamed: Texts, where: str) -> Iterator[Finding]:
    by_code = grouped(
        (code, (old, new))
        for old, new in renamed.items()
        for code, extract in _DIFFERENCES.items()
        if extract(old) != extract(new)
    )
    for code, pairs in by_code.items():
        yield warning(code, where, len(pairs), old=pairs[0][0], new=pairs[0][1])


def _deprecated(replacements: Texts, where: str) -> Iterator[Finding]:
    """Name the deprecated entities, and their replacements."""
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
    elsewhere: Counter[Pair] = Counter()
    for iri in unknown:
        for space in set(index.namespaces.get(local_name(iri), ())):
            elsewhere[namespace(iri), space] += 1
    for (here, there), count in sorted(elsewhere.items()):
        if 2 * count >= sum(namespace(iri) == here for iri in unknown):
            yield note("other-namespace", where, count, here=here, there=there)
