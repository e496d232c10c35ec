"""Layouts for the screen and the results folder: tables, graphs, figures, texts for a paper."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from alignrank.common.files import write_json, write_text
from alignrank.common.names import short_names
from alignrank.common.table import Table, latex_text, write_matrix, write_rows
from alignrank.evaluation import Comparison, Curve, Pairwise
from alignrank.evaluation.comparison.contingency import heading
from alignrank.evaluation.multitask import Study
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.named_inputs import slugs
from alignrank.experiments.presentation.columns import BETWEEN_SIGNED_LIMITS, Column
from alignrank.experiments.presentation.present import Presentation, by_weight, footnotes
from alignrank.experiments.presentation.sentences import BOLD, Citation
from alignrank.ontologies import Alignment, write_alignment

from .console import (
    ROWS,
    console,
    is_verbose,
    print_cautions,
    print_prose,
    print_ranked,
    print_table,
    say,
)
from .result_pages import study_report

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: The figures that are drawn before somebody asks for them.
AT_ONCE = ("outperforms", "precision-recall", "critical-difference")
#: Errors of the disk itself: to write any other file would fail, too.
_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EIO)


def print_result(presentation: Presentation, *, with_differences: bool = False) -> None:
    """Print the answer, the systems, best first, and how the answer was found.

    Parameters
    ----------
    presentation
        What is printed.
    with_differences
        Print how large the differences of the best from the others are, if there is no focus; of
        two systems they are always printed.
    """
    answer, table = " ".join(presentation.answer), screen_table(presentation)
    columns, notes = presentation.at("screen"), presentation.table_notes
    of_columns = footnotes(columns)
    further = [*presentation.further, *presentation.notes, f"Method: {presentation.method}."]
    cautions = by_weight(presentation.cautions, presentation.deciding_view)
    cells, total = table.cells(), len(presentation.systems) - (presentation.focus is not None)
    print_prose(answer)
    left_out = print_ranked(
        table.header,
        cells,
        of=total,
        beside=[answer, *notes, table.footnote, *further],
        kept=[column.heading for column in columns if column.is_verdict],
    )
    shown = dict.fromkeys(text for heading, text in of_columns if heading not in left_out)
    after = [*notes, " ".join(shown), *further]
    if presentation.focus is None and (with_differences or len(presentation.systems) == 2):
        after = [*presentation.differences, *after]
    for sentence in filter(None, after):
        print_prose(sentence)
    if is_verbose():
        for detail in presentation.details():
            console().print(detail.title)
            print_table(detail)
            if detail.footnote:
                print_prose(detail.footnote)
        for sentence in [*presentation.advice, presentation.validity]:
            print_prose(sentence)
    if presentation.next_command:
        say(f"Next: {presentation.next_command}")
    print_cautions(cautions)


def screen_table(presentation: Presentation) -> Table:
    """Return the table of systems for a terminal.

    With a focus it has no row for the focus, and of many systems only those ranked around it.
    """
    systems = [name for name in presentation.systems if name != presentation.focus]
    if presentation.focus is not None and len(systems) > ROWS + 1:
        place = list(presentation.systems).index(presentation.focus)
        first = max(0, min(place - ROWS // 2, len(systems) - ROWS))
        systems = systems[first : first + ROWS]
    table = presentation.table(presentation.at("screen"), systems)
    if presentation.focus is not None:
        return replace(table, header=["against", *table.header[1:]])
    return table


def write_comparison(
    folder: Path,
    result: Comparison,
    presentation: Presentation,
    alignments: Mapping[str, Alignment],
    further: Iterable[Table] = (),
) -> None:
    """Write all files of a comparison but the figures and the page.

    Parameters
    ----------
    folder
        Where to.
    result, presentation
        What was found, and how it is shown.
    alignments
        Each system's alignment, by name.
    further
        Further tables, each named by its stem.
    """
    write_paper(folder, presentation)
    names = slugs(result.systems)
    for name, alignment in alignments.items():
        write_alignment(alignment, folder / "alignments" / f"{names[name]}.rdf")
    write_json(folder / "summary.json", result.to_dict())
    tables, graphs = folder / "tables", folder / "graphs"
    deciding = result.deciding
    edges = [
        [name, view.correction, *edge] for name, view in result.views.items() for edge in view.edges
    ]
    written = [
        replace(presentation.for_file(), stem="scores"),
        Table("", ["view", "correction", "better", "worse"], edges, stem="edges"),
    ]
    if deciding.values is not None:
        values = [(name, deciding.values[name]) for name in deciding.order]
        written.append(Table("", ["system", deciding.quantity], values, stem="values"))
    for name, view in result.views.items():
        if view.counts is not None:
            discordant = view.in_order(view.counts.discordant)
            write_matrix(tables / f"discordant-{name}.csv", view.order, discordant)
        write_p_values(tables, view, f"-{name}")
        written.append(replace(presentation.pairs[name](), stem=f"pairs-{name}"))
        write_text(graphs / f"outperforms-{name}.graphml", view.ranking.to_graphml())
        write_text(graphs / f"outperforms-{name}.dot", view.ranking.to_dot())
    for table in (*written, *further):
        write_rows(tables / f"{table.stem}.csv", table.header, table.rows)


def write_study(
    folder: Path, result: Study, presentation: Presentation, page_tables: Sequence[Table] = ()
) -> ExperimentError | None:
    """Write tables, figures, ``summary.json``, the texts for a paper and the page of a study.

    Parameters
    ----------
    folder, result, presentation
        Where to, the study with the choices of the page's reader, and how it is shown.
    page_tables
        Tables of the page; also as CSV, by their titles.

    Returns
    -------
    ExperimentError or None
        As of `write_figures`.
    """
    figures, tables, view = folder / "figures", folder / "tables", result.deciding
    write_paper(folder, presentation)
    write_p_values(tables, view)
    figure_error = write_figures(figures, view, presentation, {})
    scores = result.table.scores[:, [result.systems.index(name) for name in view.order]].tolist()
    rows = [[task, *line] for task, line in zip(result.table.tasks, scores, strict=True)]
    by_task = Table("", ["task", *view.order], rows, stem="scores")
    pairs = replace(presentation.tables["pairs"](), stem="pairs")
    systems = replace(presentation.for_file(), stem="systems")
    diagram, drawn = "", figures / "critical-difference.svg"
    if drawn.is_file():
        diagram = drawn.read_text(encoding="utf-8")
    page = study_report(result, presentation, diagram, page_tables).to_html()
    for table in (by_task, pairs, systems, *page_tables):
        write_rows(tables / f"{table.stem}.csv", table.header, table.rows)
    write_json(folder / "summary.json", result.to_dict())
    write_text(folder / "report.html", page)
    return figure_error


def write_p_values(folder: Path, view: Pairwise, suffix: str = "") -> None:
    """Write matrices of p-values of the test that decides: p, log10 p and adjusted p."""
    matrices = {
        f"p{suffix}-{view.test}": view.chosen.p,
        f"log10-p{suffix}-{view.test}": view.chosen.log10_p,
        f"adjusted-p{suffix}": view.adjusted_p,
    }
    for name, matrix in matrices.items():
        write_matrix(folder / f"{name}.csv", view.order, view.in_order(matrix))


def drawable_figures(
    view: Pairwise, presentation: Presentation, curves: Mapping[str, Curve]
) -> dict[str, Callable[[], Figure]]:
    """Return, by name, a function that draws each figure for which the result has data.

    Parameters
    ----------
    view, presentation
        A view of the result, as a test and a correction decide it, and how the result is shown.
    curves
        Each system at every threshold; empty where there are no alignments or no reference.
    """
    from . import figures as drawings  # matplotlib: half a second

    def title(shows: str) -> str:
        words = f"{shows}: {presentation.figure_heading}"
        if view.view != presentation.deciding_view:
            words += f"\n{heading(view.view)}"
        return words

    tested = [column for column in presentation.columns if column.is_tested]
    scores = {
        name: f"{column.short or column.heading} {column.text(name)}"
        for column in tested
        for name in view.systems
    }
    layers, edges = view.ranking.layers, view.edges
    drawn: dict[str, Callable[[], Figure]] = {
        "outperforms": partial(
            drawings.draw_outperforms,
            layers,
            edges,
            title=title("Who outperforms whom"),
            scores=scores,
        ),
        "p-values": partial(
            drawings.draw_p_values,
            view.order,
            view.in_order(view.adjusted_p),
            edges,
            alpha=view.alpha,
            title=title("Adjusted p"),
        ),
    }
    if view.counts is not None:
        counts, shows = view.in_order(view.counts.discordant), "Right where the other is wrong"
        drawn["discordance"] = partial(
            drawings.draw_discordance, view.order, counts, title=title(shows)
        )
    of_curves = {
        "precision-recall": (drawings.draw_precision_recall, "Precision and recall"),
        "threshold": (drawings.draw_threshold_sweep, "F1 by threshold"),
        "similarities": (drawings.draw_similarities, "Similarities of right and wrong pairs"),
    }
    if curves:
        for name, (draw, shows) in of_curves.items():
            drawn[name] = partial(draw, curves, title=title(shows))
    if presentation.rank_diagram is not None:
        mean_ranks, groups, critical_difference = presentation.rank_diagram
        drawn["critical-difference"] = partial(
            drawings.draw_critical_difference,
            mean_ranks,
            groups,
            critical_difference=critical_difference,
            title=title("Mean ranks"),
        )
    return drawn


def write_figures(
    folder: Path,
    view: Pairwise,
    presentation: Presentation,
    curves: Mapping[str, Curve],
    suffix: str = "",
) -> ExperimentError | None:
    """Draw the figures of `AT_ONCE` for which a result has data.

    Others are drawn from the results folder when they are asked for (`alignrank report`): drawing
    costs more than all tests. The suffix ends the name of the graph, which shows one view of
    several.

    Returns
    -------
    ExperimentError or None
        Why figures are missing, if they are: the caller writes all other results, then raises it.

    Raises
    ------
    OSError
        If the disk is full or fails.
    """
    try:
        from .figures import save  # as above

        for name, draw in drawable_figures(view, presentation, curves).items():
            if name in AT_ONCE:
                save(draw(), folder / (f"{name}{suffix}" if name == "outperforms" else name))
    except Exception as error:  # whatever stands in the way, such as a broken installation
        if isinstance(error, OSError) and error.errno in _DISK:
            raise
        return ExperimentError(
            f"the figures could not be drawn: {type(error).__name__}: {error}: all other results "
            "are written, and alignrank report draws figures from them"
        )
    return None


# ---- texts and tables for a paper


#: Before each key of the bibliography, so that no key clashes with one of the paper's own.
_PREFIX = "alignrank:"
#: Longer names are cut in the table of a paper.
_NAME_WIDTH = 20
#: The table of a paper begins and ends with these columns.
_FIRST, _LAST = ("precision", "recall", "f1"), ("verdict", "letters")


def write_paper(folder: Path, presentation: Presentation) -> None:
    """Write the texts for a paper into a results folder.

    ``paper.txt`` has everything as text; ``paper.tex`` the paragraph and the table of the paper,
    ``paper-supplement.tex`` the table with all columns, ``paper.bib`` what both cite.
    """
    table = paper_table(presentation)
    supplement = paper_table(presentation, "supplement")
    as_text = paper_table(presentation, "supplement", note_on_bold="")
    parts = _parts(presentation)
    sources = bibliography([p.key for p in parts if isinstance(p, Citation)], presentation.version)
    checked = "\n".join(f"{item}: {answer}" for item, answer in presentation.checklist)
    paragraph = "".join(map(_in_text, parts))
    plain = [paragraph, as_text.to_text(), f"Reporting checklist\n{checked}", sources]
    head = "% \\input{paper}, with \\bibliography{paper} where the references stand"
    latex = [
        head,
        "".join(map(_in_latex, parts)),
        "",
        table.to_latex("tab:alignrank", "footnotesize"),
    ]
    prefixed = re.compile(r"^(@\w+\{)", re.MULTILINE)  # keys of our own file
    texts = {
        "paper.txt": "\n\n".join(plain),
        "paper.tex": "\n".join(latex),
        "paper-supplement.tex": supplement.to_latex("tab:alignrank-all", "footnotesize"),
        "paper.bib": prefixed.sub(rf"\1{_PREFIX}", sources),
    }
    for name, text in texts.items():
        write_text(folder / name, text)


def paper_table(
    presentation: Presentation,
    place: Literal["paper", "supplement"] = "paper",
    *,
    note_on_bold: str = BOLD,
) -> Table:
    """Return the table of a paper, or that of its supplement, under its caption.

    Parameters
    ----------
    presentation
        What is laid out.
    place
        Which of the two.
    note_on_bold
        What bold letters mean: the last sentence of the footnote, where any are.
    """
    columns = [
        replace(column, between=", ") if column.between == BETWEEN_SIGNED_LIMITS else column
        for column in presentation.at(place)
    ]
    if place == "paper":
        columns.sort(key=_place_in_paper)
        columns = [replace(column, heading=column.short or column.heading) for column in columns]
    table = presentation.table(columns, title=presentation.subject, notes=presentation.caption)
    footnote = table.footnote
    if note_on_bold and table.strong:
        footnote = f"{footnote} {note_on_bold}"
    shown = {}
    if place == "paper":
        shown = short_names([str(name) for name, *_ in table.rows], _NAME_WIDTH)
    rows = []
    for name, *cells in table.rows:
        # a minus sign, not a hyphen
        typeset = [
            str(cell).replace("-", "−") if column.kind == "number" else cell
            for column, cell in zip(columns, cells, strict=True)
        ]
        rows.append([shown.get(str(name), name), *typeset])
    return replace(table, rows=rows, footnote=footnote)


def _place_in_paper(column: Column) -> int:
    """Return a key that puts the rates first and the verdicts last."""
    if column.name in _FIRST:
        return _FIRST.index(column.name)
    return len(_FIRST) + (column.name in _LAST)


def _parts(presentation: Presentation) -> list[str | Citation]:
    """Return the paragraph as texts and citations, in order."""
    parts: list[str | Citation] = []
    for sentence in presentation.paragraph:
        parts += [" ", *sentence] if parts else sentence
    return parts


def _in_text(part: str | Citation) -> str:
    if isinstance(part, str):
        return part
    return f" [{part.key}]" if part.key in _sources() else ""


def _in_latex(part: str | Citation) -> str:
    if isinstance(part, str):
        # the spaces at its ends stand between sentences and citations
        core = part.strip()
        if not core:
            return part
        left, _, right = part.partition(core)
        return f"{left}{latex_text(core)}{right}"
    return f"~\\cite{{{_PREFIX}{part.key}}}" if part.key in _sources() else ""


@cache
def _sources() -> dict[str, str]:
    """Return every BibTeX entry by its key."""
    text = (files("alignrank.experiments") / "report" / "paper.bib").read_text(encoding="utf-8")
    entries = (entry.strip() for entry in text.split("\n\n"))
    return {entry.partition("{")[2].partition(",")[0]: entry for entry in entries}


def bibliography(keys: Iterable[str], version: str) -> str:
    """Return the BibTeX entries of these keys."""
    cited = "\n\n".join(_sources()[key] for key in dict.fromkeys(keys) if key in _sources())
    return cited.replace("VERSION", version) + "\n"
