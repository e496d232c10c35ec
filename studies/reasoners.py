"""Does rustdl say what HermiT says? On merges of the OAEI's conference and anatomy tracks.

python -m studies.reasoners DATA > docs/reasoners.csv    (DATA holds anatomy and conference)
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from alignrank.evaluation.measures.logic.reachability import Merged
from alignrank.evaluation.measures.logic.reasoner import Reasoned
from alignrank.ontologies import Alignment, Kind, Ontology, load_ontology, read_alignment

Merge = tuple[str, str, Ontology, Ontology, Alignment]


def merges(data: Path) -> Iterator[Merge]:
    """Yield the name of a task and of a system, both ontologies, and the alignment."""
    folder = data / "conference"
    files = (folder / "ontologies").glob("*.owl")
    ontologies = {path.stem.casefold(): load_ontology(path) for path in files}
    for reference in sorted((folder / "reference").glob("*.rdf")):
        source, target = (ontologies[name.casefold()] for name in reference.stem.split("-"))
        yield reference.stem, "reference", source, target, read_alignment(reference)
        task = reference.stem.casefold()  # files of systems write it in small letters
        for path in sorted((folder / "systems-2019").glob(f"*-{task}.rdf")):
            system = path.stem.removesuffix(f"-{task}")
            yield reference.stem, system, source, target, read_alignment(path)
    folder = data / "anatomy"
    source, target = load_ontology(folder / "mouse.owl"), load_ontology(folder / "human.owl")
    yield "anatomy", "reference", source, target, read_alignment(folder / "reference.rdf")


def subsumptions(merged: Merged) -> set[tuple[str, str]]:
    """Return the pairs of different satisfiable classes of which the first is below the second."""
    classes = {e.iri for o in (merged.source, merged.target) for e in o.of_kind(Kind.CLASS)}
    classes -= merged.unsatisfiable
    return {(c, upper) for c in classes for upper in merged.above(c) & classes if upper != c}


def seconds() -> float:
    """Return the processor seconds of this process and of the reasoners that it started."""
    usages = getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def main(data: Path) -> None:
    """Print a line for each merge."""
    table = csv.writer(sys.stdout, lineterminator="\n")
    header = ["task", "system", "unsatisfiable_reachability", "unsatisfiable", "same_unsatisfiable"]
    header += ["subsumptions", "missing", "extra", "seconds_rustdl", "seconds_hermit"]
    table.writerow(header)
    for task, system, source, target, alignment in merges(data):
        results, times = [], []
        for reasoner in ("HermiT", "rustdl"):
            start = seconds()
            results.append(partial(Reasoned, reasoner=reasoner)(source, target, alignment))
            times.append(seconds() - start)
        hermit, rustdl = results
        theirs, ours = subsumptions(hermit), subsumptions(rustdl)
        reachable = len(Merged(source, target, alignment).unsatisfiable)
        same = hermit.unsatisfiable == rustdl.unsatisfiable
        row = [task, system, reachable, len(hermit.unsatisfiable), same]
        row += [len(theirs), len(theirs - ours), len(ours - theirs)]
        table.writerow([*row, f"{times[1]:.2f}", f"{times[0]:.2f}"])
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(*sys.argv[1:] or sys.exit(__doc__)))
