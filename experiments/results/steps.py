"""Long work: finished steps are kept beside the results, and a batch goes on past what fails."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar, cast

from alignrank.common.errors import EvaluationError, MatcherError, OntologyError
from alignrank.common.executor import in_order
from alignrank.common.files import sha256, write_text
from alignrank.common.results import version
from alignrank.experiments.errors import ExperimentError
from alignrank.matchers import Metric

from .folder import (
    check_free,
    copy_files,
    finish_handover,
    handed_over,
    place_beside,
    read_manifest,
)

T = TypeVar("T")

_DEPENDS_ON = "depends-on.txt"
#: What ``--resume`` says of results that are complete.
DONE = "done before, nothing is left to do"


def fingerprint(facts: Mapping[str, object], paths: Iterable[Path | None] = ()) -> str:
    """Return the SHA-256 of settings, of input files, and of alignrank's version.

    Parameters
    ----------
    facts
        Settings by name.
    paths
        Files; folders stand for all files below them, None for nothing.
    """
    files: list[Path] = []
    for path in filter(None, paths):
        if path.is_dir():
            files += sorted(file for file in path.rglob("*") if file.is_file())
        else:
            files.append(path)
    content = {
        **{name: str(fact) for name, fact in facts.items()},
        "files": [sha256(file.read_bytes()) for file in files],
        "version": version(),
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def metric_files(metrics: Sequence[Metric]) -> list[Path]:
    """Return the files of the user's own metrics."""
    modules = [sys.modules.get(metric.source) for metric in metrics if metric.family == "custom"]
    return [Path(module.__file__) for module in modules if module and module.__file__]


def is_done(out: Path, made_of: str) -> bool:
    """Tell whether a results folder is complete, and its manifest has this fingerprint."""
    finish_handover(out)
    done = read_manifest(out).get("fingerprint") == made_of
    if done:
        remove_left_steps(out)
    return done


def remove_left_steps(out: Path) -> None:
    """Remove the finished steps of complete results: a signal may have kept them."""
    shutil.rmtree(_steps_folder(out), ignore_errors=True)


def _steps_folder(out: Path) -> Path:
    """Return the folder of the finished steps, beside the results folder."""
    out = Path(os.path.realpath(out))
    return place_beside(out) / f".alignrank-steps-{out.name}"


class Steps:
    """The finished steps of a command, until its results are handed over.

    A step is a folder that was handed over whole, with the fingerprint of what it depends on.

    Parameters
    ----------
    out
        The results folder, beside which the steps lie; None: nothing is kept.
    resume
        Whether to go on with an earlier run's steps; else they are removed.
    overwrite
        Whether `out` may already hold files.

    Raises
    ------
    ExperimentError
        If there is no `out` to resume, or it cannot take results.
    """

    def __init__(self, out: Path | None, *, resume: bool, overwrite: bool) -> None:
        self._folder = None
        if out is None:
            if resume:
                raise ExperimentError("--resume goes on beside the results folder: add --out")
            return
        if not out.is_file():  # a command that writes one file has asked already
            check_free(out, overwrite=overwrite)
        self._folder = _steps_folder(out)
        if not resume:
            self.forget()

    @property
    def kept(self) -> bool:
        """Whether steps are kept at all."""
        return self._folder is not None

    def finished(self, name: str, depends_on: str) -> Path | None:
        """Return the folder of a step that an earlier run has finished.

        Raises
        ------
        ExperimentError
            If it was finished with other settings, inputs or another version.
        """
        if self._folder is None or not (self._folder / name).is_dir():
            return None
        if not (self._folder / name / _DEPENDS_ON).is_file():  # its removal was interrupted
            shutil.rmtree(self._folder / name)
            return None
        if (self._folder / name / _DEPENDS_ON).read_text(encoding="utf-8") != depends_on:
            raise ExperimentError(
                f"{name} was finished with other settings, inputs or another version of alignrank: "
                "leave out --resume to begin anew"
            )
        return self._folder / name

    def step(self, name: str, depends_on: str, fill: Callable[[Path], None]) -> Path:
        """Return the folder of a finished step, filled now or by an earlier run."""
        assert self._folder is not None
        folder = self.finished(name, depends_on)
        if folder is None:
            folder = self._folder / name
            with handed_over(folder) as stage:
                fill(stage)
                write_text(stage / _DEPENDS_ON, depends_on)
        return folder

    def copy(self, name: str, folder: Path) -> None:
        """Copy the files of a finished step into a folder of the results."""
        assert self._folder is not None
        copy_files(self._folder / name, folder)
        (folder / _DEPENDS_ON).unlink(missing_ok=True)

    def forget(self) -> None:
        """Remove all steps: the results are handed over, or the work begins anew."""
        if self._folder is not None:
            # first what says that a step is whole: a signal may come at any moment
            for mark in self._folder.glob(f"*/{_DEPENDS_ON}"):
                mark.unlink(missing_ok=True)
            shutil.rmtree(self._folder, ignore_errors=True)


#: What the reader of a message can mend; anything else is a fault of this program.
_MENDABLE = (OntologyError, MatcherError, EvaluationError, ExperimentError, OSError)


class Batch:
    """The parts of a batch that failed.

    Attributes
    ----------
    failures
        Why each failed part did, by its name.

    Examples
    --------
    >>> def halve(number: int) -> float:
    ...     if number % 2:
    ...         raise ExperimentError("an odd number")
    ...     return number / 2
    >>> batch = Batch()
    >>> list(batch.results(halve, {"six": (6,), "seven": (7,)})), batch.failures
    ([('six', 3.0)], {'seven': 'an odd number'})
    """

    def __init__(self) -> None:
        self.failures: dict[str, str] = {}

    def results(
        self, work: Callable[..., T], parts: Mapping[str, tuple[object, ...]]
    ) -> Iterator[tuple[str, T]]:
        """Yield the name and the result of each part that succeeds, in their order.

        A cluster's workers share the parts (`alignrank.common.executor.in_order`). The batch goes
        on where a part fails for a reason that the user can mend.
        """
        outcomes = in_order(_attempt, ((work, *arguments) for arguments in parts.values()))
        for name, (result, failure) in zip(parts, outcomes, strict=True):
            if failure is None:
                yield name, cast(T, result)
            else:
                self.failures[name] = failure


def _attempt(work: Callable[..., T], *arguments: object) -> tuple[T | None, str | None]:
    """Return the result, or else why there is none."""
    try:
        return work(*arguments), None
    except _MENDABLE as error:
        return None, " ".join(str(error).split())
