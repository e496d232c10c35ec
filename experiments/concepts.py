"""How near a response class is to the key class in an ontology (`alignrank concepts`)."""

from __future__ import annotations

from pathlib import Path

from evaluation.hierarchical import BalancedDistance, LearningAccuracy
from ontologies import Kind, Ontology, load_ontology, local_name
from ontologies.hierarchy import Hierarchy

from .errors import ExperimentError
from .report.console import console, print_notes


def find_class(ontology: Ontology, name: str) -> str:
    """Return the IRI of the class that `name` means: an IRI, the last part of one, or a label.

    Raises
    ------
    ExperimentError
        If no class or several classes are called so.
    """
    classes = ontology.of_kind(Kind.CLASS)
    tests = (
        lambda e: e.iri == name,
        lambda e: local_name(e.iri) == name,
        lambda e: name.lower() in [n.lower() for n in e.names()],
    )
    for test in tests:
        found = [e.iri for e in classes if test(e)]
        if len(found) == 1:
            return found[0]
        if found:
            raise ExperimentError(
                f"{name!r} means {len(found)} classes of {ontology.path} ({', '.join(found[:3])}): "
                "give the full IRI"
            )
    raise ExperimentError(f"no class of {ontology.path} is called {name!r}: give its IRI or label")


def compare_concepts(
    path: Path, key: str, response: str, *, imports: Path | None, n1: float | None
) -> None:
    """Load, measure and print (`alignrank concepts`)."""
    ontology = load_ontology(path, imports=imports)
    one, two = find_class(ontology, key), find_class(ontology, response)
    hierarchy = Hierarchy.of(ontology, kinds=[Kind.CLASS])
    distance = BalancedDistance(hierarchy, n1="all" if n1 is None else n1).distance(one, two)
    accuracy = LearningAccuracy(hierarchy)(one, two)
    shared = "the root" if distance.msca == "" else local_name(distance.msca or "nothing")
    out = console()
    out.print(f"BDM {distance.bdm:.4f}, learning accuracy {accuracy:.4f}")
    out.print(
        f"most specific common class: {shared}; CP {distance.cp}, DPK {distance.dpk}, DPR "
        f"{distance.dpr}; n1 {distance.n1:.4f}, n2 {distance.n2:.4f}, n3 {distance.n3:.4f}, "
        f"branching {distance.branching:.4f}",
        soft_wrap=True,
    )
    notes = [f"a cycle was taken as one class: {', '.join(cycle)}" for cycle in hierarchy.cycles]
    if ontology.missing_imports:
        notes.append(f"imports not found locally: {', '.join(ontology.missing_imports)}")
    print_notes(notes)
