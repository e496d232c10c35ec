"""What a paper says: true to the result, and LaTeX compiles it."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.results import InputFile, Provenance
from alignrank.evaluation import AnalysisSettings, Comparison, EntityClusters, compare
from alignrank.evaluation.corrections.adjusting import CORRECTIONS
from alignrank.evaluation.multitask import ScoreTable, Study, study
from alignrank.evaluation.ranking import letter_display, rank
from alignrank.evaluation.uncertainty.effects import effects
from alignrank.experiments.presentation.columns import differences
from alignrank.experiments.presentation.present import present
from alignrank.experiments.report.publish import _sources, paper_table, write_paper
from alignrank.ontologies import Alignment, Correspondence
from alignrank.ontologies.tasks import bundled_task

LIBRARY = bundled_task("library")
HOSTILE = ["plain", "50% of R&D", r"\input{/etc/passwd} $x_1$ ~ ^ #", "[optional] [@nothing]"]
#: Names that look like what a sentence is made of: a view, the end of a sentence, a label.
MISLEADING = ["cfp", "My tool. With BK", "entity: x"]


def compared(names: list[str], n: int = 90, clusters: Any = None, **settings: Any) -> Comparison:
    reference = Alignment(Correspondence(f"a#{k:03}", f"b#{k:03}") for k in range(n))
    alignments = {
        name: Alignment([*list(reference)[8 * k :], Correspondence("a#000", "b#x")])
        for k, name in enumerate(names)
    }
    entity_clusters = EntityClusters(clusters)
    result = compare(alignments, reference, AnalysisSettings(**settings, clusters=entity_clusters))
    inputs = {"source": InputFile("folder/mouse.owl", ""), "target": InputFile("human.owl", "")}
    result = replace(result, reference=n, provenance=Provenance({"command": "compare"}, inputs))
    return Comparison.from_dict(json.loads(json.dumps(result.to_dict())))


def studied() -> Study:
    scores = np.array([[0.9 - 0.01 * t, 0.8 + 0.005 * t, 0.5 + 0.02 * t] for t in range(9)])
    table = ScoreTable(tuple(f"task {k}" for k in range(9)), ("a", "b", "c"), scores, "f1")
    return study(table)


def paper(folder: Path, result: Comparison | Study) -> tuple[str, str]:
    """Return the text and the LaTeX of a paper."""
    write_paper(folder, present(result))
    text, latex = (folder / f"paper.{ending}" for ending in ("txt", "tex"))
    return text.read_text(encoding="utf-8"), latex.read_text(encoding="utf-8")


@given(st.integers(1, 9), st.data())
def test_two_systems_share_a_letter_unless_one_is_better(n: int, data: st.DataObject) -> None:
    names = tuple("abcdefghi"[:n])
    p = np.ones((n, n))
    for i, j in combinations(range(n), 2):
        p[i, j] = p[j, i] = data.draw(st.sampled_from([0.01, 0.5]))
    ahead = np.arange(n)[None, :] - np.arange(n)[:, None]
    ranking = rank(names, ahead, p)
    marks = letter_display(names, ranking.groups)
    assert all(marks.values())
    for a, b in combinations(names, 2):
        apart = {(a, b), (b, a)} & set(ranking.edges)
        assert bool(set(marks[a]) & set(marks[b])) == (not apart)


def test_differences_have_the_intervals_that_hold_together() -> None:
    clusters = {f"a#{k:03}": str(k // 3) for k in range(150)}
    result = compared(["a", "b", "c"], 150, clusters)
    simultaneous = result.deciding.intervals.tested
    assert simultaneous is not None
    assert simultaneous.measure == "net"
    matrices = (simultaneous.difference, simultaneous.low, simultaneous.high)
    interval_by_rival = differences(result, result.deciding, "b")
    for name, j in (("a", 0), ("c", 2)):
        expected = [100 * float(matrix[1, j]) for matrix in matrices]  # per 100 of the reference
        assert list(interval_by_rival[name][:3]) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["entity", "ifp", "cfp"])
def test_other_differences_are_those_of_the_effects_table(name: str) -> None:
    clusters = {f"a#{k:03}": str(k // 3) for k in range(90)}
    result = compared(["a", "b", "c"], 90, clusters)
    view = result.views[name]
    table = effects(view) if view.intervals.tested is None else view.intervals.tested
    interval_by_rival = differences(result, view, "b")
    for rival, j in (("a", 0), ("c", 2)):
        matrices = (table.difference, table.low, table.high)
        expected = [100 * float(matrix[1, j]) for matrix in matrices]
        assert list(interval_by_rival[rival][:3]) == pytest.approx(expected)


def test_the_table_counts_wins_and_marks_the_best() -> None:
    result = compared(["a", "b", "c"])
    table = paper_table(present(result), "supplement")
    assert table.header[:2] == ["system", "right"]
    assert [row[-1] for row in table.rows] == ["2/0/0", "1/0/1", "0/0/2"]
    assert [row[-2] for row in table.rows] == ["a", "b", "c"]
    assert {row for row, _ in table.strong} == {0}
    assert "Bergmann–Hommel" in table.footnote
    assert "McNemar's mid-p test" in table.footnote


def test_long_names_stay_apart_in_the_table(tmp_path: Path) -> None:
    """Names that agree at both ends were cut to the same."""
    names = [f"gemini-2.0-flash/{way}_with_synonyms" for way in ("direct_entity", "hierarchy")]
    latex = paper(tmp_path, compared(names))[1]
    first, second = (row.split(" & ")[0] for row in latex.splitlines() if row.startswith("gemini"))
    assert first != second


def test_one_against_the_others_has_verdicts() -> None:
    result = compared(["a", "b", "c"], focus="b")
    table = paper_table(present(result))
    assert {row[0]: row[-1] for row in table.rows} == {"a": "worse", "b": "", "c": "better"}


def test_the_text_says_what_the_test_takes_as_independent(tmp_path: Path) -> None:
    text, _ = paper(tmp_path, compared(["a", "b", "c"]))
    assert "a scores best (right 0.989, F1 0.994)" in text
    clusters = {f"a#{k:03}": str(k % 50) for k in range(150)}
    clustered = compared(["a", "b", "c"], 150, clusters)
    text, _ = paper(tmp_path, clustered)
    adjusted = "adjusted for dependence between source classes that share a parent"
    assert f"by McNemar's test [sign-flip], {adjusted}, with" in text
    assert " a scores best (right 0.993, F1 0.997); both others are" in text  # its own small a
    assert "independent source entities" not in text
    assert present(clustered).method == (
        f"McNemar's test on source entities, {adjusted}; Bergmann–Hommel correction, 3 pairs, 5%"
    )


def test_a_name_that_looks_like_a_part_of_the_text_stays_a_name(tmp_path: Path) -> None:
    result = compared(MISLEADING)
    text, latex = paper(tmp_path, result)
    assert "We compared 3 systems (cfp, My tool. With BK and entity: x) on mouse and human" in text
    first, *further = result.answer()
    assert first == (
        "cfp scores best (right 0.989, F1 0.994); both others are significantly worse."
    )
    for sentence in (first, *further):
        assert sentence in text
        assert sentence in latex
    rows = [line for line in latex.splitlines() if line.endswith(r"\\")]
    assert [row.partition(" &")[0] for row in rows[1:]] == MISLEADING
    against = compared(MISLEADING, focus="My tool. With BK")
    assert against.answer()[0].endswith(
        "My tool. With BK is significantly better than entity: x; significantly worse than cfp."
    )
    assert against.answer()[0] in paper(tmp_path, against)[0]


def test_every_correction_has_a_source() -> None:
    assert set(CORRECTIONS) - {"none"} <= set(_sources())
    for key, entry in _sources().items():
        assert entry.startswith("@")
        assert entry.count("{") == entry.count("}"), key


def test_the_checklist_has_an_answer_to_each_question() -> None:
    for result in (compared(["a", "b"]), studied()):
        facts = dict(present(result).checklist)
        assert all(facts.values())
        assert "0.05" in facts["level"]


def test_one_number_is_no_range_and_plain_text_is_not_bold(tmp_path: Path) -> None:
    result = compared(["a", "b", "c"])
    effect = np.full((3, 3), 90 / 45.2)
    units = replace(result.deciding.units, design_effect=effect, scale=90, items=None)
    alike = replace(result.deciding, units=units)
    assert dict(present(replace(result, views={"entity": alike})).checklist)["effective n"] == "45"
    text, latex = paper(tmp_path, result)
    assert "Bold" not in text
    assert "Bold: best" in latex
    assert "Bold: best" in (tmp_path / "paper-supplement.tex").read_text(encoding="utf-8")


every_paper = pytest.mark.parametrize(
    "result",
    [compared(HOSTILE), compared(MISLEADING), studied()],
    ids=["hostile", "names", "study"],
)


@every_paper
def test_every_citation_has_its_entry_and_stands_in_the_text(result: Any, tmp_path: Path) -> None:
    text, latex = paper(tmp_path, result)
    for key in re.findall(r"\\cite\{([a-z-]+)\}", latex):
        entry = re.search(rf"^@\w+\{{{key},$", latex, re.MULTILINE)
        assert entry or key == "nothing"  # a system's name
        assert f"[{key}]" in text


@pytest.mark.needs("pdflatex")
@every_paper
def test_latex_compiles_it(result: Any, tmp_path: Path) -> None:
    paper(tmp_path, result)
    for form in ("paper", "paper-supplement"):
        for columns in ("onecolumn", "twocolumn"):
            log = compiled(tmp_path, form, columns)
            assert "Overfull \\hbox" not in log, (form, columns)
            undefined = set(re.findall(r"Citation `([^']+)'", log.replace("\n", "")))
            assert undefined <= {"alignrank:nothing"}, (form, columns)  # a system's name


def compiled(folder: Path, form: str, columns: str) -> str:
    """Return LaTeX's log of a paper that holds a text of the folder."""
    head = rf"\documentclass[{columns}]{{article}}\usepackage[T1]{{fontenc}}"
    sources = r"\bibliographystyle{plain}\bibliography{paper}" if form == "paper" else ""
    (folder / "whole.tex").write_text(
        rf"{head}\usepackage{{booktabs,graphicx}}\begin{{document}}\sloppy"
        rf"\input{{{form}}}{sources}\end{{document}}",
        encoding="utf-8",
    )
    latex = ["pdflatex", "-draftmode", "-interaction=nonstopmode", "-halt-on-error", "whole.tex"]
    steps = [latex, ["bibtex", "whole.aux"], latex, latex] if sources else [latex]
    for step in steps:
        done = subprocess.run(step, cwd=folder, capture_output=True, timeout=300)
        assert done.returncode == 0, done.stdout[-2000:].decode(errors="replace")
    return (folder / "whole.log").read_text(encoding="utf-8", errors="replace")


GOOD, BAD, NEAR = (LIBRARY.alignments[f"system_{name}"] for name in ("good", "bad", "near_miss"))
FILES = ("compare", LIBRARY.reference, GOOD, BAD, NEAR)
SCORES = "task,new,old,base\n" + "\n".join(
    f"t{k},{0.5 + k / 90},{0.47 + k / 100},{0.3 + k * k / 300}" for k in range(9)
)
COUNTS = "better,worse,n\na,b,30\nb,a,4\na,c,40\nc,a,3\nb,c,20\nc,b,9\n"


@pytest.mark.parametrize(
    "words",
    [
        FILES,
        (*FILES, "--source", LIBRARY.source, "--target", LIBRARY.target),
        (*FILES, "--focus", "system_bad"),
        (*FILES, "--measure", "F1"),
        (*FILES, "--protocol", "mohammadi-2018"),
        ("rank", "--task", "library"),
        ("rank", "--task", "library", "--task", "vehicles", "--task", "citytransit"),
        ("study", "scores.csv"),
        ("study", "scores.csv", "--focus", "old"),
        ("study", "scores.csv", "--test", "friedman", "--correction", "nemenyi"),
        ("compare", "scores.csv", "--kind", "items"),
    ],
)
def test_the_paragraph_has_at_most_120_words(
    words: tuple[Any, ...], shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And its sentences begin with a capital letter, a number or a system's name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text(SCORES)
    code, _, told = shell(*words, "--out", tmp_path / "out")
    assert code == 0, told
    paragraph = (tmp_path / "out" / "paper.txt").read_text().split("\n\n")[0]
    assert 40 < len(paragraph.split()) <= 120, paragraph
    begins = re.findall(r"(?:^|[a-z\])]\. )(\S+)", paragraph)
    names = {"new", "old", "base", "system_good", "system_bad", "system_near_miss"}
    assert all(word in names or not word[0].islower() for word in begins), paragraph
