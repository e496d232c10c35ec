"""What an alignment breaks, and who did it, by reachability and by HermiT."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from alignrank.evaluation.measures.logic import coherence, reasoner
from alignrank.evaluation.measures.logic.coherence import breakage
from alignrank.evaluation.measures.logic.reachability import Merged
from alignrank.ontologies import Alignment, Correspondence, Ontology, load_ontology
from alignrank.ontologies.loading.merging import merge_ontologies, write_merged

needs_java = pytest.mark.needs("java")
TTL = """@prefix a: <http://a#> . @prefix b: <http://b#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
SOURCE = """a:Cat a owl:Class ; rdfs:subClassOf a:Animal . a:Animal a owl:Class .
a:Oak a owl:Class . a:born a owl:DatatypeProperty ; rdfs:range xsd:date ."""
#: Disjointness that reachability sees, and one that only a reasoner does.
STATED = "b:Pet a owl:Class . b:Plant a owl:Class ; owl:disjointWith b:Pet . b:Tree a owl:Class ."
INFERRED = """b:Pet a owl:Class . b:Tree a owl:Class .
b:Plant a owl:Class ; rdfs:subClassOf [ a owl:Class ; owl:complementOf b:Pet ] ."""
PAIRS = [("Oak", "Tree", 0.9), ("Cat", "Pet", 0.8), ("Animal", "Plant", 0.6)]


def merged(folder: Path, target: str) -> tuple[Ontology, Ontology, Ontology, Alignment]:
    for name, text in (("a", SOURCE), ("b", target)):
        (folder / f"{name}.ttl").write_text(TTL + text, encoding="utf-8")
    one, two = (load_ontology(folder / f"{n}.ttl") for n in "ab")
    aligned = Alignment(
        Correspondence(f"http://a#{one}", f"http://b#{two}", "=", x) for one, two, x in PAIRS
    )
    write_merged(merge_ontologies(one, two, aligned), folder / "merged.owl")
    return load_ontology(folder / "merged.owl"), one, two, aligned


class Cleverer(Merged):
    """Sees what HermiT sees in `INFERRED`: that Plant and Pet are disjoint."""

    reasoner = "HermiT"

    def __init__(self, source: Ontology, target: Ontology, alignment: Alignment) -> None:
        apart = (("http://b#Pet", "http://b#Plant"),)
        known = "http://b#Plant" in source
        super().__init__(
            replace(source, disjoints=apart) if known else source,
            target if known else replace(target, disjoints=apart),
            alignment,
        )


@pytest.mark.parametrize(("target", "by"), [(STATED, "reachability"), (INFERRED, "HermiT")])
def test_the_conflict_is_named_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, by: str
) -> None:
    monkeypatch.setattr(reasoner, "installed_reasoner", lambda: None)
    if by == "HermiT":
        monkeypatch.setattr(coherence, "reasoned", Cleverer)
    got = breakage(*merged(tmp_path, target))
    assert got.reasoner == by
    assert got.unsatisfiable == ("http://a#Cat", "http://b#Pet")
    ((first, other),) = got.conflicts
    assert (first.confidence, other.confidence) == (0.6, 0.8)
    assert (got.classes, got.before, got.inconsistent) == (6, 0, False)
    assert any("only what reachability sees" in c for c in got.cautions) == (by != "HermiT")


@needs_java
def test_dates_do_not_stop_hermit(tmp_path: Path) -> None:
    _, one, two, aligned = merged(tmp_path, INFERRED)
    assert reasoner.Reasoned(one, two, aligned).unsatisfiable == {"http://a#Cat", "http://b#Pet"}


def test_large_alignments_are_mended_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reasoner, "installed_reasoner", lambda: None)
    monkeypatch.setattr(coherence, "_MAX_SEARCHED", 1)
    got = breakage(*merged(tmp_path, STATED))
    ((first, other),) = got.conflicts  # the least confident, and with whom it breaks
    assert (first.confidence, other.confidence) == (0.6, 0.8)


def test_what_contradicted_itself_before_is_nobodys_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reasoner, "installed_reasoner", lambda: None)
    torn = f"{STATED} b:x a b:Pet, b:Plant ."
    got = breakage(*merged(tmp_path, torn))
    assert (got.inconsistent, got.conflicts) == (False, ())
    assert any("before the alignment" in caution for caution in got.cautions)
