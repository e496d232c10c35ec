"""What every ontology of a folder holds, and what loading it costs beside owlready2 alone.

    python benchmarks/loading.py ../shared/oaei

Writes ``results/loading.md`` beside this script. Seconds are processor time, the least of several
runs; "ratio" is `load_ontology` over ``owlready2.World().get_ontology(...).load()``, which parses
and reads neither labels nor links.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from owlready2 import World

import ontologies
from ontologies import Kind, load_ontology

RESULTS = Path(__file__).parent / "results"
BUNDLED = Path(ontologies.__file__).parent / "bundled"
COLUMNS = ("ontology", "classes", "properties", "individuals", "labels", "synonyms")
RUNS = 5


def seconds(work: Callable[[], object]) -> float:
    """Return the least processor time of several runs."""
    best = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def owlready2_alone(path: Path) -> None:
    """Load a file as owlready2 does, without what it imports."""
    world = World()
    world.get_ontology(path.as_uri()).load()
    world.close()


def row(path: Path, name: str) -> str:
    """Return one line of the table."""
    ontology = load_ontology(path, imports=path.parent)
    counts = ontology.counts()
    of = {kind: counts[kind].entities if kind in counts else 0 for kind in Kind}
    numbers = [of[Kind.CLASS], of[Kind.PROPERTY], of[Kind.INDIVIDUAL]]
    numbers += [sum(c.labelled for c in counts.values()), sum(c.synonyms for c in counts.values())]
    ours = seconds(lambda: load_ontology(path, imports=path.parent))
    try:
        theirs = seconds(lambda: owlready2_alone(path))
    except Exception:  # owlready2 raises its own errors for missing imports, among others
        ratio = "owlready2 alone fails"
    else:
        ratio = f"{ours / theirs:.2f}"
    return " | ".join(["", name, *map(str, numbers), f"{ours:.3f}", ratio, ""]).strip()


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder with .owl files, at any depth")
    folder: Path = parser.parse_args().folder
    files = [(p, str(p.relative_to(folder))) for p in sorted(folder.rglob("*.owl"))]
    files += [(p, str(p.relative_to(BUNDLED.parent))) for p in sorted(BUNDLED.rglob("*.owl"))]
    lines = [f"| {' | '.join(COLUMNS)} | seconds | ratio |", "|---|" + "---:|" * 7]
    lines += [row(path, name) for path, name in files]
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "loading.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
