"""Compare systems over many tasks, from a table of scores or from folders of alignment files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from evaluation.corrections import CORRECTIONS, adjust
from evaluation.multitask import (
    POSTHOC_TESTS,
    ScoreTable,
    Study,
    posthoc,
    read_scores,
    score_folder,
    study,
)
from evaluation.ranking.graph import answer, rank_ranges
from experiments.errors import ExperimentError
from experiments.report.comparison_page import provenance, rounded
from experiments.report.console import console, finish, print_notes
from experiments.report.figures.style import save, svg_text
from experiments.report.html import Picture, Report
from experiments.report.words import answer_against
from experiments.results.folder import check_free, results_folder, version
from experiments.results.writing import finite, write_json
from ontologies.common.files import sha256, write_text
from ontologies.common.table import Table, write_matrix, write_rows

if TYPE_CHECKING:
    from rich.table import Table as Columns


def read_table(
    scores: Path, references: Path | None, *, missing: str, mend_namespaces: bool
) -> tuple[ScoreTable, dict[str, Any]]:
    """Return the score table, and the SHA-256 of every file that it comes from.

    Parameters
    ----------
    scores
        A CSV file (tasks × systems), or a folder of files ``SYSTEM-task.rdf``.
    references
        Folder of the references ``task.rdf``; only with a folder of alignments.
    missing
        ``refuse``, ``zero`` or ``drop``.
    mend_namespaces
        Read namespaces that are equal but for case as the reference's.

    Raises
    ------
    ExperimentError
        If a folder of alignments comes without references, or a table with them.
    """
    if missing not in ("refuse", "zero", "drop"):
        raise ExperimentError(f"--missing {missing!r} is unknown: use refuse, zero or drop")
    how = cast(Any, missing)
    if scores.is_dir():
        if references is None:
            raise ExperimentError(
                f"{scores} is a folder of alignments: name the folder of the references with "
                "--references"
            )
        files = [p for folder in (scores, references) for p in sorted(folder.glob("*.rdf"))]
        table = score_folder(scores, references, missing=how, mend_namespaces=mend_namespaces)
    else:
        if references is not None:
            raise ExperimentError(f"{scores} is a table: --references goes with a folder")
        files = [scores]
        table = read_scores(scores, missing=how)
    return table, {str(p): {"path": str(p), "sha256": sha256(p.read_bytes())} for p in files}


def study_scores(
    scores: Path,
    *,
    references: Path | None,
    test: str,
    correction: str | None,
    alpha: float,
    against: str | None,
    missing: str,
    mend_namespaces: bool,
    rope: float,
    seed: int,
    out: Path | None,
    overwrite: bool,
) -> None:
    """Read, study, print, and write the results folder (`alignrank study`)."""
    if out is not None:
        check_free(out, overwrite=overwrite)
    table, inputs = read_table(scores, references, missing=missing, mend_namespaces=mend_namespaces)
    result = study(
        table, test=test, correction=correction, alpha=alpha, against=against, rope=rope, seed=seed
    )
    settings = {
        "command": "study",
        "test": result.test,
        "correction": result.correction,
        "alpha": alpha,
        "against": against,
        "missing": missing,
        "mend_namespaces": mend_namespaces,
        "rope": rope,
        "seed": seed,
    }
    content = {**result.to_dict(), "settings": settings, "inputs": inputs, "version": version()}
    if out is None:
        print_study(result)
        finish(finite(content), out)
        return
    with results_folder(out, overwrite=overwrite) as folder:
        write_study(folder, result, finite(content))
    print_study(result)
    finish(finite(content), out)


def verdict(result: Study) -> str:
    """Return what a study says, in words."""
    systems = result.table.systems
    if result.against is None:
        return answer(systems, result.edges)
    return answer_against(result.against, systems, result.edges)


def validity(result: Study) -> str:
    """Say what the correction controls, if the test's own preconditions hold."""
    return f"{result.adjusted.validity} It rests on valid p-values, and these on independent tasks."


def _p(p: float) -> str:
    return f"{p:.4g}"


def _systems(result: Study) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of the systems by mean rank.

    With their ranks, unless the others were not compared with each other.
    """
    table = result.table
    places = rank_ranges(table.systems, result.edges)
    means = table.scores.mean(axis=0).tolist()
    by_rank = sorted(zip(result.mean_ranks, table.systems, means, strict=True))
    header = ["system", "mean rank", f"mean {table.measure}"]
    rows = [[name, f"{rank:.3f}", f"{mean:.4f}"] for rank, name, mean in by_rank]
    if result.against:
        return header, rows
    return [*header, "rank"], [[*row, places[row[0]]] for row in rows]


def _pair_tests(result: Study) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of the p-values of paired t and Wilcoxon's signed-rank."""
    rows = [
        [name, *("" if i == j else _p(p) for j, p in enumerate(result.p_values[i]))]
        for i, name in enumerate(result.table.systems)
    ]
    return ["", *result.table.systems], rows


def _decision(result: Study) -> tuple[str, list[str], list[list[str]]]:
    """Return heading, header and rows of the p-values that decide."""
    by = f"{result.test} with {result.correction}"
    systems = result.table.systems
    if result.against is None:
        p = {frozenset((pair.system1, pair.system2)): pair.adjusted_p for pair in result.pairs}
        rows = [
            [one, *("" if one == two else _p(p[frozenset((one, two))]) for two in systems)]
            for one in systems
        ]
        return f"Adjusted p-values: {by}", ["", *systems], rows
    rows = []
    for pair in result.pairs:
        if result.against in (pair.system1, pair.system2):
            other = pair.system2 if pair.system1 == result.against else pair.system1
            words = {result.against: "worse", other: "better", "": "cannot be told apart"}
            rows.append([other, _p(pair.p), _p(pair.adjusted_p), words[pair.better]])
    return f"Against {result.against}: {by}", ["system", "p", "adjusted p", "it is"], rows


def _columns(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Columns:
    """Return a table for the terminal: names to the left, numbers to the right."""
    from rich.table import Table as NewTable

    table = NewTable(box=None, pad_edge=False)
    for k, name in enumerate(header):
        table.add_column(name, justify="right" if k else "left", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def print_study(result: Study) -> None:
    """Print the omnibus tests, the systems by mean rank, the p-value matrix and the verdict."""
    out = console()
    table = result.table
    out.print(f"{len(table.systems)} systems on {len(table.tasks)} tasks ({table.measure})")
    for test in result.omnibus:
        df = ", ".join(str(d) for d in test.df)
        out.print(f"  {test.name}: {test.statistic:.4g} (df {df}), p = {test.p:.4g}")
    out.print(_columns(*_systems(result)))
    out.print()
    out.print("p-values: paired t above the diagonal, Wilcoxon's signed-rank below, not adjusted")
    out.print(_columns(*_pair_tests(result)))
    heading, header, rows = _decision(result)
    out.print(f"\n{heading}")
    out.print(_columns(header, rows))
    out.print()
    out.print(f"{result.test}, {result.correction}: {verdict(result)}", soft_wrap=True)
    if not result.against:
        out.print(f"Nemenyi's critical difference of mean ranks: {result.critical_difference:.3f}")
    print_notes([*result.cautions, validity(result)])


def write_study(folder: Path, result: Study, content: dict[str, Any]) -> None:
    """Write tables, figures and ``summary.json`` of a study into `folder`."""
    from experiments.report.figures.critical_difference import draw_critical_difference
    from experiments.report.figures.outperforms import draw_outperforms

    table = result.table
    tables = folder / "tables"
    rows = ([task, *line] for task, line in zip(table.tasks, table.scores.tolist(), strict=True))
    write_rows(tables / "scores.csv", ["task", *table.systems], rows)
    write_matrix(tables / "p-values.csv", table.systems, content["p_values"])
    pairs = result.to_frame()
    write_rows(tables / "pairs.csv", list(pairs.columns), pairs.values.tolist())
    write_json(folder / "summary.json", content)
    pictures = []
    if result.against is None:
        # the ruler belongs to Nemenyi's test on mean ranks: other tests make other groups
        nemenyi = (result.test, result.correction) == ("friedman", "nemenyi")
        figure = draw_critical_difference(
            dict(zip(table.systems, result.mean_ranks, strict=True)),
            result.groups,
            critical_difference=result.critical_difference if nemenyi else None,
        )
        save(figure, folder / "figures" / "critical-difference")
        note = "A bar joins systems of which no two differ significantly."
        pictures.append(Picture("Mean ranks", svg_text(figure), note))
    title = f"{len(table.tasks)} tasks\n({result.test}, {result.correction})"
    save(
        draw_outperforms(result.ranking.layers, result.edges, title=title),
        folder / "figures" / "outperforms",
    )
    write_text(folder / "report.html", study_report(result, content, pictures).to_html())


def study_report(
    result: Study, content: Mapping[str, Any], pictures: Sequence[Picture] = ()
) -> Report:
    """Build the report of a study."""
    table = result.table
    ranking = Table(
        "Mean ranks",
        *_systems(result),
        ""
        if result.against
        else "The rank follows the choices above; a range means that the systems in it cannot all "
        "be told apart.",
    )
    omnibus = Table(
        "All systems at once",
        ["test", "statistic", "degrees of freedom", "p"],
        [
            [t.name, f"{t.statistic:.4g}", ", ".join(map(str, t.df)), f"{t.p:.4g}"]
            for t in result.omnibus
        ],
    )
    matrix = Table(
        "p-values: paired t above the diagonal, Wilcoxon's signed-rank below",
        *_pair_tests(result),
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
    return Report(
        title=f"{len(table.systems)} systems on {len(table.tasks)} tasks",
        answer=[verdict(result)],
        decided=f"{result.test} with {result.correction}, α = {result.alpha:g}",
        ranking=ranking,
        warnings=[*result.cautions, validity(result)],
        pictures=pictures,
        # all pairs have their adjusted p-values in the page's own matrix, which can be switched
        tables=[omnibus, *([Table(*_decision(result))] if result.against else []), matrix, scores],
        data=_study_data(result) if result.against is None else {"systems": list(table.systems)},
        provenance=provenance(content),
    )


def _study_data(result: Study) -> dict[str, Any]:
    """Return what the page's graph needs: every post-hoc test under every correction."""
    table = result.table
    wins = (table.scores[:, :, None] > table.scores[:, None, :]).sum(axis=0)
    tests = {test: posthoc(table.scores, test) for test in POSTHOC_TESTS}
    corrections = [name for name, facts in CORRECTIONS.items() if "N×N" in facts.comparisons]
    return {
        "systems": list(table.systems),
        "scores": [{} for _ in table.systems],
        "views": {
            "tasks": {
                "unit": "tasks on which NAME scores higher",
                "discordant": wins.tolist(),
                "advantage": {name: rounded(found.lead.tolist()) for name, found in tests.items()},
                "p": {name: rounded(found.p.tolist()) for name, found in tests.items()},
                "adjusted": {
                    name: {
                        correction: rounded(adjust(found.p, correction).values.tolist())
                        for correction in corrections
                    }
                    for name, found in tests.items()
                },
            }
        },
        "defaults": {
            "view": "tasks",
            "test": result.test,
            "correction": result.correction,
            "alpha": result.alpha,
        },
    }
