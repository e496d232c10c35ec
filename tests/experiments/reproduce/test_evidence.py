"""The study of evidence: nothing is chosen on what it is judged by, and every way is told of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from alignrank.evaluation import score
from alignrank.evaluation.credit.credits import standard
from alignrank.evaluation.measures.threshold_curve import crossfit
from alignrank.evaluation.significance.clustered import parent_clusters
from alignrank.experiments.ranking.task_results import TaskResult, match_task
from alignrank.experiments.reproduce import evidence
from alignrank.experiments.reproduce.evidence import (
    CHOSEN,
    PLAIN,
    SHARP,
    chosen_by_others,
    chosen_inside,
    on_one_task,
    on_tasks,
)
from alignrank.matchers import Settings, match, prepare, select_metrics
from alignrank.ontologies import Alignment, Correspondence, load_ontology, read_alignment
from alignrank.ontologies.tasks import bundled_task, bundled_tasks, find_tasks

RIGHT = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(60))


@pytest.fixture
def few_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "WAYS", (PLAIN, SHARP))


def _half_right(good: int) -> Alignment:
    """Return an alignment that is right, and sure, on the even or on the odd entities."""
    return Alignment(
        Correspondence(
            f"a#{k}", f"b#{k if k % 2 == good else 99}", "=", 0.9 if k % 2 == good else 0.3
        )
        for k in range(60)
    )


def test_a_part_is_cut_as_the_others_choose() -> None:
    found, choices = chosen_inside({"all": RIGHT, "even": _half_right(0)}, RIGHT, {})
    assert found == RIGHT
    assert choices == {"all": evidence.PARTS}


def test_what_a_part_is_judged_by_chooses_nothing_in_it() -> None:
    ways = {"even": _half_right(0), "odd": _half_right(1)}
    families = {f"a#{k}": f"family {k // 6}" for k in range(60)}
    before, _ = chosen_inside(ways, RIGHT, families)
    others = Alignment(c for c in RIGHT if families[c.entity1] != "family 3")
    after, _ = chosen_inside(ways, others, families)
    part = [c for c in before if families[c.entity1] == "family 3"]
    assert part
    assert part == [c for c in after if families[c.entity1] == "family 3"]


def test_what_a_task_is_judged_by_chooses_nothing_in_it(few_ways: None) -> None:
    metrics = select_metrics([PLAIN, SHARP])
    tasks = [bundled_task("library"), bundled_task("citytransit"), bundled_task("vehicles")]
    results = [match_task(task, metrics, Settings()) for task in tasks]
    first = results[0]
    spoilt = {way: {"all": standard(Alignment(()), first.reference)} for way in first.credits}
    changed: list[TaskResult] = [replace(first, credits=spoilt), *results[1:]]
    name = first.task.name
    assert chosen_by_others(results)[name] == chosen_by_others(changed)[name]


def test_one_task_and_several_tell_of_every_way(few_ways: None) -> None:
    one = on_one_task(bundled_task("demo"))
    several = on_tasks("three", bundled_tasks()[:3])
    for part, choices in ((one, evidence.PARTS), (several, 3)):
        assert set(part.f1) == {PLAIN, SHARP, CHOSEN}
        assert all(0.0 <= value <= 1.0 for value in part.f1.values())
        assert sum(part.choices.values()) == choices
        assert CHOSEN in part.table().to_text()
    difference, low, high = several.limits[:, 1, 0]
    assert difference == pytest.approx(several.f1[SHARP] - several.f1[PLAIN])
    assert low <= difference <= high


def test_generated_pairs_share_no_ontology() -> None:
    with evidence.generated_tasks(8) as tasks:
        texts = [path.read_bytes() for task in tasks for path in (task.source, task.target)]
    assert len(tasks) == 4 * len(evidence.METHODS)
    assert len(set(texts)) == len(texts)


def test_the_pages_f1_of_anatomy_is_reached_at_thresholds_of_other_families(oaei: Path) -> None:
    (anatomy,) = find_tasks("anatomy", [oaei])
    source, target = load_ontology(anatomy.source), load_ontology(anatomy.target)
    reference, found = read_alignment(anatomy.reference), match(prepare(source, target), "combined")
    fitted = crossfit(found.alignment, reference, clusters=parent_clusters(source))
    assert round(score(fitted.alignment, reference).f1, 3) == 0.881
