"""Commands that score answers by what is right: alignments, candidates, choices, classes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, get_args

import typer

from evaluation.credit.counts import Completeness
from evaluation.credit.credits import ZeroDivision
from evaluation.credit.tied_ranks import Tie
from evaluation.measures.measure import MEASURES
from experiments.scoring.every_measure import ScoringOptions
from experiments.scoring.gold_standard import map_files, retrieve_pair
from experiments.scoring.response_classes import judge_concepts
from experiments.scoring.score_files import average_folders, score_files

from . import matching_options as matching
from . import options as shared
from .matching_options import settings_from
from .options import argument, choice, completing, option

ZeroByZero = Annotated[str, choice("WAY", get_args(ZeroDivision), "What 0/0 means: {}.")]


Ties = Annotated[
    str,
    choice(
        "WAY",
        get_args(Tie),
        "Equal scores: average (the expectation), min (optimistic), max or stable.",
    ),
]


def score(
    reference: shared.Reference,
    alignments: Annotated[list[str], argument("ALIGNMENT", "FILE, or NAME=FILE.")],
    source: shared.SourceFile = None,
    target: shared.TargetFile = None,
    measure: Annotated[
        list[str] | None,
        option(
            "NAME",
            "Measure by name (repeatable; default: the usual ones; alignrank list measures).",
            autocompletion=completing(MEASURES),
        ),
    ] = None,
    zero_division: ZeroByZero = "oaei",
    completeness: Annotated[
        str,
        choice("SIDE", get_args(Completeness), "For which entities the reference is complete: {}."),
    ] = "complete",
    weights: Annotated[
        Path | None, option("FILE", "JSON of a relaxed measure's weights, to add it.")
    ] = None,
    breakdown: Annotated[
        bool,
        typer.Option(
            "--breakdown", help="The first measure by kind and relation; one-to-one or not."
        ),
    ] = False,
    bootstrap: Annotated[
        int,
        option(
            "N", "Resamples of source entities for 95 % intervals, as 2000.", min=0, max=1_000_000
        ),
    ] = 0,
    difference: Annotated[
        tuple[str, str] | None, option("A B", "Difference A − B of two systems, with intervals.")
    ] = None,
    cluster: shared.Clusters = None,
    seed: Annotated[int, option("N", "Of the bootstrap.", min=0)] = 0,
    form: shared.TableCsvOrJson = "table",
    imports: shared.Imports = None,
    out: shared.Out = None,
    overwrite: shared.Overwrite = False,
) -> None:
    """Score alignment files by every measure of the field.

    Example: alignrank score reference.rdf aml.rdf logmap.rdf --source a.owl --target b.owl
    """
    options = ScoringOptions(
        completeness=completeness,
        zero_division=zero_division,
        resamples=bootstrap,
        seed=seed,
        difference=difference,
        breakdown=breakdown,
    )
    score_files(
        reference,
        alignments,
        options,
        source=source,
        target=target,
        imports=imports,
        measures=measure or [],
        weights=weights,
        cluster=cluster,
        form=form,
        out=out,
        overwrite=overwrite,
    )


def average(
    references: Annotated[Path, argument("REFERENCES", "Folder of the references task.rdf.")],
    alignments: Annotated[Path, argument("ALIGNMENTS", "Folder of the files SYSTEM-task.rdf.")],
    measure: Annotated[
        str,
        option("NAME", "Measure that needs no ontologies.", autocompletion=completing(MEASURES)),
    ] = "standard",
    missing: Annotated[
        str, choice("WAY", ("zero", "skip"), "A result that is missing: {}.")
    ] = "zero",
    mend_namespaces: shared.MendNamespaces = False,
    zero_division: ZeroByZero = "oaei",
    form: shared.TableOrJson = "table",
) -> None:
    """Average precision, recall and F1 over tasks, micro and macro.

    Example: alignrank average references alignments
    """
    average_folders(
        references,
        alignments,
        measure=measure,
        missing=missing,
        mend_namespaces=mend_namespaces,
        zero_division=zero_division,
        form=form,
    )


def mapping(
    gold: Annotated[Path, argument("GOLD", "TSV: item, candidate[, grade]; null for none.")],
    candidates: Annotated[Path, argument("CANDIDATES", "TSV: item, candidate, rank or score.")],
    matches: Annotated[
        list[str] | None, argument("MATCHES", "TSV: item, candidate; FILE, or NAME=FILE.")
    ] = None,
    positive: Annotated[
        list[str] | None,
        option("GRADE", "Grade that counts as right (repeatable; default: match)."),
    ] = None,
    tie: Ties = "average",
    at: Annotated[
        list[int] | None, option("N", "Cut-off n (repeatable; default: 1, 3, 5, 10).")
    ] = None,
    zero_division: ZeroByZero = "oaei",
    form: shared.TableOrJson = "table",
) -> None:
    """Judge ranked candidates and mappings by a gold standard.

    A mapping may choose nothing for an item, and the gold standard may want that.

    Example: alignrank mapping gold.tsv candidates.tsv mine.tsv theirs.tsv
    """
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
    source: shared.Source,
    target: shared.Target,
    reference: shared.Reference,
    metric: matching.Metrics = None,
    at: Annotated[
        list[int] | None, option("N", "Cut-off n (repeatable; default: 1, 5, 10).")
    ] = None,
    tie: Ties = "average",
    labels: matching.Labels = "words",
    synonyms: matching.Synonyms = True,
    kind: matching.Kinds = None,
    lang: matching.Langs = None,
    imports: shared.Imports = None,
    form: shared.TableOrJson = "table",
) -> None:
    """Judge metrics by where they rank the right targets.

    No assignment is made: each source entity has its own list of targets.

    Example: alignrank retrieve mouse.owl human.owl reference.rdf --metric smoa --at 1 --at 10
    """
    retrieve_pair(
        source,
        target,
        reference,
        metrics=metric or ["standard"],
        settings=settings_from(labels, synonyms, kind, lang),
        imports=imports,
        cutoffs=at or [1, 5, 10],
        tie=tie,
        form=form,
    )


def concepts(
    ontology: Annotated[Path, argument("ONTOLOGY", "The ontology.")],
    key: Annotated[
        str, argument("KEY", "Right class (IRI, its last part, or label), or a TSV of item, class.")
    ],
    response: Annotated[str, argument("RESPONSE", "Given class, or a TSV of item, class.")],
    imports: shared.Imports = None,
    n1: Annotated[float | None, option("X", "Mean chain length (default: computed).")] = None,
    form: shared.TableOrJson = "table",
) -> None:
    """Measure how near classes are to the right ones (BDM).

    Balanced distance metric and learning accuracy, of two classes or of files of them.

    Example: alignrank concepts protonu.owl City Location --imports proton
    """
    judge_concepts(ontology, key, response, imports=imports, n1=n1, form=form)
