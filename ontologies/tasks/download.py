"""Data from the network: fetched once, always checked, never incomplete."""

from __future__ import annotations

import json
import logging
import re
import time
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Literal
from urllib.parse import quote, urljoin, urlsplit

import pyoxigraph
import requests

from alignrank.common.errors import Argument, OntologyError
from alignrank.common.files import sha256, write_text
from alignrank.common.progress import track

from . import folder_tasks
from .catalogue import DataSet, RemoteFile, data_sets

logger = logging.getLogger(__name__)

#: File of the checksums of files that were fetched without a published checksum.
TRUSTED = "trusted.json"

#: Stands for a checksum there: the host answered that it has no such file.
ABSENT = "absent"

#: Seconds to wait for a connection, and for the next bytes.
TIMEOUT = (10.0, 30.0)

#: Attempts to fetch one file; each continues where the last one stopped.
ATTEMPTS = 3

#: No file of the field is larger.
MOST_BYTES = 4 * 2**30

#: Seconds that one file may take: a server that sends few bytes must not block forever.
DEADLINE = 3600.0

_CHUNK = 1 << 14


class DownloadError(OntologyError):
    """A file cannot be fetched, or has the wrong content."""


State = Literal["ok", "fetched", "missing", "changed"]


@dataclass(frozen=True)
class Checked:
    """A file of a data set, and its state.

    Parameters
    ----------
    path
        Path of the file.
    state
        ``ok``, ``fetched`` (just now), ``missing``, or ``changed`` (its checksum is wrong).
    """

    path: Path
    state: State


def fetch(data: DataSet, folder: Path, *, offline: bool = False) -> list[Checked]:
    """Fetch the missing files of a data set, and check the others.

    Parameters
    ----------
    data
        From `alignrank.ontologies.tasks.catalogue`.
    folder
        The data folder. A track goes to ``host/collection/version/case``, as in MELT's cache.
    offline
        Use no network: a missing file is an error.

    Returns
    -------
    list of Checked
        Every file, ``ok`` or ``fetched``.

    Raises
    ------
    DownloadError
        If a file cannot be fetched, or its checksum is wrong. Files that were fetched before stay,
        so that the next call continues; no file is incomplete.
    """
    trust = _Trust(folder)
    files = files_of(data, folder, offline)
    pinned = sum(bool(file.sha256 or trust.sha256(file)) for file in files)
    fetched = []
    for file in track(files, len(files), "files"):
        checked = _fetch_file(file, folder, trust, offline)
        if checked is not None:
            fetched.append(checked)
    if pinned < len(files):
        logger.warning(
            "%s: %d of its files have no published checksum: they must stay as they are (%s)",
            data.name,
            len(files) - pinned,
            folder / TRUSTED,
        )
    return fetched


def verify(data: DataSet, folder: Path) -> list[Checked]:
    """Check the files of a data set in a folder, without the network.

    Raises
    ------
    DownloadError
        If the data set is a track that was not fetched into this folder: its files are unknown.
    """
    trust = _Trust(folder)
    checked = []
    for file in files_of(data, folder, offline=True):
        path = folder / file.path
        checksum = file.sha256 or trust.sha256(file)
        state: State = "ok"
        if not path.is_file():
            state = "missing"
        elif checksum and sha256(path.read_bytes()) != checksum:
            state = "changed"
        if checksum != ABSENT:
            checked.append(Checked(path, state))
    return checked


def holding(data: DataSet, folder: Path) -> Literal["yes", "in part", "no"]:
    """Return whether a folder holds a data set, by the names of its files.

    A track in MELT's cache has no list of its files: one task is enough there.
    """
    if not is_listed(data, folder):
        if folder_tasks(_listing(data, folder).parent):
            return "yes"
        return "no"
    trust = _Trust(folder)
    files = [f for f in files_of(data, folder, offline=True) if trust.sha256(f) != ABSENT]
    present = [(folder / file.path).is_file() for file in files]
    if all(present):
        return "yes"
    if any(present):
        return "in part"
    return "no"


def is_listed(data: DataSet, folder: Path) -> bool:
    """Return whether the files of a data set are known: a track needs its host's list."""
    return not data.suite or _listing(data, folder).is_file()


def _listing(data: DataSet, folder: Path) -> Path:
    return folder / str(urlsplit(data.suite).hostname) / data.name / "suite.rdf"


def files_of(data: DataSet, folder: Path, offline: bool = False) -> list[RemoteFile]:
    """Return the files of a data set; those of a track come from its host's list of test cases.

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
        _download(RemoteFile(f"{where}/suite.rdf", data.suite), listing)
    files = []
    for case, role in product(_test_cases(listing), ("source", "target", "reference")):
        url = f"{data.suite}{quote(case)}/component/{role}/"
        files.append(RemoteFile(f"{where}/{case}/{role}.rdf", url))
    return files


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
    identifiers = [t for t in triples if t.predicate.value == identifier]
    names = sorted(t.object.value for t in identifiers if t.subject in items)
    unsafe = [name for name in names if "/" in name or "\\" in name or name.startswith(".")]
    if unsafe or not names:
        listing.unlink()
        fault = f"names a test case {unsafe[0]!r}" if unsafe else "names no test case"
        raise DownloadError(f"the list of test cases at {listing} {fault}: it is not used")
    return names


def _fetch_file(file: RemoteFile, folder: Path, trust: _Trust, offline: bool) -> Checked | None:
    """Fetch or check a file; return None if its host has no such file."""
    path = folder / file.path
    checksum = file.sha256 or trust.sha256(file)
    if checksum == ABSENT:
        if offline:
            return None
        checksum = ""
    if path.is_file():
        if not checksum:
            trust.add(file, sha256(path.read_bytes()))
        elif sha256(path.read_bytes()) != checksum:
            raise DownloadError(
                f"{path} has other bytes than it should have (SHA-256 {checksum[:12]}…): remove it "
                "and fetch again"
            )
        return Checked(path, "ok")
    if offline:
        raise DownloadError(f"{path} is not there: fetch it without {Argument('offline', True)}")
    try:
        _download(file, path, checksum)
    except _NotFoundError:
        if path.stem == "reference":
            logger.warning("%s has no reference", path.parent.name)
            trust.add(file, ABSENT)
            return None
        raise
    if not checksum:
        trust.add(file, sha256(path.read_bytes()))
    return Checked(path, "fetched")


class _NotFoundError(DownloadError):
    """The host answers that it has no such file."""


class _Trust:
    """Checksums of files whose host publishes none, from their first fetch."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / TRUSTED
        self._checksums: dict[str, str] = {}
        if self._path.is_file():
            try:
                self._checksums = dict(json.loads(self._path.read_text(encoding="utf-8")))
            except ValueError as error:
                raise DownloadError(f"{self._path} cannot be read ({error}): restore it") from None

    def sha256(self, file: RemoteFile) -> str:
        return self._checksums.get(file.path, "")

    def add(self, file: RemoteFile, checksum: str) -> None:
        self._checksums[file.path] = checksum
        text = json.dumps(self._checksums, indent=1, sort_keys=True)
        write_text(self._path, f"{text}\n")


def _download(file: RemoteFile, path: Path, checksum: str = "") -> None:
    """Fetch one file by way of a temporary one, which takes its place if the checksum is right."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial_path = path.parent / f".{path.name}.part"
    try:
        _resume(_secure(file.url), partial_path, file.size or MOST_BYTES)
        data = partial_path.read_bytes()
        if not checksum:
            _refuse_web_page(file.url, data)
        elif sha256(data) != checksum:
            partial_path.unlink()
            raise DownloadError(
                f"{file.url}: its SHA-256 {sha256(data)[:12]}… does not match the known hash "
                f"{checksum[:12]}…: it was cut off, or has changed; it is not used"
            )
        partial_path.replace(path)
    finally:
        if not checksum:
            # without a checksum nobody could see that the halves of two attempts do not fit
            partial_path.unlink(missing_ok=True)


def _resume(url: str, path: Path, limit: int) -> None:
    """Fetch `url` into `path`, from where an earlier attempt stopped."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return _append(url, path, limit)
        except requests.HTTPError as error:
            status = 0 if error.response is None else error.response.status_code
            if status < 500 or attempt == ATTEMPTS:
                kind = _NotFoundError if status == 404 else DownloadError
                raise kind(f"{url}: the server answers {_cause(error)}") from None
        except requests.RequestException as error:
            if attempt == ATTEMPTS:
                raise DownloadError(
                    f"{url} could not be fetched in {ATTEMPTS} attempts ({_cause(error)}): check "
                    "the connection and call again"
                ) from None
        time.sleep(0.2 * attempt)


def _append(url: str, path: Path, limit: int) -> None:
    """Fetch the bytes that `path` lacks; a server that knows no ranges sends all of them again."""
    size = path.stat().st_size if path.exists() else 0
    headers = {"Accept-Encoding": "identity", "User-Agent": "alignrank"}
    if size:
        headers["Range"] = f"bytes={size}-"
    deadline = time.monotonic() + DEADLINE
    with (
        _ListedHosts() as session,
        session.get(url, headers=headers, stream=True, timeout=TIMEOUT) as response,
    ):
        if response.status_code == 416:
            # the file is complete, or has become shorter: the checksum decides
            return
        response.raise_for_status()
        mode = "ab" if response.status_code == 206 else "wb"
        with path.open(mode) as out:
            start = out.tell()
            blocks = int(response.headers.get("Content-Length", limit)) // _CHUNK
            chunks = response.iter_content(_CHUNK)
            for chunk in track(chunks, blocks, f"{path.stem[1:]}, blocks of 16 kB"):
                out.write(chunk)
                if time.monotonic() > deadline:
                    raise DownloadError(f"{url} took more than {DEADLINE:.0f} s: call again later")
                if out.tell() > limit:
                    path.unlink()
                    raise DownloadError(f"{url} is longer than {limit} bytes")
            received = out.tell() - start
            announced = int(response.headers.get("Content-Length", received))
            if received != announced:
                raise requests.ConnectionError(f"{received} of {announced} bytes came")


class _ListedHosts(requests.Session):
    """Follows a redirect only to the same host, or to one of the catalogue's."""

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        target = super().get_redirect_target(resp)
        if target:
            host = urlsplit(urljoin(resp.url, target)).hostname
            urls = [resp.url]
            for data in data_sets().values():
                urls += [data.suite, *(file.url for file in data.files[:1])]
            if host not in {urlsplit(url).hostname for url in urls}:
                raise DownloadError(f"{resp.url} leads to {host}, a host that nobody listed")
        return target


@cache
def _serves_https(host: str) -> bool:
    try:
        requests.head(f"https://{host}/", timeout=TIMEOUT)
    except requests.RequestException:
        logger.warning("%s answers by http only: only checksums guard its files", host)
        return False
    return True


def _secure(url: str) -> str:
    """Return an address as https where its host serves that."""
    if url.startswith("http://") and _serves_https(urlsplit(url).netloc):
        return url.replace("http", "https", 1)
    return url


def _cause(error: Exception) -> str:
    """Shorten the reason of an error of requests, whose own text begins with the address."""
    reason = getattr(error.args[0], "reason", None) if error.args else None
    text = " ".join(str(reason or error).split())
    text = re.sub(r"^\S*Connection(Pool)?\([^)]*\): ", "", text)
    if len(text) <= 120:
        return text
    return f"{text[:117]}..."


def _refuse_web_page(url: str, data: bytes) -> None:
    """Refuse a file without a checksum if it is plainly not data."""
    start = data[:500].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not start:
        raise DownloadError(f"{url} is empty")
    if start.startswith((b"<!doctype html", b"<html")):
        raise DownloadError(f"{url} answers with a web page, not with data")
