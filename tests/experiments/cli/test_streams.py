"""Where output goes: devices, pipes, links, closed streams, names that a terminal would obey."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from alignrank.experiments.cli import main
from alignrank.ontologies.tasks import bundled_task
from tests.experiments.conftest import only_cautions

ALIGNRANK = Path(sys.executable).with_name("alignrank")
LIBRARY = bundled_task("library")


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["alignrank", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0)


def converted(monkeypatch: pytest.MonkeyPatch, out: Path) -> int:
    return run(monkeypatch, "convert", LIBRARY.reference, out, "--format", "csv", "--overwrite")


def test_a_link_is_written_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    real.write_text("old")
    link.symlink_to(real)
    assert converted(monkeypatch, link) == 0
    assert link.is_symlink()
    assert "entity1" in real.read_text()


def test_a_pipe_is_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe, got = tmp_path / "pipe.jsonl", list[str]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    assert run(monkeypatch, "convert", LIBRARY.reference, pipe, "--overwrite") == 0
    if not pipe.is_fifo():  # else the reader would wait for ever
        pytest.fail("the pipe was replaced")
    reader.join()
    assert "entity1" in got[0]


@pytest.mark.parametrize(
    ("command", "rows_are"),
    [
        ("study", "task"),
        ("compare", "item"),
        ("gate", "item"),
        ("plan", "item"),
        ("plan", "task"),
    ],
)
def test_a_table_is_read_from_a_pipe(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    rows_are: str,
) -> None:
    file, pipe = tmp_path / "scores.csv", tmp_path / "pipes" / "scores.csv"
    pipe.parent.mkdir()
    rows = (f"t{k},{k % 3 > 0:d},{k % 5 > 1:d}" for k in range(40))
    file.write_text("\n".join([f"{rows_are},a,b", *rows]))
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(file.read_bytes()), daemon=True)
    writer.start()
    code = run(monkeypatch, command, pipe)
    piped = capsys.readouterr().out
    assert piped
    assert run(monkeypatch, command, file) == code
    assert capsys.readouterr().out == piped


def test_signs_that_a_terminal_would_obey_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = tmp_path / "a\x1b[31mb.rdf"
    assert run(monkeypatch, "check", evil) == 2
    evil.write_bytes(LIBRARY.reference.read_bytes())
    assert run(monkeypatch, "check", evil) in (0, 1)
    run(
        monkeypatch,
        "compare",
        LIBRARY.reference,
        evil,
        LIBRARY.reference,
        "--out",
        evil.parent / "\x1b",
    )
    said = "".join(capsys.readouterr())
    assert "\x1b" not in said
    assert "a\\x1b[31mb" in said


@pytest.mark.parametrize("closed", ["2>&-", ">&-", "<&- >&- 2>&-"])
def test_a_closed_stream_loses_no_results(tmp_path: Path, closed: str) -> None:
    command = f"{ALIGNRANK} score {LIBRARY.reference} {LIBRARY.reference} --out results {closed}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0
    assert only_cautions(done.stderr)
    assert "files" in json.loads((tmp_path / "results" / "manifest.json").read_text())


#: Modules that no user should write, and what is said about each.
MODULES = {
    "unclosed": ("def f(s, t:\n    return 1\n", "cannot be imported: mend it (SyntaxError: '('"),
    "leaving": ("import sys\nsys.exit(0)\n", "cannot be imported: mend it (SystemExit: 0)"),
    "failing": ("1 / 0\n", "cannot be imported: mend it (ZeroDivisionError"),
    "leaves": ("import sys\ndef f(s, t): sys.exit(0)\n", "failed on ("),
    "huge": ("def f(s, t): return 10**400\n", "failed on ("),
    "hugest": ("def f(s, t): return 10**9999\n", "failed on ("),
    "long": ("def f(s, t): return 'x' * 10**6\n", "gave 'xxx"),
}


@pytest.mark.parametrize("name", MODULES)
def test_what_a_metric_of_the_users_own_does_is_one_line(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source, said = MODULES[name]
    (tmp_path / f"user_{name}.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    files = (LIBRARY.source, LIBRARY.target, "--metric", f"user_{name}:f")
    assert run(monkeypatch, "match", *files, "--out", tmp_path / "a.rdf") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert len(line) < 500
    assert not (tmp_path / "a.rdf").exists()


def test_a_metric_that_prints_and_wanders_moves_and_spoils_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "user_wanders.py").write_text(
        "import os\nprint('hello')\nos.chdir('/')\n"
        "def f(s, t):\n    os.chdir('/')\n    print(s)\n    return float(s == t)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    files = (LIBRARY.source, LIBRARY.target, "--metric", "user_wanders:f")
    assert run(monkeypatch, "match", *files, "--out", "a.rdf", "--json") == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["metric"] == "user_wanders:f"
    assert "hello" in printed.err
    assert (tmp_path / "a.rdf").is_file()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is full")
@pytest.mark.parametrize("arguments", [["list", "tests"], ["show", str(LIBRARY.source), "--json"]])
def test_a_full_disk_behind_the_output_is_named(arguments: list[str]) -> None:
    environment = {k: value for k, value in os.environ.items() if k != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [ALIGNRANK, *arguments],
            env=environment,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("alignrank: error: standard output: no space left on device: ")
    assert done.stderr.count("\n") == 1
