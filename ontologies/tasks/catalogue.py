"""What can be downloaded: the files of public repositories, and the OAEI's tracks."""

from __future__ import annotations

import csv
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import TypedDict, cast
from urllib.parse import quote

from alignrank.common.errors import OntologyError
from alignrank.common.names import refuse_unknown

#: Command that lists what can be downloaded.
_LISTED_BY = "alignrank data list"

#: Languages of the multifarm track, each pair of which is a track of its own.
_MULTIFARM = ("ar", "cn", "cz", "de", "en", "es", "fr", "nl", "pt", "ru")


class _Oaei(TypedDict):
    base: str
    licence: str
    licences: dict[str, str]
    tracks: dict[str, list[str]]


class _Content(TypedDict):
    """What ``catalogue.toml`` holds: about a set by its name, and its sources' facts by theirs."""

    filter: dict[str, dict[str, list[str]]]
    set: dict[str, str]
    source: dict[str, dict[str, str]]
    oaei: _Oaei


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
    """

    name: str
    about: str
    licence: str
    files: tuple[RemoteFile, ...] = ()
    suite: str = ""

    @property
    def size(self) -> int:
        """Bytes of all files whose size is known."""
        return sum(file.size for file in self.files)


@cache
def data_sets() -> dict[str, DataSet]:
    """Return everything that can be downloaded, by name.

    Examples
    --------
    >>> anatomy = data_sets()["anatomy"]
    >>> len(anatomy.files), anatomy.size
    (23, 14332151)
    """
    content = _content()
    return {**_pinned(content), **_tracks(content["oaei"])}


def filter_rules() -> dict[str, dict[str, list[str]]]:
    """Return the rules by which tracks leave correspondences out, by the filter's name."""
    return _content()["filter"]


def published(track: str, year: str) -> dict[str, tuple[float, ...]]:
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
    rows = (line.split("\t") for line in _text("published.tsv").splitlines())
    mine = (row[2:] for row in rows if row[:2] == [track, year])
    return {system: tuple(map(float, rates)) for system, *rates in mine}


def campaigns(track: str) -> dict[str, str]:
    """Return the data set that holds the systems' alignments of a track, by the campaign's year.

    Examples
    --------
    >>> campaigns("conference")
    {'2019': 'conference', '2018': 'conference/systems-2018'}
    """
    start = f"{track}/systems-"
    return {
        file.path.removeprefix(start).partition("/")[0]: data.name
        for data in data_sets().values()
        for file in data.files
        if file.path.startswith(start)
    }


def data_set(name: str) -> DataSet:
    """Return a data set by name.

    Raises
    ------
    OntologyError
        If there is none of that name.
    """
    sets = data_sets()
    if name not in sets:
        track = name.partition("/")[0]
        of_track = [set_name for set_name in sets if set_name.startswith(track)]
        listed_by = "" if of_track else _LISTED_BY
        refuse_unknown("data set", name, of_track or sets, OntologyError, listed_by=listed_by)
    return sets[name]


def _content() -> _Content:
    return cast("_Content", tomllib.loads(_text("catalogue.toml")))


def _text(name: str) -> str:
    return (files("alignrank.ontologies") / "tasks" / name).read_text(encoding="utf-8")


def _pinned(content: _Content) -> dict[str, DataSet]:
    rows = list(csv.DictReader(_text("files.tsv").splitlines(), delimiter="\t"))
    sets = {}
    names = sorted(content["set"], key=len, reverse=True)  # a track's systems before the track
    owners = [next(n for n in names if row["path"].startswith(f"{n}/")) for row in rows]
    for name, about in content["set"].items():
        mine = [row for row, owner in zip(rows, owners, strict=True) if owner == name]
        sources = {row["source"]: content["source"][row["source"]] for row in mine}
        licence = "; ".join(f"{s['repository']}: {s['licence']}" for s in sources.values())
        remote = []
        for row in mine:
            url = _raw(sources[row["source"]], row)
            remote.append(RemoteFile(row["path"], url, row["sha256"], int(row["bytes"])))
        sets[name] = DataSet(name, about, licence, tuple(remote))
    return sets


def _raw(source: dict[str, str], row: dict[str, str]) -> str:
    where = f"{source['repository']}/{source['commit']}/{row['remote']}"
    return f"https://raw.githubusercontent.com/{quote(where)}"


def _tracks(oaei: _Oaei) -> dict[str, DataSet]:
    versions = dict(oaei["tracks"])
    for pair in map("-".join, combinations(_MULTIFARM, 2)):
        versions[pair] = [f"{pair}-v2"]
    tracks = {}
    for collection, names in versions.items():
        about = f"track of the OAEI: {collection}"
        licence = oaei["licences"].get(collection, oaei["licence"])
        for version in names:
            name = f"{collection}/{version}"
            suite = f"{oaei['base']}/{quote(name)}/suite/"
            tracks[name] = DataSet(name, about, licence, suite=suite)
    return tracks
