"""Figures of a results folder, as a paper needs them (`alignrank plot`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.errors import ExperimentError
from experiments.inputs.named_inputs import read_reference, slugs
from experiments.report.console import print_notes, say
from ontologies import read_alignment

from .reading import decided, read_results

if TYPE_CHECKING:
    from evaluation.measures.threshold_curve import Curve

FORMATS = ("svg", "pdf", "png")


def plot(
    results: Path,
    names: Sequence[str],
    *,
    formats: Sequence[str],
    view: str | None,
    correction: str | None,
    systems: Sequence[str],
    reference: Path | None,
    out: Path,
    overwrite: bool,
) -> None:
    """Draw figures of a results folder into `out` (`alignrank plot`).

    Parameters
    ----------
    results
        Results folder of `rank`, `compare` or `study`.
    names
        Figures (`experiments.report.figures.FIGURES`); none: all that these results allow.
    formats
        ``svg``, ``pdf``, ``png``.
    view, correction
        What decides; None: what was chosen.
    systems
        Systems of the figures about thresholds; none: all.
    reference
        Reference alignment, where it lies elsewhere than when the results were made.
    out
        Folder.
    overwrite
        Whether files there may be replaced.
    """
    from experiments.report.figures import figures
    from experiments.report.figures.style import save

    wrong = sorted(set(formats) - set(FORMATS))
    if wrong:
        raise ExperimentError(f"--format {wrong[0]!r} is unknown: use {', '.join(FORMATS)}")
    content = read_results(results)
    found = decided(content, view=view, correction=correction)
    curves, why = _curves(results, content, systems, reference)
    drawable = figures(content, found, curves)
    missing = sorted(set(names) - set(drawable))
    if missing:
        raise ExperimentError(
            f"these results allow no figure {missing[0]!r}: use {', '.join(drawable)}"
            + (f" ({why})" if why else "")
        )
    stems = {name: out / name for name in names or drawable}
    taken = [
        p for s in stems.values() for e in formats if (p := s.with_name(f"{s.name}.{e}")).exists()
    ]
    if taken and not overwrite:
        raise ExperimentError(f"{taken[0]} exists: name another folder, or add --overwrite")
    if why:
        print_notes([why])
    for name, stem in stems.items():
        for path in save(drawable[name](), stem, tuple(formats)):
            say(str(path))


def _curves(
    results: Path,
    content: Mapping[str, Any],
    systems: Sequence[str],
    reference: Path | None,
) -> tuple[dict[str, Curve], str]:
    """Return each system at every threshold, or why there is none."""
    from evaluation.measures.threshold_curve import curve

    unknown = [name for name in systems if name not in content["systems"]]
    if unknown:
        known = ", ".join(content["systems"])
        raise ExperimentError(f"the results hold no system {unknown[0]!r}: use one of {known}")
    stated = content["inputs"].get("reference")
    names = slugs(content["systems"])
    files = {s: results / "alignments" / f"{names[s]}.rdf" for s in systems or names}
    if stated is None or not all(path.is_file() for path in files.values()):
        return {}, "curves and similarities need one task's alignments, and there are none"
    path = reference or Path(stated["path"])
    if not path.is_file():
        return {}, f"the reference {path} is not there: name it with --reference"
    judge = read_reference(path)
    if judge.sha256 != stated["sha256"]:
        raise ExperimentError(
            f"{path} is not the reference of these results (SHA-256 {judge.sha256[:12]}…, was "
            f"{stated['sha256'][:12]}…): name it with --reference, or run the comparison again"
        )
    return {s: curve(read_alignment(path), judge) for s, path in files.items()}, ""
