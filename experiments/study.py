"""Compare systems over many tasks, from a table of scores or from folders of alignment files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

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
from evaluation.words import answer
from ontologies.files import sha256, write_text

from .errors import ExperimentError
from .outputs import finite, write_json
from .report.build import provenance, rounded
from .report.console import console, finish, print_notes, ranks
from .report.csvs import write_matrix, write_rows
from .report.html import Picture, Report, Table
from .report.style import save, svg_text
from .report.words import answer_against
from .runs import check_free, results_folder, version


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


def print_study(result: Study) -> None:
    """Print the omnibus tests, the systems by mean rank, the p-value matrix and the verdict."""
    from rich.table import Table as Columns

    out = console()
    table = result.table
    out.print(f"{len(table.systems)} systems on {len(table.tasks)} tasks ({table.measure})")
    for test in result.omnibus:
        df = ", ".join(str(d) for d in test.df)
        out.print(f"  {test.name}: {test.statistic:.4g} (df {df}), p = {test.p:.4g}")
    places = ranks(table.systems, result.edges)
    means = dict(zip(table.systems, table.scores.mean(axis=0).tolist(), strict=True))
    shown = Columns(box=None, pad_edge=False)
    shown.add_column("system", no_wrap=True)
    for name in ("mean rank", f"mean {table.measure}", "rank"):
        shown.add_column(name, justify="right", no_wrap=True)
    order = sorted(zip(result.mean_ranks, table.systems, strict=True))
    for mean_rank, system in order:
        shown.add_row(system, f"{mean_rank:.3f}", f"{means[system]:.3f}", places[system])
    out.print(shown)
    out.print()
    out.print("p-values: paired t above the diagonal, Wilcoxon's signed-rank below, not adjusted")
    matrix = Columns(box=None, pad_edge=False)
    for name in ("", *table.systems):
        matrix.add_column(name, justify="right", no_wrap=True)
    for i, name in enumerate(table.systems):
        row = ["" if i == j else f"{p:.4g}" for j, p in enumerate(result.p_values[i])]
        matrix.add_row(name, *row)
    out.print(matrix)
    out.print()
    out.print(f"{result.test}, {result.correction}: {verdict(result)}", soft_wrap=True)
    if not result.against:
        out.print(f"Nemenyi's critical difference of mean ranks: {result.critical_difference:.3f}")
    print_notes([*result.warnings, validity(result)])


def write_study(folder: Path, result: Study, content: dict[str, Any]) -> None:
    """Write tables, figures and ``summary.json`` of a study into `folder`."""
    from .report.critical_difference import draw_critical_difference
    from .report.outperforms import draw_outperforms

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
    places = ranks(table.systems, result.edges)
    means = table.scores.mean(axis=0).tolist()
    rows = [
        [name, f"{rank:.3f}", f"{mean:.4f}", places[name]]
        for rank, name, mean in sorted(zip(result.mean_ranks, table.systems, means, strict=True))
    ]
    ranking = Table(
        "Mean ranks",
        ["system", "mean rank", f"mean {table.measure}", "rank"],
        rows,
        "The rank follows the choices above; a range means that the systems in it cannot all be "
        "told apart.",
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
        ["", *table.systems],
        [
            [name, *("" if i == j else f"{p:.4g}" for j, p in enumerate(result.p_values[i]))]
            for i, name in enumerate(table.systems)
        ],
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
        warnings=[*result.warnings, validity(result)],
        pictures=pictures,
        tables=[omnibus, matrix, scores],
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
