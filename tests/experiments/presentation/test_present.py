"""What is shown of a result is made once: layouts neither compute nor read what is said."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.results import Caution
from alignrank.common.table import write_rows
from alignrank.evaluation import AnalysisSettings, Comparison, Pairwise, compare, compare_answers
from alignrank.evaluation.comparison.answers import read_answers
from alignrank.evaluation.multitask import ScoreTable, Study, study
from alignrank.experiments.presentation import columns
from alignrank.experiments.presentation.columns import Column, Columns
from alignrank.experiments.presentation.present import MINOR, Presentation, by_weight, present
from alignrank.experiments.report import console
from alignrank.experiments.report.html import Report
from alignrank.experiments.report.publish import (
    paper_table,
    print_result,
    write_paper,
)
from alignrank.ontologies import Alignment, Correspondence


def compared(focus: str | None = None) -> Comparison:
    reference = Alignment(Correspondence(f"a#{k:03}", f"b#{k:03}") for k in range(90))
    alignments = {
        name: Alignment([*list(reference)[9 * k :], Correspondence("a#000", "b#x")])
        for k, name in enumerate(("s1", "s2", "s3"))
    }
    return compare(alignments, reference, AnalysisSettings(focus=focus))


def studied(**of_table: Any) -> Study:
    scores = np.array([[0.9 - 0.01 * t, 0.8 + 0.005 * t, 0.5 + 0.02 * t] for t in range(9)])
    tasks = tuple(f"t{k}" for k in range(9))
    return study(ScoreTable(tasks, ("s1", "s2", "s3"), scores, **of_table))


def several_runs() -> Comparison:
    runs = {f"s1@{k}": {f"q{i}": int((i + k) % 3 > 0) for i in range(60)} for k in (1, 2, 3)}
    runs |= {f"s2@{k}": {f"q{i}": int((i + k) % 2) for i in range(60)} for k in (1, 2)}
    return compare_answers(read_answers(runs))


RESULTS = [compared(), compared("s2"), studied(), several_runs()]


def otherwise(value: Any) -> Any:
    """Return a presentation, or a part of it, with every sentence and heading in other letters."""
    if isinstance(value, str):
        return value.swapcase()
    if isinstance(value, Column):
        said = {name: otherwise(getattr(value, name)) for name in ("heading", "short", "footnote")}
        return replace(value, **said)
    if isinstance(value, list | tuple):
        return type(value)(map(otherwise, value))
    return value


#: What is a name, not a sentence or a heading.
NAMES = ("systems", "focus", "deciding_view", "rank_diagram", "version")


def column_of(shown: Presentation, name: str) -> Column:
    return next(column for column in shown.columns if column.name == name)


def in_other_words(shown: Presentation) -> Presentation:
    parts = {field.name: getattr(shown, field.name) for field in fields(shown)}
    said = {name: otherwise(part) for name, part in parts.items() if name not in NAMES}
    return replace(shown, **said)


def laid_out(shown: Presentation, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return everything that is laid out of a presentation, one after another."""
    folder.mkdir()
    write_paper(folder, shown)
    shown_in_file = shown.for_file()
    write_rows(folder / "systems.csv", shown_in_file.header, shown_in_file.rows)
    print_result(shown, with_differences=True)
    page = Report("Title", presentation=shown, systems=list(shown.systems)).to_html()
    tables = [paper_table(shown), paper_table(shown, "supplement"), shown.table(shown.columns)]
    forms = [form for t in tables for form in (t.to_csv(), t.to_html(), t.to_markdown())]
    strong = [str(sorted(table.strong)) for table in tables]
    files = [path.read_text() for path in sorted(folder.iterdir())]
    return "\n".join([*capsys.readouterr(), page, *forms, *strong, *files])


@pytest.mark.parametrize("result", RESULTS, ids=["compared", "focus", "studied", "runs"])
def test_no_layout_depends_on_what_a_sentence_or_a_heading_says(
    result: Comparison | Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All text is changed at one switch; then it has changed, and nothing else."""
    shown = present(result)
    made, changed = (
        laid_out(shape, tmp_path / name, capsys)
        for name, shape in (("a", shown), ("b", in_other_words(shown)))
    )
    assert made != changed
    assert made.casefold() == changed.casefold()


def test_a_new_column_is_one_entry_and_appears_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong(result: Comparison, view: Pairwise) -> Columns:
        values = {name: scores.wrong for name, scores in result.scores.items()}
        yield Column("wrong_ones", "WRONG", values, direction=-1, footnote="WRONG: a footnote.")

    monkeypatch.setattr(columns, "OF_COMPARISON", (*columns.OF_COMPARISON, wrong))
    shown = present(compared())
    laid_out(shown, tmp_path / "out", capsys)
    print_result(shown)
    page = Report("Title", presentation=shown, systems=list(shown.systems)).to_html()
    files = {path.name: path.read_text() for path in (tmp_path / "out").iterdir()}
    assert "wrong_ones" in files["systems.csv"].splitlines()[0]
    for text in (capsys.readouterr().out, page, files["paper.txt"], files["paper.tex"]):
        assert "WRONG" in text
        assert "a footnote." in text
    assert all(r"\textbf{1}" in files[name] for name in ("paper.tex", "paper-supplement.tex"))


def test_a_column_that_mixes_directions_has_no_best_value() -> None:
    """Its mean is neither better if larger nor if smaller; the mean rank is."""
    shown = present(studied(lower_is_better=("t0", "t1")))
    mean, ranks = (column_of(shown, name) for name in ("mean", "mean_rank"))
    assert (mean.direction, mean.best()) == (0, set())
    assert len(ranks.best()) == 1
    latex = paper_table(shown).to_latex()
    assert "negated" not in latex
    assert "lower is better on 2 of 9 tasks: positive if the first system is better" in latex
    costs = column_of(present(studied(lower_is_better=tuple(f"t{k}" for k in range(9)))), "mean")
    assert costs.best() == {"s3"}


def test_a_narrow_terminal_keeps_the_letters_and_the_footnotes_of_what_it_shows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wide(result: Comparison, view: Pairwise) -> Columns:
        yield Column("wide", "w" * 50, dict.fromkeys(result.systems, 1), footnote="wide: a note.")

    monkeypatch.setattr(columns, "OF_COMPARISON", (*columns.OF_COMPARISON, wide))
    monkeypatch.setattr(console, "_PIPE_WIDTH", 60)
    print_result(present(compared()))
    printed = " ".join(capsys.readouterr().out.split())
    assert f"columns not shown: {'w' * 50}" in printed
    assert "letters" in printed
    assert columns.SHARED_LETTER in printed
    assert "wide: a note." not in printed


def test_the_printed_table_has_scores_differences_p_and_letters() -> None:
    table = paper_table(present(compared()))
    heads = ["system", "P", "R", "F1", "right", "net per 100 [95%]", "adjusted p", "letters"]
    assert [heading for heading in table.header if heading in heads] == heads
    difference = str(table.rows[1][table.header.index("net per 100 [95%]")])
    assert re.fullmatch(r"\+\d+\.\d \[[+−]\d+\.\d, \+\d+\.\d\]", difference)


def test_a_table_over_several_runs_says_how_many() -> None:
    shown = present(several_runs())
    for table in (
        paper_table(shown),
        shown.table(shown.at("page")),
        shown.table(shown.at("screen")),
    ):
        assert "runs" in table.header
        assert "Each value is the mean over 2 to 3 runs of the system." in table.footnote


def test_limits_that_the_test_excludes_are_not_printed_as_zero() -> None:
    column = Column(
        "d",
        "d",
        {"a": 10.7, "b": -3.0},
        limits={"a": (0.0, 22.3), "b": (-5.0, 0.0)},
        open_at_zero={"a", "b"},
        has_own_limits=True,
        show="{:+.1f}".format,
        between=" to ",
    )
    assert column.text("a") == "+10.7 [more than 0, up to +22.3]"
    assert column.text("b") == "-3.0 [less than 0, down to -5.0]"


# ---- the order of cautions

KINDS = ["views-contradict", "few-cases", "imprecise", *sorted(MINOR)]
cautions = st.builds(
    Caution, st.sampled_from(KINDS), st.text(max_size=3), st.sampled_from([None, "entity", "ifp"])
)


def test_contradictions_come_first_and_what_hardly_matters_last() -> None:
    minor = Caution("clipped", "confidences above 1 count as 1")
    of_another_view = Caution("few-cases", "few", view="cfp")
    of_the_view = Caution("cycle", "a circle", view="entity")
    contradiction = Caution("views-contradict", "the views contradict each other")
    mixed = [minor, of_another_view, of_the_view, contradiction]
    assert by_weight(mixed, "entity") == [contradiction, of_the_view, minor, of_another_view]
    assert by_weight([of_another_view, of_the_view]) == [of_another_view, of_the_view]
    named_so = Caution("merged", "entity: x is merged", system="entity: x")
    assert by_weight([named_so, Caution("imprecise", "low")], "entity")[-1] == named_so


def weight_by_definition(caution: Caution, view: str | None) -> int:
    if caution.kind == "views-contradict":
        return 0
    elsewhere = caution.view is not None and caution.view != view
    return 2 if elsewhere or caution.kind in MINOR else 1


@given(st.lists(cautions), st.sampled_from([None, "entity"]))
def test_the_order_is_stable_and_loses_nothing(mixed: list[Caution], view: str | None) -> None:
    ordered = by_weight(mixed, view)
    by_definition = [
        caution
        for weight in range(3)
        for caution in mixed
        if weight_by_definition(caution, view) == weight
    ]
    assert ordered == by_definition


@pytest.mark.parametrize(("alpha", "level"), [(0.025, "97.5%"), (0.0001, "99.99%"), (0.05, "95%")])
def test_each_sentence_and_heading_states_the_level_with_all_digits(
    alpha: float, level: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rounded to whole per cent, limits of 99.99% were called limits of 100%."""
    reference = Alignment(Correspondence(f"a{k}", f"b{k}") for k in range(40))
    systems = {"all": reference, "some": reference.where(lambda c: c.entity1 < "a2")}
    for focus in (None, "all"):
        result = compare(systems, reference, AnalysisSettings(alpha=alpha, focus=focus))
        write_paper(tmp_path, present(result))
        print_result(present(result), with_differences=True)
        shown = (tmp_path / "paper.txt").read_text() + capsys.readouterr().out
        assert f"{level}]" in shown or f"brackets: {level} confidence limits" in shown
        assert f"simultaneous {level} confidence intervals" in shown
        assert not re.search(r"\b(98|100)%", shown)


@pytest.mark.parametrize(
    ("measure", "mine", "of_other", "is_cost"),
    [("jaccard", "0.863", "0.116", False), ("fallout", "0.002", "0.013", True)],
)
def test_a_measure_without_differences_shows_its_values_and_direction(
    measure: str, mine: str, of_other: str, is_cost: bool, tmp_path: Path, shell: Any
) -> None:
    words = ["compare", "--task", "library", "--measure", measure]
    printed = shell.printed(*words, "--focus", "system_good", "--out", tmp_path / "out")
    (row,) = (line.split() for line in printed.splitlines() if line.startswith("system_bad "))
    assert row[:3] == ["system_bad", "better", of_other]
    assert f"{measure} of system_good: {mine}." in printed
    every_pair = shell.printed(*words)
    assert f"{measure} of system_good" not in every_pair
    page, paper = (
        (tmp_path / "out" / name).read_text("utf-8") for name in ("report.html", "paper.tex")
    )
    for text in (printed, every_pair, page, paper):
        assert (f"{measure}: less is better." in text) is is_cost
