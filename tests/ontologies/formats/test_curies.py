"""CURIEs and the prefixes that they need."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from alignrank.ontologies.formats.curies import Prefixes

PARTS = st.sampled_from(["http://", "e.org", "/", "#", "a", "HP_", "mouse", "//"])
IRIS = st.lists(PARTS, max_size=7).map("".join)


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
