"""A person's decisions: read from what formats state, contradictions named."""

from __future__ import annotations

from pathlib import Path

import pytest

from alignrank.common.errors import AlignmentError
from alignrank.ontologies import (
    Alignment,
    Correspondence,
    Entity,
    Kind,
    NegatedCorrespondence,
    Ontology,
    read_alignment,
    write_alignment,
)
from alignrank.ontologies.alignment import JUSTIFICATION, MATCH_STRING
from alignrank.ontologies.curation import CURATED, checked_decisions, decisions_of
from alignrank.ontologies.vocabulary import SKOS

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
        ([], [REJECTED], r"decides on http://a#z, which is not in"),
    ],
)
def test_contradictions_are_one_line(
    accepted: list[Correspondence], rejected: list[NegatedCorrespondence], message: str
) -> None:
    alignment = Alignment(accepted, negated=rejected, path="a.sssom.tsv")
    source, target = ontology("http://a", "x", "y"), ontology("http://b", "x", "y", "z")
    with pytest.raises(AlignmentError, match=rf"a\.sssom\.tsv.*{message}"):
        checked_decisions(alignment, source, target)
