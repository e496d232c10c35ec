"""Alignment files judged by every measure of the field (`alignrank score`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evaluation import MEASURES, Context, Measure, get_measure
from experiments.errors import ExperimentError
from experiments.inputs.input_cautions import check_reference, check_systems
from experiments.inputs.named_inputs import (
    PARENT,
    named_clusters,
    named_files,
    read_reference,
    read_systems,
    read_weights,
)
from experiments.report.console import say
from experiments.report.scores_page import (
    print_csv,
    print_json,
    print_scores,
    scores_report,
    write_scores,
)
from experiments.results.folder import check_free, results_folder
from experiments.results.provenance import version
from ontologies import load_ontology
from ontologies.common.files import plain, sha256
from ontologies.common.names import Registry

from .every_measure import ScoringOptions, relaxed_measure, score_systems

#: Measures unless others are named: those that need no ontologies, and those that do.
ALIGNMENTS_ONLY = ("standard", "f0.5", "f2", "overall", "jaccard", "curve")
WITH_ONTOLOGIES = ("residual", "relaxed-symmetric", "relaxed-oriented", "semantic", "coherence")
FORMATS = Registry(
    "--format", {"table": print_scores, "csv": print_csv, "json": print_json}, ExperimentError
)


def score_files(
    reference: Path,
    alignments: Sequence[str],
    options: ScoringOptions,
    *,
    source: Path | None,
    target: Path | None,
    imports: Path | None,
    measures: Sequence[str],
    weights: Path | None,
    cluster: str | None,
    form: str,
    out: Path | None,
    overwrite: bool,
) -> None:
    """Read, judge, print, and write the results folder (`alignrank score`)."""
    print_scored = FORMATS.lookup(form)
    both = source is not None and target is not None
    if not both and (target or (source and cluster != PARENT)):
        raise ExperimentError("--source and --target go together: give both ontologies or neither")
    if cluster and not options.resamples:
        raise ExperimentError("--cluster is of the resampling: add --bootstrap, or leave it out")
    if out is not None:
        check_free(out, overwrite=overwrite)
    chosen = _measures(measures, weights, ontologies=both)
    files = named_files(alignments)
    judge = read_reference(reference)
    systems = read_systems(files)
    cautions = check_systems(systems, judge)
    one, two = (
        None if path is None else load_ontology(path, imports=imports) for path in (source, target)
    )
    context = Context(one, two)
    if context.complete:
        cautions += check_reference(judge, *context.ontologies)
    clusters, unclustered = named_clusters(cluster, context, (*systems.values(), judge))
    cautions += unclustered
    if any(measure.name == "curve" for measure in chosen):
        cautions.append(
            "best_f1 is at the threshold that this reference likes best: exploratory "
            "(`alignrank rank --threshold best` cross-fits it)"
        )
    scored = score_systems(systems, judge, chosen, context, options, clusters=clusters)
    settings = {
        "command": "score",
        "measures": [measure.name for measure in chosen],
        **asdict(options),
        "cluster": cluster,
        "weights": weights and str(weights),
        "source": source and str(source),
        "target": target and str(target),
    }
    given = {"reference": reference, "source": source, "target": target, "weights": weights}
    given["clusters"] = Path(cluster) if cluster not in (None, PARENT) else None
    inputs = _inputs(given | {f"alignment {name}": path for name, path in files.items()})
    content: dict[str, Any] = plain(
        {
            **scored.to_dict(),
            "cautions": [*cautions, *scored.cautions],
            "systems": list(systems),
            "settings": settings,
            "inputs": inputs,
            "version": version(),
        }
    )
    if out is not None:
        with results_folder(out, overwrite=overwrite) as folder:
            parents = None
            if context.complete:
                one, two = context.ontologies
                parents = (one.parents, two.parents)
            report = scores_report(content, systems, judge, _names(context), parents)
            write_scores(folder, content, report)
    print_scored(content)
    if out is not None and form == "table":
        say(f"Results: {out}")


def _measures(names: Sequence[str], weights: Path | None, *, ontologies: bool) -> list[Measure]:
    defaults = (*ALIGNMENTS_ONLY, *(WITH_ONTOLOGIES if ontologies else ()))
    chosen = [get_measure(name) for name in dict.fromkeys(names or defaults)]
    if weights is None:
        return chosen
    own = relaxed_measure(read_weights(weights))
    if own.name in MEASURES:
        raise ExperimentError(f"{weights}: there is a measure {own.name} already: rename the file")
    return [*chosen, own]


def _names(context: Context) -> dict[str, str]:
    """Return what each entity is called, by IRI."""
    ontologies = context.ontologies if context.complete else ()
    return {entity.iri: entity.names()[0] for ontology in ontologies for entity in ontology}


def _inputs(files: Mapping[str, Path | None]) -> dict[str, dict[str, str]]:
    return {
        name: {"path": str(path), "sha256": sha256(path.read_bytes())}
        for name, path in files.items()
        if path is not None
    }
