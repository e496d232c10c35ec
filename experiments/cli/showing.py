"""Commands that show what is there: show, explain and list."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.inputs.known_names import completing, one_of

from .options import (
    AssignmentMethod,
    Imports,
    Labels,
    Langs,
    Protocol,
    Replace,
    Results,
    Source,
    Synonyms,
    TableOrJson,
    Target,
    Threshold,
    settings_from,
)


def show(
    ontology: Annotated[Path, typer.Argument(metavar="ONTOLOGY", help="The ontology.")],
    find: Annotated[
        str | None, typer.Option("--find", metavar="WORD", help="List what is called so instead.")
    ] = None,
    examples: Annotated[
        int, typer.Option("--examples", metavar="N", min=0, help="Of each kind.")
    ] = 5,
    imports: Imports = None,
    form: TableOrJson = "table",
) -> None:
    """Take a quick look at an ontology.

    What it holds, how its entities are named, what was left out.

    Example: alignrank show a.owl --find reviewer
    """
    from experiments.looking.show import show as run

    run(ontology, imports=imports, examples=examples, word=find, form=form)


def explain(
    source: Source,
    target: Target,
    entity1: Annotated[
        str, typer.Argument(metavar="E1", help="Source entity: IRI, its last part, or a label.")
    ],
    entity2: Annotated[str, typer.Argument(metavar="E2", help="Target entity.")],
    reference: Annotated[
        Path | None,
        typer.Option("--reference", metavar="FILE", help="Reference alignment: is the pair right?"),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Metric by name, or a family (repeatable; default: standard).",
            autocompletion=completing("metrics"),
        ),
    ] = None,
    labels: Labels = "words",
    synonyms: Synonyms = True,
    lang: Langs = None,
    threshold: Threshold = 0.0,
    assignment: AssignmentMethod = "hungarian",
    protocol: Protocol = "assign-then-cut",
    imports: Imports = None,
    figure: Annotated[
        Path | None,
        typer.Option(
            "--figure",
            metavar="FILE",
            help="Draw the first metric's similarities near the pair: .svg, .pdf, .png.",
        ),
    ] = None,
    overwrite: Replace = False,
    form: TableOrJson = "table",
) -> None:
    """Say why two entities were matched or not, metric by metric.

    Example: alignrank explain a.owl b.owl Reviewer Referee --reference reference.rdf
    """
    from experiments.looking.explain import explain_pair

    explain_pair(
        source,
        target,
        entity1,
        entity2,
        metrics=metric or ["standard"],
        settings=settings_from(labels, synonyms, None, lang, threshold, assignment, protocol),
        imports=imports,
        reference=reference,
        form=form,
        figure=figure,
        overwrite=overwrite,
    )


def list_names(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WHAT",
            help="metrics, measures, corrections or tests (default: all).",
            autocompletion=one_of("metrics", "measures", "corrections", "tests"),
        ),
    ] = None,
) -> None:
    """List the metrics, measures, corrections and tests.

    Example: alignrank list metrics
    """
    from experiments.inputs.known_names import print_names

    print_names(what or [])


def table(
    results: Results,
    name: Annotated[
        str,
        typer.Option("--table", metavar="TABLE", help="scores, p, adjusted, discordant or edges."),
    ] = "scores",
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="latex, markdown, csv or html.")
    ] = "latex",
    view: Annotated[
        str | None, typer.Option("--view", metavar="VIEW", help="Default: the first.")
    ] = None,
    test: Annotated[
        str | None, typer.Option("--test", metavar="TEST", help="Of p (default: the chosen).")
    ] = None,
    correction: Annotated[
        str | None, typer.Option("--correction", metavar="NAME", help="Default: the chosen one.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="PATH", help="File (default: print).")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file.")] = False,
) -> None:
    """Write a table of a results folder for a paper.

    Example: alignrank table results --table adjusted --format latex --out adjusted.tex
    """
    from experiments.results.write_table import table as run

    run(
        results,
        name=name,
        form=form,
        view=view,
        test=test,
        correction=correction,
        out=out,
        overwrite=overwrite,
    )


def plot(
    results: Results,
    out: Annotated[Path, typer.Option("--out", metavar="PATH", help="Folder of the figures.")],
    figures: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FIGURE",
            help="outperforms, p-values, discordance, precision-recall, threshold, similarities "
            "or critical-difference (default: all that fit).",
        ),
    ] = None,
    form: Annotated[
        list[str] | None,
        typer.Option(
            "--format", metavar="FORMAT", help="pdf, svg or png (repeatable; default: pdf)."
        ),
    ] = None,
    view: Annotated[
        str | None, typer.Option("--view", metavar="VIEW", help="Default: the first.")
    ] = None,
    correction: Annotated[
        str | None, typer.Option("--correction", metavar="NAME", help="Default: the chosen one.")
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            "--system",
            metavar="SYSTEM",
            help="In curves and similarities (repeatable; default: all).",
        ),
    ] = None,
    reference: Annotated[
        Path | None,
        typer.Option("--reference", metavar="FILE", help="Reference alignment, if it was moved."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the files.")] = False,
) -> None:
    """Draw figures of a results folder for a paper.

    Example: alignrank plot results p-values precision-recall --format pdf --out figures
    """
    from experiments.results.paper_figures import plot as run

    run(
        results,
        figures or [],
        formats=form or ["pdf"],
        view=view,
        correction=correction,
        systems=system or [],
        reference=reference,
        out=out,
        overwrite=overwrite,
    )
