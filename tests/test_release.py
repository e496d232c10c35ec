"""What a release needs: files that say the same of the project, and a script that changes them."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import yaml

PROJECT = Path(__file__).parents[1]


def read(name: str) -> str:
    return (PROJECT / name).read_text(encoding="utf-8")


def test_the_files_that_describe_the_project_agree() -> None:
    project = tomllib.loads(read("pyproject.toml"))["project"]
    citation = yaml.safe_load(read("CITATION.cff"))
    codemeta = json.loads(read("codemeta.json"))
    last = re.search(r"^## (\d\S+) - (\S+)$", read("CHANGELOG.md"), re.M)
    assert last is not None
    assert last.groups() == (project["version"], str(citation["date-released"]))
    assert last.groups() == (codemeta["version"], codemeta["dateModified"])
    assert project["name"] == citation["title"] == codemeta["name"]
    assert project["description"] == citation["abstract"] == codemeta["description"]
    assert project["license"] == citation["license"] == codemeta["license"].rpartition("/")[2]
    assert project["keywords"] == citation["keywords"] == codemeta["keywords"]
    assert codemeta["runtimePlatform"] == f"Python {project['requires-python']}"
    names = [[author["name"] for author in x] for x in (project["authors"], citation["authors"])]
    assert names == [[author["name"] for author in codemeta["author"]]] * 2


def test_the_lowest_versions_are_those_that_pyproject_states() -> None:
    project = tomllib.loads(read("pyproject.toml"))["project"]
    extras = project["optional-dependencies"]
    stated = [*project["dependencies"]]
    stated += [text for name in ("distributed", "join", "reasoner") for text in extras[name]]
    lowest = [re.sub(r"^([\w-]+)>=([\d.]+).*", r"\1==\2", text) for text in stated]
    assert read("constraints-lowest.txt").split() == sorted(lowest)
