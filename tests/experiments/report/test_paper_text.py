"""What a paper says: true to the result, and LaTeX compiles it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation import compare
from alignrank.evaluation.corrections import CORRECTIONS
from alignrank.evaluation.multitask import ScoreTable, study
from alignrank.evaluation.ranking import rank
from alignrank.evaluation.uncertainty.effects import effects
from alignrank.experiments.report import paper_text
from alignrank.experiments.report.comparison_page import answers
from alignrank.experiments.report.paper_text import (
    checklist,
    differences,
    letters,
    paper_table,
    write_paper,
)
from alignrank.experiments.results.result import ComparisonResult, InputFile, Provenance
from alignrank.experiments.results.study_result import StudyResult
from alignrank.ontologies import Alignment, Correspondence

NAMES = ["plain", "50% of R&D", r"\input{/etc/passwd} $x_1$ ~ ^ #", "[optional] [@nothing]"]


def compared(names: list[str], n: int = 90, **how: Any) -> tuple[Any, ComparisonResult]:
    reference = Alignment(Correspondence(f"a#{k:03}", f"b#{k:03}") for k in range(n))
    found = {
        name: Alignment([*list(reference)[8 * k :], Correspondence("a#000", "b#x")])
        for k, name in enumerate(names)
    }
    comparison = compare(found, reference, **how)
    settings = {
        "command": "compare",
        "test": comparison.test,
        "correction": comparison.correction,
        "alpha": 0.05,
        "focus": how.get("focus"),
    }
    inputs = {"source": InputFile("folder/mouse.owl", ""), "target": InputFile("human.owl", "")}
    made = ComparisonResult.of(comparison, Provenance(settings, inputs))
    return comparison, ComparisonResult.from_dict(json.loads(json.dumps(made.to_dict())))


def studied() -> StudyResult:
    scores = np.array([[0.9 - 0.01 * t, 0.8 + 0.005 * t, 0.5 + 0.02 * t] for t in range(9)])
    table = ScoreTable(tuple(f"task {k}" for k in range(9)), ("a", "b", "c"), scores, "f1")
    return StudyResult.of(study(table), Provenance({}, {}))


@given(st.integers(1, 9), st.data())
def test_two_systems_share_a_letter_unless_one_is_better(n: int, data: st.DataObject) -> None:
    names = tuple("abcdefghi"[:n])
    p = np.ones((n, n))
    for i, j in combinations(range(n), 2):
        p[i, j] = p[j, i] = data.draw(st.sampled_from([0.01, 0.5]))
    ahead = np.arange(n)[None, :] - np.arange(n)[:, None]
    ranking = rank(names, ahead, p)
    marks = letters(names, ranking.groups)
    assert all(marks.values())
    for a, b in combinations(names, 2):
        apart = {(a, b), (b, a)} & set(ranking.edges)
        assert bool(set(marks[a]) & set(marks[b])) == (not apart)


def test_differences_have_the_intervals_that_hold_together() -> None:
    clusters = {f"a#{k:03}": str(k // 3) for k in range(150)}
    comparison, made = compared(["a", "b", "c"], 150, clusters=clusters)
    known = comparison.views["entity"].simultaneous
    found = differences(made, "entity", "b")
    for name, j in (("a", 0), ("c", 2)):
        expected = [float(matrix[1, j]) for matrix in (known.difference, known.low, known.high)]
        assert list(found[name]) == pytest.approx(expected)


@pytest.mark.parametrize("view", ["entity", "ifp", "cfp"])
def test_other_differences_are_those_of_the_effects_table(view: str) -> None:
    clusters = {f"a#{k:03}": str(k // 3) for k in range(90)}
    comparison, made = compared(["a", "b", "c"], clusters=clusters)  # too few to hold together
    known = effects(comparison.views[view])
    found = differences(made, view, "b")
    for name, j in (("a", 0), ("c", 2)):
        expected = [float(matrix[1, j]) for matrix in (known.difference, known.low, known.high)]
        assert list(found[name]) == pytest.approx(expected)


def test_the_table_counts_wins_and_marks_the_best() -> None:
    _, made = compared(["a", "b", "c"])
    table = paper_table(made, made.decision())
    assert [row[-1] for row in table.rows] == ["2/0/0", "1/0/1", "0/0/2"]
    assert [row[-2] for row in table.rows] == ["a", "b", "c"]
    assert {row for row, _ in table.strong} == {0}
    assert "Bergmann–Hommel" in table.footnote
    assert "McNemar's mid-p test" in table.footnote


def test_one_against_the_others_has_verdicts() -> None:
    _, made = compared(["a", "b", "c"], focus="b")
    table = paper_table(made, made.decision())
    assert {row[0]: row[-1] for row in table.rows} == {"a": "worse", "b": "", "c": "better"}


def test_every_correction_has_a_source() -> None:
    assert set(CORRECTIONS) - {"none"} <= set(paper_text._sources())
    for key, entry in paper_text._sources().items():
        assert entry.startswith("@")
        assert entry.count("{") == entry.count("}"), key


def test_the_checklist_has_an_answer_to_each_question() -> None:
    for made in (compared(["a", "b"])[1], studied()):
        facts = dict(checklist(made))
        assert all(facts.values())
        assert "0.05" in facts["level"]


def test_one_number_is_no_range_and_plain_text_is_not_bold(tmp_path: Path) -> None:
    _, made = compared(["a", "b", "c"])
    alike = replace(made, effective={"entity": [[None, 885.2], [884.9, None]]})
    assert dict(checklist(alike))["effective n"] == "885"
    write_paper(tmp_path, made, answers(made))
    assert "Bold" not in (tmp_path / "paper.txt").read_text(encoding="utf-8")
    assert "Bold: best" in (tmp_path / "paper.tex").read_text(encoding="utf-8")


@pytest.mark.parametrize("made", [compared(NAMES)[1], studied()], ids=["comparison", "study"])
def test_latex_compiles_it(made: Any, tmp_path: Path) -> None:
    said = answers(made) if isinstance(made, ComparisonResult) else ["a is better than b."]
    write_paper(tmp_path, made, said)
    text = (tmp_path / "paper.txt").read_text(encoding="utf-8")
    latex = (tmp_path / "paper.tex").read_text(encoding="utf-8")
    for key in re.findall(r"\\cite\{([a-z-]+)\}", latex):
        known = re.search(rf"^@\w+\{{{key},$", latex, re.MULTILINE)
        assert known or key == "nothing"  # a system's name
        assert f"[{key}]" in text
    if shutil.which("pdflatex") is None:
        if os.environ.get("CI"):
            pytest.fail("no pdflatex: continuous integration must install one")
        pytest.skip("no pdflatex on this machine")
    head = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{booktabs}"
    whole = rf"{head}\begin{{document}}\input{{paper}}\end{{document}}"
    (tmp_path / "whole.tex").write_text(whole, encoding="utf-8")
    options = ["-draftmode", "-interaction=nonstopmode", "-halt-on-error"]
    done = subprocess.run(
        ["pdflatex", *options, "whole.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout[-2000:].decode(errors="replace")
