"""Diagnosis says why nothing matches, and mends only what is safe."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.ontologies import (
    Alignment,
    Correspondence,
    Diagnosis,
    Entity,
    Kind,
    Label,
    NegatedCorrespondence,
    Ontology,
    Severity,
    diagnose,
    load_ontology,
    read_alignment,
)


def ontology(*iris: str, kind: Kind = Kind.CLASS, **labels: str) -> Ontology:
    """Give an ontology of entities without labels, or with one in the language that is named."""
    texts = tuple(Label(text, lang.strip("_")) for lang, text in labels.items())
    return Ontology("http://e.org", {iri: Entity(iri, kind, texts) for iri in iris})


def alignment(*pairs: tuple[str, str]) -> Alignment:
    return Alignment(Correspondence(one, two) for one, two in pairs)


def codes(found: Diagnosis, where: str = "") -> dict[str, int]:
    return {f.code: f.count for f in found.findings if f.where.startswith(where)}


def healthy(found: Diagnosis) -> bool:
    return all(f.severity is Severity.NOTE for f in found.findings)


# --- diagnosis -------------------------------------------------------------------------------

SOURCE = ontology("http://a.org/o#Paper", "http://a.org/o#Author", "http://a.org/o#Straße")
TARGET = ontology("http://b.org/o#paper", "http://b.org/o#author", "http://b.org/o#road")
GOOD = alignment(
    ("http://a.org/o#Paper", "http://b.org/o#paper"),
    ("http://a.org/o#Author", "http://b.org/o#author"),
    ("http://a.org/o#Straße", "http://b.org/o#road"),
)


def renamed(change: Callable[[str], str]) -> Alignment:
    return Alignment(Correspondence(change(c.entity1), c.entity2) for c in GOOD)


def test_nothing_is_wrong_with_what_is_right() -> None:
    diagnosis = diagnose(SOURCE, TARGET, GOOD, GOOD)
    assert healthy(diagnosis)
    assert codes(diagnosis, "reference") == codes(diagnosis, "alignment") == {}
    assert not any(diagnosis.mends)
    assert diagnosis.mends[0].apply(GOOD) == GOOD


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        (GOOD.swapped(), {"swapped": 6}),
        (renamed(lambda iri: iri.replace("http:", "https:")), {"scheme": 3}),
        (renamed(lambda iri: iri.replace("#", "/")), {"separator": 3}),
        (renamed(lambda iri: iri.replace("a.org/o", "A.org/O")), {"case": 3}),
        (renamed(lambda iri: iri.replace("ß", "%C3%9F")), {"encoding": 1}),
        (
            renamed(lambda iri: iri.replace("http://a.org/o#", "https://a.org/O/")).swapped(),
            {"swapped": 6, "scheme": 3, "separator": 3, "case": 3},
        ),
    ],
)
def test_safe_mends_restore_the_alignment(wrong: Alignment, expected: dict[str, int]) -> None:
    for diagnosis in (diagnose(SOURCE, TARGET, wrong), diagnose(SOURCE, TARGET, GOOD, wrong)):
        where = "reference" if codes(diagnosis, "reference") else "alignment"
        assert codes(diagnosis, where) == expected
        assert not healthy(diagnosis)
        assert diagnosis.mends[-1].apply(wrong) == GOOD


def test_another_version_is_named_but_not_mended() -> None:
    wrong = renamed(lambda iri: iri.replace("a.org/o", "a.org/2019/o"))
    diagnosis = diagnose(SOURCE, TARGET, wrong)
    assert codes(diagnosis, "reference") == {"not-found": 3, "other-namespace": 3}
    assert "http://a.org/o#" in diagnosis.findings[-1].message
    assert not diagnosis.mends[0]


def test_what_is_alike_twice_is_not_mended() -> None:
    source = ontology("http://a.org/o#Paper", "http://A.org/o#Paper")
    wrong = alignment(("https://a.org/o#Paper", "http://b.org/o#paper"))
    diagnosis = diagnose(source, TARGET, wrong)
    assert "not-found" in codes(diagnosis, "reference")
    assert not diagnosis.mends[0]


def test_entities_of_elsewhere_and_an_empty_reference() -> None:
    strange = alignment(("http://c#1", "http://d#1"))
    assert codes(diagnose(SOURCE, TARGET, strange), "reference") == {"not-found": 1}
    assert codes(diagnose(SOURCE, TARGET, Alignment()), "reference") == {"empty": 0}


def test_an_alignment_that_does_not_meet_its_reference() -> None:
    other = alignment(("http://a.org/o#Paper", "http://b.org/o#road"))
    assert codes(diagnose(SOURCE, TARGET, GOOD, other), "alignment") == {"nothing-in-common": 0}
    narrower = Alignment(Correspondence(c.entity1, c.entity2, "<") for c in GOOD)
    assert codes(diagnose(SOURCE, TARGET, GOOD, narrower), "alignment") == {"other-relation": 3}
    unjudged = Alignment(Correspondence(c.entity1, c.entity2, "?") for c in GOOD)
    assert healthy(diagnose(SOURCE, TARGET, unjudged, narrower))


def test_kinds_that_differ() -> None:
    properties = ontology(*TARGET.entities, kind=Kind.PROPERTY)
    assert codes(diagnose(SOURCE, properties, GOOD), "reference") == {"kinds-differ": 3}


def test_missing_labels() -> None:
    coded = ontology("http://a#C0001", "http://a#C0002")
    named = ontology("http://b#Heart", "http://b#Lung")
    found = diagnose(coded, named, alignment(("http://a#C0001", "http://b#Heart"))).findings
    by_where = {f.where: f for f in found if f.code == "no-labels"}
    assert by_where["source"].severity is Severity.WARNING
    assert "2 of 2 (100%)" in by_where["source"].message
    assert by_where["target"].severity is Severity.NOTE
    advice = "If a property holds their names, give its IRI (label_properties=...)"
    assert all(finding.message.endswith(advice) for finding in by_where.values())


def test_names_that_differ_in_the_normal_form_are_equal() -> None:
    composed, decomposed = ontology("http://a#M\u00fcller"), ontology("http://b#Mu\u0308ller")
    assert not codes(diagnose(composed, decomposed), "source and target")


def test_languages_that_share_nothing() -> None:
    german, english = ontology("a#1", de="Herz"), ontology("b#1", en="heart")
    pair = alignment(("a#1", "b#1"))
    found = diagnose(german, english, pair)
    assert codes(found, "source")["languages"] == codes(found, "target")["languages"] == 1
    assert not healthy(found)
    both = ontology("b#1", en="heart", de_="Herz")
    assert "languages" not in codes(diagnose(german, both, pair))
    assert "languages" not in codes(diagnose(german, ontology("b#1", _="Herz"), pair))


def test_the_same_ontology_twice_and_missing_imports() -> None:
    found = diagnose(SOURCE, SOURCE, alignment(("http://a.org/o#Paper", "http://a.org/o#Paper")))
    assert "same-ontology" in codes(found)
    importing = Ontology("e", SOURCE.entities, missing_imports=("http://m.org",))
    assert codes(diagnose(importing, TARGET, GOOD), "source")["missing-import"] == 1


def test_no_equal_name() -> None:
    found = codes(diagnose(SOURCE, ontology("http://b#Katze", "http://b#Hund"), GOOD))
    assert "no-equal-name" in found
    assert "no-equal-name" not in codes(diagnose(SOURCE, TARGET, GOOD))


def test_the_conference_track_of_2019(oaei: Path) -> None:
    folder = oaei / "conference"
    source = load_ontology(folder / "ontologies" / "cmt.owl")
    target = load_ontology(folder / "ontologies" / "confOf.owl")
    reference = read_alignment(folder / "reference" / "cmt-confOf.rdf")
    aml = read_alignment(folder / "systems-2019" / "AML-cmt-confof.rdf")
    assert not aml.pairs & reference.pairs
    diagnosis = diagnose(source, target, reference, aml)
    assert codes(diagnosis, aml.path)["case"] == len({c.entity2 for c in aml})
    mended = diagnosis.mends[1].apply(aml)
    assert len(mended.pairs & reference.pairs) > len(reference) / 3
    assert mended.name == "AML-cmt-confof"


names = st.sampled_from(["Paper", "paper", "Straße", "Stra%C3%9Fe", "a"])
spaces = st.sampled_from(["http://a.org/o#", "https://a.org/o/", "http://A.org/o#", "http://b#"])
entities = st.builds("{}{}".format, spaces, names)


@given(st.sets(entities, min_size=1), st.lists(st.tuples(entities, entities), min_size=1))
def test_a_mend_only_ever_adds_known_entities(iris: set[str], pairs: list[tuple[str, str]]) -> None:
    both = ontology(*sorted(iris))
    given_ = alignment(*pairs)
    mended = diagnose(both, both, given_).mends[0].apply(given_)

    def known(a: Alignment) -> int:
        return sum(c.entity1 in both for c in a) + sum(c.entity2 in both for c in a)

    unknown = {e for c in mended for e in c.pair} - iris
    assert unknown <= {e for c in given_ for e in c.pair}
    if len(mended) == len(given_):
        assert known(mended) >= known(given_)


def test_a_mend_reaches_what_is_negated() -> None:
    negated = NegatedCorrespondence(
        "http://b.org/o#author", "https://a.org/o#Author", "http://e.org/exact", "="
    )
    swapped = alignment(
        ("http://b.org/o#paper", "https://a.org/o#Paper"),
        ("http://b.org/o#road", "https://a.org/o#Straße"),
    )
    wrong = Alignment(swapped, negated=[negated])
    mended = diagnose(SOURCE, TARGET, wrong).mends[0].apply(wrong)
    assert [(n.entity1, n.entity2) for n in mended.negated] == [
        ("http://a.org/o#Author", "http://b.org/o#author")
    ]


@pytest.mark.parametrize(("crossed", "is_swapped"), [(2, False), (3, True)])
def test_sides_are_swapped_only_where_more_than_twice_as_many_fit(
    crossed: int, is_swapped: bool
) -> None:
    """One correspondence lies straight: its two entities are known as they stand."""
    straight = ("http://a.org/o#s", "http://b.org/o#s")
    pairs = [(f"http://b.org/o#{k}", f"http://a.org/o#{k}") for k in range(crossed)]
    source = ontology(straight[0], *(iri for _, iri in pairs))
    target = ontology(straight[1], *(iri for iri, _ in pairs))
    found = diagnose(source, target, alignment(straight, *pairs))
    assert ("swapped" in codes(found)) == is_swapped


def test_deprecated_entities_are_replaced_where_the_file_says_by_what() -> None:
    old, older = "http://a.org/o#Article", "http://a.org/o#Book"
    source = replace(SOURCE, replacements={old: "http://a.org/o#Paper", older: ""})
    reference = alignment((old, "http://b.org/o#paper"), (older, "http://b.org/o#road"))
    diagnosis = diagnose(source, TARGET, reference)
    assert codes(diagnosis, "reference") == {"deprecated": 1, "no-replacement": 1}
    (finding,) = [f for f in diagnosis.findings if f.code == "deprecated"]
    assert f"{old} is replaced by http://a.org/o#Paper" in finding.message
    assert diagnosis.mends[0].apply(reference).pairs == {
        ("http://a.org/o#Paper", "http://b.org/o#paper"),
        (older, "http://b.org/o#road"),
    }


def test_iris_that_differ_in_their_normal_form_are_mended() -> None:
    source = ontology("http://a.org/o#M\u00fcnchen", "http://a.org/o#Paper")
    reference = alignment(("http://a.org/o#Mu\u0308nchen", "http://b.org/o#paper"))
    diagnosis = diagnose(source, TARGET, reference)
    assert codes(diagnosis, "reference") == {"normal-form": 1}
    mended = diagnosis.mends[0].apply(reference)
    assert mended.pairs == {("http://a.org/o#M\u00fcnchen", "http://b.org/o#paper")}


def test_another_namespace_is_named_for_half_of_the_unknown_or_more() -> None:
    iris = iter(["http://a.org/2019/o#Paper", "http://a.org/2019/o#x", "http://a.org/2019/o#y"])
    wrong = Alignment(Correspondence(next(iris), c.entity2) for c in GOOD)
    assert codes(diagnose(SOURCE, TARGET, wrong), "reference") == {"not-found": 3}
