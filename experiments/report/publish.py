"""What `rank` and `compare` print, and leave: alignments, tables, graphs, figures, a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from pathlib import Path
from typing import TYPE_CHECKING

from alignrank.common.files import write_text
from alignrank.common.names import count, first_of
from alignrank.common.results import by_weight
from alignrank.common.table import ColumnKind, Table, write_matrix, write_rows
from alignrank.evaluation import Comparison, Pairwise
from alignrank.evaluation.comparison.contingency import unit_of
from alignrank.evaluation.comparison.result import PairwiseResult, differing_units_of
from alignrank.evaluation.comparison.robustness import FEW_SYSTEMS
from alignrank.evaluation.measures.threshold_curve import Curve, curve
from alignrank.evaluation.multitask import Study
from alignrank.experiments.errors import ExperimentError, refuse_taken
from alignrank.experiments.inputs.named_inputs import slugs
from alignrank.experiments.results.folder import write_json
from alignrank.ontologies import Alignment, write_alignment

from .comparison_page import (
    SHARED_LETTER,
    above_hundred,
    against_each,
    correct,
    difference,
    every_pair,
    meaning_of_right,
    ranks_note,
    ties_note,
    verdicts_note,
)
from .console import (
    ROWS,
    console,
    decimals,
    is_verbose,
    print_cautions,
    print_numbers,
    print_prose,
    print_ranked,
)
from .paper_text import (
    Result,
    description,
    method,
    recommendation,
    score_columns,
    wider_intervals,
    write_paper,
)
from .pool_table import differences_table, pool_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


#: Endings of a figure's file.
FIGURE_FORMATS = ("svg", "pdf", "png")


def check_figure(path: Path | None, *, overwrite: bool) -> None:
    """Refuse a file to which no figure can be written."""
    if path is not None and path.suffix[1:] not in FIGURE_FORMATS:
        raise ExperimentError(f"--figure {path}: its name must end in .svg, .pdf or .png")
    refuse_taken(path, overwrite=overwrite)


def save_figure(path: Path, draw: Callable[[], Figure]) -> None:
    """Draw a figure into a file."""
    from .figures import save  # matplotlib: half a second

    save(draw(), path.with_suffix(""), (path.suffix[1:],))


@dataclass(frozen=True)
class Screen:
    """What is printed of a result below its answer.

    Parameters
    ----------
    table
        The systems, best first.
    sentences
        What follows the table.
    details
        What ``--verbose`` adds.
    """

    table: Table
    sentences: list[str]
    details: list[str] = field(default_factory=list)


def print_result(
    result: Result, *, heading: str = "", sizes: bool = False, details: Sequence[Table] = ()
) -> None:
    """Print the answer, the systems, best first, and how the answer was found.

    Parameters
    ----------
    result
        What was found.
    heading
        What was compared, for the line of the method.
    sizes
        Print how large the differences of the best from the others are; of two systems always.
    details
        Further tables, which are printed with ``--verbose``.
    """
    answer = " ".join(result.answer())
    shown = screen(result)
    after = [*filter(None, shown.sentences), f"Method: {method(result, heading)}."]
    print_prose(answer)
    table = shown.table
    of_all = max(len(table.rows), len(result.systems) - (result.focus is not None))
    print_ranked(table.header, table.cells(), of=of_all, beside=[answer, *after])
    if result.focus is None and (sizes or len(result.systems) == 2):
        after = [*difference_sentences(result), *after]
    for sentence in after:
        print_prose(sentence)
    if is_verbose():
        for detail in details:
            console().print(detail.title)
            print_numbers(detail.header, detail.rows)
        for sentence in shown.details:
            print_prose(sentence)
    print_cautions(by_weight(result.cautions, result.deciding.view))


@singledispatch
def screen(result: Result) -> Screen:
    """Return what is printed of a comparison or a study below its answer."""
    raise TypeError(f"{type(result).__name__} is neither a comparison nor a study")


@screen.register(Comparison)
def _screen_of_comparison(result: Comparison) -> Screen:
    if result.pool is not None:
        table = pool_table(result.pool, result.systems, result.deciding)
        if result.is_tested:
            table = last_column_second(table)
    elif result.focus is None:
        table = systems_table(result)
    else:
        table = against_each(result)
    after = [table.footnote]
    if result.pool is not None and len(result.systems) == 2:
        ((first, second, f1, correct, *_),) = differences_table(result.pool, result.systems).rows
        sizes = f"{f1} in F1 in the pool, {correct} correct pairs"
        after.insert(0, f"{first} minus {second}: {sizes}.")
    after += runs_sentences(result)
    if result.deciding.unreachable:
        after.append(_unreachable(result))
    if _could_have_ontologies(result):
        entities = unit_of(result.deciding.view)
        after.append(
            f"Add --source and --target: the test then takes dependence between {entities} into "
            "account."
        )
    return Screen(table, after, recommendation(result))


def _could_have_ontologies(result: Comparison) -> bool:
    """Return whether alignments were compared without the ontologies that tell of dependence."""
    settings, inputs = result.provenance.settings, result.provenance.inputs
    of_alignments = settings.get("command") == "compare" and bool(result.scores)
    is_adjusted = settings.get("protocol") or result.deciding.is_clustered
    return of_alignments and not is_adjusted and "source" not in inputs


@screen.register(Study)
def _screen_of_study(result: Study) -> Screen:
    table = study_table(result)
    if result.focus is not None:
        table = study_focus_table(result)
    after = [table.footnote, reliability(result), *result.on_these_tasks()]
    return Screen(table, after, [*recommendation(result), result.validity])


def last_column_second(table: Table) -> Table:
    """Return the table with its verdicts beside the names, where they always have room."""
    rows = [[row[0], row[-1], *row[1:-1]] for row in table.cells()]
    name, *measures, verdict = table.header
    numbers: list[ColumnKind] = ["number"] * len(measures)
    kinds: list[ColumnKind] = ["text", "text", *numbers]
    return Table(table.title, [name, verdict, *measures], rows, table.footnote, kinds)


def difference_sentences(result: Result) -> list[str]:
    """Say how large the differences of the best system from the others are, the nearest first."""
    view, best = result.deciding, result.deciding.order[0]
    if view.intervals.tested is None:
        return []
    unit = ""
    if view.intervals.tested.measure == "net":
        unit = f" {description(result).rate}"
    elif view.less_is_better:
        unit = f" in {description(result).rate}"
    sentences = []
    for rival in view.order[1 : ROWS + 1]:
        i, j = view.systems.index(best), view.systems.index(rival)
        sizes = [f"{difference(view.intervals.tested, i, j)}{unit}"]
        if view.intervals.f1 is not None:
            sizes.append(f"F1 {difference(view.intervals.f1, i, j)}")
        sentences.append(f"{best} minus {rival}: {'; '.join(sizes)}.")
    limits = f"In brackets: {view.intervals.tested.level:.0%} confidence limits"
    if len(result.systems) > 2:
        limits += " together"
    return [*sentences, " ".join([f"{limits}.", *above_hundred(view), *wider_intervals(view)])]


def systems_table(result: Comparison) -> Table:
    """Return the systems, best first: rank, the tested quantity, scores and letters."""
    view = result.deciding
    columns: dict[str, Mapping[str, object]] = {"rank": view.ranks}
    if result.runs is not None:
        columns["runs"] = dict(zip(result.runs.systems, result.runs.runs, strict=True))
    columns |= {
        name: {system: decimals(value) for system, value in values.items()}
        for name, values in score_columns(result).items()
    }
    if result.correct_range:
        title = "correct"
        if any(low < high for low, high in result.correct_range.values()):
            title = "correct [ties]"
        columns[title] = {system: correct(result, system) for system in result.systems}
    columns["letters"] = view.letters
    notes = [*ranks_note(view), *ties_note(result), SHARED_LETTER]
    if view.quantity == "right":
        notes.insert(0, meaning_of_right(view))
    rows = [[name, *(values[name] for values in columns.values())] for name in view.order]
    return Table("", ["system", *columns], rows, " ".join(notes))


def _unreachable(result: Comparison) -> str:
    """Name the pairs that cannot reach significance."""
    pairs = result.deciding.unreachable
    listed = first_of((f"{first} and {second}" for first, second in pairs), 3, "; ")
    units = differing_units_of(result.deciding)
    return f"Some pairs cannot reach significance, because too few {units} differ: {listed}."


def runs_sentences(result: Comparison) -> list[str]:
    """Say what several runs of a system show: their noise, and how many more would decide."""
    runs = result.runs
    if runs is None:
        return []
    sentences = []
    if runs.noise_floor == runs.noise_floor:
        sentences.append(
            f"Two runs of one system differ by up to {runs.noise_floor:.3f} in their mean (95%): "
            "a smaller difference between two single runs is noise."
        )
    finite = [f"{a} and {b} {n:.0f}" for a, b, n in result.runs_needed if n < float("inf")]
    if finite:
        listed = first_of(finite, 3, "; ")
        sentences.append(f"Runs of each that would decide (power 80%): {listed}.")
    hopeless = [f"{a} and {b}" for a, b, n in result.runs_needed if n == float("inf")]
    if hopeless:
        listed = first_of(hopeless, 3, "; ")
        sentences.append(f"No number of runs would decide between {listed}: the items are too few.")
    return sentences


#: More tasks than anybody has: beyond them the number needed is not told.
_MOST_TASKS = 1000


def reliability(result: Study) -> str:
    """Say how many tasks would order the systems reliably; '' where nothing is decided."""
    of_means = result.generalisability
    needed = of_means.tasks_for(0.9)
    if not result.edges:
        return ""
    if needed > _MOST_TASKS:
        return f"Not even {_MOST_TASKS:,} such tasks would order the systems reliably (0.9)."
    return (
        f"Generalisability coefficient of the mean scores: {of_means.coefficient:.2f} on these "
        f"{count(len(result.table.tasks), 'task')} (1: other such tasks would give the same "
        f"order); {count(round(needed), 'such task')} in all would give 0.9."
    )


def study_focus_table(result: Study) -> Table:
    """Return how the one system does against each other, the nearest of many."""
    view, focus = result.deciding, result.focus
    assert focus is not None
    mine, verdicts = view.systems.index(focus), view.verdicts
    rivals = [name for name in view.order if name != focus]
    if len(rivals) > ROWS + 1:
        first = max(0, min(view.order.index(focus) - ROWS // 2, len(rivals) - ROWS))
        rivals = rivals[first : first + ROWS]
    rows = [
        [name, verdicts[focus, name], f"{view.adjusted_p[mine, view.systems.index(name)]:.4g}"]
        for name in rivals
    ]
    header = ["against", f"{focus} is", "adjusted p"]
    return Table(f"Against {focus}", header, rows, verdicts_note(view))


def study_table(result: Study) -> Table:
    """Return a study's systems, best first, with ranks and letters.

    Without ranks and letters where the others were not compared with each other.
    """
    view = result.deciding
    columns: dict[str, Mapping[str, object]] = {
        result.table.mean_title: result.table.means,
        "mean rank": result.mean_ranks,
    }
    if result.focus is None:
        columns = {"rank": view.ranks, **columns, "letters": view.letters}
    rows = [[name, *(values[name] for values in columns.values())] for name in view.order]
    notes = []
    if result.focus is None:
        notes = [*ranks_note(view), "mean rank: over the tasks, 1 is best.", SHARED_LETTER]
    return Table("Mean scores and ranks", ["system", *columns], rows, " ".join(notes))


def write_comparison(folder: Path, result: Comparison, alignments: Mapping[str, Alignment]) -> None:
    """Write alignments, tables, graphs and ``summary.json``.

    Parameters
    ----------
    folder
        Where to.
    result
        What was found.
    alignments
        Each system's alignment, by name.
    """
    names = slugs(result.systems)
    for name, alignment in alignments.items():
        write_alignment(alignment, folder / "alignments" / f"{names[name]}.rdf")
    write_json(folder / "summary.json", result.to_dict())
    write_paper(folder, result)
    _write_tables(folder / "tables", result)
    for name, view in result.views.items():
        graphs = folder / "graphs"
        write_text(graphs / f"outperforms-{name}.graphml", view.ranking.to_graphml())
        write_text(graphs / f"outperforms-{name}.dot", view.ranking.to_dot())


def _write_tables(folder: Path, result: Comparison) -> None:
    deciding = result.deciding
    if result.scores:
        rates = ["precision", "recall", "f1", "overall"]
        header = ["system", "found", "correct"]
        if result.correct_range:
            header += ["correct_min", "correct_max"]
        rows = []
        for name in deciding.order:
            scores = result.scores[name]
            values = scores.to_dict()
            of_ties = result.correct_range.get(name, ())
            rates_of_system = [values[rate] for rate in rates]
            rows.append([name, scores.found, scores.correct, *of_ties, *rates_of_system])
        write_rows(folder / "scores.csv", [*header, *rates], rows)
    if deciding.values is not None:
        values_in_order = [(name, deciding.values[name]) for name in deciding.order]
        write_rows(folder / "values.csv", ["system", deciding.quantity], values_in_order)
    edges = [
        (name, view.correction, better, worse)
        for name, view in result.views.items()
        for better, worse in view.edges
    ]
    write_rows(folder / "edges.csv", ["view", "correction", "better", "worse"], edges)
    for name, view in result.views.items():
        if view.counts is not None:
            path = folder / f"discordant-{name}.csv"
            write_matrix(path, view.order, view.in_order(view.counts.discordant))
        write_p_values(folder, view, f"-{name}")
        pairs = every_pair(view)
        write_rows(folder / f"pairs-{name}.csv", pairs.header, pairs.rows)


def write_p_values(folder: Path, view: Pairwise, suffix: str = "") -> None:
    """Write matrices of p-values of the test that decides: p, log10 p and adjusted p."""
    matrices = {
        f"p{suffix}-{view.test}": view.chosen.p,
        f"log10-p{suffix}-{view.test}": view.chosen.log10_p,
        f"adjusted-p{suffix}": view.adjusted_p,
    }
    for name, matrix in matrices.items():
        write_matrix(folder / f"{name}.csv", view.order, view.in_order(matrix))


def drawable_curves(alignments: Mapping[str, Alignment], reference: Alignment) -> dict[str, Curve]:
    """Return each system at every threshold; nothing for more systems than a figure can show."""
    if len(alignments) > FEW_SYSTEMS:
        return {}
    return {name: curve(alignment, reference) for name, alignment in alignments.items()}


def write_figures(
    folder: Path, result: PairwiseResult, curves: Mapping[str, Curve], suffix: str = ""
) -> None:
    """Draw the figures of the view that decides, and the curves.

    Those of other views are drawn from the results folder when they are asked for (`alignrank
    report`). The suffix ends the names of figures of one view.
    """
    from .figures import FIGURES, figures, save  # matplotlib: half a second

    for name, draw in figures(result, result.deciding, curves).items():
        stem = name
        if FIGURES[name].of_a_view:
            stem += suffix
        save(draw(), folder / stem)
