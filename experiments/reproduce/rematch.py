"""Table 5 again from the ontologies: what ties can explain, and what they cannot.

The McNemar paper matched anatomy with OntoSim's metrics on lower-cased rdfs:labels by the
Hungarian algorithm. The optimum's total similarity does not depend on which of several optimal
assignments a solver returns; the number of correct correspondences does, within a range.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from matchers import Candidates, Metric, Settings, get_metric, match_all, prepare
from ontologies import Alignment, Kind, load_ontology, read_alignment
from ontologies.common.progress import track

from .side_by_side import published

#: Sums of similarities that differ by less than this count as equal (they are sums of some 2,700
#: float64 numbers below 1, each right to 1e-16).
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
        """Whether the choice among optimal assignments can explain what differs."""
        inside = self.smallest <= self.published_correct <= self.largest
        if self.short_of_optimum > TOLERANCE:
            return (
                f"{self.short_of_optimum:.3f} short of the optimum: ties cannot explain it "
                f"(its count is {'inside' if inside else 'outside'} their range)"
            )
        if self.correct == self.published_correct:
            return "optimal, and as many correct"
        return "optimal: a choice of ties" if inside else "optimal, yet outside the range of ties"


@dataclass(frozen=True)
class Rematched:
    """All nine metrics: `rows`, and our `alignments` by the paper's names."""

    rows: tuple[Rematch, ...]
    alignments: Mapping[str, Alignment]

    def to_text(self) -> str:
        """Return one line per metric."""
        head = ("metric", "published", "optimum", "correct", "ours", "any optimum", "verdict")
        lines = [
            "Each published alignment's total similarity beside the optimum, and its number of",
            "correct correspondences beside ours and beside the exact range over all optimal",
            "assignments (OntoSim's metrics, lower-cased labels, classes):",
            "{:16} {:>12} {:>12} {:>8} {:>6} {:>12}  {}".format(*head),
        ]
        lines += [
            f"{r.metric:16} {r.published:12.6f} {r.optimum:12.6f} {r.published_correct:8} "
            f"{r.correct:6} {r.smallest:>6}–{r.largest:<5}  {r.verdict}"
            for r in self.rows
        ]
        return "\n".join(lines)


def rematch(data: Path) -> Rematched:
    """Match anatomy with OntoSim's nine metrics, as the paper did.

    Parameters
    ----------
    data
        Folder that holds ``anatomy/``.
    """
    anatomy = data / "anatomy"
    facts = published("mcnemar")["table5"]
    reference = read_alignment(anatomy / "reference.rdf")
    candidates = prepare(
        load_ontology(anatomy / "mouse.owl"),
        load_ontology(anatomy / "human.owl"),
        Settings(labels="lower", synonyms=False, kinds=(Kind.CLASS,)),
    )
    metrics = {name: get_metric(ours) for name, ours in METRICS.items()}
    matchings = track(match_all(candidates, list(metrics.values())), len(metrics), "matching")
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
