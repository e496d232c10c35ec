"""From a comparison to its report: the page, and the tables that it shares with others."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from alignrank.common.files import plain, write_text
from alignrank.common.names import count
from alignrank.common.results import Caution, Provenance, command, installation
from alignrank.common.table import ColumnKind, Table
from alignrank.evaluation import Comparison, Pairwise
from alignrank.evaluation.comparison.cautions import guarantee
from alignrank.evaluation.comparison.contingency import VIEWS, unit_of
from alignrank.evaluation.comparison.result import out_of_reach
from alignrank.evaluation.comparison.robustness import FEW_SYSTEMS
from alignrank.evaluation.measures.relaxed.near_pairs import Parents
from alignrank.evaluation.measures.threshold_curve import Curve
from alignrank.evaluation.significance.mcnemar import Floats
from alignrank.evaluation.significance.score_limits import Simultaneous
from alignrank.ontologies import Alignment, local_name

from .cases import cases, mistakes
from .console import ROWS, decimals, p_number
from .html import AGAIN, INPUT, Report
from .paper_text import (
    checklist,
    interval,
    method,
    recommendation,
    score_columns,
    wider_intervals,
)
from .pool_table import differences_table, pool_table

#: Points of a curve that are drawn.
POINTS = 150


def comparison_report(
    result: Comparison,
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
    result
        What was found, with the alternatives that the reader can choose
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
    systems, first = result.systems, result.deciding
    has_few_systems = len(systems) <= FEW_SYSTEMS
    judged, counted = None, None
    if has_few_systems and alignments:
        judged = cases(alignments, reference, label, parents)
        counted = mistakes(systems, judged, hierarchy=parents is not None)
    cautions = [*result.cautions, *cautions]
    if not has_few_systems:
        cautions.append(Caution("many-systems", _too_many(result.test)))
    scores: list[dict[str, object]] = [{} for _ in systems]
    if result.scores:
        scores = [plain(result.scores[name].to_dict()) for name in systems]
    scored, bounds = ranking_table(result, first)
    data: dict[str, object] = {
        "systems": systems,
        "scores": scores,
        "defaults": {
            "view": first.view,
            "test": result.test,
            "correction": result.correction,
            "alpha": result.alpha,
        },
        "curves": thinned_out(curves),
        "cases": judged and judged.to_dict(),
    }
    ranking, more_tables = scored, list(tables)
    pairs = {
        name: every_pair(view, f"Every pair ({name})")
        for name, view in result.views.items()
        if view.is_tested
    }
    if result.pool is not None:  # its answer is on F1: McNemar's test has tables and no graph
        more_tables = [differences_table(result.pool, systems), *pairs.values(), *more_tables]
        pairs = {}
    elif result.focus is None:
        data["views"] = {name: view_data(view) for name, view in result.views.items()}
    else:  # one system against the others has no graph to choose in: the tables say it all
        ranking, bounds = second_column_last(against_each(result)), {}
        more_tables.insert(0, scored)
    return Report(
        title=title,
        answer=[*result.answer(), *recommendation(result)],
        ranking=ranking if ranking.rows else None,
        bounds=bounds,
        mistakes=counted,
        decided=method(result),
        tables=more_tables,
        tables_of_views=pairs,
        cautions=cautions,
        validity=result.validity,
        checklist=checklist(result),
        data=data,
        provenance=provenance(result.provenance),
    )


def second_column_last(table: Table) -> Table:
    """Return a table as a report takes its ranking: the page shows the last column second."""
    name, second, *others = table.header
    rows = [[row[0], *row[2:], row[1]] for row in table.rows]
    return replace(table, header=[name, *others, second], rows=rows)


def against_each(result: Comparison) -> Table:
    """Return a table of the others, best first: how the one system does against each."""
    view, focus = result.deciding, result.focus
    assert focus is not None
    mine, verdicts = view.systems.index(focus), view.verdicts
    rows: list[list[object]] = []
    for name in _nearest(result, focus):
        rival = view.systems.index(name)
        row: list[object] = [name, verdicts[focus, name]]
        if view.intervals.tested is not None:
            row.append(difference(view.intervals.tested, mine, rival))
        row.append(p_number(view.adjusted_p[mine, rival]))
        if view.counts is not None:
            counts = (
                int(view.counts.discordant[rival, mine]),
                int(view.counts.discordant[mine, rival]),
            )
            if not any(counts):
                row[1] = "the same"
            row += counts
        rows.append(row)
    header = ["against", f"{focus} is"]
    if view.intervals.tested is not None:
        unit = "difference"
        if view.intervals.tested.measure == "net":
            unit = "net per 100"
        header.append(f"{unit} [{view.intervals.tested.level:.0%}]")
    header.append("adjusted p")
    if view.counts is not None:
        header += ["other only", f"{focus} only"]
    footnote = " ".join([verdicts_note(view), *interval_notes(view)])
    return Table("Against each other system", header, rows, footnote)


#: The footnote to a column ``letters``.
SHARED_LETTER = "Systems that share a letter do not differ significantly."


def verdicts_note(view: Pairwise) -> str:
    """Return the footnote to verdicts and the p-values that they rest on."""
    corrected = ""
    if view.correction != "none":
        corrected = f", after correction for {count(view.questions, 'comparison')}"
    return (
        f"better, worse: significantly (adjusted p at most {view.alpha:g}{corrected}); undecided: "
        "not significantly different."
    )


def _nearest(result: Comparison, focus: str) -> list[str]:
    """Return the others, best first; of too many those whose F1 is nearest to that of `focus`."""
    rivals = [name for name in result.deciding.order if name != focus]
    if not result.scores or len(rivals) <= ROWS + 1:
        return rivals
    f1 = {name: scores.f1 for name, scores in result.scores.items()}
    nearest = sorted(rivals, key=lambda name: abs(f1[name] - f1[focus]))[:ROWS]
    return [name for name in rivals if name in nearest]


def difference(intervals: Simultaneous, i: int, j: int) -> str:
    """Return the difference of two systems with its simultaneous interval."""
    digits = 3
    if intervals.measure == "net":
        digits = 1
    # minus zero, as of two equal systems, has no sign
    shown = (f"{round(x, 6) + 0.0:+.{digits}f}" for x in interval(intervals, i, j))
    return "{} [{} to {}]".format(*shown)


def every_pair(view: Pairwise, title: str = "") -> Table:
    """Return a table with a row for each pair: its verdict, and what that rests on."""
    matrices, verdicts = view.pair_matrices(), view.verdicts
    rows: list[list[object]] = []
    for i, j in view.pairs_by_rank():
        first, second = view.systems[i], view.systems[j]
        values = [plain(matrix[i, j].item()) for matrix in matrices.values()]
        rows.append([first, second, verdicts[first, second], *values])
    header = ["system", "other", "it is", *matrices]
    return Table(title, header, rows, " ".join(interval_notes(view)), show="{:.4g}".format)


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


def provenance(origin: Provenance) -> list[tuple[str, str]]:
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


def ranking_table(result: Comparison, view: Pairwise) -> tuple[Table, dict[tuple[int, int], str]]:
    """Return the systems with their scores and ranks, and the limits that stand below values.

    The last column is the rank; where one system was compared with the others, its verdicts.
    """
    if result.pool is not None:
        table = pool_table(result.pool, result.systems, view)
        if not result.is_tested:  # the page shows the last column second
            table = second_column_last(table)
        return table, {}
    columns: dict[str, Mapping[str, object]] = dict(score_columns(result))
    if result.scores:
        columns["found"] = {name: scores.found for name, scores in result.scores.items()}
        columns["correct"] = {name: correct(result, name) for name in result.scores}
    last, last_cells = "rank", view.ranks
    if view.focus is not None:
        last, verdicts = f"{view.focus} is", view.verdicts
        last_cells = {name: verdicts.get((view.focus, name), "") for name in view.systems}
    elif columns:
        columns["letters"] = view.letters
    bounds = {}
    for i, name in enumerate(view.order):
        for k, column in enumerate(columns, 1):
            if limits := result.intervals.get(name, {}).get(column.lower()):
                bounds[i, k] = f"{decimals(limits[0])}–{decimals(limits[1])}"
    rows = [
        [name, *(values[name] for values in columns.values()), last_cells[name]]
        for name in view.order
    ]
    kinds: list[ColumnKind] = ["number"] * len(columns)
    if "letters" in columns:
        kinds[-1] = "text"
    if not columns:
        rows = []
    table = Table(
        "Scores and ranks",
        ["system", *columns, last],
        rows,
        " ".join(_notes(result, view, bool(bounds))),
        ["text", *kinds, "text"],
        show=decimals,
    )
    return table, bounds


def _notes(result: Comparison, view: Pairwise, has_bounds: bool) -> list[str]:
    """Return the footnotes of the table of scores."""
    notes = []
    if view.quantity == "right":
        notes.append(meaning_of_right(view))
    if view.focus is None:
        notes += [*ranks_note(view), SHARED_LETTER]
    notes += ties_note(result)
    if has_bounds:
        notes.append(
            "Under the scores: 95% intervals (Wilson, by effective number of cases). Two systems "
            "whose intervals overlap can still differ significantly: the tests compare them case "
            "by case."
        )
    return notes


def meaning_of_right(view: Pairwise) -> str:
    """Return the footnote to a column ``right``."""
    unit, number = unit_of(view.view), "those"
    if view.units.items is not None:
        number = f"{view.units.items:,}"
    if view.view == "item":
        return f"right (tested): share of right answers for {number} {unit}."
    return (
        f"right (tested): share of {unit} with the reference's answer, or rightly none (of "
        f"{number} in it or an alignment; not comparable between runs)."
    )


def ranks_note(view: Pairwise) -> list[str]:
    """Return the footnote to ranks, if one is a range."""
    ranks = view.ranks
    for name in view.order:
        if "–" in ranks[name]:
            return [f"rank {ranks[name]}: the tests allow each."]
    return []


def ties_note(result: Comparison) -> list[str]:
    """Return the footnote to the brackets in a column ``correct``, if there are any."""
    ranges = [limits for limits in map(result.correct_range.get, result.deciding.order) if limits]
    for low, high in ranges:
        if low < high:
            return [f"[{low}–{high}]: range over assignments of equal similarity."]
    return []


def interval_notes(view: Pairwise) -> list[str]:
    """Return the footnotes to differences and their intervals."""
    if view.intervals.tested is None:
        return []
    notes = wider_intervals(view)
    if view.intervals.tested.measure == "net":
        counted, per = "right answers", "items"
        if view.view in VIEWS:
            decided = VIEWS[view.view]
            counted, per = decided.counted, f"{decided.unit} of the reference"
        if view.focus:
            counted += f" ({view.focus} only minus other only)"
        meaning = f"net: difference in {counted} per 100 {per}."
        notes = [meaning, *above_hundred(view), *notes]
    elif view.less_is_better:
        notes = [f"difference: in 1 − the {view.quantity}.", *notes]
    return notes


def above_hundred(view: Pairwise) -> list[str]:
    """Return the footnote to differences of more than 100 per 100 of the reference."""
    intervals = view.intervals.tested
    if intervals is None or intervals.measure != "net":
        return []
    highest = intervals.high
    if view.focus is not None:
        highest = highest[view.systems.index(view.focus)]
    if not (highest > 1).any():
        return []
    return ["More than 100 is possible: wrong answers outside the reference count, too."]


def correct(result: Comparison, system: str) -> str:
    """Return a system's number of correct correspondences, with its range over ties if known."""
    counted = result.scores[system].correct
    return with_range(counted, result.correct_range.get(system))


def with_range(number: int, limits: tuple[int, int] | None) -> str:
    """Return a number with the range that it can have; without one where the range is a point.

    Examples
    --------
    >>> with_range(7, (5, 8)), with_range(7, (7, 7)), with_range(7, None)
    ('7 [5–8]', '7', '7')
    """
    if limits is None or limits[0] == limits[1]:
        return str(number)
    return f"{number} [{limits[0]}–{limits[1]}]"


def view_data(view: Pairwise) -> dict[str, object]:
    """Return what the page's graph needs of a view: every test and correction that is known."""
    adjusted = view.alternatives or {view.test: view.adjusted}
    tests = {name: view.tests[name] for name in adjusted}
    discordant, values = None, None
    if view.counts is not None:
        discordant = view.counts.discordant.tolist()
    if view.values is not None:
        values = [view.values[name] for name in view.systems]
    content: dict[str, object] = {
        "discordant": discordant,
        "values": values,
        "quantity": view.quantity,
        "advantage": {name: rounded(test.advantage) for name, test in tests.items()},
        "p": {name: rounded(test.p) for name, test in tests.items()},
        "log10_p": {name: rounded(test.log10_p) for name, test in tests.items()},
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
