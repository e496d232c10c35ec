"""Alignment files converted, checked and diagnosed (`alignrank convert`, `check`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from experiments.errors import ExperimentError
from experiments.inputs.kinds_of_files import content_of
from experiments.report.console import say
from ontologies import (
    Alignment,
    Severity,
    diagnose,
    lint_alignment,
    load_ontology,
    read_alignment,
    write_alignment,
)
from ontologies.common.names import count
from ontologies.diagnosis import Mend, lint_ontology


def convert_file(path: Path, out: Path, *, form: str | None = None, overwrite: bool = False) -> int:
    """Convert an alignment file.

    Nothing is lost, and what a format cannot say is reported.

    Example: alignrank convert reference.rdf reference.sssom.tsv
    """
    if out.exists() and not overwrite:
        raise ExperimentError(f"{out} exists: name another file, or add --overwrite")
    alignment = read_alignment(path)
    written = write_alignment(alignment, out, to=form)
    say(f"{count(len(alignment), 'correspondence')}: {', '.join(map(str, written.files))}")
    merged = alignment.notes.duplicates
    repeats = [f"cells that repeat another are merged, by the highest confidence: {merged}"]
    for caution in (
        *alignment.notes.mended,
        *(repeats if merged else ()),
        *written.cautions,
    ):
        say(f"note: {caution}")
    return 0


def check_files(
    paths: Sequence[Path],
    *,
    mend: bool = False,
    out: Path | None = None,
    imports: Path | None = None,
    overwrite: bool = False,
) -> int:
    """Check files: what is wrong, why nothing matches; mend it.

    Of ontologies and alignments each is checked by itself; with two ontologies, whether they and
    the alignments meet; the first alignment is the reference, by which the others are judged.
    Exit code 1 where something should be mended.

    Example: alignrank check mine.rdf

    Example: alignrank check a.owl b.owl reference.rdf mine.rdf --fix --out mended
    """
    if mend != (out is not None):
        raise ExperimentError("--fix writes the mended files into --out: give both or neither")
    files = [path for path in paths if content_of(path) == "ontology"]
    if len(files) > 2:
        raise ExperimentError(f"{files[2]} is a third ontology: name a source and a target only")
    ontologies = [load_ontology(path, imports=imports) for path in files]
    alignments = {path: read_alignment(path) for path in paths if path not in files}
    found = [f for a in alignments.values() for f in lint_alignment(a)]
    mends: dict[Path, Mend] = {}
    if len(ontologies) < 2:
        found += [f for ontology in ontologies for f in lint_ontology(ontology)]
    else:
        source, target = ontologies
        diagnosis = diagnose(source, target, *alignments.values())
        found += diagnosis.findings
        mends = dict(zip(alignments, diagnosis.mends, strict=True))
    for finding in found:
        say(str(finding))
    if not found:
        say(f"{', '.join(map(str, paths))}: nothing to mend")
    mendable = {path: change for path, change in mends.items() if change}
    if mendable and not mend:
        names = " and ".join(map(str, mendable))
        say(f"{names} can be mended safely: add --fix --out FOLDER")
    if out is not None:
        for path, change in mendable.items():
            _write_mended(change.apply(alignments[path]), out / path.name, overwrite=overwrite)
    return 1 if any(f.severity is Severity.WARNING for f in found) else 0


def _write_mended(mended: Alignment, path: Path, *, overwrite: bool) -> None:
    if path.exists() and not overwrite:
        raise ExperimentError(f"{path} exists: name another --out, or add --overwrite")
    written = write_alignment(mended, path)
    say(f"mended: {path}")
    for caution in (*mended.notes.mended, *written.cautions):
        say(f"note: {caution}")
