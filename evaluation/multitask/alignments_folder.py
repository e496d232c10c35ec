"""A score table from a folder of alignments, ``SYSTEM-task.rdf``, and one of references."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from evaluation.credit.counts import score
from evaluation.errors import EvaluationError
from ontologies import Alignment, read_alignment
from ontologies.common.progress import track

from .score_table import Missing, ScoreTable, assembled


def f1(alignment: Alignment, reference: Alignment) -> float:
    """F1 of an alignment, as the OAEI counts it."""
    return score(alignment, reference).f1


def score_folder(
    alignments: str | os.PathLike[str],
    references: str | os.PathLike[str],
    *,
    measure: Callable[[Alignment, Alignment], float] = f1,
    missing: Missing = "refuse",
    mend_namespaces: bool = False,
) -> ScoreTable:
    """Score every alignment of a folder against its task's reference.

    Parameters
    ----------
    alignments
        Folder of files ``SYSTEM-task.rdf``. The task is matched without regard to case; a
        system's name may hold hyphens.
    references
        Folder of files ``task.rdf``.
    measure
        Function of (alignment, reference); larger is better. Its name becomes the table's
        `measure`.
    missing
        What to do if a system has no file for a task: see `read_scores`.
    mend_namespaces
        Read namespaces that differ from the reference's in upper and lower case only as the
        reference's. `cautions` lists them. Without it such files are refused, because every
        correspondence in them would silently count as wrong.

    Returns
    -------
    ScoreTable
        Tasks and systems in alphabetical order.

    Raises
    ------
    EvaluationError
        If a folder is missing or holds no file, a file's task is unknown, two files have the same
        system and task, a result is missing, or namespaces differ in case only.
    """
    gold = {path.stem: read_alignment(path) for path in _files(references)}
    tasks = sorted(gold, key=str.casefold)
    _check_tasks(tasks, Path(references))
    files = _by_system_and_task(_files(alignments), tasks)
    systems = sorted({system for system, _ in files})
    scores = np.full((len(tasks), len(systems)), np.nan)
    cautions: list[str] = []
    misspelt: dict[tuple[str, str], list[str]] = {}
    for (system, task), path in track(files.items(), len(files), "alignments"):
        alignment, reference = read_alignment(path, name=system), gold[task]
        twins = _case_twins(alignment, reference)
        for twin in twins.items():
            misspelt.setdefault(twin, []).append(path.name)
        alignment = _mended(alignment, twins)
        if len(alignment) and not _namespaces(alignment) & _namespaces(reference):
            cautions.append(
                f"{path.name}: no namespace in common with the reference: its score means little."
            )
        value = measure(alignment, reference)
        if not math.isfinite(value):
            raise EvaluationError(f"{path}: the measure is {value}: it must be a finite number")
        scores[tasks.index(task), systems.index(system)] = value
    if misspelt and not mend_namespaces:
        raise EvaluationError(
            f"{'; '.join(_spelling(*item) for item in misspelt.items())}: no correspondence there "
            "could be right. Mend the namespaces with --mend-namespaces"
        )
    cautions = [f"{_spelling(*item)}: mended." for item in misspelt.items()] + cautions
    name = getattr(measure, "__name__", "score")
    return assembled(tasks, systems, scores, missing, measure=name, cautions=cautions)


def _spelling(twin: tuple[str, str], names: list[str]) -> str:
    shown = ", ".join(names[:2]) + (", …" if len(names) > 2 else "")
    files = "1 file names" if len(names) == 1 else f"{len(names)} files name"
    return f"{files} {twin[0]} where the reference has {twin[1]} ({shown})"


def _files(folder: str | os.PathLike[str]) -> list[Path]:
    folder = Path(folder)
    if not folder.is_dir():
        raise EvaluationError(f"{folder} is not a folder: name the one with the alignment files")
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".rdf")
    if not files:
        raise EvaluationError(f"{folder} holds no alignment file (.rdf)")
    return files


def _check_tasks(tasks: list[str], folder: Path) -> None:
    for first, second in pairwise(tasks):
        if first.casefold() == second.casefold():
            raise EvaluationError(
                f"{folder}: the references {first}.rdf and {second}.rdf differ in case only, and "
                "tasks are matched without regard to case: rename or remove one"
            )


def _by_system_and_task(paths: Iterable[Path], tasks: list[str]) -> dict[tuple[str, str], Path]:
    """Read system and task from the files' names; the longest task that fits is meant."""
    longest_first = sorted(tasks, key=len, reverse=True)
    files: dict[tuple[str, str], Path] = {}
    for path in paths:
        stem = path.stem
        task = next(
            (t for t in longest_first if stem.casefold().endswith(f"-{t.casefold()}")), None
        )
        system = stem[: -len(task) - 1] if task else ""
        if task is None or not system:
            raise EvaluationError(
                f"{path}: the name must be SYSTEM-task.rdf, and the task one that has a reference "
                f"({', '.join(tasks[:3])}, …)"
            )
        if (system, task) in files:
            raise EvaluationError(
                f"{path} and {files[system, task].name} are both {system!r} on {task!r}: remove one"
            )
        files[system, task] = path
    return files


def _namespace(iri: str) -> str:
    """Return an IRI up to its last ``#`` or ``/``."""
    return iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]


def _namespaces(alignment: Alignment) -> set[str]:
    return {_namespace(entity) for c in alignment for entity in c.pair}


def _case_twins(alignment: Alignment, reference: Alignment) -> dict[str, str]:
    """Map the namespaces that differ from one of the reference's in case only."""
    of_reference = _namespaces(reference)
    folded = {namespace.casefold(): namespace for namespace in sorted(of_reference)}
    return {
        namespace: folded[namespace.casefold()]
        for namespace in sorted(_namespaces(alignment) - of_reference)
        if namespace.casefold() in folded
    }


def _mended(alignment: Alignment, twins: dict[str, str]) -> Alignment:
    def mend(iri: str) -> str:
        namespace = _namespace(iri)
        return twins.get(namespace, namespace) + iri[len(namespace) :]

    return alignment.with_correspondences(
        replace(c, entity1=mend(c.entity1), entity2=mend(c.entity2)) for c in alignment
    )
