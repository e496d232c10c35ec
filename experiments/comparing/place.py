"""Where a system stands among those of past campaigns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from experiments.errors import ExperimentError
from experiments.inputs.named_inputs import named_files
from experiments.inputs.named_tasks import one_task, track_filters
from ontologies.common.files import sha256
from ontologies.common.names import refuse_unknown
from ontologies.tasks import archived

from .compare_files import CompareOptions, compare_files


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
    others: dict[bytes | str, str] = {}
    for year in chosen:
        for system, file in archive[year].items():
            alone = len(chosen) == 1 and system != mine
            name = system if alone else f"{system}-{year}"
            others.setdefault(sha256(file.read_bytes()), f"{name}={file}")
    options = CompareOptions(
        focus=mine,
        alpha=alpha,
        source=solved.source,
        target=solved.target,
        filters=track_filters(task),
        on_mismatch=on_mismatch,
    )
    files = [f"{mine}={path}", *others.values()]
    compare_files(solved.reference, files, options=options, out=out, overwrite=overwrite)
