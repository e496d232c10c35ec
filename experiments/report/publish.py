"""What `rank` and `compare` print, and leave: alignments, tables, graphs, figures, a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from alignrank.common.files import plain, write_text
from alignrank.common.table import write_matrix, write_rows
from alignrank.evaluation import Comparison, score_intervals
from alignrank.evaluation.measures.threshold_curve import Curve, curve
from alignrank.evaluation.ranking import Edge, answer, answer_conditional, answer_focus, rank_ranges
from alignrank.experiments.inputs.named_inputs import slugs
from alignrank.experiments.results.folder import write_json
from alignrank.experiments.results.result import ITEM, ComparisonResult
from alignrank.experiments.results.study_result import StudyResult
from alignrank.ontologies import Alignment, write_alignment

from .comparison_page import MANY, WIDER, against_each, answers, correct_range, every_pair
from .console import ROWS, console, decimals, is_verbose, print_cautions, print_prose, print_ranked
from .paper_text import write_paper

#: How a caution reads that hardly changes a verdict: it comes last.
_LAST = re.compile(r"(left out|merged)$|(y|ies) left out: | clipped \(|^counted once")


def print_comparison(result: ComparisonResult, *, heading: str) -> None:
    """Print what a result says, then its scores, best first, then how it was found."""
    view = result.views[0]
    first, *sentences = answers(result)
    alike = result.alike
    header, rows = _all_pairs(result) if result.focus is None else against_each(result)
    short = console().is_terminal and not is_verbose()
    if short:  # what stands under a condition, else how far the first two are apart
        verdicts = [
            s.partition(". With ")[0] + "." for s in sentences if s.startswith("Better, if")
        ]
        apart = [*sentences[: result.focus is None], *(s for s in sentences if s == WIDER)]
        sentences = verdicts if verdicts and result.focus is None else apart
    of = "entity (F1: --measure f1)" if view == "entity" and "judged by" in heading else view
    method = f"{of}, {result.test} with {result.correction}{_second_grade(result)}"
    sentences.append(f"{heading}; {method}")
    if any("†" in cell for row in rows[:ROWS] for cell in row):
        sentences.insert(0, f"† better or worse, as the sign says, only if {alike} are independent")
    print_prose(first)
    of_all = len(result.systems) - (result.focus is not None)
    print_ranked(header, rows, of=of_all, beside=[first, *sentences])
    for sentence in sentences:
        print_prose(sentence)
    cautions = [*result.cautions, *result.warnings]
    # what is said of views that do not decide comes last, too
    beside = tuple(f"{other_view}: " for other_view in result.views[1:])

    def place(text: str) -> int:
        last = text.startswith(beside) or bool(_LAST.search(text))
        return 2 * last + (not text.startswith("the views contradict"))

    print_cautions(sorted(cautions, key=place))


def _second_grade(result: ComparisonResult) -> str:
    """Say how siblings were taken together, or which option does it."""
    if result.siblings:
        test = result.siblings[result.views[0]].test
        way = f"by {test}" if test in ("durkalski", "obuchowski") else "resampled"
        return f"; {result.alike} {way} together too"
    side = {"source entities": "source", "target entities": "target"}.get(result.unit)
    if side is None or side in result.inputs:
        return ""
    return f" (--{side} ONTOLOGY resamples siblings together too)"


def _all_pairs(result: ComparisonResult) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of the systems, best first, with their rank sets."""
    places = rank_ranges(result.systems, result.arrows[result.views[0]])
    scored = ("F1", "precision", "recall", "correct") if result.scores else ()
    values = result.values or {}
    runs = result.runs.of if result.runs else {}
    called = {ITEM: "mean", "entity": "right"}
    measures = [called.get(name, name) for name in values]
    rows = [
        [
            name,
            *([str(runs[name])] if runs else []),
            *_score_cells(result, name),
            *(decimals(by_system[name], 4) for by_system in values.values()),
            places[name],
        ]
        for name in result.best_first(places)
    ]
    return ["system", *(["runs"] if runs else []), *scored, *measures, "place"], rows


def study_verdict(
    systems: Sequence[str], edges: Iterable[Edge], focus: str | None, *, shared: bool
) -> str:
    """Return what a study says, of systems by mean rank; `shared`: ontologies were left out too."""
    sentence = answer_focus(focus, systems, edges) if focus else answer(systems, edges)
    return sentence if shared else f"If tasks are independent: {sentence}"


def if_tasks_are_independent(edges: Sequence[Edge]) -> list[str]:
    """Return a sentence on differences that stand only if the tasks are independent."""
    condition = "if tasks that share ontologies are independent"
    return answer_conditional(edges, condition, "ontologies left out in turn")


def study_ranks(result: StudyResult) -> tuple[list[str], list[list[object]]]:
    """Return header and rows of a study's systems by mean rank.

    With their places, unless the others were not compared with each other.
    """
    places = {} if result.focus else rank_ranges(result.systems, result.edges)
    means = [fmean(column) for column in zip(*result.scores, strict=True)]
    by_rank = sorted(
        (result.mean_ranks[name], name, mean)
        for name, mean in zip(result.systems, means, strict=True)
    )
    rows = [[name, rank, mean, *([places[name]] if places else [])] for rank, name, mean in by_rank]
    header = ["system", "mean rank", f"mean {result.measure}", *(["place"] if places else [])]
    return header, rows


def _score_cells(result: ComparisonResult, system: str) -> list[str]:
    """Return the cells of a system's counts and scores; none where there are none."""
    if result.counts is None or result.scores is None:
        return []
    counts, scores = result.counts[system], result.scores[system]
    rates = [decimals(rate) for rate in (scores.f1, scores.precision, scores.recall)]
    return [*rates, correct_range(counts)]


def write_comparison(
    folder: Path,
    comparison: Comparison,
    result: ComparisonResult,
    alignments: Mapping[str, Alignment],
) -> None:
    """Write alignments, tables, graphs and ``summary.json``.

    Parameters
    ----------
    folder
        Where to.
    comparison
        What was computed.
    result
        What is told of it.
    alignments
        Each system's alignment, by name.
    """
    names = slugs(result.systems)
    for name, alignment in alignments.items():
        write_alignment(alignment, folder / "alignments" / f"{names[name]}.rdf")
    write_json(folder / "summary.json", result.to_dict())
    write_paper(folder, result, answers(result))
    _write_tables(folder / "tables", result)
    for view, compared in comparison.views.items():
        graphs = folder / "graphs"
        write_text(graphs / f"outperforms-{view}.graphml", compared.ranking.to_graphml())
        write_text(graphs / f"outperforms-{view}.dot", compared.ranking.to_dot())


def _write_tables(folder: Path, result: ComparisonResult) -> None:
    if result.counts is not None and result.scores is not None:
        rows = {
            name: {**_plain_row(result.counts[name]), **_plain_row(result.scores[name])}
            for name in result.systems
        }
        header = ["system", *rows[result.systems[0]]]
        write_rows(
            folder / "scores.csv", header, ([name, *row.values()] for name, row in rows.items())
        )
    for measure, values in (result.values or {}).items():
        write_rows(folder / "values.csv", ["system", measure], list(values.items()))
    for view, counts in (result.discordant or {}).items():
        write_matrix(folder / f"discordant-{view}.csv", result.systems, counts)
    matrices = (("p", result.p), ("log10-p", result.log10_p), ("adjusted-p", result.adjusted))
    for label, by_view in matrices:
        for view, by_name in by_view.items():
            for name, matrix in by_name.items():
                write_matrix(folder / f"{label}-{view}-{name}.csv", result.systems, matrix)
    dependent = f"if {result.alike} are independent"
    arrows = [
        (view, correction, better, worse, condition)
        for arrows_of, condition in ((result.edges, ""), (result.conditional, dependent))
        for view, by_correction in arrows_of.items()
        for correction, edges in by_correction.items()
        for better, worse in edges
    ]
    header = ["view", "correction", "better", "worse", "condition"]
    write_rows(folder / "edges.csv", header, arrows)
    for view in result.views:
        header, pairs = every_pair(result, view)
        write_rows(folder / f"pairs-{view}.csv", header, pairs)
    for view, focused_by_rival in (result.focus or {}).items():
        rows_of_one = [
            [rival, *_plain_row(focused).values()] for rival, focused in focused_by_rival.items()
        ]
        header = ["other", "advantage", "p", "log10_p", "adjusted_p", "verdict"]
        write_rows(folder / f"focus-{view}.csv", header, rows_of_one)


def _plain_row(record: object) -> dict[str, object]:
    row = plain(record)
    assert isinstance(row, dict)
    return row


def score_bounds(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    clusters: Mapping[str, str] | None = None,
) -> dict[str, dict[str, tuple[float, float]]]:
    """Return the 95 % interval of each system's precision, recall and F1."""
    return {
        name: {
            interval.name: (interval.low, interval.high)
            for interval in score_intervals(alignment, reference, clusters=clusters).intervals
        }
        for name, alignment in alignments.items()
    }


def drawable_curves(alignments: Mapping[str, Alignment], reference: Alignment) -> dict[str, Curve]:
    """Return each system at every threshold; nothing for more systems than a figure can show."""
    if len(alignments) > MANY:
        return {}
    return {name: curve(alignment, reference) for name, alignment in alignments.items()}


def write_figures(folder: Path, result: ComparisonResult, curves: Mapping[str, Curve]) -> None:
    """Draw the figures of the view that decides, and the curves.

    Those of other views are drawn from the results folder when they are asked for (`alignrank
    report`).
    """
    from .figures import FIGURES, figures, save  # matplotlib: half a second

    view = result.views[0]
    for name, draw in figures(result, result.decision(view=view), curves).items():
        save(draw(), folder / (f"{name}-{view}" if FIGURES[name].of_a_view else name))
