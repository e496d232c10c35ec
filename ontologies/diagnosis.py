"""Why nothing matches: what keeps an alignment and the ontologies from meeting, and safe mends."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from alignrank.ontologies.alignment import Alignment
from alignrank.ontologies.ontology import Entity, Kind, Ontology, local_name, namespace

from .lint import Finding, kinds_differ, note, warning


@dataclass(frozen=True)
class Diagnosis:
    """What `diagnose` found.

    Parameters
    ----------
    findings
        Warnings and notes: on the ontologies, the reference, then the other alignments.
    mends
        The safe mend of each alignment; false where there is nothing to mend.
    """

    findings: tuple[Finding, ...]
    mends: tuple[Mend, ...]


def diagnose(source: Ontology, target: Ontology, *alignments: Alignment) -> Diagnosis:
    """Say why matching or judging gives nothing, or less than it should.

    Parameters
    ----------
    source, target
        The ontologies.
    alignments
        Between them: the reference, then what is to be judged by it.

    Returns
    -------
    Diagnosis
        Codes on the ontologies: ``mended``, ``same-ontology``, ``no-labels``, ``languages``,
        ``no-equal-name``, ``missing-import``. On each alignment: ``swapped``, ``scheme`` (http and
        https), ``separator`` (# and /), ``case``, ``encoding`` (percent-encoded or not),
        ``other-namespace``, ``not-found``, ``kinds-differ``, ``empty``. On one and the reference:
        ``other-relation``, ``nothing-in-common``.

    Notes
    -----
    A mend is safe where an entity that is not in the ontology differs from exactly one that is, by
    nothing but scheme, separator, case of the namespace or percent-encoding.

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
    indices = Index(source), Index(target)
    mended: list[Alignment] = []
    mends: list[Mend] = []
    for given in alignments:
        where = given.path or given.name or ("alignment" if mends else "reference")
        mend, found = mend_entities(given, where, *indices)
        mends.append(mend)
        mended.append(mend.apply(given))
        findings += found
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
    folded = [{(e.kind, name) for e in o for name in _folded(e)} for o in (source, target)]
    if not folded[0] & folded[1]:
        yield warning("no-equal-name", "source and target", 0)


def lint_ontology(ontology: Ontology, role: str = "ontology") -> Iterator[Finding]:
    """Yield what is wrong with an ontology by itself; one without a path is called by its role."""
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


def _languages(where: str, ontology: Ontology, other: Ontology) -> Iterator[Finding]:
    """Find entities whose labels are all in languages that the other ontology does not have."""
    theirs = {lang for e in other for lang in _langs(e)}
    labelled = [e for e in ontology if _langs(e)]
    if "" in theirs or not theirs or not labelled:
        return
    alone = [e for e in labelled if not _langs(e) & (theirs | {""})]
    if alone:
        found = warning if len(alone) >= len(labelled) / 2 else note
        langs = ", ".join(sorted({lang for e in alone for lang in _langs(e)}))
        facts = {"total": len(labelled), "langs": langs, "theirs": ", ".join(sorted(theirs))}
        yield found("languages", where, len(alone), **facts)


def _langs(entity: Entity) -> set[str]:
    return {label.lang.split("-")[0] for label in (*entity.labels, *entity.synonyms)}


def _folded(entity: Entity) -> set[str]:
    return {"".join(filter(str.isalnum, name)).casefold() for name in entity.names()} - {""}


# --- the alignment and its reference ---------------------------------------------------------


def _overlap(reference: Alignment, alignment: Alignment, where: str) -> Iterator[Finding]:
    if not reference or not alignment:
        return
    common = reference.pairs & alignment.pairs
    if not common:
        yield warning("nothing-in-common", where, 0)
    judged = {c.pair for c in reference if c.relation == "?"}
    agreed = {(k.entity1, k.entity2) for k in reference.keys & alignment.keys}
    differ = common - agreed - judged
    if differ:
        pairs = (" ".join(pair) for pair in differ)
        yield warning("other-relation", where, len(differ), pairs, total=len(common))


@dataclass(frozen=True)
class Mend:
    """A safe change that makes an alignment's entities those of the ontologies.

    Parameters
    ----------
    swapped
        Whether source and target change places first.
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


class Index:
    """The entities of an ontology, also by what is left of their IRIs without their differences."""

    def __init__(self, ontology: Ontology) -> None:
        self.entities = ontology.entities
        self._by_key: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        self._by_name: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for iri in ontology.entities:
            self._by_key[_key(iri)].append(iri)
            self._by_name[local_name(iri)][namespace(iri)] += 1

    def resolve(self, iri: str) -> str | None:
        """Return the entity that `iri` means: itself, else the only one like it."""
        if iri in self.entities:
            return iri
        alike = self._by_key.get(_key(iri), [])
        return alike[0] if len(alike) == 1 else None

    def namespaces_of(self, name: str) -> Counter[str]:
        """Return in which namespaces there is an entity with this last part."""
        return self._by_name.get(name, Counter())


def _key(iri: str) -> tuple[str, str]:
    space = namespace(iri).rstrip("#/").lower()
    return space.removeprefix("https:").removeprefix("http:"), unquote(iri[len(namespace(iri)) :])


def mend_entities(
    given: Alignment, where: str, one: Index, two: Index
) -> tuple[Mend, list[Finding]]:
    """Return the safe mend of an alignment's entities, and what is wrong with them.

    Parameters
    ----------
    given
        The alignment.
    where
        What to call it in findings.
    one, two
        Entities of the source and of the target.
    """
    if not given and not given.negated:
        return Mend(), [warning("empty", where, 0)]
    findings = []
    straight = _resolved(given, one, two)
    crossed = _resolved(given, two, one)
    # by far: ontologies that share entities must not be turned for one of them
    swapped = crossed > 2 * straight
    if swapped:
        findings.append(warning("swapped", where, crossed, straight=straight))
    turned = given.swapped() if swapped else given
    renamed: list[dict[str, str]] = []
    for side, index in (("entity1", one), ("entity2", two)):
        iris = {getattr(c, side) for c in turned}
        all_iris = iris | {getattr(n, side) for n in turned.negated}
        renamed.append(
            {iri: new for iri in sorted(all_iris) if (new := index.resolve(iri)) and new != iri}
        )
        findings += _differences(renamed[-1], f"{where}, {side}")
        unknown = {iri for iri in iris if index.resolve(iri) is None}
        findings += _unknown(unknown, len(iris), index, f"{where}, {side}")
    return Mend(swapped, *renamed), findings


def _resolved(alignment: Alignment, one: Index, two: Index) -> int:
    firsts = {c.entity1 for c in alignment}
    seconds = {c.entity2 for c in alignment}
    return sum(one.resolve(iri) is not None for iri in firsts) + sum(
        two.resolve(iri) is not None for iri in seconds
    )


#: By code: the part of an IRI in which two of one entity may differ.
_DIFFERENCES: dict[str, Callable[[str], str]] = {
    "scheme": lambda iri: iri.partition(":")[0].lower(),
    "separator": lambda iri: namespace(iri)[-1:],
    "case": lambda iri: namespace(iri).rstrip("#/").partition(":")[2],
    "encoding": lambda iri: iri[len(namespace(iri)) :],
}


def _differences(renamed: Mapping[str, str], where: str) -> Iterator[Finding]:
    by_code: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for old, new in renamed.items():
        for code, part in _DIFFERENCES.items():
            if part(old) != part(new):
                by_code[code].append((old, new))
    for code, pairs in by_code.items():
        yield warning(code, where, len(pairs), old=pairs[0][0], new=pairs[0][1])


def _unknown(unknown: set[str], total: int, index: Index, where: str) -> Iterator[Finding]:
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
