"""The command line: each command reads its arguments, calls an experiment, prints what came out."""

from __future__ import annotations

import errno
import io
import logging
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from .names import completing, one_of

app = typer.Typer(
    name="alignrank",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="Exit codes: 0 done, 1 findings (lint, diagnose, data verify), 2 bad input or usage, "
    "130 interrupted.",
)

Source = Annotated[
    Path, typer.Argument(metavar="SOURCE", help="Source ontology, in any usual syntax.")
]
Target = Annotated[Path, typer.Argument(metavar="TARGET", help="Target ontology.")]
Reference = Annotated[
    Path, typer.Argument(metavar="REFERENCE", help="Reference alignment (RDF, SSSOM, CSV ...).")
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Write into a folder that is not empty.")
]
Replace = Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")]
Labels = Annotated[
    str,
    typer.Option(
        "--labels",
        metavar="PRESET",
        help="Label preparation: raw, lower, underscore or words.",
        autocompletion=one_of("raw", "lower", "underscore", "words"),
    ),
]
Synonyms = Annotated[
    bool, typer.Option("--synonyms/--no-synonyms", help="Whether synonyms count as names.")
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        metavar="KIND",
        help="Kind of entity to match: class, property, annotation-property or individual "
        "(repeatable; default: every kind that both sides have).",
        autocompletion=one_of("class", "property", "annotation-property", "individual"),
    ),
]
Langs = Annotated[
    list[str] | None,
    typer.Option(
        "--lang", metavar="LANG", help="Label language to keep, as en (repeatable; default: all)."
    ),
]
Threshold = Annotated[
    float,
    typer.Option(
        "--threshold", metavar="X", min=0, max=1, help="Keep pairs at or above this similarity."
    ),
]
ThresholdOrBest = Annotated[
    str,
    typer.Option(
        "--threshold",
        metavar="X",
        help="Keep pairs at or above this similarity; best: chosen on one half of the source "
        "entities, judged on the other, both ways.",
    ),
]
Protocol = Annotated[
    str,
    typer.Option(
        "--protocol",
        metavar="ORDER",
        help="assign-then-cut (as the paper) or cut-then-assign: how assignment and threshold "
        "follow each other.",
        autocompletion=one_of("assign-then-cut", "cut-then-assign"),
    ),
]
Tiles = Annotated[
    bool | None,
    typer.Option(
        "--tiles/--no-tiles",
        help="Go without the whole matrix (default: where it does not fit into memory); needs "
        "--threshold above 0 and --protocol cut-then-assign.",
    ),
]
AssignmentMethod = Annotated[
    str,
    typer.Option(
        "--assignment",
        metavar="METHOD",
        help="hungarian, greedy or mutual-best.",
        autocompletion=one_of("hungarian", "greedy", "mutual-best"),
    ),
]
Imports = Annotated[
    Path | None,
    typer.Option(
        "--imports", metavar="FOLDER", help="Folder with local copies of imported ontologies."
    ),
]
Test = Annotated[
    str,
    typer.Option(
        "--test",
        metavar="TEST",
        help="McNemar test: mid-p, exact, asymptotic or continuity.",
        autocompletion=one_of("mid-p", "exact", "asymptotic", "continuity"),
    ),
]
Correction = Annotated[
    str,
    typer.Option(
        "--correction",
        metavar="NAME",
        help="Control of the family-wise error rate (alignrank list corrections).",
        autocompletion=completing("corrections"),
    ),
]
Alpha = Annotated[
    float, typer.Option("--alpha", metavar="X", min=0, max=1, help="Family-wise error rate.")
]
Alignments = Annotated[list[str], typer.Argument(metavar="ALIGNMENT", help="FILE, or NAME=FILE.")]
OptionalOut = Annotated[
    Path | None, typer.Option("--out", metavar="PATH", help="Results folder (default: print only).")
]
Results = Annotated[
    Path, typer.Argument(metavar="RESULTS", help="Results folder of rank, compare or study.")
]
ZeroDivision = Annotated[
    str, typer.Option("--zero-division", metavar="WAY", help="What 0/0 means: oaei, zero or nan.")
]
Ties = Annotated[
    str,
    typer.Option(
        "--tie",
        metavar="WAY",
        help="Equal scores: average (the expectation), min (optimistic), max or stable.",
    ),
]
MendNamespaces = Annotated[
    bool,
    typer.Option(
        "--mend-namespaces", help="Read namespaces that differ in case as the reference's."
    ),
]
TableOrJson = Annotated[str, typer.Option("--format", metavar="FORMAT", help="table or json.")]


#: Commands that print their summary as JSON with --json, and those that have a --format json.
_SUMMARISED = ("demo", "rank", "match", "compare", "study")
_FORMATTED = ("score", "average", "mapping", "retrieve", "show", "explain", "concepts")


@app.callback()
def options(
    context: typer.Context,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", help="Print nothing but errors and what --json asks for; no bars."),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Tell what is being done.")] = False,
) -> None:
    """Match ontology pairs; tell with sound statistics which metric or system is really better.

    Start with: alignrank demo
    """
    from .progress import show_bars
    from .report.console import set_mode

    command = context.invoked_subcommand or ""
    if as_json and command not in (*_SUMMARISED, *_FORMATTED):
        _refuse(f"alignrank {command} prints no JSON: leave out --json")
    context.default_map = {name: {"form": "json"} for name in _FORMATTED if as_json}
    set_mode("json" if as_json else "quiet" if quiet else "text")
    if not quiet:
        show_bars()
    level = logging.INFO if verbose else logging.ERROR if quiet else logging.WARNING
    logging.getLogger().setLevel(level)


@app.command()
def demo(
    out: OptionalOut = None,
    overwrite: Overwrite = False,
) -> None:
    """Rank the nine standard metrics on the bundled library pair.

    Example: alignrank demo --out results
    """
    from .rank import demo as run

    run(out, overwrite=overwrite)


@app.command()
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
    options: dict[str, Any] = {
        "metrics": metric or ["standard"],
        "settings": _settings(
            labels, synonyms, kind, lang, _threshold(threshold), assignment, protocol, tiles
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
        from .tasks import rank_tasks

        if source:
            _refuse("--task names the files itself: leave out SOURCE TARGET REFERENCE")
        rank_tasks(task, data=data, **options)
        return
    from .rank import rank_pair

    if source is None or target is None or reference is None:
        _refuse("name SOURCE TARGET REFERENCE, or a task with --task (as --task library)")
    rank_pair(source, target, reference, **options)


@app.command()
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
    from .rank import match_pair

    match_pair(
        source,
        target,
        metric=metric,
        settings=_settings(labels, synonyms, kind, lang, threshold, assignment, protocol, tiles),
        imports=imports,
        out=out,
        overwrite=overwrite,
    )


@app.command()
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
    from .compare import Options, compare_files

    options = Options(
        test=test,
        correction=correction,
        alpha=alpha,
        strict=strict,
        views=tuple(view or ("ifp", "cfp", "entity")),
        against=against,
        margin=margin,
        measure=measure,
        swaps=swaps,
        seed=seed,
        clusters=cluster,
        source=source,
        target=target,
        items=items,
    )
    compare_files(reference, alignments or [], options, out=out, overwrite=overwrite)


@app.command()
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
    from .study import study_scores

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


@app.command()
def score(
    reference: Reference,
    alignments: Alignments,
    source: Annotated[
        Path | None,
        typer.Option("--source", metavar="FILE", help="Source ontology; some measures need it."),
    ] = None,
    target: Annotated[
        Path | None, typer.Option("--target", metavar="FILE", help="Target ontology.")
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            metavar="NAME",
            help="Measure by name (repeatable; default: the usual ones; alignrank list measures).",
            autocompletion=completing("measures"),
        ),
    ] = None,
    zero_division: ZeroDivision = "oaei",
    completeness: Annotated[
        str,
        typer.Option(
            "--completeness",
            metavar="SIDE",
            help="For which entities the reference is complete: complete, source, target, "
            "source-target or none.",
        ),
    ] = "complete",
    weights: Annotated[
        Path | None,
        typer.Option(
            "--weights", metavar="FILE", help="JSON of a relaxed measure's weights, to add it."
        ),
    ] = None,
    breakdown: Annotated[
        bool,
        typer.Option(
            "--breakdown", help="The first measure by kind and relation; one-to-one or not."
        ),
    ] = False,
    bootstrap: Annotated[
        int,
        typer.Option(
            "--bootstrap",
            metavar="N",
            min=0,
            max=1_000_000,
            help="Resamples of source entities for 95 % intervals, as 2000.",
        ),
    ] = 0,
    difference: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--difference", metavar="A B", help="Difference A − B of two systems, with intervals."
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="WHAT",
            help="Resample clusters: parent (with --source), or a TSV of item, cluster.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Of the bootstrap.")] = 0,
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="table, csv or json.")
    ] = "table",
    imports: Imports = None,
    out: OptionalOut = None,
    overwrite: Overwrite = False,
) -> None:
    """Score alignment files by every measure of the field.

    Example: alignrank score reference.rdf aml.rdf logmap.rdf --source a.owl --target b.owl
    """
    from .score import score_files
    from .scoring import Options

    options = Options(
        completeness=completeness,
        zero_division=zero_division,
        resamples=bootstrap,
        seed=seed,
        difference=difference,
        breakdown=breakdown,
    )
    score_files(
        reference,
        alignments,
        options,
        source=source,
        target=target,
        imports=imports,
        measures=measure or [],
        weights=weights,
        cluster=cluster,
        form=form,
        out=out,
        overwrite=overwrite,
    )


@app.command()
def average(
    references: Annotated[
        Path, typer.Argument(metavar="REFERENCES", help="Folder of the references task.rdf.")
    ],
    alignments: Annotated[
        Path, typer.Argument(metavar="ALIGNMENTS", help="Folder of the files SYSTEM-task.rdf.")
    ],
    measure: Annotated[
        str,
        typer.Option(
            "--measure",
            metavar="NAME",
            help="Measure that needs no ontologies.",
            autocompletion=completing("measures"),
        ),
    ] = "standard",
    missing: Annotated[
        str,
        typer.Option("--missing", metavar="WAY", help="A result that is missing: zero or skip."),
    ] = "zero",
    mend_namespaces: MendNamespaces = False,
    zero_division: ZeroDivision = "oaei",
    form: TableOrJson = "table",
) -> None:
    """Average precision, recall and F1 over tasks, micro and macro.

    Example: alignrank average references alignments
    """
    from .average import average_folders

    average_folders(
        references,
        alignments,
        measure=measure,
        missing=missing,
        mend_namespaces=mend_namespaces,
        zero_division=zero_division,
        form=form,
    )


@app.command()
def mapping(
    gold: Annotated[
        Path, typer.Argument(metavar="GOLD", help="TSV: item, candidate[, grade]; null for none.")
    ],
    candidates: Annotated[
        Path, typer.Argument(metavar="CANDIDATES", help="TSV: item, candidate, rank or score.")
    ],
    matches: Annotated[
        list[str] | None,
        typer.Argument(metavar="MATCHES", help="TSV: item, candidate; FILE, or NAME=FILE."),
    ] = None,
    positive: Annotated[
        list[str] | None,
        typer.Option(
            "--positive",
            metavar="GRADE",
            help="Grade that counts as right (repeatable; default: match).",
        ),
    ] = None,
    tie: Ties = "average",
    at: Annotated[
        list[int] | None,
        typer.Option("--at", metavar="N", help="Cut-off n (repeatable; default: 1, 3, 5, 10)."),
    ] = None,
    zero_division: ZeroDivision = "oaei",
    form: TableOrJson = "table",
) -> None:
    """Judge ranked candidates and mappings by a gold standard.

    A mapping may choose nothing for an item, and the gold standard may want that.

    Example: alignrank mapping gold.tsv candidates.tsv mine.tsv theirs.tsv
    """
    from .mapping import map_files

    map_files(
        gold,
        candidates,
        matches or [],
        positive=positive or ["match"],
        tie=tie,
        cutoffs=at or [1, 3, 5, 10],
        zero_division=zero_division,
        form=form,
    )


@app.command()
def retrieve(
    source: Source,
    target: Target,
    reference: Reference,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Metric by name, or a family (repeatable; default: standard).",
            autocompletion=completing("metrics"),
        ),
    ] = None,
    at: Annotated[
        list[int] | None,
        typer.Option("--at", metavar="N", help="Cut-off n (repeatable; default: 1, 5, 10)."),
    ] = None,
    tie: Ties = "average",
    labels: Labels = "words",
    synonyms: Synonyms = True,
    kind: Kinds = None,
    lang: Langs = None,
    imports: Imports = None,
    form: TableOrJson = "table",
) -> None:
    """Judge metrics by where they rank the right targets.

    No assignment is made: each source entity has its own list of targets.

    Example: alignrank retrieve mouse.owl human.owl reference.rdf --metric smoa --at 1 --at 10
    """
    from .retrieve import retrieve_pair

    retrieve_pair(
        source,
        target,
        reference,
        metrics=metric or ["standard"],
        settings=_settings(labels, synonyms, kind, lang, 0.0, "hungarian", "assign-then-cut"),
        imports=imports,
        cutoffs=at or [1, 5, 10],
        tie=tie,
        form=form,
    )


@app.command()
def show(
    ontology: Annotated[Path, typer.Argument(metavar="ONTOLOGY", help="The ontology.")],
    find: Annotated[
        str | None, typer.Option("--find", metavar="WORD", help="List what is called so instead.")
    ] = None,
    examples: Annotated[
        int, typer.Option("--examples", metavar="N", min=0, help="Of each kind.")
    ] = 5,
    imports: Imports = None,
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="table or json.")
    ] = "table",
) -> None:
    """Take a quick look at an ontology.

    What it holds, how its entities are named, what was left out.

    Example: alignrank show a.owl --find reviewer
    """
    from .show import show as run

    run(ontology, imports=imports, examples=examples, word=find, form=form)


@app.command()
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
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="table or json.")
    ] = "table",
) -> None:
    """Say why two entities were matched or not, metric by metric.

    Example: alignrank explain a.owl b.owl Reviewer Referee --reference reference.rdf
    """
    from .explain import explain_pair

    explain_pair(
        source,
        target,
        entity1,
        entity2,
        metrics=metric or ["standard"],
        settings=_settings(labels, synonyms, None, lang, threshold, assignment, protocol),
        imports=imports,
        reference=reference,
        form=form,
        figure=figure,
    )


@app.command()
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
    from .table import table as run

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


@app.command()
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
    from .plot import plot as run

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


@app.command()
def concepts(
    ontology: Annotated[Path, typer.Argument(metavar="ONTOLOGY", help="The ontology.")],
    key: Annotated[
        str,
        typer.Argument(
            metavar="KEY",
            help="Right class (IRI, its last part, or label), or a TSV of item, class.",
        ),
    ],
    response: Annotated[
        str, typer.Argument(metavar="RESPONSE", help="Given class, or a TSV of item, class.")
    ],
    imports: Imports = None,
    n1: Annotated[
        float | None,
        typer.Option("--n1", metavar="X", help="Mean chain length (default: computed)."),
    ] = None,
    form: TableOrJson = "table",
) -> None:
    """Measure how near classes are to the right ones (BDM).

    Balanced distance metric and learning accuracy, of two classes or of files of them.

    Example: alignrank concepts protonu.owl City Location --imports proton
    """
    from .concepts import judge_concepts

    judge_concepts(ontology, key, response, imports=imports, n1=n1, form=form)


@app.command()
def convert(
    alignment: Annotated[Path, typer.Argument(metavar="ALIGNMENT", help="In any known format.")],
    out: Annotated[
        Path,
        typer.Argument(metavar="OUT", help="Ends in .rdf, .sssom.tsv, .csv, .tsv or .jsonl."),
    ],
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FORMAT", help="Format, where the ending does not say it."),
    ] = None,
    overwrite: Replace = False,
) -> int:
    """Convert an alignment file.

    Nothing is lost, and what a format cannot say is reported.

    Example: alignrank convert reference.rdf reference.sssom.tsv
    """
    from .alignment_files import convert as run

    return run(alignment, out, to=to, overwrite=overwrite)


@app.command()
def lint(
    alignments: Annotated[list[Path], typer.Argument(metavar="ALIGNMENT", help="Files.")],
    source: Annotated[
        Path | None,
        typer.Option("--source", metavar="FILE", help="Source ontology: are its entities there?"),
    ] = None,
    target: Annotated[
        Path | None, typer.Option("--target", metavar="FILE", help="Target ontology.")
    ] = None,
    imports: Imports = None,
) -> int:
    """Check alignment files.

    Exit code 1 where something should be mended.

    Example: alignrank lint mine.rdf --source a.owl --target b.owl
    """
    from .alignment_files import lint as run

    return run(alignments, source=source, target=target, imports=imports)


@app.command()
def diagnose(
    source: Source,
    target: Target,
    reference: Reference,
    alignment: Annotated[
        Path | None, typer.Argument(metavar="ALIGNMENT", help="A system's alignment.")
    ] = None,
    mend: Annotated[
        bool, typer.Option("--mend", help="Write what can be mended safely into --out.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="PATH", help="Folder of the mended files.")
    ] = None,
    imports: Imports = None,
    overwrite: Replace = False,
) -> int:
    """Say why nothing matches, or why a reference does not fit.

    Exit code 1 where there are findings.

    Example: alignrank diagnose a.owl b.owl reference.rdf mine.rdf --mend --out mended
    """
    from .alignment_files import diagnose_files

    return diagnose_files(
        source,
        target,
        reference,
        alignment,
        imports=imports,
        mend=mend,
        out=out,
        overwrite=overwrite,
    )


@app.command(name="list")
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
    from .names import print_names

    print_names(what or [])


@app.command(name="run")
def run_experiment(
    experiment: Annotated[
        Path, typer.Argument(metavar="EXPERIMENT", help="TOML file of tasks and settings.")
    ],
) -> None:
    """Run an experiment from a file; go on where it stopped.

    Steps that are done are not computed again.

    Example: alignrank run experiment.toml
    """
    from .plan import run_plan

    run_plan(experiment)


@app.command()
def generate(
    out: Annotated[
        Path, typer.Option("--out", metavar="PATH", help="Folder for the pair, or for all of them.")
    ],
    classes: Annotated[
        int | None,
        typer.Option("--classes", metavar="N", min=1, help="Classes of a made-up ontology (300)."),
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE", help="The source: an ontology of yours, in any format."
        ),
    ] = None,
    imports: Imports = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="Of all choices by chance.")
    ] = 0,
    alter: Annotated[
        Path | None,
        typer.Option("--alter", metavar="FILE", help="TOML file: how the targets are altered."),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            "--preset", metavar="NAME", help="oaei-like, discriminant, scale or near-miss."
        ),
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Generate ontology pairs with known correspondences.

    Each pair is an ontology and an altered copy.

    Example: alignrank generate --classes 1000 --preset oaei-like --out pairs

    Example: alignrank generate --from mouse.owl --alter spec.toml --out pairs
    """
    from .generate import generate_pairs

    generate_pairs(
        classes,
        source=source,
        imports=imports,
        seed=seed,
        alter=alter,
        preset_name=preset,
        out=out,
        overwrite=overwrite,
    )


data_app = typer.Typer(no_args_is_help=True, help="List, fetch, find and check the field's data.")
app.add_typer(data_app, name="data")

DataFolder = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="FOLDER",
        help="Data folder (default: $ALIGNRANK_DATA, or the cache folder).",
    ),
]
DataNames = Annotated[
    list[str], typer.Argument(metavar="NAME", help="As alignrank data list names them.")
]


@data_app.command("list")
def data_list(data: DataFolder = None) -> None:
    """List what can be fetched, with sizes and licences.

    Example: alignrank data list
    """
    from .data_commands import list_data

    list_data(data)


@data_app.command("fetch")
def data_fetch(
    names: DataNames,
    data: DataFolder = None,
    offline: Annotated[
        bool, typer.Option("--offline", help="Touch no network: check what is there.")
    ] = False,
) -> None:
    """Fetch data; what is there already is checked and kept.

    Example: alignrank data fetch anatomy conference
    """
    from .data_commands import fetch_data

    fetch_data(names, data, offline=offline)


@data_app.command("path")
def data_path(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As data list names it.")],
    data: DataFolder = None,
) -> None:
    """Print the folder of fetched data.

    Example: ls "$(alignrank data path anatomy)"
    """
    from .data_commands import path_of_data

    path_of_data(name, data)


@data_app.command("verify")
def data_verify(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Default: all that is there.")
    ] = None,
    data: DataFolder = None,
) -> int:
    """Check fetched data by its checksums.

    Exit code 1 if any file is missing or changed.

    Example: alignrank data verify anatomy
    """
    from .data_commands import verify_data

    return verify_data(names or [], data)


@data_app.command("table")
def data_table(data: DataFolder = None) -> None:
    """Count what every ontology that is there holds.

    Those that are bundled, and those that were fetched.

    Example: alignrank data table
    """
    from .data_commands import print_contents

    print_contents(data)


@app.command()
def reproduce(
    tables: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TABLE",
            help="Of the papers: table2, ..., garcia-herrera, table8, bdm, 5ns, oaei-2016 "
            "(default: all); or an experiment: fifty-four, measures-agree, relaxed-oaei, audit.",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", metavar="FOLDER", help="Folder of the OAEI files (default: $ALIGNRANK_DATA)."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="PATH", help="Folder for the pages of experiments."),
    ] = None,
) -> None:
    """Recompute the papers' tables, paper and ours side by side.

    Example: alignrank reproduce table4 garcia-herrera --data FOLDER
    """
    from .reproduce import reproduce as run

    run(tables or [], data, out)


def _settings(
    labels: str,
    synonyms: bool,
    kinds: list[str] | None,
    langs: list[str] | None,
    threshold: float,
    assignment: str,
    protocol: str,
    tiles: bool | None = None,
) -> Any:
    from matchers import Settings
    from ontologies import Kind

    from .errors import ExperimentError

    unknown = sorted(set(kinds or ()) - set(Kind))
    if unknown:
        raise ExperimentError(f"--kind {unknown[0]!r} is unknown: use one of {', '.join(Kind)}")
    return Settings(
        labels=labels,
        synonyms=synonyms,
        kinds=tuple(Kind(k) for k in kinds) if kinds else None,
        langs=tuple(langs) if langs else None,
        threshold=threshold,
        assignment=assignment,
        protocol=protocol,
        tiles=tiles,
    )


def _refuse(reason: str) -> NoReturn:
    from .errors import ExperimentError

    raise ExperimentError(reason)


def _threshold(text: str) -> float:
    """Return a threshold; ``best`` is chosen later, on the uncut alignments."""
    from .errors import ExperimentError

    if text == "best":
        return 0.0
    try:
        return float(text)
    except ValueError:
        raise ExperimentError(f"--threshold {text!r}: give a number in [0, 1], or best") from None


#: Base of every usage error that the command line's parser raises.
_USAGE_ERROR: Any = typer.BadParameter.__mro__[1]

#: What to do about an error of the file system.
_NEXT_STEP = {
    errno.ENOENT: "check the path",
    errno.EACCES: "ask for the right to use it, or name another",
    errno.EISDIR: "name a file in it",
    errno.EROFS: "name a place that can be written to",
    errno.ENOSPC: "free some space, or name another place",
    errno.ENOTDIR: "a part of this path is a file, not a folder",
    errno.ENAMETOOLONG: "choose a shorter name",
}


def main() -> None:
    """Run the command line: exit code 0 done, 1 findings, 2 bad input or usage.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C, when everything is tidied up (`experiments.start` makes exit code 130 of it).
    """
    from .progress import hide_bars

    logging.basicConfig(format="alignrank: %(message)s", level=logging.WARNING)
    for stream in (sys.stdout, sys.stderr):  # a name that the terminal cannot show is no failure
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.path.append(str(Path.cwd()))  # a metric of the user's own may lie in the current folder
    try:
        try:
            code = app(_common_first(sys.argv[1:]), standalone_mode=False)
        finally:
            hide_bars()
    except BrokenPipeError:  # the reader of our output has left; results were written before
        sys.stderr.close()
        code = 0
    except (ValueError, OSError) as error:
        code = _complain(error)
    except _USAGE_ERROR as error:
        code = _complain(error)
    if code == 130:  # the parser makes a number of Ctrl-C
        raise KeyboardInterrupt
    sys.exit(code if isinstance(code, int) else 0)


def _common_first(arguments: list[str]) -> list[str]:
    """Put options that all commands share in front, so that they may stand anywhere."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    common = [a for a in arguments[:end] if a in ("--quiet", "--json", "--verbose")]
    rest = [a for a in arguments[:end] if a not in common]
    return [*common, *rest, *arguments[end:]]


def _complain(error: BaseException) -> int:
    """Print one line for an error that the user can mend; anything else is ours and is raised."""
    from evaluation.errors import EvaluationError
    from matchers.errors import MatcherError
    from ontologies.errors import OntologyError

    from .errors import ExperimentError

    ours = (OntologyError, MatcherError, EvaluationError, ExperimentError, OSError)
    if isinstance(error, ValueError) and not isinstance(error, ours):
        raise error
    if isinstance(error, OSError) and error.filename:
        reason = (error.strerror or "it cannot be used").lower()
        todo = _NEXT_STEP.get(error.errno or 0, "name another")
        text = f"{error.filename}: {reason}: {todo}"
    elif isinstance(error, _USAGE_ERROR):
        context = getattr(error, "ctx", None)
        said = error.format_message().rstrip(".")
        parameter = getattr(error, "param", None)
        if said.startswith("Missing") and parameter is not None:
            said += f": {parameter.help or ''}".rstrip(": .")
        if said.startswith("Usage:"):  # no arguments at all: help is what is wanted
            print(said, file=sys.stderr)
            return 2
        said = said.replace("Input should be", "it must be").partition(", unable to parse")[0]
        text = f"{said} (see {context.command_path if context else 'alignrank'} --help)"
    else:
        text = str(error.args[0]) if hasattr(error, "mistakes") else str(error)
    lines = [text, *getattr(error, "mistakes", ())]
    print("alignrank: error:", "\n  ".join(" ".join(x.split()) for x in lines), file=sys.stderr)
    return 2
