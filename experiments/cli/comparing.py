"""Commands that compare systems: compare, on one task; study, over many; table, of either."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, get_args

import typer

from evaluation.comparison.contingency import VIEWS
from evaluation.corrections.adjustment import CORRECTIONS
from evaluation.measures.measure import MEASURES
from evaluation.multitask import POSTHOC_TESTS
from evaluation.multitask.score_table import Missing
from evaluation.significance.clustered import CLUSTER_TESTS
from evaluation.significance.mcnemar import TESTS
from experiments.comparing.compare_files import DEFAULT_VIEWS, CompareOptions, compare_files
from experiments.comparing.study_files import StudyOptions, study_scores
from experiments.report.paper import TABLE_FORMATS, TABLES
from experiments.report.paper import table as write_table

from . import options as shared
from .options import argument, choice, completing, option

OptionalCorrection = Annotated[
    str | None,
    option(
        "NAME",
        "Default: bergmann-hommel, or holm with --against (alignrank list corrections).",
        autocompletion=completing(CORRECTIONS),
    ),
]
Against = Annotated[str | None, option("SYSTEM", "Compare all others with this system (N×1).")]


def compare(
    reference: Annotated[
        Path,
        argument(
            "REFERENCE",
            "Reference alignment; or, with no ALIGNMENT, a CSV table of discordant counts.",
        ),
    ],
    alignments: Annotated[list[str] | None, argument("ALIGNMENT", "FILE, or NAME=FILE.")] = None,
    out: shared.Out = None,
    test: Annotated[
        str | None,
        option(
            "TEST",
            "mid-p (default), exact, asymptotic or continuity; with --cluster also sign-flip "
            "(then the default), durkalski or obuchowski.",
            autocompletion=completing([*TESTS, *CLUSTER_TESTS]),
        ),
    ] = None,
    correction: OptionalCorrection = None,
    alpha: shared.Alpha = 0.05,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exact tests with Bergmann–Hommel.")
    ] = False,
    view: Annotated[
        list[str] | None, choice("VIEW", VIEWS, "{} (repeatable; default: first three).")
    ] = None,
    against: Against = None,
    margin: Annotated[float, option("X", "Differences below it count as equivalent.")] = 0.01,
    measure: Annotated[
        str | None,
        option(
            "NAME",
            "Compare by a measure, as f1, with randomisation (alignrank list measures).",
            autocompletion=completing(MEASURES),
        ),
    ] = None,
    swaps: Annotated[int, option("N", "Of the randomisation.", min=1, max=100_000_000)] = 20_000,
    seed: Annotated[int, option("N", "Of the randomisation.", min=0)] = 0,
    cluster: shared.Clusters = None,
    source: shared.SourceFile = None,
    target: shared.TargetFile = None,
    imports: shared.Imports = None,
    items: Annotated[
        int | None, option("N", "Size of the reference behind a table of counts.")
    ] = None,
    overwrite: shared.Overwrite = False,
) -> None:
    """Compare systems by the alignment files that they produced.

    Example: alignrank compare reference.rdf AML=aml.rdf LogMap=logmap.rdf --out results
    """
    options = CompareOptions(
        test=test,
        correction=correction,
        alpha=alpha,
        strict=strict,
        views=tuple(view or DEFAULT_VIEWS),
        against=against,
        margin=margin,
        measure=measure,
        swaps=swaps,
        seed=seed,
        clusters=cluster,
        source=source,
        target=target,
        imports=imports,
        items=items,
    )
    compare_files(reference, alignments or [], options, out=out, overwrite=overwrite)


def study(
    scores: Annotated[
        Path, argument("SCORES", "CSV of tasks × systems, or a folder of SYSTEM-task.rdf.")
    ],
    out: shared.Out = None,
    references: Annotated[
        Path | None, option("FOLDER", "Folder of the references task.rdf, with a folder.")
    ] = None,
    test: Annotated[str, choice("TEST", POSTHOC_TESTS, "Post-hoc test: {}.")] = "signed-rank",
    correction: OptionalCorrection = None,
    alpha: shared.Alpha = 0.05,
    against: Against = None,
    missing: Annotated[
        str, choice("WAY", get_args(Missing), "A result that is missing: {}.")
    ] = "refuse",
    mend_namespaces: shared.MendNamespaces = False,
    rope: Annotated[float, option("X", "Half width of practical equivalence.", min=0)] = 0.01,
    seed: Annotated[int, option("N", "Of the Bayesian test's sampling.", min=0)] = 0,
    overwrite: shared.Overwrite = False,
) -> None:
    """Compare systems over many tasks.

    Example: alignrank study scores.csv --out results
    """
    options = StudyOptions(
        test=test,
        correction=correction,
        alpha=alpha,
        against=against,
        missing=missing,
        mend_namespaces=mend_namespaces,
        rope=rope,
        seed=seed,
    )
    study_scores(scores, references, options, out=out, overwrite=overwrite)


def table(
    results: Annotated[Path, argument("RESULTS", "Results folder of rank, compare or study.")],
    name: Annotated[str, choice("TABLE", TABLES, flag="--table")] = "scores",
    form: Annotated[str, choice("FORMAT", TABLE_FORMATS, flag="--format")] = "latex",
    view: Annotated[str | None, option("VIEW", "Default: the first.")] = None,
    test: Annotated[str | None, option("TEST", "Of p (default: the chosen).")] = None,
    correction: Annotated[str | None, option("NAME", "Default: the chosen one.")] = None,
    out: Annotated[Path | None, option("PATH", "File (default: print).")] = None,
    overwrite: shared.Replace = False,
) -> None:
    """Write a table of a results folder for a paper.

    Example: alignrank table results --table adjusted --format latex --out adjusted.tex
    """
    write_table(
        results,
        name=name,
        form=form,
        view=view,
        test=test,
        correction=correction,
        out=out,
        overwrite=overwrite,
    )
