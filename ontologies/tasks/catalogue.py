"""Data that can be fetched: campaigns, each of which is a file, and the OAEI's other tracks."""

from __future__ import annotations

import os
import tomllib
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path, PureWindowsPath
from urllib.parse import quote

import platformdirs

from alignrank.common.errors import Argument, OntologyError
from alignrank.common.names import refuse_unknown
from alignrank.ontologies.alignment import RELATIONS
from alignrank.ontologies.ontology import Kind

#: Command that lists what can be downloaded.
_LISTED_BY = "alignrank data list"
#: What may stand in the fields of a campaign's filter; without a list any text.
_FIELDS = {"relations": RELATIONS, "kinds": tuple(Kind), "without": ()}
#: Names of the files of campaigns in a data folder.
_OWN_FILES = "campaign*.toml"


def data_folder() -> Path:
    """Return the folder that downloads go to: ``$ALIGNRANK_DATA``, or the user's cache folder."""
    folder = os.environ.get("ALIGNRANK_DATA")
    if folder:
        return Path(folder)
    return platformdirs.user_cache_path("alignrank")


def data_folders(folder: Path | None = None) -> list[Path]:
    """Return the folders that may hold data, in the order of the search.

    Parameters
    ----------
    folder
        The only folder to search.

    Returns
    -------
    list of pathlib.Path
        `folder`; without it, `data_folder` and MELT's cache in the home folder.

    Raises
    ------
    OntologyError
        If `folder` is a file.
    """
    if folder:
        if folder.is_file():
            raise OntologyError(f"{Argument('data', folder)} is a file: name a folder")
        return [folder]
    return [data_folder(), Path.home() / "oaei_track_cache"]


@dataclass(frozen=True)
class RemoteFile:
    """A file to download.

    Parameters
    ----------
    path
        Path of the file, relative to the data folder.
    url
        Address of the file.
    sha256, size
        Its SHA-256 and its size in bytes; '' and 0 where they are not published.
    """

    path: str
    url: str
    sha256: str = ""
    size: int = 0


@dataclass(frozen=True)
class DataSet:
    """Files that belong together.

    Parameters
    ----------
    name
        Name on the command line, also of its tasks.
    about, licence
        Its content and its terms of use.
    files
        Its files; empty for a track, whose test cases its host lists.
    suite
        URL of a track's list of test cases; '' where the files are known.
    tasks
        Files of its tasks by role (source, target, reference, systems), by the task's name: only of
        tasks that lie otherwise than `alignrank.ontologies.tasks.folder_tasks` knows.
    rule
        What the track leaves out before anything is counted: ``relations`` and ``kinds`` that stay,
        ``without`` IRIs that begin so. It is the filter ``oaei-TRACK``.
    published
        Precision, recall and F1 in percent that the campaign published, by system.
    """

    name: str
    about: str
    licence: str
    files: tuple[RemoteFile, ...] = ()
    suite: str = ""
    tasks: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
    rule: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    published: Mapping[str, tuple[float, ...]] = field(default_factory=dict, hash=False)

    @property
    def size(self) -> int:
        """Bytes of all files whose size is known."""
        return sum(file.size for file in self.files)


def data_sets(folders: Iterable[Path] = ()) -> dict[str, DataSet]:
    """Return everything that can be fetched, by name: campaigns, then the OAEI's other tracks.

    A campaign is a file: ours, and those called ``campaign.toml`` or ``campaign-….toml`` in the
    data folder and in `folders`.

    Warns
    -----
    UserWarning
        If a file of the user's does not describe a campaign: it is left out.

    Examples
    --------
    >>> anatomy = data_sets()["anatomy"]
    >>> len(anatomy.files), anatomy.size
    (23, 14332151)
    """
    own = (
        path
        for folder in dict.fromkeys((data_folder(), *folders))
        for path in sorted(folder.glob(_OWN_FILES))  # of two with one name the last counts
    )
    sets = [*_our_campaigns(), *filter(None, map(_own_campaign, own))]
    by_name = {data.name: data for data in sorted(sets, key=lambda data: data.name)}
    return by_name | _tracks()


def published(
    track: str, year: str, folders: Sequence[Path] = ()
) -> Mapping[str, tuple[float, ...]]:
    """Return the precision, recall and F1 that a campaign published, by the archive's names.

    In percent, to two decimals; empty where they are not known.

    Notes
    -----
    OAEI 2022 and 2023, results of the anatomy track.

    Examples
    --------
    >>> published("anatomy", "2023")["OLaLa"]
    (92.38, 89.58, 90.96)
    """
    name = campaigns(track, folders).get(year)
    return data_sets(folders)[name].published if name else {}


def campaigns(track: str, folders: Iterable[Path] = ()) -> dict[str, str]:
    """Return the data set that holds the systems' alignments of a track, by the campaign's year.

    Examples
    --------
    >>> campaigns("conference")
    {'2019': 'conference', '2018': 'conference/systems-2018'}
    """
    start = f"{track}/systems-"
    return {
        file.path.removeprefix(start).partition("/")[0]: data.name
        for data in data_sets(folders).values()
        for file in data.files
        if file.path.startswith(start)
    }


def data_set(name: str, folders: Iterable[Path] = ()) -> DataSet:
    """Return a data set by name.

    Raises
    ------
    OntologyError
        If there is none of that name.
    """
    sets = data_sets(folders)
    if name not in sets:
        track = name.partition("/")[0]
        of_track = [set_name for set_name in sets if set_name.startswith(track)]
        listed_by = "" if of_track else _LISTED_BY
        refuse_unknown("data set", name, of_track or sets, OntologyError, listed_by=listed_by)
    return sets[name]


def _shipped(name: str) -> Path:
    return Path(str(files("alignrank.ontologies") / "tasks" / name))


@cache
def _our_campaigns() -> list[DataSet]:
    return [*map(_campaign, _shipped("campaigns").iterdir())]


def _own_campaign(path: Path) -> DataSet | None:
    """Return the campaign of a user's file; warn where the file does not describe one."""
    try:
        return _campaign(path)
    except OntologyError as error:
        warnings.warn(f"{error}; it is left out", stacklevel=2)
        return None


def _campaign(path: Path) -> DataSet:
    """Return the data set that a campaign's file describes."""
    try:
        facts = tomllib.loads(path.read_text(encoding="utf-8"))
        sources = facts["sources"]
        remote = [
            RemoteFile(
                _inside(place), f"{sources[source]['url']}/{quote(there)}", digest, int(size)
            )
            for place, source, there, size, digest in map(
                str.split, facts["files"].strip().splitlines()
            )
        ]
        rates = facts.get("published", {}).items()
        return DataSet(
            name=str(facts["name"]),
            about=str(facts["about"]),
            licence="; ".join(f"{s['name']}: {s['licence']}" for s in sources.values()),
            files=tuple(remote),
            tasks={name: dict(roles) for name, roles in facts.get("tasks", {}).items()},
            rule={name: _texts(name, texts) for name, texts in facts.get("filter", {}).items()},
            published={system: _rates(system, numbers) for system, numbers in rates},
        )
    except (AttributeError, KeyError, OSError, TypeError, ValueError) as reason:
        fault = str(reason)
        if isinstance(reason, KeyError):
            fault = f"{fault} is missing"
        raise OntologyError(
            f"{path} does not describe a campaign ({fault}): CONTRIBUTING.md, A new campaign year, "
            "shows such a file"
        ) from None


def _inside(path: str) -> str:
    """Return a path in the data folder; refuse one that leads out of it."""
    if PureWindowsPath(path).anchor or ".." in PureWindowsPath(path).parts:
        raise ValueError(f"{path} leads out of the data folder")
    return path


def _texts(name: str, texts: object) -> tuple[str, ...]:
    """Return the texts of a field of a filter."""
    refuse_unknown("filter", name, _FIELDS, ValueError)
    if not isinstance(texts, list):
        raise ValueError(f"filter {name}: give a list")
    for text in texts if _FIELDS[name] else ():
        refuse_unknown(f"filter {name}", text, _FIELDS[name], ValueError)
    return tuple(map(str, texts))


def _rates(system: str, numbers: Sequence[float]) -> tuple[float, ...]:
    """Return precision, recall and F1 in percent."""
    if len(numbers) != 3:
        raise ValueError(f"published {system}: give precision, recall and F1")
    return tuple(map(float, numbers))


@cache
def _tracks() -> dict[str, DataSet]:
    """Return the tracks of the OAEI's own repository, which lists their files itself."""
    oaei = tomllib.loads(_shipped("oaei.toml").read_text(encoding="utf-8"))
    tracks = {}
    for collection, versions in oaei["tracks"].items():
        licence = oaei["licences"].get(collection, oaei["licence"])
        for version in versions:
            name = f"{collection}/{version}"
            suite = f"{oaei['base']}/{quote(name)}/suite/"
            about = f"track of the OAEI: {collection}"
            tracks[name] = DataSet(name, about, licence, suite=suite)
    return tracks
