"""Processor time and memory of the default matcher on made names.

    python benchmarks/matcher_size.py [NUMBER [common]]

matches NUMBER made names with as many, half of which are others' with up to two characters changed.
With ``common`` every other name has one and the same further word. Without a number each of `SIZES`
is matched in a process of its own, and ``docs/images/matcher-size.svg`` is drawn; last come 100,000
names with ``common``. This takes five minutes of processor time.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
from labels import labels, perturbed

from alignrank.experiments.report.figures.style import figure_style, save
from alignrank.matchers import Settings, match, prepare
from alignrank.ontologies import Entity, Kind, Label, Ontology


def ontology(iri: str, names: list[str]) -> Ontology:
    entities = (Entity(f"{iri}{k}", Kind.CLASS, (Label(name),)) for k, name in enumerate(names))
    return Ontology(iri, {entity.iri: entity for entity in entities})


#: Numbers of names on either side.
SIZES = (10_000, 30_000, 100_000, 200_000)
FIGURE = Path(__file__).parents[1] / "docs" / "images" / "matcher-size"


def measure_all() -> None:
    """Measure each size, and draw processor seconds and memory."""
    draw([measured(str(size)) for size in SIZES])
    measured("100000", "common")


def measured(*arguments: str) -> list[float]:
    """Match in a process of its own, print what it prints, and return seconds and GB."""
    command = [sys.executable, __file__, *arguments]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    print(printed, end="", flush=True)
    return [float(x) for x in re.findall(r"([\d.]+) (?:processor|GB)", printed)]


def draw(figures: Sequence[Sequence[float]]) -> None:
    """Draw processor seconds and GB for each size."""
    labels_of_axes = ("processor seconds", "memory (GB)")
    with figure_style():
        figure, panels = plt.subplots(1, 2, figsize=(6.4, 2.8))
        for axes, label, values in zip(
            panels, labels_of_axes, zip(*figures, strict=True), strict=True
        ):
            axes.plot([size / 1000 for size in SIZES], values, "o-", markersize=4.0)
            axes.set(xlabel="thousand names on either side", ylabel=label)
            axes.set_ylim(bottom=0.0)
            axes.set_xlim(left=0.0)
        save(figure, FIGURE)


def main(number: str, common: str = "") -> None:
    sources = labels(int(number), seed=1)
    sides = [sources, perturbed(sources, 0.5, seed=2)]
    if common:
        sides = [[f"{s} common" if k % 2 else s for k, s in enumerate(names)] for names in sides]
    source, target = map(ontology, ("a#", "b#"), sides)
    began = time.process_time()
    matching = match(prepare(source, target, Settings(threshold=0.5)), "combined")
    seconds = time.process_time() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"{number} x {number} names{common and ' (one word in half of them)'}: {seconds:.1f} "
        f"processor seconds, {memory:.2f} GB, {len(matching.alignment)} correspondences"
    )


if __name__ == "__main__":
    main(*sys.argv[1:]) if sys.argv[1:] else measure_all()
