"""Alignment files converted, checked and diagnosed (`alignrank convert`, `lint`, `diagnose`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import cast

from experiments.errors import ExperimentError
from experiments.report.console import say
from ontologies import (
    Finding,
    diagnose,
    lint_alignment,
    load_ontology,
    read_alignment,
    write_alignment,
)
from ontologies.common.names import count


def convert_file(path: Path, out: Path, *, to: str | None = None, overwrite: bool = False) -> int:
    """Convert an alignment file.

    Nothing is lost, and what a format cannot say is reported.

    Example: alignrank convert reference.rdf reference.sssom.tsv
    """
    if out.exists() and not overwrite:
        raise ExperimentError(f"{out} exists: name another file, or add --overwrite")
    alignment = read_alignment(path)
    written = write_alignment(alignment, out, to=to)
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


def lint_files(
    paths: Sequence[Path],
    *,
    source: Path | None = None,
    target: Path | None = None,
    imports: Path | None = None,
) -> int:
    """Check alignment files.

    Exit code 1 where something should be mended.

    Example: alignrank lint mine.rdf --source a.owl --target b.owl
    """
    one = None if source is None else load_ontology(source, imports=imports)
    two = None if target is None else load_ontology(target, imports=imports)
    clean = True
    for path in paths:
        report = lint_alignment(read_alignment(path), source=one, target=two)
        if not report.findings:
            say(f"{path}: nothing to mend")
        _print(report.findings)
        clean = clean and report.clean
    return 0 if clean else 1


def diagnose_files(
    source: Path,
    target: Path,
    reference: Path,
    alignment: Path | None = None,
    *,
    mend: bool = False,
    out: Path | None = None,
    imports: Path | None = None,
    overwrite: bool = False,
) -> int:
    """Say why nothing matches, or why a reference does not fit.

    Exit code 1 where there are findings.

    Example: alignrank diagnose a.owl b.owl reference.rdf mine.rdf --mend --out mended
    """
    if mend and out is None:
        raise ExperimentError("--mend writes the mended files: name their folder with --out")
    left, right = load_ontology(source, imports=imports), load_ontology(target, imports=imports)
    judge = read_alignment(reference)
    system = None if alignment is None else read_alignment(alignment)
    found = diagnose(left, right, judge, system)
    if not found.findings:
        say("nothing to mend: entities, labels and languages meet")
    _print(found.findings)
    mends = [(found.reference, judge, reference), (found.alignment, system, alignment)]
    mendable = [(m, a, p) for m, a, p in mends if m and a is not None and p is not None]
    if mendable and not mend:
        names = " and ".join(str(path) for _, _, path in mendable)
        say(f"{names} can be mended safely: add --mend --out DIR")
    for change, given, path in mendable if mend else []:
        target_file = cast(Path, out) / path.name
        if target_file.exists() and not overwrite:
            raise ExperimentError(f"{target_file} exists: name another --out, or add --overwrite")
        written = write_alignment(change.apply(given), target_file)
        say(f"mended: {target_file}")
        for caution in (*given.notes.mended, *written.cautions):
            say(f"note: {caution}")
    return 0 if found.healthy else 1


def _print(findings: Iterable[Finding]) -> None:
    for finding in findings:
        say(str(finding))
