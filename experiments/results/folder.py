"""A run's results folder: filled aside, handed over in one step, whole, and read back.

What is promised, whether the run ends well, by an error, a full disk, Ctrl-C, SIGTERM or SIGKILL:

* A folder that is not there yet, or is empty, appears whole by one rename.
* Into a folder that holds something (an earlier run's files, files of the user's own) the new files
  are first brought whole; one rename then decides that they count, and each is moved to its place.
  Ctrl-C and SIGTERM wait for that; what SIGKILL or a failing disk cuts short is finished by the
  next command that reads or writes the folder.

Two runs that hand over at once come one after the other, where the file system has locks. Before
older files go, the new ones are on the disk, not only in memory.
"""

from __future__ import annotations

import json
import os
import platform
import re
import secrets
import shutil
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from alignrank.common.errors import Argument, RecordError
from alignrank.common.files import JsonObject, read_json, sha256, write_text
from alignrank.common.results import libraries, version
from alignrank.common.system import lock, open_folder
from alignrank.evaluation import Comparison
from alignrank.evaluation.multitask import Study
from alignrank.experiments.errors import ExperimentError


@contextmanager
def results_folder(
    out: Path, *, overwrite: bool = False, facts: Mapping[str, object] | None = None
) -> Iterator[Path]:
    """Give a folder to fill; when the block ends well, it is handed over with a manifest.

    Parameters
    ----------
    out, overwrite
        The results folder, and whether it may already hold files (`handed_over`, which
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
        files = sorted(p for p in stage.rglob("*") if p.is_file())
        manifest = {
            "alignrank": version(),
            "command": sys.argv,
            **(facts or {}),
            "python": platform.python_version(),
            "libraries": libraries(),
            "platform": f"{platform.system()}-{platform.release()}-{platform.machine()}",
            "written": datetime.now(UTC).isoformat(timespec="seconds"),
            "files": {p.relative_to(stage).as_posix(): sha256(p.read_bytes()) for p in files},
        }
        write_text(stage / MANIFEST, json.dumps(manifest, indent=1) + "\n")


def read_results(folder: Path) -> Comparison | Study:
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
    except (ExperimentError, RecordError) as error:
        raise ExperimentError(f"{path} {error}") from None


def read_result(content: object) -> Comparison | Study:
    """Return the result that the content of a ``summary.json`` is.

    Raises
    ------
    ExperimentError
        If it is no comparison of systems.
    RecordError
        If it is one of another schema, or does not fit.
    """
    # an older summary has edges, and no kind
    if not isinstance(content, dict) or not {"kind", "edges"} & content.keys():
        raise ExperimentError(
            "compares no systems: name the results folder of alignrank rank, compare or study"
        )
    if content.get("kind") == "study":
        return Study.from_dict(content)
    return Comparison.from_dict(content)


#: What lists the files of a run: it comes last, so that what it lists is there.
MANIFEST = "manifest.json"
#: Name of a folder that a run fills aside and keeps locked as long as it lives.
_STAGE = re.compile(r"\.alignrank-[0-9a-f]{8}")
#: What of ours may lie in a results folder that counts as empty: such a folder, and finished steps.
_ASIDE = re.compile(rf"{_STAGE.pattern}|\.alignrank-steps-.*")
#: Inside a results folder: new files that count already and are being moved to their places.
_NEW = ".alignrank-new"


@contextmanager
def handed_over(out: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Give a folder to fill; when the block ends well, its files go to `out` in one step.

    The folder is refused before any work is done if it holds anything and `overwrite` is False,
    and once more at the end: another run may have written there meanwhile. If the new files hold a
    manifest, files that the old manifest lists and that were not written again are removed;
    whatever else lies in the folder stays. What a killed run has left beside it is removed.

    Parameters
    ----------
    out
        The folder; where it is a link, the folder that it leads to.
    overwrite
        Whether it may already hold files.

    Yields
    ------
    pathlib.Path
        The folder to write to.

    Raises
    ------
    ExperimentError
        If `out` is a file, or holds something and `overwrite` is False, or something of the user's
        stands where a file goes.
    OSError
        If something cannot be written; it names the file in `out`.
    """
    out = Path(os.path.realpath(out))
    finish_handover(out)
    check_free(out, overwrite=overwrite)
    new_folders = [folder for folder in out.parents if not folder.exists()]
    stage, stage_lock = None, None
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        place = place_beside(out)
        with _locked(place), _signals_wait():
            _remove_left_over(out.parent)
            _remove_left_over(out)
            stage = _new_stage(place)
            stage.mkdir()
            stage_lock = _lock(stage)
        yield stage
        with _locked(out.parent), _signals_wait():
            _hand_over(stage, out, overwrite=overwrite)
    except OSError as error:
        raise _named(error, stage, out) from None
    finally:
        with _signals_wait():
            if stage is not None:
                shutil.rmtree(stage, ignore_errors=True)
            if stage_lock is not None:
                os.close(stage_lock)
            for folder in new_folders:  # no folder is left in which nothing is
                with suppress(OSError):
                    folder.rmdir()


def finish_handover(out: Path) -> None:
    """Move new files of `out` to their places, if a run was killed while it did so."""
    if (out / _NEW).is_dir():
        with _locked(out.absolute().parent), _signals_wait():
            _move_new(out)


def check_free(out: Path, *, overwrite: bool = False) -> None:
    """Raise `ExperimentError` if `out` cannot take results."""
    if out.exists() and not out.is_dir():
        raise ExperimentError(f"{out} is a file, not a folder: name another with {Argument('out')}")
    if not overwrite and _holds_something(out):
        raise ExperimentError(
            f"{out} is not empty: name another folder with {Argument('out')}, or add "
            f"{Argument('overwrite', True)}"
        )
    check_writable(out)


def check_writable(out: Path) -> None:
    """Raise `ExperimentError` if nothing can be written where `out` would be.

    Known before the work and not after it, which may have taken an hour. What a run that was killed
    here has left is removed.
    """
    if out.exists() and not out.is_dir() and not out.is_file():
        return  # a device or pipe is opened when there is something to say
    place = Path(os.path.realpath(out)).parent
    if out.is_dir():
        place = out.absolute()
    while not place.exists():
        place = place.parent
    _remove_left_over(place)
    probe = _new_stage(place)
    try:
        probe.mkdir()
        with suppress(FileNotFoundError):  # another run has found it, and nobody filling it
            probe.rmdir()
    except OSError as error:
        why = (error.strerror or "unknown reason").lower()
        raise ExperimentError(
            f"{out} cannot be written ({place}: {why}): name another with {Argument('out')}"
        ) from None


def _holds_something(out: Path) -> bool:
    return out.is_dir() and not all(_ASIDE.fullmatch(path.name) for path in out.iterdir())


def place_beside(out: Path) -> Path:
    """Return where `out` is filled aside: beside it, or inside where it cannot be replaced."""
    if not out.is_dir():
        return out.parent
    fixed = os.path.ismount(out) or not os.access(out.parent, os.W_OK | os.X_OK)
    with suppress(FileNotFoundError):  # the current directory may be gone
        fixed = fixed or Path.cwd().is_relative_to(out)
    if fixed:
        return out
    return out.parent


def _new_stage(place: Path) -> Path:
    return place / f".alignrank-{secrets.token_hex(4)}"


def _remove_left_over(place: Path) -> None:
    """Remove folders filled by runs that were killed: nobody holds their locks any more."""
    if not os.access(place, os.R_OK):
        return
    for path in place.iterdir():
        if _STAGE.fullmatch(path.name) and path.is_dir() and not path.is_symlink():
            handle = _lock(path)
            if handle is not None:
                shutil.rmtree(path, ignore_errors=True)
                os.close(handle)


def _hand_over(stage: Path, out: Path, *, overwrite: bool) -> None:
    if (out / _NEW).is_dir():
        _move_new(out)
    if not overwrite and _holds_something(out):
        raise ExperimentError(
            f"{out} is not empty any more, another run has written there: name another folder with "
            f"{Argument('out')}, or add {Argument('overwrite', True)}"
        )
    fresh = _files(stage)
    _check_way(out, fresh)
    if not (stage.parent == out.parent and _appeared(stage, out)):
        _moved_in(stage, out, fresh)


def _check_way(out: Path, fresh: set[Path]) -> None:
    """Raise `ExperimentError` if something of the user's stands where a file or its folder goes."""
    folders = {parent for path in fresh for parent in path.parents}
    in_the_way = [
        *(p for p in (out / path for path in folders) if p.exists() and not _is_our_folder(p, out)),
        *(p for p in (out / path for path in fresh) if os.path.lexists(p) and not _is_plain(p)),
    ]
    if in_the_way:
        raise ExperimentError(
            f"{min(in_the_way)} stands where results go: move it, or name another with "
            f"{Argument('out')}"
        )


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _is_our_folder(path: Path, out: Path) -> bool:
    """Tell whether files can be renamed into a folder: neither a link nor another file system."""
    return path == out or (path.is_dir() and not path.is_symlink() and not os.path.ismount(path))


def _appeared(stage: Path, out: Path) -> bool:
    """Let the folder `stage` appear as `out` by one rename; False where files are there."""
    try:
        if out.is_dir():
            if any(out.iterdir()):
                return False
            shutil.copystat(out, stage)
        stage.rename(out)
    except OSError:  # a mount point, for example: file by file, then, or the same error again
        return False
    return True


def _moved_in(stage: Path, out: Path, fresh: set[Path]) -> None:
    """Bring `stage` into `out` whole; one rename says that it counts, then its files are moved."""
    inside, new_folders = out / stage.name, list[Path]()
    try:
        out.mkdir(exist_ok=True)
        if inside != stage:
            try:
                stage.rename(inside)
            except OSError:  # another file system, mounted there
                copy_files(stage, inside)
        for folder in sorted({out / parent for path in fresh for parent in path.parents}):
            if not folder.exists():
                folder.mkdir()  # while the disk may still be full
                new_folders.append(folder)
        _to_disk(inside)
        inside.rename(out / _NEW)
    except BaseException:
        shutil.rmtree(inside, ignore_errors=True)
        for folder in reversed(new_folders):
            with suppress(OSError):
                folder.rmdir()
        raise
    try:
        _move_new(out)
    except OSError:  # once more: it goes on where it was
        _move_new(out)


def copy_files(source: Path, target: Path) -> None:
    """Copy all files below a folder; the first error is raised unchanged."""
    for path in sorted(source.rglob("*")):
        place = target / path.relative_to(source)
        if path.is_file():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, place)


def _move_new(out: Path) -> None:
    """Move the new files to their places; after an interruption it goes on where it was."""
    new, stale = out / _NEW, set[Path]()
    if (new / MANIFEST).exists():
        stale = _listed(out).keys() - _listed(new).keys()
    for path in sorted(_files(new) - {Path(MANIFEST)}):
        (out / path.parent).mkdir(parents=True, exist_ok=True)
        (new / path).replace(out / path)
    for path in sorted(stale):
        if _is_plain(out / path):
            (out / path).unlink()
        for folder in (out / path).relative_to(out).parents[:-1]:
            with suppress(OSError):  # something else is in it
                (out / folder).rmdir()
    if (new / MANIFEST).exists():
        (new / MANIFEST).replace(out / MANIFEST)
    shutil.rmtree(new)


def _files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def changed_files(out: Path) -> list[str]:
    """Return the files of a results folder that are no longer as its manifest lists them."""
    return sorted(
        path.as_posix()
        for path, digest in _listed(out).items()
        if not (out / path).is_file() or sha256((out / path).read_bytes()) != digest
    )


def read_manifest(out: Path) -> JsonObject:
    """Return the content of a results folder's manifest; empty where it cannot be read."""
    try:
        content = json.loads((out / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _listed(out: Path) -> dict[Path, object]:
    """Return the files that a run's manifest lists, never one outside `out`, and their hashes."""
    files = read_manifest(out).get("files")
    if not isinstance(files, dict):
        return {}
    relative = {Path(name): digest for name, digest in files.items()}
    inside = os.path.realpath(out)
    return {
        path: digest
        for path, digest in relative.items()
        if not path.is_absolute()
        and ".." not in path.parts
        and Path(os.path.realpath(out / path.parent)).is_relative_to(inside)
    }


def _to_disk(folder: Path) -> None:
    for path in _files(folder):
        with (folder / path).open("rb+") as file:
            os.fsync(file.fileno())


def _lock(folder: Path) -> int | None:
    """Lock a folder without waiting; None where another process holds it, or nobody can lock it."""
    handle = open_folder(folder)
    if handle is None or lock(handle, wait=False):
        return handle
    os.close(handle)
    return None


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Wait until no other run is in such a block of the same folder."""
    handle = open_folder(folder)
    try:
        if handle is not None:
            lock(handle, wait=True)
        yield
    finally:
        if handle is not None:
            os.close(handle)


@contextmanager
def _signals_wait() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM wait until the block, a matter of milliseconds, has ended."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals go to the main thread
        return
    came: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _frame: came.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])


def _named(error: OSError, stage: Path | None, out: Path) -> OSError:
    """Return the error with the file's name in `out`, not in the folder aside."""
    if isinstance(error.filename, str | bytes) and stage is not None:
        path = Path(os.fsdecode(error.filename))
        for folder in (stage, out / stage.name):
            if path.is_relative_to(folder):
                return OSError(error.errno, error.strerror, str(out / path.relative_to(folder)))
    if error.filename is None and error.errno is not None:
        return OSError(error.errno, error.strerror, str(out))
    return error
