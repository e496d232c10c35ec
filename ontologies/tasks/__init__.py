"""Matching tasks: two ontologies, the reference between them, and systems' alignments."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import chain
from pathlib import Path

from alignrank.common.errors import OntologyError
from alignrank.common.files import FilePath
from alignrank.common.names import hint, nearest, refuse_unknown

from .catalogue import data_folder as data_folder
from .catalogue import data_folders as data_folders
from .catalogue import data_sets
from .filters import Filter, filters

#: Our own ontology pairs, written by hand.
BUNDLED = ("library", "petclinic", "citytransit", "foodchain", "vehicles")
#: A generated pair, large enough for significant differences between metrics.
DEMO = "demo"

#: Host of the OAEI's test data: the folder under which its tracks lie, here as in MELT's cache.
OAEI_HOST = "oaei.webdatacommons.org"


@dataclass(frozen=True)
class MatchingTask:
    """The files of one matching task.

    Parameters
    ----------
    name
        Name of the task in tables and on the command line.
    source, target
        The ontologies to match.
    reference
        The reference alignment.
    alignments
        Alignment file of each system that is bundled with the task, by the system's name.
    track
        First part of the name that `find_tasks` was called with.
    rule
        The track's filter; None if it has none.
    """

    name: str
    source: Path
    target: Path
    reference: Path
    alignments: Mapping[str, Path] = field(default_factory=dict)
    track: str = ""
    rule: Filter | None = None


def find_tasks(name: FilePath, data: Iterable[Path] = ()) -> list[MatchingTask]:
    """Return the tasks with a name.

    Parameters
    ----------
    name
        One of our own pairs (`BUNDLED`), or ``bundled`` for all of them; ``demo``; ``anatomy``;
        ``conference`` for its 21 pairs, ``conference/cmt-ekaw`` for one; ``benchmark-2008``, or
        ``benchmark-2008/205``; a track of the OAEI as
        ``collection/version``, one of its cases as ``collection/version/case``; a pair that was
        added to the data folder under that name (``alignrank data add``); or any folder with
        files ``source``, ``target`` and ``reference``, or with such folders in it.
    data
        Folders with downloaded data (`data_folders`).

    Returns
    -------
    list of MatchingTask
        In the order of their names.

    Raises
    ------
    OntologyError
        If there is no such task; the message says whether it can be downloaded.

    Examples
    --------
    >>> [task.name for task in find_tasks("bundled")][:2]
    ['library', 'petclinic']
    """
    name = os.fspath(name)
    if name == "bundled":
        return bundled_tasks()
    # messages name one of several tasks so, whatever the name of them all is
    one = name.removeprefix("bundled/")
    if one in (*BUNDLED, DEMO):
        return [bundled_task(one)]
    roots = list(data)
    tasks = _downloaded(name, roots) or folder_tasks(Path(name))
    if not tasks:
        raise OntologyError(_why_not(name, roots))
    track = name.partition("/")[0]
    rule = filters(roots).get(f"oaei-{track}")
    return [replace(task, track=track, rule=rule) for task in tasks]


def _downloaded(name: str, roots: Iterable[Path]) -> list[MatchingTask]:
    """Return the tasks of that name in the first data folder that has some."""
    track, _, case = name.partition("/")
    for root in roots:
        tasks = folder_tasks(root / OAEI_HOST / name)
        if not tasks and _is_folder_name(track) and "/" not in case:
            of_track = _campaign_tasks(root, track) or folder_tasks(root / track)
            tasks = [task for task in of_track if case in ("", task.name)]
        if tasks:
            return tasks
    return []


def _campaign_tasks(root: Path, track: str) -> list[MatchingTask]:
    """Return the tasks of a track whose campaign says where in the data folder their files lie."""
    campaign = data_sets([root]).get(track)
    tasks = []
    for name, roles in campaign.tasks.items() if campaign else ():
        source, target, reference = (root / roles[r] for r in ("source", "target", "reference"))
        systems = {p.stem: p for p in sorted((root / roles.get("systems", "")).glob("*.rdf"))}
        if source.is_file() and target.is_file() and reference.is_file():
            tasks.append(MatchingTask(name, source, target, reference, systems))
    return tasks


def _is_folder_name(name: str) -> bool:
    """Return whether a name is that of one folder below another, and no path.

    Examples
    --------
    >>> [_is_folder_name(name) for name in ("mine", "a/b", "..", "")]
    [True, False, False, False]
    """
    return Path(name).name == name and name not in ("", "..")


def _why_not(name: str, roots: Sequence[Path]) -> str:
    """Return the advice for a name without a task."""
    parent, _, case = name.rpartition("/")
    tracks = {
        campaign.name
        for campaign in data_sets(roots).values()
        if campaign.suite or any("/ref" in file.path for file in campaign.files)
    }
    track = name if name in tracks else parent
    if track not in tracks:
        own = {task.name for task in own_tasks(roots)}
        names = ("bundled", *BUNDLED, DEMO, *sorted(tracks | own))
        if nearest(name, names):
            return f"no task is named {name!r}: {hint(name, names)}"
        return (
            f"no task is named {name!r}: use bundled, {', '.join(BUNDLED)}, or a folder with the "
            "files source, target and reference; anatomy, conference and the OAEI's other tracks "
            "are there after alignrank data fetch (alignrank data list names them)"
        )
    cases = [task.name for task in _downloaded(track, roots)]
    if cases:
        return f"{track} has no task {case!r}: {hint(case, cases)}"
    return f"{name} is not there, or not complete: alignrank data fetch {track}"


def own_tasks(roots: Iterable[Path]) -> list[MatchingTask]:
    """Return the pairs that were added to data folders (``alignrank data add``), by name."""
    return sorted(chain.from_iterable(map(_tasks_below, roots)), key=lambda task: task.name)


def folder_tasks(folder: Path) -> list[MatchingTask]:
    """Return the task in a folder, or the tasks in its subfolders; empty if there is none.

    A task's folder holds three files whose stems are ``source``, ``target`` and ``reference``, as
    MELT's cache holds a track's test cases. Or the tasks share ontologies: then they lie in
    ``ontologies``, and the references, named ``one-two.rdf``, in ``reference`` or ``references``.
    Or they are those of the bibliographic benchmark: ``101/onto.rdf`` with each of the others.
    """
    return (
        _folder_task(folder) or _tasks_below(folder) or _named_pairs(folder) or _benchmark(folder)
    )


def _tasks_below(folder: Path) -> list[MatchingTask]:
    tasks = []
    if folder.is_dir():
        for path in sorted(folder.iterdir()):
            tasks += _folder_task(path)
    return tasks


def _folder_task(folder: Path) -> list[MatchingTask]:
    """Return the task in a folder, alone in a list; empty if there is none."""
    by_stem = {path.stem: path for path in _files(folder)}
    if not by_stem.keys() >= {"source", "target", "reference"}:
        return []
    source = by_stem["source"]
    target = by_stem["target"]
    reference = by_stem["reference"]
    return [MatchingTask(folder.resolve().name, source, target, reference)]


def _benchmark(folder: Path) -> list[MatchingTask]:
    """Return the bibliographic benchmark's tasks: ontology 101 with each of the others."""
    source = folder / "101" / "onto.rdf"
    references = [p for p in sorted(folder.glob("*/refalign.rdf")) if source.is_file()]
    return [MatchingTask(p.parent.name, source, p.with_name("onto.rdf"), p) for p in references]


def task_of_reference(reference: Path) -> MatchingTask | None:
    """Return the task that a reference alignment belongs to; None if its folders hold no task.

    The task's ontologies lie beside the reference, or where `find_tasks` looks for them in the
    folder above. Their paths begin as the reference's does, as those of `find_tasks` begin as the
    data folder's: a result names its files alike whichever way the task was named.

    Examples
    --------
    >>> task_of_reference(bundled_task("library").reference).name
    'library'
    """
    case = reference.resolve().parent
    version = case.parent
    collection = case.parent.parent
    track = case if case.name in data_sets([version]) else version
    if collection.parent.name == OAEI_HOST:
        track = collection
    own = _campaign_tasks(version, case.name)
    for task in (*_folder_task(case), *own, *_benchmark(version), *_named_pairs(version)):
        if task.reference.resolve() == reference.resolve():
            source, target = (_seen_from(reference, file) for file in (task.source, task.target))
            rule = filters([track.parent]).get(f"oaei-{track.name}")
            return MatchingTask(
                task.name, source, target, reference, task.alignments, track.name, rule
            )
    return None


def _seen_from(reference: Path, file: Path) -> Path:
    """Return a file's path that begins as that of a reference; `file` if links prevent it."""
    seen = reference.parent
    for part in Path(os.path.relpath(file, reference.resolve().parent)).parts:
        if part == ".." and seen.name not in ("", ".."):
            seen = seen.parent
        else:
            seen /= part
    if seen.resolve() == file.resolve():
        return seen
    return file


def archived(task: MatchingTask) -> dict[str, dict[str, Path]]:
    """Return the fetched alignments of a task by the systems of past campaigns.

    Returns
    -------
    dict
        Alignment file by year, then by system. They lie beside the references' track in
        ``systems-YEAR``, as ``SYSTEM.rdf`` or, for a track of several tasks, ``SYSTEM-TASK.rdf``.
        Of a track of the OAEI they lie under its plain name, and TASK may be the version's name
        without track and year: ``fma_nci_small`` of ``largebio-fma_nci_small_2016``.
    """
    case = task.reference.parent
    version = case.parent
    collection = case.parent.parent
    folders = [*case.glob("systems-*"), *version.glob("systems-*")]
    names = {task.name.casefold()}
    if collection.parent.name == OAEI_HOST:
        folders += collection.parent.parent.glob(f"{collection.name}/systems-*")
        names.add(version.name.removeprefix(f"{collection.name}-").rpartition("_")[0])
    by_year: dict[str, dict[str, Path]] = {}
    for folder in sorted(folders):
        systems: dict[str, Path] = {}
        for path in folder.glob("*.rdf"):
            splits = _splits(path.stem)
            if folder.parent == case:  # files beside a single task do not name it
                splits = [(path.stem, task.name)]
            systems |= {system: path for system, name in splits if name.casefold() in names}
        if systems:
            by_year[folder.name.removeprefix("systems-")] = dict(sorted(systems.items()))
    return by_year


def _named_pairs(folder: Path) -> list[MatchingTask]:
    """Return the pairs that have a reference ``one-two.rdf``, ignoring case."""
    ontologies = {p.stem.casefold(): p for p in _files(folder / "ontologies")}
    references = _files(folder / "reference") + _files(folder / "references")
    tasks = []
    for reference in sorted(references, key=lambda p: p.stem.casefold()):
        for source, target in _splits(reference.stem.casefold()):
            if source in ontologies and target in ontologies:
                pair = ontologies[source], ontologies[target]
                tasks.append(MatchingTask(reference.stem, *pair, reference))
                break
    return tasks


def _files(folder: Path) -> list[Path]:
    if folder.is_dir():  # a copy that an editor leaves ends in ~
        return sorted(p for p in folder.iterdir() if p.is_file() and not p.name.endswith("~"))
    return []


def _splits(name: str) -> list[tuple[str, str]]:
    """Split a name in two at each of its hyphens: an ontology's name may hold hyphens.

    Examples
    --------
    >>> _splits("cmt-ekaw-2")
    [('cmt', 'ekaw-2'), ('cmt-ekaw', '2')]
    """
    parts = name.split("-")
    return [("-".join(parts[:i]), "-".join(parts[i:])) for i in range(1, len(parts))]


def bundled_folder(name: str) -> Path:
    """Return the folder of a bundled data set: an ontology pair, or ``synsets`` (tables only).

    Parameters
    ----------
    name
        One of `BUNDLED`, ``demo`` or ``synsets``.

    Raises
    ------
    OntologyError
        If there is no data set of that name.

    Examples
    --------
    >>> (bundled_folder("library") / "README.md").exists()
    True
    """
    refuse_unknown("bundled data set", name, (*BUNDLED, DEMO, "synsets"), OntologyError)
    return Path(str(files("alignrank.ontologies") / "bundled" / name))


def bundled_task(name: str) -> MatchingTask:
    """Return one of our own ontology pairs.

    Parameters
    ----------
    name
        One of `BUNDLED`, or ``demo``.

    Raises
    ------
    OntologyError
        If there is no pair of that name.

    Examples
    --------
    >>> task = bundled_task("library")
    >>> task.source.name, sorted(task.alignments)
    ('source.owl', ['system_bad', 'system_good', 'system_near_miss'])
    """
    refuse_unknown("bundled pair", name, (*BUNDLED, DEMO), OntologyError)
    folder = bundled_folder(name)
    systems = {path.stem: path for path in sorted((folder / "alignments").glob("*.rdf"))}
    source = folder / "source.owl"
    target = folder / "target.owl"
    return MatchingTask(name, source, target, folder / "reference.rdf", systems)


def bundled_tasks() -> list[MatchingTask]:
    """Return all our own ontology pairs, in the order of `BUNDLED`."""
    return [bundled_task(name) for name in BUNDLED]
