"""A run's results folder: whole with a manifest, and read back."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from experiments.errors import ExperimentError
from ontologies.common.files import json_text, read_json, sha256, write_text

from .handover import MANIFEST, finish_handover, handed_over
from .provenance import libraries, version
from .result import ComparisonResult
from .study_result import StudyResult


@contextmanager
def results_folder(
    out: Path, *, overwrite: bool = False, facts: Mapping[str, object] | None = None
) -> Iterator[Path]:
    """Give a folder to fill; when the block ends well, it is handed over with a manifest.

    Parameters
    ----------
    out, overwrite
        The results folder, and whether it may already hold files (`handover.handed_over`, which
        says what is promised).
    facts
        What the manifest tells beside the versions and files, by name.

    Yields
    ------
    pathlib.Path
        The folder to write to.

    Raises
    ------
    ExperimentError
        If `out` is a file, or holds something and `overwrite` is False.
    """
    with handed_over(out, overwrite=overwrite) as stage:
        yield stage
        _write_manifest(stage, facts or {})


def write_json(path: Path, content: object) -> None:
    """Write content as JSON: the same content gives the same bytes."""
    write_text(path, json_text(content, indent=1) + "\n")


def read_results(folder: Path) -> ComparisonResult | StudyResult:
    """Return the result in a results folder's ``summary.json``.

    Raises
    ------
    ExperimentError
        If it is not the results folder of `rank`, `compare` or `study`, or that of an alignrank
        whose summaries have another form.
    """
    finish_handover(folder)
    path = folder / "summary.json"
    if not path.is_file():
        raise ExperimentError(
            f"{folder} holds no summary.json: name the results folder (--out) of alignrank rank, "
            "compare or study"
        )
    content = read_json(path, ExperimentError)
    try:
        return read_result(content)
    except ExperimentError as error:
        raise ExperimentError(f"{path} {error}") from None


def read_result(content: object) -> ComparisonResult | StudyResult:
    """Return the result that the content of a ``summary.json`` is.

    Raises
    ------
    ExperimentError
        If it is no comparison of systems, or one of another schema.
    """
    needed = {"systems", "edges", "layers", "settings"}
    if not isinstance(content, dict) or not needed <= content.keys():
        raise ExperimentError(
            "compares no systems: name the results folder of alignrank rank, compare or study"
        )
    if "mean_ranks" in content:
        return StudyResult.from_dict(content)
    return ComparisonResult.from_dict(content)


def _write_manifest(stage: Path, facts: Mapping[str, object]) -> None:
    files = sorted(p for p in stage.rglob("*") if p.is_file())
    manifest = {
        "alignrank": version(),
        "command": sys.argv,
        **facts,
        "python": platform.python_version(),
        "libraries": libraries(),
        "platform": f"{platform.system()}-{platform.release()}-{platform.machine()}",
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "files": {p.relative_to(stage).as_posix(): sha256(p.read_bytes()) for p in files},
    }
    write_text(stage / MANIFEST, json.dumps(manifest, indent=1) + "\n")
