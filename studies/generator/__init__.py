"""Synthetic ontology pairs: a seed ontology, an altered copy, and their reference alignment."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path

from alignrank.common.errors import OntologyError
from alignrank.common.files import sha256, write_text
from alignrank.common.results import version
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.formats import write_alignment
from alignrank.ontologies.ontology import Kind, namespace

from .alterators import INVERSE, Draft, alter
from .model import Model, Pair, to_rdf_xml
from .seed import BASE, UserOntology, read_user_ontology, seed_model
from .spec import METHODS, PRESETS, Alteration, Rename, Shape, Suite, preset, read_suite

__all__ = [
    "METHODS",
    "MOST_CLASSES",
    "PRESETS",
    "Alteration",
    "GeneratedPair",
    "Rename",
    "Shape",
    "Suite",
    "UserOntology",
    "counts",
    "generate",
    "generate_suite",
    "preset",
    "read_suite",
    "read_user_ontology",
]

#: Largest number of classes: for more, the word lists give no readable names.
MOST_CLASSES = 1_000_000
#: Largest number of classes, properties and individuals: more take tens of gigabytes.
MOST_ENTITIES = 10_000_000


@dataclass(frozen=True, eq=False)
class GeneratedPair:
    """A generated pair.

    Parameters
    ----------
    name
        Name of the pair in its suite.
    source, target
        The seed ontology and its altered copy.
    cells
        The reference: relation by (number in the source, number in the target).
    parameters
        All settings that the pair was generated from.
    unchanged
        Number of entities that each method of renaming left unchanged.
    """

    name: str
    source: Model
    target: Model
    cells: Mapping[Pair, str]
    parameters: Mapping[str, object] = field(default_factory=dict)
    unchanged: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def reference(self) -> Alignment:
        """The reference alignment."""
        cells = []
        for (source, target), relation in self.cells.items():
            pair = self.source.iri_of(source), self.target.iri_of(target)
            if relation == INVERSE:
                cells.append(Correspondence(*pair, "?", stated_relation=INVERSE))
            else:
                cells.append(Correspondence(*pair, relation))
        return Alignment(cells, ontology1=self.source.iri, ontology2=self.target.iri)

    def write(self, folder: Path) -> None:
        """Write ``source.owl``, ``target.owl``, ``reference.rdf`` and ``manifest.json``.

        The manifest comes last: a folder that has one is complete.
        """
        write_text(folder / "source.owl", to_rdf_xml(self.source))
        write_text(folder / "target.owl", to_rdf_xml(self.target))
        write_alignment(self.reference, folder / "reference.rdf")
        content = {"generator": f"alignrank {version()}", **self.parameters}
        content["counts"] = {
            "source": counts(self.source),
            "target": counts(self.target),
            "reference": dict(sorted(Counter(self.cells.values()).items())),
        }
        if self.unchanged:
            content["not renamed"] = dict(self.unchanged)
        files = ("source.owl", "target.owl", "reference.rdf")
        content["sha256"] = {name: sha256((folder / name).read_bytes()) for name in files}
        write_text(folder / "manifest.json", json.dumps(content, indent=1) + "\n")


def counts(model: Model) -> dict[str, int]:
    """Count the entities and statements of a generated ontology."""
    items = model.items.values()
    kinds = (Kind.CLASS, Kind.PROPERTY, Kind.INDIVIDUAL)
    return {str(kind): len(model.keys(kind)) for kind in kinds} | {
        "object properties": len(model.ranges),
        "labels": sum(item.label is not None for item in items),
        "comments": sum(bool(item.comment) for item in items),
        "synonyms": sum(len(item.synonyms) for item in items),
        "parents": sum(map(len, model.parents.values())),
        "restrictions": len(model.restrictions),
        "disjoint": len(model.disjoint),
    }


def generate(
    ontology: int | UserOntology,
    alteration: Alteration | None = None,
    *,
    seed: int = 0,
    shape: Shape | None = None,
) -> GeneratedPair:
    """Generate one pair.

    Parameters
    ----------
    ontology
        The source: number of classes of a made-up one, or one from `read_user_ontology`.
    alteration
        Changes that give the target; None for none.
    seed
        Seed of all random choices: the same arguments give the same pair, byte for byte.
    shape
        Shape of a made-up ontology.

    Raises
    ------
    OntologyError
        If the number of classes is out of range, or a given ontology should have a shape.

    Examples
    --------
    >>> from generator import Rename
    >>> pair = generate(30, Alteration(remove_classes=0.2, rename=(Rename(0.5, "synonym"),)))
    >>> len(pair.reference), len(pair.source.items)
    (54, 60)
    """
    suite = Suite({"pair": alteration or Alteration()}, shape or Shape())
    return next(generate_suite(suite, ontology, seed=seed))


def generate_suite(
    suite: Suite, ontology: int | UserOntology, *, seed: int = 0, finished: Collection[str] = ()
) -> Iterator[GeneratedPair]:
    """Generate the pairs of a suite, one after the other.

    Parameters
    ----------
    suite
        From `read_suite` or `preset`.
    ontology
        The source: number of classes of a made-up one, unless the suite sets another for a pair; or
        one from `read_user_ontology`.
    seed
        Seed of all random choices.
    finished
        Names of pairs that are left out; the others stay the same.

    Raises
    ------
    OntologyError
        If the number of classes is out of range, or a given ontology should have a shape or sizes.
    """
    if isinstance(ontology, UserOntology):
        _check_given(suite)
    source: Model | None = None
    draft: Draft | None = None
    for step, (name, alteration) in enumerate(suite.pairs.items()):
        if isinstance(ontology, UserOntology):
            source = ontology.model
            origin: dict[str, object] = {"from": Path(ontology.path).name}
            origin |= {"sha256 of it": ontology.sha256, "left out of it": ontology.left_out}
        else:
            size = suite.classes.get(name, ontology)
            if not 1 <= size <= MOST_CLASSES:
                raise OntologyError(f"classes = {size}: use 1 to {MOST_CLASSES}")
            entities = size * (1 + suite.shape.properties + suite.shape.individuals)
            if entities > MOST_ENTITIES:
                raise OntologyError(
                    f"classes, properties and individuals are {entities:,.0f}: generate "
                    f"{MOST_ENTITIES:,} at most"
                )
            if source is None or name in suite.classes:
                source = seed_model(size, seed, suite.shape)
            origin = {"classes": size, "shape": asdict(suite.shape)}
        if name in finished and not suite.cumulative:
            continue
        if draft is None or not suite.cumulative:
            identical = {(key, key): "=" for key in source.items}
            draft = Draft(source, source.copy(_target_iri(source)), identical, seed)
        if suite.cumulative:
            target = draft.target.copy(draft.target.iri)
            draft = Draft(source, target, dict(draft.cells), seed, step)
        alter(draft, alteration)
        if name in finished:
            continue
        parameters = {
            "pair": name,
            **origin,
            "seed": seed,
            "cumulative": suite.cumulative,
            "alteration": asdict(alteration),
        }
        yield GeneratedPair(name, source, draft.target, draft.cells, parameters, draft.unchanged)


def _check_given(suite: Suite) -> None:
    if suite.shape != Shape():
        raise OntologyError("shape describes a made-up ontology, and one is given: leave it out")
    if suite.classes:
        raise OntologyError(
            "these pairs are made of ontologies of several sizes, and one is given: choose others"
        )


def _target_iri(source: Model) -> str:
    """Return an IRI for the target that is no namespace of the source's entities."""
    number = 1
    iri = f"{BASE}/target"
    source_iris = (*source.iris.values(), f"{source.iri}#")
    namespaces = {namespace(source_iri).rstrip("#/") for source_iri in source_iris}
    while iri in namespaces:
        number += 1
        iri = f"{BASE}/target-{number}"
    return iri
