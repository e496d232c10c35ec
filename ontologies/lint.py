"""Checks of one alignment file: what had to be mended, and what looks wrong; what a finding is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from alignrank.ontologies.alignment import Alignment
from alignrank.ontologies.ontology import Ontology, namespace

_EXAMPLES = 3


class Severity(StrEnum):
    """Whether a finding spoils results, or is only worth knowing."""

    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Finding:
    """One thing found.

    Parameters
    ----------
    code
        What kind of thing, in a few words joined by hyphens; stable.
    severity
        A warning spoils results; a note does not.
    where
        What it was found in: a file, or an argument's name.
    count
        How many cells or entities it concerns.
    message
        A sentence: what is so, and what to do.
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
        such = f" (such as {', '.join(self.examples)})" if self.examples else ""
        return f"{self.severity}: {self.where}: {self.message}{such}"


#: What is said of what spoils results, by code; ``{count}`` and the facts of the single finding
#: stand in braces.
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
    "IRIs are codes: nothing to match by",
    "languages": "labels of {count} of {total} labelled entities are in {langs} only, those on the "
    "other side in {theirs}",
    "nothing-in-common": "no pair of entities is in the reference as well",
    "other-relation": "pairs of the reference with another relation than there: {count} of {total}",
    "swapped": "source and target are swapped: {straight} entities are found as they stand, "
    "{count} the other way round",
    **{
        code: f"{{count}} entities differ from the ontology's in {what}: {{old}} for {{new}}"
        for code, what in (
            ("scheme", "http and https"),
            ("separator", "# and /"),
            ("case", "upper and lower case of the namespace"),
            ("encoding", "percent-encoding"),
        )
    },
}
#: The same of what is only worth knowing.
_NOTES = {
    "foreign": "passed over what {name} says, {times}",
    "unjudged": "cells with ?: {count}; not judged in a reference, wrong in a system's alignment",
    "negated": "negated correspondences: {count}; never to be found, and no answers: what a "
    "reference negates is wrong in a system's alignment",
    "namespaces": "{side}: outside {main}, where most are: {count}",
    "missing-import": "the import {iri} is missing: give its folder (--imports)",
    "no-labels": "no label for {share} of the entities of kind {kind}: the last parts of their "
    "IRIs serve",
    "languages": _WARNINGS["languages"],
    "other-namespace": "{count} of them have the names of entities in {there}, but are in {here}: "
    "is it another version of the ontology?",
}


def warning(
    code: str, where: str, count: int, examples: Iterable[str] = (), /, **facts: object
) -> Finding:
    """Return a warning with the first few examples."""
    message = _WARNINGS[code].format(count=count, **facts)
    return Finding(code, Severity.WARNING, where, count, message, _few(examples))


def note(
    code: str, where: str, count: int, examples: Iterable[str] = (), /, **facts: object
) -> Finding:
    """Return a note with the first few examples."""
    message = _NOTES[code].format(count=count, **facts)
    return Finding(code, Severity.NOTE, where, count, message, _few(examples))


def _few(examples: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(examples)[:_EXAMPLES])


def lint_alignment(alignment: Alignment) -> tuple[Finding, ...]:
    """Check an alignment as it was read.

    Parameters
    ----------
    alignment
        As `read_alignment` gives it, with its notes.

    Returns
    -------
    tuple of Finding
        In a fixed order. Codes of warnings: ``empty``, ``mended``, ``clipped``, ``duplicates``,
        ``unknown-relation``, ``several-relations``. Codes of notes: ``unjudged``, ``negated``,
        ``foreign``, ``namespaces``.

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
        percentages = 1 < notes.largest <= 100 and notes.smallest >= 0
        advice = "; if these are percentages, divide them by 100" if percentages else ""
        ends = {"low": notes.smallest, "high": notes.largest}
        yield warning("clipped", where, notes.clipped, **ends, advice=advice)
    if notes.duplicates:
        yield warning("duplicates", where, notes.duplicates)
    for mended in notes.mended:
        yield warning("mended", where, 1, what=mended.removeprefix(where).lstrip(",: "))
    for name, count in notes.foreign.items():
        times = "once" if count == 1 else f"{count} times"
        yield note("foreign", where, count, name=name, times=times)


def _relations(alignment: Alignment, where: str) -> Iterator[Finding]:
    for text, count in alignment.notes.unknown_relations.items():
        yield warning("unknown-relation", where, count, text=text)
    unjudged = sum(c.relation == "?" and c.stated_relation is None for c in alignment)
    if unjudged:
        yield note("unjudged", where, unjudged)
    if alignment.negated:
        pairs = [f"{n.entity1} {n.entity2}" for n in alignment.negated]
        yield note("negated", where, len(pairs), pairs)
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
        foreign = [iri for n, iris in entities.items() if n != main for iri in iris]
        if foreign:
            yield note("namespaces", where, len(foreign), foreign, side=side, main=main)


def kinds_differ(
    alignment: Alignment, where: str, source: Ontology, target: Ontology
) -> Iterator[Finding]:
    """Yield a warning if correspondences join entities of different kinds."""
    differ = [
        f"{c.entity1} {c.entity2}"
        for c in alignment
        if c.entity1 in source
        and c.entity2 in target
        and source.entities[c.entity1].kind is not target.entities[c.entity2].kind
        and c.relation not in ("InstanceOf", "HasInstance")
    ]
    if differ:
        yield warning("kinds-differ", where, len(differ), differ)
