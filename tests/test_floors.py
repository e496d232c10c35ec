"""The house's floors: imports point downwards only, between packages, folders and files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

PROJECT = Path(__file__).parents[1]
ALLOWED = {
    "ontologies": set(),
    "matchers": {"ontologies"},
    "evaluation": {"ontologies"},
    "experiments": {"ontologies", "matchers", "evaluation"},
}
#: The one module beside the packages: it imports them, and nothing imports it.
FACE = "alignrank"
MOST_MODULES = 12


def name_of(path: Path, root: Path) -> str:
    """Return a module's dotted name."""
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def modules(root: Path) -> dict[str, Path]:
    """Return every module of the four packages by its dotted name."""
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
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
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
    """Return the graph of folders; the faces of the packages and errors are everybody's."""
    folders: nx.DiGraph[str] = nx.DiGraph()
    aside = {*ALLOWED, *(name for name in known if name.endswith(".errors"))}
    for one, other in graph.edges:
        here, there = (known[m].parent.relative_to(root).as_posix() for m in (one, other))
        if not {one, other} & aside and here != there:
            folders.add_edge(here, there)
    return folders


def circles(graph: nx.DiGraph[str]) -> list[list[str]]:
    """Return the sets of nodes that can all reach each other."""
    return sorted(sorted(c) for c in nx.strongly_connected_components(graph) if len(c) > 1)


def written(root: Path, files: Iterable[tuple[str, str]]) -> Path:
    """Write modules below a folder, the four packages' faces among them."""
    for name, text in [*((f"{package}/__init__.py", "") for package in ALLOWED), *files]:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.mark.parametrize("package", sorted(ALLOWED))
def test_imports_point_downwards(package: str) -> None:
    paths = sorted((PROJECT / package).rglob("*.py"))
    assert paths
    for path in paths:
        named = {base.split(".")[0] for base, _ in imports(path, PROJECT)} & {FACE, *ALLOWED}
        upwards = named - ALLOWED[package] - {package}
        assert not upwards, f"{path.relative_to(PROJECT)} imports {upwards}"


def test_the_face_stands_alone_beside_the_packages() -> None:
    assert [path.stem for path in PROJECT.glob("*.py")] == [FACE]
    face = PROJECT / f"{FACE}.py"
    assert {base.split(".")[0] for base, _ in imports(face, PROJECT)} >= ALLOWED.keys()


def test_no_circle_of_files() -> None:
    assert circles(import_graph(PROJECT)) == []


def test_no_circle_of_folders() -> None:
    assert circles(folder_graph(import_graph(PROJECT), modules(PROJECT), PROJECT)) == []


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
        assert room in (Path(), Path("hostile")) or room in rooms, f"{room} is no room of the house"


def test_how_to_contribute_names_what_is_there() -> None:
    text = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = [path for path in re.findall(r"`([a-z_]+(?:/[\w.]+)+)/?`", text) if "NAME" not in path]
    assert len(named) > 12
    assert [path for path in named if not (PROJECT / path).exists()] == []
    house = text.partition("```\nalignrank.py")[2].partition("```")[0]
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
    assert circles(import_graph(root)) == [["alignrank.matchers.b.f", "alignrank.matchers.b.g"]]
    folders = folder_graph(import_graph(root), modules(root), root)
    assert circles(folders) == [["matchers/b", "matchers/d"]]
