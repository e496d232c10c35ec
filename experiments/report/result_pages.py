"""From a comparison to its report: the page, and the tables that it shares with others."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from alignrank.common.files import JsonObject, plain, write_text
from alignrank.common.names import Pair, grouped
from alignrank.common.results import Caution, Provenance, command, installation
from alignrank.common.table import Table
from alignrank.evaluation import CORRECTIONS, Comparison, Curve, Pairwise
from alignrank.evaluation.comparison.cautions import guarantee
from alignrank.evaluation.comparison.result import out_of_reach
from alignrank.evaluation.comparison.robustness import FEW_SYSTEMS
from alignrank.evaluation.measures.precision_recall import Parents, near_miss
from alignrank.evaluation.multitask import Study
from alignrank.evaluation.multitask.study import ASSUMPTION
from alignrank.evaluation.significance.mcnemar import Floats
from alignrank.experiments.presentation.description import Result
from alignrank.experiments.presentation.present import Presentation
from alignrank.ontologies import Alignment, local_name

from .html import AGAIN, INPUT, KINDS, Report

#: Points of a curve that are drawn.
POINTS = 150


def comparison_report(
    result: Comparison,
    presentation: Presentation,
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    curves: Mapping[str, Curve],
    *,
    title: str,
    label: Callable[[str], str] = local_name,
    parents: tuple[Parents, Parents] | None = None,
    tables: Sequence[Table] = (),
    cautions: Sequence[Caution] = (),
) -> Report:
    """Build the report of `rank` and `compare`.

    Parameters
    ----------
    result, presentation
        What was found, and how it is shown, with the alternatives that the reader can choose
        (`alignrank.evaluation.comparison.robustness.with_choices`).
    alignments, reference
        What was compared, for the cases.
    curves
        Systems along the threshold.
    title
        Heading of the page.
    label
        What an entity is called, by IRI.
    parents
        Parents of the entities of both sides, by IRI, which near misses are told by.
    tables, cautions
        Further ones.
    """
    systems = result.systems
    has_few_systems = len(systems) <= FEW_SYSTEMS
    listed, counted = None, None
    if has_few_systems and alignments:
        listed = cases(alignments, reference, label, parents)
        counted = mistakes(systems, listed, hierarchy=parents is not None)
    cautions = [*result.cautions, *cautions]
    if not has_few_systems:
        cautions.append(Caution("many-systems", _too_many(result.test)))
    data = _data(result)
    data |= {"curves": thinned_out(curves), "cases": listed and listed.to_dict()}
    if result.scores:
        data["scores"] = [plain(result.scores[name].to_dict()) for name in systems]
    presentation = replace(presentation, cautions=cautions)
    pairs = {
        name: make() for name, make in presentation.pairs.items() if result.views[name].is_tested
    }
    more_tables, views = [*presentation.details(), *tables], dict[str, object]()
    if result.pool is not None:  # its answer is on F1: McNemar's test has tables and no graph
        more_tables[1:1] = pairs.values()
        pairs = {}
    elif result.focus is None:
        views = {name: view_data(view) for name, view in result.views.items()}
    return Report(
        title=title,
        presentation=presentation,
        mistakes=counted,
        tables=more_tables,
        tables_of_views=pairs,
        systems=result.systems,
        views=views,
        data=data,
        provenance=provenance(result.provenance),
    )


def study_report(
    result: Study, presentation: Presentation, diagram: str = "", tables: Sequence[Table] = ()
) -> Report:
    """Build the report of a study.

    Parameters
    ----------
    result, presentation
        What was found, and how it is shown.
    diagram
        The critical-difference diagram as SVG text; empty with a focus.
    tables
        Further ones, which come first of all.
    """
    table, view, data = result.table, result.deciding, _data(result)
    views: JsonObject = {}
    if result.focus is None:
        of_tasks = {
            "unit": "tasks on which NAME scores better",
            "discordant": table.wins.tolist(),
            "validity": {
                f"{test} {name}": f"{CORRECTIONS[name].validity} {ASSUMPTION}"
                for test, by_correction in view.alternatives.items()
                for name in by_correction
            },
        }
        views["tasks"] = {**view_data(view), **of_tasks}
    return Report(
        title=f"{len(table.systems)} systems on {len(table.tasks)} tasks",
        presentation=presentation,
        mean_ranks=diagram,
        tables=[*tables, *presentation.details(), presentation.tables["tasks"]()],
        systems=result.systems,
        views=views,
        data=data,
        provenance=provenance(result.provenance),
    )


def _data(result: Result) -> JsonObject:
    """Return the data that the page's script needs of every result."""
    return {
        "scores": [{} for _ in result.systems],
        "defaults": {
            "view": result.deciding.view,
            "test": result.test,
            "correction": result.correction,
            "alpha": result.alpha,
        },
    }


def write_report(folder: Path, report: Report, view: str) -> None:
    """Write ``report.html``, once the figures are drawn: the page holds the graph that is there."""
    drawn = folder / "figures" / f"outperforms-{view}.svg"
    if drawn.is_file():
        report = replace(report, graph=drawn.read_text(encoding="utf-8"))
    write_text(folder / "report.html", report.to_html())


def _too_many(test: str) -> str:
    return (
        f"more than {FEW_SYSTEMS} systems: this page has {test} for its only test, and neither "
        "curves nor cases; alignrank report shows the rest, from this folder"
    )


def provenance(origin: Provenance) -> list[Pair]:
    """Return versions, settings, inputs with their hashes and the command as name and value."""
    facts = installation()
    for name, value in origin.settings.items():
        if isinstance(value, list | tuple):
            value = ", ".join(map(str, value))
        if value not in (None, ""):
            facts.append((name, str(value)))
    for name, file in origin.inputs.items():
        role = "" if name == file.path else name
        facts.append((f"{INPUT}{role}", f"{file.path} (SHA-256 {file.sha256})"))
    if again := command():
        facts.append((AGAIN, again))
    return facts


def view_data(view: Pairwise) -> JsonObject:
    """Return the data of a view for the page's script: every test and correction that is known."""
    adjusted = view.alternatives or {view.test: view.adjusted}
    tests = {name: view.tests[name] for name in adjusted}
    discordant, values = None, None
    if view.counts is not None:
        discordant = view.counts.discordant.tolist()
    if view.values is not None:
        values = [view.values[name] for name in view.systems]
    content: JsonObject = {
        "discordant": discordant,
        "values": values,
        "quantity": view.quantity,
        **{
            key: {name: rounded(getattr(test, key)) for name, test in tests.items()}
            for key in ("advantage", "p", "log10_p")
        },
        "adjusted": {
            test: {name: rounded(result.values) for name, result in by_name.items()}
            for test, by_name in adjusted.items()
        },
        "validity": {
            f"{test} {correction}": guarantee(view.decided_by(test, correction))
            for test, by_name in adjusted.items()
            for correction in by_name
        },
    }
    if view.less_is_better:
        content["less_is_better"] = True
    if not view.is_clustered:
        content["assumes"] = view.units.name
    if view.is_out_of_reach:
        content["out_of_reach"] = out_of_reach(view)
    return content


def rounded(matrix: Floats) -> list[list[float | None]]:
    """Return numbers with six digits, None for NaN, as the page's script takes them."""
    return [[None if math.isnan(x) else float(f"{x:.6g}") for x in row] for row in matrix.tolist()]


def thinned_out(curves: Mapping[str, Curve]) -> dict[str, dict[str, list[float]]]:
    """Return threshold, precision, recall and F1 along each curve, at some `POINTS`."""
    thin = {}
    for name, curve in curves.items():
        points = curve.points
        step = max(1, math.ceil(len(points) / POINTS))
        points_kept = [p for i, p in enumerate(points) if i % step == 0 or i == len(points) - 1]
        thin[name] = {
            key: [round(getattr(p, key), 4) for p in points_kept]
            for key in ("threshold", "precision", "recall", "f1")
        }
    return thin


# ---- the cases behind the scores


NEAR = (
    "A near miss is wrong by one step: one of its two entities is that of a right correspondence, "
    "the other is the parent or a child of the right one."
)


class Case(NamedTuple):
    """A correspondence that a system or the reference holds.

    Parameters
    ----------
    entity1, entity2
        Index of the two entities.
    verdict
        The reference's verdict: 1 correct, 0 wrong or −1 unknown.
    found_by
        Indices of the systems that found it.
    relation
        Empty for equivalence.
    near
        Of a near miss: indices of the right pair's two entities, and `near_miss`'s step.
    """

    entity1: int
    entity2: int
    verdict: int
    found_by: list[int]
    relation: str
    near: tuple[int, int, int] | None


@dataclass(frozen=True)
class Cases:
    """Every case, and the entities (IRI and label) of both sides."""

    entities1: list[Pair]
    entities2: list[Pair]
    rows: list[Case]

    def to_dict(self) -> JsonObject:
        """Return the data for the page's script; a row ends where there is no near miss."""
        return {
            "entities1": self.entities1,
            "entities2": self.entities2,
            "rows": [list(case if case.near else case[:-1]) for case in self.rows],
        }


def cases(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    label: Callable[[str], str],
    parents: tuple[Parents, Parents] | None = None,
) -> Cases:
    """Return every correspondence that a system or the reference holds.

    Parameters
    ----------
    alignments
        Alignment of each system, by name.
    reference
        The reference; its pairs marked ``?`` are unknown.
    label
        What an entity is called, by IRI.
    parents
        Parents of the source's and of the target's entities, by IRI; None where they are unknown,
        and no near miss can be told.

    Examples
    --------
    >>> from alignrank.ontologies import Correspondence
    >>> found, right = (Alignment([Correspondence("a", x)]) for x in "xy")
    >>> cases({"mine": found}, right, str.upper, ({}, {"x": ["y"]})).to_dict()["rows"]
    [[0, 0, 0, [0], '', (0, 1, 0)], [0, 1, 1, [], '']]
    """
    finders: dict[tuple[str, str, str], list[int]] = {
        c.key: [] for c in reference if c.relation != "?"
    }
    right = set(finders)
    unknown = {pair for c in reference if c.relation == "?" for pair in (c.pair, c.pair[::-1])}
    denied = reference.denied
    for k, alignment in enumerate(alignments.values()):
        for key in alignment.columns.row_keys():
            finders.setdefault(key, []).append(k)
    index = [{iri: i for i, iri in enumerate(sorted({k[s] for k in finders}))} for s in (0, 1)]
    equal = [(key[0], key[1]) for key in sorted(right) if key[2] == "="]
    partners = grouped(equal), grouped((entity2, entity1) for entity1, entity2 in equal)
    rows = []
    for key, who in sorted(finders.items()):
        entity1, entity2, relation = key
        is_open = (entity1, entity2) in unknown and key not in denied
        verdict = int(key in right)
        if is_open and not verdict:
            verdict = -1
        near = None
        if parents and not verdict and (miss := near_miss(entity1, entity2, partners, parents)):
            near = index[0][miss[0]], index[1][miss[1]], miss[2]
        if relation == "=":
            relation = ""
        rows.append(Case(index[0][entity1], index[1][entity2], verdict, who, relation, near))
    entities = [[(iri, label(iri)) for iri in side] for side in index]
    return Cases(entities[0], entities[1], rows)


def mistakes(systems: Sequence[str], listed: Cases, *, hierarchy: bool) -> Table:
    """Count each system's correspondences by the kinds of `KINDS`, the best recall first.

    Parameters
    ----------
    systems
        Names.
    listed
        All cases.
    hierarchy
        Whether near misses could be told.
    """
    counts = [dict.fromkeys(KINDS, 0) for _ in systems]
    right = sum(case.verdict == 1 for case in listed.rows)
    for case in listed.rows:
        for k in case.found_by:
            counts[k]["right"] += case.verdict == 1
            counts[k]["wrong"] += case.verdict == 0
            counts[k]["near"] += case.near is not None
            counts[k]["only"] += case.verdict == 1 and len(case.found_by) == 1
    for number in counts:
        number["missed"] = right - number["right"]
    order = sorted(range(len(systems)), key=lambda k: (-counts[k]["right"], systems[k]))
    rows: list[JsonObject] = [{"system": systems[k], **counts[k]} for k in order]
    note = NEAR
    if not hierarchy:
        rows = [{**row, "near": "–"} for row in rows]
        note += " It takes the ontologies to tell: --source and --target."
    header = ["system", *KINDS.values()]
    cells = [list(row.values()) for row in rows]
    return Table("Correct and wrong correspondences", header, cells, note)
