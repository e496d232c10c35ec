"""A person's decisions: read from what formats state, contradictions named."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from alignrank.common.errors import AlignmentError
from alignrank.ontologies import (
    Alignment,
    Correspondence,
    Entity,
    Kind,
    Label,
    NegatedCorrespondence,
    Ontology,
    read_alignment,
    write_alignment,
)
from alignrank.ontologies.alignment import (
    COMMENT,
    JUSTIFICATION,
    MATCH_STRING,
    NO_TERM,
    OBJECT_LABEL,
    SUBJECT_LABEL,
)
from alignrank.ontologies.curation import (
    AGREEMENT,
    CHANGE,
    CONFLICT,
    CURATED,
    GONE,
    MAPPING_DATE,
    NEW,
    RENAMED,
    REPLACED,
    Decisions,
    checked_decisions,
    decisions_of,
)
from alignrank.ontologies.vocabulary import OBO, OWL, SKOS

EXACT = f"{SKOS}exactMatch"
ACCEPTED = Correspondence("http://a#x", "http://b#x", extra=((JUSTIFICATION, CURATED),))
NAMED = Correspondence("http://a#y", "http://b#y", extra=((MATCH_STRING, "y"),))
REJECTED = NegatedCorrespondence(
    "http://a#z", "http://b#z", EXACT, "=", ((JUSTIFICATION, CURATED),)
)


def ontology(base: str, *names: str) -> Ontology:
    return Ontology(base, {f"{base}#{n}": Entity(f"{base}#{n}", Kind.CLASS) for n in names})


@pytest.mark.parametrize("ending", ["sssom.tsv", "csv", "tsv", "jsonl", "rdf"])
def test_decisions_survive_every_format(tmp_path: Path, ending: str) -> None:
    is_rdf = ending == "rdf"  # which has no word for a rejection
    alignment = Alignment([ACCEPTED, NAMED], negated=[] if is_rdf else [REJECTED])
    path = tmp_path / f"a.{ending}"
    write_alignment(alignment, path)
    decisions = decisions_of(read_alignment(path))
    assert [c.pair for c in decisions.accepted] == [ACCEPTED.pair]
    assert decisions.denied == (frozenset() if is_rdf else {("http://a#z", "http://b#z")})


def test_a_set_that_is_wholly_curated_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "a.sssom.tsv"
    write_alignment(Alignment([ACCEPTED]), path)
    read = read_alignment(path)
    assert read.metadata["mapping_justification"] == CURATED
    assert dict(decisions_of(read).accepted[0].extra)[JUSTIFICATION] == CURATED


@pytest.mark.parametrize(
    ("accepted", "rejected", "message"),
    [
        ([NAMED], [], "accepts and rejects nothing"),
        ([ACCEPTED], [NegatedCorrespondence(*ACCEPTED.pair, EXACT, "=")], "accepted and rejected"),
        ([], [REJECTED], "http://a#z is not in the ontology, nor is any other"),
    ],
)
def test_contradictions_are_one_line(
    accepted: list[Correspondence], rejected: list[NegatedCorrespondence], message: str
) -> None:
    alignment = Alignment(accepted, negated=rejected, path="a.sssom.tsv")
    source, target = ontology("http://a", "x", "y"), ontology("http://b", "x", "y", "z")
    with pytest.raises(AlignmentError, match=rf"a\.sssom\.tsv.*{message}"):
        checked_decisions(alignment, source, target)


def release(base: str, names: Iterable[str], **facts: Any) -> Ontology:
    """An ontology whose replacements and suggestions are named by last parts of IRIs."""
    entities = {f"{base}#{n}": Entity(f"{base}#{n}", Kind.CLASS, (Label(n),)) for n in names}
    if "property" in facts:
        name = f"{base}#{facts.pop('property')}"
        entities[name] = Entity(name, Kind.PROPERTY)
    replacements = {f"{base}#{k}": v and f"{base}#{v}" for k, v in facts.pop("by", {}).items()}
    suggestions = {f"{base}#{k}": tuple(f"{base}#{n}" for n in v) for k, v in facts.items()}
    return Ontology(base, entities, replacements=replacements, suggestions=suggestions)


def accepted(source: str, target: str, **facts: str) -> Correspondence:
    extra = {JUSTIFICATION: CURATED, **facts}
    return Correspondence(f"a#{source}", f"b#{target}", "=", 0.5, extra=tuple(extra.items()))


def rejected(source: str, target: str) -> NegatedCorrespondence:
    extra = ((JUSTIFICATION, CURATED),)
    return NegatedCorrespondence(f"a#{source}", f"b#{target}", EXACT, "=", extra)


def carried(source: Ontology, *rows: Correspondence | NegatedCorrespondence) -> Decisions:
    """The decisions in a new release of the source; the target stays as it is."""
    stated = [row for row in rows if isinstance(row, Correspondence)]
    negated = [row for row in rows if isinstance(row, NegatedCorrespondence)]
    return checked_decisions(Alignment(stated, negated=negated), source, release("b", "wxyz"))


def test_an_accepted_row_follows_what_replaces_its_entity() -> None:
    source = release("a", "xk", by={"old": "x"})
    decisions = carried(source, accepted("old", "x", author="ann"), accepted("k", "y"))
    moved, same = decisions.accepted[::-1]
    assert moved.pair == ("a#x", "b#x")
    facts = dict(moved.extra)
    assert (facts[CHANGE], facts["author"], facts[JUSTIFICATION]) == (REPLACED, "ann", CURATED)
    assert facts[COMMENT] == "a#old (old) is replaced by a#x (x)"
    assert CHANGE not in dict(same.extra)
    assert [change.pair for change in decisions.changes] == [("a#old", "b#x")]


@pytest.mark.parametrize(
    ("source", "remark"),
    [
        (release("a", "xyk", by={"old": ""}, old="xy"), "consider a#x (x) or a#y (y)"),
        (release("a", "k", by={"old": ""}), "is obsolete, without a replacement"),
        (release("a", "k"), "is not in the ontology"),
        (release("a", "k", by={"old": "p"}, property="p"), "of another kind (property, class)"),
    ],
)
def test_a_row_that_points_nowhere_is_kept_with_a_comment(source: Ontology, remark: str) -> None:
    decisions = carried(source, accepted("old", "x"), rejected("old", "y"), accepted("k", "w"))
    assert [c.pair for c in decisions.accepted] == [("a#k", "b#w")]
    assert decisions.rejected == ()
    completed = decisions.complete(Alignment(decisions.accepted))
    stated, denied = completed[("a#old", "b#x", "=")], completed.negated[0]
    for row in (stated, denied):
        facts = dict(row.extra)
        assert (facts[CHANGE], facts[JUSTIFICATION]) == (GONE, CURATED)
        assert facts[COMMENT].endswith(remark)
    assert [c.text.endswith("kept with a comment") for c in decisions.changes] == [True, True]


def test_rows_of_terms_that_are_gone_decide_nothing_until_a_release_has_the_terms_again(
    tmp_path: Path,
) -> None:
    rows = accepted("old", "x"), rejected("old", "y"), accepted("k", "w")
    decisions = carried(release("a", "k"), *rows)
    completed = decisions.complete(Alignment(decisions.accepted))
    sssom, rdf = tmp_path / "y.sssom.tsv", tmp_path / "y.rdf"
    write_alignment(completed, sssom)
    kept = read_alignment(sssom)
    again = decisions_of(kept)
    assert [len(again.accepted), len(again.rejected), len(again.aside)] == [1, 0, 2]
    (caution, *_) = write_alignment(kept, rdf).cautions
    assert caution == "2 rows of terms that are gone have no place in y.rdf: left out"
    assert [c.pair for c in read_alignment(rdf)] == [("a#k", "b#w")]
    back = checked_decisions(kept, release("a", ["k", "old"]), release("b", "wxyz"))
    assert [len(back.accepted), len(back.rejected), len(back.aside)] == [2, 1, 0]


def test_the_only_entity_to_consider_is_followed() -> None:
    decisions = carried(release("a", "x", by={"old": ""}, old="x"), accepted("old", "x"))
    assert decisions.accepted[0].pair == ("a#x", "b#x")
    assert "the only one to consider is" in decisions.changes[0].text


def test_the_same_pair_accepted_twice_is_one_row_with_both_comments() -> None:
    source = release("a", "x", by={"old": "x", "older": "x"})
    rows = [accepted(name, "x", **{name: "kept"}) for name in ("x", "old", "older")]
    (c,) = carried(source, *rows).accepted
    facts = dict(c.extra)
    assert {"x", "old", "older"} < facts.keys()
    assert facts[COMMENT].count("is replaced by") == 2


def test_accepted_and_rejected_is_a_conflict_that_nobody_decides() -> None:
    source = release("a", "xk", by={"old": "x"})
    rows = accepted("x", "x", author="ann"), rejected("old", "x"), accepted("k", "y")
    decisions = carried(source, *rows)
    assert decisions.denied == frozenset()
    assert [c.pair for c in decisions.accepted] == [("a#k", "b#y")]
    completed = decisions.complete(Alignment([*decisions.accepted]))
    facts = dict(completed[("a#x", "b#x", "=")].extra)
    assert (facts[CHANGE], facts["author"]) == (CONFLICT, "ann")
    assert JUSTIFICATION not in facts
    assert "decide again" in facts[COMMENT]
    assert "a#old (old) is replaced by" in facts[COMMENT]


def test_new_pairs_and_changed_labels_are_marked_once() -> None:
    old_label = {SUBJECT_LABEL: "former", OBJECT_LABEL: "w"}
    decisions = carried(release("a", "kxy"), accepted("k", "w", **old_label))
    matched = Alignment([*decisions.accepted, Correspondence("a#x", "b#x")])
    completed = decisions.complete(matched)
    words = {c.entity1: dict(c.extra).get(CHANGE) for c in completed}
    assert words == {"a#k": RENAMED, "a#x": NEW}
    assert decisions.changes[0].text == "a#k (former) is called k now"
    again = checked_decisions(completed, release("a", "kxy"), release("b", "wxyz"))
    assert again.changes == ()
    proposed = Alignment([*again.accepted, *matched.where(lambda c: c.entity1 == "a#x")])
    assert all(CHANGE not in dict(c.extra) for c in again.complete(proposed))


def test_undecided_rows_that_are_not_proposed_again_are_named() -> None:
    undecided = Correspondence("a#x", "b#x"), Correspondence("a#y", "b#y")
    decisions = carried(release("a", "kxy"), accepted("k", "w"), *undecided)
    changes = decisions.not_proposed(Alignment([Correspondence("a#x", "b#z")]))
    assert [change.text.partition(": ")[2] for change in changes] == [
        "the partner of x is z",
        "below the threshold",
    ]


def test_a_reviewer_agrees_or_disagrees_as_sssom_has_it() -> None:
    rows = [
        Correspondence("a#x", f"b#{k}", "=", 0.4, extra=((AGREEMENT, text),))
        for k, text in enumerate(["1.0", "-1.0", "0", "much"])
    ]
    decisions = decisions_of(Alignment(rows))
    assert [c.entity2 for c in decisions.accepted] == ["b#0"]
    assert decisions.denied == {("a#x", "b#1")}
    assert len(decisions.undecided) == 2


def test_a_pair_that_is_accepted_as_narrower_is_not_proposed_as_equivalent() -> None:
    narrower = replace(accepted("k", "w"), relation="<")
    assert carried(release("a", "k"), narrower).denied == {("a#k", "b#w")}


def test_what_a_set_says_of_itself_stays_but_the_prefix_of_all_of_obo() -> None:
    prefixes = json.dumps({"obo": OBO, "orcid": "https://orcid.org/"})
    facts = {"curie_map": prefixes, "creator_id": "orcid:1", "threshold": "0.3"}
    stated = Alignment([accepted("k", "w")], metadata={**facts, "mapping_date": "2025-01-02"})
    decisions = checked_decisions(stated, release("a", "k"), release("b", "w"))
    assert dict(decisions.accepted[0].extra)[MAPPING_DATE] == "2025-01-02"
    completed = decisions.complete(Alignment(decisions.accepted, metadata={"threshold": "0.5"}))
    assert json.loads(completed.metadata["curie_map"]) == {"orcid": "https://orcid.org/"}
    assert completed.metadata["creator_id"] == "orcid:1"
    assert completed.metadata["threshold"] == "0.5"


def test_every_rejected_predicate_of_a_pair_is_kept() -> None:
    predicates = EXACT, f"{OWL}equivalentClass"
    rejected = [NegatedCorrespondence("a#k", "b#w", predicate, "=") for predicate in predicates]
    stated = Alignment(negated=rejected)
    decisions = checked_decisions(stated, release("a", "k"), release("b", "w"))
    assert {n.predicate for n in decisions.rejected} == set(predicates)


def test_a_pair_is_not_accepted_beside_a_statement_that_its_entity_has_no_match() -> None:
    no_match = NegatedCorrespondence("a#k", NO_TERM, EXACT, "=")
    stated = Alignment([accepted("k", "w")], negated=[no_match])
    with pytest.raises(AlignmentError, match="accepted and rejected"):
        checked_decisions(stated, release("a", "k"), release("b", "w"))


def test_comments_on_two_relations_of_an_undecided_pair_are_both_kept() -> None:
    undecided = [
        Correspondence("a#x", "b#x", relation, extra=((COMMENT, relation),)) for relation in "=<"
    ]
    decisions = carried(release("a", "kx"), accepted("k", "w"), *undecided)
    (c,) = decisions.complete(Alignment([Correspondence("a#x", "b#x")]))
    assert set(dict(c.extra)[COMMENT].split("; ")) == {"=", "<"}


def test_an_entity_with_a_suggestion_alone_is_followed() -> None:
    source = replace(release("a", "nx"), suggestions={"a#k": ("a#n",)})
    decisions = carried(source, accepted("k", "w"), accepted("x", "x"))
    assert {c.entity1 for c in decisions.accepted} == {"a#n", "a#x"}


@pytest.mark.parametrize("prefixes", ["a", "[1]", '{"a": 1}', "[" * 100_000])
def test_prefixes_that_are_none_are_refused(prefixes: str) -> None:
    accepted = Correspondence("a#x", "b#x", extra=((JUSTIFICATION, CURATED),))
    alignment = Alignment([accepted], name="mine", metadata={"curie_map": prefixes})
    sides = (Ontology("", {iri: Entity(iri, Kind.CLASS)}) for iri in accepted.pair)
    with pytest.raises(AlignmentError, match="'mine': its metadata curie_map must be a JSON"):
        checked_decisions(alignment, *sides)
