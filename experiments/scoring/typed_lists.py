"""Ranked lists of targets with a relation each, scored by Bio-ML's typed measures."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from alignrank.common.errors import EvaluationError
from alignrank.common.files import read_text
from alignrank.common.names import count
from alignrank.evaluation.measures.retrieval.typed_lists import (
    Parents,
    read_typed_lists,
    read_typed_queries,
    typed_values,
)
from alignrank.experiments.inputs.named_inputs import named_files
from alignrank.experiments.presentation.columns import decimals
from alignrank.experiments.report.console import (
    best_first,
    finish,
    print_cautions,
    print_numbers,
    print_prose,
)
from alignrank.ontologies import load_ontology

#: The typed measures, in the order of `TypedValues`.
HEADINGS = ("MRR", "nDCG@10")


def score_typed_lists(gold: Path, runs: Sequence[str], target: Path | None) -> None:
    """Print the typed MRR of ranked lists, and with the target's hierarchy their nDCG@10.

    Parameters
    ----------
    gold
        As `read_typed_queries` takes it.
    runs
        Files of ranked lists, ``FILE`` or ``NAME=FILE``.
    target
        The target ontology, or a table of its links.
    """
    queries = read_typed_queries(gold)
    parents = None if target is None else read_parents(target)
    equivalent = {key for key, query in queries.items() if query.preferred[0][1] == "="}
    slices = {"": queries.keys(), " of =": equivalent, " of < >": queries.keys() - equivalent}
    headings = HEADINGS if parents else HEADINGS[:1]
    means: dict[str, dict[str, float]] = {}
    cautions = []
    for name, path in named_files(runs).items():
        lists = read_typed_lists(path, queries)
        values = typed_values(queries, lists, parents)
        means[name] = {
            heading + part: fmean(values[key][place] for key in keys)
            for part, keys in slices.items()
            for place, heading in enumerate(headings)
            if keys
        }
        if missing := len(queries.keys() - lists.keys()):
            cautions.append(f"{name} lacks {count(missing, 'query')}: each counts 0")
    if parents is None:
        cautions.append("no nDCG: give the target ontology or its table of links with --target")
    means = dict(sorted(means.items(), key=lambda item: -item[1]["MRR"]))
    shown = {name: decimals(of_run["MRR"]) for name, of_run in means.items()}
    print_prose(f"{best_first('typed MRR', shown)} {count(len(queries), 'query')}.")
    rows = [[name, *map(decimals, of_run.values())] for name, of_run in means.items()]
    print_numbers(["system", *next(iter(means.values()))], rows)
    print_cautions(cautions)
    finish({"queries": len(queries), "means": means, "cautions": cautions})


def read_parents(path: Path) -> Parents:
    """Read direct super-entities by entity: an ontology, or a table ``child_id, parent_id``."""
    text = read_text(path, EvaluationError)
    if not text.startswith("child_id"):
        ontology = load_ontology(path)
        return {entity.iri: ontology.parents.get(entity.iri, ()) for entity in ontology}
    parents: dict[str, list[str]] = {}
    for row in csv.DictReader(text.splitlines(), delimiter="\t"):
        parents.setdefault(row["child_id"], []).append(row["parent_id"])
    return parents
