"""Nine metrics by three presets by synonyms, on a pair small enough for a test."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from experiments.studies.fifty_four import FiftyFour, fifty_four
from ontologies import load_ontology, read_alignment
from ontologies.tasks import bundled_task


@pytest.fixture(scope="module")
def result() -> FiftyFour:
    task = bundled_task("library")
    return fifty_four(
        load_ontology(task.source), load_ontology(task.target), read_alignment(task.reference)
    )


def test_every_way_is_ranked_within_its_range_over_ties(result: FiftyFour) -> None:
    assert len(result.rows()) == 54
    for way, score in result.comparison.scores.items():
        known = result.ties[way]
        assert known.correct_min <= score.correct <= known.correct_max


def test_the_choices_explain_all_of_the_spread(result: FiftyFour) -> None:
    shares = result.shares()
    assert list(shares) == ["metric", "label preset", "synonyms", "their interplay"]
    assert sum(shares.values()) == pytest.approx(1.0)
    assert all(-1e-12 <= share <= 1.0 for share in shares.values())


def test_text_and_page_name_the_protocol_and_call_the_best_way_exploratory(
    result: FiftyFour,
) -> None:
    for output in (result.to_text(), result.report().to_html()):
        assert "hungarian assignment, assign-then-cut, no threshold" in output
        assert "exploratory" in output


def test_the_answer_says_first_what_matters_more(result: FiftyFour) -> None:
    metric, preset, synonyms, _ = result.shares().values()
    metric_first = "The metric matters more than the preparation of the labels"
    assert result.sentences()[0].startswith(metric_first) == (metric > preset + synonyms)
    turned = replace(result, f1=result.f1 * 0 + np.arange(3)[:, None] / 10)  # the preset is all
    first, _, rest = turned.sentences()[0].partition(":")
    assert first == "The preparation of the labels matters more than the metric"
    assert "the metric explains 0%, the label preset 100%, synonyms 0%" in rest
