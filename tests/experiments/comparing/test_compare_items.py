"""compare on a table of items, and on several runs, as it is typed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import alignrank as ar
from alignrank.evaluation.significance.clustered import sign_flip
from alignrank.experiments.results.folder import read_results
from alignrank.ontologies import Alignment, Correspondence, write_alignment

ROWS = np.random.default_rng(3).random((200, 3)) < (0.9, 0.85, 0.4)
#: Three runs of a good system, and one of a bad.
RUNS = np.random.default_rng(3).random((200, 4)) < (0.9, 0.85, 0.9, 0.4)


def items(path: Path, names: str = "item,good@1,good@2,good@3,bad") -> Path:
    answers = RUNS if names.count(",") == 4 else ROWS
    rows = [f"q{k},{','.join(str(int(x)) for x in row)}" for k, row in enumerate(answers)]
    path.write_text("\n".join([names, *rows]) + "\n")
    return path


def test_runs_in_a_table(tmp_path, shell):
    code, out, _ = shell("compare", items(tmp_path / "items.csv"), "--out", tmp_path / "out")
    assert code == 0
    assert out.startswith("good scores best (mean 0.903); bad is significantly worse.")
    assert out.splitlines()[1].split() == ["system", "rank", "runs", "mean", "letters"]
    assert "Two runs of one system differ by up to" in out
    runs = json.loads((tmp_path / "out/summary.json").read_text())["runs"]
    assert dict(zip(runs["systems"], runs["runs"], strict=True)) == {"good": 3, "bad": 1}
    assert set(runs["components"]["good"]) == {"rows", "columns", "interplay"}


def test_errors_are_shown_as_the_table_has_them(tmp_path, shell):
    path, mirrored = tmp_path / "err.csv", tmp_path / "scores.csv"
    answers = np.random.default_rng(1).random((200, 2)) * (0.25, 0.75)
    for file, scores in ((path, answers), (mirrored, 1 - answers)):
        rows = [f"q{k},{x:.3f},{y:.3f}" for k, (x, y) in enumerate(scores.tolist())]
        file.write_text("\n".join(["item,low,high", *rows]) + "\n")
    code, out, err = shell("compare", path, "--lower-is-better", "--out", tmp_path / "out")
    low, high = answers.round(3).mean(axis=0)
    assert code == 0
    assert out.startswith(f"low scores best (mean error {low:.3f}); ")
    assert [line.split()[:3] for line in out.splitlines()[1:4]] == [
        ["system", "rank", "mean"],
        ["low", "1", f"{low:.3f}"],
        ["high", "2", f"{high:.3f}"],
    ]
    (size,) = re.findall(r"low minus high: \+(0\.\d{3}) \[.*\] in 1 − the mean error\.", out)
    paper, latex = ((tmp_path / f"out/paper.{kind}").read_text() for kind in ("txt", "tex"))
    assert f"In 1 − the mean error, low − high is +{size}" in paper
    assert "Differences are low minus the other system, in 1 − the mean error" in paper
    assert "by 1 − its error from 0 to 1" in paper
    assert "score from 0 to 1" not in paper + latex
    assert size in latex
    pairs = pd.read_csv(tmp_path / "out/tables/pairs-item.csv")
    assert pairs[["system", "other"]].to_numpy().tolist() == [["low", "high"]]
    assert f"{pairs['difference'][0]:.3f}" == size
    assert "difference: in 1 − the mean error." in (tmp_path / "out/report.html").read_text()
    against = shell("compare", path, "--lower-is-better", "--focus", "high")[1]
    assert f"-{size} [" in against
    assert "difference: in 1 − the mean error." in against
    assert "lower is better: a difference is positive if the first system has fewer errors" in err
    report = shell("report", tmp_path / "out", "--table", "pairs", "--format", "csv")[1]
    shell("compare", mirrored, "--out", tmp_path / "mirrored")
    assert (
        report == shell("report", tmp_path / "mirrored", "--table", "pairs", "--format", "csv")[1]
    )
    assert "less_is_better" in (tmp_path / "out/report.html").read_text()


def test_a_difference_of_right_answers_is_called_so(tmp_path, shell):
    path = tmp_path / "items.csv"
    path.write_text("item,a,b\n" + "".join(f"q{k},1,{k % 2}\n" for k in range(100)))
    out = shell("compare", path, "--out", tmp_path / "out")[1]
    assert re.search(r"a minus b: \+50\.0 \[.*\] right answers per 100 items\.", out)
    text = (tmp_path / "out/paper.txt").read_text()
    assert "In right answers per 100 items, a − b is +50.0" in text


def test_items_of_clusters_are_no_classes(tmp_path, shell):
    rows = [f"q{k},{','.join(str(int(x)) for x in row)},c{k // 4}" for k, row in enumerate(ROWS)]
    path = tmp_path / "items.csv"
    path.write_text("\n".join(["item,good,close,bad,cluster", *rows]) + "\n")
    code, out, err = shell("compare", path)
    assert code == 0
    assert out.startswith(
        "close scores best (mean 0.905); good is not significantly different. bad is significantly "
        "worse."
    )
    assert (
        "McNemar's test, adjusted for dependence within clusters of items; Bergmann–Hommel" in out
    )
    assert "class" not in out + err
    assert "parent" not in out + err


def test_clusters_that_undo_a_verdict(tmp_path, shell):
    rows = [f"q{k},{int(k >= 8)},{int(k < 24)},c{k // 8}" for k in range(48)]
    path = tmp_path / "items.csv"
    path.write_text("\n".join(["item,good,bad,cluster", *rows]) + "\n")
    code, out, _ = shell("compare", path, "--focus", "good", "--out", tmp_path / "out")
    assert code == 0
    assert out.startswith("Too few clusters differ: no comparison can be significant here.")
    assert (
        "Some pairs cannot reach significance, because too few clusters differ: good and bad."
        in out
    )
    view = read_results(tmp_path / "out").deciding
    assert view.verdicts["good", "bad"] == "cannot reach significance"
    assert view.is_clustered
    assert view.chosen.p[0, 1] == pytest.approx(10 ** sign_flip([8, 8, 8, -8]))
    without = tmp_path / "without.csv"
    without.write_text("\n".join(["item,good,bad", *(row.rpartition(",")[0] for row in rows)]))
    alone = shell("compare", without, "--focus", "good", "--out", tmp_path / "alone")[1]
    assert alone.startswith("good is significantly better than bad.")
    assert (
        view.units.p_independent[0, 1] == read_results(tmp_path / "alone").deciding.chosen.p[0, 1]
    )


def test_a_folder_of_runs(tmp_path, shell):
    reference = Alignment(Correspondence(f"http://a#{k}", f"http://b#{k}") for k in range(200))
    write_alignment(reference, tmp_path / "reference.rdf")
    for name, row in zip(("good/1", "good/2", "good/3", "bad"), RUNS.T, strict=True):
        part = Alignment(c for c, right in zip(reference, row, strict=True) if right)
        write_alignment(part, tmp_path / f"{name}.rdf")
    by_folder = shell(
        "compare", tmp_path / "reference.rdf", f"good={tmp_path / 'good'}", tmp_path / "bad.rdf"
    )[1]
    apart = [f"good@{k}={tmp_path / f'good/{k}.rdf'}" for k in (1, 2, 3)]
    by_file = shell("compare", tmp_path / "reference.rdf", *apart, tmp_path / "bad.rdf")[1]
    assert by_file == by_folder
    assert by_folder.startswith("good scores best (right 0.903); bad is significantly worse.")
    assert (
        "right (tested): share of source entities with the reference's answer, or rightly none"
        in by_folder
    )


def test_a_square_table_is_one_of_counts(tmp_path, shell):
    path = tmp_path / "table.csv"
    path.write_text("name,a,b\na,0,1\nb,0,0\n")
    assert "by the counts in" in shell("compare", path)[1]
    assert "by the items in" in shell("compare", path, "--kind", "items")[1]
    refusal = shell.refused("compare", path, "--view", "ifp", "--view", "cfp")
    assert "error: --view: a table of counts is of one view only" in refusal
    assert "but no column" in shell.refused("compare", items(path), "--kind", "counts")


def test_an_interval_that_the_test_cuts_at_0_is_more_than_0(tmp_path, shell):
    rng, path = np.random.default_rng(7), tmp_path / "items.csv"
    fates = rng.random((40, 1)) * 0.3
    rows = ["item,system,run,score,cluster"]
    for name, share in (("A", 0.82), ("B", 0.7), ("C", 0.72)):
        for run in range(3):
            right = rng.random((40, 5)) < share + fates - 0.15
            rows += [f"q{k},{name},{run},{int(x)},c{k // 5}" for k, x in enumerate(right.ravel())]
    path.write_text("\n".join(rows) + "\n")
    out = shell("compare", path, "--out", tmp_path / "out")[1]
    assert out.startswith("A scores best (mean 0.813); both others are significantly worse.")
    cut = "+0.082 [more than 0, up to +0."
    assert f"A − C is {cut}" in (tmp_path / "out/paper.txt").read_text(encoding="utf-8")


def test_items_have_one_view(tmp_path, shell):
    path = items(tmp_path / "items.csv")
    for option in (["--view", "ifp"], ["--items", 4], ["--protocol", "mohammadi-2018"]):
        refusal = shell.refused("compare", path, *option)
        assert f"error: {option[0]} goes with" in refusal
        assert "not with a table of items: leave it out" in refusal


def test_alignments_and_totals_take_no_option_of_items(tmp_path, shell):
    correspondences = [Correspondence(f"http://a#{k}", f"http://b#{k}") for k in range(9)]
    files = [tmp_path / f"{size}.rdf" for size in (9, 8, 7)]
    for size, file in zip((9, 8, 7), files, strict=True):
        write_alignment(Alignment(correspondences[:size]), file)
    for option in (["--items", 3], ["--lower-is-better"]):
        refusal = shell.refused("compare", *files, *option)
        assert f"{option[0]} goes with a table of" in refusal
        assert "not with alignments: leave it out" in refusal
    systems = {"a": files[1], "b": files[2]}
    with pytest.raises(ValueError, match=r"^items=\.\.\. goes with a table"):
        ar.compare(files[0], systems, items=3)
    with pytest.raises(ValueError, match=r"^lower_is_better=\.\.\. goes with a table"):
        ar.compare(files[0], systems, lower_is_better=True)
    totals = tmp_path / "totals.csv"
    totals.write_text("system,TP\na,80\nb,60\n")
    refusal = shell.refused("compare", totals, "--items", 100, "--lower-is-better")
    assert "--lower-is-better goes with a table of items, not with a table of totals" in refusal
