"""Data from the network: fetched once, checked always, never half there."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Literal
from urllib.parse import quote, urljoin, urlsplit

import pooch  # type: ignore[import-untyped]  # it ships no types
import pyoxigraph
import requests

from alignrank.common.errors import OntologyError
from alignrank.common.files import sha256, write_text
from alignrank.common.progress import track

from . import folder_tasks
from .catalogue import DataSet, RemoteFile, data_sets

logger = logging.getLogger(__name__)

#: What was fetched without a published checksum, with the checksum that it had then.
TRUSTED = "trusted.json"

#: Instead of a checksum there: the host said that it has no such file.
ABSENT = "absent"

#: Seconds to wait for a connection, and for the next bytes.
TIMEOUT = (10.0, 30.0)

#: How often one file is tried; each time goes on where the last one stopped.
ATTEMPTS = 3

#: No file of the field is larger.
MOST_BYTES = 4 * 2**30

#: Seconds that one file may take: a server that sends a byte now and then holds nobody up.
DEADLINE = 3600.0

_CHUNK = 1 << 14


#: Looks at what came from an address, and raises a `DownloadError` if it is plainly not data.
Check = Callable[[str, bytes], None]


class DownloadError(OntologyError):
    """A file that could not be fetched, or that is not what it should be."""


@dataclass(frozen=True)
class Checked:
    """A file of a data set, and how it is.

    Parameters
    ----------
    path
        Where it is, or should be.
    state
        ``ok``, ``fetched`` (just now), ``missing``, or ``changed`` (other bytes than it should
        have).
    """

    path: Path
    state: Literal["ok", "fetched", "missing", "changed"]


def fetch(data: DataSet, folder: Path, *, offline: bool = False) -> list[Checked]:
    """Fetch what is missing of a data set, and check the rest.

    Parameters
    ----------
    data
        From `alignrank.ontologies.tasks.catalogue`.
    folder
        The data folder. A track goes to ``host/collection/version/case``, as in MELT's cache.
    offline
        Touch no network: whatever is not there is an error.

    Returns
    -------
    list of Checked
        Every file, ``ok`` or ``fetched``.

    Raises
    ------
    DownloadError
        If a file cannot be fetched, or has other bytes than its checksum says. What was fetched
        before stays, so that the next call goes on from there; no file is there in part.
    """
    trust = _Trust(folder)
    files = files_of(data, folder, offline)
    pinned = sum(bool(file.sha256 or trust.sha256(file)) for file in files)
    done = [_fetch_file(one, folder, trust, offline) for one in track(files, len(files), "files")]
    if pinned < len(files):
        logger.warning(
            "%s: %d of its files have no published checksum: they must stay as they are (%s)",
            data.name,
            len(files) - pinned,
            folder / TRUSTED,
        )
    return [checked for checked in done if checked is not None]


def verify(data: DataSet, folder: Path) -> list[Checked]:
    """Check the files of a data set that should be in a folder, without any network.

    Raises
    ------
    DownloadError
        If it is a track that was not fetched into this folder, so that nobody knows its files.
    """
    trust = _Trust(folder)
    checked = []
    for file in files_of(data, folder, offline=True):
        path = folder / file.path
        known = file.sha256 or trust.sha256(file)
        if known == ABSENT:
            continue
        if not path.is_file():
            checked.append(Checked(path, "missing"))
        elif known and sha256(path.read_bytes()) != known:
            checked.append(Checked(path, "changed"))
        else:
            checked.append(Checked(path, "ok"))
    return checked


def holding(data: DataSet, folder: Path) -> Literal["yes", "in part", "no"]:
    """Return whether a folder holds a data set, by the names of its files.

    A track in MELT's cache has no list of its files: it is there if it holds a task.
    """
    if not is_listed(data, folder):
        return "yes" if folder_tasks(_listing(data, folder).parent) else "no"
    trust = _Trust(folder)
    wanted = [f for f in files_of(data, folder, offline=True) if trust.sha256(f) != ABSENT]
    there = [(folder / file.path).is_file() for file in wanted]
    return "yes" if all(there) else "in part" if any(there) else "no"


def is_listed(data: DataSet, folder: Path) -> bool:
    """Return whether it is known which files of a data set belong into a folder."""
    return not data.suite or _listing(data, folder).is_file()


def _listing(data: DataSet, folder: Path) -> Path:
    return folder / str(urlsplit(data.suite).hostname) / data.name / "suite.rdf"


def files_of(data: DataSet, folder: Path, offline: bool = False) -> list[RemoteFile]:
    """Return the files of a data set; those of a track by the list of test cases of its host.

    Raises
    ------
    DownloadError
        If the list cannot be fetched, or is needed offline.
    """
    if not data.suite:
        return list(data.files)
    where = f"{urlsplit(data.suite).hostname}/{data.name}"
    listing = _listing(data, folder)
    if not is_listed(data, folder):
        if offline:
            raise DownloadError(
                f"{data.name} was not fetched into {folder}: alignrank data fetch {data.name}"
            )
        _download(RemoteFile(f"{where}/suite.rdf", data.suite), listing, check=_no_web_page)
    return [
        RemoteFile(f"{where}/{case}/{part}.rdf", f"{data.suite}{quote(case)}/component/{part}/")
        for case in _test_cases(listing)
        for part in ("source", "target", "reference")
    ]


def _test_cases(listing: Path) -> list[str]:
    """Return the names of the test cases that a suite's description lists."""
    item = "http://www.seals-project.eu/ontologies/SEALSMetadata.owl#hasSuiteItem"
    identifier = "http://purl.org/dc/terms/identifier"
    content = listing.read_bytes()
    try:
        if b"<!ENTITY" in content:  # a few bytes could stand for gigabytes
            raise SyntaxError("it defines entities, which no list of test cases needs")
        triples = list(pyoxigraph.parse(content, pyoxigraph.RdfFormat.RDF_XML, base_iri="x:/"))
    except SyntaxError as error:
        listing.unlink()
        raise DownloadError(f"the list of test cases at {listing} is no RDF: {error}") from None
    items = {t.object for t in triples if t.predicate.value == item}
    names = sorted(
        t.object.value for t in triples if t.predicate.value == identifier and t.subject in items
    )
    unsafe = [name for name in names if "/" in name or "\\" in name or name.startswith(".")]
    if unsafe or not names:
        listing.unlink()
        what = f"names a test case {unsafe[0]!r}" if unsafe else "names no test case"
        raise DownloadError(f"the list of test cases at {listing} {what}: it is not used")
    return names


def _fetch_file(file: RemoteFile, folder: Path, trust: _Trust, offline: bool) -> Checked | None:
    path = folder / file.path
    known = file.sha256 or trust.sha256(file)
    if known == ABSENT:
        if offline:
            return None
        known = ""
    if path.is_file():
        if known and sha256(path.read_bytes()) != known:
            raise DownloadError(
                f"{path} has other bytes than it should have (SHA-256 {known[:12]}…): remove it "
                "and fetch again"
            )
        if not known:
            trust.add(file, sha256(path.read_bytes()))
        return Checked(path, "ok")
    if offline:
        raise DownloadError(f"{path} is not there: fetch it without --offline")
    try:
        _download(file, path, known=known, check=None if known else _no_web_page)
    except _NotFoundError:
        if path.stem == "reference":
            logger.warning("%s has no reference", path.parent.name)
            trust.add(file, ABSENT)
            return None
        raise
    if not known:
        trust.add(file, sha256(path.read_bytes()))
    return Checked(path, "fetched")


class _NotFoundError(DownloadError):
    """The host says that it has no such file."""


class _Trust:
    """Checksums of files whose host publishes none, as they were when first fetched."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / TRUSTED
        self._known: dict[str, str] = {}
        if self._path.is_file():
            try:
                self._known = dict(json.loads(self._path.read_text(encoding="utf-8")))
            except ValueError as error:
                raise DownloadError(f"{self._path} cannot be read ({error}): restore it") from None

    def sha256(self, file: RemoteFile) -> str:
        return self._known.get(file.path, "")

    def add(self, file: RemoteFile, checksum: str) -> None:
        self._known[file.path] = checksum
        text = json.dumps(dict(sorted(self._known.items())), indent=1) + "\n"
        write_text(self._path, text)


def _download(file: RemoteFile, path: Path, *, known: str = "", check: Check | None = None) -> None:
    """Fetch one file by way of a temporary one; its checksum decides whether it is put in place."""
    pooch.get_logger().setLevel("WARNING")
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.parent / f".{path.name}.part"
    try:
        pooch.retrieve(
            _secure(file.url),
            known_hash=f"sha256:{known}" if known else None,
            fname=path.name,
            path=path.parent,
            downloader=partial(_resume, part=part, size=file.size, check=check),
        )
    except DownloadError:
        raise
    except ValueError as error:
        raise DownloadError(f"{file.url}: {error}") from None
    finally:
        if not known:
            # what has no checksum is not continued: nobody could tell whether the parts fit
            part.unlink(missing_ok=True)


def _resume(
    url: str, output_file: str, _pooch: object, *, part: Path, size: int, check: Check | None
) -> None:
    """Fetch `url` into `part`, going on where an earlier attempt stopped, then move it."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            _append(url, part, size or MOST_BYTES)
            break
        except requests.HTTPError as error:
            status = 0 if error.response is None else error.response.status_code
            if status < 500 or attempt == ATTEMPTS:
                kind = _NotFoundError if status == 404 else DownloadError
                raise kind(f"the server answers {_cause(error)}") from None
        except requests.RequestException as error:
            if attempt == ATTEMPTS:
                raise DownloadError(
                    f"{url} could not be fetched in {ATTEMPTS} attempts ({_cause(error)}): check "
                    "the connection and call again"
                ) from None
        time.sleep(0.2 * attempt)
    if check is not None:
        check(url, part.read_bytes())
    part.replace(output_file)


def _append(url: str, part: Path, most: int) -> None:
    """Fetch what `part` lacks; a server that knows no ranges sends everything once more."""
    have = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity", "User-Agent": "alignrank"}
    if have:
        headers["Range"] = f"bytes={have}-"
    ends = time.monotonic() + DEADLINE
    with (
        _ListedHosts() as session,
        session.get(url, headers=headers, stream=True, timeout=TIMEOUT) as response,
    ):
        if response.status_code == 416:
            # nothing is left to fetch, or the file has become shorter: the checksum tells which
            return
        response.raise_for_status()
        with part.open("ab" if response.status_code == 206 else "wb") as out:
            start = out.tell()
            blocks = int(response.headers.get("Content-Length", most)) // _CHUNK
            chunks = response.iter_content(_CHUNK)
            for chunk in track(chunks, blocks, f"{part.stem[1:]}, blocks of 16 kB"):
                out.write(chunk)
                if time.monotonic() > ends:
                    raise DownloadError(f"{url} took more than {DEADLINE:.0f} s: call again later")
                if out.tell() > most:
                    part.unlink()
                    raise DownloadError(f"{url} is longer than {most} bytes")
            announced = int(response.headers.get("Content-Length", out.tell() - start))
            if out.tell() - start != announced:
                raise requests.ConnectionError(f"{out.tell() - start} of {announced} bytes came")


class _ListedHosts(requests.Session):
    """Follows a redirect only to the host that was asked, or to one of the catalogue's."""

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        target = super().get_redirect_target(resp)
        if target:
            asked, led = (urlsplit(url).hostname for url in (resp.url, urljoin(resp.url, target)))
            listed = {
                urlsplit(url).hostname
                for data in data_sets().values()
                for url in (data.suite, *(file.url for file in data.files[:1]))
            }
            if led not in {asked, *listed}:
                raise DownloadError(f"{resp.url} leads to {led}, a host that nobody listed")
        return target


@cache
def _serves_https(host: str) -> bool:
    try:
        requests.head(f"https://{host}/", timeout=TIMEOUT)
    except requests.RequestException:
        logger.warning("%s answers by http only: nothing but checksums guards what comes", host)
        return False
    return True


def _secure(url: str) -> str:
    """Return an address as https where its host serves that."""
    scheme, rest = url.split("://", 1)
    encrypted = scheme == "http" and _serves_https(urlsplit(url).netloc)
    return f"https://{rest}" if encrypted else url


def _cause(error: Exception) -> str:
    """Return the reason of an error of requests in short: its own text begins with the address."""
    reason = getattr(error.args[0], "reason", None) if error.args else None
    text = " ".join(str(reason or error).split())
    text = re.sub(r"^\S*Connection(Pool)?\([^)]*\): ", "", text)
    return text if len(text) <= 120 else f"{text[:117]}..."


def _no_web_page(url: str, data: bytes) -> None:
    """Refuse what is trusted on first use if it is plainly not data."""
    start = data[:500].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not start:
        raise DownloadError(f"{url} is empty")
    if start.startswith((b"<!doctype html", b"<html")):
        raise DownloadError(f"{url} answers with a web page, not with data")
