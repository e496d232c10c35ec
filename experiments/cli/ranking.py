"""Commands that match with metrics: demo, rank, match and join; and list, of what they take."""

from __future__ import annotations

import typer

from alignrank.common.names import listed
from alignrank.evaluation.corrections.adjusting import corrections_for
from alignrank.evaluation.significance.clustered import CLUSTER_TESTS
from alignrank.evaluation.significance.mcnemar import TESTS
from alignrank.experiments.looking.show import LISTS, print_names
from alignrank.experiments.ranking.join import join_files
from alignrank.experiments.ranking.matching import match_pair
from alignrank.experiments.ranking.pair import rank_demo, rank_files

from .options import argument, choice, command, completing, metric_names, option

demo = command(rank_demo)


rank = command(
    rank_files,
    "source target reference out task metrics labels label_properties synonyms kinds langs "
    "threshold assignment order tiles scheduler workers imports columns predicates views protocol "
    "test correction alpha resume",
    task=option(
        "TASK",
        "Instead of the three files: anatomy, conference, bundled, library, conference/cmt-ekaw, "
        "a folder ... (repeatable; several tasks are compared by their scores).",
    ),
    threshold=option(
        "X",
        "Keep pairs at or above this similarity; best: where F1 is largest, each source entity's "
        "chosen on others than it and its siblings (--protocol cuts nothing).",
        flag="--threshold -t",
    ),
    protocol=option("NAME", "mohammadi-2018: the McNemar paper to the letter, nothing cut."),
    test=choice("TEST", [*CLUSTER_TESTS, *TESTS], "McNemar test: {} (default: sign-flip)."),
    correction=option(
        "NAME",
        f"Of the family-wise error rate: {listed(corrections_for('N×N'))}.",
        autocompletion=completing(corrections_for("N×N")),
    ),
)


match = command(
    match_pair,
    "source target task metric out labels label_properties synonyms wordnet structure kinds "
    "langs shared threshold assignment order tiles scheduler workers imports "
    "candidates reviewed",
    metric=option(
        "NAME",
        "combined (default), ngram or another (alignrank list metrics).",
        flag="--metric -m",
        autocompletion=metric_names,
    ),
    reviewed=option(
        "ALIGNMENT",
        "Keep what this corrected alignment accepts and rejects, and its threshold.",
        flag="--from",
    ),
    out=option("PATH", "Alignment file to write.", flag="--out -o"),
    candidates=option(
        "K",
        "Write the K best targets of each source entity instead, as a ranking.",
        min=1,
        max=100_000,
    ),
)


join = command(
    join_files,
    left=argument("LEFT", "Strings: text (a line each), .csv, .tsv or .parquet."),
    right=argument("RIGHT", "The other strings (default: LEFT with itself, each pair once)."),
    threshold=option(
        "X", "Keep pairs at or above this similarity (> 0).", flag="--threshold -t", min=0, max=1
    ),
    column=option("NAME", "Column of both files, or, given twice, of each."),
    one_to_one=typer.Option("--one-to-one", help="Keep the best partners only."),
    out=option("FILE", "Edges to write, as .csv or .parquet.", flag="--out -o"),
)


list_names = command(
    print_names,
    lists=argument(
        "WHAT",
        "metrics, measures, corrections or tests (default: all).",
        autocompletion=completing(LISTS),
    ),
)
