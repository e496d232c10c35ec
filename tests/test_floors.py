"""The house's floors: imports point downwards only, between packages, folders and files."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

PROJECT = Path(__file__).parents[1]
#: Which folders a folder may import from; each is installed as ``alignrank.FOLDER``.
ALLOWED = {
    "common": set(),
    "ontologies": {"common"},
    "matchers": {"common", "ontologies"},
    "evaluation": {"common", "ontologies"},
    "experiments": {"common", "ontologies", "matchers", "evaluation"},
    "api": {"common", "ontologies", "matchers", "evaluation", "experiments"},
}
#: The folder that is installed as ``alignrank`` itself.
FACE = "api"
MOST_MODULES = 12
SCRIPTS = PROJECT / "experiments" / "scripts"


def name_of(path: Path, root: Path) -> str:
    """Return a module's dotted name below the project's root, as ``matchers.by_name``."""
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def folder_name(installed: str) -> str:
    """Return the name below the project's root: ``matchers.x`` for ``alignrank.matchers.x``."""
    top, _, below = installed.partition(".")
    if top != "alignrank":
        return installed
    return below if below.split(".")[0] in ALLOWED else f"{FACE}.{below}".rstrip(".")


def modules(root: Path) -> dict[str, Path]:
    """Return every module of the packages by its dotted name."""
    return {name_of(p, root): p for package in ALLOWED for p in (root / package).rglob("*.py")}


@cache
def imports(path: Path, root: Path) -> list[tuple[str, str]]:
    """Return (module, name) of whatever a module imports, late or not; the name may be empty."""
    return list(_imports(path, root))


def _imports(path: Path, root: Path) -> Iterator[tuple[str, str]]:
    package = name_of(path, root).split(".")
    if path.name != "__init__.py":
        package.pop()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((folder_name(alias.name), "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            base = folder_name(".".join([*above, *filter(None, [node.module])]))
            yield from ((base, alias.name) for alias in node.names)


def import_graph(root: Path) -> nx.DiGraph[str]:
    """Return the graph of modules: an arrow leads from a module to one that it imports."""
    known = modules(root)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(known)
    for module, path in known.items():
        for base, name in imports(path, root):
            target = f"{base}.{name}" if f"{base}.{name}" in known else base
            if target in known and target != module:
                graph.add_edge(module, target)
    return graph


def folder_graph(graph: nx.DiGraph[str], known: dict[str, Path], root: Path) -> nx.DiGraph[str]:
    """Return the graph of folders; the faces of the packages and errors are everybody's.

    `evaluation.public` is the face of `evaluation`, which imports it late.
    """
    folders: nx.DiGraph[str] = nx.DiGraph()
    aside = {*ALLOWED, "evaluation.public", *(name for name in known if name.endswith(".errors"))}
    for one, other in graph.edges:
        here, there = (known[m].parent.relative_to(root).as_posix() for m in (one, other))
        if not {one, other} & aside and here != there:
            folders.add_edge(here, there)
    return folders


def circles(graph: nx.DiGraph[str]) -> list[list[str]]:
    """Return the sets of nodes that can all reach each other."""
    return sorted(sorted(c) for c in nx.strongly_connected_components(graph) if len(c) > 1)


def written(root: Path, files: Iterable[tuple[str, str]]) -> Path:
    """Write modules below a folder, the packages' faces among them."""
    for name, text in [*((f"{package}/__init__.py", "") for package in ALLOWED), *files]:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.mark.parametrize("package", sorted(ALLOWED))
def test_imports_point_downwards(package: str) -> None:
    paths = sorted((PROJECT / package).rglob("*.py"))
    assert paths
    for path in paths:
        bases = {base for base, _ in imports(path, PROJECT)}
        of_the_house = {base.split(".")[0] for base in bases} & ALLOWED.keys()
        upwards = of_the_house - ALLOWED[package] - {package}
        if path.parent == SCRIPTS:  # programs that use the whole house; no room imports them
            upwards -= {FACE}
        else:
            assert not [base for base in bases if base.startswith("experiments.scripts")], path
        assert not upwards, f"{path.relative_to(PROJECT)} imports {upwards}"


def test_the_lowest_floor_names_nothing_above_it() -> None:
    above = re.compile(rf"[\"'`./]({'|'.join(ALLOWED.keys() - {'common'})})[\"'`./]")
    for path in (PROJECT / "common").rglob("*.py"):
        assert not above.findall(path.read_text(encoding="utf-8")), path


def test_no_code_lies_beside_the_packages() -> None:
    assert list(PROJECT.glob("*.py")) == []
    bare = {name for name in sys.modules if name.split(".")[0] in ALLOWED}
    assert not bare, f"imported without the prefix alignrank: {bare}"


def test_no_circle_of_files() -> None:
    assert circles(import_graph(PROJECT)) == []


def test_no_circle_of_folders() -> None:
    assert circles(folder_graph(import_graph(PROJECT), modules(PROJECT), PROJECT)) == []


def test_no_two_classes_share_a_name_and_none_asks_for_the_kind_of_a_result() -> None:
    nodes = [
        node
        for path in modules(PROJECT).values()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    ]
    classes = Counter(node.name.strip("_") for node in nodes if isinstance(node, ast.ClassDef))
    assert [name for name, times in classes.items() if times > 1] == []
    calls = [ast.unparse(node) for node in nodes if isinstance(node, ast.Call)]
    asks = re.compile(r"isinstance\(.*\b(Study|Comparison)\b")
    assert [call for call in calls if asks.match(call)] == []


def test_every_room_has_a_sentence_and_few_modules() -> None:
    folders = {path.parent for path in modules(PROJECT).values()}
    for folder in folders:
        face = folder / "__init__.py"
        assert face.is_file(), f"{folder.relative_to(PROJECT)} has no __init__.py"
        assert ast.get_docstring(ast.parse(face.read_text(encoding="utf-8"))), face
        assert len(list(folder.glob("*.py"))) - 1 <= MOST_MODULES, folder.relative_to(PROJECT)


def test_tests_mirror_the_rooms() -> None:
    rooms = {path.parent.relative_to(PROJECT) for path in modules(PROJECT).values()}
    for path in (PROJECT / "tests").rglob("test_*.py"):
        room = path.parent.relative_to(PROJECT / "tests")
        beside = room.parts[:1] in ((), ("hostile",), ("studies",))
        assert beside or room in rooms, f"{room} is no room of the house"


def test_how_to_contribute_names_what_is_there() -> None:
    text = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = [path for path in re.findall(r"`([a-z_]+(?:/[\w.]+)+)/?`", text) if "NAME" not in path]
    assert len(named) > 12
    assert [path for path in named if not (PROJECT / path).exists()] == []
    house = text.partition("## The house")[2].partition("## Rules")[0]
    rooms = {path.parent.relative_to(PROJECT).parts[:2] for path in modules(PROJECT).values()}
    shown = set(re.findall(r"\w+", house))
    assert [room for room in sorted(rooms) if not shown.issuperset(room)] == []


def test_an_upward_import_and_circles_would_be_seen(tmp_path: Path) -> None:
    root = written(
        tmp_path,
        [
            ("matchers/a.py", "def f():\n    from alignrank.experiments import cli\n"),
            ("matchers/b/c.py", "from alignrank.matchers.d import e\n"),
            ("matchers/d/e.py", "from ..b import f\n"),
            ("matchers/b/f.py", "from . import g\n"),
            ("matchers/b/g.py", "from .f import g\n"),
        ],
    )
    assert ("experiments", "cli") in imports(root / "matchers" / "a.py", root)
    assert circles(import_graph(root)) == [["matchers.b.f", "matchers.b.g"]]
    folders = folder_graph(import_graph(root), modules(root), root)
    assert circles(folders) == [["matchers/b", "matchers/d"]]


def test_evaluation_imports_modules_of_ontologies_not_the_package_that_loads_all() -> None:
    paths = modules(PROJECT)
    of_evaluation = [path for name, path in paths.items() if name.startswith("evaluation")]
    targets = {target for path in of_evaluation for target, _ in imports(path, PROJECT)}
    assert "ontologies.alignment" in targets
    assert "ontologies" not in targets
