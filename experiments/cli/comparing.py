"""Commands that compare systems: compare, on one task, and study, over many."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.inputs.known_names import completing, one_of

from .options import Alpha, Imports, MendNamespaces, OptionalOut, Overwrite


def compare(
    reference: Annotated[
        Path,
        typer.Argument(
            metavar="REFERENCE",
            help="Reference alignment; or, with no ALIGNMENT, a CSV table of discordant counts.",
        ),
    ],
    alignments: Annotated[
        list[str] | None, typer.Argument(metavar="ALIGNMENT", help="FILE, or NAME=FILE.")
    ] = None,
    out: OptionalOut = None,
    test: Annotated[
        str | None,
        typer.Option(
            "--test",
            metavar="TEST",
            help="mid-p (default), exact, asymptotic or continuity; with --cluster also sign-flip "
            "(then the default), durkalski or obuchowski.",
            autocompletion=one_of(
                "mid-p",
                "exact",
                "asymptotic",
                "continuity",
                "sign-flip",
                "durkalski",
                "obuchowski",
            ),
        ),
    ] = None,
    correction: Annotated[
        str | None,
        typer.Option(
            "--correction",
            metavar="NAME",
            help="Default: bergmann-hommel, or holm with --against (alignrank list corrections).",
            autocompletion=completing("corrections"),
        ),
    ] = None,
    alpha: Alpha = 0.05,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exact tests with Bergmann–Hommel.")
    ] = False,
    view: Annotated[
        list[str] | None,
        typer.Option(
            "--view",
            metavar="VIEW",
            help="ifp, cfp, entity or entity-target (repeatable; default: first three).",
            autocompletion=one_of("ifp", "cfp", "entity", "entity-target"),
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against", metavar="SYSTEM", help="Compare all others with this system (N×1)."
        ),
    ] = None,
    margin: Annotated[
        float,
        typer.Option("--margin", metavar="X", help="Differences below it count as equivalent."),
    ] = 0.01,
    measure: Annotated[
        str | None,
        typer.Option(
            "--measure",
            metavar="NAME",
            help="Compare by a measure, as f1, with randomisation (alignrank list measures).",
            autocompletion=completing("measures"),
        ),
    ] = None,
    swaps: Annotated[
        int,
        typer.Option("--swaps", metavar="N", min=1, max=100_000_000, help="Of the randomisation."),
    ] = 20_000,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="Of the randomisation.")
    ] = 0,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="WHAT",
            help="Dependent items: parent (with --source), or a TSV of item, cluster.",
        ),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--source", metavar="FILE", help="Source ontology.")
    ] = None,
    target: Annotated[
        Path | None, typer.Option("--target", metavar="FILE", help="Target ontology.")
    ] = None,
    imports: Imports = None,
    items: Annotated[
        int | None,
        typer.Option(
            "--items", metavar="N", help="Size of the reference behind a table of counts."
        ),
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Compare systems by the alignment files that they produced.

    Example: alignrank compare reference.rdf AML=aml.rdf LogMap=logmap.rdf --out results
    """
    from experiments.comparing.compare_files import DEFAULT_VIEWS, Options, compare_files

    options = Options(
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
        Path,
        typer.Argument(
            metavar="SCORES", help="CSV of tasks × systems, or a folder of SYSTEM-task.rdf."
        ),
    ],
    out: OptionalOut = None,
    references: Annotated[
        Path | None,
        typer.Option(
            "--references",
            metavar="FOLDER",
            help="Folder of the references task.rdf, with a folder.",
        ),
    ] = None,
    test: Annotated[
        str,
        typer.Option(
            "--test",
            metavar="TEST",
            help="Post-hoc test: signed-rank, paired-t, sign, friedman, aligned-ranks or quade.",
            autocompletion=one_of(
                "signed-rank", "paired-t", "sign", "friedman", "aligned-ranks", "quade"
            ),
        ),
    ] = "signed-rank",
    correction: Annotated[
        str | None,
        typer.Option(
            "--correction",
            metavar="NAME",
            help="Default: bergmann-hommel, or holm with --against (alignrank list corrections).",
            autocompletion=completing("corrections"),
        ),
    ] = None,
    alpha: Alpha = 0.05,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="SYSTEM", help="Compare all others with this system."),
    ] = None,
    missing: Annotated[
        str,
        typer.Option(
            "--missing", metavar="WAY", help="A result that is missing: refuse, zero or drop."
        ),
    ] = "refuse",
    mend_namespaces: MendNamespaces = False,
    rope: Annotated[
        float,
        typer.Option("--rope", metavar="X", min=0, help="Half width of practical equivalence."),
    ] = 0.01,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="Of the Bayesian test's sampling.")
    ] = 0,
    overwrite: Overwrite = False,
) -> None:
    """Compare systems over many tasks.

    Example: alignrank study scores.csv --out results
    """
    from experiments.comparing.study_files import study_scores

    study_scores(
        scores,
        references=references,
        test=test,
        correction=correction,
        alpha=alpha,
        against=against,
        missing=missing,
        mend_namespaces=mend_namespaces,
        rope=rope,
        seed=seed,
        out=out,
        overwrite=overwrite,
    )
