"""Tables of results: right values in every format, and hostile names leave them tables."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.table import Table, latex_text
from alignrank.evaluation import (
    AnalysisSettings,
    Comparison,
    EntityClusters,
    compare,
    compare_counts,
    with_alternatives,
)
from alignrank.evaluation.multitask import ScoreTable, Study, study
from alignrank.evaluation.multitask.study import study_with_choices
from alignrank.evaluation.significance.clustered import sign_flip
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.looking.show_results import TABLE_FORMATS, TABLES, show_results
from alignrank.experiments.presentation.present import present
from alignrank.experiments.results.folder import read_result
from alignrank.ontologies import Alignment, Correspondence, read_alignment, write_alignment
from alignrank.ontologies.tasks import bundled_task
from alignrank.ontologies.vocabulary import SKOS

HOSTILE = [
    "<script>alert(1)</script>",
    r"\input{/etc/passwd} & $x_1$ % # ~ ^ {",
    "pipe | and `code` and *star* [link](javascript:1)",
    "=cmd()|' /C calc'!A0",
    "\u202eright to left\u202c",
    "[optional argument]",
    "two\nlines",
    "x" * 10_000,
    "\"quotes\" 'single' -- ---",
    "🫀",
]


def read_back(result: Comparison | Study) -> Any:
    """Return the result that is read from the file that it is written to."""
    return read_result(json.loads(json.dumps(result.to_dict())))


def compared(names: list[str]) -> Comparison:
    reference = Alignment(Correspondence(f"a#{k:02}", f"b#{k:02}") for k in range(90))
    alignments = {
        name: Alignment([*list(reference)[8 * k :], Correspondence("a#00", "b#x")])
        for k, name in enumerate(names)
    }
    result: Comparison = read_back(with_alternatives(compare(alignments, reference)))
    return result


def written(form: str, name: str, result: Comparison | Study) -> str:
    return TABLE_FORMATS[form](TABLES[name](present(result)))


class Cells(HTMLParser):
    """Collects the text of the cells, and the names of all tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.cells: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data.rstrip("\n") if data.isspace() else data


@pytest.mark.parametrize("name", ["scores", "p", "adjusted", "discordant", "edges"])
def test_hostile_names_leave_every_format_a_table(name: str) -> None:
    result = compared(HOSTILE[:6])
    whole = TABLES[name](present(result))
    width = len(whole.header)
    # CSV: every row has all its cells, and none is a formula
    rows = list(csv.reader(io.StringIO(TABLE_FORMATS["csv"](whole))))
    assert {len(row) for row in rows} == {width}
    assert not [c for row in rows for c in row if c[:1] in ("=", "+", "-", "@") and c != "-"]
    # HTML: no tag but ours, and every cell there
    page = Cells(TABLE_FORMATS["html"](whole))
    ours = {"table", "caption", "thead", "tbody", "tr", "th", "td", "bdi", "strong"}
    assert page.tags <= ours
    assert len(page.cells) == width * (1 + len(whole.rows))
    # LaTeX: the separators between cells, and no command that a name brought
    text = TABLE_FORMATS["latex"](whole)
    body = [row for row in text.splitlines() if row.endswith(r"\\")]
    assert {len(re.findall(r"(?<!\\)&", row)) for row in body} == {width - 1}
    assert len(body) == 1 + len(whole.rows)
    assert r"\input" not in text
    assert not re.search(r"(?<!\\)[$%#](?!\s*needs)", text.split("\n", 1)[1])
    # Markdown: as many cells in every row
    lines = [row for row in TABLE_FORMATS["markdown"](whole).splitlines() if row.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in lines} == {width + 1}
    assert "<script" not in TABLE_FORMATS["markdown"](whole)


@given(st.text(max_size=60))
def test_latex_text_has_balanced_braces_and_only_known_commands(text: str) -> None:
    escaped = latex_text(text)
    depth = 0
    for sign in re.findall(r"\\.|[{}]", escaped):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0
    commands = set(re.findall(r"\\([a-zA-Z]+|.)", escaped))
    words = {"textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater"}
    assert commands <= words | {"textbar", "textasciigrave", "textquotedbl", *"&%$#_{}"}
    assert "\n" not in escaped
    assert "--" not in escaped


def test_scores_hold_the_summary_values_best_first() -> None:
    result = compared(["worst", "best"][::-1])
    rows = list(csv.DictReader(io.StringIO(written("csv", "scores", result))))
    assert [row["system"] for row in rows] == ["best", "worst"]
    for row in rows:
        assert float(row["F1"]) == result.scores[row["system"]].f1  # every digit
        assert result.deciding.values is not None
        assert float(row["right"]) == result.deciding.values[row["system"]]
    latex = written("latex", "scores", result)
    assert rf"\textbf{{{result.scores['best'].f1:.3f}}}" in latex
    assert latex.count(r"\toprule") == latex.count(r"\bottomrule") == 1


def test_adjusted_p_is_strong_where_significant_and_only_there() -> None:
    result = compared(["a", "b", "c"])
    view = result.deciding
    whole = TABLES["adjusted"](present(result))
    for i, first in enumerate(view.order):
        for j, second in enumerate(view.order):
            significant = (first, second) in view.edges or (second, first) in view.edges
            assert ((i, j + 1) in whole.strong) == significant
            if i != j:
                row, column = (result.systems.index(name) for name in (first, second))
                exact = result.adjusted["entity"]["bergmann-hommel"].values[row, column]
                assert whole.rows[i][j + 1] == exact


def test_edges_have_their_counts_and_p() -> None:
    result = compared(["a", "b"])
    row = next(csv.DictReader(io.StringIO(written("csv", "edges", result))))
    assert (row["better"], row["worse"]) == ("a", "b")
    assert (row["better only"], row["worse only"]) == ("7", "0")
    p = result.views["entity"].tests["mid-p"].p[0, 1]
    assert float(row["p"]) == p == pytest.approx(2**-7)


def test_clusters_decide_and_p_with_independent_entities_stands_beside() -> None:
    names = [f"{k:02}" for k in range(48)]
    reference, good, bad = (
        Alignment(Correspondence(name, "x") for name in part)
        for part in (names, names[8:], names[:24])
    )
    clusters = {name: str(int(name) // 8) for name in names}
    systems = {"good": good, "bad": bad}
    result = read_back(
        compare(systems, reference, AnalysisSettings(clusters=EntityClusters(clusters)))
    )
    assert not TABLES["edges"](present(result)).rows
    assert not TABLES["adjusted"](present(result)).strong
    (row,) = csv.DictReader(io.StringIO(written("csv", "pairs", result)))
    assert row["it is"] == "cannot reach significance"  # only four clusters differ
    # one cluster speaks for bad and three for good, with eight entities each
    assert float(row["p"]) == pytest.approx(10 ** sign_flip([8, 8, 8, -8]))
    assert float(row["p_independent"]) == compare(systems, reference).deciding.chosen.p[0, 1]
    assert float(row["p_independent"]) < 0.05 < float(row["p"])
    assert result.answer() == ["Too few clusters differ: no comparison can be significant here."]


def test_counts_alone_have_no_scores_but_the_rest() -> None:
    result = read_back(compare_counts([[0, 30], [5, 0]], ["new", "old"]))
    with pytest.raises(ExperimentError, match="no scores"):
        written("latex", "scores", result)
    assert "| new | old | 30 | 5 |" in written("markdown", "edges", result)


def test_a_study_has_its_scores_by_task_and_no_counts() -> None:
    scores = np.array([[0.9 - 0.01 * t, 0.8 + 0.005 * t, 0.5 + 0.02 * t] for t in range(9)])
    tasks = tuple(f"task {k}" for k in range(9))
    result = read_back(study_with_choices(study(ScoreTable(tasks, ("a", "b", "c"), scores))))
    ranks = list(csv.DictReader(io.StringIO(written("csv", "scores", result))))
    assert [(row["system"], row["rank"]) for row in ranks] == [("a", "1"), ("b", "2"), ("c", "3")]
    rows = list(csv.DictReader(io.StringIO(written("csv", "tasks", result))))
    assert [row["task"] for row in rows] == [*tasks, "mean", "mean rank"]
    assert float(rows[-2]["a"]) == pytest.approx(scores[:, 0].mean())
    p = TABLES["p"](present(result))
    pair = next(p for p in result.pairs if {p.system1, p.system2} == {"a", "b"})
    assert p.rows[p.header.index("a") - 1][p.header.index("b")] == pair.p
    assert TABLES["pairs"](present(result)).header == list(result.to_frame().columns)
    by_signs = TABLES["pairs"](present(result, result.deciding.decided_by("sign", "holm")))
    assert by_signs.rows[0][by_signs.header.index("p")] == pair.sign.p
    with pytest.raises(ExperimentError, match="no discordant"):
        written("csv", "discordant", result)
    tests = dict.fromkeys([result.test, *result.deciding.alternatives])  # in an order of their own
    with pytest.raises(ValueError, match=f"'foo' is unknown: use one of {', '.join(tests)}"):
        result.deciding.decided_by("foo")


def test_another_test_and_correction_decide_the_table() -> None:
    result = compared(["a", "b", "c"])
    chosen = result.deciding.decided_by("exact", "nemenyi")
    table = TABLES["adjusted"](present(result, chosen))
    p = result.deciding.tests["exact"].p[0, 1]
    assert table.rows[0][2] == pytest.approx(3 * p)
    assert "exact with nemenyi" in table.footnote


def test_no_value_is_a_dash_for_readers_and_nothing_in_csv() -> None:
    one = Table("t", ["a", "b"], [["x", None], ["y", float("nan")]])
    assert TABLE_FORMATS["csv"](one) == "a,b\nx,\ny,\n"
    assert TABLE_FORMATS["markdown"](one).count("–") == 2


def test_the_command_prints_or_writes_and_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "summary.json").write_text(json.dumps(compared(["a", "b"]).to_dict()))
    how = {"view": None, "test": None, "correction": None, "overwrite": False}
    show_results(tmp_path, table="scores", form="markdown", out=None, **how)
    printed = capsys.readouterr().out
    out = tmp_path / "a table.md"
    show_results(tmp_path, table="scores", form="markdown", out=out, **how)
    assert out.read_text(encoding="utf-8") == printed
    for options in ({"table": "all", "form": "csv"}, {"table": "p", "form": "pdf"}):
        with pytest.raises(ExperimentError, match="is unknown: use"):
            show_results(tmp_path, out=None, **how, **options)
    with pytest.raises(ExperimentError, match="overwrite=True"):
        show_results(tmp_path, table="p", form="csv", out=out, **how)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"view": "ifp"}, "--view goes with --table or --figure"),
        ({"correction": "holm"}, "--correction goes with --table or --figure"),
        ({"out": Path("x"), "text": True}, "--out goes with --table or --figure"),
        ({"test": "exact", "figures": ["p-values"]}, "--test goes with --table"),
        ({"systems": ["a"], "table": "scores"}, "--system goes with --figure"),
        ({"reference": Path("r.rdf")}, "--reference goes with --figure"),
    ],
)
def test_an_option_without_its_table_or_figure_is_refused(
    tmp_path: Path, options: Any, message: str
) -> None:
    """They were taken and ignored in silence."""
    with pytest.raises(ExperimentError, match=message):
        show_results(tmp_path, **options)


def test_results_without_a_text_name_the_commands_that_write_one(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match=r"of alignrank rank, compare or study$"):
        show_results(tmp_path, text=True)


def test_curves_are_drawn_against_the_reference_as_it_was_judged_by(
    shell: Any, tmp_path: Path
) -> None:
    task, reference = bundled_task("library"), tmp_path / "close.sssom.tsv"
    close = f"{SKOS}closeMatch"
    rows = [
        replace(c, relation="?", stated_relation=close) if k % 2 else c
        for k, c in enumerate(read_alignment(task.reference))
    ]
    write_alignment(Alignment(rows), reference)
    systems = [task.alignments[name] for name in ("system_good", "system_bad")]
    draw = ("--figure", "precision-recall", "--format", "svg", "--out")
    ranked, compared_ = tmp_path / "ranked", tmp_path / "compared"
    rank = ("rank", task.source, task.target, reference, "-m", "jaro", "-m", "ngram")
    shell.run(*rank, "--predicates", "closeMatch", "--out", ranked)
    shell.run("compare", reference, *systems, "--predicates", "closeMatch", "--out", compared_)
    for results in (ranked, compared_):
        done = shell.run("report", results, *draw, tmp_path / f"{results.name}-again")
        assert done.returncode == 0, done.stderr
        again = tmp_path / f"{results.name}-again" / "precision-recall.svg"
        assert again.read_text() == (results / "figures" / "precision-recall.svg").read_text()
    filtered = tmp_path / "filtered"
    ontologies = ("--source", task.source, "--target", task.target)
    compare_ = ("compare", task.reference, *systems, *ontologies, "--filter", "kind=class")
    shell.run(*compare_, "--out", filtered)
    done = shell.run("report", filtered, *draw, tmp_path / "none")
    assert "kind=class changed the reference" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "--task", "library", "--focus", "system_good"],
        ["rank", "--task", "library", "-m", "equality", "-m", "jaro"],
    ],
    ids=lambda words: words[0],
)
def test_results_seen_again_are_told_as_the_command_did(
    words: list[str], tmp_path: Path, shell: Any
) -> None:
    _, printed, cautions = shell(*words, "--out", tmp_path / "out")
    assert "takes your own groups (--cluster)" in cautions
    _, again, same_cautions = shell("report", tmp_path / "out")
    assert same_cautions == cautions
    methods = [
        [line for line in text.splitlines() if line.startswith("Method: ")]
        for text in (printed, again)
    ]
    assert methods[0] == methods[1] != []
