"""Matching goes on from what a person accepted and rejected."""

from __future__ import annotations

import pytest

from alignrank.matchers import Settings, match, prepare
from alignrank.ontologies import (
    Alignment,
    Correspondence,
    Entity,
    Kind,
    NegatedCorrespondence,
    Ontology,
    load_ontology,
)
from alignrank.ontologies.alignment import NO_TERM
from alignrank.ontologies.curation import Decisions, checked_decisions
from alignrank.ontologies.tasks import bundled_task
from alignrank.ontologies.vocabulary import SKOS

TASK = bundled_task("library")
SOURCE, TARGET = load_ontology(TASK.source), load_ontology(TASK.target)


@pytest.mark.parametrize(
    ("metric", "settings"),
    [
        ("combined", Settings(threshold=0.5)),
        ("combined", Settings(threshold=0.5, assignment="hungarian")),
        ("ngram", Settings(threshold=0.5)),
        ("ngram", Settings(threshold=0.5, order="cut-then-assign", tiles=True)),
    ],
)
def test_what_is_accepted_stays_and_what_is_rejected_goes(metric: str, settings: Settings) -> None:
    before = match(prepare(SOURCE, TARGET, settings), metric).alignment
    first, second, third, *_ = before
    crossed = Correspondence(first.entity1, second.entity2, confidence=0.25)
    rejected = NegatedCorrespondence(*third.pair, f"{SKOS}exactMatch", "=")
    candidates = prepare(SOURCE, TARGET, settings, Decisions((crossed,), (rejected,)))
    after = match(candidates, metric).alignment
    assert after[crossed.key].confidence == 0.25, "accepted below the threshold"
    touching = [c for c in after if c.entity1 == first.entity1 or c.entity2 == second.entity2]
    assert touching == [crossed]
    assert third.key not in after
    assert after.negated == (rejected,)
    assert len(after.pairs & before.pairs) > len(before) / 2


@pytest.mark.parametrize("metric", ["combined", "ngram"])
@pytest.mark.parametrize("pair", [("a#heart", NO_TERM), (NO_TERM, "b#heart")])
def test_an_entity_that_is_stated_to_have_no_match_is_not_matched(
    metric: str, pair: tuple[str, str]
) -> None:
    source, target = (
        Ontology("", {f"{o}#{n}": Entity(f"{o}#{n}", Kind.CLASS) for n in ("heart", "lung")})
        for o in "ab"
    )
    stated = Alignment(negated=[NegatedCorrespondence(*pair, f"{SKOS}exactMatch", "=")])
    decisions = checked_decisions(stated, source, target)
    matching = match(prepare(source, target, Settings(threshold=0.5), decisions), metric)
    assert matching.alignment.pairs == {("a#lung", "b#lung")}
