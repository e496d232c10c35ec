"""Processor time and memory of the default matcher on made names.

    python benchmarks/matcher_size.py NUMBER [common]

matches NUMBER made names with as many, half of which are others' with up to two characters changed.
With ``common`` every other name has one and the same further word.
"""

from __future__ import annotations

import resource
import sys
import time

from labels import labels, perturbed

from alignrank.matchers import Settings, match, prepare
from alignrank.ontologies import Entity, Kind, Label, Ontology


def ontology(iri: str, names: list[str]) -> Ontology:
    entities = (Entity(f"{iri}{k}", Kind.CLASS, (Label(name),)) for k, name in enumerate(names))
    return Ontology(iri, {entity.iri: entity for entity in entities})


def main(number: str, common: str = "") -> None:
    sources = labels(int(number), seed=1)
    sides = [sources, perturbed(sources, 0.5, seed=2)]
    if common:
        sides = [[f"{s} common" if k % 2 else s for k, s in enumerate(names)] for names in sides]
    source, target = map(ontology, ("a#", "b#"), sides)
    began = time.process_time()
    matching = match(prepare(source, target, Settings(threshold=0.5)), "combined")
    seconds = time.process_time() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"{number} x {number} names: {seconds:.1f} processor seconds, {memory:.2f} GB, "
        f"{len(matching.alignment)} correspondences"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
