"""Write generated ontology pairs into a folder (`alignrank generate`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from experiments.errors import ExperimentError
from experiments.report.console import print_notes, say
from experiments.results.folder import check_free
from ontologies.common.progress import track
from ontologies.generator import (
    Alteration,
    Given,
    Suite,
    generate_suite,
    preset,
    read_given,
    read_suite,
)

#: Classes of a made-up ontology, where nothing else is said.
CLASSES = 300


def generate_pairs(
    classes: int | None,
    *,
    source: Path | None = None,
    imports: Path | None = None,
    seed: int,
    alter: Path | None,
    preset_name: str | None,
    out: Path,
    overwrite: bool,
) -> None:
    """Generate one pair into `out`, or each pair of a suite into a folder of its own.

    Raises
    ------
    ExperimentError
        If two things say what to generate, or what from, or `out` holds something.
    """
    if alter is not None and preset_name is not None:
        raise ExperimentError("--alter and --preset both say what to generate: name one of them")
    if source is not None and classes is not None:
        raise ExperimentError(
            "--classes is the size of a made-up ontology, and --from gives one: name one of them"
        )
    check_free(out, overwrite=overwrite)
    suite = (
        read_suite(alter)
        if alter is not None
        else preset(preset_name, classes or CLASSES)
        if preset_name is not None
        else Suite({"pair": Alteration()})
    )
    given = None if source is None else read_given(source, imports=imports)
    pairs = generate_suite(suite, given or classes or CLASSES, seed=seed)
    unchanged: Counter[str] = Counter()
    for pair in track(pairs, len(suite.pairs), "generating"):
        pair.write(out / pair.name if len(suite.pairs) > 1 else out)
        unchanged.update(pair.unchanged)
    many = "1 pair" if len(suite.pairs) == 1 else f"{len(suite.pairs)} pairs"
    say(f"{many}: {out} (alignrank rank --task {out})")
    print_notes(_notes(given, unchanged))


def _notes(given: Given | None, unchanged: Mapping[str, int]) -> list[str]:
    """Return what of a given ontology is not in the pairs, or not as it was asked for."""
    if given is None:
        return []
    notes = []
    if given.left_out:
        counts = ", ".join(f"{what} ({n})" for what, n in given.left_out.items())
        notes.append(f"left out of both ontologies, as the generator has no such thing: {counts}")
    notes.extend(
        f"{n} entities kept their names: for them {method!r} knows no other"
        for method, n in unchanged.items()
    )
    return notes
