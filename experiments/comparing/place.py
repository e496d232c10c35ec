"""Where a system stands among those of past campaigns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from evaluation import Context
from evaluation.ranking import rank_ranges
from experiments.errors import ExperimentError
from experiments.inputs.named_inputs import Judged, checked_judged, named_files, read_reference
from experiments.inputs.named_tasks import one_task, track_filters
from experiments.report.console import decimals, print_prose, say
from experiments.results.result import ComparisonResult
from ontologies import load_ontology, read_alignment
from ontologies.common.files import sha256
from ontologies.common.names import refuse_unknown
from ontologies.common.table import latex_text
from ontologies.tasks import MatchingTask, archived
from ontologies.tasks.catalogue import published

from .compare_files import CompareOptions, compare_systems, tell


def place(
    alignment: str,
    *,
    task: str = "anatomy",
    years: Sequence[str] = (),
    data: Path | None = None,
    alpha: float = 0.05,
    on_mismatch: str = "refuse",
    out: Path | None = None,
    overwrite: bool = False,
) -> None:
    """Say where a system stands among those of past campaigns.

    The track's own filter is applied; of equal files of several years the youngest counts.

    Example: alignrank place mine.rdf --task anatomy --year 2018

    Raises
    ------
    ExperimentError
        If the name means no task or several, no archived alignment was fetched, or a year is not
        among them.
    """
    solved = one_task(task, data)
    archive = archived(solved)
    if not archive:
        raise ExperimentError(
            f"no alignments of past campaigns for {task} are here: alignrank data fetch "
            f"{task.partition('/')[0]} --systems YEAR (alignrank data list names the years)"
        )
    for year in years:
        refuse_unknown("--year", year, archive, ExperimentError)
    chosen = sorted(years or archive, reverse=True)
    ((mine, path),) = named_files([alignment]).items()
    others: dict[str, Path] = {}
    known: set[bytes | str] = set()
    for year in chosen:
        for system, file in archive[year].items():
            if (content := sha256(file.read_bytes())) not in known:
                alone = len(chosen) == 1 and system != mine
                others[system if alone else f"{system}-{year}"] = file
                known.add(content)
    filters = track_filters(task)
    judged = _read(solved, {mine: path}, others, filters, on_mismatch)
    options = CompareOptions(
        focus=mine, alpha=alpha, source=solved.source, target=solved.target, filters=filters
    )
    many = f"{len(judged.systems)} systems judged by"
    result = tell(
        compare_systems(judged, options),
        options,
        title=f"{many} {solved.reference.name}",
        out=out,
        overwrite=overwrite,
    )
    for year in chosen:
        suffix = "" if len(chosen) == 1 else f"-{year}"
        if figures := published(task.partition("/")[0], year):
            print_prose(_beside(result, year, {f"{s}{suffix}": f for s, f in figures.items()}))
    say(_latex_row(result, mine))


def _read(
    task: MatchingTask,
    mine: Mapping[str, Path],
    others: Mapping[str, Path],
    filters: Sequence[str],
    on_mismatch: str,
) -> Judged:
    """Read the task and all alignments; what is told of the files is told of mine alone."""
    right = read_reference(task.reference)
    context = Context(load_ontology(task.source), load_ontology(task.target))
    own, theirs = (
        checked_judged(
            right,
            {name: read_alignment(file, name=name) for name, file in files.items()},
            context,
            filters=filters,
            on_mismatch=on_mismatch,
        )
        for files in (mine, others)
    )
    return replace(
        own, systems={**own.systems, **theirs.systems}, inputs={**own.inputs, **theirs.inputs}
    )


def _beside(result: ComparisonResult, year: str, figures: Mapping[str, tuple[float, ...]]) -> str:
    """Say whether what a campaign published is what is computed here, to its two decimals."""
    scores = result.scores or {}
    ours = {name: scores[name] for name in figures if name in scores}
    other = [
        f"{name} ({figures[name][-1]:.2f} published, {100 * (s.f1 or 0):.2f} here)"
        for name, s in ours.items()
        if any(
            abs(100 * (x or 0) - y) > 0.00501
            for x, y in zip((s.precision, s.recall, s.f1), figures[name], strict=True)
        )
    ]
    same = f"those of {len(ours) - len(other)} of {len(ours)} systems are computed here too"
    return f"Precision, recall and F1 that the OAEI published for {year}: {same}" + (
        f"; F1 differs for {', '.join(other)}." if other else "."
    )


def _latex_row(result: ComparisonResult, mine: str) -> str:
    """Return the system's row for a table of a paper."""
    scores = (result.scores or {})[mine]
    place_of = rank_ranges(result.systems, result.arrows[result.views[0]])
    rates = (decimals(rate) for rate in (scores.precision, scores.recall, scores.f1))
    cells = (latex_text(mine), *rates, place_of[mine].replace("–", "--"))
    return rf"{' & '.join(cells)} \\ % precision, recall, F1, place"
