"""Combinations: the mean by hand, names, and the sharpening."""

from __future__ import annotations

import numpy as np
import pytest

from alignrank.matchers import MatcherError, Settings, get_metric, match, prepare, select_metrics
from alignrank.matchers.evidence.combine import combine
from alignrank.matchers.evidence.own import kind_matrices
from alignrank.ontologies import Entity, Kind, Label, Ontology


def ontology(*names: str) -> Ontology:
    """Return an ontology of classes below the first of them."""
    entities = {name: Entity(name, Kind.CLASS, (Label(name),)) for name in names}
    return Ontology("", entities, parents=dict.fromkeys(names[1:], names[:1]))


ONE, TWO = ontology("organ", "heart", "left lung"), ontology("organs", "hearts", "lung, left")


def test_the_mean_is_that_of_the_matrices() -> None:
    groups = prepare(ONE, TWO).groups
    (ngram,), (words,) = (kind_matrices(groups, get_metric(m)) for m in ("ngram", "words"))
    (found,) = kind_matrices(groups, get_metric("combine:ngram+3*words:power=2"))
    assert found == pytest.approx(((ngram + 3 * words) / 4) ** 2)
    known = np.asarray((ngram + words) / 2)
    for passes in (1, 2):
        (structure,) = kind_matrices(groups, get_metric("structure"), estimates=[known])
        known = (ngram + words + structure) / 3
        name = f"combine:ngram+words+structure:power=2:passes={passes}"
        (all_three,) = kind_matrices(groups, get_metric(name))
        assert all_three == pytest.approx(known**2)
    assert all_three == pytest.approx(kind_matrices(groups, get_metric("combined"))[0])
    (alone,) = kind_matrices(groups, get_metric("combine:structure"))
    assert alone == pytest.approx(kind_matrices(groups, get_metric("structure"))[0])


def test_a_combination_is_a_metric_by_name() -> None:
    for name in (
        "combine:ngram+2.5*words:power=3",
        "combine:rapidfuzz:ratio+smoa",
        "combined",
        "combine:ngram+structure:passes=2",
    ):
        assert get_metric(name).name == name
    assert [m.name for m in select_metrics(["words", "combine:1*words"])] == [
        "words",
        "combine:words",
    ]
    found = match(prepare(ONE, TWO, Settings(threshold=0.1)), "combined")
    assert {c.pair for c in found.alignment} == {
        ("organ", "organs"),
        ("heart", "hearts"),
        ("left lung", "lung, left"),
    }


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("combine:", "the name of a metric is missing; write it as combine:ngram"),
        ("combine:ngram+", "the name of a metric is missing; write it as combine:ngram"),
        ("combine:standard+words", "'standard' stands for several metrics: name one"),
        ("combine:-1*ngram", "the weight of 'ngram' is -1: it must be above 0"),
        ("combine:ngram*2", "could not convert .* 'ngram'; write it as combine:ngram"),
        ("combine:ngram+structure:passes=0", "0 passes: 1 or more"),
        ("combine:ngram+words:passes=2", "2 passes: .* only of a metric that looks around"),
        ("combine:ngram+structure:passes=x", "write it as combine:ngram"),
        ("combine:ngram+wrods", "did you mean words"),
        ("combine:0*ngram", "the weight of 'ngram' is 0: it must be above 0"),
        ("combine:ngram:power=0", "the power is 0: it must be above 0"),
        ("combine:ngram:power=two", "write it as combine:ngram"),
        ("combine:1.2.3*ngram", "write it as combine:ngram"),
    ],
)
def test_a_mistake_in_a_formula_is_told(name: str, why: str) -> None:
    with pytest.raises(MatcherError, match=why):
        get_metric(name)
    with pytest.raises(MatcherError, match="a combination needs a metric"):
        combine([])
