"""How large an evaluation must be, from a pilot (`alignrank plan`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from evaluation.comparison.contingency import decisions, incidence
from evaluation.significance.clustered import cluster_index
from evaluation.uncertainty.planning import Pilot, Plan, pilot, plan
from experiments.errors import ExperimentError
from experiments.inputs.named_inputs import PARENT, read_judged
from experiments.report.console import finish, print_cautions, print_numbers, print_prose

_INDEPENDENT = (
    "source entities are taken as independent: siblings that share their fate make it more; "
    "measure it (--source ONTOLOGY) or state it (--design-effect; 1.7 among metrics on anatomy)"
)


def plan_evaluation(
    reference: Path | None = None,
    alignments: Sequence[str] = (),
    *,
    difference: float | None = None,
    discordant: float | None = None,
    design_effect: float = 1.0,
    systems: int = 2,
    alpha: float = 0.05,
    power: float = 0.8,
    source: Path | None = None,
    imports: Path | None = None,
    filters: Sequence[str] = (),
) -> None:
    """Say how many correspondences and clusters find a difference between two systems.

    The pilot is two alignments and a reference, or two numbers.

    Example: alignrank plan reference.rdf aml.rdf logmap.rdf --source a.owl --difference .02

    Example: alignrank plan --discordant .1 --difference .02

    Raises
    ------
    ExperimentError
        If there is neither a pilot nor two numbers, or both.
    """
    cautions: Sequence[str] = ()
    of_files = reference is not None and len(alignments) == 2 and discordant is None
    if not of_files and (reference is not None or discordant is None):
        raise ExperimentError(
            "a plan needs a pilot: REFERENCE and two alignments, or --discordant and --difference"
        )
    if reference is None:
        known = Pilot(discordant or 0.0, difference or 0.0, design_effect)
    else:
        known, cautions = _measured(reference, alignments, source, imports, filters)
    if source is None and design_effect == 1.0:
        cautions = [*cautions, _INDEPENDENT]
    found = plan(
        known, difference=difference, pairs=systems * (systems - 1) // 2, alpha=alpha, power=power
    )
    print_prose(_answer(found, systems))
    print_numbers(["items", "power"], [[str(n), f"{chance:.3f}"] for n, chance in found.curve])
    print_prose(
        f"{known.discordant:.1%} of the items are right in exactly one of the two; design effect "
        f"{known.design_effect:.2f}; mid-p test at level {found.level:.2g}"
    )
    print_cautions(cautions)
    finish({**asdict(found), "cautions": list(cautions)}, None)


def _measured(
    reference: Path,
    alignments: Sequence[str],
    source: Path | None,
    imports: Path | None,
    filters: Sequence[str],
) -> tuple[Pilot, Sequence[str]]:
    """Return the pilot of two alignments, and what the reader must know of the files."""
    read = read_judged(
        reference,
        alignments,
        source=source,
        target=None,
        imports=imports,
        cluster=PARENT if source else None,
        filters=filters,
    )
    decided = decisions(incidence(read.systems, read.reference), "entity")
    return pilot(decided.right, cluster_index(decided.entities, read.clusters)), read.cautions


def _answer(found: Plan, systems: int) -> str:
    among = "" if systems == 2 else f" between any two of {systems} systems"
    clusters = f" in {found.clusters} clusters" if found.clusters < found.items else ""
    return (
        f"{found.items} source entities{clusters} find a difference of {found.difference:.3f}"
        f"{among} with a chance of {found.power:.0%}."
    )
