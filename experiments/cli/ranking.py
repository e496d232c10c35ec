"""Commands that match with metrics: demo, rank, match and join; and list, of what they take."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from alignrank.common.defaults import CLUSTER_TESTS, DEFAULTS, MCNEMAR_TESTS

from .options import (
    SHARED,
    Command,
    Option,
    argument,
    choice,
    correction_names,
    metric_names,
    switch,
)

demo = Command(
    "ranking.pair:rank_demo",
    "out overwrite",
    """Rank the nine standard metrics on a generated pair of 360 correspondences.

    Example: alignrank demo --out results
    """,
)


rank = Command(
    "ranking.pair:rank_files",
    "[source] [target] [reference] out task metrics labels label_properties synonyms "
    "kinds langs threshold assignment order tiles scheduler workers imports columns "
    "predicates views protocol test correction alpha resume data overwrite",
    """Match ontology pairs with many metrics and rank the metrics.

    Example: alignrank rank mouse.owl human.owl reference.rdf --out results

    Example: alignrank rank --task conference
    """,
    task=Option(
        "TASK",
        "Instead of the three files: anatomy, conference, bundled, library, conference/cmt-ekaw, "
        "a folder ... (repeatable; several tasks are compared by their scores).",
        several=True,
    ),
    threshold=Option(
        "X",
        "Keep pairs at or above this similarity; best: where F1 is largest, each source entity's "
        "chosen on others than it and its siblings (--protocol cuts nothing).",
        default="best",
        flag="--threshold -t",
    ),
    protocol=Option("NAME", "mohammadi-2018: the McNemar paper to the letter, nothing cut."),
    test=choice("TEST", [*CLUSTER_TESTS, *MCNEMAR_TESTS], "McNemar test: {} (default: sign-flip)."),
    correction=Option(
        "NAME",
        "Of the family-wise error rate: {}.",
        default="bergmann-hommel",
        names=partial(correction_names, "N×N"),
    ),
)


match = Command(
    "ranking.matching:match_pair",
    "[source] [target] task metric out labels label_properties synonyms wordnet structure "
    "kinds langs shared threshold assignment order tiles scheduler workers imports "
    "candidates reviewed data overwrite",
    """Match an ontology pair and write the alignment.

    It needs no reference. The default metric, combined, gives each pair a probability from names
    and neighbours. The surest and the least sure pairs are printed.

    Example: alignrank match a.owl b.owl --out a-b.rdf

    Example: alignrank match a.owl b.owl --metric levenshtein --threshold 0.8 --out a-b.rdf

    Example: alignrank match a.owl b.owl --from corrected.sssom.tsv --out a-b.sssom.tsv

    Example: alignrank match a.owl b.owl --candidates 50 --out ranking.csv (for compare)

    Example: alignrank match --task conference --out FOLDER (a file for each of its tasks)
    """,
    metric=Option(
        "NAME",
        "combined (default), ngram or another (alignrank list metrics).",
        flag="--metric -m",
        names=metric_names,
    ),
    reviewed=Option(
        "ALIGNMENT",
        "Keep what this corrected alignment accepts and rejects, and its threshold.",
        Path,
        flag="--from",
    ),
    out=Option("PATH", "Alignment file to write.", Path, flag="--out -o"),
    candidates=Option(
        "K",
        "Write the K best targets of each source entity instead, as a ranking.",
        int,
        least=1,
        most=100_000,
    ),
)


join = Command(
    "ranking.join:join_files",
    "left [right] metric threshold labels column one_to_one out resume scheduler workers overwrite",
    """Join two files of strings: all pairs that are similar enough.

    The result has all columns of both files. Strings are compared as they are, unless --labels
    prepares them. The least similar pairs are printed.

    Example: alignrank join left.csv right.csv --column name --labels words

    Example: alignrank join left.csv right.csv --metric levenshtein --threshold 0.8 --out edges.csv
    """,
    left=argument("LEFT", "Strings: text (a line each), .csv, .tsv or .parquet.", Path),
    right=argument("RIGHT", "The other strings (default: LEFT with itself, each pair once).", Path),
    metric=SHARED["metric"]._replace(default="ngram"),
    threshold=Option(
        "X",
        "Keep pairs at or above this similarity (> 0).",
        float,
        DEFAULTS.threshold,
        flag="--threshold -t",
        least=0,
        most=1,
    ),
    labels=SHARED["labels"]._replace(default="raw"),
    column=Option("NAME", "Column of both files, or, given twice, of each.", several=True),
    one_to_one=switch("--one-to-one", "Keep the best partners only."),
    out=Option(
        "FILE", "Edges to write, as .csv or .parquet.", Path, Path("edges.csv"), flag="--out -o"
    ),
)


list_names = Command(
    "looking.show:print_names",
    "[lists]",
    """List the metrics, measures, corrections and tests.

    Example: alignrank list metrics
    """,
    lists=argument(
        "WHAT",
        "{} (default: all).",
        several=True,
        names=("metrics", "measures", "corrections", "tests"),
    ),
)
