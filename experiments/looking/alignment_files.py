"""Alignment files converted, checked and diagnosed; ontologies merged by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from alignrank.common.names import Texts, count
from alignrank.common.table import Table
from alignrank.evaluation.measures.logic.coherence import Breakage, breakage
from alignrank.experiments.errors import ExperimentError, refuse_taken
from alignrank.experiments.inputs.input_cautions import ontology_cautions
from alignrank.experiments.inputs.kinds_of_files import content_of
from alignrank.experiments.inputs.named_inputs import labels
from alignrank.experiments.report.console import (
    ROWS,
    finish,
    print_cautions,
    print_prose,
    print_table,
    say,
)
from alignrank.ontologies import (
    Alignment,
    Correspondence,
    Severity,
    diagnose,
    lint_alignment,
    load_ontology,
    load_pair,
    write_alignment,
)
from alignrank.ontologies.alignment import with_labels
from alignrank.ontologies.curation import current_rows, gone_text
from alignrank.ontologies.formats import Written, by_ending
from alignrank.ontologies.lint import Finding, Mend, lint_ontology
from alignrank.ontologies.loading.merging import MergedOntology, merge_ontologies, write_merged
from alignrank.ontologies.tasks.reader import AlignmentReader


def convert_file(
    path: Path,
    out: Path,
    *,
    form: str | None = None,
    columns: Texts | None = None,
    source: Path | None = None,
    target: Path | None = None,
    imports: Path | None = None,
    overwrite: bool = False,
) -> int:
    """Convert an alignment file.

    Nothing is lost, and what a format cannot say is reported. With both ontologies, the labels of
    the entities are added.
    """
    alignment, written = converted(
        path,
        out,
        form=form,
        reader=AlignmentReader(columns),
        source=source,
        target=target,
        imports=imports,
        overwrite=overwrite,
    )
    current, gone = current_rows(alignment)
    counts = [count(len(current), "correspondence"), *current.negative_counts]
    if gone:
        counts.append(gone_text(len(gone)))
    files = ", ".join(map(str, written.files))
    say(f"{', '.join(counts)}: {files}")
    for caution in written.cautions:
        say(f"note: {caution}")
    return 0


def converted(
    path: Path,
    out: Path,
    *,
    form: str | None,
    reader: AlignmentReader,
    source: Path | None = None,
    target: Path | None = None,
    imports: Path | None = None,
    overwrite: bool,
) -> tuple[Alignment, Written]:
    """Write an alignment file in another format, with labels where the ontologies are given.

    Returns
    -------
    tuple
        The alignment; and the files with sentences on what was mended, was merged or has no word.
    """
    refuse_taken(out, overwrite=overwrite)
    if (source is None) != (target is None):
        raise ExperimentError("--source and --target add labels: give both ontologies")
    alignment = reader.system(path)
    notes = alignment.notes
    if source is not None and target is not None:
        ontologies = load_pair(source, target, imports=imports)
        alignment = with_labels(alignment, *ontologies)
    written = write_alignment(alignment, out, to=form)
    cautions = list(notes.mended)
    if notes.duplicates:
        repeats = "cells that repeat another are merged, by the highest confidence"
        cautions.append(f"{repeats}: {notes.duplicates}")
    return alignment, replace(written, cautions=(*cautions, *written.cautions))


def check_files(
    paths: Sequence[Path],
    *,
    mend: bool = False,
    out: Path | None = None,
    columns: Texts | None = None,
    imports: Path | None = None,
    label_properties: Sequence[str] = (),
    overwrite: bool = False,
) -> int:
    """Check files: what is wrong, why nothing matches; mend it.

    Of ontologies and alignments each is checked by itself; with two ontologies, whether they and
    the alignments meet; the first alignment is the reference, by which the others are evaluated.
    Exit code 1 where something should be mended.
    """
    if mend != (out is not None):
        raise ExperimentError("--fix writes the mended files into --out: give both or neither")
    findings, alignments, mends = checked_files(
        paths,
        reader=AlignmentReader(columns),
        imports=imports,
        label_properties=label_properties,
    )
    wrong = sum(finding.severity is Severity.WARNING for finding in findings)
    summary = "nothing to mend"
    if wrong:
        summary = f"{count(wrong, 'fault')} to mend"
    if len(findings) > wrong:
        summary += f", {count(len(findings) - wrong, 'note')}"
    print_prose(f"{', '.join(map(str, paths))}: {summary}")
    for finding in findings:
        print_prose(str(finding))
    if mends and not mend:
        names = " and ".join(map(str, mends))
        say(f"{names} can be mended safely: add --fix --out FOLDER")
    if out is not None:
        places = _places(mends, out, overwrite=overwrite)
        for path, change in mends.items():
            mended, place = change.apply(alignments[path]), places[path]
            written = write_alignment(mended, place)
            say(f"mended: {place}")
            for caution in written.cautions:
                say(f"note: {caution}")
    return int(wrong > 0)


def _places(paths: Iterable[Path], out: Path, *, overwrite: bool) -> dict[Path, Path]:
    """Return where each mended file goes; refuse all if one of them cannot be written."""
    places: dict[Path, Path] = {}
    for path in paths:
        place = out / path.name
        if place in places.values():
            raise ExperimentError(
                f"two of the files to mend are called {path.name}: mend one at a time"
            )
        by_ending(place)
        refuse_taken(place, overwrite=overwrite)
        places[path] = place
    return places


def checked_files(
    paths: Sequence[Path],
    *,
    reader: AlignmentReader,
    imports: Path | None = None,
    label_properties: Sequence[str] = (),
) -> tuple[list[Finding], dict[Path, Alignment], dict[Path, Mend]]:
    """Return the findings in files, the alignments, and how some of these can be mended safely."""
    files = [path for path in paths if content_of(path) == "ontology"]
    if len(files) > 2:
        raise ExperimentError(f"{files[2]} is a third ontology: name a source and a target only")
    tables = [path for path in paths if path not in files]
    reader = reader.among(tables)
    alignments = {path: reader.system(path) for path in tables}
    findings = [f for a in alignments.values() for f in lint_alignment(a)]
    if len(files) < 2:
        for path in files:
            ontology = load_ontology(path, imports=imports, label_properties=label_properties)
            findings += lint_ontology(ontology)
        return findings, alignments, {}
    source, target = load_pair(*files, imports=imports, label_properties=label_properties)
    diagnosis = diagnose(source, target, *alignments.values())
    mends = dict(zip(alignments, diagnosis.mends, strict=True))
    safe = {path: change for path, change in mends.items() if change}
    return [*findings, *diagnosis.findings], alignments, safe


def merge_files(
    source: Path,
    target: Path,
    alignment: Path,
    *,
    out: Path,
    join: bool = False,
    repaired: Path | None = None,
    imports: Path | None = None,
    columns: Texts | None = None,
    predicates: Sequence[str] = (),
    overwrite: bool = False,
) -> None:
    """Merge two ontologies by an alignment; say what breaks and why.

    Every axiom of both files and of their imports is kept; each correspondence is an axiom with its
    confidence and file. What became unsatisfiable is found in what was read back, by the reasoner
    that is installed (rustdl, or HermiT with Java), else by reachability.

    Parameters
    ----------
    source, target, alignment, imports
        The files, and the folder of their imports.
    out
        The merged ontology: RDF/XML, Turtle or N-Triples by its ending.
    join
        Whether entities that ``=`` relates go under one IRI.
    repaired
        File for the alignment without the correspondences to blame; None: not written.
    columns, predicates
        Columns of a table by role; predicates of no known relation that are merged as ``=``.
    overwrite
        Whether a file that is there is replaced.
    """
    if repaired is not None and out.resolve() == repaired.resolve():
        raise ExperimentError(f"--out and --repaired are both {out}: name two files")
    if out.resolve() in [path.resolve() for path in (source, target, alignment)]:
        raise ExperimentError(f"--out {out} is one of the files to merge: name another")
    for path in filter(None, (out, repaired)):
        refuse_taken(path, overwrite=overwrite)
    if repaired is not None:
        by_ending(repaired)
    ontology1, ontology2 = load_pair(source, target, imports=imports)
    correspondences = AlignmentReader(columns, predicates).system(alignment)
    merged = merge_ontologies(ontology1, ontology2, correspondences, join=join)
    write_merged(merged, out)
    broken = breakage(load_ontology(out, imports=imports), ontology1, ontology2, merged.used)
    print_prose(f"{out} {_answer(broken)}")
    _print_broken(broken, labels(ontology1, ontology2))
    used = f"{count(len(merged.used), 'correspondence')} as axioms"
    if join:
        used += " or joined"
    print_prose(f"{used}; {len(merged.triples)} triples, all read back")
    cautions = [*broken.cautions]
    if repaired is not None:
        blamed = {first for first, *_ in broken.conflicts}
        remaining = correspondences.where(lambda c: c not in blamed)
        cautions += write_alignment(remaining, repaired).cautions
        print_prose(
            f"{repaired}: {count(len(remaining), 'correspondence')}, without those to blame"
        )
    # nothing is left out of the merged ontology
    whole = (replace(ontology, left_out={}) for ontology in (ontology1, ontology2))
    print_cautions([*cautions, *_cautions(merged), *ontology_cautions(*whole)])
    facts = {"triples": len(merged.triples), "correspondences": len(merged.used)}
    further_facts = {"left_out": merged.left_out, "joined": len(merged.joined)}
    finish({"out": str(out), **asdict(broken), **facts, **further_facts})


def _answer(broken: Breakage) -> str:
    """Return a sentence on the classes that became unsatisfiable."""
    classes, earlier = f"of {broken.classes} classes", ""
    if broken.before:
        earlier = f" ({broken.before} were unsatisfiable before)"
    if not broken.unsatisfiable and not broken.inconsistent:
        return f"holds together: none {classes} became unsatisfiable{earlier}, by {broken.reasoner}"
    damage = "everything: it is inconsistent"
    if not broken.inconsistent:
        damage = f"{len(broken.unsatisfiable)} {classes}{earlier}"
    blame = count(len(broken.conflicts), "correspondence")
    return f"breaks {damage}, by {broken.reasoner}; to blame: {blame}"


def _print_broken(broken: Breakage, label: Callable[[str], str]) -> None:
    """Print the correspondences to blame, then the unsatisfiable classes."""

    def equation(c: Correspondence) -> str:
        return f"{label(c.entity1)} {c.relation} {label(c.entity2)}"

    rows = [
        [equation(first), first.confidence, ", ".join(map(equation, further))]
        for first, *further in broken.conflicts[:ROWS]
    ]
    if rows:
        table = Table("", ["to blame", "confidence", "together with"], rows)
        print_table(table, wrapped=("to blame", "together with"))
    if listed := ", ".join(map(label, broken.unsatisfiable[:ROWS])):
        if len(broken.unsatisfiable) > ROWS:
            listed += " ..."
        print_prose(f"unsatisfiable: {listed}")


def _cautions(merged: MergedOntology) -> list[str]:
    """Return sentences on correspondences that are left out, and on joined entities."""
    cautions = [
        f"{count(n, 'correspondence')} left out: {reason}" for reason, n in merged.left_out.items()
    ]
    if several := sum(n > 1 for n in Counter(merged.joined.values()).values()):
        cautions.append(
            f"{count(several, 'IRI')} stand for three entities or more, as the alignment is not "
            "one-to-one: leave out --join to keep them apart"
        )
    return cautions
