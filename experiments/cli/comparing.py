"""Commands that compare systems: compare, study, place, gate, report; sample, plan, reproduce."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from alignrank.common.defaults import (
    CLUSTER_TESTS,
    DEFAULTS,
    ENOUGH_QUESTIONS,
    FIGURE_FORMATS,
    FIGURES,
    MCNEMAR_TESTS,
    RATIOS,
    STUDY_TESTS,
    TABLE_FORMATS,
    TABLES,
    Scale,
)

from .options import (
    Command,
    Option,
    argument,
    choice,
    correction_names,
    measure_names,
    switch,
)

CORRECTION = Option(
    "NAME",
    "{} (of answers); default: bergmann-hommel, or holm with --focus.",
    names=correction_names,
)


compare = Command(
    "comparing.compare_files:compare_files",
    "[reference] [alignments] data overwrite",
    """Compare systems by their alignments, ranked lists, answers or judged questions.

    Example: alignrank compare reference.rdf AML=aml.rdf LogMap=logmap.rdf --out results

    Example: alignrank compare --task anatomy mine.rdf --focus mine

    Example: alignrank compare reference.rdf gpt=runs/ AML=aml.rdf (several runs of gpt)

    Example: alignrank compare references/ systems/ (each task by itself)

    Example: alignrank compare old.sssom.tsv new.sssom.tsv (what differs between two mappings)

    Example: alignrank compare gpt.jsonl llama.jsonl --measure acc (answers by item, a file each)

    Example: alignrank compare --judged questions.sssom.tsv AML=aml.rdf mine.rdf (no reference)
    """,
    groups={
        "Most used": "out focus --source --target task",
        "What decides, for every kind of input": "test correction alpha margin",
        "Alignments": "filters measure n_resamples seed clusters views protocol imports "
        "on_mismatch columns predicates",
        "Tables": "kind items lower_is_better",
        "Judged questions": "judged",
    },
    reference=argument(
        "REFERENCE",
        "Reference alignment; or, with no ALIGNMENT, a CSV table of items or of discordant counts.",
        Path,
        content="alignment",
    ),
    judged=Option(
        "FILE",
        "Instead of a reference: questions.sssom.tsv of alignrank sample with answers (twice for "
        "two judges), or the files of sssom-curator. Then all files are systems.",
        Path,
        several=True,
    ),
    test=Option(
        "TEST",
        "mid-p (default without --source), exact, asymptotic or continuity; with clusters "
        "sign-flip (default with --source), durkalski or obuchowski.",
        names=[*MCNEMAR_TESTS, *CLUSTER_TESTS],
    ),
    correction=CORRECTION,
    measure=Option(
        "NAME",
        "Compare by this measure, by randomisation: f1, precision, recall, {}; of ranked lists, as "
        "MRR; of answers, the field with the verdict.",
        names=measure_names,
    ),
    seed=Option("N", "Seed of the randomisation.", int, DEFAULTS.seed, least=0),
    kind=choice(
        "KIND",
        ("counts", "items"),
        "Kind of table: {} (default: counts if it is square); items with ALIGNMENTs: rankings.",
    ),
    items=Option("N", "Size of the reference behind a table of counts.", int),
)


sample = Command(
    "scoring.sample:sample",
    "source [target] [alignments] out add seed first_verdict imports label_properties "
    "columns predicates overwrite",
    """Draw questions for a judge where there is no reference, and a page.

    Without alignments, the nine standard metrics and the default matcher propose the pairs.

    Example: alignrank sample a.owl b.owl AML.rdf LogMap.rdf mine.rdf --out judge

    Example: alignrank sample a.owl b.owl --add new.rdf --out judge

    Example: alignrank sample edges.csv other.csv --out judge (joined tables)
    """,
    source=argument(
        "SOURCE", "Source ontology; or a joined table, and all others are such, too.", Path
    ),
    target=argument("TARGET", "Target ontology.", Path),
    out=Option(
        "FOLDER", "Folder for the questions and the page.", Path, Path("judge"), flag="--out -o"
    ),
    add=Option("FILE", "A new system for questions drawn before (repeatable).", several=True),
    seed=Option("N", "Seed of the draw.", int, DEFAULTS.seed, least=0),
    first_verdict=Option(
        "N",
        "Answers at the first verdict; later ones double (default: 100; 50 for 84 to 133 "
        "questions).",
        int,
        least=ENOUGH_QUESTIONS,
    ),
)


study = Command(
    "comparing.study_files:study_scores",
    "scores out --reference test correction alpha focus scale filters on_mismatch "
    "lower_is_better columns predicates margin scheduler workers overwrite",
    """Compare systems over many tasks.

    Example: alignrank study scores.csv --out results
    """,
    scores=argument(
        "SCORES", "CSV of tasks × systems, or a folder of SYSTEM-task.rdf or of MELT results.", Path
    ),
    test=choice(
        "TEST",
        STUDY_TESTS,
        "Post-hoc test: {} (default: of the mean difference, if scores are on one scale).",
    ),
    scale=choice(
        "SCALE",
        get_args(Scale),
        "{}: the scores of all tasks are on one scale (default: if all lie in [0, 1], or all are "
        "written with %).",
    )._replace(type=Scale),
    correction=CORRECTION,
    margin=Option(
        "X",
        "Add the Bayesian signed-rank test: differences below X count as equivalent.",
        float,
        least=0,
    ),
)


plan = Command(
    "comparing.plan_evaluation:plan_evaluation",
    "[reference] [alignments] difference size discordant spread systems alpha --source --target",
    """Say how many correspondences, runs or tasks find a difference between two systems.

    The pilot is two alignments and a reference, runs of two systems, a table of tasks, or two
    numbers.

    Example: alignrank plan reference.rdf aml.rdf logmap.rdf --source a.owl --difference .02

    Example: alignrank plan reference.rdf gpt=runs/ other@1=a.rdf other@2=b.rdf

    Example: alignrank plan scores.csv --difference .02

    Example: alignrank plan --discordant .1 --difference .02

    Example: alignrank plan --discordant .1 --size 500 (what 500 entities find)
    """,
    reference=argument(
        "PILOT", "REFERENCE of two systems, or a CSV of tasks (or items) × systems.", Path
    ),
    difference=Option("X", "Difference to find (default: the pilot's).", float, least=0, most=1),
    size=Option("N", "Ask what N entities, runs or tasks find, instead.", int, least=1),
    discordant=Option(
        "X", "Share of entities that one of the two has right.", float, least=0, most=1
    ),
    spread=Option("X", "Standard deviation of the difference over tasks.", float, least=0),
    systems=Option("N", "Number of systems to compare.", int, 2, least=2, most=10_000),
)


place = Command(
    "comparing.place:place",
    "alignment task years on_mismatch out data overwrite",
    """Say where a system stands among those of past campaigns.

    The track's filter is applied. Systems with equal alignments are compared once. Of a track of
    several tasks the systems are compared over all of them, as by `study`.

    Example: alignrank place mine.rdf --task anatomy --year 2018

    Example: alignrank place mine/ --task conference (a folder of the files cmt-ekaw.rdf, ...)
    """,
    alignment=argument(
        "ALIGNMENT", "FILE, NAME=FILE; of a track, FOLDER, NAME=FOLDER.", content="alignment"
    ),
    task=Option("NAME", "A task that systems of past campaigns solved.", default="anatomy"),
    years=Option(
        "YEAR", "Year of a campaign (repeatable; default: all here).", flag="--year", several=True
    ),
)


gate = Command(
    "comparing.gate_files:gate_files",
    "old [new] --reference judged task measure margin alpha --source --target imports "
    "filters on_mismatch columns predicates lower_is_better markdown data",
    """Say whether a change made a system worse.

    Exit code 0 pass or unchanged, 1 block, 3 inconclusive.

    Example: alignrank gate old.rdf new.rdf --reference reference.rdf --source a.owl
    --target b.owl

    Example: alignrank gate old/ new/ --task conference

    Example: alignrank gate items.csv (a table: item, old, new)

    Example: alignrank gate old.rdf new.rdf --judged questions.sssom.tsv (no reference)
    """,
    old=argument(
        "OLD",
        "What the old version found: a file, its runs, or one for each task; or, without NEW, a "
        "table of items with a column for each version.",
        Path,
    ),
    new=argument("NEW", "What the new version found.", Path),
    judged=Option(
        "FILE",
        "Instead of a reference: questions.sssom.tsv of sample with answers.",
        Path,
        several=True,
    ),
    task=Option(
        "NAME",
        "Instead of --reference: a task or a track by name; classes that share a parent are "
        "resampled together.",
    ),
    measure=choice("MEASURE", RATIOS, "{} (default: f1)."),
    margin=Option("X", "The smallest loss that matters.", float, DEFAULTS.margin, least=0),
    alpha=Option(
        "X", "Risk of blocking a version that is as good", float, DEFAULTS.alpha, between=(0, 0.5)
    ),
    markdown=switch("--markdown", "As a comment on a pull request."),
)


report = Command(
    "looking.show_results:show_results",
    "results page text table figures form view test correction systems --reference out overwrite",
    """Show results again: the page, a table, a figure.

    Without options the summary is printed.

    Example: alignrank report results --table adjusted --format latex -o adjusted.tex

    Example: alignrank report results --figure p-values --figure precision-recall -o figures
    """,
    results=argument(
        "RESULTS", "Results folder of rank, compare or study; with --open of score, too.", Path
    ),
    page=switch("--open", "Open the report in the browser."),
    text=switch("--text", "Print the paragraph for the paper."),
    table=choice("TABLE", TABLES, "Print a table, or write it to --out: {}.", flag="--table"),
    figures=choice(
        "FIGURE", [*FIGURES, "all"], "Draw into the folder --out (repeatable): {}.", flag="--figure"
    )._replace(several=True),
    form=choice(
        "FORMAT",
        [*TABLE_FORMATS, *FIGURE_FORMATS],
        "Of the table (latex) or the figure (pdf): {}.",
        flag="--format",
    ),
    view=Option("VIEW", "Default: the first."),
    test=Option("TEST", "Of p (default: the chosen)."),
    correction=Option("NAME", "Default: the chosen one."),
    systems=Option(
        "SYSTEM",
        "In curves and similarities (repeatable; default: all).",
        flag="--system",
        several=True,
    ),
    out=Option("PATH", "File of the table, or folder of the figures.", Path, flag="--out -o"),
)


reproduce = Command(
    "reproduce.papers:reproduce",
    "[tables] out resume data",
    """Recompute the papers' tables, paper and ours side by side.

    Exit code 1 where something is left out because its data is not there.

    Example: alignrank reproduce table4 garcia-herrera --data FOLDER
    """,
    tables=argument(
        "TABLE",
        "Of the papers: table2, ..., garcia-herrera, table8, bdm, 5ns, oaei-2016 (default: all).",
        several=True,
    ),
    out=Option("PATH", "Folder for the texts of the tables.", Path, flag="--out -o"),
)
