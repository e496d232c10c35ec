"""``--assignment scipy``: scipy itself finds the pairs that ``hungarian`` finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from alignrank.matchers import Settings, match_all, prepare
from alignrank.ontologies import load_ontology
from tests.conftest import THOROUGH

CUT = "cut-then-assign"
#: These stand for all outside continuous integration.
SOME = ["equality", "levenshtein", "ngram"]


def alignments(shell: Any, anatomy: Path, out: Path, assignment: str) -> dict[str, bytes]:
    """Rank the standard metrics, or some; return the bytes of every alignment file."""
    files = [anatomy / name for name in ("mouse.owl", "human.owl", "reference.rdf")]
    how = ("--assignment", assignment, "--order", "assign-then-cut")
    some = [] if THOROUGH else [part for metric in SOME for part in ("--metric", metric)]
    code, _, err = shell("rank", *files, *how, *some, "--out", out)
    assert code == 0, err
    return {path.name: path.read_bytes() for path in sorted((out / "alignments").iterdir())}


def test_rank_writes_the_same_alignments_with_scipy(shell: Any, oaei: Path, tmp_path: Path) -> None:
    ours, scipys = (
        alignments(shell, oaei / "anatomy", tmp_path / assignment, assignment)
        for assignment in ("hungarian", "scipy")
    )
    assert len(ours) >= (9 if THOROUGH else len(SOME))
    assert ours == scipys


@pytest.mark.parametrize("threshold", [0.0, 0.8])
def test_a_cut_matrix_has_the_same_pairs_with_scipy(oaei: Path, threshold: float) -> None:
    pair = [load_ontology(oaei / "anatomy" / name) for name in ("mouse.owl", "human.owl")]
    ours, scipys = (
        match_all(
            prepare(*pair, Settings(assignment=assignment, threshold=threshold, order=CUT)),
            SOME,
        )
        for assignment in ("hungarian", "scipy")
    )
    for one, other in zip(ours, scipys, strict=True):
        assert one.alignment == other.alignment
        assert one.ties is not None
        assert other.ties is not None
        assert one.ties.always == other.ties.always
        assert one.ties.sometimes == other.ties.sometimes
