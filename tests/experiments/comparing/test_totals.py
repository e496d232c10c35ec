"""`alignrank compare` of a table of totals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from alignrank.common.results import version


def test_totals_decide_whatever_the_overlap(shell: Any, tmp_path: Path) -> None:
    """1,419 against 1,312 of 1,516: z is 6.16 at least."""
    table = tmp_path / "counts.csv"
    table.write_text("system,TP\nAML,1419\nXMap,1312\nLogMap,1400\n")
    code, out, told = shell("compare", table, "--items", "1516")
    assert (code, told) == (0, "")
    assert out.startswith(
        "In correct correspondences (ifp) the difference is significant for 2 of 3 pairs, whatever "
        "the overlap of answers (AML > XMap, LogMap > XMap); significance depends on the overlap "
        "for 1 of 3 pairs (AML and LogMap). The tests assume independent correspondences.\n"
    )
    lines = [line.split() for line in out.splitlines()]
    assert [
        "ifp",
        "AML",
        "XMap",
        "yes",
        "6.16",
        "6.16e-33",
        "4.88e-10",
        "1.46e-09",
    ] in lines
    assert "McNemar's mid-p test for every overlap that the totals allow" in out
    shown = json.loads(shell("--json", "compare", table, "--items", "1516")[1])
    assert shown["pairs"][0]["whatever_the_overlap"] == "significant"
    assert shown["version"] == version()
    assert "add a column FN or n (or --items" in shell.refused("compare", table)
    refusal = shell.refused("compare", table, "--items", "1516", "--out", tmp_path / "out")
    assert "totals give no report" in refusal
