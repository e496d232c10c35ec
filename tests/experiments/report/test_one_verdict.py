"""One verdict, one adjusted p: screen, page, every CSV, TeX, figure, JSON and frame agree."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

import alignrank as ar
from alignrank.experiments.presentation.columns import p_number, verdicts_note
from alignrank.experiments.report.figures.heatmaps import p_text as p_of_cell
from alignrank.ontologies.tasks import bundled_task

LIBRARY = bundled_task("library")
Pair = frozenset[str]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def titles(path: Path) -> list[str]:
    """Return the first row of a table."""
    return next(csv.reader(path.read_text().splitlines()))


def matrix(names: Sequence[str], table: Iterable[Sequence[Any]]) -> dict[Pair, Any]:
    """Return the cells of a symmetric table by pair; the two triangles are the same."""
    cells: dict[Pair, Any] = {}
    for name, row in zip(names, table, strict=True):
        for other, value in zip(names, row, strict=True):
            if name != other:
                assert cells.setdefault(frozenset((name, other)), value) == value
    return cells


def csv_matrix(path: Path) -> dict[Pair, float]:
    first, *lines = list(csv.reader(path.open()))
    assert first[1:] == [line[0] for line in lines]
    table = [[float(cell) if cell else math.nan for cell in line[1:]] for line in lines]
    return matrix(first[1:], table)


def by_pair(table: Iterable[dict[str, Any]], column: str, number: Callable[[Any], Any]) -> Any:
    return {frozenset((row["system"], row["other"])): number(row[column]) for row in table}


def test_no_correction_is_named_where_none_is_made() -> None:
    found = ar.compare(LIBRARY.reference, LIBRARY.alignments, correction="none")
    assert verdicts_note(found.summary.deciding).startswith(
        "better, worse: significantly (adjusted p at most 0.05);"
    )


def of_page(page: str) -> Any:
    return json.loads(re.findall(r'id="data">(.*?)</script>', page, re.DOTALL)[0])


def numbers(text: str) -> list[str]:
    return re.findall(r"[<>]?\.?[0-9][0-9.e+-]*", text)


def test_compare_draws_the_curves_that_its_page_shows(shell: Any, tmp_path: Path) -> None:
    files = list(LIBRARY.alignments.values())[:2]
    shell.printed("compare", LIBRARY.reference, *files, "--out", tmp_path / "out")
    figures = {path.name for path in (tmp_path / "out" / "figures").iterdir()}
    assert figures == {"outperforms-entity.svg", "precision-recall.svg"}


def test_a_caution_on_other_tests_is_everywhere(shell: Any, tmp_path: Path) -> None:
    counts, out = tmp_path / "counts.csv", tmp_path / "out"
    counts.write_text(",a,b\na,,7\nb,1,\n")
    text = "the verdict depends on the test for a/b"
    code, _, told = shell("compare", counts, "--out", out)
    assert (code, f"! ifp: {text}" in told.splitlines()) == (0, True)
    assert f"! ifp: {text}" in shell("report", out)[2].splitlines()
    summary = json.loads((out / "summary.json").read_text())
    printed = json.loads(shell.printed("compare", counts, "--json"))
    assert summary["cautions"] == printed["cautions"]
    assert text in [caution["text"] for caution in printed["cautions"]]
    assert (out / "report.html").read_text().count(text) == 1
    assert text in [caution.text for caution in ar.compare(counts).summary.cautions]


@pytest.fixture(scope="module")
def systems(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return three systems, and one that lacks a few correspondences of the best."""
    good = ar.read_alignment(LIBRARY.alignments["system_good"])
    most = tmp_path_factory.mktemp("systems") / "most.rdf"
    ar.write_alignment(good.with_correspondences(list(good)[4:]), most)
    return {**LIBRARY.alignments, "most": most}


def test_a_comparison_says_one_p_everywhere(
    shell: Any, tmp_path: Path, systems: dict[str, Path]
) -> None:
    out, named = tmp_path / "out", [f"{name}={path}" for name, path in systems.items()]
    screen = shell.printed("compare", LIBRARY.reference, *named, "--out", out)
    found = ar.compare(LIBRARY.reference, systems)
    view = found.summary.deciding
    expected = matrix(view.systems, view.adjusted_p.tolist())
    significant = {frozenset(edge) for edge in view.edges}
    assert {len(significant), len(expected)} == {5, 6}
    content = json.loads((out / "summary.json").read_text())["views"]["entity"]
    (correction,) = [name for name in content["adjusted"] if name == view.correction]
    page = of_page((out / "report.html").read_text())
    default = page["defaults"]
    pairs_csv = rows(out / "tables" / "pairs-entity.csv")
    pairs_frame = found.to_frame("pairs").to_dict("records")
    of_frames = found.summary.to_frame()
    of_frames = of_frames[of_frames["view"] == "entity"].rename(
        columns={"system1": "system", "system2": "other"}
    )
    everywhere = {
        "JSON": matrix(view.systems, content["adjusted"][correction]["values"]),
        "CSV": csv_matrix(out / "tables" / "adjusted-p-entity.csv"),
        "pairs CSV": by_pair(pairs_csv, "adjusted p", float),
        "pairs frame": by_pair(pairs_frame, "adjusted p", float),
        "whole frame": by_pair(of_frames.to_dict("records"), "adjusted p", float),
        "matrix frame": matrix(
            list(found.to_frame("adjusted").index), found.to_frame("adjusted").values.tolist()
        ),
    }
    for where, p in everywhere.items():
        assert p == expected, where
    rounded = matrix(
        page["systems"],
        page["views"]["entity"]["adjusted"][default["test"]][default["correction"]],
    )
    assert rounded == {pair: float(f"{p:.6g}") for pair, p in expected.items()}
    tex = shell.printed("report", out, "--table", "adjusted", "--format", "latex")
    drawn = [text.get_text() for text in found.plot("p-values").axes[0].texts]
    for i, name in enumerate(view.order):
        row = [p for j, p in enumerate(view.order) if j != i]
        shown = [expected[frozenset((name, other))] for other in row]
        (line,) = [line for line in tex.splitlines() if line.startswith(ar_tex(name))]
        assert numbers(line.partition("&")[2].replace(r"\textless{}", "<")) == [
            p_number(p) for p in shown
        ]
        assert drawn[i * len(row) : (i + 1) * len(row)] == [p_of_cell(p) for p in shown]
    # the verdict: edges, words, letters and ranks
    edges = {(row["better"], row["worse"]) for row in rows(out / "tables" / "edges.csv")
             if row["view"] == "entity"}  # fmt: skip
    assert edges == set(view.edges) == set(zip(*found.to_frame("edges")[["better", "worse"]]
                                               .to_dict("list").values(), strict=True))  # fmt: skip
    better = {frozenset((row["system"], row["other"])) for row in pairs_csv
              if row["it is"] == "better"}  # fmt: skip
    assert better == significant
    letters, ranks = dict(found.to_frame("paper")["letters"]), dict(found.to_frame()["rank"])
    assert (letters, ranks) == (view.letters, view.ranks)
    for text in (screen, (out / "paper.txt").read_text(), (out / "paper.tex").read_text()):
        for name in view.order:
            pattern = rf"^{re.escape(ar_tex(name) if text.startswith('%') else name)}\s.*"
            line = re.findall(pattern, text, re.MULTILINE)[-1]
            assert letters[name] in re.findall(r"\b[a-z]+\b", line)
    lines = [line.split() for line in screen.splitlines()]
    assert [line[:2] for line in lines[2:6]] == [[name, ranks[name]] for name in view.order]


def ar_tex(name: str) -> str:
    return name.replace("_", r"\_")


def test_one_against_the_others_says_one_p_everywhere(
    shell: Any, tmp_path: Path, systems: dict[str, Path]
) -> None:
    out, named = tmp_path / "out", [f"{name}={path}" for name, path in systems.items()]
    screen = shell.printed("compare", LIBRARY.reference, *named, "--focus", "most", "--out", out)
    view = ar.compare(LIBRARY.reference, systems, focus="most").summary.deciding
    place = view.systems.index("most")
    expected = {
        frozenset(("most", name)): float(view.adjusted_p[place, k])
        for k, name in enumerate(view.systems)
        if k != place
    }
    pairs = rows(out / "tables" / "pairs-entity.csv")
    assert by_pair(pairs, "adjusted p", float) == expected
    assert {row["system"] for row in pairs} == {"most"}
    page = (out / "report.html").read_text()
    for row in pairs:
        p = f"{expected[frozenset(('most', row['other']))]:.3g}"
        (line,) = [x for x in screen.splitlines() if x.startswith(f"{row['other']} ")]
        assert row["it is"] in line
        assert p in line.split()
        assert p in page


def orders(out: Path, screen: str, found: Any, names: Sequence[str]) -> dict[str, list[str]]:
    """Return the order of the systems in everything that a results folder and a result show."""
    lines = re.compile(rf"^({'|'.join(map(re.escape, names))})[ &]+(?:\\textbf{{)?\d", re.MULTILINE)
    page = (out / "report.html").read_text()
    table = re.findall(r"<table>.*?</table>", page, re.DOTALL)[0]
    labels = [text.get_text() for text in found.plot("p-values").axes[0].get_yticklabels()]
    content = json.loads((out / "summary.json").read_text())
    shown = {
        "screen": lines.findall(screen)[: len(names)],
        "page": re.findall(r'<th scope="row"[^>]*>(?:<[^>]*>)*([^<]+)', table),
        "paper.txt": lines.findall((out / "paper.txt").read_text())[: len(names)],
        "figure": labels,
        "JSON": list(type(found.summary).from_dict(content).deciding.order),
        "frame": list(found.to_frame().index),
        "matrix frame": list(found.to_frame("adjusted").index),
    }
    tex = (out / "paper.tex").read_text().replace(r"\_", "_")
    shown["paper.tex"] = lines.findall(tex)[: len(names)]
    for path in (out / "tables").glob("*p*.csv"):
        if not path.name.startswith(("pairs", "precision")):
            shown[path.name] = titles(path)[1:]
    return shown


def test_the_order_of_the_systems_is_one_everywhere(
    shell: Any, tmp_path: Path, systems: dict[str, Path]
) -> None:
    """Named from the worst to the best, and yet shown from the best to the worst."""
    best_first = ar.compare(LIBRARY.reference, systems).summary.deciding.order
    worst_first = {name: systems[name] for name in reversed(best_first)}
    out, named = tmp_path / "out", [f"{name}={path}" for name, path in worst_first.items()]
    screen = shell.printed("compare", LIBRARY.reference, *named, "--out", out)
    found = ar.compare(LIBRARY.reference, worst_first)
    everywhere = orders(out, screen, found, best_first)
    everywhere["scores.csv"] = [row["system"] for row in rows(out / "tables" / "scores.csv")]
    assert set(map(tuple, everywhere.values())) == {tuple(best_first)}, everywhere


def test_the_order_of_a_study_is_one_everywhere(shell: Any, tmp_path: Path) -> None:
    """The mean score decides, where the mean rank is another order."""
    scores, out = tmp_path / "scores.csv", tmp_path / "out"
    rows_of_scores = [f"t{k},{0.3 + k / 90},{0.5 + k / 100},{0.51 - k / 70}" for k in range(8)]
    rows_of_scores.append("t8,0.31,0.1,0.95")
    scores.write_text("\n".join(["task,low,middle,odd", *rows_of_scores]))
    screen = shell.printed("study", scores, "--out", out)
    found = ar.study(scores)
    order = list(found.summary.deciding.order)
    assert order != sorted(order, key=found.summary.mean_ranks.__getitem__)
    everywhere = orders(out, screen, found, order)
    everywhere["scores.csv"] = titles(out / "tables" / "scores.csv")[1:]
    assert set(map(tuple, everywhere.values())) == {tuple(order)}, everywhere


def test_a_study_says_one_p_everywhere(shell: Any, tmp_path: Path) -> None:
    scores, out = tmp_path / "scores.csv", tmp_path / "out"
    lines = [f"t{k},{0.5 + k / 90},{0.47 + k / 100},{0.3 + k * k / 300}" for k in range(9)]
    scores.write_text("\n".join(["task,new,old,base", *lines]))
    shell.printed("study", scores, "--out", out)
    found = ar.study(scores)
    view = found.summary.deciding
    expected = matrix(view.systems, view.adjusted_p.tolist())
    content = json.loads((out / "summary.json").read_text())
    (values,) = content["views"]["tasks"]["adjusted"].values()
    by_records = {
        frozenset((pair["system1"], pair["system2"])): pair["adjusted_p"]
        for pair in content["pairs"]
    }
    frames = (found.to_frame("pairs"), found.summary.to_frame())
    assert [by_pair(frame.to_dict("records"), "adjusted p", float) for frame in frames] == [
        expected,
        expected,
    ]
    assert matrix(view.systems, values["values"]) == by_records == expected
    assert csv_matrix(out / "tables" / "adjusted-p.csv") == expected
    assert by_pair(rows(out / "tables" / "pairs.csv"), "adjusted p", float) == expected
    named = [path.name for path in (out / "tables").iterdir() if "adjusted" in path.name]
    assert named == ["adjusted-p.csv"]
