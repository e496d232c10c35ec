"""``--tiles`` from the command line: the same files, clear refusals, a bar, Ctrl-C."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import alignrank.matchers.matcher
from alignrank.matchers import STANDARD, Settings, match_all, prepare, select_metrics
from alignrank.ontologies import load_ontology, write_alignment
from alignrank.ontologies.tasks import bundled_task

LIBRARY = bundled_task("library")
CUT = ["--threshold", "0.8", "--order", "cut-then-assign"]
PROJECT = Path(__file__).parents[3]

#: The command line with tiny tiles, and a metric that takes its time.
SLOW = """
import sys, time
from pathlib import Path
from alignrank.matchers.similarity import tiles

def slow(s, t):
    Path(sys.argv[sys.argv.index("--out") + 1]).with_name("begun").touch()
    time.sleep(0.003)
    return float(s == t)

sys.modules["slow_metric"] = sys.modules["__main__"]
tiles.TILE = (5, 4)
sys.argv = ["alignrank", *sys.argv[1:]]
from alignrank.experiments.start import main
main()
"""


@pytest.mark.parametrize("metric", STANDARD)
def test_match_writes_the_same_bytes(shell: Any, tmp_path: Path, metric: str) -> None:
    written = []
    for option in ("--tiles", "--no-tiles"):
        out = tmp_path / f"{option}.rdf"
        arguments = ("--metric", metric, "--out", out, *CUT, option)
        code, printed, err = shell("match", LIBRARY.source, LIBRARY.target, *arguments)
        assert code == 0, err
        assert "(hungarian, cut-then-assign)" in printed
        written.append(out.read_bytes())
    assert written[0] == written[1]
    assert b"<Cell>" in written[0]


def test_rank_says_the_same(shell: Any, tmp_path: Path) -> None:
    files = (LIBRARY.source, LIBRARY.target, LIBRARY.reference)
    outs = []
    for option in ("--tiles", "--no-tiles"):
        code, out, err = shell("rank", *files, *CUT, option)
        assert code == 0, err
        outs.append(out)
    assert outs[0] == outs[1]
    assert "levenshtein" in outs[0]


def test_anatomy_is_the_same_in_every_byte(oaei: Path, tmp_path: Path) -> None:
    source, target = (load_ontology(oaei / "anatomy" / f"{x}.owl") for x in ("mouse", "human"))
    metrics = select_metrics(["standard"])
    written = []
    for tiles in (True, False):
        how = Settings(threshold=0.8, order="cut-then-assign", tiles=tiles)
        files = []
        for found in match_all(prepare(source, target, how), metrics):
            write_alignment(found.alignment, tmp_path / "found.rdf")
            files.append((tmp_path / "found.rdf").read_bytes())
            assert found.ties is not None
            files.append(repr(found.ties.size).encode())
        written.append(files)
    assert written[0] == written[1]


def test_refusals_say_what_to_add(shell: Any, tmp_path: Path) -> None:
    arguments = (LIBRARY.source, LIBRARY.target, "--metric", "jaro", "--out", tmp_path / "a.rdf")
    line = shell.refused("match", *arguments, "--tiles", "--threshold", "0")
    assert "--threshold 0.8" in line
    assert "--order cut-then-assign" in line
    line = shell.refused("match", *arguments, "--tiles", "--threshold", "0.8")
    assert line.endswith("with tiles, choose the order cut-then-assign (--order cut-then-assign)")
    line = shell.refused("rank", *arguments[:2], LIBRARY.reference, "--tiles")
    assert "choose a threshold above 0 (as --threshold 0.8)" in line


def test_what_does_not_fit_is_refused_with_figures_or_goes_by_tiles(
    shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alignrank.matchers.matcher, "available_memory", lambda: 2**30)
    monkeypatch.setattr(alignrank.matchers.matcher, "memory_needed", lambda n, m: 35 * 2**30)
    arguments = (LIBRARY.source, LIBRARY.target, "--metric", "jaro", "--out", tmp_path / "a.rdf")
    line = shell.refused("match", *arguments, "--threshold", "0")
    assert re.search(r"a similarity matrix of \d+ x \d+ entities needs 35\.0 GiB of memory", line)
    assert "1.0 GiB are free: it can be matched in tiles, but choose a threshold above 0" in line
    assert shell("match", *arguments, *CUT)[0] == 0


def slow_match(out: Path, **streams: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            *(sys.executable, "-c", SLOW, "match", str(LIBRARY.source), str(LIBRARY.target)),
            *("--metric", "slow_metric:slow", "--out", str(out), *CUT, "--tiles"),
        ],
        env={**os.environ, "TERM": "xterm"},
        text=True,
        **streams,
    )


def test_ctrl_c_between_tiles_leaves_nothing(tmp_path: Path) -> None:
    process = slow_match(tmp_path / "a.rdf", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not (tmp_path / "begun").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    out, err = process.communicate(timeout=60)
    assert time.monotonic() - sent < 20
    assert (process.returncode, out) == (130, "")
    assert err.splitlines() == ["alignrank: interrupted; nothing half-written is left"]
    assert [path.name for path in tmp_path.iterdir()] == ["begun"]


def test_a_terminal_shows_the_parts_and_a_pipe_nothing(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    process = slow_match(tmp_path / "a.rdf", stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    shown, deadline = b"", time.monotonic() + 60
    while time.monotonic() < deadline:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                shown += os.read(ours, 1 << 16)
            except OSError:  # the other end is closed
                break
    os.close(ours)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "correspondences" in out
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode(errors="replace"))
    assert re.search(r"parts of slow\S* .*\d/\d.*left: \d:\d\d:\d\d", text), text
    assert (tmp_path / "a.rdf").exists()
