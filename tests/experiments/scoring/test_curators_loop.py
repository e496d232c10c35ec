"""A curator's two years: a mapping corrected with keys only, and carried to the next releases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from alignrank.ontologies import read_alignment
from alignrank.ontologies.alignment import COMMENT, JUSTIFICATION
from alignrank.ontologies.curation import CHANGE, CURATED, GONE, decisions_of
from alignrank.ontologies.vocabulary import OBO
from tests.experiments.conftest import Pages, saved_file

FIRST = "upper lower left right inner outer".split()  # noqa: SIM905 -- names in a line read best
SECOND = "heart lung liver kidney spleen brain tongue tooth muscle nerve".split()  # noqa: SIM905 -- names in a line read best
NAMES = [f"{first} {second}" for first in FIRST for second in SECOND]
#: Last year's number of a term that is obsolete now, and the tags that its stanza has beside.
OBSOLETE = {
    **{k: (f"replaced_by: AA:{100 + k}",) for k in range(4)},
    4: ("consider: AA:104",),
    5: ("consider: AA:105", "consider: AA:106"),
    **dict.fromkeys(range(6, 10), ()),
}
#: Terms that were merged into the next one, and terms that have another name now.
MERGED, RENAMED = range(10, 20, 2), range(20, 40)


def obo(prefix: str, version: str, stanzas: list[tuple[str, ...]]) -> str:
    head = f"format-version: 1.2\ndata-version: {version}\nontology: {prefix.lower()}\n"
    return "\n".join([head, *("[Term]\n" + "\n".join(lines) + "\n" for lines in stanzas)])


def term(prefix: str, number: int, name: str, *lines: str) -> tuple[str, ...]:
    return f"id: {prefix}:{number}", f"name: {name}", *lines


def next_release() -> str:
    stanzas = []
    for k, name in enumerate(NAMES):
        if k in OBSOLETE:
            stanzas.append(term("AA", k, f"obsolete {name}", "is_obsolete: true", *OBSOLETE[k]))
        elif k in RENAMED:
            stanzas.append(term("AA", k, f"{name} organ", f'synonym: "{name}" EXACT []'))
        elif k not in MERGED:
            merged = [f"alt_id: AA:{k - 1}"] if k - 1 in MERGED else []
            stanzas.append(term("AA", k, name, *merged))
    stanzas += [term("AA", 100 + k, f"{NAMES[k]} proper") for k in range(7)]
    return obo("AA", "2026-01-01", [*stanzas, term("AA", 200, "new toe")])


def entity(curie: str) -> str:
    return OBO + curie.replace(":", "_")


def now(iri: str) -> str | None:
    """The term of this year for one of last year; None where it is for a person to say."""
    number = int(iri.rpartition("_")[2])
    if number in OBSOLETE:
        return entity(f"AA:{100 + number}") if number < 5 else None
    return entity(f"AA:{number + (number in MERGED)}")


@pytest.fixture
def releases(tmp_path: Path) -> Path:
    """A folder with both ontologies of both years."""
    source = [term("AA", k, name) for k, name in enumerate(NAMES)]
    # one pair is for a curator to find, and one is wrong
    other = {50: "cranium", 51: "outer lungs"}
    target = [term("BB", k, other.get(k, name)) for k, name in enumerate(NAMES)]
    (tmp_path / "a1.obo").write_text(obo("AA", "2025-01-01", source), "utf-8")
    (tmp_path / "a2.obo").write_text(next_release(), "utf-8")
    (tmp_path / "b1.obo").write_text(obo("BB", "2025-02-01", target), "utf-8")
    target.append(term("BB", 200, "new toe"))
    (tmp_path / "b2.obo").write_text(obo("BB", "2026-02-01", target), "utf-8")
    return tmp_path


def corrected(opened: Pages, shell: Any, mapping: Path, files: list[Path], keys: list[str]) -> Path:
    """Open the page of a mapping, press keys, then accept what is open; return the saved file."""
    page = mapping.with_suffix(".html")
    shell.printed("show", mapping, *files, "--out", page)
    tab = opened(page)
    for key in keys:
        if len(key) > 1 and key[0] == '"':
            tab.keyboard.type(key.strip('"'))
        else:
            tab.keyboard.press(key)
    for _ in range(tab.evaluate("rows.filter((row) => row.state.verdict === '').length")):
        tab.keyboard.press("a")
    return saved_file(tab, mapping.with_name(f"corrected-{mapping.name}"))


def test_two_years_with_keys_only_end_with_a_valid_file_that_holds_every_decision(
    opened: Pages, shell: Any, releases: Path
) -> None:
    first = [releases / "a1.obo", releases / "b1.obo"]
    shell.printed("match", *first, "--out", releases / "y1.sssom.tsv")
    # the least sure pairs get other relations and none; then a missed pair is found
    missed = ["/", '"outer heart"', "Enter", "p", '"cranium"', "Enter", "/", "Control+a", "Delete"]
    keys = ["n", "b", "c", "r", "x", *missed, "Enter", "x"]
    year1 = corrected(opened, shell, releases / "y1.sssom.tsv", first, keys)
    before = decisions_of(read_alignment(year1))
    assert (entity("AA:50"), entity("BB:50")) in {c.pair for c in before.accepted}
    assert len(before.denied) == 4
    assert before.undecided == ()
    second = [releases / "a2.obo", releases / "b2.obo"]
    out = releases / "y2.sssom.tsv"
    printed = shell.printed("match", *second, "--from", year1, "--out", out)
    year2 = corrected(opened, shell, out, second, [])
    after = read_alignment(year2)
    decided = decisions_of(after)
    accepted = {(c.pair, c.stated_relation or c.relation) for c in decided.accepted}
    for c in before.accepted:
        today = now(c.entity1)
        if today is not None:
            assert ((today, c.entity2), c.stated_relation or c.relation) in accepted
            continue
        (row,) = (row for row in decided.aside if (row.entity1, row.entity2) == c.pair)
        facts = dict(row.extra)
        assert (facts[CHANGE], facts[JUSTIFICATION]) == (GONE, CURATED)
        assert "is obsolete" in facts[COMMENT]
    assert {(now(s) or s, t) for s, t in before.denied} <= decided.denied
    assert (entity("AA:200"), entity("BB:200")) in {c.pair for c in decided.accepted}
    assert printed.count("is obsolete") + printed.count("is replaced by") == 15
    assert printed.count(" is called ") == len(RENAMED)
    versions = after.metadata["subject_source_version"], after.metadata["object_source_version"]
    assert versions == ("2026-01-01", "2026-02-01")
    validators = pytest.importorskip("sssom.validators")
    parsers = pytest.importorskip("sssom.parsers")
    constants = pytest.importorskip("sssom.constants")
    table = parsers.parse_sssom_table(year2)
    validators.validate(table, constants.DEFAULT_VALIDATION_TYPES)
