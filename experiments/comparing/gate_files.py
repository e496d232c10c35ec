"""A gate for every commit: whether a new version of a system may replace the old one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import cast, get_args

from evaluation.multitask.alignments_folder import TrackResults, read_track
from evaluation.multitask.score_table import Mismatch
from evaluation.uncertainty.gate import Gate, gate
from experiments.errors import ExperimentError
from experiments.inputs.named_inputs import PARENT, read_judged
from experiments.report.console import finish, print_cautions, say
from ontologies import Alignment
from ontologies.common.names import refuse_unknown
from ontologies.common.table import Table
from ontologies.tasks.filters import read_filter
from ontologies.tasks.system_files import by_system

#: Exit codes: a gate that cannot tell is neither done nor a finding.
EXIT_CODES = {"pass": 0, "block": 1, "inconclusive": 3}


def gate_files(
    old: Path,
    new: Path,
    *,
    reference: Path,
    measure: str = "f1",
    margin: float = 0.01,
    alpha: float = 0.05,
    source: Path | None = None,
    imports: Path | None = None,
    filters: Sequence[str] = (),
    on_mismatch: str = "refuse",
    mend_namespaces: bool = False,
    markdown: bool = False,
) -> int:
    """Say whether a change made a system worse.

    Exit code 0 pass, 1 block, 3 inconclusive.

    Example: alignrank gate old.rdf new.rdf --reference reference.rdf --source a.owl
    """
    clusters: Mapping[str, Mapping[str, str]] | None = None
    rules = [read_filter(text) for text in filters]
    refuse_unknown("--on-mismatch", on_mismatch, get_args(Mismatch), ExperimentError)
    way = cast(Mismatch, on_mismatch)
    if reference.is_dir():
        if source is not None:
            raise ExperimentError("--source goes with one reference, not with a folder of them")
        tracks = [
            read_track(
                folder,
                reference,
                rules=rules,
                on_mismatch=way,
                mend_namespaces=mend_namespaces,
            )
            for folder in (old, new)
        ]
        gold, runs = tracks[0].references, [[_by_task(track)] for track in tracks]
        cautions = [caution for track in tracks for caution in track.cautions]
    else:
        versions = [
            {f"{which} {name}": path for name, path in _runs(version).items()}
            for which, version in (("old", old), ("new", new))
        ]
        read = read_judged(
            reference,
            [f"{name}={path}" for files in versions for name, path in files.items()],
            source=source,
            target=None,
            imports=imports,
            cluster=PARENT if source else None,
            filters=filters,
            on_mismatch=on_mismatch,
        )
        gold, cautions = {"": read.reference}, list(read.cautions)
        clusters = {"": read.clusters} if read.clusters else None
        runs = [
            [{"": read.systems[name]} for name in files if name in read.systems]
            for files in versions
        ]
    decided = gate(
        runs[0],
        runs[1],
        gold,
        measure=measure,
        margin=margin,
        alpha=alpha,
        clusters=clusters,
    )
    say(_markdown(decided) if markdown else decided.answer)
    if clusters is None:
        say("if source entities are independent (--source resamples siblings together)")
    print_cautions(cautions)
    finish({**asdict(decided), "answer": decided.answer, "cautions": cautions}, None)
    return EXIT_CODES[decided.decision]


def _runs(version: Path) -> dict[str, Path]:
    """Return the file of each run of a version: a file, or those of a folder."""
    if not version.is_dir():
        return {version.stem: version}
    runs = by_system(version)
    names = sorted({re.sub(r"[\W\d_]*(run)?[\W\d_]*$", "", name.casefold()) for name in runs})
    if len(names) > 1:
        raise ExperimentError(
            f"{version} holds files of different systems ({', '.join(list(runs)[:3])}): the runs "
            "of one are named alike but for a number, as mine-1.rdf and mine-2.rdf"
        )
    return runs


def _by_task(track: TrackResults) -> dict[str, Alignment]:
    """Return the alignment of the one system for each task; a task without one is an error."""
    if len(track.systems) != 1:
        raise ExperimentError(
            f"a gate compares two versions of one system: a folder holds {len(track.systems)} "
            f"({', '.join(track.systems[:3])})"
        )
    (system,) = track.systems
    missing = [task for task, found in track.alignments.items() if system not in found]
    if missing:
        raise ExperimentError(f"{system} has no alignment for {', '.join(missing)}: add it")
    return {task: found[system] for task, found in track.alignments.items()}


def _markdown(decided: Gate) -> str:
    """Return the decision for a pull request."""
    signs = {"pass": "✅", "block": "❌", "inconclusive": "❔"}
    header = ["", "old", "new", f"{1 - 2 * decided.alpha:.0%} limits of new − old"]
    limits = f"{decided.low:+.3f} to {decided.high:+.3f}"
    title = f"{signs[decided.decision]} {decided.answer}"
    return Table(title, header, [[decided.measure, decided.old, decided.new, limits]]).to_markdown()
