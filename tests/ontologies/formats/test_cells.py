"""Cells added as columns are those that are added one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import AlignmentError
from alignrank.ontologies import Alignment
from alignrank.ontologies.formats.cells import Cells
from alignrank.ontologies.vocabulary import OWL, SKOS

ENTITIES = st.sampled_from(
    ["http://a#x", "http://a#y", "a:z", "null", "NULL", "sssom:NoTermFound", ""]
)
RELATIONS = st.sampled_from(
    [None, "=", " < ", "&lt;", "?", "PartOf", "", f"{SKOS}exactMatch", f"{OWL}equivalentClass"]
)
CONFIDENCES = st.sampled_from([None, "1", " 0.5", "-0.0", "0_1", "62.9", "-1", "nan", "x", ""])
FACTS = st.lists(
    st.tuples(st.sampled_from(["by", "score", "Predicate modifier"]), st.just("0.3")), max_size=2
)
PLAIN = st.tuples(
    st.sampled_from(["http://a#x", "http://a#y"]),
    st.sampled_from(["http://b#x", "http://b#y"]),
    st.sampled_from(["=", "<", "skos:exactMatch", None]),
    st.sampled_from(["1.0", "0.25", None]),
    st.lists(st.tuples(st.sampled_from(["by", "note"]), st.just("me")), max_size=2),
)
ANY = st.tuples(ENTITIES, ENTITIES, RELATIONS, CONFIDENCES, FACTS)


def everything(cells: Cells) -> object:
    """Return all that was read, or the error."""
    try:
        alignment = cells.alignment()
    except AlignmentError as error:
        return str(error)
    facts = alignment.notes, alignment.has_confidences, alignment.negated
    return repr((facts, alignment.columns))


@given(st.one_of(st.lists(PLAIN), st.lists(st.one_of(PLAIN, ANY))))
def test_columns_are_read_as_their_cells_are_one_by_one(
    rows: list[tuple[str, str, str | None, str | None, list[tuple[str, str]]]],
) -> None:
    together, one_by_one = Cells("a.csv"), Cells("a.csv")
    for number, (entity1, entity2, relation, confidence, facts) in enumerate(rows, start=2):
        one_by_one.add(entity1, entity2, relation, confidence, line=number, extra=facts)
    columns = [[row[k] for row in rows] for k in range(4)]
    extra = []
    for name in sorted({name for row in rows for name, _ in row[4]}):
        texts = [[text for key, text in row[4] if key == name] + ["", ""] for row in rows]
        extra += [(name, [stated[k] for stated in texts]) for k in range(2)]
    extra = [(name, texts) for name, texts in extra if any(texts)]
    together.extend(*columns, lines=range(2, 2 + len(rows)), extra=extra)
    assert everything(together) == everything(one_by_one)


def test_a_file_without_rows_has_no_largest_confidence() -> None:
    cells = Cells("a.csv")
    cells.extend([], [], [], [], lines=[])
    assert repr(cells.alignment().notes) == repr(Alignment().notes)


def test_an_alignment_owns_its_cells_and_an_empty_relation_is_open() -> None:
    cells = Cells("a.rdf")
    cells.add("http://a#x", "http://b#x", "", line=1)
    cells.add("http://a#z", "http://b#z", "<", line=2)
    alignment = cells.alignment()
    cells.add("http://a#y", "http://b#y", line=2)
    assert alignment.columns.relation == ["?", "<"]
    assert alignment.columns.stated_relation == [None, None]
    assert [c.entity1 for c in cells.alignment()] == ["http://a#y"]


def test_a_confidence_of_minus_zero_is_zero() -> None:
    cells = Cells("a.rdf")
    cells.add("a#x", "b#x", "=", "-0", line=1)
    (c,) = cells.alignment()
    assert str(c.confidence) == "0.0"
