"""A run's results folder: filled aside, put in place whole with a manifest, and read back."""

from __future__ import annotations

import json
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from experiments.errors import ExperimentError
from ontologies.common.files import json_text, sha256, write_text

from .provenance import libraries, version
from .result import ComparisonResult
from .study_result import StudyResult

MANIFEST = "manifest.json"


@contextmanager
def results_folder(
    out: Path, *, overwrite: bool = False, facts: Mapping[str, object] | None = None
) -> Iterator[Path]:
    """Give a temporary folder to fill; when the block ends well, move its files into `out`.

    The folder is refused before any work is done if it holds anything and `overwrite` is False.
    With `overwrite`, files of an earlier run that its manifest lists and that were not written
    again are removed; whatever else lies in the folder stays. An error or Ctrl-C inside the block
    leaves `out` as it was.

    Parameters
    ----------
    out
        The results folder.
    overwrite
        Whether `out` may already hold files.
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
    check_free(out, overwrite=overwrite)
    made = [folder for folder in out.absolute().parents if not folder.exists()]
    out.parent.mkdir(parents=True, exist_ok=True)
    stage = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        yield stage
        _write_manifest(stage, facts or {})
        _put_in_place(stage, out)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
        for folder in made:  # no folder is left in which nothing is
            with suppress(OSError):
                folder.rmdir()


def check_free(out: Path, *, overwrite: bool = False) -> None:
    """Raise `ExperimentError` if `out` cannot take results."""
    if out.exists() and not out.is_dir():
        raise ExperimentError(f"{out} is a file, not a folder: name another with --out")
    if out.is_dir() and any(out.iterdir()) and not overwrite:
        raise ExperimentError(
            f"{out} is not empty: name another folder with --out, or add --overwrite"
        )
    check_writable(out)


def check_writable(out: Path) -> None:
    """Raise `ExperimentError` if nothing can be written where `out` would be.

    Known before the work and not after it, which may have taken an hour.
    """
    place = out.absolute() if out.is_dir() else out.absolute().parent
    while not place.exists():
        place = place.parent
    try:
        tempfile.TemporaryDirectory(dir=place).cleanup()
    except OSError as error:
        why = (error.strerror or "unknown reason").lower()
        raise ExperimentError(
            f"{out} cannot be written ({place}: {why}): name another with --out"
        ) from None


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
    path = folder / "summary.json"
    if not path.is_file():
        raise ExperimentError(
            f"{folder} holds no summary.json: name the results folder (--out) of alignrank rank, "
            "compare or study"
        )
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ExperimentError(f"{path} cannot be read as JSON ({error})") from None
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


def _put_in_place(stage: Path, out: Path) -> None:
    out.mkdir(exist_ok=True)
    fresh = {p.relative_to(stage) for p in stage.rglob("*") if p.is_file()}
    # all or nothing: what stands in the way is found before the first file is moved
    for relative in sorted(fresh):
        folders = [out / part for part in relative.parents]
        blocked = [p for p in folders if p.exists() and not p.is_dir()]
        if (out / relative).is_dir() or blocked:
            stands = blocked[0] if blocked else out / relative
            raise ExperimentError(
                f"{stands} stands where results go: move it, or name another --out"
            )
    for stale in _listed(out) - fresh:
        (out / stale).unlink(missing_ok=True)
    # the manifest last: a folder with a manifest is a folder that is complete
    for relative in sorted(fresh, key=lambda p: (p.name == MANIFEST, p)):
        (out / relative).parent.mkdir(parents=True, exist_ok=True)
        (stage / relative).replace(out / relative)


def _listed(out: Path) -> set[Path]:
    """Return the files that an earlier run's manifest lists, never one outside `out`."""
    try:
        files = json.loads((out / MANIFEST).read_text(encoding="utf-8"))["files"]
        relative = {Path(name) for name in files}
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    return {p for p in relative if not p.is_absolute() and ".." not in p.parts}
