"""`alignrank merge`: the answer first, the file, JSON, and refusals."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evaluation.measures.logic import hermit
from ontologies import load_ontology
from ontologies.tasks import bundled_task

ALIGNRANK = Path(sys.executable).with_name("alignrank")
FOOD = bundled_task("foodchain")
BAD = FOOD.reference.parent / "alignments" / "system_bad.rdf"


def test_what_breaks_comes_first_then_who_did_it(tmp_path: Path) -> None:
    """The installed command, where there is no Java."""
    out = tmp_path / "merged.ttl"
    done = subprocess.run(
        [ALIGNRANK, "merge", FOOD.source, FOOD.target, BAD, "--out", out],
        env={**os.environ, "PATH": ""},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "only what reachability sees is checked" in done.stderr
    lines = done.stdout.splitlines()
    assert "breaks 6 of 108 classes, by reachability; to blame: 2 correspondences" in lines[0]
    assert "pears = pork" in done.stdout
    assert "triples, all read back" in lines[-1]
    assert len(load_ontology(out)) >= 108


def test_json_and_no_silent_replacement(
    shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hermit.shutil, "which", lambda _: None)
    out = tmp_path / "merged.owl"
    one, two = tmp_path / "a.ttl", tmp_path / "b.ttl"
    for path, name in ((one, "a"), (two, "b")):
        path.write_text(f"<http://{name}#X> a <http://www.w3.org/2002/07/owl#Class> .")
    aligned = tmp_path / "mine.csv"
    aligned.write_text("entity1,entity2,relation,confidence\nhttp://a#X,http://b#X,=,0.5\n")
    done = shell.run("--json", "merge", one, two, aligned, "-o", out, "--join")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["correspondences"], found["joined"], found["unsatisfiable"]) == (1, 1, [])
    assert "http://a#X" in load_ontology(out)
    assert "http://b#X" not in load_ontology(out)
    again = shell.run("merge", one, two, aligned, "--out", out)
    assert again.returncode == 2
    assert "add --overwrite" in again.stderr
