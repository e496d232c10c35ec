"""The ten systems of the OAEI 2016 anatomy track, and relaxed precision and recall of them.

Ehrig & Euzenat (2005) tried their relaxed measures on one example of their own, and promised the
OAEI files as future work: how many near misses are there, of which sort, and does the credit for
them change the ranking?
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluation.measures.measure import Context
from evaluation.measures.relaxed.precision_recall import RelaxedScores, relaxed
from experiments.report.html import Report
from experiments.results.provenance import installation
from ontologies import Alignment, Correspondence, load_ontology, read_alignment
from ontologies.common.files import write_text
from ontologies.common.progress import track
from ontologies.common.table import Table

#: The systems whose files differ: DKP-AOM-Lite.rdf holds the same as DKP-AOM.rdf.
SYSTEMS = (
    *("AML", "Alin", "CroMatcher", "DKP-AOM", "FCA_Map"),
    *("LPHOM", "LYAM", "Lily", "LogMapLite", "XMap"),
)


@dataclass(frozen=True, eq=False)
class Anatomy:
    """The anatomy track of 2016: both ontologies, the reference, and the systems by name."""

    context: Context
    reference: Alignment
    systems: dict[str, Alignment]


def judged_by_oaei(correspondence: Correspondence) -> bool:
    """Tell whether the anatomy track counts a cell: ``=`` between anatomical entities.

    Examples
    --------
    >>> judged_by_oaei(Correspondence("http://mouse.owl#MA_0000001", "http://human.owl#NCI_C12219"))
    True
    >>> judged_by_oaei(Correspondence("http://mouse.owl#UNDEFINED_part_of", "http://human.owl#x"))
    False
    """
    entities = " ".join(correspondence.pair)
    return (
        correspondence.relation == "="
        and "oboInOwl" not in entities
        and "UNDEFINED_part_of" not in entities
    )


def read_system(data: Path, name: str) -> Alignment:
    """Read what the track counts of one system's file."""
    path = data / "anatomy" / "systems-2016" / f"{name}.rdf"
    return read_alignment(path, name=name).where(judged_by_oaei)


def read_anatomy(data: Path) -> Anatomy:
    """Read ontologies, reference and systems from the folder that holds ``anatomy/``."""
    folder = data / "anatomy"
    source, target = (load_ontology(folder / f"{name}.owl") for name in ("mouse", "human"))
    return Anatomy(
        Context(source, target),
        read_alignment(folder / "reference.rdf"),
        {name: read_system(data, name) for name in SYSTEMS},
    )


#: Ordinary precision and recall, and the paper's three measures.
PROXIMITIES = ("equality", "symmetric", "effort", "oriented")


@dataclass(frozen=True, eq=False)
class RelaxedStudy:
    """Relaxed scores by system and proximity.

    Parameters
    ----------
    scores
        By system, then by proximity.
    """

    scores: Mapping[str, Mapping[str, RelaxedScores]]

    def ranking(self, proximity: str) -> list[str]:
        """Return the systems by F1 under one proximity, the best first."""
        return sorted(self.scores, key=lambda s: (-self.scores[s][proximity].f1, s))

    def links(self, system: str) -> Counter[str]:
        """Return how many near misses each link explains, under the symmetric proximity."""
        return Counter(m.link for m in self.scores[system]["symmetric"].near_misses)


def relaxed_study(
    systems: Mapping[str, Alignment], reference: Alignment, context: Context
) -> RelaxedStudy:
    """Judge systems by ordinary and by relaxed precision and recall.

    Parameters
    ----------
    systems, reference, context
        What is judged, and by what.
    """
    hierarchies = context.hierarchies
    return RelaxedStudy(
        {
            name: {p: relaxed(a, reference, *hierarchies, p) for p in PROXIMITIES}
            for name, a in track(systems.items(), len(systems), "systems")
        }
    )


def report(study: RelaxedStudy) -> Report:
    """Build the report: scores, near misses by link, and the rankings."""
    order = study.ranking("equality")
    rankings = {p: study.ranking(p) for p in PROXIMITIES}
    changed = [p for p in PROXIMITIES[1:] if rankings[p] != order]
    scores = [
        [
            system,
            *(
                f"{getattr(study.scores[system][p], rate):.3f}"
                for p in PROXIMITIES
                for rate in ("precision", "recall", "f1")
            ),
        ]
        for system in order
    ]
    links = {system: study.links(system) for system in order}
    kinds = sorted({kind for found in links.values() for kind in found})
    misses = []
    for system in order:
        exact = study.scores[system]["equality"]
        wrong = exact.found - round(exact.overlap_precision)
        near = links[system].total()
        share = f"{near / wrong:.0%}" if wrong else "–"
        misses.append(
            [system, str(wrong), str(near), share, *(str(links[system][k]) for k in kinds)]
        )
    near = sum(found.total() for found in links.values())
    wrong = sum(int(row[1]) for row in misses)
    return Report(
        title=f"Relaxed precision and recall: {len(order)} systems on anatomy (OAEI 2016)",
        answer=[
            f"Of {wrong} correspondences that ordinary precision calls wrong, {near} "
            f"({near / wrong:.0%}) are one direct link away from a correct one that is otherwise "
            "missed. "
            + (
                f"The ranking by F1 changes under {', '.join(changed)}."
                if changed
                else "The ranking by F1 is the same under all three relaxed measures."
            )
        ],
        ranking=None,
        tables=[
            Table(
                "Precision, recall and F1",
                ["system", *(f"{p[:3]} {rate}" for p in PROXIMITIES for rate in "PRF")],
                scores,
                "equ: equality, ordinary precision and recall; sym: symmetric; eff: effort-based; "
                "ori: precision- and recall-oriented.",
            ),
            Table(
                "Near misses, by the link from the found pair to the correct one",
                ["system", "wrong", "near", "share", *kinds],
                misses,
                "Wrong: not in the reference. Near: matched with a correct correspondence under "
                "the symmetric proximity.",
            ),
        ],
        cautions=[
            "The correct correspondence of a near miss is one that the best match leaves to it: "
            "where the system also found that one exactly, the near miss earns nothing.",
            "Relations, individuals and properties play no part here: the track has classes and "
            "equivalence only.",
        ],
        data={"systems": order},
        provenance=installation(),
    )


def run(data: Path, out: Path | None) -> str:
    """Return the experiment's text, and write its page into `out`."""
    anatomy = read_anatomy(data)
    page = report(relaxed_study(anatomy.systems, anatomy.reference, anatomy.context))
    if out is not None:
        write_text(out / "relaxed-oaei.html", page.to_html())
    return page.to_text()
