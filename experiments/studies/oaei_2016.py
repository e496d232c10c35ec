"""The ten systems of the OAEI 2016 anatomy track under other measures.

Relaxed precision and recall: Ehrig & Euzenat (2005) tried their relaxed measures on one example of
their own, and promised the OAEI files as future work: how many near misses are there, of which
sort, and does the credit for them change the ranking?

Does the choice of measure change who wins? The rankings of the systems under every value of every
measure are compared by Kendall's tau-b, live from the systems' files.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau

from evaluation.credit.credits import LESS_IS_BETTER, values
from evaluation.measures.measure import MEASURES, Context
from evaluation.measures.relaxed.precision_recall import RelaxedScores, relaxed
from experiments.report.html import Report
from experiments.results.provenance import installation
from ontologies import Alignment, Correspondence, load_ontology, read_alignment
from ontologies.common.progress import track
from ontologies.common.table import Table, write_matrix

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


def relaxed_report(study: RelaxedStudy) -> Report:
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


def run_relaxed(data: Path, out: Path | None) -> str:
    """Return the experiment's text, and write its page into `out`."""
    anatomy = read_anatomy(data)
    page = relaxed_report(relaxed_study(anatomy.systems, anatomy.reference, anatomy.context))
    return page.write(out, "relaxed-oaei")


#: Left out: it needs Java, and minutes for each system.
SLOW = ("semantic-hermit",)
#: The value that stands for its measure, where it has several.
CHIEF = ("f1", "best_f1", "incoherence", "source_violations")


@dataclass(frozen=True, eq=False)
class MeasureAgreement:
    """How the rankings of systems under several measures agree.

    Parameters
    ----------
    systems
        Names.
    measures
        (measure, value) of each row.
    values
        (k, n): value of each system under each measure.
    tau
        (k, k): Kendall's tau-b of the rankings, NaN where a measure tells no two systems apart.
    """

    systems: tuple[str, ...]
    measures: tuple[tuple[str, str], ...]
    values: NDArray[np.float64]
    tau: NDArray[np.float64]

    def best(self, row: int) -> tuple[str, ...]:
        """Return the systems that are first under one measure."""
        goodness = _goodness(self.measures[row], self.values[row])
        top = goodness.max()
        return tuple(s for s, x in zip(self.systems, goodness, strict=True) if x == top)

    @property
    def chief(self) -> list[int]:
        """Rows of the values that stand for their measures."""
        many = {m for m in MEASURES if len(MEASURES[m].columns) > 1}
        return [
            i
            for i, (measure, value) in enumerate(self.measures)
            if measure not in many or value in CHIEF
        ]


def tau_b(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Kendall's tau-b between all rows of a (k, n) matrix: (k, k), NaN for a constant row.

    Kendall (1945), "The treatment of ties in ranking problems".

    Examples
    --------
    >>> tau_b(np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    return np.array([[kendalltau(one, other).statistic for other in rows] for one in rows])


def measures_agree(
    systems: Mapping[str, Alignment],
    reference: Alignment,
    context: Context,
    measures: Sequence[str] | None = None,
) -> MeasureAgreement:
    """Rank systems under every measure, and compare the rankings.

    Parameters
    ----------
    systems, reference, context
        What is judged, and by what.
    measures
        Names; None takes all but `SLOW`.
    """
    chosen = [MEASURES[name] for name in measures or MEASURES if measures or name not in SLOW]
    names = [(measure.name, value) for measure in chosen for value in measure.columns]
    columns: list[list[float]] = []
    for alignment in track(systems.values(), len(systems), "systems"):
        found = [values(measure(alignment, reference, context)) for measure in chosen]
        columns.append(
            [of[value] for m, of in zip(chosen, found, strict=True) for value in m.columns]
        )
    # sums in another order differ in the last digits: that is no difference of rank
    table = np.round(np.array(columns).T, 10)
    oriented = np.array([_goodness(name, row) for name, row in zip(names, table, strict=True)])
    return MeasureAgreement(tuple(systems), tuple(names), table, tau_b(oriented))


def _goodness(measure: tuple[str, str], row: NDArray[np.float64]) -> NDArray[np.float64]:
    return -row if measure[1] in LESS_IS_BETTER else row


def agreement_report(found: MeasureAgreement) -> Report:
    """Build the report: who is first under which measure, and how far the rankings agree."""
    f1 = found.measures.index(("standard", "f1"))
    chief = found.chief
    first: dict[str, list[str]] = {}
    for i in chief:
        first.setdefault(" and ".join(found.best(i)), []).append(value_label(found.measures[i]))
    (winner, most), *others = sorted(first.items(), key=lambda item: -len(item[1]))
    alike: dict[str, list[int]] = {}
    for i in chief:
        alike.setdefault(_order(found, i), []).append(i)
    rankings = [
        [str(k), order, ", ".join(value_label(found.measures[i]) for i in rows)]
        for k, (order, rows) in enumerate(alike.items(), 1)
    ]
    heads = [rows[0] for rows in alike.values()]
    matrix = [
        [_group(found, k, rows), *(_tau(found.tau[rows[0], j]) for j in heads)]
        for k, rows in enumerate(alike.values(), 1)
    ]
    everyone = [
        [value_label(name), ", ".join(found.best(i)), _tau(found.tau[f1, i])]
        for i, name in enumerate(found.measures)
    ]
    return Report(
        title=f"Does the choice of measure change who wins? {len(found.systems)} systems",
        answer=[
            f"One value stands for each of {len(chief)} measures (F1 where there is one). {winner} "
            f"is first under {len(most)} of them; "
            + "; ".join(f"{system} under {', '.join(names)}" for system, names in others)
            + "."
        ],
        ranking=None,
        tables=[
            Table(
                f"The {len(alike)} different rankings, one value for each measure",
                ["", "from the best to the worst; = joins equal ones", "measures"],
                rankings,
            ),
            Table("Kendall's tau-b between these rankings", _numbered(len(heads)), matrix),
            Table(
                "Every value: who is first, and tau with the ranking by F1",
                ["value", "first", "tau"],
                everyone,
            ),
        ],
        cautions=[
            *_out_of_range(found),
            "One task and one reference: how rankings agree here says nothing of other tasks. A "
            "higher rank is not yet a significant difference: that is for `alignrank compare`.",
            f"Left out: {', '.join(SLOW)} (a reasoner; minutes for each system).",
        ],
        data={"systems": list(found.systems)},
        provenance=installation(),
    )


def _group(found: MeasureAgreement, number: int, rows: Sequence[int]) -> str:
    more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
    return f"{number}: {value_label(found.measures[rows[0]])}{more}"


def _numbered(n: int) -> list[str]:
    return ["", *(str(k + 1) for k in range(n))]


def _out_of_range(found: MeasureAgreement) -> list[str]:
    """Return a sentence on each F1 outside [0, 1]: a precision below 0 makes it meaningless."""
    return [
        f"{measure} gives {system} an F1 of {x:.3f}: its precision is negative, and the harmonic "
        "mean means nothing then."
        for (measure, value), row in zip(found.measures, found.values, strict=True)
        for system, x in zip(found.systems, row.tolist(), strict=True)
        if value == "f1" and not 0 <= x <= 1
    ]


def value_label(name: tuple[str, str]) -> str:
    """Return what a value is called: by its measure alone if that has no other.

    Examples
    --------
    >>> value_label(("standard", "f1")), value_label(("overall", "overall"))
    ('standard f1', 'overall')
    """
    measure, value = name
    return measure if len(MEASURES[measure].columns) == 1 else f"{measure} {value}"


def _tau(tau: float) -> str:
    return "–" if math.isnan(tau) else f"{tau:.2f}"


def _order(found: MeasureAgreement, row: int) -> str:
    goodness = _goodness(found.measures[row], found.values[row])
    order = sorted(zip(-goodness, found.systems, strict=True))
    text = order[0][1]
    for (before, _), (here, system) in pairwise(order):
        text += f"{' = ' if here == before else ' > '}{system}"
    return text


def run_agreement(data: Path, out: Path | None) -> str:
    """Return the experiment's text, and write page and matrix into `out`."""
    anatomy = read_anatomy(data)
    found = measures_agree(anatomy.systems, anatomy.reference, anatomy.context)
    if out is not None:
        labels = [value_label(name) for name in found.measures]
        write_matrix(out / "measures-agree.csv", labels, found.tau.tolist())
    return agreement_report(found).write(out, "measures-agree")
