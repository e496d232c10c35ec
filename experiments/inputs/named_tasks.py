"""Pairs of ontologies with a reference, as the user names them: three files, or tasks by name.

Nothing heavy is imported here: a worker begins to load a pair before the first process has imported
what it needs itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from experiments.errors import ExperimentError
from ontologies.tasks import MatchingTask, data_folders, find_tasks


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
