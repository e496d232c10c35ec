"""Entities of an alignment that are not in the ontologies, and the mends that are safe."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from ontologies.alignment import Alignment
from ontologies.ontology import Ontology, local_name, namespace

from .findings import Finding, note, warning


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
        return turned.with_correspondences(
            replace(
                c,
                entity1=self.renamed1.get(c.entity1, c.entity1),
                entity2=self.renamed2.get(c.entity2, c.entity2),
            )
            for c in turned
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
    if not given:
        return Mend(), [warning("empty", where, 0, "there is no correspondence in it")]
    findings = []
    straight = _resolved(given, one, two)
    crossed = _resolved(given, two, one)
    # by far: ontologies that share entities must not be turned for one of them
    swapped = crossed > 2 * straight
    if swapped:
        findings.append(
            warning(
                "swapped",
                where,
                crossed,
                f"source and target are swapped: {straight} entities are found as they stand, "
                f"{crossed} the other way round",
            )
        )
    turned = given.swapped() if swapped else given
    renamed: list[dict[str, str]] = []
    for side, index in (("entity1", one), ("entity2", two)):
        iris = {getattr(c, side) for c in turned}
        renamed.append(
            {iri: new for iri in sorted(iris) if (new := index.resolve(iri)) and new != iri}
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


def _differences(renamed: Mapping[str, str], where: str) -> Iterator[Finding]:
    by_code: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for old, new in renamed.items():
        for code, differs in _DIFFERENCES.items():
            if differs(old) != differs(new):
                by_code[code].append((old, new))
    for code, pairs in by_code.items():
        old, new = pairs[0]
        yield warning(
            code,
            where,
            len(pairs),
            f"{len(pairs)} entities differ from the ontology's in {_WORDS[code]}: {old} for {new}",
        )


_DIFFERENCES: dict[str, Callable[[str], str]] = {
    "scheme": lambda iri: iri.partition(":")[0].lower(),
    "separator": lambda iri: namespace(iri)[-1:],
    "case": lambda iri: namespace(iri).rstrip("#/").partition(":")[2],
    "encoding": lambda iri: iri[len(namespace(iri)) :],
}
_WORDS = {
    "scheme": "http and https",
    "separator": "# and /",
    "case": "upper and lower case of the namespace",
    "encoding": "percent-encoding",
}


def _unknown(unknown: set[str], total: int, index: Index, where: str) -> Iterator[Finding]:
    if not unknown:
        return
    yield warning(
        "not-found",
        where,
        len(unknown),
        f"{len(unknown)} of {total} entities are not in the ontology",
        unknown,
    )
    elsewhere: Counter[tuple[str, str]] = Counter()
    for iri in unknown:
        for space in index.namespaces_of(local_name(iri)):
            elsewhere[namespace(iri), space] += 1
    for (here, there), count in sorted(elsewhere.items()):
        if 2 * count >= sum(namespace(iri) == here for iri in unknown):
            yield note(
                "other-namespace",
                where,
                count,
                f"{count} of them have the names of entities in {there}, but are in {here}: is it "
                "another version of the ontology?",
            )
