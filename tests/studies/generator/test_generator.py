"""The generator: what must hold of every pair, whatever it was made from."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import fields, replace
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.ontologies import Kind, Ontology, OntologyError, load_ontology, read_alignment
from alignrank.ontologies.tasks import BUNDLED, DEMO, bundled_folder, bundled_task
from generator import (
    METHODS,
    PRESETS,
    Alteration,
    GeneratedPair,
    Rename,
    Shape,
    Suite,
    generate,
    generate_suite,
    preset,
    read_suite,
    read_user_ontology,
)
from generator.model import THING, Model, to_rdf_xml
from generator.seed import select
from generator.spec import lexicon
from tests.generated import examples

levels = st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.0])
sizes = st.integers(5, 80)
seeds = st.integers(0, 10_000)
renames = st.builds(
    Rename,
    level=levels,
    method=st.sampled_from(METHODS),
    what=st.sampled_from(["both", "name", "label"]),
    edits=st.integers(1, 4),
)
LEVELS = [f.name for f in fields(Alteration) if isinstance(f.default, float)]
alterations = st.builds(
    Alteration,
    **dict.fromkeys(LEVELS, levels),
    flatten=st.sampled_from([(), (1,), (2, 3)]),
    no_hierarchy=st.booleans(),
    subsumptions=st.booleans(),
    inverse=st.sampled_from(["=", "inverse"]),
    rename=st.lists(renames, max_size=2).map(tuple),
)
shapes = st.builds(Shape, multi_parent=st.sampled_from([0.0, 0.4]), disjoint=levels)


def _check_sound(model: Model) -> None:
    """Nothing dangles, nothing is above itself, names are distinct."""
    classes = set(model.keys(Kind.CLASS))
    properties = set(model.keys(Kind.PROPERTY))
    individuals = set(model.keys(Kind.INDIVIDUAL))
    assert set(model.parents) == classes
    assert set(model.domains) == properties
    assert set(model.ranges) <= properties
    assert set(model.types) == individuals
    used = [*model.parents.values(), *model.types.values()]
    assert {c for some in used for c in some} <= classes
    assert set(model.domains.values()) | set(model.ranges.values()) <= classes | {THING}
    assert {c for c, _, f in model.restrictions for c in (c, f)} <= classes
    assert {p for _, p, _ in model.restrictions} <= set(model.ranges)
    assert {c for pair in model.disjoint for c in pair} <= classes
    for subject, property_, value in model.facts:
        assert subject in individuals
        assert property_ in properties
        assert (value in individuals) if property_ in model.ranges else isinstance(value, str)
    for key, parents in model.parents.items():
        assert all(key not in model.ancestors(parent) for parent in parents)
        assert len(set(parents)) == len(parents)
    names = [item.name for item in model.items.values()]
    assert len(set(names)) == len(names)


def _check_coherent(model: Model) -> None:
    for key in model.parents:
        above = model.ancestors(key)
        assert not any(x in above and y in above for x, y in model.disjoint)


def _equality_f1(pair: GeneratedPair) -> float:
    """F1 of matching equal labels, names where there is none, within a kind."""

    def by_name(model: Model) -> dict[tuple[Kind, str], list[int]]:
        found: dict[tuple[Kind, str], list[int]] = {}
        for key, item in model.items.items():
            found.setdefault((item.kind, item.label or item.name), []).append(key)
        return found

    source, target = by_name(pair.source), by_name(pair.target)
    found = {(a, b) for name in source for a in source[name] for b in target.get(name, [])}
    right = {cell for cell, relation in pair.cells.items() if relation == "="}
    return 2 * len(found & right) / (len(found) + len(right)) if found or right else 1.0


@given(sizes, seeds, shapes, alterations)
@examples(60)
def test_every_pair_is_sound(n: int, seed: int, shape: Shape, alteration: Alteration) -> None:
    pair = generate(n, alteration, seed=seed, shape=shape)
    for model in (pair.source, pair.target):
        _check_sound(model)
        _check_coherent(model)
    assert len(pair.source.keys(Kind.CLASS)) == n
    for (one, two), relation in pair.cells.items():
        assert one in pair.source.items
        assert two in pair.target.items
        assert pair.source.items[one].kind == pair.target.items[two].kind
        assert relation in ("=", "<", ">", "?", "inverse")


@given(sizes, seeds, alterations)
@examples(15)
def test_same_seed_same_bytes(n: int, seed: int, alteration: Alteration) -> None:
    one, two = (generate(n, alteration, seed=seed) for _ in range(2))
    assert to_rdf_xml(one.source) == to_rdf_xml(two.source)
    assert to_rdf_xml(one.target) == to_rdf_xml(two.target)
    assert one.reference == two.reference


@given(sizes, seeds)
@examples(15)
def test_level_zero_is_the_identity(n: int, seed: int) -> None:
    pair = generate(n, Alteration(rename=(Rename(0.0),)), seed=seed)
    assert to_rdf_xml(pair.source).replace("/source", "/target") == to_rdf_xml(pair.target)
    assert len(pair.reference) == len(pair.source.items)
    assert _equality_f1(pair) == 1.0


REMOVALS = ("remove_classes", "remove_properties", "remove_individuals", "reference_drop")


@given(sizes, seeds, st.sampled_from(REMOVALS))
@examples(25)
def test_removed_selections_are_nested(n: int, seed: int, name: str) -> None:
    kept = [
        set(generate(n, Alteration(**{name: level}), seed=seed).cells)
        for level in (0.0, 0.2, 0.4, 0.8, 1.0)
    ]
    assert all(more >= fewer for more, fewer in pairwise(kept))


@given(sizes, seeds, st.sampled_from([m for m in METHODS if m != "reorder"]))
@examples(25)
def test_renamed_selections_are_nested_and_equality_falls(n: int, seed: int, method: str) -> None:
    pairs = [
        generate(n, Alteration(rename=(Rename(level, method),)), seed=seed)
        for level in (0.0, 0.2, 0.5, 0.8, 1.0)
    ]
    renamed = [
        {k for k, item in p.target.items.items() if item != p.source.items[k]} for p in pairs
    ]
    assert all(few <= many for few, many in pairwise(renamed))
    for k, (before, after) in enumerate(pairwise(pairs)):
        for key in renamed[k]:
            assert before.target.items[key].label == after.target.items[key].label
    values = [_equality_f1(pair) for pair in pairs]
    assert all(x >= y for x, y in pairwise(values))


@pytest.mark.parametrize(
    ("method", "label", "name"),
    [
        ("synonym", "little circular tap", "LittleCircularTap"),
        ("abbrev", "sm rnd vlv", "SmRndVlv"),
        ("translate:de", "klein rund Ventil", "KleinRundVentil"),
        ("translate:fr", "petit rond vanne", "PetitRondVanne"),
        ("convention:camel", "SmallRoundValve", "SmallRoundValve"),
        ("convention:snake", "small_round_valve", "small_round_valve"),
        ("convention:kebab", "small-round-valve", "small-round-valve"),
        ("convention:upper", "SMALL_ROUND_VALVE", "SMALL_ROUND_VALVE"),
        ("reorder", "round valve small", "RoundValveSmall"),
        ("drop_vowels", "smll rnd vlv", "SmllRndVlv"),
        ("opaque_id", "C0000001", "C0000001"),
    ],
)
def test_methods_of_renaming(method: str, label: str, name: str) -> None:
    from generator.alterators import rename
    from generator.model import Item

    words = ("small", "round", "valve")
    model = Model("http://x")
    model.add(Item(Kind.CLASS, words, "SmallRoundValve", "small round valve"))
    rename(model, [1], Rename(1.0, method), 0)
    assert (model.items[1].label, model.items[1].name) == (label, name)


def test_only_what_is_named_is_renamed() -> None:
    for what, same, other in (("name", "label", "name"), ("label", "name", "label")):
        pair = generate(40, Alteration(rename=(Rename(1.0, "random", what=what),)))
        for key, item in pair.target.items.items():
            old = pair.source.items[key]
            assert getattr(item, same) == getattr(old, same)
            assert getattr(item, other) != getattr(old, other)
    only = generate(40, Alteration(rename=(Rename(1.0, "random", kinds=(Kind.PROPERTY,)),)))
    changed = {i.kind for k, i in only.target.items.items() if i != only.source.items[k]}
    assert changed == {Kind.PROPERTY}


def test_structural_alterators_do_what_they_say() -> None:
    n = 120
    plain = generate(n, shape=Shape(multi_parent=0.0))

    def target(**changes: object) -> GeneratedPair:
        return generate(n, Alteration(**changes), shape=Shape(multi_parent=0.0))  # type: ignore[arg-type]

    depths = plain.source.depths()
    flat = target(flatten=(2,))
    gone = set(plain.source.items) - set(flat.target.items)
    assert gone == {key for key, depth in depths.items() if depth == 2}
    for key, parents in flat.target.parents.items():
        above = {p for q in plain.source.parents[key] for p in (
            plain.source.parents[q] if q in gone else (q,))}  # fmt: skip
        assert set(parents) == above
    expanded = target(expand=1.0, subsumptions=True)
    inner = sum(bool(parents) for parents in plain.source.parents.values())
    assert len(expanded.target.parents) == n + inner
    assert Counter(expanded.cells.values())["<"] == inner
    split = target(split=0.5)
    assert Counter(split.cells.values())[">"] == 2 * int(0.5 * inner + 0.5)
    merged = target(merge=0.2)
    assert Counter(merged.cells.values())["<"] == 2 * int(0.2 * n / 2 + 0.5)
    assert not any(target(no_hierarchy=True).target.parents.values())
    shuffled = target(shuffle_hierarchy=0.5).target.parents
    moved = sum(shuffled[key] != parents for key, parents in plain.source.parents.items())
    assert moved >= 0.9 * int(0.5 * inner + 0.5)
    turned = target(invert_property=1.0, inverse="inverse")
    assert Counter(turned.cells.values())["inverse"] == len(plain.source.ranges)
    assert {c.relation for c in turned.reference} == {"=", "?"}
    swapped = target(swap_property_kind=1.0)
    assert set(swapped.target.ranges) == set(plain.source.domains) - set(plain.source.ranges)
    unjudged = target(reference_unjudged=0.25)
    assert Counter(unjudged.cells.values())["?"] == int(0.25 * len(plain.cells) + 0.5)
    added = target(add_classes=0.5, add_properties=0.5, add_individuals=0.5)
    assert len(added.target.items) == len(plain.target.items) * 1.5
    assert added.cells == plain.cells


@given(seeds)
@examples(10)
def test_what_is_new_is_not_called_like_what_was_taken_out(seed: int) -> None:
    alteration = Alteration(
        remove_classes=1.0, remove_individuals=1.0, remove_properties=1.0, add_classes=1.0
    )
    pair = generate(300, alteration, seed=seed)
    old = {(item.kind, item.words) for item in pair.source.items.values()}
    new = [item for key, item in pair.target.items.items() if key not in pair.source.items]
    assert new
    assert not [item for item in new if (item.kind, item.words) in old]
    assert _equality_f1(pair) == 1.0


def test_a_cumulative_suite_alters_what_the_pair_before_left() -> None:
    step = Alteration(remove_classes=0.2, rename=(Rename(0.3, "random"),))
    suite = Suite({"1": step, "2": step, "3": step}, cumulative=True)
    pairs = list(generate_suite(suite, 60))
    sizes = [len(pair.cells) for pair in pairs]
    assert sizes[0] > sizes[1] > sizes[2]
    for before, after in pairwise(pairs):
        assert set(after.cells) < set(before.cells)
    alone = list(generate_suite(replace(suite, cumulative=False), 60))
    assert len({tuple(pair.cells) for pair in alone}) == 1


def test_what_is_written_loads_again_with_the_counts_of_the_manifest(tmp_path: Path) -> None:
    alteration = Alteration(
        remove_labels=0.2, split=0.2, merge=0.2, add_classes=0.2, invert_property=0.5,
        inverse="inverse", rename=(Rename(0.5, "translate:de"), Rename(0.3, "drop_vowels")),
    )  # fmt: skip
    pair = generate(80, alteration, seed=3)
    pair.write(tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    for side, model in (("source", pair.source), ("target", pair.target)):
        loaded = load_ontology(tmp_path / f"{side}.owl")
        expected = manifest["counts"][side]
        by_kind = loaded.counts()
        assert {str(kind): c.entities for kind, c in by_kind.items()} == {
            kind: expected[kind] for kind in ("class", "property", "individual")
        }
        assert sum(c.labelled for c in by_kind.values()) == expected["labels"]
        assert sum(c.synonyms for c in by_kind.values()) == expected["synonyms"]
        assert sum(map(len, loaded.parents.values())) == expected["parents"]
        assert len(loaded.disjoints) == expected["disjoint"]
        for key, parents in model.parents.items():
            assert set(loaded.parents.get(model.iri_of(key), ())) == set(map(model.iri_of, parents))
        assert loaded.sha256 == manifest["sha256"][f"{side}.owl"]
        links = sum(isinstance(value, int) for _, _, value in model.facts)
        assert len(loaded.assertions) == links
    assert list(read_alignment(tmp_path / "reference.rdf")) == list(pair.reference)


def test_presets_have_their_pairs() -> None:
    suites = {name: preset(name, 100) for name in PRESETS}
    assert len(suites["oaei-like"].pairs) == 1 + 15 + 17 * 5
    assert {"101", "201-2", "202", "248-4", "266"} <= set(suites["oaei-like"].pairs)
    assert len(suites["discriminant"].pairs) == 4**3
    assert list(preset("scale", 1_000).classes.values()) == [100, 1_000]
    for name in ("near-miss", "scale"):
        for pair in generate_suite(suites[name], 60):
            _check_sound(pair.target)
    near = generate_suite(suites["near-miss"], 60)
    relations = Counter(relation for pair in near for relation in pair.cells.values())
    assert min(relations[r] for r in ("=", "<", ">")) > 0


def test_selection_takes_the_rounded_share() -> None:
    assert [len(select(range(10), p, 0)) for p in (0.0, 0.04, 0.05, 0.5, 1.0)] == [0, 0, 1, 5, 10]


def test_no_two_words_share_another_name() -> None:
    columns = ("word", "synonym", "abbreviation", "de", "fr", "es")
    seen: dict[str, str] = {}
    for word in lexicon().values():
        for column in columns:
            text = getattr(word, column).lower()
            assert text
            assert text.isalpha()
            assert seen.setdefault(text, word.word) == word.word
            assert column == "word" or text != word.word


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pair", "not TOML"),
        ("", "is empty"),
        ("cumulative = true", "describes no pair"),
        ("[pair.a]\nremove_clases = 0.5", "pair.a: 'remove_clases' is unknown"),
        ("[pair.a]\nremove_classes = 1.5", "remove_classes = 1.5 is outside"),
        ("[pair.a]\nexpand = 'half'", "expand"),
        ("[[pair.a.rename]]\nlevel = 0.5\nmethod = 'typos'", "method 'typos' is unknown"),
        ("[[pair.a.rename]]\nlevel = 0.5\nkinds = ['klass']", "kinds 'klass' is unknown"),
        ("[shape]\nlabels = 2\n[pair.a]", "labels = 2 is outside"),
        ("[pair.a]\nflatten = [0]", "the roots"),
        ("size = 3\n[pair.a]", "'size' is unknown"),
        ("[pair.a]\nno_hierarchy = 'no'", "no_hierarchy is 'no', and should be true or false"),
        ("cumulative = 'no'\n[pair.a]", "cumulative is 'no', and should be true or false"),
        ("[pair.a]\nflatten = 2", "flatten is 2, and should be a list"),
        ("[pair.a]\nflatten = ['two']", "flatten takes levels"),
        ("[pair.a]\nrename = 'typo'", "rename is 'typo', and should be a list of tables"),
        ("[pair]\na = 3", "pair.a is 3, and should be a table"),
        ("shape = 3\n[pair.a]", "shape is 3, and should be a table"),
        ("[[pair.a.rename]]\nmethod = 'typo'", "pair.a.rename: level is missing"),
        (
            "[[pair.a.rename]]\nlevel = 1\nedits = 'two'",
            "edits is 'two', and should be a whole",
        ),
        ("[[pair.a.rename]]\nlevel = 1\nkinds = 'class'", "kinds is 'class', and should be a list"),
        ("[pair.'../a']", "name becomes that of a folder"),
        (
            f"[[pair.a.rename]]\nlevel = 1\nedits = {10**400}",
            f"edits = {10**400}: use 1 to 1000",
        ),
        (f"[shape]\nproperties = {'9' * 5000}\n[pair.a]", "has more than 4300 digits"),
        (f"[shape]\nproperties = {10**400}\n[pair.a]", "is outside [0, 1,000,000]"),
    ],
)
def test_a_wrong_spec_names_file_and_key(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "spec.toml"
    path.write_text(text)
    with pytest.raises(OntologyError, match=r"spec\.toml") as error:
        read_suite(path)
    assert said in str(error.value)


def test_an_ontology_that_no_memory_holds_is_not_generated() -> None:
    suite = Suite({"a": Alteration()}, Shape(individuals=1_000_000))
    with pytest.raises(OntologyError, match=r"are 15,000,022: generate 10,000,000 at most"):
        next(iter(generate_suite(suite, 15)))


def test_a_spec_file_says_what_python_says(tmp_path: Path) -> None:
    path = tmp_path / "spec.toml"
    path.write_text(
        "cumulative = true\n[shape]\nproperties = 1\n[pair.mild]\nexpand = 0.2\nflatten = [3]\n"
        '[[pair.mild.rename]]\nlevel = 0.4\nmethod = "abbrev"\nkinds = ["class"]\n'
    )
    rename = Rename(0.4, "abbrev", kinds=(Kind.CLASS,))
    mild = Alteration(expand=0.2, flatten=(3,), rename=(rename,))
    assert read_suite(path) == Suite({"mild": mild}, Shape(properties=1), cumulative=True)


@pytest.mark.parametrize("classes", [0, 10**7])
def test_a_number_of_classes_out_of_range_is_refused(classes: int) -> None:
    with pytest.raises(OntologyError, match="use 1 to"):
        generate(classes)


HOSTILE = r"""
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix a: <http://a.org/x&y#> .
@prefix b: <http://b.org/> .
@prefix t: <http://example.org/generated/target#> .
a:Cell a owl:Class ; rdfs:label "Cell"@en, "Zelle"@de, "cellule"@fr ;
  rdfs:comment "<b> & \r\n\u0001" .
b:Cell a owl:Class ; rdfs:label "Cell (biology)", "Cell &lt;2&gt;"@en ; rdfs:subClassOf a:Cell .
b:1 a owl:Class ; rdfs:label "!?" ; rdfs:subClassOf b:Cell, b:2 ;
  skos:altLabel "bang bang", "wow"@en .
b:2 a owl:Class ; rdfs:subClassOf b:1 ; rdfs:comment "a cycle with b:1"@en .
b:3 a owl:Class ; rdfs:subClassOf a:Cell, b:Cell ; rdfs:label "line\rbreak\ttab\u0002" .
a:Cell owl:disjointWith b:Cell .
t:SmallValve a owl:Class ; rdfs:label "large pipe"@en ; rdfs:subClassOf a:Cell .
<http://b.org/Gr%C3%B6%C3%9Fe%20(cm)> a owl:Class ; rdfs:subClassOf b:Cell .
b:123 a owl:DatatypeProperty . b:part-of a owl:ObjectProperty ; rdfs:domain [ a owl:Class ] .
b:width a rdf:Property ; rdfs:domain a:Cell .
b:one a b:Cell ; b:123 "4" ; b:part-of b:two ; b:width "5 < 6 & 7"@en , "8"^^<http://n.org/no> .
b:two a owl:NamedIndividual .
b:Cell rdfs:subClassOf [
  a owl:Restriction ; owl:onProperty b:part-of ; owl:someValuesFrom a:Cell ] .
"""


def _file(name: str, folder: Path) -> Path:
    if name in BUNDLED:
        return bundled_task(name).source
    path = folder / "hostile.ttl"
    path.write_text(HOSTILE, encoding="utf-8")
    return path


given_names = st.sampled_from([*BUNDLED, "hostile"])


@given(given_names, seeds, alterations)
@examples(40)
def test_every_pair_from_a_given_ontology_is_sound(
    tmp_path_factory: pytest.TempPathFactory, name: str, seed: int, alteration: Alteration
) -> None:
    given = read_user_ontology(_file(name, tmp_path_factory.getbasetemp()))
    before = to_rdf_xml(given.model)
    one, two = (generate(given, alteration, seed=seed) for _ in range(2))
    for model in (one.source, one.target):
        _check_sound(model)
        _check_coherent(model)
    assert to_rdf_xml(one.target) == to_rdf_xml(two.target)
    assert one.reference == two.reference
    assert to_rdf_xml(given.model) == before
    for (source, target), _relation in one.cells.items():
        assert one.source.items[source].kind == one.target.items[target].kind


def _names(ontology: Ontology) -> dict[str, set[str]]:
    return {e.iri: {x.text for x in (*e.labels, *e.synonyms)} for e in ontology}


def _apart(ontology: Ontology) -> set[tuple[str, ...]]:
    return {pair for group in ontology.disjoints for pair in combinations(group, 2)}


@pytest.mark.parametrize("name", [*BUNDLED, "hostile"])
def test_nothing_altered_is_the_given_ontology_twice(name: str, tmp_path: Path) -> None:
    path = _file(name, tmp_path)
    original = load_ontology(path)
    pair = generate(read_user_ontology(path))
    pair.write(tmp_path / "pair")
    source, target = (load_ontology(tmp_path / "pair" / f"{s}.owl") for s in ("source", "target"))
    reference = read_alignment(tmp_path / "pair" / "reference.rdf")
    helpers = {e.iri for e in original.of_kind(Kind.ANNOTATION_PROPERTY)}
    assert set(source.entities) == set(original.entities) - helpers
    unwritable = str.maketrans("", "", "\x01\x02")
    assert _names(source) == {
        iri: {text.translate(unwritable) for text in texts}
        for iri, texts in _names(original).items()
        if iri not in helpers
    }
    assert source.types == original.types
    assert source.assertions == original.assertions
    if name != "hostile":  # which has a cycle and a contradiction on purpose
        classes = {e.iri for e in original.of_kind(Kind.CLASS)}
        parents = {iri: above for iri, above in original.parents.items() if iri in classes}
        assert dict(source.parents) == parents
        assert _apart(source) == _apart(original)
    there = {c.entity1: c.entity2 for c in reference}
    assert {c.relation for c in reference} == {"="}
    assert set(there) == set(source.entities)
    assert set(there.values()) == set(target.entities)
    assert not set(there.values()) & set(there)
    for iri, entity in source.entities.items():
        other = target.entities[there[iri]]
        assert (other.kind, other.labels, other.synonyms) == (
            entity.kind,
            entity.labels,
            entity.synonyms,
        )
        above = tuple(sorted(there[p] for p in source.parents.get(iri, ())))
        assert target.parents.get(other.iri, ()) == above


def test_what_a_hostile_ontology_loses_is_counted(tmp_path: Path) -> None:
    given = read_user_ontology(_file("hostile", tmp_path))
    assert given.left_out == {"contradiction": 1, "link of a cycle": 1, "other domain or range": 1}
    model = given.model
    keys = {iri: key for key, iri in model.iris.items()}
    cell = model.items[keys["http://a.org/x&y#Cell"]]
    assert (cell.label, cell.lang) == ("Cell", "en")
    assert {(s.text, s.lang) for s in cell.synonyms} == {("Zelle", "de"), ("cellule", "fr")}
    assert len(model.restrictions) == 1
    assert len(model.facts) == 4
    assert generate(given).target.iri == "http://example.org/generated/target-2"
    # the one fact whose property's IRI no tag can spell is not written
    assert to_rdf_xml(model).count("xmlns:n=") == 3


def test_a_given_ontology_is_renamed_by_the_names_that_it_states(tmp_path: Path) -> None:
    given = read_user_ontology(_file("hostile", tmp_path))
    keys = {iri: key for key, iri in given.model.iris.items()}
    only = (Kind.CLASS,)
    french = generate(given, Alteration(rename=(Rename(1.0, "translate:fr", kinds=only),)))
    cell = french.target.items[keys["http://a.org/x&y#Cell"]]
    assert (cell.label, cell.lang, cell.name) == ("cellule", "fr", "Cellule")
    synonym = generate(given, Alteration(rename=(Rename(1.0, "synonym", kinds=only),)))
    assert synonym.target.items[keys["http://b.org/1"]].label == "bang bang"
    assert synonym.target.items[keys["http://example.org/generated/target#SmallValve"]].label == (
        "big tube"
    )
    # of the others no other name is known: Cell, Cell, 2, 3, Größe
    assert synonym.unchanged == {"synonym": 5}


def test_a_given_ontology_may_be_in_any_format(tmp_path: Path) -> None:
    from rdflib import Graph

    path = bundled_task("library").source
    graph = Graph().parse(path, format="xml")
    for ending, form in (("ttl", "turtle"), ("jsonld", "json-ld"), ("nt", "nt")):
        graph.serialize(tmp_path / f"library.{ending}", format=form, encoding="utf-8")
    alteration = Alteration(remove_classes=0.3, expand=0.3, rename=(Rename(0.5),))
    expected = generate(read_user_ontology(path), alteration)
    for other in sorted(tmp_path.iterdir()):
        pair = generate(read_user_ontology(other), alteration)
        assert to_rdf_xml(pair.source) == to_rdf_xml(expected.source)
        assert to_rdf_xml(pair.target) == to_rdf_xml(expected.target)
        assert pair.reference == expected.reference


def test_a_generated_target_may_be_given_again(tmp_path: Path) -> None:
    generate(40, Alteration(add_classes=0.5, rename=(Rename(0.5),))).write(tmp_path)
    given = read_user_ontology(tmp_path / "target.owl")
    pair = generate(given, Alteration(add_classes=1.0, split=0.5, expand=0.5))
    _check_sound(pair.target)
    iris = {pair.target.iri_of(key) for key in pair.target.items}
    assert not iris & set(given.model.iris.values())


def test_what_a_given_ontology_cannot_be_made_from_is_said(tmp_path: Path) -> None:
    given = read_user_ontology(bundled_task("vehicles").source)
    with pytest.raises(OntologyError, match="shape describes a made-up ontology"):
        generate(given, shape=Shape(labels=0.5))
    with pytest.raises(OntologyError, match="of several sizes, and one is given"):
        next(generate_suite(preset("scale", 1000), given))
    empty = tmp_path / "p.ttl"
    empty.write_text("<http://a.org/p> a <http://www.w3.org/2002/07/owl#ObjectProperty> .")
    with pytest.raises(OntologyError, match="has no class"):
        read_user_ontology(empty)


def test_the_generator_makes_the_demo_again_byte_for_byte(tmp_path: Path) -> None:
    folder = bundled_folder(DEMO)
    made = next(generate_suite(read_suite(folder / "alter.toml"), 300))
    made.write(tmp_path)
    for name in ("source.owl", "target.owl", "reference.rdf"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes(), name
    assert len(made.reference) == 360
