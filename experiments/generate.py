"""Write generated ontology pairs into a folder (`alignrank generate`)."""

from __future__ import annotations

from pathlib import Path

from ontologies.generator import Alteration, Suite, generate_suite, preset, read_suite

from .errors import ExperimentError
from .progress import track
from .runs import check_free


def generate_pairs(
    classes: int,
    *,
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
        If both a file and a preset are named, or `out` holds something.
    """
    if alter is not None and preset_name is not None:
        raise ExperimentError("--alter and --preset both say what to generate: name one of them")
    check_free(out, overwrite=overwrite)
    suite = (
        read_suite(alter)
        if alter is not None
        else preset(preset_name, classes)
        if preset_name is not None
        else Suite({"pair": Alteration()})
    )
    pairs = generate_suite(suite, classes, seed=seed)
    for pair in track(pairs, len(suite.pairs), "generating"):
        pair.write(out / pair.name if len(suite.pairs) > 1 else out)
    many = "1 pair" if len(suite.pairs) == 1 else f"{len(suite.pairs)} pairs"
    print(f"{many}: {out} (alignrank rank --task {out})")
