"""Commands that match with metrics: demo, rank, match and run; and list, of what they take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evaluation.corrections.adjustment import CORRECTIONS
from evaluation.significance.mcnemar import TESTS
from experiments.inputs.named_tasks import PairFiles, tasks_by_name
from experiments.library.run import run_experiment
from experiments.looking.known_names import LISTS, print_names
from experiments.ranking.join import join_files
from experiments.ranking.matching import match_pair
from experiments.ranking.pair import rank_pair
from experiments.ranking.rank import RankOptions
from experiments.report.console import say
from matchers import Settings
from ontologies import Kind
from ontologies.common.executor import Cluster
from ontologies.tasks import DEMO, bundled_task

from . import matching_options as matching
from . import options as shared
from .options import argument, choice, command, completing, option, refuse


def demo(
    out: Annotated[Path | None, shared.OUT] = None,
    overwrite: Annotated[bool, shared.OVERWRITE] = False,
) -> None:
    """Rank the nine standard metrics on a generated pair of 360 correspondences.

    Example: alignrank demo --out results
    """
    task = bundled_task(DEMO)
    files = PairFiles(task.source, task.target, task.reference)
    rank_pair(files, RankOptions(), out=out, overwrite=overwrite)
    say("Generated pair. Yours: alignrank rank A.owl B.owl REFERENCE.rdf -o results")


def rank(
    context: typer.Context,
    source: Annotated[Path | None, shared.SOURCE] = None,
    target: Annotated[Path | None, shared.TARGET] = None,
    reference: Annotated[Path | None, shared.REFERENCE] = None,
    out: Annotated[Path | None, shared.OUT] = None,
    task: Annotated[
        list[str] | None,
        option(
            "TASK",
            "Instead of the three files: anatomy, conference, bundled, library, "
            "conference/cmt-ekaw, a folder ... (repeatable; several tasks are compared by their "
            "scores).",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        option("FOLDER", "Folder of the tasks' files (default: where fetch puts them)."),
    ] = None,
    metric: Annotated[list[str] | None, matching.METRICS] = None,
    labels: Annotated[str, matching.LABELS] = "words",
    synonyms: Annotated[bool, matching.SYNONYMS] = True,
    kind: Annotated[list[str] | None, matching.KINDS] = None,
    lang: Annotated[list[str] | None, matching.LANGS] = None,
    threshold: Annotated[
        str,
        option(
            "X",
            "Keep pairs at or above this similarity; best: where F1 is largest, each source "
            "entity's chosen on others than it and its siblings.",
            flag="--threshold -t",
        ),
    ] = "0",
    assignment: Annotated[str, matching.ASSIGNMENT] = "hungarian",
    order: Annotated[str, matching.ORDER] = "assign-then-cut",
    tiles: Annotated[bool | None, matching.TILES] = None,
    scheduler: Annotated[str | None, matching.SCHEDULER] = None,
    workers: Annotated[int | None, matching.WORKERS] = None,
    imports: Annotated[Path | None, shared.IMPORTS] = None,
    protocol: Annotated[str | None, shared.PROTOCOL] = None,
    test: Annotated[str, choice("TEST", TESTS, "McNemar test: {}.")] = "mid-p",
    correction: Annotated[
        str,
        option(
            "NAME",
            "Control of the family-wise error rate (alignrank list corrections).",
            autocompletion=completing(CORRECTIONS),
        ),
    ] = "bergmann-hommel",
    alpha: Annotated[float, shared.ALPHA] = 0.05,
    overwrite: Annotated[bool, shared.OVERWRITE] = False,
    resume: Annotated[bool, shared.RESUME] = False,
) -> int:
    """Match ontology pairs with many metrics and rank the metrics.

    Example: alignrank rank mouse.owl human.owl reference.rdf --out results

    Example: alignrank rank --task conference
    """
    if threshold == "best" and (tiles or scheduler or workers):
        refuse("--threshold best looks at every pair, and tiles do not: name a threshold")
    context.with_resource(Cluster(scheduler, workers).used())
    settings = Settings(
        labels=labels,
        synonyms=synonyms,
        kinds=tuple(map(Kind, kind)) if kind else None,
        langs=tuple(lang) if lang else None,
        threshold=_threshold(threshold),
        assignment=assignment,
        order=order,
        tiles=tiles,
    )
    options = RankOptions(
        tuple(metric or ["standard"]),
        settings,
        test,
        correction,
        alpha,
        best_threshold=threshold == "best",
        protocol=protocol,
    )
    if task and source:
        refuse("--task names the files itself: leave out SOURCE TARGET REFERENCE")
    tasks = tasks_by_name(task or [], data)
    if len(tasks) > 1:
        from experiments.ranking.tasks import rank_tasks

        return rank_tasks(
            tasks,
            task or [],
            options,
            imports=imports,
            out=out,
            overwrite=overwrite,
            resume=resume,
        )
    if tasks:
        source, target, reference = tasks[0].source, tasks[0].target, tasks[0].reference
    if source is None or target is None:
        refuse("name SOURCE TARGET REFERENCE, or a task with --task (as --task library)")
    if reference is None:
        refuse(
            "metrics are ranked by a reference: a file of the pairs that are right, as experts or "
            "the OAEI publish it (RDF, SSSOM, or CSV with columns entity1 and entity2). Name it "
            f"third. You have none? alignrank match {source} {target} needs none; keep what is "
            "right of its pairs as your reference"
        )
    files = PairFiles(source, target, reference, imports)
    rank_pair(files, options, out=out, overwrite=overwrite, resume=resume, worker=context.obj)
    return 0


def _threshold(text: str) -> float:
    """Return a threshold; ``best`` is chosen later, on the uncut alignments."""
    if text == "best":
        return 0.0
    try:
        return float(text)
    except ValueError:
        refuse(f"--threshold {text!r}: give a number in [0, 1], or best")


match = command(
    match_pair,
    source=shared.SOURCE,
    target=shared.TARGET,
    task=shared.TASK,
    data=shared.DATA,
    metric=matching.METRIC,
    out=option("PATH", "Alignment file to write.", flag="--out -o"),
    labels=matching.LABELS,
    synonyms=matching.SYNONYMS,
    kinds=matching.KINDS,
    langs=matching.LANGS,
    threshold=option(
        "X",
        "Keep pairs at or above this similarity (default: 0.7; 0.23 for combined).",
        flag="--threshold -t",
        min=0,
        max=1,
    ),
    assignment=matching.ASSIGNMENT,
    order=matching.ORDER,
    tiles=matching.TILES,
    scheduler=matching.SCHEDULER,
    workers=matching.WORKERS,
    imports=shared.IMPORTS,
    overwrite=shared.REPLACE,
)


join = command(
    join_files,
    left=argument("LEFT", "Strings: text (a line each), .csv, .tsv or .parquet."),
    right=argument("RIGHT", "The other strings (default: LEFT with itself, each pair once)."),
    metric=matching.METRIC,
    threshold=matching.THRESHOLD,
    column=option("NAME", "Column of both files, or, given twice, of each."),
    one_to_one=typer.Option("--one-to-one", help="Keep the best partners only."),
    out=option("FILE", "Edges to write, as .csv or .parquet.", flag="--out -o"),
    overwrite=shared.REPLACE,
    dry_run=typer.Option("--dry-run", help="Only say how long it takes, and with how much."),
    within=option("HOURS", "How long it may take, for --dry-run.", min=0),
    scheduler=matching.SCHEDULER,
    workers=matching.WORKERS,
)


run = command(
    run_experiment,
    name=argument("EXPERIMENT", "A TOML file, or the name of a shipped experiment."),
    listed=typer.Option("--list", help="List the shipped experiments instead."),
    new=option("FILE", "Write a commented experiment to begin with instead."),
    scheduler=matching.SCHEDULER,
    workers=matching.WORKERS,
)


list_names = command(
    print_names,
    wanted=argument(
        "WHAT",
        "metrics, measures, corrections or tests (default: all).",
        autocompletion=completing(LISTS),
    ),
)
