"""Relaxed measures on the OAEI files: the figures of docs/measures.md."""

from __future__ import annotations

import pytest

from evaluation import score
from experiments.studies.oaei_2016 import Anatomy, RelaxedStudy, relaxed_study, report


@pytest.fixture(scope="module")
def study(anatomy: Anatomy) -> RelaxedStudy:
    return relaxed_study(anatomy.systems, anatomy.reference, anatomy.context)


def test_near_misses_of_ten_systems(study: RelaxedStudy, anatomy: Anatomy) -> None:
    wrong = {n: len(a - anatomy.reference) for n, a in anatomy.systems.items()}
    near = {name: study.links(name).total() for name in wrong}
    assert (sum(wrong.values()), sum(near.values())) == (1232, 115)
    assert (wrong["LPHOM"], near["LPHOM"]) == (453, 52)
    text = report(study).to_text()
    assert "Of 1232 correspondences that ordinary precision calls wrong, 115 (9%)" in text
    assert "The ranking by F1 is the same under all three relaxed measures" in text
    gain = {n: s["oriented"].f1 - s["equality"].f1 for n, s in study.scores.items()}
    assert max(gain, key=lambda n: gain[n]) == "LPHOM"
    assert gain["LPHOM"] == pytest.approx(0.026, abs=5e-4)


def test_equality_is_ordinary_precision_and_recall(study: RelaxedStudy, anatomy: Anatomy) -> None:
    for name, alignment in anatomy.systems.items():
        expected = score(alignment, anatomy.reference)
        got = study.scores[name]["equality"]
        assert (got.precision, got.recall) == (expected.precision, expected.recall)
