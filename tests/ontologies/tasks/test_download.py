"""Downloads against a server on this machine that truncates, corrupts, stalls, redirects, fails."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import requests

from alignrank.common.errors import OntologyError
from alignrank.ontologies.tasks import (
    MatchingTask,
    archived,
    bundled_task,
    data_folder,
    data_folders,
    download,
    find_tasks,
)
from alignrank.ontologies.tasks.catalogue import DataSet, RemoteFile, data_set, data_sets
from alignrank.ontologies.tasks.download import (
    DownloadError,
    fetch,
    holding,
    is_listed,
    verify,
)

CONTENT = b"<?xml version='1.0'?><rdf:RDF/>" + bytes(range(256)) * 2000
Answer = Callable[[BaseHTTPRequestHandler], None]


def send(body: bytes, *, status: int = 200, announce: int | None = None, **headers: str) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        request.send_header("Content-Length", str(len(body) if announce is None else announce))
        for name, value in headers.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body)

    return answer


def ranged(body: bytes) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        wanted = request.headers.get("Range")
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        if start >= len(body):
            send(b"", status=416)(request)
        else:
            send(body[start:], status=206 if wanted else 200)(request)

    return answer


class Server:
    """Answers each path as the test says; several answers are given one after the other."""

    def __init__(self) -> None:
        self.answers: dict[str, list[Answer]] = {}
        self.asked: list[tuple[str, str | None]] = []
        self.stop = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append((self.path, self.headers.get("Range")))
                answers = outer.answers.get(self.path, [send(b"no", status=404)])
                (answers.pop(0) if len(answers) > 1 else answers[0])(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self.stop.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(download, "TIMEOUT", (2.0, 0.3))
    monkeypatch.setattr(download.time, "sleep", lambda _: None)
    monkeypatch.setattr(download, "_serves_https", lambda _: False)
    found = Server()
    yield found
    found.close()


def pinned(server: Server, body: bytes = CONTENT, path: str = "set/a.owl") -> DataSet:
    file = RemoteFile(path, f"{server.url}/a", sha256(body).hexdigest(), len(body))
    return DataSet("set", "a test", "none", (file,))


def only_parts(folder: Path) -> bool:
    """Whether no file is there but hidden parts, which no command takes for a file."""
    return all(p.name.startswith(".") for p in folder.rglob("*") if p.is_file())


def test_a_file_is_fetched_once_and_checked_after(server: Server, tmp_path: Path) -> None:
    server.answers["/a"] = [send(CONTENT)]
    data = pinned(server)
    assert [c.state for c in fetch(data, tmp_path)] == ["fetched"]
    assert (tmp_path / "set" / "a.owl").read_bytes() == CONTENT
    assert [c.state for c in fetch(data, tmp_path)] == ["ok"]
    assert [c.state for c in fetch(data, tmp_path, offline=True)] == ["ok"]
    assert len(server.asked) == 1
    assert not list(tmp_path.rglob(".*"))


def test_offline_asks_nobody(server: Server, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match="without offline=True"):
        fetch(pinned(server), tmp_path, offline=True)
    with pytest.raises(DownloadError, match="alignrank data fetch t/v"):
        fetch(DataSet("t/v", "", "", suite=f"{server.url}/suite/"), tmp_path, offline=True)
    assert server.asked == []


def test_corrupted_bytes_are_refused_and_nothing_is_left(server: Server, tmp_path: Path) -> None:
    server.answers["/a"] = [send(CONTENT[:-1] + b"x")]
    with pytest.raises(DownloadError, match="does not match the known hash"):
        fetch(pinned(server), tmp_path)
    assert not [p for p in tmp_path.rglob("*") if p.is_file()]


def test_a_truncated_file_is_continued_where_it_stopped(server: Server, tmp_path: Path) -> None:
    cut = 16_384 * 6
    server.answers["/a"] = [send(CONTENT[:cut], announce=len(CONTENT)), ranged(CONTENT)]
    assert [c.state for c in fetch(pinned(server), tmp_path)] == ["fetched"]
    assert [wanted for _, wanted in server.asked] == [None, f"bytes={cut}-"]
    assert (tmp_path / "set" / "a.owl").read_bytes() == CONTENT


def test_the_next_call_continues_too(server: Server, tmp_path: Path) -> None:
    server.answers["/a"] = [send(CONTENT[:16_384], announce=len(CONTENT)), send(b"", status=503)]
    with pytest.raises(DownloadError, match="503"):
        fetch(pinned(server), tmp_path)
    assert only_parts(tmp_path)
    assert [c.state for c in verify(pinned(server), tmp_path)] == ["missing"]
    server.answers["/a"] = [ranged(CONTENT)]
    assert [c.state for c in fetch(pinned(server), tmp_path)] == ["fetched"]
    assert server.asked[-1][1] == "bytes=16384-"


def test_a_server_without_ranges_is_asked_for_everything(server: Server, tmp_path: Path) -> None:
    server.answers["/a"] = [send(CONTENT[:16_384], announce=len(CONTENT)), send(CONTENT)]
    assert [c.state for c in fetch(pinned(server), tmp_path)] == ["fetched"]
    assert (tmp_path / "set" / "a.owl").read_bytes() == CONTENT


def test_a_part_of_another_file_is_found_out_by_the_checksum(
    server: Server, tmp_path: Path
) -> None:
    part = tmp_path / "set" / ".a.owl.part"
    part.parent.mkdir()
    part.write_bytes(b"z" * 5000)
    server.answers["/a"] = [ranged(CONTENT)]
    with pytest.raises(DownloadError, match="does not match"):
        fetch(pinned(server), tmp_path)
    assert [c.state for c in fetch(pinned(server), tmp_path)] == ["fetched"]


def test_a_stalling_server_is_given_up(server: Server, tmp_path: Path) -> None:
    def stall(request: BaseHTTPRequestHandler) -> None:
        send(CONTENT[:1000], announce=len(CONTENT))(request)
        request.wfile.flush()
        server.stop.wait(5)

    server.answers["/a"] = [stall]
    with pytest.raises(DownloadError, match="could not be fetched in 3 attempts"):
        fetch(pinned(server), tmp_path)
    assert only_parts(tmp_path)
    server.answers["/a"] = [ranged(CONTENT)]
    assert [c.state for c in fetch(pinned(server), tmp_path)] == ["fetched"]


def test_a_redirect_is_followed_and_a_circle_is_not(server: Server, tmp_path: Path) -> None:
    server.answers["/a"] = [send(b"", status=302, Location="/b")]
    server.answers["/b"] = [send(CONTENT)]
    assert [c.state for c in fetch(pinned(server), tmp_path)] == ["fetched"]
    server.answers["/b"] = [send(b"", status=302, Location="/a")]
    with pytest.raises(DownloadError, match="redirects"):
        fetch(pinned(server, path="set/b.owl"), tmp_path)


@pytest.mark.parametrize("status", [403, 404, 410, 500, 503])
def test_an_error_answer_is_said(status: int, server: Server, tmp_path: Path) -> None:
    server.answers["/a"] = [send(b"<html>sorry</html>", status=status)]
    with pytest.raises(DownloadError, match=f"the server answers {status}"):
        fetch(pinned(server), tmp_path)
    assert len(server.asked) == (3 if status >= 500 else 1)
    assert not [p for p in tmp_path.rglob("*") if p.is_file()]


def test_more_bytes_than_announced_in_the_catalogue_are_not_read(
    server: Server, tmp_path: Path
) -> None:
    server.answers["/a"] = [send(CONTENT * 3)]
    with pytest.raises(DownloadError, match="longer than"):
        fetch(pinned(server), tmp_path)
    assert not [p for p in tmp_path.rglob("*") if p.is_file()]


def test_nobody_there_is_said(tmp_path: Path) -> None:
    server = Server()
    data = pinned(server)
    server.close()
    with pytest.raises(DownloadError, match=r"refused.*: check the connection") as error:
        fetch(data, tmp_path)
    assert "ConnectionPool" not in str(error.value)


def test_a_file_changed_on_disk_is_refused_and_verified(server: Server, tmp_path: Path) -> None:
    server.answers["/a"] = [send(CONTENT)]
    data = pinned(server)
    fetch(data, tmp_path)
    (tmp_path / "set" / "a.owl").write_bytes(b"mine")
    assert [c.state for c in verify(data, tmp_path)] == ["changed"]
    with pytest.raises(DownloadError, match="other bytes"):
        fetch(data, tmp_path)
    assert (tmp_path / "set" / "a.owl").read_bytes() == b"mine"


SUITE = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
         xmlns:s="http://www.seals-project.eu/ontologies/SEALSMetadata.owl#"
         xmlns:dc="http://purl.org/dc/terms/">
  <rdf:Description rdf:about="http://x/suite"><dc:identifier>suite</dc:identifier>{items}
  </rdf:Description>
</rdf:RDF>"""
ITEM = """<s:hasSuiteItem><rdf:Description rdf:about="http://x/{number}">
<dc:identifier>{name}</dc:identifier></rdf:Description></s:hasSuiteItem>"""


def track(server: Server, *cases: str) -> DataSet:
    listing = SUITE.format(
        items="".join(ITEM.format(name=case, number=i) for i, case in enumerate(cases))
    )
    server.answers["/t/v/suite/"] = [send(listing.encode())]
    files = bundled_task("library")
    for case in cases:
        for part in ("source", "target", "reference"):
            body = getattr(files, part).read_bytes()
            server.answers[f"/t/v/suite/{case}/component/{part}/"] = [send(body)]
    return DataSet("t/v", "a track", "none", suite=f"{server.url}/t/v/suite/")


def test_a_track_is_listed_fetched_and_found_as_tasks(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = track(server, "cmt-ekaw", "cmt-edas")
    assert [c.state for c in fetch(data, tmp_path)] == ["fetched"] * 6
    assert [c.state for c in verify(data, tmp_path)] == ["ok"] * 6
    before = len(server.asked)
    assert [c.state for c in fetch(data, tmp_path, offline=True)] == ["ok"] * 6
    assert len(server.asked) == before
    monkeypatch.setattr("alignrank.ontologies.tasks.OAEI_HOST", "127.0.0.1")
    assert [t.name for t in find_tasks("t/v", [tmp_path])] == ["cmt-edas", "cmt-ekaw"]


def test_what_was_trusted_once_is_refused_when_it_changes(server: Server, tmp_path: Path) -> None:
    data = track(server, "one")
    fetch(data, tmp_path)
    trusted = json.loads((tmp_path / "trusted.json").read_text())
    assert set(trusted) == {f"127.0.0.1/t/v/one/{p}.rdf" for p in ("source", "target", "reference")}
    target = tmp_path / "127.0.0.1" / "t" / "v" / "one" / "target.rdf"
    target.unlink()
    server.answers["/t/v/suite/one/component/target/"] = [send(b"<rdf:RDF/>")]
    with pytest.raises(DownloadError, match="does not match the known hash"):
        fetch(data, tmp_path)
    assert not target.exists()
    assert [c.state for c in verify(data, tmp_path)] == ["ok", "missing", "ok"]


def test_an_interrupted_track_goes_on_with_what_is_missing(server: Server, tmp_path: Path) -> None:
    data = track(server, "one")
    good = server.answers["/t/v/suite/one/component/target/"]
    server.answers["/t/v/suite/one/component/target/"] = [send(b"x", status=500)]
    with pytest.raises(DownloadError, match="500"):
        fetch(data, tmp_path)
    server.answers["/t/v/suite/one/component/target/"] = good
    assert [c.state for c in fetch(data, tmp_path)] == ["ok", "fetched", "fetched"]


def test_a_truncated_file_without_checksum_leaves_no_part(server: Server, tmp_path: Path) -> None:
    data = track(server, "one")
    server.answers["/t/v/suite/one/component/source/"] = [send(b"<rdf", announce=5000)]
    with pytest.raises(DownloadError, match="3 attempts"):
        fetch(data, tmp_path)
    folder = tmp_path / "127.0.0.1" / "t" / "v" / "one"
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("body", "said"),
    [(b"<!DOCTYPE html><p>login", "web page"), (b"\n <HTML>", "web page"), (b"", "is empty")],
)
def test_a_web_page_is_not_trusted(body: bytes, said: str, server: Server, tmp_path: Path) -> None:
    data = track(server, "one")
    server.answers["/t/v/suite/one/component/source/"] = [send(body)]
    with pytest.raises(DownloadError, match=said):
        fetch(data, tmp_path)
    assert not (tmp_path / "127.0.0.1" / "t" / "v" / "one" / "source.rdf").exists()


def test_a_case_without_a_reference_is_fetched_without(server: Server, tmp_path: Path) -> None:
    data = track(server, "one")
    del server.answers["/t/v/suite/one/component/reference/"]
    assert [c.path.name for c in fetch(data, tmp_path)] == ["source.rdf", "target.rdf"]
    # what the host does not have is not missing
    assert [c.state for c in verify(data, tmp_path)] == ["ok", "ok"]
    assert [c.state for c in fetch(data, tmp_path, offline=True)] == ["ok", "ok"]
    assert holding(data, tmp_path) == "yes"
    # and is fetched when the host has it
    server.answers["/t/v/suite/one/component/reference/"] = [send(b"<rdf/>")]
    assert [c.state for c in fetch(data, tmp_path)] == ["ok", "ok", "fetched"]
    assert [c.state for c in verify(data, tmp_path)] == ["ok", "ok", "ok"]


def test_a_failed_fetch_holds_nothing_or_a_part(server: Server, tmp_path: Path) -> None:
    alone = pinned(server)
    server.answers["/a"] = [send(b"no", status=404)]
    with pytest.raises(DownloadError):
        fetch(alone, tmp_path)
    assert holding(alone, tmp_path) == "no"
    data = track(server, "one", "two")
    server.answers["/t/v/suite/two/component/target/"] = [send(b"no", status=404)]
    with pytest.raises(DownloadError):
        fetch(data, tmp_path)
    assert holding(data, tmp_path) == "in part"


def test_a_track_in_the_cache_of_melt_is_there_without_a_list(
    server: Server, tmp_path: Path
) -> None:
    data = track(server, "one")
    case = tmp_path / "127.0.0.1" / "t" / "v" / "one"
    case.mkdir(parents=True)
    assert holding(data, tmp_path) == "no"
    for part in ("source", "target", "reference"):
        (case / f"{part}.rdf").write_bytes(getattr(bundled_task("library"), part).read_bytes())
    assert (holding(data, tmp_path), is_listed(data, tmp_path)) == ("yes", False)
    with pytest.raises(DownloadError, match="was not fetched into"):
        verify(data, tmp_path)


@pytest.mark.parametrize("name", ["../../etc", ".hidden", "a\\b"])
def test_a_list_cannot_name_a_place_elsewhere(name: str, server: Server, tmp_path: Path) -> None:
    data = track(server, name)
    with pytest.raises(DownloadError, match="names a test case"):
        fetch(data, tmp_path)
    assert not list(tmp_path.rglob("suite.rdf"))


def test_a_list_that_is_none_is_not_kept(server: Server, tmp_path: Path) -> None:
    data = track(server)
    for body, said in (
        (b"<a><b></a>", "no RDF"),
        (SUITE.format(items="").encode(), "no test case"),
    ):
        server.answers["/t/v/suite/"] = [send(body)]
        with pytest.raises(DownloadError, match=said):
            fetch(data, tmp_path)
        assert not list(tmp_path.rglob("suite.rdf"))


def test_a_list_that_defines_entities_is_not_expanded(server: Server, tmp_path: Path) -> None:
    bomb = '<!DOCTYPE r [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>'
    data = track(server)
    server.answers["/t/v/suite/"] = [send(bomb.encode() + SUITE.format(items="").encode())]
    with pytest.raises(DownloadError, match="it defines entities"):
        fetch(data, tmp_path)


def test_a_redirect_to_a_host_that_nobody_listed_is_not_followed(
    server: Server, tmp_path: Path
) -> None:
    elsewhere = server.url.replace("127.0.0.1", "localhost")
    server.answers["/a"] = [send(b"", status=302, Location=f"{elsewhere}/b")]
    server.answers["/b"] = [send(CONTENT)]
    with pytest.raises(DownloadError, match="leads to localhost, a host that nobody listed"):
        fetch(pinned(server), tmp_path)
    assert [path for path, _ in server.asked] == ["/a"]


def test_a_transfer_has_a_deadline(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "DEADLINE", -1.0)
    server.answers["/a"] = [send(CONTENT)]
    with pytest.raises(DownloadError, match="took more than"):
        fetch(pinned(server), tmp_path)


@pytest.mark.parametrize(("served", "scheme"), [(True, "https"), (False, "http")])
def test_https_is_taken_where_it_is_served(
    served: bool, scheme: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def head(url: str, **_: object) -> None:
        if not served:
            raise requests.ConnectionError(url)

    monkeypatch.setattr(requests, "head", head)
    download._serves_https.cache_clear()
    assert download._secure("http://oaei.example/a?b") == f"{scheme}://oaei.example/a?b"
    assert ("answers by http only" in caplog.text) is not served
    assert download._secure("https://oaei.example/a") == "https://oaei.example/a"


def test_the_first_fetch_says_that_it_pins(
    server: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server.answers["/a"] = [send(CONTENT)]
    data = DataSet("set", "a test", "none", (RemoteFile("set/a.owl", f"{server.url}/a"),))
    fetch(data, tmp_path)
    assert "1 of its files have no published checksum" in caplog.text
    caplog.clear()
    fetch(data, tmp_path)
    assert "checksum" not in caplog.text


def test_the_catalogue_says_what_provenance_says(oaei: Path) -> None:
    lines = (oaei / "PROVENANCE.tsv").read_text(encoding="utf-8").splitlines()
    rows = [dict(zip(lines[0].split("\t"), line.split("\t"), strict=True)) for line in lines[1:]]
    known = {f.path: f for data in data_sets().values() for f in data.files}
    rows = [row for row in rows if not row["file"].startswith(("../scores/", "tuning/"))]
    listed = {f.path for name in ("anatomy", "conference", "proton") for f in data_set(name).files}
    assert listed <= {row["file"] for row in rows} <= set(known)
    for row in rows:
        file = known[row["file"]]
        assert (file.sha256, file.size) == (row["sha256"], int(row["bytes"]))
        for part in (row["repository"], row["commit"]):
            assert part in file.url


def test_the_data_at_hand_is_the_catalogues(oaei: Path) -> None:
    years = (f"anatomy/systems-{year}" for year in (2018, 2022, 2023))
    for name in ("anatomy", *years, "conference", "proton"):
        assert {c.state for c in verify(data_set(name), oaei)} == {"ok"}


def test_tracks_have_a_list_and_largebio_says_what_it_is_made_of() -> None:
    tracks = {name: data for name, data in data_sets().items() if data.suite}
    assert all(data.suite.endswith(f"/{name}/suite/") for name, data in tracks.items())
    assert sum(name.startswith("largebio/") for name in tracks) == 9
    assert "UMLS licence" in data_set("largebio/largebio-fma_nci_small_2016").licence
    assert sum(name.endswith("-v2") and "-v2/" not in name for name in tracks) >= 45
    with pytest.raises(OntologyError, match=r"did you mean largebio/"):
        data_set("largebio/2019")


def test_the_folder_is_the_environments_else_the_users(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ALIGNRANK_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    assert data_folders()[0] == tmp_path
    monkeypatch.delenv("ALIGNRANK_DATA")
    assert data_folder().name == "alignrank"
    assert data_folders(tmp_path) == [tmp_path]


def test_the_benchmark_of_2008_is_tasks_and_archives_are_found_by_year(tmp_path: Path) -> None:
    for case in ("101", "205"):
        folder = tmp_path / "benchmark-2008" / case
        folder.mkdir(parents=True)
        for name in ("onto.rdf", "refalign.rdf"):
            (folder / name).touch()
    (task,) = find_tasks("benchmark-2008/205", [tmp_path])
    assert [p.parent.name for p in (task.source, task.target, task.reference)] == [
        "101",
        "205",
        "205",
    ]
    assert len(find_tasks("benchmark-2008", [tmp_path])) == 2

    for path in ("reference/a-b.rdf", "systems-2019/X-A-b.rdf", "systems-2019/X-a-c.rdf"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).touch()
    pair = MatchingTask("a-b", task.source, task.target, tmp_path / "reference" / "a-b.rdf")
    found = archived(pair)
    assert {year: {s: p.name for s, p in systems.items()} for year, systems in found.items()} == {
        "2019": {"X": "X-A-b.rdf"}
    }


def test_anatomys_systems_are_archived_by_year(oaei: Path) -> None:
    (task,) = find_tasks("anatomy", [oaei])
    found = archived(task)
    assert [len(found[year]) for year in ("2016", "2018", "2022", "2023")] == [11, 13, 10, 9]
