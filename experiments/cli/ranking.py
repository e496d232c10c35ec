"""Commands that match with metrics: demo, rank, match and run; and list, of what they take."""

from __future__ import annotations

import typer

from evaluation.corrections.adjustment import corrections_for
from evaluation.significance.mcnemar import TESTS
from experiments.library.run import run_experiment
from experiments.looking.show import LISTS, print_names
from experiments.ranking.join import join_files
from experiments.ranking.matching import match_pair
from experiments.ranking.pair import rank_demo, rank_files

from . import options as shared
from .options import argument, choice, command, completing, listed, option

demo = command(rank_demo, out=shared.OUT, overwrite=shared.OVERWRITE)


rank = command(
    rank_files,
    source=shared.SOURCE,
    target=shared.TARGET,
    reference=shared.REFERENCE,
    out=shared.OUT,
    task=option(
        "TASK",
        "Instead of the three files: anatomy, conference, bundled, library, conference/cmt-ekaw, "
        "a folder ... (repeatable; several tasks are compared by their scores).",
    ),
    data=shared.DATA,
    metrics=shared.METRICS,
    labels=shared.LABELS,
    synonyms=shared.SYNONYMS,
    kinds=shared.KINDS,
    langs=shared.LANGS,
    threshold=option(
        "X",
        "Keep pairs at or above this similarity; best: where F1 is largest, each source entity's "
        "chosen on others than it and its siblings (--protocol cuts nothing).",
        flag="--threshold -t",
    ),
    assignment=shared.ASSIGNMENT,
    order=shared.ORDER,
    tiles=shared.TILES,
    scheduler=shared.SCHEDULER,
    workers=shared.WORKERS,
    imports=shared.IMPORTS,
    protocol=option("NAME", "mohammadi-2018: the McNemar paper to the letter, nothing cut."),
    test=choice("TEST", TESTS, "McNemar test: {}."),
    correction=option(
        "NAME",
        f"Of the family-wise error rate: {listed(corrections_for('N×N'))}.",
        autocompletion=completing(corrections_for("N×N")),
    ),
    alpha=shared.ALPHA,
    overwrite=shared.OVERWRITE,
    resume=shared.RESUME,
)


match = command(
    match_pair,
    source=shared.SOURCE,
    target=shared.TARGET,
    task=shared.TASK,
    data=shared.DATA,
    metric=shared.METRIC,
    out=option("PATH", "Alignment file to write.", flag="--out -o"),
    labels=shared.LABELS,
    synonyms=shared.SYNONYMS,
    kinds=shared.KINDS,
    langs=shared.LANGS,
    threshold=shared.CUT,
    assignment=shared.ASSIGNMENT,
    order=shared.ORDER,
    tiles=shared.TILES,
    scheduler=shared.SCHEDULER,
    workers=shared.WORKERS,
    imports=shared.IMPORTS,
    overwrite=shared.REPLACE,
    dry_run=shared.DRY_RUN,
    within=shared.WITHIN,
)


join = command(
    join_files,
    left=argument("LEFT", "Strings: text (a line each), .csv, .tsv or .parquet."),
    right=argument("RIGHT", "The other strings (default: LEFT with itself, each pair once)."),
    metric=shared.METRIC,
    threshold=shared.THRESHOLD,
    column=option("NAME", "Column of both files, or, given twice, of each."),
    one_to_one=typer.Option("--one-to-one", help="Keep the best partners only."),
    out=option("FILE", "Edges to write, as .csv or .parquet.", flag="--out -o"),
    overwrite=shared.REPLACE,
    dry_run=shared.DRY_RUN,
    within=shared.WITHIN,
    scheduler=shared.SCHEDULER,
    workers=shared.WORKERS,
)


run = command(
    run_experiment,
    name=argument("EXPERIMENT", "A TOML file, or the name of a shipped experiment."),
    listed=typer.Option("--list", help="List the shipped experiments instead."),
    new=option("FILE", "Write a commented experiment to begin with instead."),
    scheduler=shared.SCHEDULER,
    workers=shared.WORKERS,
)


list_names = command(
    print_names,
    wanted=argument(
        "WHAT",
        "metrics, measures, corrections or tests (default: all).",
        autocompletion=completing(LISTS),
    ),
)
