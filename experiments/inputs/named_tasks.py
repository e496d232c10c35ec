"""Pairs of ontologies with a reference, as the user names them: three files, or tasks by name.

Nothing heavy is imported here: a worker begins to load a pair before the first process has imported
what it needs itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from experiments.errors import ExperimentError
from ontologies.tasks import MatchingTask, archived, data_folders, find_tasks
from ontologies.tasks.filters import filters


@dataclass(frozen=True)
class PairFiles:
    """The files of an ontology pair.

    Parameters
    ----------
    source, target
        The ontologies.
    reference
        What is right.
    imports
        Folder with local copies of what the ontologies import.
    """

    source: Path
    target: Path
    reference: Path
    imports: Path | None = None


def tasks_by_name(names: Sequence[str], data: Path | None) -> list[MatchingTask]:
    """Return the tasks of all names.

    Raises
    ------
    ExperimentError
        If two tasks are called the same, or the data folder is not there.
    """
    if data is not None and not data.is_dir():
        raise ExperimentError(f"--data {data}: there is no such folder")
    tasks = list(chain.from_iterable(find_tasks(name, data_folders(data)) for name in names))
    taken: set[str] = set()
    for task in tasks:
        if task.name in taken:
            raise ExperimentError(
                f"two tasks are called {task.name!r}: name each once with --task, and call their "
                "folders differently"
            )
        taken.add(task.name)
    return tasks


def one_task(name: str, data: Path | None) -> MatchingTask:
    """Return the task of a name; refuse a name of several."""
    first, *others = tasks_by_name([name], data)
    if others:
        many = len(others) + 1
        raise ExperimentError(f"--task {name} is {many} tasks: name one, as {name}/{first.name}")
    return first


def track_filters(track: str) -> tuple[str, ...]:
    """Return what a track leaves out before it counts, by the filter's name."""
    rule = f"oaei-{track}"
    return (rule,) if rule in filters() else ()


class JudgedTask(NamedTuple):
    """A task by name, and the systems that are judged on it."""

    task: MatchingTask
    systems: Sequence[str]
    filters: tuple[str, ...]


def judged_task(name: str, data: Path | None, given: Sequence[Path | str | None]) -> JudgedTask:
    """Return a task, the systems that were given for it, and the track's filter.

    A single system, or none, is joined by those of the youngest campaign that is here.
    """
    task = one_task(name, data)
    systems = [str(file) for file in given if file]
    if len(systems) < 2:
        campaigns = archived(task)
        here = campaigns[max(campaigns)] if campaigns else task.alignments
        systems += [f"{system}={file}" for system, file in here.items()]
    return JudgedTask(task, systems, track_filters(task.track))
