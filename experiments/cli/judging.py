"""Commands that judge other answers than alignments: mapping, retrieve and concepts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.inputs.known_names import completing

from .options import (
    Imports,
    Kinds,
    Labels,
    Langs,
    Reference,
    Source,
    Synonyms,
    TableOrJson,
    Target,
    Ties,
    ZeroDivision,
    settings_from,
)


def mapping(
    gold: Annotated[
        Path, typer.Argument(metavar="GOLD", help="TSV: item, candidate[, grade]; null for none.")
    ],
    candidates: Annotated[
        Path, typer.Argument(metavar="CANDIDATES", help="TSV: item, candidate, rank or score.")
    ],
    matches: Annotated[
        list[str] | None,
        typer.Argument(metavar="MATCHES", help="TSV: item, candidate; FILE, or NAME=FILE."),
    ] = None,
    positive: Annotated[
        list[str] | None,
        typer.Option(
            "--positive",
            metavar="GRADE",
            help="Grade that counts as right (repeatable; default: match).",
        ),
    ] = None,
    tie: Ties = "average",
    at: Annotated[
        list[int] | None,
        typer.Option("--at", metavar="N", help="Cut-off n (repeatable; default: 1, 3, 5, 10)."),
    ] = None,
    zero_division: ZeroDivision = "oaei",
    form: TableOrJson = "table",
) -> None:
    """Judge ranked candidates and mappings by a gold standard.

    A mapping may choose nothing for an item, and the gold standard may want that.

    Example: alignrank mapping gold.tsv candidates.tsv mine.tsv theirs.tsv
    """
    from experiments.scoring.gold_standard import map_files

    map_files(
        gold,
        candidates,
        matches or [],
        positive=positive or ["match"],
        tie=tie,
        cutoffs=at or [1, 3, 5, 10],
        zero_division=zero_division,
        form=form,
    )


def retrieve(
    source: Source,
    target: Target,
    reference: Reference,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Metric by name, or a family (repeatable; default: standard).",
            autocompletion=completing("metrics"),
        ),
    ] = None,
    at: Annotated[
        list[int] | None,
        typer.Option("--at", metavar="N", help="Cut-off n (repeatable; default: 1, 5, 10)."),
    ] = None,
    tie: Ties = "average",
    labels: Labels = "words",
    synonyms: Synonyms = True,
    kind: Kinds = None,
    lang: Langs = None,
    imports: Imports = None,
    form: TableOrJson = "table",
) -> None:
    """Judge metrics by where they rank the right targets.

    No assignment is made: each source entity has its own list of targets.

    Example: alignrank retrieve mouse.owl human.owl reference.rdf --metric smoa --at 1 --at 10
    """
    from experiments.scoring.gold_standard import retrieve_pair

    retrieve_pair(
        source,
        target,
        reference,
        metrics=metric or ["standard"],
        settings=settings_from(labels, synonyms, kind, lang, 0.0, "hungarian", "assign-then-cut"),
        imports=imports,
        cutoffs=at or [1, 5, 10],
        tie=tie,
        form=form,
    )


def concepts(
    ontology: Annotated[Path, typer.Argument(metavar="ONTOLOGY", help="The ontology.")],
    key: Annotated[
        str,
        typer.Argument(
            metavar="KEY",
            help="Right class (IRI, its last part, or label), or a TSV of item, class.",
        ),
    ],
    response: Annotated[
        str, typer.Argument(metavar="RESPONSE", help="Given class, or a TSV of item, class.")
    ],
    imports: Imports = None,
    n1: Annotated[
        float | None,
        typer.Option("--n1", metavar="X", help="Mean chain length (default: computed)."),
    ] = None,
    form: TableOrJson = "table",
) -> None:
    """Measure how near classes are to the right ones (BDM).

    Balanced distance metric and learning accuracy, of two classes or of files of them.

    Example: alignrank concepts protonu.owl City Location --imports proton
    """
    from experiments.scoring.response_classes import judge_concepts

    judge_concepts(ontology, key, response, imports=imports, n1=n1, form=form)
