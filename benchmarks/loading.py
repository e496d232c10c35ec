"""What every ontology of a folder holds, and what loading it costs beside owlready2 alone.

    python benchmarks/loading.py ../shared/oaei [FILE ...]

Writes ``results/loading.md`` beside this script. Seconds are processor time, the least of several
runs; "ratio" is `load_ontology` over ``owlready2.World().get_ontology(...).load()``, which parses
and reads neither labels nor links. Then two made files of size are loaded, and those that are
named, each in a process of its own: OBO of 30 MB in the shape of the Gene Ontology, and a million
classes in RDF/XML, each with a label and a parent.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from owlready2 import World

from alignrank import ontologies
from alignrank.ontologies import Kind, load_ontology

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


def obo(number: int) -> str:
    """Return a term with what most terms of the Gene Ontology have: 1,000 characters."""
    above, part = number // 3, number // 5
    text = "A process that begins where another ends, and is told apart by what it needs. " * 5
    relation = f"relationship: part_of GO:{part:07}\n" if number % 4 == 0 else ""
    return (
        f"[Term]\nid: GO:{number:07}\nname: process {number}\nnamespace: biological_process\n"
        f'def: "{text}" [GOC:{number % 99}, PMID:{number}]\n'
        f'synonym: "activity {number}" EXACT []\nsynonym: "part of {above}" NARROW [GOC:mah]\n'
        f"xref: Wikipedia:Process_{number}\nis_a: GO:{above:07} ! process {above}\n{relation}\n"
    )


def rdf_xml(number: int) -> str:
    """Return a class with a label and a parent."""
    return (
        f'<o:Class rdf:about="http://a#{number}"><r:label>class {number}</r:label>'
        f'<r:subClassOf rdf:resource="http://a#{number // 3}"/></o:Class>\n'
    )


#: Name, beginning, what is repeated how often, and end of each file of size.
LARGE: list[tuple[str, str, Callable[[int], str], int, str]] = [
    ("OBO of 30 MB", "format-version: 1.2\nontology: go\n\n", obo, 44_000, ""),
    (
        "a million classes",
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns:o="http://www.w3.org/2002/07/owl#" xmlns:r="http://www.w3.org/2000/01/rdf-schema#">',
        rdf_xml,
        1_000_000,
        "</rdf:RDF>",
    ),
]


def loaded(path: Path) -> tuple[int, float, int]:
    """Return the entities of a file, the seconds of computing, and the peak of memory in MB."""
    start = time.process_time()
    entities = len(load_ontology(path))
    spent = time.process_time() - start
    return entities, spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 // 10**6


def large_row(name: str, path: Path) -> str:
    """Return one line of the table of the files of size."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        entities, spent, memory = pool.apply(loaded, (path,))
    return f"| {name} | {path.stat().st_size / 1e6:.0f} | {entities} | {spent:.1f} | {memory} |"


def large_rows(further: list[Path]) -> Iterator[str]:
    """Yield the table of the files of size."""
    yield "| file | MB | entities | seconds of computing | MB of memory |"
    yield "|---|---:|---:|---:|---:|"
    for name, begin, repeated, times, end in LARGE:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "large")
            path.write_text("".join([begin, *map(repeated, range(1, times + 1)), end]))
            yield large_row(name, path)
    for path in further:
        yield large_row(path.name, path)


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder with .owl files, at any depth")
    parser.add_argument("file", type=Path, nargs="*", help="further files of size")
    given = parser.parse_args()
    folder: Path = given.folder.resolve()
    files = [(p, str(p.relative_to(folder))) for p in sorted(folder.rglob("*.owl"))]
    files += [(p, str(p.relative_to(BUNDLED.parent))) for p in sorted(BUNDLED.rglob("*.owl"))]
    lines = [f"| {' | '.join(COLUMNS)} | seconds | ratio |", "|---|" + "---:|" * 7]
    lines += [row(path, name) for path, name in files]
    lines += ["", *large_rows(given.file)]
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "loading.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
