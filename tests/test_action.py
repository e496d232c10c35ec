"""The workflow of docs/tasks/gate.md and action.yml, run step by step in a small repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).parents[1]
LIBRARY = PROJECT / "ontologies" / "bundled" / "library"
ACTION = yaml.safe_load((PROJECT / "action.yml").read_text(encoding="utf-8"))
PAGE = (PROJECT / "docs" / "tasks" / "gate.md").read_text(encoding="utf-8")
_WORKFLOW = re.search(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)
assert _WORKFLOW is not None
STEPS: list[dict[str, Any]] = yaml.safe_load(_WORKFLOW[1])["jobs"]["gate"]["steps"]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A matcher that "finds" alignment.rdf, beside the files that the page's workflow names."""
    for name in ("source.owl", "target.owl", "reference.rdf"):
        shutil.copy(LIBRARY / name, tmp_path)
    shutil.copy(LIBRARY / "alignments" / "system_near_miss.rdf", tmp_path / "released.rdf")
    matcher = tmp_path / "my-matcher"
    matcher.write_text('#!/bin/sh\ncp alignment.rdf "$4"\n')
    matcher.chmod(0o755)
    return tmp_path


def run_steps(
    steps: list[dict[str, Any]], repository: Path, inputs: dict[str, str]
) -> tuple[int, str]:
    """Run steps as GitHub does, but for other people's actions and the installation."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": str(repository / "summary.md"),
    }
    output = ""
    for step in steps:
        if step.get("uses") == "./alignrank":
            assert step["with"].keys() <= ACTION["inputs"].keys()
            values = {name: x.get("default", "") for name, x in ACTION["inputs"].items()}
            code, text = run_steps(
                ACTION["runs"]["steps"], repository, {**values, **step["with"], **inputs}
            )
        elif "run" in step and step.get("id") != "install":
            own = {
                name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: inputs[m[1]], value)
                for name, value in step.get("env", {}).items()
            }
            run = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                cwd=repository,
                env={**environment, **own},
                capture_output=True,
                text=True,
                check=False,
            )
            code, text = run.returncode, run.stdout + run.stderr
        else:
            continue
        output += text
        if code:
            return code, output
    return 0, output


@pytest.mark.parametrize(
    ("found", "inputs", "code", "decision"),
    [
        ("system_good", {}, 0, "pass"),
        ("system_bad", {}, 1, "block"),
        ("missed", {}, 3, "inconclusive"),
        ("missed", {"inconclusive": "pass"}, 0, "inconclusive"),
        ("system_bad", {"inconclusive": "pass"}, 1, "block"),
        ("system_good", {"options": "--reference gone.rdf"}, 2, "gone.rdf"),
    ],
)
def test_the_workflow_of_the_page_decides(
    repository: Path, found: str, inputs: dict[str, str], code: int, decision: str
) -> None:
    if found == "missed":  # a single pair fewer: too little to tell
        text = (repository / "released.rdf").read_text(encoding="utf-8")
        text = re.sub(r"<map>.*?</map>\s*", "", text, count=1, flags=re.S)
        (repository / "alignment.rdf").write_text(text, encoding="utf-8")
    else:
        shutil.copy(LIBRARY / "alignments" / f"{found}.rdf", repository / "alignment.rdf")
    ended, output = run_steps(STEPS, repository, inputs)
    assert ended == code, output
    assert decision in output
    if code != 2:
        assert decision in (repository / "summary.md").read_text(encoding="utf-8")


def test_the_action_installs_what_lies_beside_it() -> None:
    (install,) = (step for step in ACTION["runs"]["steps"] if step.get("id") == "install")
    assert install["run"].endswith('"$GITHUB_ACTION_PATH"')
    assert (PROJECT / "constraints.txt").is_file()
