"""Commands that compare systems: compare, on one task; study, over many; place, plan and gate."""

from __future__ import annotations

from typing import get_args

import typer

from alignrank.common.names import listed
from alignrank.evaluation.corrections.adjusting import CORRECTIONS
from alignrank.evaluation.judged.pool import ENOUGH_QUESTIONS
from alignrank.evaluation.measures.measure import MEASURES
from alignrank.evaluation.multitask import POSTHOC_TESTS
from alignrank.evaluation.multitask.posthoc import JACKKNIFE
from alignrank.evaluation.significance.clustered import CLUSTER_TESTS
from alignrank.evaluation.significance.mcnemar import TESTS
from alignrank.evaluation.uncertainty.gate import RATIOS
from alignrank.experiments.comparing.compare_files import compare_files
from alignrank.experiments.comparing.gate_files import gate_files
from alignrank.experiments.comparing.place import place as place_system
from alignrank.experiments.comparing.plan_evaluation import plan_evaluation
from alignrank.experiments.comparing.study_files import Scale, study_scores
from alignrank.experiments.scoring.sample import sample as sample_questions

from .options import argument, choice, command, completing, file_argument, option

CORRECTION = option(
    "NAME",
    f"{listed(CORRECTIONS)} (of answers); default: bergmann-hommel, or holm with --focus.",
    autocompletion=completing(CORRECTIONS),
)

compare = command(
    compare_files,
    "reference alignments",
    groups={
        "Most used": "out focus source target task",
        "What decides, for every kind of input": "test correction alpha margin",
        "Alignments": "filters measure n_resamples seed clusters views protocol imports "
        "on_mismatch columns predicates",
        "Tables": "kind items lower_is_better",
        "Judged questions": "judged",
    },
    reference=file_argument(
        "REFERENCE",
        "What is right; or, with no ALIGNMENT, a CSV table of items or of discordant counts.",
        "alignment",
    ),
    judged=option(
        "FILE",
        "Instead of a reference: questions.sssom.tsv of alignrank sample with answers (twice for "
        "two judges), or the files of sssom-curator. Then all files are systems.",
    ),
    test=option(
        "TEST",
        "mid-p (default without --source), exact, asymptotic or continuity; with clusters "
        "sign-flip (default with --source), durkalski or obuchowski.",
        autocompletion=completing([*TESTS, *CLUSTER_TESTS]),
    ),
    correction=CORRECTION,
    measure=option(
        "NAME",
        f"Compare by this instead, by randomisation: f1, precision, recall, {listed(MEASURES)}; of "
        "ranked lists, as MRR; of answers, the field with the verdict.",
        autocompletion=completing(MEASURES),
    ),
    seed=option("N", "Of the randomisation.", min=0),
    kind=choice(
        "KIND",
        ("counts", "items"),
        "Of a table: {} (default: counts, if it is square); items with ALIGNMENT files: rankings.",
    ),
    items=option("N", "Size of the reference behind a table of counts."),
)

sample = command(
    sample_questions,
    "source target alignments out add seed first_verdict imports label_properties columns "
    "predicates",
    source=argument("SOURCE", "Source ontology; or a joined table, and all others are such, too."),
    target=argument("TARGET", "Target ontology."),
    out=option("FOLDER", "Folder for the questions and the page.", flag="--out -o"),
    add=option("FILE", "A new system for questions drawn before (repeatable)."),
    seed=option("N", "Of the draw.", min=0),
    first_verdict=option(
        "N",
        "Answers at the first verdict; later ones double (default: 100; 50 for 84 to 133 "
        "questions).",
        min=ENOUGH_QUESTIONS,
    ),
)

study = command(
    study_scores,
    "scores out reference test correction alpha focus scale filters on_mismatch "
    "lower_is_better columns predicates margin scheduler workers",
    scores=argument(
        "SCORES", "CSV of tasks × systems, or a folder of SYSTEM-task.rdf or of MELT results."
    ),
    test=choice(
        "TEST",
        [*POSTHOC_TESTS, JACKKNIFE],
        "Post-hoc test: {} (default: of the mean difference, if scores are on one scale).",
    ),
    scale=choice(
        "SCALE",
        get_args(Scale),
        "{}: the scores of all tasks are on one scale (default: if all lie in [0, 1], or all are "
        "written with %).",
    ),
    correction=CORRECTION,
    margin=option(
        "X",
        "Add the Bayesian signed-rank test: differences below X count as equivalent.",
        min=0,
    ),
)

plan = command(
    plan_evaluation,
    reference=argument(
        "PILOT", "REFERENCE of two systems, or a CSV of tasks (or items) × systems."
    ),
    difference=option("X", "To be found (default: the pilot's).", min=0, max=1),
    size=option("N", "Ask what N entities, runs or tasks find, instead.", min=1),
    discordant=option("X", "Share of entities that one of the two has right.", min=0, max=1),
    spread=option("X", "Standard deviation of the difference over tasks.", min=0),
    systems=option("N", "That will be compared.", min=2, max=10_000),
)

place = command(
    place_system,
    "alignment task years on_mismatch out",
    alignment=file_argument(
        "ALIGNMENT", "FILE, NAME=FILE; of a track, FOLDER, NAME=FOLDER.", "alignment"
    ),
    task=option("NAME", "A task that systems of past campaigns solved."),
    years=option("YEAR", "Of the campaigns (repeatable; default: all here).", flag="--year"),
)

gate = command(
    gate_files,
    "old new reference judged task measure margin alpha source target imports filters on_mismatch "
    "columns predicates lower_is_better markdown",
    old=argument(
        "OLD",
        "What the old version found: a file, its runs, or one for each task; or, without NEW, a "
        "table of items with a column for each version.",
    ),
    new=argument("NEW", "What the new version found."),
    judged=option("FILE", "Instead of a reference: questions.sssom.tsv of sample with answers."),
    task=option("NAME", "Instead: a task or a track by name; siblings are resampled together."),
    measure=choice("MEASURE", RATIOS, "{} (default: f1)."),
    margin=option("X", "The smallest loss that matters.", min=0),
    alpha=option("X", "Risk of blocking a version that is as good.", between=(0, 0.5)),
    markdown=typer.Option("--markdown", help="As a comment on a pull request."),
)
