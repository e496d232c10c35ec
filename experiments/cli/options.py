"""Arguments and options that commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from experiments.inputs.known_names import completing, one_of

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


def _agreeing(context: typer.Context, form: str) -> str:
    if context.find_root().params["as_json"] and form != "json":
        refuse(f"--json and --format {form} contradict each other: leave one out")
    return form


TableOrJson = Annotated[
    str,
    typer.Option("--format", metavar="FORMAT", help="table or json.", callback=_agreeing),
]
TableCsvOrJson = Annotated[
    str,
    typer.Option("--format", metavar="FORMAT", help="table, csv or json.", callback=_agreeing),
]


def settings_from(
    labels: str,
    synonyms: bool,
    kinds: list[str] | None,
    langs: list[str] | None,
    threshold: float,
    assignment: str,
    protocol: str,
    tiles: bool | None = None,
) -> Any:
    """Return the matching's settings; a kind that is unknown is refused."""
    from experiments.errors import ExperimentError
    from matchers import Settings
    from ontologies import Kind

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


def refuse(reason: str) -> NoReturn:
    """Raise the error that is printed as one line."""
    from experiments.errors import ExperimentError

    raise ExperimentError(reason)


def threshold_from(text: str) -> float:
    """Return a threshold; ``best`` is chosen later, on the uncut alignments."""
    from experiments.errors import ExperimentError

    if text == "best":
        return 0.0
    try:
        return float(text)
    except ValueError:
        raise ExperimentError(f"--threshold {text!r}: give a number in [0, 1], or best") from None
