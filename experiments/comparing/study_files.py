"""Compare systems over many tasks, from a table of scores or from folders of alignment files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from math import isfinite
from pathlib import Path

from alignrank.common.files import sha256, write_text
from alignrank.common.names import count
from alignrank.common.table import Table, write_matrix, write_rows
from alignrank.evaluation.corrections import CORRECTIONS
from alignrank.evaluation.corrections.adjustment import corrections_for
from alignrank.evaluation.multitask import (
    POSTHOC_TESTS,
    ScoreTable,
    Study,
    posthoc,
    read_scores,
    score_folder,
    study,
)
from alignrank.evaluation.multitask.score_table import Mismatch
from alignrank.evaluation.multitask.shared_ontologies import generalisability
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.report.comparison_page import every_correction, provenance, rounded
from alignrank.experiments.report.console import (
    ROWS,
    console,
    finish,
    is_verbose,
    print_cautions,
    print_numbers,
    print_prose,
    print_ranked,
    say_what_out_keeps,
)
from alignrank.experiments.report.html import Picture, Report
from alignrank.experiments.report.paper_text import checklist, paper_table, write_paper
from alignrank.experiments.report.publish import (
    if_tasks_are_independent,
    study_ranks,
    study_verdict,
)
from alignrank.experiments.results.folder import check_free, results_folder, write_json
from alignrank.experiments.results.result import InputFile, Provenance
from alignrank.experiments.results.study_result import RESTS, StudyResult
from alignrank.ontologies.tasks.filters import read_filter


@dataclass(frozen=True)
class StudyOptions:
    """How `study` reads and decides.

    Parameters
    ----------
    test, correction, alpha, focus, margin, seed
        As `alignrank.evaluation.multitask.study` takes them.
    filters
        What is not judged (`alignrank.ontologies.tasks.filters`).
    on_mismatch
        What becomes of a result that is missing or foreign: ``refuse``, ``zero`` or ``drop``.
    mend_namespaces
        Read namespaces that are equal but for case as the reference's.
    """

    test: str = "signed-rank"
    correction: str | None = None
    alpha: float = 0.05
    focus: str | None = None
    filters: tuple[str, ...] = ()
    on_mismatch: Mismatch = "refuse"
    mend_namespaces: bool = False
    margin: float = 0.01
    seed: int = 0


def study_scores(
    scores: Path,
    options: StudyOptions,
    *,
    reference: Path | None = None,
    out: Path | None = None,
    overwrite: bool = False,
) -> None:
    """Compare systems over many tasks.

    Example: alignrank study scores.csv --out results

    Parameters
    ----------
    scores, reference
        As `read_table` takes them.
    options
        How.
    out, overwrite
        The results folder; None: results are only printed.
    """
    if out is not None:
        check_free(out, overwrite=overwrite)
    table, inputs = read_table(scores, reference, options)
    studied, result = study_table(table, options, inputs)
    if out is not None:
        with results_folder(out, overwrite=overwrite) as folder:
            write_study(folder, studied, result)
    print_study(studied, result)
    finish(result.to_dict(), out)
    say_what_out_keeps(out)


def study_table(
    table: ScoreTable, options: StudyOptions, inputs: Mapping[str, InputFile] | None = None
) -> tuple[Study, StudyResult]:
    """Study a score table; return what was computed, and what is told of it.

    Parameters
    ----------
    table
        The scores.
    options
        How to decide; what they say about reading is done with.
    inputs
        The files that the scores come from.
    """
    studied = study(
        table,
        test=options.test,
        correction=options.correction,
        alpha=options.alpha,
        focus=options.focus,
        margin=options.margin,
        seed=options.seed,
    )
    settings = {"command": "study", **asdict(options), "correction": studied.correction}
    return studied, StudyResult.of(studied, Provenance(settings, inputs or {}))


def read_table(
    scores: Path, reference: Path | None, options: StudyOptions
) -> tuple[ScoreTable, dict[str, InputFile]]:
    """Return the score table, and every file that it comes from.

    Parameters
    ----------
    scores
        A CSV file (tasks × systems), or a folder of alignments (`score_folder`).
    reference
        Folder of the references; only with a folder of alignments.
    options
        What becomes of missing results and of namespaces.

    Raises
    ------
    ExperimentError
        If a folder of alignments comes without references, or a table with them.
    """
    if scores.is_dir():
        if reference is None:
            raise ExperimentError(
                f"{scores} is a folder of alignments: name the folder of the references with "
                "--reference"
            )
        files = [p for folder in (scores, reference) for p in sorted(folder.rglob("*.rdf"))]
        table = score_folder(
            scores,
            reference,
            rules=[read_filter(text) for text in options.filters],
            on_mismatch=options.on_mismatch,
            mend_namespaces=options.mend_namespaces,
        )
    else:
        if reference is not None:
            raise ExperimentError(f"{scores} is a table: --reference goes with a folder")
        if options.filters:
            raise ExperimentError(f"{scores} is a table: --filter goes with a folder of alignments")
        files = [scores]
        table = read_scores(scores, on_mismatch=options.on_mismatch)
    return table, {str(p): InputFile(str(p), sha256(p.read_bytes())) for p in files}


def reliability(result: Study) -> str:
    """Say how far the order of the systems would be the same on other tasks."""
    reliability_of_means = generalisability(result.table)
    parts = reliability_of_means.components
    of = (parts.columns, parts.rows, parts.interplay)
    shares = "{:.0%} is the system's, {:.0%} the task's, {:.0%} of both together".format(
        *(component / (sum(of) or 1.0) for component in of)
    )
    needed = reliability_of_means.tasks_for(0.9)
    enough = f"a reliability of .9 takes {needed:.0f}" if isfinite(needed) else "no number would do"
    independent = "" if result.shared_p is None else ", if they are independent,"
    tasks = f"{count(len(result.table.tasks), 'such task')}{independent}"
    return (
        f"Of what varies in the scores {shares}: on {tasks} the systems' order has a reliability "
        f"of {reliability_of_means.coefficient:.2f}; {enough}."
    )


def verdict(result: Study) -> str:
    """Return what a study says, in words."""
    shared = result.shared_p is not None
    return study_verdict(_best_first(result), result.edges, result.focus, shared=shared)


def _said(result: Study, content: StudyResult) -> list[str]:
    return [verdict(result), *if_tasks_are_independent(content.conditional)]


def _best_first(result: Study) -> list[str]:
    """Return the systems by mean rank."""
    return [s for _, s in sorted(zip(result.mean_ranks, result.table.systems, strict=True))]


def _p(p: float) -> str:
    return f"{p:.4g}"


def _pair_tests(result: Study) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of the p-values of paired t and Wilcoxon's signed-rank."""
    rows = [
        [name, *("" if i == j else _p(p) for j, p in enumerate(result.p_values[i]))]
        for i, name in enumerate(result.table.systems)
    ]
    return ["system", *result.table.systems], rows


def _decision(result: Study) -> tuple[str, list[str], list[list[str]]]:
    """Return heading, header and rows of the p-values that decide."""
    second = "" if result.shared_p is None else ", or of ontologies left out where that is larger"
    by = f"{result.test} with {result.correction}{second}"
    systems = result.table.systems
    by_pair = {frozenset((pair.system1, pair.system2)): pair for pair in result.pairs}
    if result.focus is None:
        rows = [
            [a, *("" if a == b else _p(by_pair[frozenset((a, b))].adjusted_p) for b in systems)]
            for a in systems
        ]
        return f"Adjusted p-values: {by}", ["system", *systems], rows
    words = {result.focus: "better", "": "undecided"}
    rows = [
        [rival, words.get(pair.better, "worse"), _p(pair.adjusted_p)]
        for rival in _best_first(result)
        if (pair := by_pair.get(frozenset((result.focus, rival))))
    ]
    return f"Against {result.focus}: {by}", ["against", f"{result.focus} is", "adjusted p"], rows


def print_study(result: Study, content: StudyResult) -> None:
    """Print the verdict and the systems by mean rank; with --verbose the tests' p-values too."""
    out = console()
    table = result.table
    heading, header, rows = _decision(result)
    if result.focus and len(rows) > ROWS + 1:  # the nearest
        first = max(0, min(_best_first(result).index(result.focus) - ROWS // 2, len(rows) - ROWS))
        rows = rows[first : first + ROWS]
    before = _said(result, content)
    grade = "" if result.shared_p is None else "; ontologies left out in turn too"
    method = f"{len(table.systems)} systems on {len(table.tasks)} tasks ({table.measure}); "
    after = [reliability(result), f"{method}{result.test} with {result.correction}{grade}"]
    for sentence in before:
        print_prose(sentence)
    ranks = (header, rows) if result.focus else study_ranks(content)
    of_all = len(table.systems) - (result.focus is not None)
    print_ranked(*ranks, of=of_all, beside=[*before, *after])
    for sentence in after:
        print_prose(sentence)
    if is_verbose():
        for test in result.omnibus:
            df = ", ".join(str(d) for d in test.df)
            out.print(f"{test.name}: {test.statistic:.4g} (df {df}), p = {test.p:.4g}")
        out.print("p-values: paired t above the diagonal, Wilcoxon's signed-rank below, unadjusted")
        print_numbers(*_pair_tests(result))
        out.print(heading)
        print_numbers(header, rows)
        if not result.focus:
            out.print(
                f"Nemenyi's critical difference of mean ranks: {result.critical_difference:.3f}"
            )
        print_prose(content.validity)
    print_cautions([*(content.cautions or ()), *content.warnings])


def write_study(folder: Path, studied: Study, result: StudyResult) -> None:
    """Write tables, figures and ``summary.json`` of a study into `folder`."""
    from alignrank.experiments.report.figures import (  # matplotlib: half a second
        draw_critical_difference,
        draw_outperforms,
        save,
        svg_text,
    )

    tables = folder / "tables"
    rows = ([task, *line] for task, line in zip(result.tasks, result.scores, strict=True))
    write_rows(tables / "scores.csv", ["task", *result.systems], rows)
    write_matrix(tables / "p-values.csv", result.systems, result.p_values)
    pairs = studied.to_frame()
    write_rows(tables / "pairs.csv", list(pairs.columns), pairs.values.tolist())
    write_json(folder / "summary.json", result.to_dict())
    write_paper(folder, result, _said(studied, result))
    pictures = []
    if result.focus is None:
        figure = draw_critical_difference(
            result.mean_ranks, result.groups, critical_difference=result.ruler
        )
        save(figure, folder / "figures" / "critical-difference")
        pictures.append(mean_ranks(svg_text(figure)))
    title = f"{len(result.tasks)} tasks\n({result.test}, {result.correction})"
    save(
        draw_outperforms(result.layers, result.edges, title=title),
        folder / "figures" / "outperforms",
    )
    write_text(folder / "report.html", study_report(studied, result, pictures).to_html())


def mean_ranks(svg: str) -> Picture:
    """Return the critical-difference diagram as the report shows it."""
    note = "A bar joins systems of which no two differ significantly."
    return Picture("Mean ranks", svg, note)


def study_report(studied: Study, result: StudyResult, pictures: Sequence[Picture] = ()) -> Report:
    """Build the report of a study."""
    table = studied.table
    ranking = Table(
        "Mean ranks",
        *study_ranks(result),
        ""
        if result.focus
        else "The place follows the choices above; a range is a rank set: the places that are "
        "possible, of all systems together.",
    )
    omnibus = Table(
        "All systems at once",
        ["test", "statistic", "degrees of freedom", "p"],
        [
            [t.name, f"{t.statistic:.4g}", ", ".join(map(str, t.df)), f"{t.p:.4g}"]
            for t in studied.omnibus
        ],
    )
    matrix = Table(
        "p-values: paired t above the diagonal, Wilcoxon's signed-rank below",
        *_pair_tests(studied),
        "Not adjusted for the number of pairs.",
    )
    scores = Table(
        f"Scores ({table.measure})",
        ["task", *table.systems],
        [
            [task, *(f"{x:.4f}" for x in line)]
            for task, line in zip(table.tasks, table.scores.tolist(), strict=True)
        ],
    )
    grade = ", and with ontologies left out in turn" if result.shared_ontologies else ""
    focused = [Table(*_decision(studied))] if result.focus else []
    return Report(
        title=f"{len(table.systems)} systems on {len(table.tasks)} tasks",
        answer=[*_said(studied, result), reliability(studied)],
        decided=f"{result.test} with {result.correction}{grade}, α = {result.alpha:g}",
        ranking=ranking,
        cautions=[*result.warnings, *(result.cautions or ())],
        validity=result.validity,
        checklist=checklist(result),
        pictures=pictures,
        # all pairs have their adjusted p-values in the page's own matrix, which can be switched
        tables=[paper_table(result, result.decision()), *focused, omnibus, matrix, scores],
        data=_study_data(studied) if result.focus is None else {"systems": list(table.systems)},
        provenance=provenance(result.settings, result.inputs),
    )


def _study_data(result: Study) -> dict[str, object]:
    """Return what the page's graph needs: every post-hoc test under every correction."""
    table = result.table
    wins = (table.scores[:, :, None] > table.scores[:, None, :]).sum(axis=0)
    tests = {test: posthoc(table.scores, test) for test in POSTHOC_TESTS}
    corrections = corrections_for("N×N")
    second: dict[str, object] = {}
    if (shared_p := result.shared_p) is not None:
        second["siblings"] = every_correction(shared_p, corrections, {}, result.alpha)
        second["condition"] = "tasks that share ontologies are independent"
        second["together"] = "with the ontologies left out in turn"
    return {
        "systems": list(table.systems),
        "scores": [{} for _ in table.systems],
        "views": {
            "tasks": {
                "unit": "tasks on which NAME scores higher",
                "discordant": wins.tolist(),
                "advantage": {
                    name: rounded(test_result.lead.tolist()) for name, test_result in tests.items()
                },
                "p": {name: rounded(test_result.p.tolist()) for name, test_result in tests.items()},
                "adjusted": {
                    name: every_correction(test_result.p, corrections, {}, result.alpha)
                    for name, test_result in tests.items()
                },
                "validity": {
                    f"{test} {name}": f"{CORRECTIONS[name].validity} {RESTS}"
                    for test, name in product(tests, corrections)
                },
                **second,
            }
        },
        "defaults": {
            "view": "tasks",
            "test": result.test,
            "correction": result.correction,
            "alpha": result.alpha,
        },
    }
