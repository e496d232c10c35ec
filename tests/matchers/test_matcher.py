"""The matcher, from ontologies in memory to alignments."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import alignrank.matchers.matcher
from alignrank.common.errors import MatcherError
from alignrank.common.progress import show_progress
from alignrank.common.results import version
from alignrank.matchers.assignment.pairs import METHODS
from alignrank.matchers.assignment.ties import CountRange
from alignrank.matchers.by_name import METRICS, get_metric, select_metrics
from alignrank.matchers.candidates import prepare
from alignrank.matchers.matcher import match, match_all
from alignrank.matchers.metrics import Metric, Similarity
from alignrank.matchers.settings import Settings
from alignrank.ontologies.ontology import Entity, Kind, Label, Ontology
from tests.generated import examples


def ontology(iri: str, *entities: Entity) -> Ontology:
    ordered = sorted(entities, key=lambda entity: entity.iri)
    return Ontology(iri, {entity.iri: entity for entity in ordered})


def entity(
    iri: str, *labels: str, kind: Kind = Kind.CLASS, synonyms: tuple[str, ...] = ()
) -> Entity:
    return Entity(iri, kind, tuple(map(Label, labels)), tuple(map(Label, synonyms)))


@pytest.fixture
def source() -> Ontology:
    return ontology(
        "http://a",
        entity("a#1", "Heart_Valve"),
        entity("a#2", "lung", synonyms=("pulmo",)),
        entity("a#3", ""),
        entity("a#p", "hasPart", kind=Kind.PROPERTY),
        entity("a#i", "Ada", kind=Kind.INDIVIDUAL),
    )


@pytest.fixture
def target() -> Ontology:
    return ontology(
        "http://b",
        entity("b#1", "heart valve"),
        entity("b#2", "Pulmo"),
        entity("b#3", "  "),
        entity("b#p", "has part", kind=Kind.PROPERTY),
    )


def pairs(source: Ontology, target: Ontology, metric: str = "equality", **how: object) -> set[str]:
    candidates = prepare(source, target, Settings(**how))  # type: ignore[arg-type]
    found = match(candidates, get_metric(metric)).alignment
    return {f"{c.entity1} {c.entity2}" for c in found}


def test_defaults(source: Ontology, target: Ontology) -> None:
    candidates = prepare(source, target)
    assert [group.kind for group in candidates.groups] == [Kind.CLASS, Kind.PROPERTY]
    assert candidates.pairs == 2 * 2 + 1
    assert candidates.nameless == (1, 1)
    found = match(candidates, get_metric("equality"))
    assert {c.pair for c in found.alignment} == {("a#1", "b#1"), ("a#2", "b#2"), ("a#p", "b#p")}
    assert found.alignment.name == found.metric == "equality"
    assert (found.alignment.ontology1, found.alignment.ontology2) == ("http://a", "http://b")
    assert found.totals == {Kind.CLASS: 2.0, Kind.PROPERTY: 1.0}
    assert found.total == 3.0
    assert found.clipped == 0


def test_settings_decide(source: Ontology, target: Ontology) -> None:
    assert pairs(source, target, labels="raw") == set()
    assert pairs(source, target, labels="underscore", synonyms=False) == {"a#1 b#1"}
    assert pairs(source, target, kinds=(Kind.PROPERTY,)) == {"a#p b#p"}
    assert "a#2 b#2" not in pairs(source, target, synonyms=False)


@pytest.mark.parametrize("metric", METRICS.values(), ids=lambda metric: metric.name)
def test_a_nameless_entity_is_never_matched(
    source: Ontology, target: Ontology, metric: object
) -> None:
    found = match(prepare(source, target), metric).alignment  # type: ignore[arg-type]
    assert not [c for c in found if "3" in c.entity1 + c.entity2]


def test_the_threshold_keeps_what_equals_it() -> None:
    source = ontology("", entity("a#1", "tooth"))
    target = ontology("", entity("b#1", "teeth"))
    for threshold, number in [(0.6, 1), (0.61, 0)]:
        candidates = prepare(source, target, Settings(threshold=threshold))
        found = match(candidates, get_metric("hamming"))
        assert len(found.alignment) == number
        assert found.total == 0.6  # of the assignment, before the threshold


def test_similarity_zero_is_no_correspondence() -> None:
    source, target = ontology("", entity("a#1", "abc")), ontology("", entity("b#1", "xyz"))
    assert len(match(prepare(source, target), get_metric("levenshtein")).alignment) == 0


def test_confidence_above_one_is_clipped_and_counted() -> None:
    source, target = ontology("", entity("a#1", "aaaa")), ontology("", entity("b#1", "aaaa"))
    found = match(prepare(source, target), get_metric("ontosim-ngram"))
    assert found.clipped == 1
    assert found.total == 2.0
    assert [c.confidence for c in found.alignment] == [1.0]


def test_the_order_of_the_file_decides_nothing() -> None:
    # All similarities tie: any of six assignments is optimal.
    names = ["a#1", "a#2", "a#3"]
    expected = None
    for seed in range(6):
        shuffled = random.Random(seed).sample(names, 3)
        source = ontology("", *(entity(iri, "same") for iri in shuffled))
        target = ontology("", *(entity(iri.replace("a", "b"), "same") for iri in shuffled))
        found = match(prepare(source, target), get_metric("jaro")).alignment
        expected = expected or found
        assert found == expected


def test_metadata_says_how(source: Ontology, target: Ontology) -> None:
    candidates = prepare(source, target, Settings(threshold=0.5, langs=("en", "de")))
    assert match(candidates, get_metric("isub")).alignment.metadata == {
        "mapping_tool": "alignrank",
        "mapping_tool_version": version(),
        "confidence_meaning": "similarity",
        "metric": "smoa",
        "labels": "words",
        "synonyms": "yes",
        "langs": "en de",
        "assignment": "hungarian",
        "order": "assign-then-cut",
        "threshold": "0.5",
    }


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"labels": "stem"}, "label preset 'stem'"),
        ({"threshold": 1.5}, "outside"),
        ({"threshold": float("nan")}, "outside"),
        ({"assignment": "best"}, "assignment 'best' is unknown: did you mean mutual-best"),
        ({"order": "cut"}, "order 'cut' is unknown"),
        ({"assignment": ["greedy"]}, r"assignment \['greedy'\] is unknown"),
        ({"kinds": "klass"}, "kind 'klass' is unknown: did you mean class"),
    ],
)
def test_bad_settings(how: dict[str, object], message: str) -> None:
    with pytest.raises(MatcherError, match=message):
        Settings(**how)  # type: ignore[arg-type]


def test_one_kind_or_language_needs_no_tuple() -> None:
    kind: Any = Kind.CLASS
    lang: Any = "en"
    assert Settings(kinds=kind, langs=lang) == Settings(kinds=(Kind.CLASS,), langs=("en",))
    assert select_metrics("jaro") == select_metrics(["jaro"])


def test_a_language_that_no_label_has_is_an_error() -> None:
    labels = (Label("heart", "en-GB"), Label("Herz", "de"))
    one, two = (ontology("", Entity(iri, Kind.CLASS, labels)) for iri in ("a#1", "b#1"))
    with pytest.raises(MatcherError, match="no label is in 'fr': there are de, en-gb"):
        prepare(one, two, Settings(langs=("fr",)))
    for langs in (("en",), ("fr", "DE"), ("en-gb",)):
        assert prepare(one, two, Settings(langs=langs)).pairs == 1
    unstated = ontology("", entity("c#1", "heart"))  # of these all are kept
    assert prepare(unstated, unstated, Settings(langs=("en",))).pairs == 1


def test_entities_come_by_their_iris_whatever_their_order() -> None:
    entities = [entity(f"a#{k}", "x") for k in (3, 1, 2)]
    unsorted = Ontology("", {e.iri: e for e in entities})
    (group,) = prepare(unsorted, unsorted).groups
    assert group.source.iris == ("a#1", "a#2", "a#3")


def test_nothing_in_common_is_an_error(source: Ontology) -> None:
    target = ontology("", entity("b#p", "x", kind=Kind.ANNOTATION_PROPERTY))
    with pytest.raises(
        MatcherError, match=r"3 of kind class.*target 1 of kind annotation-property"
    ):
        prepare(source, target)
    with pytest.raises(MatcherError, match="no entities, and no named"):
        prepare(source, ontology(""))
    with pytest.raises(MatcherError, match="no named entities of kind individual are on both"):
        prepare(source, target, Settings(kinds=(Kind.INDIVIDUAL,)))


def test_cutting_first_is_another_order() -> None:
    # aba-ba and ab-aba together (2/3 + 2/3) beat the equal pair aba-aba (1 + 0); after a cut at .7
    # the equal pair is all that is left.
    source = ontology("", entity("a#1", "aba"), entity("a#2", "ab"))
    target = ontology("", entity("b#1", "aba"), entity("b#2", "ba"))
    metric = get_metric("levenshtein")
    found = {}
    for order in ("assign-then-cut", "cut-then-assign"):
        how = Settings(threshold=0.7, order=order)
        matching = match(prepare(source, target, how), metric)
        assert matching.order == matching.alignment.metadata["order"] == order
        found[order] = {c.pair for c in matching.alignment}
    assert found == {"assign-then-cut": set(), "cut-then-assign": {("a#1", "b#1")}}


@pytest.mark.parametrize("assignment", ["greedy", "mutual-best"])
def test_the_orders_agree_where_nothing_is_optimised(assignment: str) -> None:
    rng = random.Random(7)
    words = ["".join(rng.choices("abc", k=5)) for _ in range(60)]
    source = ontology("", *(entity(f"a#{i}", word) for i, word in enumerate(words[:30])))
    target = ontology("", *(entity(f"b#{i}", word) for i, word in enumerate(words[30:])))
    first, second = (
        match(
            prepare(
                source,
                target,
                Settings(threshold=0.5, assignment=assignment, order=order),
            ),
            get_metric("levenshtein"),
        )
        for order in ("assign-then-cut", "cut-then-assign")
    )
    assert first.alignment == second.alignment
    assert len(first.alignment) > 3
    assert first.ties is None


def test_ties_in_terms_of_entities() -> None:
    source = ontology(
        "",
        entity("a#1", "tooth"),
        entity("a#2", "tooth"),
        entity("a#3", "lung"),
        entity("a#p", "part", kind=Kind.PROPERTY),
    )
    target = ontology(
        "",
        entity("b#1", "tooth"),
        entity("b#3", "lung"),
        entity("b#p", "part", kind=Kind.PROPERTY),
    )
    ties = match(prepare(source, target), get_metric("equality")).ties
    assert ties is not None
    assert not ties.unique
    assert ties.always == {("a#3", "b#3"), ("a#p", "b#p")}
    assert ties.sometimes == {("a#1", "b#1"), ("a#2", "b#1")}
    assert ties.size == CountRange(3, 3)
    reference = {("a#2", "b#1"), ("a#3", "b#3"), ("a#3", "b#1"), ("a#9", "b#9")}
    assert ties.count(reference) == CountRange(1, 2)


@pytest.mark.parametrize("order", ["assign-then-cut", "cut-then-assign"])
def test_ties_hold_for_the_alignment_after_the_cut(order: str) -> None:
    source = ontology("", entity("a#1", "abcd"), entity("a#2", "abxx"))
    target = ontology("", entity("b#1", "abcd"), entity("b#2", "abyy"))
    for threshold, size in [(0.5, CountRange(2, 2)), (0.6, CountRange(1, 1))]:
        how = Settings(threshold=threshold, order=order)
        found = match(prepare(source, target, how), get_metric("levenshtein"))
        assert found.ties is not None
        assert found.ties.size == size
        assert found.ties.always == found.alignment.pairs


@pytest.mark.parametrize("processors", [1, 3])
def test_all_at_once_is_one_after_another(
    source: Ontology, target: Ontology, processors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alignrank.matchers.matcher, "available_processors", lambda: processors)
    candidates = prepare(source, target)
    metrics = [*select_metrics(["standard", "ontosim"]), Metric("own", "custom", len_alike, "", "")]
    found = list(match_all(candidates, metrics))
    assert [one.metric for one in found] == [metric.name for metric in metrics]
    for one, metric in zip(found, metrics, strict=True):
        alone = match(candidates, metric)
        assert one.alignment == alone.alignment
        assert one.totals == alone.totals


def test_whoever_matches_with_several_metrics_sees_how_far_it_is(
    source: Ontology, target: Ontology
) -> None:
    seen: list[tuple[int, str]] = []

    def show(items: Any, total: int, what: str) -> Any:
        seen.append((total, what))
        return items

    show_progress(show)
    try:
        assert len(list(match_all(prepare(source, target), ["jaro", "ngram"]))) == 2
    finally:
        show_progress(None)
    assert (2, "matching") in seen


def len_alike(s: str, t: str) -> float:
    return float(len(s) == len(t))


def levenshtein(s: str, t: str) -> float:
    return 0.9


def equality(s: str, t: str) -> float:
    return 0.9


@pytest.mark.parametrize("function", [levenshtein, equality])
@pytest.mark.parametrize("tiles", [True, False])
def test_a_function_called_as_one_of_our_metrics_is_the_one_that_counts(
    function: Similarity, tiles: bool
) -> None:
    sides = (ontology("http://a", entity("a#1", "x")), ontology("http://b", entity("b#1", "y")))
    how = Settings(tiles=tiles, threshold=0.8, order="cut-then-assign")
    (found,) = match(prepare(*sides, how), function).alignment
    assert found.confidence == 0.9


@pytest.mark.parametrize("assignment", METHODS)
@pytest.mark.parametrize("order", ["assign-then-cut", "cut-then-assign"])
@pytest.mark.parametrize("threshold", [0.0, 0.5])
@given(
    labels=st.tuples(
        st.lists(st.text("ab", max_size=2), min_size=1, max_size=8),
        st.lists(st.text("ab", max_size=2), min_size=1, max_size=8),
    )
)
@examples(20)
def test_equality_without_a_matrix_is_what_its_matrix_gives(
    labels: tuple[list[str], list[str]], assignment: str, order: str, threshold: float
) -> None:
    one, two = (
        ontology(
            f"http://{side}",
            entity(f"{side}#", "c"),
            *(entity(f"{side}#{k}", x) for k, x in enumerate(of_side)),
        )
        for side, of_side in zip("ab", labels, strict=True)
    )
    how = Settings(threshold=threshold, order=order, assignment=assignment)
    candidates = prepare(one, two, how)
    plain = get_metric("equality").similarity
    found = match(candidates, "equality")
    expected = match(candidates, Metric("equality", "custom", plain, "", ""))
    assert found.alignment == expected.alignment
    assert found.totals == expected.totals
    if found.ties and expected.ties:
        assert found.ties.always == expected.ties.always
        assert found.ties.sometimes == expected.ties.sometimes
        assert found.ties.size == expected.ties.size


def test_all_at_once_stops_at_an_error(
    source: Ontology, target: Ontology, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alignrank.matchers.matcher, "available_memory", lambda: 0)  # one at a time

    def joined(s: str, t: str) -> str:
        return s + t

    metrics = [get_metric(joined), get_metric("jaro")]  # type: ignore[arg-type]  # no number
    with pytest.raises(MatcherError, match="'joined' gave"):
        list(match_all(prepare(source, target, Settings(tiles=False)), metrics))
