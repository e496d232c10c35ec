"""`alignrank rank --view`: another question about the same alignments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from alignrank.evaluation import Pairwise
from alignrank.experiments.results.folder import read_results
from alignrank.ontologies.tasks import bundled_task


@pytest.mark.parametrize("view", ["cfp", "entity-target"])
def test_a_ranking_is_of_the_view_that_is_asked_for(view: str, shell: Any, tmp_path: Path) -> None:
    some = ("-m", "ngram", "-m", "levenshtein", "-m", "equality")
    code, out, _ = shell(
        "rank", "--task", "library", *some, "--view", view, "--out", tmp_path / "r"
    )
    assert code == 0
    assert "adjusted for dependence between classes that share a parent" in out
    task = bundled_task("library")
    systems = sorted((tmp_path / "r/alignments").glob("*.rdf"))
    onto = ("--source", task.source, "--target", task.target)
    shell("compare", task.reference, *systems, *onto, "--view", view, "--out", tmp_path / "c")
    ranked, compared = (read_results(tmp_path / folder) for folder in "rc")
    assert list(ranked.views) == list(compared.views) == [view]
    assert ranked.test == compared.test == "sign-flip"
    assert sorted(ranked.deciding.edges) == sorted(compared.deciding.edges) != []
    p_by_pair, p_compared = (pairs_of(result.deciding) for result in (ranked, compared))
    assert p_by_pair == pytest.approx(p_compared)


def pairs_of(view: Pairwise) -> dict[frozenset[str], float]:
    """Return the adjusted p-values by pair."""
    return {
        frozenset((view.systems[i], view.systems[j])): float(view.adjusted_p[i, j])
        for i, j in view.pairs()
    }


def test_views_are_of_one_task_and_not_of_a_protocol(shell: Any) -> None:
    refused = shell.refused("rank", "--task", "bundled", "--view", "cfp")
    assert "--view compares metrics on one task" in refused
    refused = shell.refused(
        "rank", "--task", "library", "--view", "cfp", "--protocol", "mohammadi-2018"
    )
    assert "leave --view and --test out" in refused


def test_the_papers_protocol_takes_no_other_test(shell: Any) -> None:
    words = ("rank", "--task", "library", "--protocol", "mohammadi-2018", "--test", "exact")
    assert "--protocol sets the views and the test" in shell.refused(*words)
