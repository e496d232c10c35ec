"""Why nothing matches: what keeps an alignment and the ontologies from meeting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ontologies.alignment import Alignment
from ontologies.common.frames import Frame
from ontologies.ontology import Entity, Kind, Ontology, local_name

from .findings import Finding, Severity, findings_frame, note, warning
from .lint import kinds_differ
from .mending import Index, Mend, mend_entities


@dataclass(frozen=True)
class Diagnosis:
    """What `diagnose` found.

    Parameters
    ----------
    findings
        Warnings and notes: on the ontologies, the reference, then the alignment.
    reference, alignment
        The safe mend of each; false where there is nothing to mend.
    """

    findings: tuple[Finding, ...]
    reference: Mend
    alignment: Mend

    @property
    def healthy(self) -> bool:
        """Whether there is no warning; notes do not count."""
        return all(f.severity is Severity.NOTE for f in self.findings)

    def to_frame(self) -> Frame:
        """Return one row per finding."""
        return findings_frame(self.findings)


def diagnose(
    source: Ontology,
    target: Ontology,
    reference: Alignment,
    alignment: Alignment | None = None,
) -> Diagnosis:
    """Say why matching or judging gives nothing, or less than it should.

    Parameters
    ----------
    source, target
        The ontologies.
    reference
        The reference alignment between them.
    alignment
        A system's alignment, to be judged by the reference.

    Returns
    -------
    Diagnosis
        Codes on the ontologies: ``same-ontology``, ``no-labels``, ``languages``, ``no-equal-name``,
        ``missing-import``. On the reference and the alignment: ``swapped``, ``scheme`` (http and
        https), ``separator`` (# and /), ``case``, ``encoding`` (percent-encoded or not),
        ``other-namespace``, ``not-found``, ``kinds-differ``, ``empty``. On both together:
        ``other-relation``, ``nothing-in-common``.

    Notes
    -----
    A mend is safe where an entity that is not in the ontology differs from exactly one that is, by
    nothing but scheme, separator, case of the namespace or percent-encoding.

    Examples
    --------
    >>> from ontologies import Correspondence, Entity, Kind
    >>> def ontology(*iris):
    ...     return Ontology("", {iri: Entity(iri, Kind.CLASS) for iri in iris})
    >>> paper, article = ontology("http://confOf#Paper"), ontology("http://ekaw#Paper")
    >>> reference = Alignment([Correspondence("http://ekaw#Paper", "http://confof#Paper")])
    >>> diagnosis = diagnose(paper, article, reference)
    >>> [f.code for f in diagnosis.findings if f.where.startswith("reference")]
    ['swapped', 'case']
    >>> [c.pair for c in diagnosis.reference.apply(reference)]
    [('http://confOf#Paper', 'http://ekaw#Paper')]
    """
    findings = list(_ontologies(source, target))
    indices = Index(source), Index(target)
    mends = []
    for where, given in (("reference", reference), ("alignment", alignment)):
        mends.append(Mend())
        if given is not None:
            mends[-1], found = mend_entities(given, where, *indices)
            findings += found
            findings += kinds_differ(mends[-1].apply(given), where, source, target)
    if alignment is not None:
        findings += _overlap(mends[0].apply(reference), mends[1].apply(alignment))
    return Diagnosis(tuple(findings), *mends)


# --- the ontologies --------------------------------------------------------------------------

_CODE = re.compile(r"[A-Za-z]{0,10}[_:.-]?[A-Za-z]?\d+\Z")


def _ontologies(source: Ontology, target: Ontology) -> Iterator[Finding]:
    if source.entities.keys() == target.entities.keys():
        yield warning(
            "same-ontology", "source and target", len(source), "both hold the same entities"
        )
    for where, ontology in (("source", source), ("target", target)):
        yield from _labels(where, ontology)
        for iri in ontology.missing_imports:
            lost = f"the import {iri} is missing: give its folder (--imports)"
            yield note("missing-import", where, 1, lost)
    yield from _languages("source", source, target)
    yield from _languages("target", target, source)
    folded = [{(e.kind, name) for e in o for name in _folded(e)} for o in (source, target)]
    if not folded[0] & folded[1]:
        yield warning(
            "no-equal-name",
            "source and target",
            0,
            "no two entities of a kind have an equal name, whatever its case and separators: are "
            "the labels in properties that are not read as such?",
        )


def _labels(where: str, ontology: Ontology) -> Iterator[Finding]:
    for kind in (Kind.CLASS, Kind.PROPERTY, Kind.INDIVIDUAL):
        entities = ontology.of_kind(kind)
        bare = [e for e in entities if not e.labels]
        if not entities or len(bare) < len(entities) / 2:
            continue
        coded = [e.iri for e in bare if _CODE.match(local_name(e.iri))]
        share = f"{len(bare)} of {len(entities)} ({100 * len(bare) / len(entities):.0f} %)"
        if len(coded) >= len(bare) / 2:
            yield warning(
                "no-labels",
                where,
                len(bare),
                f"no label for {share} of the entities of kind {kind}, and the last parts of "
                "their IRIs are codes: nothing to match by",
                coded,
            )
        else:
            yield note(
                "no-labels",
                where,
                len(bare),
                f"no label for {share} of the entities of kind {kind}: the last parts of their "
                "IRIs serve",
            )


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
        yield found(
            "languages",
            where,
            len(alone),
            f"labels of {len(alone)} of {len(labelled)} labelled entities are in {langs} only, "
            f"those on the other side in {', '.join(sorted(theirs))}",
        )


def _langs(entity: Entity) -> set[str]:
    return {label.lang.split("-")[0] for label in (*entity.labels, *entity.synonyms)}


def _folded(entity: Entity) -> set[str]:
    return {"".join(filter(str.isalnum, name)).casefold() for name in entity.names()} - {""}


# --- the alignment and its reference ---------------------------------------------------------


def _overlap(reference: Alignment, alignment: Alignment) -> Iterator[Finding]:
    if not reference or not alignment:
        return
    common = reference.pairs & alignment.pairs
    if not common:
        yield warning(
            "nothing-in-common", "alignment", 0, "no pair of entities is in the reference as well"
        )
    judged = {c.pair for c in reference if c.relation == "?"}
    agreed = {(k.entity1, k.entity2) for k in reference.keys & alignment.keys}
    differ = common - agreed - judged
    if differ:
        yield warning(
            "other-relation",
            "alignment",
            len(differ),
            f"pairs of the reference with another relation than there: {len(differ)} of "
            f"{len(common)}",
            (" ".join(pair) for pair in differ),
        )
