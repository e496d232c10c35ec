"""Where a system stands among those of past campaigns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from experiments.errors import ExperimentError
from experiments.inputs.named_inputs import named_files
from experiments.inputs.named_tasks import tasks_by_name
from ontologies.common.files import sha256
from ontologies.common.names import refuse_unknown
from ontologies.tasks import archived
from ontologies.tasks.filters import filters

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
    tasks = tasks_by_name([task], data)
    if len(tasks) > 1:
        raise ExperimentError(f"--task {task} is {len(tasks)} tasks: name one, as {tasks[0].name}")
    track = task.partition("/")[0]
    archive = archived(tasks[0])
    if not archive:
        raise ExperimentError(
            f"no alignments of past campaigns for {task} are here: alignrank data fetch {track} "
            "--systems YEAR (alignrank data list names the years)"
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
    rule = filters().get(f"oaei-{track}")
    options = CompareOptions(
        focus=mine,
        alpha=alpha,
        source=tasks[0].source,
        target=tasks[0].target,
        filters=(rule.name,) if rule else (),
        on_mismatch=on_mismatch,
    )
    files = [f"{mine}={path}", *others.values()]
    compare_files(tasks[0].reference, files, options=options, out=out, overwrite=overwrite)
