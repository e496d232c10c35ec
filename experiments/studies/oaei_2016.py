"""Does the choice of measure change who wins? The ten systems of the OAEI 2016 anatomy track.

The rankings of the systems under every value of every measure are compared by Kendall's tau-b,
live from the systems' files.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau

from evaluation.credit.credits import LESS_IS_BETTER, values
from evaluation.measures.measure import MEASURES, Context
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
