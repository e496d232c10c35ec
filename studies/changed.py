"""Write `changed.md`: every verdict on real pairs that differs from that of version 0.1, and why.

    python studies/changed.py FOLDER     # FOLDER holds anatomy/ with systems-2016, systems-2018, …

0.1 called a difference *better* if it was significant twice: with source entities as independent,
and with classes resampled together that share an is_a parent in the source ontology.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from alignrank.common.table import Table
from alignrank.evaluation import AnalysisSettings, EntityClusters, compare, parent_clusters
from alignrank.evaluation.ranking import Edge
from alignrank.experiments.ranking.rank import rank
from alignrank.ontologies import Alignment, Ontology, load_ontology, read_alignment
from alignrank.ontologies.tasks import archived, find_tasks
from alignrank.ontologies.tasks.filters import filtered, filters
from alignrank.ontologies.tasks.system_files import past_files

INTRODUCTION = """<!-- made by studies/changed.py: do not edit -->
# Results that changed

Version 0.1 called a difference *better* if it was significant twice: with source entities as
independent, and with classes resampled together that share an is_a parent in the source ontology.
Where only the first held, it drew a dashed arrow. Now one test decides: McNemar's test per source
entity, adjusted for dependence between classes that share a parent (an is_a parent, else a part_of
parent). The table has the number of significant differences in each data set, and every pair whose
verdict changed; every other pair has the verdict that it had.

Other answers changed, too:

* `gate` calls identical answers *unchanged*. It passed a loss that equals the margin in 7 to
  39% of the simulated runs, now in 5.9% at most ([simulation](simulation.md)); so it more often
  says that it cannot tell.
* `study` tests the mean difference of scores of one scale, not the signed-rank statistic: from
  four to seven tasks it finds differences where the other test cannot. Below four tasks nothing
  is tested.
* Several runs: their variance is that of all systems together; a difference between one run and
  several is no longer judged as if the one run had no variance.
* Intervals of differences are Tango's limits, per 100 entities of the reference: a third system
  does not change the difference of two, and no interval has the width 0.
* Judged samples have verdicts at fixed numbers of answers only: an arrow that an older version
  printed after 137 answers may be gone. Looking every ten answers, it found a false difference in a
  third of the samples ([judge](tasks/judge.md)).
* Rows stand by the tested quantity, and `rank` recommends a metric only where the data exclude
  every other one from being the best.
"""
REASONS = {
    (True, True, False): "classes that share a target parent depend on each other",
    (True, False, False): "0.1 drew a dashed arrow; classes that share a parent depend",
    (True, False, True): "0.1 drew a dashed arrow; one test decides now",
    (False, True, True): "0.1 asked for both tests; one test decides now",
    (False, False, True): "classes that share a part_of parent are taken together",
}


@dataclass(frozen=True)
class Pair:
    """Alignments of an ontology pair by system."""

    name: str
    source: Ontology
    target: Ontology
    reference: Alignment
    systems: Mapping[str, Alignment]


def pairs(data: Path) -> Iterator[Pair]:
    """Yield the systems of each year on anatomy, and the nine metrics on anatomy and on our own."""
    (task,) = find_tasks("anatomy", [data])
    source, target = load_ontology(task.source), load_ontology(task.target)
    whole = read_alignment(task.reference)
    for year in archived(task):
        files = past_files(task, [year])
        systems = {name: read_alignment(path, name=name) for name, path in files.items()}
        systems, reference, _ = filtered(systems, whole, [filters()["oaei-anatomy"]])
        yield Pair(f"anatomy {year}, systems", source, target, reference, systems)
    yield ranked("anatomy, nine metrics", source, target, whole)
    for task in find_tasks("bundled"):
        source, target = load_ontology(task.source), load_ontology(task.target)
        reference = read_alignment(task.reference)
        yield ranked(f"{task.name}, nine metrics", source, target, reference)


def ranked(name: str, source: Ontology, target: Ontology, reference: Alignment) -> Pair:
    """Return what the nine metrics found."""
    found = rank(source, target, reference).alignments
    return Pair(name, source, target, reference, found)


def edges(pair: Pair, test: str | None, *, crossing: bool = True) -> set[Edge]:
    """Return the significant differences by a test; without crossing, as 0.1 knew clusters."""
    source_clusters = parent_clusters(pair.source)
    target_clusters = parent_clusters(pair.target)
    if not crossing:
        source_clusters = {k: v for k, v in source_clusters.items() if not v.startswith("part of ")}
        target_clusters = None
    settings = AnalysisSettings(
        test, views=("entity",), clusters=EntityClusters(source_clusters, target_clusters)
    )
    result = compare(pair.systems, pair.reference, settings)
    return set(result.deciding.edges)


def rows(pair: Pair) -> Iterator[list[str]]:
    """Yield the pair's numbers, and a row for each verdict that changed."""
    independent, siblings = (edges(pair, test, crossing=False) for test in ("mid-p", "sign-flip"))
    before, now = independent & siblings, edges(pair, None)
    counts = f"{len(before)} → {len(now)}"
    changed = sorted(before ^ now)
    if not changed:
        yield [pair.name, counts, "", "", "", ""]
    for edge in changed:
        key = (edge in independent, edge in siblings, edge in now)
        verdicts = ["better" if edge in found else "not significant" for found in (before, now)]
        yield [pair.name, counts, " > ".join(edge), *verdicts, REASONS[key]]
        counts = ""


def main(data: Path) -> None:
    """Write the page."""
    header = ["data", "differences", "pair", "in 0.1", "now", "why"]
    table = Table("", header, [row for pair in pairs(data) for row in rows(pair)])
    (Path(__file__).parents[1] / "docs" / "changed.md").write_text(
        f"{INTRODUCTION}\n{table.to_markdown()}\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
