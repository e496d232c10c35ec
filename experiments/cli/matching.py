"""Commands that match ontology pairs: demo, rank and match."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.inputs.known_names import completing

from .options import (
    Alpha,
    AssignmentMethod,
    Correction,
    Imports,
    Kinds,
    Labels,
    Langs,
    OptionalOut,
    Overwrite,
    Protocol,
    Replace,
    Source,
    Synonyms,
    Target,
    Test,
    Threshold,
    ThresholdOrBest,
    Tiles,
    refuse,
    settings_from,
    threshold_from,
)


def demo(
    out: OptionalOut = None,
    overwrite: Overwrite = False,
) -> None:
    """Rank the nine standard metrics on the bundled library pair.

    Example: alignrank demo --out results
    """
    from experiments.ranking.pair import demo as run

    run(out, overwrite=overwrite)


def rank(
    source: Annotated[
        Path | None, typer.Argument(metavar="SOURCE", help="Source ontology.")
    ] = None,
    target: Annotated[
        Path | None, typer.Argument(metavar="TARGET", help="Target ontology.")
    ] = None,
    reference: Annotated[
        Path | None, typer.Argument(metavar="REFERENCE", help="Reference alignment.")
    ] = None,
    out: OptionalOut = None,
    task: Annotated[
        list[str] | None,
        typer.Option(
            "--task",
            metavar="TASK",
            help="Instead of the three files: anatomy, conference, bundled, library, "
            "conference/cmt-ekaw, a folder ... (repeatable; several tasks are compared by their "
            "scores).",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="FOLDER",
            help="Folder of the tasks' files (default: where fetch puts them).",
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Metric by name, or a family: standard, ontosim (repeatable; default: standard; "
            "alignrank list metrics).",
            autocompletion=completing("metrics"),
        ),
    ] = None,
    labels: Labels = "words",
    synonyms: Synonyms = True,
    kind: Kinds = None,
    lang: Langs = None,
    threshold: ThresholdOrBest = "0",
    assignment: AssignmentMethod = "hungarian",
    protocol: Protocol = "assign-then-cut",
    tiles: Tiles = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="Of the halves of --threshold best.")
    ] = 0,
    imports: Imports = None,
    test: Test = "mid-p",
    correction: Correction = "bergmann-hommel",
    alpha: Alpha = 0.05,
    overwrite: Overwrite = False,
) -> None:
    """Match ontology pairs with many metrics and rank the metrics.

    Example: alignrank rank mouse.owl human.owl reference.rdf --out results

    Example: alignrank rank --task conference
    """
    if threshold == "best" and tiles:
        refuse("--threshold best looks at every pair, and tiles do not: leave --tiles out")
    options: dict[str, Any] = {
        "metrics": metric or ["standard"],
        "settings": settings_from(
            labels, synonyms, kind, lang, threshold_from(threshold), assignment, protocol, tiles
        ),
        "best_threshold": threshold == "best",
        "seed": seed,
        "imports": imports,
        "test": test,
        "correction": correction,
        "alpha": alpha,
        "out": out,
        "overwrite": overwrite,
    }
    if task:
        from experiments.ranking.tasks import rank_tasks

        if source:
            refuse("--task names the files itself: leave out SOURCE TARGET REFERENCE")
        rank_tasks(task, data=data, **options)
        return
    from experiments.ranking.pair import rank_pair

    if source is None or target is None or reference is None:
        refuse("name SOURCE TARGET REFERENCE, or a task with --task (as --task library)")
    rank_pair(source, target, reference, **options)


def match(
    source: Source,
    target: Target,
    metric: Annotated[
        str,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Metric by name (alignrank list metrics).",
            autocompletion=completing("metrics"),
        ),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="PATH", help="Alignment file to write.")],
    labels: Labels = "words",
    synonyms: Synonyms = True,
    kind: Kinds = None,
    lang: Langs = None,
    threshold: Threshold = 0.0,
    assignment: AssignmentMethod = "hungarian",
    protocol: Protocol = "assign-then-cut",
    tiles: Tiles = None,
    imports: Imports = None,
    overwrite: Replace = False,
) -> None:
    """Match an ontology pair with one metric and write the alignment.

    Example: alignrank match a.owl b.owl --metric levenshtein --threshold 0.8 --out a-b.rdf
    """
    from experiments.ranking.pair import match_pair

    match_pair(
        source,
        target,
        metric=metric,
        settings=settings_from(
            labels, synonyms, kind, lang, threshold, assignment, protocol, tiles
        ),
        imports=imports,
        out=out,
        overwrite=overwrite,
    )
