"""Alignments and ontologies in a notebook: escaped, small, and as data frames."""

from __future__ import annotations

from html.parser import HTMLParser

from alignrank.ontologies import Alignment, Correspondence, Entity, Kind, Label, Ontology

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\u202eright to left",
    "x" * 10_000,
    "🫀 & lung",
    "</table><b>",
]


def tags(page: str) -> set[str]:
    found: set[str] = set()

    class Parser(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            found.add(tag)

    Parser().feed(page)
    return found


OURS = {"table", "caption", "thead", "tbody", "tr", "th", "td", "bdi", "strong"}


def test_an_alignment_shows_its_first_correspondences() -> None:
    pairs = [Correspondence(f"a#{k:02}", f"b#{name}") for k, name in enumerate(HOSTILE * 3)]
    page = Alignment(pairs, name=HOSTILE[0])._repr_html_()
    assert tags(page) <= OURS
    assert "18 correspondences" in page
    assert "… and 8 more" in page
    frame = Alignment(pairs).to_frame()
    columns = ["entity1", "entity2", "relation", "confidence", "subject_label", "object_label"]
    assert list(frame.columns) == columns
    assert frame["entity1"].tolist() == [c.entity1 for c in Alignment(pairs)]
    assert Alignment().to_frame().empty
    assert "0 correspondences" in Alignment()._repr_html_()


def test_an_ontology_shows_its_kinds() -> None:
    entities = [
        Entity("x#a", Kind.CLASS, (Label("A"), Label(HOSTILE[0])), (Label("alpha"),)),
        Entity("x#b", Kind.CLASS),
    ]
    one = Ontology(HOSTILE[0], {e.iri: e for e in entities}, {"x#b": ("x#a",)}, path=HOSTILE[1])
    page = one._repr_html_()
    assert tags(page) <= OURS
    assert "<bdi>class</bdi>" in page
    frame = one.to_frame().set_index("iri")
    assert frame.loc["x#a", "labels"] == ("A", HOSTILE[0])
    assert frame.loc["x#b", "parents"] == ("x#a",)
    assert repr(one) == f"<Ontology {HOSTILE[0]}: 2 entities>"
    assert repr(Ontology("", {}, path="in/a.owl")) == "<Ontology a.owl: 0 entities>"
    assert Ontology("", {}).to_frame().empty
    assert Ontology("", {})._repr_html_()
