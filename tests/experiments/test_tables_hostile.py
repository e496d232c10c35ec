"""Hostile labels, names and file names through the commands: whatever is written stays sound."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import pytest

from alignrank.ontologies import Alignment, Correspondence, read_alignment, write_alignment

ALIGNRANK = Path(sys.executable).with_name("alignrank")
LABELS = [
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(2)>",
    "\"double\" and 'single' quotes",
    "\u202eright to left\u202c",
    "long " * 2_000,
    "🫀 emoji",
    "=cmd()|' /C calc'!A0",
    "@SUM(1+1)*cmd",
    r"\input{/etc/passwd} $x_1$ 50% #1 & ~",
    "[bold red]markup[/bold red]",
    "plain heart",
    "plain lung",
]
FILES = ["=cmd().owl", "<script>alert(1) & 'q'.owl", '"$(rm) `x` [red].rdf']
NAMES = ["=cmd()|' C calc'!A0", "<img src=x onerror=alert(1)>", r"\input{x}&$_%#", "[red]x"]


def run(*arguments: str | Path) -> str:
    done = subprocess.run(
        [ALIGNRANK, *map(str, arguments)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def owl(base: str, labels: list[str]) -> str:
    classes = "".join(
        f'<owl:Class rdf:about="{base}#c{k}"><rdfs:label>{escape(label)}</rdfs:label></owl:Class>'
        for k, label in enumerate(labels)
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" '
        f'xmlns:owl="http://www.w3.org/2002/07/owl#"><owl:Ontology rdf:about="{base}"/>'
        f"{classes}</rdf:RDF>"
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two ontologies, a reference and the results of `rank`, all with names to be wary of."""
    home = tmp_path_factory.mktemp("hostile") / "a <b> & 'c'"
    home.mkdir()
    pairs = [(f"http://ex.org/{side}", [f"{label}{tail}" for label in LABELS])
             for side, tail in (("a", ""), ("b", "s"))]  # fmt: skip
    for name, (base, labels) in zip(FILES, pairs, strict=False):
        (home / name).write_text(owl(base, labels), encoding="utf-8")
    right = [
        Correspondence(f"http://ex.org/a#c{k}", f"http://ex.org/b#c{k}") for k in range(len(LABELS))
    ]
    write_alignment(Alignment(right), home / FILES[2])
    metrics = [f"--metric={name}" for name in ("levenshtein", "jaro", "equality")]
    run("rank", *(home / name for name in FILES), "--out", home / "=out", *metrics)
    return home


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.handlers: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]


def check_results(results: Path) -> None:
    """Parse every file of a results folder as what it says it is."""
    for path in sorted(results.rglob("*")):
        if path.suffix in (".svg", ".rdf", ".graphml"):
            ElementTree.parse(path)
        elif path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"))
        elif path.suffix == ".csv":
            with path.open(encoding="utf-8", newline="") as file:
                rows = list(csv.reader(file))
            assert len({len(row) for row in rows}) == 1, path
            for cell in (cell for row in rows for cell in row):
                number = re.fullmatch(r"-?[\d.]+(e-?\d+)?|-inf", cell)
                assert number or cell[:1] not in ("=", "+", "-", "@"), (path, cell)
        elif path.suffix == ".html":
            page = Tags(path.read_text(encoding="utf-8"))
            assert page.tags.count("script") == 2  # its data and its code
            assert "img" not in page.tags
            assert page.handlers == []


def test_rank_leaves_every_file_sound(folder: Path) -> None:
    check_results(folder / "=out")
    summary = json.loads((folder / "=out" / "summary.json").read_text(encoding="utf-8"))
    assert summary["provenance"]["inputs"]["source"]["path"].endswith(FILES[0])
    assert summary["reference"] == len(LABELS)


def test_compare_tables_and_figures_take_hostile_system_names(shell: Any, folder: Path) -> None:
    reference = read_alignment(folder / FILES[2])
    systems = [folder / f"{name}.rdf" for name in NAMES]  # the stem is the system's name
    for k, path in enumerate(systems):
        write_alignment(reference.where(lambda c, k=k: c.entity1 >= f"http://ex.org/a#c{k}"), path)
    out = folder / "compared"
    shell.printed("compare", folder / FILES[2], *systems, "--out", out)
    check_results(out)
    for name in ("scores", "adjusted", "edges"):
        assert "<img" not in shell.printed("report", out, "--table", name, "--format", "html")
        assert "<img" not in shell.printed("report", out, "--table", name, "--format", "markdown")
        assert r"\input" not in shell.printed("report", out, "--table", name, "--format", "latex")
        for line in shell.printed("report", out, "--table", name, "--format", "csv").splitlines():
            assert not line.startswith(("=", "@", "+"))
    shell.printed("report", out, "--figure", "all", "--out", folder / "plots", "--format", "svg")
    for path in (folder / "plots").iterdir():
        ElementTree.parse(path)


def test_explain_and_show_print_hostile_labels_literally(shell: Any, folder: Path) -> None:
    source, target = (folder / name for name in FILES[:2])
    shown = shell.printed("show", source)
    shown += shell.printed("explain", source, target, "c9", "c9", "--metric", "jaro")
    assert "[bold red]markup[/bold red]" in shown
    assert "\u202e" not in shown
    assert max(map(len, shown.splitlines())) < 500
    named = LABELS[0], f"{LABELS[0]}s", "--metric", "jaro"
    said = shell.printed("explain", source, target, *named, "--reference", folder / FILES[2])
    assert "reference: right" in said
    as_json = shell.printed("explain", source, target, "c4", "c4", "--metric", "jaro", "--json")
    assert json.loads(as_json)["entity1"]["labels"][0][0] == LABELS[4].strip()
