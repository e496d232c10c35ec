"""Ontology pairs made to measure: a seed ontology, an altered copy, and what corresponds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from importlib import metadata
from pathlib import Path

from alignrank.common.errors import OntologyError
from alignrank.common.files import sha256, write_text
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.formats import write_alignment
from alignrank.ontologies.ontology import Kind, namespace

from .alterators import INVERSE, Draft, alter
from .model import Model, to_rdf_xml
from .seed import BASE, Given, seed_model
from .spec import Alteration, Shape, Suite

#: Largest number of classes: beyond, the word lists give no names that anybody could read.
MOST_CLASSES = 1_000_000


@dataclass(frozen=True, eq=False)
class GeneratedPair:
    """A generated pair.

    Parameters
    ----------
    name
        Of the pair within its suite.
    source, target
        The seed ontology and its altered copy.
    cells
        The reference: relation by (number in the source, number in the target).
    parameters
        Everything that the pair was made from.
    unchanged
        How many entities a method of renaming left as they were: no other name of them is known.
    """

    name: str
    source: Model
    target: Model
    cells: Mapping[tuple[int, int], str]
    parameters: Mapping[str, object] = field(default_factory=dict)
    unchanged: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def reference(self) -> Alignment:
        """The reference alignment."""
        cells = (
            Correspondence(
                self.source.iri_of(one),
                self.target.iri_of(two),
                "?" if relation == INVERSE else relation,
                stated_relation=INVERSE if relation == INVERSE else None,
            )
            for (one, two), relation in self.cells.items()
        )
        return Alignment(cells, ontology1=self.source.iri, ontology2=self.target.iri)

    def write(self, folder: Path) -> None:
        """Write ``source.owl``, ``target.owl``, ``reference.rdf`` and ``manifest.json``.

        The manifest comes last: a folder that has one is complete.
        """
        for name, model in (("source.owl", self.source), ("target.owl", self.target)):
            write_text(folder / name, to_rdf_xml(model))
        write_alignment(self.reference, folder / "reference.rdf")
        content = {
            "generator": f"alignrank {_version()}",
            **self.parameters,
            "counts": {
                "source": counts(self.source),
                "target": counts(self.target),
                "reference": dict(sorted(Counter(self.cells.values()).items())),
            },
            **({"not renamed": dict(self.unchanged)} if self.unchanged else {}),
            "sha256": {
                name: sha256((folder / name).read_bytes())
                for name in ("source.owl", "target.owl", "reference.rdf")
            },
        }
        write_text(folder / "manifest.json", json.dumps(content, indent=1) + "\n")


def counts(model: Model) -> dict[str, int]:
    """Return how much of everything a generated ontology has."""
    items = model.items.values()
    return {
        **{
            str(kind): len(model.keys(kind))
            for kind in (Kind.CLASS, Kind.PROPERTY, Kind.INDIVIDUAL)
        },
        "object properties": len(model.ranges),
        "labels": sum(item.label is not None for item in items),
        "comments": sum(bool(item.comment) for item in items),
        "synonyms": sum(len(item.synonyms) for item in items),
        "parents": sum(map(len, model.parents.values())),
        "restrictions": len(model.restrictions),
        "disjoint": len(model.disjoint),
    }


def generate(
    ontology: int | Given,
    alteration: Alteration | None = None,
    *,
    seed: int = 0,
    shape: Shape | None = None,
) -> GeneratedPair:
    """Generate one pair.

    Parameters
    ----------
    ontology
        The source: number of classes of a made-up one, or one from `read_given`.
    alteration
        How the target differs from it; None for not at all.
    seed
        Of all choices by chance: the same arguments give the same pair, byte for byte.
    shape
        Of a made-up ontology.

    Raises
    ------
    OntologyError
        If the number of classes is out of range, or a given ontology should have a shape.

    Examples
    --------
    >>> from alignrank.ontologies.generator import Rename
    >>> pair = generate(30, Alteration(remove_classes=0.2, rename=(Rename(0.5, "synonym"),)))
    >>> len(pair.reference), len(pair.source.items)
    (54, 60)
    """
    suite = Suite({"pair": alteration or Alteration()}, shape or Shape())
    return next(generate_suite(suite, ontology, seed=seed))


def generate_suite(
    suite: Suite, ontology: int | Given, *, seed: int = 0, finished: Collection[str] = ()
) -> Iterator[GeneratedPair]:
    """Generate the pairs of a suite, one after the other.

    Parameters
    ----------
    suite
        From `read_suite` or `preset`.
    ontology
        The source: number of classes of a made-up one, where the suite does not say another for a
        pair; or one from `read_given`.
    seed
        Of all choices by chance.
    finished
        Names of pairs that are left out; the others are the same as without it.

    Raises
    ------
    OntologyError
        If the number of classes is out of range, or a given ontology should have a shape or sizes.
    """
    if isinstance(ontology, Given):
        _check_given(suite)
    source: Model | None = None
    draft: Draft | None = None
    for step, (name, alteration) in enumerate(suite.pairs.items()):
        if isinstance(ontology, Given):
            source = ontology.model
            made_from: dict[str, object] = {"from": Path(ontology.path).name}
            made_from |= {"sha256 of it": ontology.sha256, "left out of it": ontology.left_out}
        else:
            size = suite.classes.get(name, ontology)
            if not 1 <= size <= MOST_CLASSES:
                raise OntologyError(f"classes = {size}: use 1 to {MOST_CLASSES}")
            if source is None or name in suite.classes:
                source = seed_model(size, seed, suite.shape)
            made_from = {"classes": size, "shape": asdict(suite.shape)}
        if name in finished and not suite.cumulative:
            continue
        if draft is None or not suite.cumulative:
            same = {(key, key): "=" for key in source.items}
            draft = Draft(source, source.copy(_target_iri(source)), same, seed)
        if suite.cumulative:
            draft = Draft(
                source, draft.target.copy(draft.target.iri), dict(draft.cells), seed, step
            )
        alter(draft, alteration)
        if name in finished:
            continue
        parameters = {
            "pair": name,
            **made_from,
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
    """Return an IRI for the target that no entity of the source lies under."""
    number, iri = 1, f"{BASE}/target"
    used = {namespace(known).rstrip("#/") for known in (*source.iris.values(), f"{source.iri}#")}
    while iri in used:
        number += 1
        iri = f"{BASE}/target-{number}"
    return iri


def _version() -> str:
    try:
        return metadata.version("alignrank")
    except metadata.PackageNotFoundError:
        return "unknown"
