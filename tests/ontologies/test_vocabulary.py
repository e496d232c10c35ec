"""CURIEs and the prefixes that they need."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from alignrank.ontologies.vocabulary import OBO, Prefixes

PARTS = st.sampled_from(["http://", "e.org", "/", "#", "a", "HP_", "mouse", "//"])
BEGINNINGS = st.sampled_from(
    ["", OBO, "http://www.ebi.ac.uk/efo/", "http://www.ebi.ac.uk/efo/EFO_"]
)
IRIS = st.tuples(BEGINNINGS, st.lists(PARTS, max_size=7).map("".join)).map("".join)


class SlowPrefixes(Prefixes):
    """Looks for the namespace of each IRI, as if none had been seen before."""

    def curie(self, iri: str) -> str:
        self._stems.clear()
        return super().curie(iri)


@given(
    st.lists(IRIS),
    st.dictionaries(st.sampled_from(["p", "q", "mouse"]), IRIS.filter(bool), max_size=3),
)
def test_a_namespace_that_was_seen_gives_the_same_curies(
    iris: list[str], declared: dict[str, str]
) -> None:
    fast, slow = Prefixes(declared), SlowPrefixes(declared)
    assert [fast.curie(iri) for iri in iris] == [slow.curie(iri) for iri in iris]
    assert fast.namespaces == slow.namespaces


def test_prefixes_are_those_that_people_write_unless_a_file_declares_others() -> None:
    iris = [f"{OBO}XAO_0000006", f"{OBO}EHDAA2_1", f"{OBO}xao#part_of", f"{OBO}xao.owl"]
    assert list(map(Prefixes().curie, iris)) == [
        "XAO:0000006",
        "EHDAA2:1",
        "xao:part_of",
        "obo:xao.owl",
    ]
    assert Prefixes({"obo": OBO}).curie(iris[0]) == "obo:XAO_0000006"
    taken = Prefixes({"XAO": "http://e.org/"})
    assert taken.curie(iris[0]) == "XAO2:0000006"
    efo = Prefixes()
    curies = [efo.curie(f"http://www.ebi.ac.uk/efo/{name}") for name in ("x", "EFO_1", "EFO_2")]
    assert curies == ["efo:x", "EFO:1", "EFO:2"]
