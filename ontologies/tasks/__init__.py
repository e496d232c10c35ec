"""Matching tasks: two ontologies, the reference between them, and systems' alignments."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path

import platformdirs

from alignrank.common.errors import OntologyError
from alignrank.common.names import hint, nearest, refuse_unknown

from .catalogue import data_sets

#: Our own ontology pairs, written by hand.
BUNDLED = ("library", "petclinic", "citytransit", "foodchain", "vehicles")
#: A generated pair, so large that metrics can be told apart.
DEMO = "demo"

#: Tracks whose files `alignrank.ontologies.tasks.catalogue` lists one by one, with checksums.
PINNED_TRACKS = ("anatomy", "conference", "benchmark-2008")

#: Host of the OAEI's test data: the folder under which its tracks lie, here as in MELT's cache.
OAEI_HOST = "oaei.webdatacommons.org"


def data_folder() -> Path:
    """Return the folder that downloads go to: ``$ALIGNRANK_DATA``, or the user's cache folder."""
    named = os.environ.get("ALIGNRANK_DATA")
    if named:
        return Path(named)
    return platformdirs.user_cache_path("alignrank")


def data_folders(given: Path | None = None) -> list[Path]:
    """Return the folders in which data is looked for, in this order.

    Parameters
    ----------
    given
        Folder to look in, and in no other.

    Returns
    -------
    list of pathlib.Path
        `given`; without it, `data_folder` and MELT's cache in the home folder.
    """
    return [given] if given else [data_folder(), Path.home() / "oaei_track_cache"]


@dataclass(frozen=True)
class MatchingTask:
    """The files of one matching task.

    Parameters
    ----------
    name
        What the task is called in tables and on the command line.
    source, target
        The ontologies to match.
    reference
        The reference alignment.
    alignments
        Alignment file of each system that is bundled with the task, by the system's name.
    track
        The first part of the name by which it was found.
    """

    name: str
    source: Path
    target: Path
    reference: Path
    alignments: Mapping[str, Path] = field(default_factory=dict)
    track: str = ""


def find_tasks(name: str, data: Iterable[Path] = ()) -> list[MatchingTask]:
    """Return the tasks that a name stands for.

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
        Folders in which downloaded data lies (`data_folders`).

    Returns
    -------
    list of MatchingTask
        In the order of their names.

    Raises
    ------
    OntologyError
        If nothing has that name; the message says whether it can be downloaded.

    Examples
    --------
    >>> [task.name for task in find_tasks("bundled")][:2]
    ['library', 'petclinic']
    """
    if name == "bundled":
        return bundled_tasks()
    if name in (*BUNDLED, DEMO):
        return [bundled_task(name)]
    roots = list(data)
    found = _downloaded(name, roots) or folder_tasks(Path(name))
    if not found:
        raise OntologyError(_why_not(name, roots))
    return [replace(task, track=name.partition("/")[0]) for task in found]


def _downloaded(name: str, roots: Iterable[Path]) -> list[MatchingTask]:
    """Return the tasks of that name in the first data folder that has some."""
    track, _, case = name.partition("/")
    for root in roots:
        found = []
        if track == "anatomy" and not case:
            found = _anatomy(root)
        elif track == "conference" and "/" not in case:
            found = [t for t in _named_pairs(root / "conference") if case in ("", t.name)]
        elif track == "benchmark-2008":
            found = [t for t in _benchmark(root / track) if case in ("", t.name)]
        found = found or folder_tasks(root / OAEI_HOST / name)
        if not found and _is_one_name(name) and (own := _folder_task(root / name)):
            found = [own]
        if found:
            return found
    return []


def _is_one_name(name: str) -> bool:
    """Tell whether a name is that of one folder below another, and no path.

    Examples
    --------
    >>> [_is_one_name(name) for name in ("mine", "a/b", "..", "")]
    [True, False, False, False]
    """
    return Path(name).name == name and name not in ("", "..")


def _why_not(name: str, roots: Iterable[Path]) -> str:
    """Return what to do about a name for which there is no task."""
    whole, _, case = name.rpartition("/")
    tracks = {*PINNED_TRACKS, *(data.name for data in data_sets().values() if data.suite)}
    known = next((track for track in (name, whole) if track in tracks), None)
    if known is None:
        own = (task.name for task in own_tasks(roots))
        names = ("bundled", *BUNDLED, DEMO, *sorted({*tracks, *own}))
        if nearest(name, names):
            return f"no task is named {name!r}: {hint(name, names)}"
        return (
            f"no task is named {name!r}: use bundled, {', '.join(BUNDLED)}, or a folder with the "
            "files source, target and reference; anatomy, conference and the OAEI's other tracks "
            "are there after alignrank data fetch (alignrank data list names them)"
        )
    cases = [task.name for task in _downloaded(known, roots)]
    if cases:
        return f"{known} has no task {case!r}: {hint(case, cases)}"
    return f"{name} is not there, or not complete: alignrank data fetch {known}"


def own_tasks(roots: Iterable[Path]) -> list[MatchingTask]:
    """Return the pairs that were added to data folders (``alignrank data add``), by name."""
    folders = (path for root in roots if root.is_dir() for path in root.iterdir())
    return sorted(filter(None, map(_folder_task, folders)), key=lambda task: task.name)


def folder_tasks(folder: Path) -> list[MatchingTask]:
    """Return the task that a folder holds, or those of its subfolders; empty if there is none.

    A task's folder holds three files whose stems are ``source``, ``target`` and ``reference``: as
    `alignrank.ontologies.generator` writes them, and as MELT's cache holds a track's test cases. Or
    the tasks share ontologies: then they lie in ``ontologies``, and the references, named
    ``one-two.rdf``, in ``reference`` or ``references``.
    """
    found = _folder_task(folder)
    if found:
        return [found]
    inner = sorted(p for p in folder.iterdir() if p.is_dir()) if folder.is_dir() else []
    return [task for task in map(_folder_task, inner) if task] or _named_pairs(folder)


def _folder_task(folder: Path) -> MatchingTask | None:
    parts = {
        path.stem: path for path in _files(folder) if path.stem in ("source", "target", "reference")
    }
    if len(parts) < 3:
        return None
    return MatchingTask(folder.resolve().name, parts["source"], parts["target"], parts["reference"])


def _anatomy(root: Path) -> list[MatchingTask]:
    folder = root / "anatomy"
    parts = [folder / name for name in ("mouse.owl", "human.owl", "reference.rdf")]
    if not all(path.is_file() for path in parts):
        return []
    systems = {path.stem: path for path in sorted((folder / "systems-2016").glob("*.rdf"))}
    source, target, reference = parts
    return [MatchingTask("anatomy", source, target, reference, systems)]


def _benchmark(folder: Path) -> list[MatchingTask]:
    """Return the bibliographic benchmark's tasks: ontology 101 with each of the others."""
    source = folder / "101" / "onto.rdf"
    references = [p for p in sorted(folder.glob("*/refalign.rdf")) if source.is_file()]
    return [MatchingTask(p.parent.name, source, p.with_name("onto.rdf"), p) for p in references]


def archived(task: MatchingTask) -> dict[str, dict[str, Path]]:
    """Return what the systems of past campaigns found for a task, as far as it was fetched.

    Returns
    -------
    dict
        By year, then by system: the alignment file. They lie beside the references' track in
        ``systems-YEAR``, as ``SYSTEM.rdf`` or, for a track of several tasks, ``SYSTEM-TASK.rdf``.
        Of a track of the OAEI they lie under its plain name, and TASK may be the version's name
        without track and year: ``fma_nci_small`` of ``largebio-fma_nci_small_2016``.
    """
    case = task.reference.parent
    version, collection = case.parent, case.parent.parent
    folders = [*case.glob("systems-*"), *version.glob("systems-*")]
    own = {task.name.casefold()}
    if collection.parent.name == OAEI_HOST:
        folders += collection.parent.parent.glob(f"{collection.name}/systems-*")
        own.add(version.name.removeprefix(f"{collection.name}-").rpartition("_")[0])
    found: dict[str, dict[str, Path]] = {}
    for folder in sorted(folders):
        of_one = folder.parent == case  # whose files name no task
        systems = {
            system: path
            for path in folder.glob("*.rdf")
            for system, solved in ([(path.stem, task.name)] if of_one else _cuts(path.stem))
            if solved.casefold() in own
        }
        if systems:
            found[folder.name.removeprefix("systems-")] = dict(sorted(systems.items()))
    return found


def _named_pairs(folder: Path) -> list[MatchingTask]:
    """Return the pairs that have a reference ``one-two.rdf``; names are read without case."""
    ontologies = {p.stem.casefold(): p for p in _files(folder / "ontologies")}
    references = [p for name in ("reference", "references") for p in _files(folder / name)]
    tasks = []
    for reference in sorted(references, key=lambda p: p.stem.casefold()):
        for source, target in _cuts(reference.stem.casefold()):
            if source in ontologies and target in ontologies:
                pair = ontologies[source], ontologies[target]
                tasks.append(MatchingTask(reference.stem, *pair, reference))
                break
    return tasks


def _files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.iterdir() if p.is_file()) if folder.is_dir() else []


def _cuts(name: str) -> list[tuple[str, str]]:
    """Return a name cut in two at each of its hyphens: an ontology's name may hold some.

    Examples
    --------
    >>> _cuts("cmt-ekaw-2")
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
    known = (*BUNDLED, DEMO, "synsets")
    refuse_unknown("bundled data set", name, known, OntologyError)
    return Path(str(files("ontologies") / "bundled" / name))


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
    return MatchingTask(
        name=name,
        source=folder / "source.owl",
        target=folder / "target.owl",
        reference=folder / "reference.rdf",
        alignments={path.stem: path for path in sorted((folder / "alignments").glob("*.rdf"))},
    )


def bundled_tasks() -> list[MatchingTask]:
    """Return all our own ontology pairs, in the order of `BUNDLED`."""
    return [bundled_task(name) for name in BUNDLED]
