"""A run's results folder: filled aside, put in place whole, with a manifest of what it holds."""

from __future__ import annotations

import json
import platform
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from experiments.errors import ExperimentError
from ontologies.common.files import sha256, write_text

MANIFEST = "manifest.json"
#: Libraries that results depend on; a manifest and a report name their versions.
LIBRARIES = ("matplotlib", "networkx", "numba", "numpy", "owlready2", "rapidfuzz", "scipy")


@cache
def version() -> str:
    """Return alignrank's version; ``unknown`` where it runs from a bare checkout."""
    try:
        return metadata.version("alignrank")
    except metadata.PackageNotFoundError:
        return "unknown"


@cache
def libraries() -> dict[str, str]:
    """Return the versions of the libraries that results depend on, those that are installed."""
    found = {}
    for name in LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def installation() -> list[tuple[str, str]]:
    """Return what a result was computed with, as name and value, for a report's provenance."""
    listed = ", ".join(f"{name} {number}" for name, number in libraries().items())
    return [
        ("alignrank", version()),
        ("Python", platform.python_version()),
        ("libraries", listed),
    ]


def command() -> str:
    """Return the command line that makes the same results again, in a folder ``results``.

    Empty where no command was given, but a function called.
    """
    program, *arguments = sys.argv
    if Path(program).name != "alignrank":
        return ""
    kept, place = [], None
    for k, argument in enumerate(arguments):
        if argument == "--out":
            place = k + 1
        elif k == place or argument.startswith("--out="):
            kept += ["--out", "results"]
        elif argument not in ("--overwrite", "--quiet", "--json", "--verbose"):
            kept.append(argument)
    return shlex.join(["alignrank", *kept])


@contextmanager
def results_folder(out: Path, *, overwrite: bool = False) -> Iterator[Path]:
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
        _write_manifest(stage)
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


def _write_manifest(stage: Path) -> None:
    files = sorted(p for p in stage.rglob("*") if p.is_file())
    manifest: dict[str, Any] = {
        "alignrank": version(),
        "command": sys.argv,
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
