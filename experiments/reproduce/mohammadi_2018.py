"""The McNemar paper's tables and figures, from the real files.

Mohammadi, Atashin, Hofman and Tan (2018): Tables 2 and 3 (discordant counts of ten OAEI 2016
systems), Table 4 (their ranking), Table 5 (discordant counts of nine string metrics), Figures 1 to
5 (who outperforms whom).

Table 5 is also made once more from the ontologies: the paper matched anatomy with OntoSim's metrics
on lower-cased rdfs:labels by the Hungarian algorithm. The optimum's total similarity does not
depend on which of several optimal assignments a solver returns; the number of correct
correspondences does, within a range. That tells what ties can explain, and what they cannot.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from alignrank.common.table import Table
from alignrank.evaluation import (
    CORRECTIONS,
    AnalysisSettings,
    Comparison,
    compare,
    compare_counts,
    sensitivity,
)
from alignrank.matchers import Candidates, Metric, Settings, get_metric, match_all, prepare
from alignrank.ontologies import Alignment, Kind, load_ontology, read_alignment

from .side_by_side import Reproduction, published

#: Sums of similarities that differ by less than this count as equal (they are sums of some 2,700
#: float64 numbers below 1, each exact to 1e-16).
TOLERANCE = 1e-6

#: The published files' names of the metrics.
METRICS = {
    "Equal": "ontosim-equality",
    "Hamming": "ontosim-hamming",
    "Jaro": "ontosim-jaro",
    "JaroWinkler": "ontosim-jaro-winkler",
    "Levenshtein": "ontosim-levenshtein",
    "N-gram": "ontosim-ngram",
    "NeedlemanWunsch": "ontosim-needleman-wunsch",
    "SMOA": "ontosim-smoa",
    "SubString": "ontosim-substring",
}


@cache
def recomputed(table: str, data: Path) -> Comparison:
    """Compare the alignments behind a published table."""
    facts = published("mcnemar", table)
    reference = read_alignment(data / "anatomy" / "reference.rdf")
    systems = {
        name: read_alignment(data / facts["folder"] / file, name=name)
        for name, file in facts["files"].items()
    }
    return compare(systems, reference, settings=AnalysisSettings(protocol="mohammadi-2018"))


def discordant_table(table: str, data: Path) -> Reproduction:
    """Tables 2, 3 and 5: cell (i, j) counts what i has right and j wrong."""
    facts = published("mcnemar", table)
    ours = recomputed(table, data).discordant[facts["view"]]
    return Reproduction(
        table, facts["caption"], facts["systems"], facts["systems"], facts["matrix"], ours.tolist()
    )


def table4(data: Path) -> Reproduction:
    """Table 4: the layers under Bergmann–Hommel in both views."""
    facts = published("mcnemar", "table4")
    views = {"ifp": recomputed("table2", data), "cfp": recomputed("table3", data)}
    paper = {view: [sorted(layer) for layer in facts[view]] for view in views}
    ours = {
        view: [sorted(layer) for layer in comparison.layers[view]["bergmann-hommel"]]
        for view, comparison in views.items()
    }
    depth = max(len(x) for table in (paper, ours) for x in table.values())

    def cells(table: dict[str, list[list[str]]]) -> list[list[str]]:
        return [
            [" & ".join(table[view][k]) if k < len(table[view]) else "" for view in views]
            for k in range(depth)
        ]

    ranks = [str(k + 1) for k in range(depth)]
    return Reproduction("table4", facts["caption"], ranks, list(views), cells(paper), cells(ours))


def figures(data: Path) -> Reproduction:
    """Figures 1 to 5: arrows that follow from the paper's printed counts, and from the files.

    The figures themselves are not in the paper's text; its claims about them are tests.
    """
    drawn = {
        "Figure 1 (ifp, nemenyi)": ("table2", "nemenyi"),
        "Figure 2 (ifp, bergmann-hommel)": ("table2", "bergmann-hommel"),
        "Figure 3 (cfp, nemenyi)": ("table3", "nemenyi"),
        "Figure 4 (cfp, bergmann-hommel)": ("table3", "bergmann-hommel"),
        "Figure 5 (ifp, bergmann-hommel)": ("table5", "bergmann-hommel"),
    }
    paper, ours, notes = [], [], []
    for name, (table, correction) in drawn.items():
        facts = published("mcnemar", table)
        view = facts["view"]
        comparison = recomputed(table, data)
        settings = AnalysisSettings(alpha=comparison.alpha)
        printed = compare_counts(facts["matrix"], facts["systems"], settings, view=view)
        theirs = set(printed.edges[view][correction])
        mine = set(comparison.edges[view][correction])
        paper.append([len(theirs)])
        ours.append([len(mine)])
        for better, worse in sorted(theirs ^ mine):
            notes.append(f"{name}: {better} -> {worse} is in one of the two only")
    return Reproduction(
        "figures",
        "arrows from the printed counts (paper) and from the files (ours)",
        list(drawn),
        ["arrows"],
        paper,
        ours,
        notes or ["The arrows are the same, one by one."],
    )


def grid(data: Path) -> str:
    """Return the paper's whole grid: arrows under 2 views, 4 tests and every correction."""
    tables = []
    for name, table in (("ten OAEI 2016 systems", "table2"), ("nine string metrics", "table5")):
        arrows: dict[str, dict[str, int]] = {}
        for choice, number in sensitivity(recomputed(table, data)).edges.items():
            arrows.setdefault(f"{choice.view}, {choice.test}", {})[choice.correction] = number
        title = f"grid: number of arrows by view, test and correction, {name}"
        header = ["", *next(iter(arrows.values()))]
        rows = [[way, *numbers.values()] for way, numbers in arrows.items()]
        tables.append(Table(title, header, rows).to_text())
    return "\n\n".join(tables)


def one_against_all(data: Path) -> str:
    """Return the paper's N×1 case: one of the ten systems as the new one, under each correction."""
    new = "CroMatcher"
    comparison = recomputed("table2", data)
    corrections = [name for name, facts in CORRECTIONS.items() if "N×1" in facts.comparisons]
    tables = []
    for view in ("ifp", "cfp"):
        counts, test, alpha = comparison.discordant[view], comparison.test, comparison.alpha
        focused = [
            compare_counts(
                counts, comparison.systems, AnalysisSettings(test, name, alpha, focus=new)
            )
            for name in corrections
        ]
        place = comparison.systems.index(new)
        verdicts = focused[corrections.index("holm")].deciding.verdicts
        rows = [
            [rival, *(of.deciding.adjusted_p[place, k] for of in focused), verdicts[new, rival]]
            for k, rival in enumerate(comparison.systems)
            if rival != new
        ]
        title = f"n-by-1: {new} as the new system against the nine others, adjusted p-values"
        header = [view, *corrections, "verdict"]
        tables.append(Table(title, header, rows, show="{:.3g}".format).to_text())
    return "\n\n".join(tables)


@dataclass(frozen=True)
class Rematch:
    """One metric's published alignment beside the optimum.

    Parameters
    ----------
    metric
        The paper's name.
    optimum
        Largest total similarity of a one-to-one assignment.
    published
        Total similarity of the published alignment under the same metric and labels.
    correct, smallest, largest
        Correct correspondences of our optimal assignment, and the smallest and largest number that
        any optimal assignment has.
    published_correct
        Correct correspondences of the published alignment.
    """

    metric: str
    optimum: float
    published: float
    correct: int
    smallest: int
    largest: int
    published_correct: int

    @property
    def short_of_optimum(self) -> float:
        """How far the published alignment's total similarity lies below the optimum."""
        return self.optimum - self.published

    @property
    def verdict(self) -> str:
        """Whether the choice among optimal assignments can explain the difference."""
        place = "outside"
        if self.smallest <= self.published_correct <= self.largest:
            place = "inside"
        if self.short_of_optimum > TOLERANCE:
            return (
                f"{self.short_of_optimum:.3f} short of the optimum: ties cannot explain it "
                f"(its count is {place} their range)"
            )
        if self.correct == self.published_correct:
            return "optimal, and as many correct"
        if place == "inside":
            return "optimal: a choice of ties"
        return "optimal, yet outside the range of ties"


@dataclass(frozen=True)
class Rematched:
    """All nine metrics: `rows`, and our `alignments` by the paper's names."""

    rows: tuple[Rematch, ...]
    alignments: Mapping[str, Alignment]

    def to_text(self) -> str:
        """Return one line per metric."""
        header = ("metric", "published", "optimum", "correct", "ours", "any optimum", "verdict")
        rows = [
            [
                *(r.metric, r.published, r.optimum, r.published_correct, r.correct),
                *(f"{r.smallest}–{r.largest}", r.verdict),
            ]
            for r in self.rows
        ]
        explained = (
            "Each published alignment's total similarity beside the optimum, and its number of\n"
            "correct correspondences beside ours and beside the exact range over all optimal\n"
            "assignments (OntoSim's metrics, lower-cased labels, classes):"
        )
        return Table(explained, header, rows, show="{:.6f}".format).to_text()


@cache
def rematch(data: Path) -> Rematched:
    """Match anatomy with OntoSim's nine metrics, as the paper did.

    Parameters
    ----------
    data
        Folder that holds ``anatomy/``.
    """
    anatomy = data / "anatomy"
    facts = published("mcnemar", "table5")
    reference = read_alignment(anatomy / "reference.rdf")
    candidates = prepare(
        load_ontology(anatomy / "mouse.owl"),
        load_ontology(anatomy / "human.owl"),
        Settings(labels="lower", synonyms=False, kinds=(Kind.CLASS,)),
    )
    metrics = {name: get_metric(ours) for name, ours in METRICS.items()}
    matchings = match_all(candidates, list(metrics.values()))
    rows, alignments = [], {}
    for (name, metric), matching in zip(metrics.items(), matchings, strict=True):
        assert matching.ties is not None  # the assignment is Hungarian
        correct = matching.ties.count(reference.pairs)
        theirs = read_alignment(data / facts["folder"] / facts["files"][name])
        rows.append(
            Rematch(
                metric=name,
                optimum=matching.total,
                published=total_similarity(theirs, candidates, metric),
                correct=len(matching.alignment & reference),
                smallest=correct.smallest,
                largest=correct.largest,
                published_correct=len(theirs & reference),
            )
        )
        alignments[name] = matching.alignment
    return Rematched(tuple(rows), alignments)


def total_similarity(alignment: Alignment, candidates: Candidates, metric: Metric) -> float:
    """Return the sum of a metric's similarities over an alignment's correspondences.

    Entities that are no candidates (they have no name, or another kind) count nothing.
    """
    names: dict[str, tuple[str, ...]] = {}
    for group in candidates.groups:
        for side in (group.source, group.target):
            names.update(zip(side.iris, side.names, strict=True))
    return math.fsum(
        max(metric.similarity(s, t) for s in names[c.entity1] for t in names[c.entity2])
        for c in alignment
        if c.entity1 in names and c.entity2 in names
    )


def rematched_table5(data: Path) -> str:
    """Table 5 once more, from the ontologies instead of from the published alignments."""
    rematched = rematch(data)
    reference = read_alignment(data / "anatomy" / "reference.rdf")
    ours = compare(rematched.alignments, reference).discordant["ifp"]
    table = replace(
        discordant_table("table5", data),
        name="table5, matched again",
        caption="the same counts from our own optimal assignments",
        ours=ours.tolist(),
    )
    return f"{rematched.to_text()}\n\n{table}"
