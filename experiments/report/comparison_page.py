"""From a comparison to its report: what the page shows, computed once, here."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from statistics import median

from alignrank.common.files import plain, write_text
from alignrank.common.table import Table
from alignrank.evaluation import Comparison
from alignrank.evaluation.comparison.cautions import guarantee
from alignrank.evaluation.comparison.pairwise import Pairwise
from alignrank.evaluation.corrections import Adjusted, adjust
from alignrank.evaluation.corrections.adjustment import corrections_for
from alignrank.evaluation.measures.relaxed.near_pairs import Parents
from alignrank.evaluation.measures.threshold_curve import Curve
from alignrank.evaluation.ranking import (
    Edge,
    answer,
    answer_conditional,
    answer_focus,
    enumeration,
    rank_ranges,
)
from alignrank.evaluation.significance.mcnemar import Floats
from alignrank.experiments.results.result import (
    ITEM,
    ComparisonResult,
    Counts,
    InputFile,
    Simultaneous,
    command,
    installation,
)
from alignrank.experiments.results.study_result import KindSummary
from alignrank.ontologies import Alignment, local_name

from .cases import cases, mistakes
from .console import ROWS, decimals
from .html import AGAIN, INPUT, Report
from .paper_text import checklist

#: With more systems than this the page carries the chosen test only, and no cases: it stays small.
MANY = 20
#: Points of a curve that are drawn.
POINTS = 150


def comparison_report(
    comparison: Comparison,
    result: ComparisonResult,
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    curves: Mapping[str, Curve],
    *,
    title: str,
    label: Callable[[str], str] = local_name,
    parents: tuple[Parents, Parents] | None = None,
    tables: Sequence[Table] = (),
    cautions: Sequence[str] = (),
) -> Report:
    """Build the report of `rank` and `compare`.

    Parameters
    ----------
    comparison
        What was computed.
    result
        What is told of it.
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
    systems, first = result.systems, result.views[0]
    has_few_systems = len(systems) <= MANY
    scores = result.scores or {}
    judged = (
        cases(alignments, reference, label, parents) if has_few_systems and alignments else None
    )
    scored = _ranking(result, rank_ranges(systems, result.arrows[first]), first)
    against = None
    if result.focus:  # the page shows the last column beside the name
        first_row, rows_below = against_each(result)
        header, *rows = (
            [name, *further_cells, it_is]
            for name, it_is, *further_cells in (first_row, *rows_below)
        )
        note = f"† only if {result.alike} are independent. Scores: in the details."
        against = Table("Against each other system", header, rows, note)
    data: dict[str, object] = {
        "systems": systems,
        "scores": [plain(scores.get(s, {})) for s in systems],
        # one system against the others has no graph to choose in: the tables say it all
        **(
            {}
            if result.focus
            else {"views": _views(comparison, result, has_few_systems=has_few_systems)}
        ),
        "defaults": {
            "view": first,
            "test": result.test,
            "correction": result.correction,
            "alpha": result.alpha,
        },
        "curves": thinned_out(curves),
        "cases": judged and judged.to_dict(),
    }
    return Report(
        title=title,
        answer=answers(result),
        ranking=against or scored,
        mistakes=mistakes(systems, judged, hierarchy=parents is not None) if judged else None,
        decided=f"{result.test} with {result.correction}, α = {result.alpha:g}"
        + (f", and with {result.alike} resampled together" if result.siblings else ""),
        tables=[
            *([scored] if against and scored else []),
            *(
                Table(f"Every pair ({view})", *every_pair(result, view), show="{:.4g}".format)
                for view in result.views
            ),
            *tables,
        ],
        cautions=[
            *result.warnings,
            *result.cautions,
            *cautions,
            *([] if has_few_systems else [_too_many(result.test)]),
        ],
        validity=result.validity,
        checklist=checklist(result),
        data=data,
        provenance=provenance(result.settings, result.inputs),
    )


def answers(result: ComparisonResult) -> list[str]:
    """Say what the view that decides found: what stands, what siblings undo, what is undecidable.

    The first sentence claims only what stands in both grades; where siblings are unknown it names
    the condition.
    """
    view = result.views[0]
    arrows, conditional = result.arrows[view], result.conditional[view][result.correction]
    focus = result.settings.get("focus")
    words = (
        answer(result.systems, arrows)
        if focus is None
        else answer_focus(
            str(focus), result.best_first(rank_ranges(result.systems, arrows)), arrows
        )
    )
    if len(result.undecidable[view]) == len(result.systems) * (len(result.systems) - 1) // 2:
        words = "Nothing can be decided here."
    if result.siblings is None:
        words = f"If {result.unit} are independent: {words}"
    sentences = [words]
    sentences += _apart(result, view) if focus is None else []
    first, second = result.best_first(rank_ranges(result.systems, arrows))[:2]
    sentences += _wider(result, view, arrows if focus else {(first, second)} & {*arrows})
    sentences += _of_runs(result)
    condition = f"if {result.alike} are independent"
    sentences += answer_conditional(conditional, condition, f"{result.alike} resampled together")
    if pairs := result.undecidable[view]:
        listed = "; ".join(f"{a} and {b}" for a, b in pairs[:6])
        more = f" and {len(pairs) - 6} more" if len(pairs) > 6 else ""
        sentences.append(f"Undecidable here, for too few differences: {listed}{more}.")
    return sentences


def _apart(result: ComparisonResult, view: str) -> list[str]:
    """Say how far the first two systems are apart, if intervals are known."""
    if (simultaneous := (result.simultaneous or {}).get(view)) is None:
        return []
    first, second = result.best_first(rank_ranges(result.systems, result.arrows[view]))[:2]
    i, j = result.systems.index(first), result.systems.index(second)
    pairs = len(result.systems) * (len(result.systems) - 1) // 2
    together = f", all {pairs} pairs' intervals together" if pairs > 1 else ""
    of = "the share of right decisions" if simultaneous.measure == "right" else simultaneous.measure
    return [
        f"{first} and {second}: {difference(simultaneous, i, j)} in {of} "
        f"({simultaneous.level:.0%}{together})."
    ]


def _wider(result: ComparisonResult, view: str, edges: Iterable[Edge]) -> list[str]:
    """Explain an interval that holds 0 beside an arrow, if one of those shown does."""
    simultaneous, at = (result.simultaneous or {}).get(view), result.systems.index
    if simultaneous is None or all((simultaneous.low[at(a)][at(b)] or 0.0) > 0 for a, b in edges):
        return []
    return [WIDER]


#: Of an interval that holds 0 beside an arrow.
WIDER = (
    "An interval may hold 0 where the test decides: it has a standard error of its own, and all "
    "intervals hold at once, while the test goes step by step."
)


def _of_runs(result: ComparisonResult) -> list[str]:
    """Say what several runs of a system show: their noise, its parts, what more would do."""
    if (runs := result.runs) is None:
        return []
    sentences = []
    if runs.noise_floor is not None:
        sentences.append(
            f"Two runs of one system differ by up to {runs.noise_floor:.3f} in their mean (95 %): "
            "a smaller difference between two single runs is noise."
        )
    if parts := runs.components:
        whole = {
            name: components_of.item + components_of.run + components_of.interplay
            for name, components_of in parts.items()
        }
        shares = [
            median(
                getattr(components_of, of) / (whole[name] or 1.0)
                for name, components_of in parts.items()
            )
            for of in ("item", "run", "interplay")
        ]
        spread = "{:.0%} is the item's, {:.1%} the run's, {:.0%} of both together".format(*shares)
        sentences.append(f"Of what varies in a system's answers {spread} (median of the systems).")
    if single := [name for name, times in runs.of.items() if times == 1]:
        sentences.append(f"What is said of {enumeration(single)} is said of one run.")
    needed_runs = [
        f"{a} and {b} {needed:.0f}" for a, b, needed in runs.needed if needed is not None
    ]
    if needed_runs:
        more = f" and {len(needed_runs) - 3} more" if len(needed_runs) > 3 else ""
        sentences.append(f"Runs of each that would tell apart: {'; '.join(needed_runs[:3])}{more}.")
    if hopeless := [f"{a} and {b}" for a, b, needed in runs.needed if needed is None]:
        more = f" and {len(hopeless) - 3} more" if len(hopeless) > 3 else ""
        sentences.append(
            f"No number of runs would tell apart: {'; '.join(hopeless[:3])}{more}: the items are "
            "too few."
        )
    return sentences


def difference(simultaneous: Simultaneous, i: int, j: int) -> str:
    """Return the difference of two systems with its interval.

    Examples
    --------
    >>> matrices = (((None, 0.021),), ((None, 0.005),), ((None, 0.0371),))
    >>> difference(Simultaneous("right", 0.95, 400, *matrices), 0, 1)
    '+0.021 [+0.005 to +0.037]'
    """
    # minus zero, as of two equal systems, has no sign
    ahead, low, high = (
        round(m[i][j] or 0.0, 6) + 0.0
        for m in (simultaneous.difference, simultaneous.low, simultaneous.high)
    )
    return f"{ahead:+.3f} [{low:+.3f} to {high:+.3f}]"


def against_each(result: ComparisonResult) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of the others, best first: how the one system does against each."""
    assert result.focus is not None
    view, focus = result.views[0], str(result.settings["focus"])
    focused = result.focus[view]
    alone = {} if result.discordant is None else result.discordant
    mine = result.systems.index(focus)
    simultaneous = (result.simultaneous or {}).get(view)
    rows = []
    for name in _nearest(result, focus):
        rival_index = result.systems.index(name)
        counts = alone.get(view)
        only = (
            []
            if counts is None
            else [str(counts[rival_index][mine]), str(counts[mine][rival_index])]
        )
        verdict = focused[name].verdict
        verdict = "undecided†" if verdict.endswith("are independent") else verdict
        verdict = "the same" if only and set(only) == {"0"} else verdict
        ahead = [] if simultaneous is None else [difference(simultaneous, mine, rival_index)]
        rows.append([name, verdict, *ahead, f"{focused[name].adjusted_p:.3g}", *only])
    only_right = ["only it right", f"only {focus} right"] if alone.get(view) is not None else []
    by = [] if simultaneous is None else [f"by ({simultaneous.level:.0%} together)"]
    return ["against", f"{focus} is", *by, "adjusted p", *only_right], rows


def _nearest(result: ComparisonResult, focus: str) -> list[str]:
    """Return the others, best first; of too many those whose F1 is nearest to that of `focus`."""
    places = rank_ranges(result.systems, result.arrows[result.views[0]])
    rivals = [name for name in result.best_first(places) if name != focus]
    if result.scores is None:
        return rivals
    f1 = {name: result.scores[name].f1 or 0.0 for name in result.systems}
    nearest = sorted(rivals, key=lambda name: abs(f1[name] - f1[focus]))
    listed = nearest if len(rivals) <= ROWS + 1 else nearest[:ROWS]
    return sorted(listed, key=lambda name: -f1[name])


def every_pair(result: ComparisonResult, view: str) -> tuple[list[str], list[list[object]]]:
    """Return header and rows of a table with a row for each pair: both grades and the verdict."""
    second = (result.siblings or {}).get(view)
    matrices: dict[str, Sequence[Sequence[float | None]]] = {
        "adjusted p": result.adjusted[view][result.correction]
    }
    if second is not None:
        matrices[f"adjusted p, {result.alike}"] = second.adjusted[result.correction]
    if counts := (result.discordant or {}).get(view):
        matrices |= {"only it right": counts, "only the other": list(zip(*counts, strict=True))}
    if ahead := (result.simultaneous or {}).get(view):
        matrices |= {"difference": ahead.difference, "low": ahead.low, "high": ahead.high}
    for name, matrices_of_views in (
        ("design effect", result.design_effect),
        ("effective items", result.effective),
        ("differing", result.differing),
    ):
        if matrices_of_views and view in matrices_of_views:
            matrices[name] = matrices_of_views[view]
    header = ["system", "other", "it is", *matrices]
    verdicts = result.verdicts(view)
    rows: list[list[object]] = [
        [system, rival, verdicts[system, rival], *(matrix[i][j] for matrix in matrices.values())]
        for (i, system), (j, rival) in combinations(enumerate(result.systems), 2)
        if result.focus is None or result.settings["focus"] in (system, rival)
    ]
    return header, rows


def write_report(folder: Path, report: Report, view: str) -> None:
    """Write ``report.html``, once the figures are drawn: the page holds the graph that is there."""
    drawn = folder / "figures" / f"outperforms-{view}.svg"
    graph = drawn.read_text(encoding="utf-8") if drawn.is_file() else ""
    write_text(folder / "report.html", replace(report, graph=graph).to_html())


def _too_many(test: str) -> str:
    return (
        f"more than {MANY} systems: this page has {test} for its only test, and neither curves nor "
        "cases; alignrank report shows the rest, from this folder"
    )


def provenance(
    settings: Mapping[str, object], inputs: Mapping[str, InputFile]
) -> list[tuple[str, str]]:
    """Return versions, settings, inputs with their hashes and the command as name and value."""
    facts = installation()
    facts += [
        (name, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for name, value in settings.items()
        if value not in (None, "", [])
    ]
    facts += [
        (f"{INPUT}{'' if name == file.path else name}", f"{file.path} (SHA-256 {file.sha256})")
        for name, file in inputs.items()
    ]
    return [*facts, (AGAIN, again)] if (again := command()) else facts


def _ranking(result: ComparisonResult, places: Mapping[str, str], view: str) -> Table | None:
    """Return the systems with their scores, or with the measure that they were compared by."""
    last, last_cells = result.last_column(view, places)
    if values := (result.values or {}).get(view):
        rows = [
            [name, decimals(values[name]), last_cells[name]] for name in result.best_first(places)
        ]
        measure = "right" if view in (ITEM, "entity") else view
        note = "The place follows the choices above; a range: these cannot all be told apart."
        return Table("Scores and ranks", ["system", measure, last], rows, note)
    if result.counts is None or result.scores is None:
        return None
    intervals = result.intervals or {}
    rows = []
    for name in result.best_first(places):
        counts, scores, bounds = result.counts[name], result.scores[name], intervals.get(name, {})
        measures = [
            bounded(scores.precision, bounds.get("precision")),
            bounded(scores.recall, bounds.get("recall")),
            bounded(scores.f1, bounds.get("f1")),
        ]
        rows.append([name, str(counts.found), correct_range(counts), *measures, last_cells[name]])
    notes = []
    if result.focus is None:
        notes.append(
            f"The place follows the choices above (at first: {view}); a range is a rank set: the "
            "places that are possible, of all systems together."
        )
    if any(counts.correct_min is not None for counts in result.counts.values()):
        notes.append("Under the correct: the fewest and most that any optimal assignment has.")
    if intervals:
        notes.append(
            "Under the scores: 95 % intervals (Wilson, by effective number of cases). Overlapping "
            "intervals do not mean that two systems cannot be told apart: the tests compare them "
            "case by case."
        )
    return Table(
        title="Scores and ranks",
        header=["system", "found", "correct", "precision", "recall", "F1", last],
        rows=rows,
        footnote=" ".join(notes),
    )


def correct_range(counts: Counts | KindSummary) -> str:
    """Return the number of correct correspondences, with its range over ties where it has one.

    Examples
    --------
    >>> from alignrank.experiments.results.result import Counts
    >>> correct_range(Counts(10, 7, 5, 8)), correct_range(Counts(10, 7))
    ('7 [5–8]', '7')
    """
    low, high = counts.correct_min, counts.correct_max
    return str(counts.correct) if low == high else f"{counts.correct} [{low}–{high}]"


def bounded(value: float | None, limits: Sequence[float | None] | None) -> str:
    """Return a score, with its interval where it has one.

    Examples
    --------
    >>> bounded(0.5, None), bounded(0.5, [0.41, 0.6])
    ('0.500', '0.500 [0.410–0.600]')
    """
    if not limits:
        return decimals(value)
    return f"{decimals(value)} [{decimals(limits[0])}–{decimals(limits[1])}]"


def _views(
    comparison: Comparison, result: ComparisonResult, *, has_few_systems: bool
) -> dict[str, dict[str, object]]:
    """Return what the page's graph needs of each view: with few systems, of every test made."""
    every = corrections_for("N×N")
    corrections = dict.fromkeys((result.correction, *every))  # one may need more than p-values
    views: dict[str, dict[str, object]] = {}
    for view, compared in comparison.views.items():
        tests = tuple(compared.tests) if has_few_systems else (compared.test,)
        views[view] = {
            "discordant": (result.discordant or {}).get(view),
            "advantage": {test: rounded(compared.tests[test].advantage.tolist()) for test in tests},
            "p": {test: result.p[view][test] for test in tests},
            "validity": _validities(compared, tests, corrections),
            "log10_p": {test: result.log10_p[view][test] for test in tests},
            "adjusted": {
                test: every_correction(
                    compared.tests[test].p,
                    corrections if test == compared.test else every,
                    compared.adjusted if test == compared.test else {},
                    result.alpha,
                )
                for test in tests
            },
        }
        if compared.differing is not None:
            views[view]["differing"] = compared.differing.tolist()
        if compared.siblings is None:
            views[view]["assumes"] = result.unit
        else:
            second = compared.siblings
            views[view]["condition"] = f"{result.alike} are independent"
            views[view]["together"] = f"with {result.alike} resampled together"
            views[view]["siblings"] = every_correction(
                second.tests[second.test].p, corrections, second.adjusted, result.alpha
            )
    return views


def _validities(view: Pairwise, tests: Iterable[str], corrections: Iterable[str]) -> dict[str, str]:
    """Return what each test with each correction guarantees."""
    adjusted = view.adjusted[view.correction]
    return {
        f"{test} {name}": guarantee(replace(view, test=test, adjusted={name: adjusted}))
        for test, name in product(tests, corrections)
    }


def every_correction(
    p: Floats, corrections: Iterable[str], adjusted_before: Mapping[str, Adjusted], alpha: float
) -> dict[str, list[list[float | None]]]:
    """Return adjusted p-values by correction: those that are known are not computed again."""
    return {
        name: rounded((adjusted_before.get(name) or adjust(p, name, alpha=alpha)).values.tolist())
        for name in corrections
    }


def rounded(matrix: list[list[float]]) -> list[list[float | None]]:
    """Return numbers with six digits, None for NaN, as the page's script takes them."""
    return [[None if math.isnan(x) else float(f"{x:.6g}") for x in row] for row in matrix]


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
