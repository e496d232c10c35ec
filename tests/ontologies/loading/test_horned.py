"""OBO a part at a time says what the whole says; what would take too much is refused."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from alignrank.ontologies import Kind, LoadingError, Ontology, load_ontology
from alignrank.ontologies.loading import horned, parts_of
from alignrank.ontologies.vocabulary import OBO_IN_OWL
from tests.generated import examples

X1 = "http://purl.obolibrary.org/obo/X_1"

OBO = """format-version: 1.2
ontology: x
synonymtypedef: FORMULA "FORMULA"

[Term]
id: X:1
name: one
def: "First of \\"them\\"." [CAS Registry:1, Y:2] {source="Z:3"} ! so
synonym: "uno" EXACT [Some Book:]
synonym: "1" RELATED FORMULA [Some Book:]
xref: NIST Chemistry WebBook:22325-47-9 "CAS Registry Number"
xref: Y:2 {source="Z:3"} ! so

[Typedef]
id: part_of
name: part of
xref: BFO:0000050
is_transitive: true

[Term]
id: X:2
name: two
alt_id: X:7
is_a: X:1 ! one
relationship: part_of X:1
disjoint_from: X:3

[Term]
id: X:3
name: three
is_obsolete: true
"""


def loaded(folder: Path, text: str):
    path = folder / "o.obo"
    path.write_text(text, encoding="utf-8")
    return load_ontology(path)


def test_parts_say_what_the_whole_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = loaded(tmp_path, OBO)
    monkeypatch.setattr(horned, "_AT_ONCE", 1)
    calls = []
    of_part = horned._of_part
    monkeypatch.setattr(horned, "_of_part", lambda *of: calls.append(of) or of_part(*of))
    monkeypatch.setattr(horned, "_HEADS", 0)
    assert loaded(tmp_path, OBO) == whole
    assert len(calls) == 3
    uno, formula = whole.entities["http://purl.obolibrary.org/obo/X_1"].synonyms
    assert (uno.text, formula.text) == ("1", "uno")
    assert "http://purl.obolibrary.org/obo/BFO_0000050" in whole


_IDS = st.sampled_from(
    ["X:1", "X:2", "Go_a:0x1", "DC:z", "owl:Thing", "rdfs:x", "http:y", "part_of", "a:b:c"]
)
_TEXTS = st.text("aé{}!\\\\' <&>%:.[]#\u0301\u4e2d", min_size=1).map(lambda s: f"t{s}t")
_SAID = st.one_of(
    _TEXTS.map(lambda text: f"name: {text}"),
    _IDS.map(lambda name: f"is_a: {name} ! one"),
    _IDS.map(lambda name: f"relationship: part_of {name}"),
    _IDS.map(lambda name: f"alt_id: {name}"),
    st.builds(
        'synonym: "{}" {}[W:1]'.format,
        _TEXTS,
        st.sampled_from(["", "EXACT ", "RELATED FORMULA ", "BROAD ", "NARROW "]),
    ),
    _TEXTS.map(lambda text: f'def: "{text}" [W:1]'),
    st.sampled_from(["xref: Y:2", 'xref: Y Z:2 "x"', "comment: so", "is_obsolete: true"]),
)
_TERMS = st.builds(
    lambda name, lines: "\n".join([f"[Term]\nid: {name}", *lines, "\n"]),
    _IDS,
    st.lists(_SAID, max_size=5),
)


@examples(40)
@given(st.lists(_TERMS, max_size=6), st.sampled_from(["", "idspace: X http://x.org/\n"]))
@example(
    [f'[Term]\nid: X:1\nsynonym: "t:t" {kind}[W:1]\n\n' for kind in ("", "RELATED FORMULA ")], ""
)
def test_plain_lines_say_what_horned_owl_says(terms: list[str], header: str) -> None:
    text = f"ontology: x\n{header}\n{''.join(terms)}{OBO[OBO.index('[Typedef]') :]}"

    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:

        def read() -> Ontology | str:
            try:
                return loaded(Path(folder), text)
            except LoadingError as reason:
                return str(reason)

        fast = read()
        patch.setattr(horned, "_RENAMING", re.compile(""))
        assert read() == fast


def test_the_comment_of_every_term_is_read(tmp_path: Path) -> None:
    text = "".join(f"[Term]\nid: X:{k}\ncomment: so\n\n" for k in (1, 2))
    assert len(loaded(tmp_path, text).definitions) == 2


def test_a_synonym_without_a_scope_is_a_related_one(tmp_path: Path) -> None:
    text = 'ontology: x\n\n[Term]\nid: X:1\nname: a\nsynonym: "b \\"c\\"" []\n'
    assert [label.text for label in loaded(tmp_path, text).entities[X1].synonyms] == ['b "c"']


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_lines_may_end_as_on_other_machines(tmp_path: Path, end: str) -> None:
    turned = tmp_path / "turned.obo"
    turned.write_bytes(OBO.replace("\n", end).encode())
    assert load_ontology(turned).entities == loaded(tmp_path, OBO).entities


def test_blanks_in_cross_references_are_mended_and_told(tmp_path: Path) -> None:
    ontology = loaded(tmp_path, OBO)
    (caution,) = ontology.mended
    assert "o.obo, line 11: blanks in the names of cross-references" in caution
    assert loaded(tmp_path, OBO.replace("NIST Chemistry WebBook", "NIST")).mended == ()


@pytest.mark.parametrize("end", [r"Category\:Organism", "a^b", "a|b", "a%zz", "a#b#c", "a<b>"])
def test_an_address_that_is_none_is_read_as_a_name_also_on_the_last_line(
    tmp_path: Path, end: str
) -> None:
    ontology = loaded(
        tmp_path, f"ontology: x\n\n[Term]\nid: X:1\nname: a\nxref: http://e.org/{end}\n"
    )
    assert list(ontology.entities) == [X1]
    assert "o.obo, line 6: blanks in the names of cross-references, and" in ontology.mended[0]


def test_an_error_names_its_line_in_any_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = OBO.replace("disjoint_from: X:3", "disjoint_from X:3")
    line = wrong.split("\n").index("disjoint_from X:3") + 1
    for size in (1, 10_000):
        monkeypatch.setattr(horned, "_AT_ONCE", size)
        with pytest.raises(LoadingError, match=rf"o\.obo, line {line}: not valid OBO"):
            loaded(tmp_path, wrong)


@pytest.mark.parametrize("size", [1, 10_000])
def test_lines_that_are_not_valid_are_left_out_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(horned, "_AT_ONCE", size)
    odd = OBO.replace("ontology:", "remark: several images!\ndate: 2020-01-01\nontology:", 1)
    odd = odd.replace("disjoint_from: X:3", "disjoint_from: X:3\nconsider: a b\ncomment: {x}")
    ontology = loaded(tmp_path, odd)
    assert ontology.entities == loaded(tmp_path, OBO).entities
    lines = odd.split("\n")
    remark, date = (lines.index(x) + 1 for x in ("remark: several images!", "date: 2020-01-01"))
    consider = lines.index("consider: a b") + 1
    told = f"o.obo, line {remark}: not valid OBO, and left out (lines too: {date}, {consider}, "
    assert any(told in caution for caution in ontology.mended), ontology.mended


@pytest.mark.parametrize("line", ["is_a: a b", "name: a {b", "consider: a b"])
def test_a_line_that_is_needed_or_the_last_is_not_left_out(tmp_path: Path, line: str) -> None:
    with pytest.raises(LoadingError, match=r"o\.obo, line \d+: not valid OBO"):
        loaded(tmp_path, f"ontology: x\n\n[Term]\nid: X:1\n{line}\n")


def test_what_is_only_referred_to_is_no_class(tmp_path: Path) -> None:
    lines = ["relationship: part_of X:7", "intersection_of: X:8", "intersection_of: part_of X:9"]
    text = "\n".join(["ontology: x", "", "[Term]", "id: X:1", "name: a", *lines, "is_a: X:2", ""])
    assert [e.iri for e in loaded(tmp_path, text).of_kind(Kind.CLASS)] == [X1, X1[:-1] + "2"]


FUNCTIONAL = "Prefix(:=<http://o#>)\nOntology(<http://o> SubClassOf(:A {}:B{}))"
MANCHESTER = "Prefix: : <http://o#>\nOntology: <http://o>\nClass: :A\n  SubClassOf: {}:B{}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (FUNCTIONAL.format("ObjectComplementOf(" * 10_000, ")" * 10_000), "line 2: more than 1000"),
        (MANCHESTER.format("(" * 10_000, ")" * 10_000), "line 4: more than 1000"),
        (MANCHESTER.format(":p some " * 100_000, ""), "cannot be read in 1000 MB"),
    ],
)
def test_nesting_without_end_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(LoadingError, match=rf"o\.obo.*{message}"):
        loaded(tmp_path, text)


def test_brackets_in_texts_and_names_nest_nothing(tmp_path: Path) -> None:
    text = FUNCTIONAL.replace(
        "SubClassOf(:A {}:B{})",
        'Declaration(Class(:A)) AnnotationAssertion(<http://p(> :A "' + "(" * 2000 + '")',
    )
    assert len(loaded(tmp_path, text)) == 1


def test_what_cannot_be_parted_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(horned, "_MOST", 100)
    path = tmp_path / "o.obo"
    path.write_text(
        "format-version: 1.2\n\n[Term]\nid: X:1\n\n[Term]\nid: X:2\nsubset: " + "x" * 99
    )
    with pytest.raises(LoadingError, match=r"o.obo, line 6: .* too long"):
        load_ontology(path)


@pytest.mark.parametrize(
    ("line", "synonym", "scope"),
    [
        ('synonym: "5" prime" EXACT []', '5" prime', "Exact"),
        ('synonym: "a "b" c" NARROW FORMULA [X:1 "d"]', 'a "b" c', "Narrow"),
        ('synonym: "a" exact []', "a", "Exact"),
        ('synonym: "a" OTHER []', "a", "Related"),
        ('exact_synonym: "5" prime" []', '5" prime', "Exact"),
        ('synonym: "a EXACT [X:1 "d"]', "a", "Exact"),
        ("synonym: a b BROAD []", "a b", "Broad"),
        ('synonym: "a\\\\" EXACT []', "a", "Exact"),
    ],
)
def test_an_odd_synonym_is_mended_and_told(
    tmp_path: Path, line: str, synonym: str, scope: str
) -> None:
    (told,) = synonyms(tmp_path, line, synonym, scope).mended
    assert "o.obo, line 7: a synonym is not written as OBO has it" in told
    assert "(lines: 1)" in told


@pytest.mark.parametrize(
    ("line", "synonym", "scope"),
    [
        ('synonym: "a"', "a", "Related"),
        ('synonym: "a" FORMULA []', "a", "Related"),
        ('synonym: "a" UK [X:1] {source="b"} ! so', "a", "Narrow"),
        ('synonym: "a" UK EXACT', "a", "Exact"),
        ('synonym: "a" EXACT[]', "a", "Exact"),
        ('synonym: "a \\"b\\"" EXACT UNKNOWN []', 'a "b"', "Exact"),
        ('broad_synonym: "a" []', "a", "Broad"),
    ],
)
def test_a_synonym_may_leave_out_scope_and_references(
    tmp_path: Path, line: str, synonym: str, scope: str
) -> None:
    assert synonyms(tmp_path, line, synonym, scope).mended == ()


def synonyms(folder: Path, line: str, synonym: str, scope: str) -> Ontology:
    """Load a term with a line, and check its only synonym."""
    path = folder / "o.obo"
    header = 'ontology: x\nsynonymtypedef: FORMULA "f"\nsynonymtypedef: UK "u" NARROW\n'
    path.write_text(f"{header}\n[Term]\nid: X:1\n{line}\nname: n\n")
    triples = [(quad.predicate.value, quad.object) for part in parts_of(path)[0] for quad in part]
    stated = [(name, text.value) for name, text in triples if name.endswith("Synonym")]
    assert stated == [(f"{OBO_IN_OWL}has{scope}Synonym", synonym)]
    return load_ontology(path)


def test_the_reader_process_finds_modules_where_this_process_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "one.ofn"
    path.write_text("Ontology(<http://e.org>\nDeclaration(Class(<http://e.org#A>))\n)\n")
    (tmp_path / "pyhornedowl.py").write_text("raise ImportError\n")
    monkeypatch.chdir(tmp_path)
    # the working folder holds a user's files
    assert len(load_ontology(path)) == 1
    # `pip install --user` and PYTHONPATH name folders of modules
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(LoadingError, match="cannot be read"):
        load_ontology(path)


@pytest.mark.parametrize("head", ["date: 01:01:2020 10:00", "remark: of mine", "saved-by: me"])
def test_the_lines_of_a_header_come_in_any_order(tmp_path: Path, head: str) -> None:
    path = tmp_path / "o.obo"
    path.write_text(f"{head}\n{OBO}")
    assert X1 in load_ontology(path)
