"""From a comparison to its report: the page, and the tables that it shares with others."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from alignrank.common.files import JsonObject, plain, write_text
from alignrank.common.results import Caution
from alignrank.common.table import Table
from alignrank.evaluation import CORRECTIONS, Comparison, Curve, Pairwise
from alignrank.evaluation.comparison.cautions import guarantee
from alignrank.evaluation.comparison.result import FEW_SYSTEMS, out_of_reach
from alignrank.evaluation.credit.counts import Cases
from alignrank.evaluation.multitask import Study
from alignrank.evaluation.multitask.study import ASSUMPTION
from alignrank.evaluation.significance.mcnemar import Floats
from alignrank.experiments.presentation.description import Result
from alignrank.experiments.presentation.present import Presentation
from alignrank.ontologies import local_name

from .html import KINDS, Report

#: Points of a curve that are drawn.
POINTS = 150


def comparison_report(
    result: Comparison,
    presentation: Presentation,
    cases: Cases | None,
    curves: Mapping[str, Curve],
    *,
    title: str,
    label: Callable[[str], str] = local_name,
    tables: Sequence[Table] = (),
) -> Report:
    """Build the report of `rank` and `compare`.

    Parameters
    ----------
    result, presentation
        What was found, and how it is shown, with the alternatives that the reader can choose
        (`alignrank.evaluation.comparison.robustness.with_choices`).
    cases
        Every correspondence; None where there are no alignments, or many systems.
    curves
        Systems along the threshold.
    title
        Heading of the page.
    label
        What an entity is called, by IRI.
    tables
        Further ones.
    """
    systems = result.systems
    listed, counted = None, None
    if cases is not None:
        listed, counted = case_data(cases, label), mistakes(systems, cases)
    cautions = list(result.cautions)
    if not result.has_few_systems:
        cautions.append(Caution("many-systems", _too_many(result.test)))
    data = _data(result)
    data |= {"curves": thinned_out(curves), "cases": listed}
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
        provenance=result.provenance,
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
        provenance=result.provenance,
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
    """Return threshold, precision, recall and F1 along each curve, at some `POINTS`.

    The point of the largest F1 is among them: the page names it, as the figures do.
    """
    thin = {}
    for name, curve in curves.items():
        points = curve.points
        step = max(1, math.ceil(len(points) / POINTS))
        always = {points[-1], curve.best} if points else set()
        points_kept = [p for i, p in enumerate(points) if i % step == 0 or p in always]
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


def case_data(cases: Cases, label: Callable[[str], str]) -> JsonObject:
    """Return the cases for the page's script, entities by their number; equality has no relation.

    Examples
    --------
    >>> from alignrank.evaluation.credit.counts import Case
    >>> near = Case("a", "x", "=", 0, [0], ("a", "y", 0))
    >>> right = Case("a", "y", "=", 1, [], None)
    >>> case_data(Cases([near, right], True), str.upper)["rows"]
    [[0, 0, 0, [0], '', (0, 1, 0)], [0, 1, 1, [], '']]
    """
    sides = {case.entity1 for case in cases.rows}, {case.entity2 for case in cases.rows}
    index1, index2 = ({iri: i for i, iri in enumerate(sorted(side))} for side in sides)
    rows = list[list[object]]()
    for case in cases.rows:
        relation = "" if case.relation == "=" else case.relation
        row = [index1[case.entity1], index2[case.entity2], case.verdict, case.found_by, relation]
        if case.near is not None:
            entity1, entity2, step = case.near
            row.append((index1[entity1], index2[entity2], step))
        rows.append(row)
    entities1, entities2 = ([(iri, label(iri)) for iri in index] for index in (index1, index2))
    return {"entities1": entities1, "entities2": entities2, "rows": rows}


def mistakes(systems: Sequence[str], cases: Cases) -> Table:
    """Count each system's correspondences by the kinds of `KINDS`, the best recall first.

    Parameters
    ----------
    systems
        Names.
    cases
        All cases.
    """
    counts = [dict.fromkeys(KINDS, 0) for _ in systems]
    right = sum(case.verdict == 1 for case in cases.rows)
    for case in cases.rows:
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
    if not cases.with_parents:
        rows = [{**row, "near": "–"} for row in rows]
        note += " It takes the ontologies to tell: --source and --target."
    header = ["system", *KINDS.values()]
    cells = [list(row.values()) for row in rows]
    return Table("Correct and wrong correspondences", header, cells, note)
