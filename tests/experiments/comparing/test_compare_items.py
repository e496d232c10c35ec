"""compare on a table of items, and on several runs, as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from alignrank.ontologies import Alignment, Correspondence, write_alignment

ROWS = np.random.default_rng(3).random((200, 3)) < (0.9, 0.85, 0.4)


def items(path: Path, names: str = "item,good@1,good@2,bad") -> Path:
    rows = [f"q{k},{','.join(str(int(x)) for x in row)}" for k, row in enumerate(ROWS)]
    path.write_text("\n".join([names, *rows]) + "\n")
    return path


def test_runs_in_a_table(tmp_path, shell):
    code, out, _ = shell("compare", items(tmp_path / "items.csv"), "--out", tmp_path / "out")
    assert code == 0
    assert out.startswith("If items are independent: good is better than bad.")
    assert "runs" in out.splitlines()[1]
    assert "Two runs of one system differ by up to" in out
    found = json.loads((tmp_path / "out/summary.json").read_text())
    assert found["runs"]["of"] == {"good": 2, "bad": 1}
    assert set(found["runs"]["components"]["good"]) == {"item", "run", "interplay"}


def test_items_of_clusters_are_no_siblings(tmp_path, shell):
    rows = [f"q{k},{','.join(str(int(x)) for x in row)},c{k // 4}" for k, row in enumerate(ROWS)]
    path = tmp_path / "items.csv"
    path.write_text("\n".join(["item,good,close,bad,cluster", *rows]) + "\n")
    code, out, told = shell("compare", path)
    assert code == 0
    assert "; clustered items resampled together too" in out
    assert "multiply the variance" not in told  # no verdict depends on it
    assert "sibling" not in out + told


def test_clusters_that_undo_a_verdict(tmp_path, shell):
    rows = [f"q{k},{int(k >= 8)},{int(k < 24)},c{k // 8}" for k in range(48)]
    path = tmp_path / "items.csv"
    path.write_text("\n".join(["item,good,bad,cluster", *rows]) + "\n")
    code, out, told = shell("compare", path, "--focus", "good", "--out", tmp_path / "out")
    assert code == 0
    assert "Better, if clustered items are independent: good over bad." in out
    assert "clustered items multiply the variance" in told
    found = json.loads((tmp_path / "out/summary.json").read_text())["focus"]["item"]
    assert found["bad"]["verdict"] == "better if clustered items are independent"


def test_a_folder_of_runs(tmp_path, shell):
    reference = Alignment(Correspondence(f"http://a#{k}", f"http://b#{k}") for k in range(200))
    write_alignment(reference, tmp_path / "reference.rdf")
    for name, row in zip(("good/1", "good/2", "bad"), ROWS.T, strict=True):
        part = Alignment(c for c, right in zip(reference, row, strict=True) if right)
        write_alignment(part, tmp_path / f"{name}.rdf")
    told = shell(
        "compare", tmp_path / "reference.rdf", f"good={tmp_path / 'good'}", tmp_path / "bad.rdf"
    )[1]
    apart = [f"good@{k}={tmp_path / f'good/{k}.rdf'}" for k in (1, 2)]
    assert shell("compare", tmp_path / "reference.rdf", *apart, tmp_path / "bad.rdf")[1] == told
    assert told.startswith("If source entities are independent: good is better than bad.")


def test_a_square_table_is_one_of_counts(tmp_path, shell):
    path = tmp_path / "table.csv"
    path.write_text("name,a,b\na,0,1\nb,0,0\n")
    assert "by the counts in" in shell("compare", path)[1]
    assert "by the items in" in shell("compare", path, "--kind", "items")[1]
    assert "but no column" in shell.refused("compare", items(path), "--kind", "counts")


def test_an_interval_that_holds_0_beside_a_verdict_is_explained(tmp_path, shell):
    rng, path = np.random.default_rng(36), tmp_path / "items.csv"
    fates = rng.random((40, 1)) * 0.3
    rows = ["item,system,run,score,cluster"]
    for name, share in (("A", 0.82), ("B", 0.7), ("C", 0.72)):
        for run in range(3):
            right = rng.random((40, 5)) < share + fates - 0.15
            rows += [f"q{k},{name},{run},{int(x)},c{k // 5}" for k, x in enumerate(right.ravel())]
    path.write_text("\n".join(rows) + "\n")
    out = shell("compare", path)[1]
    assert out.startswith("A is better than the other two.")
    assert "A and C: +0.110 [-0.008 to +0.228]" in out
    assert "An interval may hold 0 where the test decides" in out
    without = shell("compare", path, "--focus", "B")[1]
    assert "An interval may hold 0" not in without
