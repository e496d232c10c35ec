"""Findings: their messages, and the checks of one alignment file."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from alignrank.common.errors import Argument

from .alignment import NO_TERM, Alignment
from .ontology import Ontology, namespace
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
    messages: Mapping[str, str],
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
    unjudged = sum(c.relation == "?" and c.stated_relation is None for c in alignment)
    if unjudged:
        yield note("unjudged", where, unjudged)
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
        entities: defaultdict[str, set[str]] = defaultdict(set)
        for c in alignment:
            iri = getattr(c, side)
            entities[namespace(iri)].add(iri)
        main = max(sorted(entities), key=lambda n: len(entities[n]), default="")
        foreign = set[str]().union(*entities.values()) - entities[main]
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
