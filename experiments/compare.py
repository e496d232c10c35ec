"""Judge systems by the alignment files that they produced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from evaluation import compare
from ontologies import Alignment

from .errors import ExperimentError
from .inputs import named_files, read_reference, read_systems
from .outputs import Provenance, summary, write_comparison
from .report.build import comparison_report
from .report.console import print_comparison
from .runs import check_free, results_folder


def compare_files(
    reference: Path,
    alignments: Sequence[str],
    *,
    test: str,
    correction: str,
    alpha: float,
    out: Path,
    overwrite: bool,
) -> None:
    """Read, compare, print, and write the results folder (`alignrank compare`)."""
    check_free(out, overwrite=overwrite)
    files = named_files(alignments)
    judge = read_reference(reference)
    systems = read_systems(files)
    notes = check_systems(systems, judge)
    comparison = compare(systems, judge, test=test, correction=correction, alpha=alpha)
    provenance = Provenance(
        settings={"command": "compare", "test": test, "correction": correction, "alpha": alpha},
        inputs={
            "reference": {"path": str(reference), "sha256": judge.sha256},
            **{n: {"path": str(files[n]), "sha256": s.sha256} for n, s in systems.items()},
        },
    )
    content = summary(comparison, provenance, {"notes": notes})
    print_comparison(content, heading=f"{len(systems)} systems judged by {reference}")
    report = comparison_report(
        comparison,
        content,
        systems,
        judge,
        title=f"{len(systems)} systems judged by {reference.name}",
    )
    with results_folder(out, overwrite=overwrite) as folder:
        write_comparison(folder, content, systems, report)
    print(f"Results: {out}")


def check_systems(systems: Mapping[str, Alignment], reference: Alignment) -> list[str]:
    """Return what readers had to mend in the systems' files, as sentences.

    Raises
    ------
    ExperimentError
        If a system's entities do not occur in the reference at all: the files belong to another
        task, are swapped, or use other namespaces.
    """
    left = {c.entity1 for c in reference}
    right = {c.entity2 for c in reference}
    notes = []
    for name, system in systems.items():
        ones = {c.entity1 for c in system}
        twos = {c.entity2 for c in system}
        if system and not ones & left and not twos & right:
            turned = len(ones & right) + len(twos & left)
            hint = (
                "source and target look swapped"
                if turned
                else "swapping source and target would not mend it: compare the namespaces"
            )
            raise ExperimentError(
                f"{system.path}: none of its {len(ones)} source and {len(twos)} target entities "
                f"occurs in the reference {reference.path}; {hint}"
            )
        if not system:
            notes.append(f"{name}: no correspondence in {system.path}")
        if system.notes.duplicates:
            notes.append(f"{name}: {system.notes.duplicates} duplicate cells merged")
        if system.notes.clipped:
            percent = 1 < system.notes.largest <= 100
            hint = "; they look like percentages" if percent and system.notes.largest > 2 else ""
            notes.append(
                f"{name}: {system.notes.clipped} confidences outside [0, 1] clipped "
                f"(largest {system.notes.largest:g}{hint})"
            )
        for relation, count in sorted(system.notes.unknown_relations.items()):
            notes.append(f"{name}: {count} cells with unknown relation {relation!r} taken as ?")
    return notes
