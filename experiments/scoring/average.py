"""Micro and macro averages of systems over the tasks of a track (`alignrank average`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

from evaluation import Averages, Credits, averages, get_measure
from evaluation.multitask import score_folder
from experiments.errors import ExperimentError
from experiments.report.console import console, print_cautions, terminal_table
from ontologies import Alignment, read_alignment
from ontologies.common.files import plain
from ontologies.common.names import Registry, count, refuse_unknown
from ontologies.common.table import Table

from .every_measure import ZERO_DIVISIONS

Missing = Literal["zero", "skip"]
_MISSING: Registry[Missing] = Registry(
    "--missing", {way: way for way in get_args(Missing)}, ExperimentError
)


def average_folders(
    references: Path,
    alignments: Path,
    *,
    measure: str,
    missing: str,
    mend_namespaces: bool,
    zero_division: str,
    form: str,
) -> None:
    """Read, average and print (`alignrank average`)."""
    refuse_unknown("--format", form, ("table", "json"), ExperimentError)
    way, zero = _MISSING.lookup(missing), ZERO_DIVISIONS.lookup(zero_division)
    judge = get_measure(measure)
    if judge.needs_ontologies:
        raise ExperimentError(
            f"--measure {measure} needs the ontologies of every task, which are not read here: use "
            "standard or weighted"
        )

    def earned(alignment: Alignment, reference: Alignment) -> Credits:
        judged = judge(alignment, reference)
        if not isinstance(judged, Credits):
            raise ExperimentError(
                f"--measure {measure} has no precision and recall to average: use standard or "
                "weighted"
            )
        return judged

    results, gold, cautions = read_folders(references, alignments, mend_namespaces=mend_namespaces)
    found = {
        system: averages(by_task, gold, measure=earned, missing=way, zero_division=zero)
        for system, by_task in results.items()
    }
    for system, average in found.items():
        if average.missing:
            what = "counted as 0" if missing == "zero" else "left out"
            cautions.append(f"{system}: no result for {', '.join(average.missing)}, {what}")
        cautions += [
            f"{system}: {name} is undefined on {count(n, 'task')}: not in its macro average"
            for name, n in average.undefined.items()
        ]
    if form == "json":
        content = {name: average.to_frame().to_dict("index") for name, average in found.items()}
        print(json.dumps(plain({"systems": content, "cautions": cautions}), indent=1))
        return
    console().print(f"{count(len(gold), 'task')}, {measure}")
    print_averages(found)
    print_cautions(cautions)


def read_folders(
    references: Path, alignments: Path, *, mend_namespaces: bool
) -> tuple[dict[str, dict[str, Alignment]], dict[str, Alignment], list[str]]:
    """Return alignments by system and task, references by task, and what was mended.

    Parameters
    ----------
    references, alignments
        Folders, as `evaluation.multitask.score_folder` takes them.
    mend_namespaces
        Read namespaces that differ from the reference's in case only as the reference's.
    """
    results: dict[str, dict[str, Alignment]] = {}
    gold: dict[str, Alignment] = {}

    def keep(alignment: Alignment, reference: Alignment) -> float:
        task = Path(reference.path).stem
        gold[task] = reference
        results.setdefault(alignment.name, {})[task] = alignment
        return 0.0

    table = score_folder(
        alignments, references, measure=keep, missing="zero", mend_namespaces=mend_namespaces
    )
    for task in set(table.tasks) - set(gold):  # nobody has a result there
        gold[task] = read_alignment(references / f"{task}.rdf")
    # `averages` tells of those that are missing
    cautions = [line for line in table.cautions if " missing and count as 0: " not in line]
    return results, {task: gold[task] for task in table.tasks}, cautions


def print_averages(found: Mapping[str, Averages]) -> None:
    """Print a row for each system: micro and macro averages, the best micro F1 first."""
    header = ["system", "micro P", "R", "F1", "macro P", "R", "mean F1", "F1 of means", "tasks"]
    rows = [
        [system, *vars(a.micro).values(), *vars(a.macro).values(), a.f1_of_means, len(a.tasks)]
        for system, a in sorted(found.items(), key=lambda item: -item[1].micro.f1)
    ]
    console().print(terminal_table(Table("Averages", header, rows)))
