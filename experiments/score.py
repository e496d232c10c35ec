"""Every measure of alignment files against a reference, with intervals (`alignrank score`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.bootstrap import bootstrap
from evaluation.context import Context
from evaluation.judgement import Whole, values
from evaluation.measures import get_measure
from ontologies import Alignment, load_ontology

from .errors import ExperimentError
from .inputs import named_files, read_reference, read_systems
from .outputs import Provenance, finite, write_json
from .progress import track
from .report.build import provenance as facts
from .report.csvs import write_rows
from .report.html import Report, Table
from .report.scores import print_scores, scores_csv, scores_json
from .runs import check_free, results_folder, version

#: Measures unless others are named: those that need no ontologies, and those that do.
ALIGNMENTS_ONLY = ("standard", "f0.5", "f2", "overall", "jaccard", "curve")
WITH_ONTOLOGIES = ("residual", "relaxed-symmetric", "relaxed-oriented", "semantic", "coherence")
FORMATS = ("table", "csv", "json")


@dataclass(frozen=True)
class Value:
    """One value of one measure of one system; the interval is None where there is none."""

    system: str
    measure: str
    name: str
    value: float
    low: float | None = None
    high: float | None = None


def score_systems(
    systems: Mapping[str, Alignment],
    reference: Alignment,
    measures: Sequence[str],
    context: Context,
    *,
    zero_division: str = "oaei",
    resamples: int = 0,
    seed: int = 0,
) -> list[Value]:
    """Return every value of every measure of every system.

    Parameters
    ----------
    systems, reference
        What to judge, and by what.
    measures
        Names of `evaluation.measures.MEASURES`.
    context
        The ontologies, where measures need them.
    zero_division
        ``oaei``, ``zero`` or ``nan``.
    resamples
        Bootstrap resamples of the source entities; 0 for no intervals.
    seed
        Of the resampling.

    Raises
    ------
    EvaluationError
        If a measure is unknown or needs ontologies that are not there.
    """
    chosen = [get_measure(name) for name in measures]
    how: Any = zero_division
    found = []
    pairs = [(measure, name) for measure in chosen for name in systems]
    for measure, name in track(pairs, len(pairs), "scoring"):
        judgement = measure(systems[name], reference, context)
        intervals: dict[str, tuple[float, float]] = {}
        if resamples and not isinstance(judgement, Whole):
            got = bootstrap(judgement, resamples=resamples, seed=seed, zero_division=how)
            intervals = {i.name: (i.low, i.high) for i in got.intervals}
        for key, value in values(judgement, zero_division=how).items():
            low, high = intervals.get(key, (None, None))
            found.append(Value(name, measure.name, key, value, low, high))
    return found


def score_files(
    reference: Path,
    alignments: Sequence[str],
    *,
    source: Path | None,
    target: Path | None,
    imports: Path | None,
    measures: Sequence[str],
    zero_division: str,
    resamples: int,
    seed: int,
    form: str,
    out: Path | None,
    overwrite: bool,
) -> None:
    """Read, judge, print, and write the results folder (`alignrank score`)."""
    if form not in FORMATS:
        raise ExperimentError(f"--format {form!r} is unknown: use {', '.join(FORMATS)}")
    if zero_division not in ("oaei", "zero", "nan"):
        raise ExperimentError(f"--zero-division {zero_division!r} is unknown: use oaei, zero, nan")
    if (source is None) != (target is None):
        raise ExperimentError("--source and --target go together: give both ontologies or neither")
    if out is not None:
        check_free(out, overwrite=overwrite)
    files = named_files(alignments)
    judge = read_reference(reference)
    systems = read_systems(files)
    context = Context()
    inputs = {"reference": {"path": str(reference), "sha256": judge.sha256}}
    if source is not None and target is not None:
        one, two = load_ontology(source, imports=imports), load_ontology(target, imports=imports)
        context = Context(one, two)
        inputs["source"] = {"path": str(source), "sha256": one.sha256}
        inputs["target"] = {"path": str(target), "sha256": two.sha256}
    inputs |= {n: {"path": str(files[n]), "sha256": s.sha256} for n, s in systems.items()}
    names = list(measures) or [*ALIGNMENTS_ONLY, *(WITH_ONTOLOGIES if context.complete else ())]
    found = score_systems(
        systems,
        judge,
        names,
        context,
        zero_division=zero_division,
        resamples=resamples,
        seed=seed,
    )
    {"table": print_scores, "csv": scores_csv, "json": scores_json}[form](found)
    if out is None:
        return
    settings = {
        "command": "score",
        "measures": names,
        "zero_division": zero_division,
        "resamples": resamples,
        "seed": seed,
    }
    write_scores(out, found, Provenance(settings, inputs), overwrite=overwrite)


def write_scores(out: Path, found: Sequence[Value], origin: Provenance, *, overwrite: bool) -> None:
    """Write ``scores.csv``, ``summary.json`` and ``report.html``."""
    content = finite(
        {
            "scores": [vars(value) for value in found],
            "settings": origin.settings,
            "inputs": origin.inputs,
            "version": version(),
        }
    )
    rows = [[v.system, v.measure, v.name, v.value, v.low, v.high] for v in found]
    header = ["system", "measure", "value", "estimate", "low", "high"]
    shown = [[v.system, v.measure, v.name, f"{v.value:.4f}", _interval(v)] for v in found]
    page = Report(
        title="Scores",
        answer=[best(found)],
        ranking=None,
        tables=[Table("Every value", [*header[:4], "95 % interval"], shown)],
        provenance=facts(content),
    )
    with results_folder(out, overwrite=overwrite) as folder:
        write_rows(folder / "tables" / "scores.csv", header, rows)
        write_json(folder / "summary.json", content)
        (folder / "report.html").write_text(page.to_html(), encoding="utf-8")
    print(f"Results: {out}")


def best(found: Sequence[Value]) -> str:
    """Say which system has the largest F1, and that this alone proves nothing."""
    f1 = [v for v in found if v.name == "f1" and v.measure == found[0].measure]
    if not f1:
        return (
            f"{len({v.system for v in found})} systems, {len({v.measure for v in found})} measures."
        )
    first = max(f1, key=lambda v: v.value)
    return (
        f"{first.system} has the largest F1 ({first.value:.3f}, {first.measure}). Whether it is "
        "really better is for `alignrank compare` to say."
    )


def _interval(value: Value) -> str:
    if value.low is None or value.high is None:
        return ""
    return f"{value.low:.4f} to {value.high:.4f}"
