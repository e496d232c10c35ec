"""Structure: the sparse products beside the definition; anything that a hierarchy may be."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.matchers import assign, prepare, similarity_matrix
from alignrank.matchers.by_name import get_metric
from alignrank.matchers.evidence.own import Groups, kind_matrices
from alignrank.matchers.evidence.structure import STRUCTURE, structure_matrices
from alignrank.ontologies import Entity, Kind, Label, Ontology
from alignrank.ontologies.ontology import DOMAIN, RANGE
from tests.generated import examples

CLASSES, PROPERTIES, INDIVIDUALS = ["A", "B", "C", "D", "E"], ["p", "q"], ["i", "j"]


@st.composite
def ontologies(draw: st.DrawFn) -> Ontology:
    """Return small ontologies of three kinds of entities, linked at random, cycles and all."""
    names = st.sampled_from(["heart", "hearts", "lung", "vein", "wall"])
    entities = {
        iri: Entity(iri, kind, (Label(draw(names)),))
        for kind, iris in (
            (Kind.CLASS, CLASSES),
            (Kind.PROPERTY, PROPERTIES),
            (Kind.INDIVIDUAL, INDIVIDUALS),
        )
        for iri in iris
    }
    classes = st.sampled_from(CLASSES)
    several = st.lists(classes, max_size=2, unique=True).map(tuple)
    parents = draw(st.dictionaries(classes, several))
    types = draw(st.dictionaries(st.sampled_from(INDIVIDUALS), several))
    related = st.tuples(classes, st.just("part_of"), classes)
    ends = st.tuples(st.sampled_from(PROPERTIES), st.sampled_from([DOMAIN, RANGE]), classes)
    links = draw(st.lists(related | ends, max_size=8, unique=True))
    return Ontology("", entities, parents=parents, types=types, links=tuple(sorted(links)))


def neighbours(ontology: Ontology, iri: str) -> set[tuple[str, str]]:
    """Return (relation, neighbour) of an entity."""
    up = defaultdict(set)
    for child, above in ontology.parents.items():
        up["is_a"] |= {(child, parent) for parent in above}
    for one, relation, other in ontology.links:
        up[relation].add((one, other))
    up["type"] = {(one, of) for one, classes in ontology.types.items() for of in classes}
    found = set()
    for relation, pairs in up.items():
        links = {(a, b) for a, b in pairs if a != b}
        found |= {(f"{relation} above", b) for a, b in links if a == iri}
        found |= {(f"{relation} below", a) for a, b in links if b == iri}
        if relation not in (DOMAIN, RANGE, "type"):
            above = {b for a, b in links if a == iri}
            found |= {(f"{relation} beside", a) for a, b in links if b in above and a != iri}
    return found


def plain(groups: Groups, source: Ontology, target: Ontology) -> list[list[list[float]]]:
    """Return the share of matched neighbours by its definition."""
    found: dict[tuple[str, str], float] = {}
    for group in groups:
        one, two = group.source, group.target
        pairs = assign(similarity_matrix(one.names, two.names, get_metric("ngram")))
        for i, j, value in zip(pairs.rows, pairs.columns, pairs.similarities, strict=True):
            found[one.iris[i], two.iris[j]] = value

    def share(one: str, other: str) -> float:
        of_one, of_other = neighbours(source, one), neighbours(target, other)
        if not of_one and not of_other:
            return 0.0
        matched = sum(found.get((a, b), 0.0) for r, a in of_one for q, b in of_other if r == q)
        return 2 * matched / (len(of_one) + len(of_other))

    return [[[share(a, b) for b in g.target.iris] for a in g.source.iris] for g in groups]


@examples(60)
@given(ontologies(), ontologies())
def test_products_are_the_definition(source: Ontology, target: Ontology) -> None:
    groups = prepare(source, target).groups
    for found, wanted in zip(
        kind_matrices(groups, STRUCTURE), plain(groups, source, target), strict=True
    ):
        assert found == pytest.approx(np.array(wanted), abs=1e-12)


def test_part_of_tells_apart_what_is_called_alike() -> None:
    def ontology(*part_of: tuple[str, str]) -> Ontology:
        names = {"wall1": "wall", "wall2": "wall", "heart": "heart", "lung": "lung"}
        entities = {iri: Entity(iri, Kind.CLASS, (Label(name),)) for iri, name in names.items()}
        return Ontology("", entities, links=tuple((a, "part_of", b) for a, b in part_of))

    groups = prepare(
        ontology(("wall1", "heart"), ("wall2", "lung")),
        ontology(("wall1", "lung"), ("wall2", "heart")),
    ).groups
    (found,) = structure_matrices(groups)
    heart, _, wall1, wall2 = range(4)
    assert groups[0].source.iris == ("heart", "lung", "wall1", "wall2")
    assert found[wall1, wall2] == found[wall2, wall1] == 1.0
    assert found[wall1, wall1] == found[wall2, wall2] == 0.0
    assert found[heart, heart] == 0.0  # their walls were taken for each other at first


def test_a_hierarchy_too_wide_for_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    entities = {f"{k}": Entity(f"{k}", Kind.CLASS, (Label(f"{k}"),)) for k in range(9)}
    flat = Ontology("", entities, parents={f"{k}": ("0",) for k in range(1, 9)})
    monkeypatch.setattr("alignrank.common.memory.available_memory", lambda: 700)
    groups = prepare(flat, flat).groups
    known = [np.ones((9, 9))]
    with pytest.raises(Exception, match="so many entities side by side"):
        structure_matrices(groups, known)
