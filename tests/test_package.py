"""What is installed: names, files, doctests; beside packages and folders of the same names."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest

import alignrank as ar
from tests.test_floors import ALLOWED

PROJECT = Path(__file__).parents[1]
FACES = [path for top in ALLOWED for path in sorted((PROJECT / top).rglob("__init__.py"))]


def installed_name(path: Path) -> str:
    """Return the name that a folder or module of the project is imported by."""
    name = ".".join(["alignrank", *path.with_suffix("").parts]).removesuffix(".__init__")
    return name.replace("alignrank.api", "alignrank")


#: What is not installed, and has examples.
STUDIES = (
    *("simulation", "promises"),
    *("generator", "generator.model", "generator.seed", "generator.spec"),
)
# by their files: of an editable install, pkgutil finds no package beside `api`
MODULES = [
    *(
        installed_name(path.relative_to(PROJECT))
        for face in FACES
        for path in sorted(face.parent.glob("*.py"))
    ),
    *STUDIES,
]


@pytest.mark.parametrize("name", [name for name in MODULES if "__main__" not in name])
def test_examples_in_docstrings_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_a_comment_on_a_value_stands_above_it() -> None:
    for path in (path for face in FACES for path in face.parent.glob("*.py")):
        lines = path.read_text(encoding="utf-8").splitlines()
        alone = [line for line, below in pairwise(lines) if line[:2] == "#:" and not below.strip()]
        assert not alone, path


def test_every_folder_is_installed_under_its_name() -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    folders = {installed_name(face.parent.relative_to(PROJECT)) for face in FACES}
    assert set(settings["setuptools"]["packages"]) == folders
    assert set(settings["setuptools"]["package-dir"].values()) == ALLOWED.keys()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel made of a copy: setuptools leaves a folder `build` beside what it packs."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "source"
    for top in ALLOWED:
        shutil.copytree(PROJECT / top, copy / top, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(PROJECT / name, copy)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder)]
    subprocess.run([*command, str(copy)], check=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_the_packages_and_their_data_and_nothing_else(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    wanted = set()
    for top in ALLOWED:
        for path in (PROJECT / top).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and path.name != "README.md":
                relative = path.relative_to(PROJECT)
                wanted.add(f"{installed_name(relative.parent).replace('.', '/')}/{relative.name}")
    names = {name for name in names if not name.endswith("README.md")}
    assert names == wanted


@pytest.mark.long
def test_it_works_beside_packages_and_folders_of_the_same_names(
    wheel: Path, tmp_path: Path
) -> None:
    """Distributions and folders called `evaluation`, `experiments`, `matchers` hide nothing."""
    venv.create(tmp_path / "venv", symlinks=True)
    python = tmp_path / "venv" / "bin" / "python"
    site = next((tmp_path / "venv" / "lib").glob("python*/site-packages"))
    zipfile.ZipFile(wheel).extractall(site)
    dependencies = Path(importlib.import_module("numpy").__file__ or "").parents[1]
    (site / "dependencies.pth").write_text(f"{dependencies}\n")
    for name in ("evaluation", "experiments", "matchers"):
        for place in (site, tmp_path / "work"):
            (place / name).mkdir(parents=True)
            (place / name / "__init__.py").write_text("raise RuntimeError('code of others runs')\n")
    environment = {name: x for name, x in os.environ.items() if name != "PYTHONPATH"}
    # all packages work, and hardly a kernel, which this place would compile anew
    metrics = ["--metric", "equality", "--metric", "hamming"]
    rank = ["-m", "alignrank", "rank", "--task", "library", *metrics]
    for arguments in (["-c", "import alignrank as ar; ar.rank"], rank):
        run = subprocess.run(
            [python, *arguments],
            cwd=tmp_path / "work",
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr


def test_the_module_is_the_command_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "alignrank", "--version"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stdout == f"alignrank {ar.__version__}\n"


def test_an_editor_is_shown_modules_that_are_made_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = importlib.util.spec_from_file_location("editor", PROJECT / ".ci" / "editor.py")
    assert spec is not None
    assert spec.loader is not None
    editor = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(editor)
    assert {target.split("/")[0] for target in editor.LINKS.values()} == ALLOWED.keys()
    monkeypatch.setattr(editor, "PROJECT", tmp_path)
    for top in ALLOWED:
        (tmp_path / top).mkdir()
    (tmp_path / "api" / "__init__.py").touch()
    for _ in range(2):  # again does no harm
        editor.main()
    (tmp_path / "api" / "later.py").touch()
    (tmp_path / "matchers" / "later.py").touch()
    links = tmp_path / ".editor"
    assert (links / "alignrank" / "__init__.py").is_file()
    assert (links / "alignrank" / "matchers" / "later.py").is_file()
    assert (links / "api" / "alignrank" / "later.py").is_file()
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["pyright"]
    jedi = json.loads((tmp_path / ".jedi" / "project.json").read_text("utf-8"))[1]
    assert [PROJECT / path for path in settings["extraPaths"][:2]] == [
        PROJECT / Path(path).relative_to(tmp_path) for path in jedi["added_sys_path"]
    ]
    face = (PROJECT / "api" / "__init__.py").read_text("utf-8").splitlines()
    assert any("extend_path(__path__" in line for line in face[:50])  # as far as jedi reads
