"""The command `match`: what it keeps of a corrected mapping."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alignrank.ontologies import read_alignment
from alignrank.ontologies.curation import CURATED
from alignrank.ontologies.tasks import bundled_task

TASK = bundled_task("library")


def test_the_command_keeps_decisions_and_names_what_is_wrong(tmp_path: Path, shell: Any) -> None:
    path, again = tmp_path / "ab.sssom.tsv", tmp_path / "again.sssom.tsv"
    files = TASK.source, TASK.target
    shell.printed("match", *files, "--out", path)
    refusal = shell.refused("match", *files, "--from", path)
    assert "accepts and rejects nothing" in refusal
    lines = path.read_text("utf-8").splitlines()
    row = next(k for k, line in enumerate(lines) if "\tsemapv:" in line)
    lines[row] = "\t".join(
        CURATED if field.startswith("semapv:") else field for field in lines[row].split("\t")
    )
    path.write_text("\n".join(lines) + "\n", "utf-8")
    printed = shell.printed("match", *files, "--from", path, "--out", again)
    assert f"Kept from {path}: 1 accepted, 0 rejected" in " ".join(printed.split())
    assert read_alignment(again).pairs == read_alignment(path).pairs
    assert again.read_text("utf-8").count(CURATED) == 1
    refusal = shell.refused("match", *reversed(files), "--from", path)
    assert "swap the ontologies?" in refusal
