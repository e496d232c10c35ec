"""How near response classes are to key classes in an ontology (`alignrank score`)."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from evaluation.measures.relaxed.balanced_distance import (
    BalancedDistance,
    ClassDistance,
    LearningAccuracy,
)
from evaluation.measures.relaxed.concepts import ConceptScores, concept_scores, read_concepts
from experiments.errors import ExperimentError
from experiments.inputs.named_inputs import find_entity
from experiments.report.console import (
    console,
    decimals,
    print_cautions,
    print_json,
    print_prose,
    terminal_table,
)
from ontologies import Kind, Ontology, load_ontology, local_name
from ontologies.common.names import count
from ontologies.common.table import Table
from ontologies.hierarchy import Hierarchy


def find_class(ontology: Ontology, name: str) -> str:
    """Return the IRI of the class that `name` means: an IRI, the last part of one, or a label.

    Raises
    ------
    ExperimentError
        If no class or several classes are called so.
    """
    return find_entity(ontology, name, [Kind.CLASS]).iri


def judge_concepts(
    path: Path,
    key: str,
    response: str,
    *,
    imports: Path | None = None,
    n1: float | None = None,
    form: str = "table",
) -> None:
    """Measure how near classes are to the right ones (BDM).

    Balanced distance metric and learning accuracy, of two classes or of files of them.

    Example: alignrank score protonu.owl City Location --imports proton
    """
    files = [Path(name) for name in (key, response) if Path(name).is_file()]
    if len(files) == 1:
        raise ExperimentError(
            f"{files[0]} is a file, but the other is not: give two classes or two files"
        )
    ontology = load_ontology(path, imports=imports)
    hierarchy = Hierarchy.of(ontology, kinds=[Kind.CLASS])
    bdm = BalancedDistance(hierarchy, n1="all" if n1 is None else n1)
    cautions = [f"a cycle was taken as one class: {', '.join(cycle)}" for cycle in hierarchy.cycles]
    if ontology.missing_imports:
        missing = ", ".join(ontology.missing_imports)
        cautions.append(f"imports not found locally: {missing} (give their folder with --imports)")
    if files:
        keys, responses = (read_concepts(file, hierarchy) for file in files)
        scores = concept_scores(keys, responses, bdm)
        content = asdict(scores)
        if form == "table":
            print_concepts(scores)
    else:
        one, two = find_class(ontology, key), find_class(ontology, response)
        distance, accuracy = bdm.distance(one, two), LearningAccuracy(hierarchy)(one, two)
        content = {"key": one, "response": two, "learning_accuracy": accuracy, **asdict(distance)}
        if form == "table":
            print_distance(distance, accuracy)
    if form == "table":
        print_cautions(cautions)
    else:
        print_json({**content, "cautions": cautions})


def print_distance(distance: ClassDistance, accuracy: float) -> None:
    """Print the BDM and learning accuracy of two classes, and what they are made of."""
    shared = "the root" if distance.msca == "" else local_name(distance.msca or "nothing")
    out = console()
    out.print(f"BDM {distance.bdm:.4f}, learning accuracy {accuracy:.4f}")
    print_prose(
        f"most specific common class: {shared}; CP {distance.cp}, DPK {distance.dpk}, DPR "
        f"{distance.dpr}; n1 {distance.n1:.4f}, n2 {distance.n2:.4f}, n3 {distance.n3:.4f}, "
        f"branching {distance.branching:.4f}"
    )


def print_concepts(scores: ConceptScores) -> None:
    """Print every pair of key and response, and the augmented and exact averages."""
    out = console()
    rows = [
        [
            pair.item,
            *(local_name(c) if c else "–" for c in (pair.key, pair.response)),
            pair.bdm,
            pair.learning_accuracy,
        ]
        for pair in scores.pairs
    ]
    header = ["item", "key", "response", "BDM", "LA"]
    pairs = Table(
        "Pairs",
        header,
        rows,
        kinds=["text", "text", "text", "number", "number"],
        show="{:.4f}".format,
    )
    out.print(terminal_table(pairs, wrapped=header[:3]))
    missing = sum(pair.response is None for pair in scores.pairs)
    spurious = sum(pair.key is None for pair in scores.pairs)
    out.print(
        f"\n{count(len(scores.pairs), 'pair')}; {count(missing, 'key')} missing, "
        f"{count(spurious, 'response')} spurious"
    )
    for name, rates in (("augmented by BDM", scores.augmented), ("exact", scores.exact)):
        out.print(
            f"{name}: precision {decimals(rates.precision)}, recall {decimals(rates.recall)}, F1 "
            f"{decimals(rates.f1)}"
        )
