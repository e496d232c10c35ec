"""The page of questions in a real Chromium: keys, reload, phone, dark, no network, blind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from alignrank.evaluation.judged.judgements import read_judgements
from alignrank.ontologies import Alignment, Correspondence, read_alignment, write_alignment

QUESTIONS = 310
PREFIXES = """@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
"""


def ontology(path: Path, base: str) -> Path:
    classes = "".join(
        f'<{base}{k}> a owl:Class ; rdfs:label "{base[7]} part {k}" ;\n'
        f'  rdfs:subClassOf <{base}top> ; skos:altLabel "limb {k}" ;\n'
        f'  skos:definition "It is <b>number</b> {k}." ;\n'
        f"  rdfs:subClassOf [ a owl:Restriction ; owl:onProperty <{base}part_of> ;\n"
        f"    owl:someValuesFrom <{base}trunk> ] .\n"
        for k in range(QUESTIONS)
    )
    whole = f"<{base}trunk> a owl:Class . <{base}part_of> a owl:ObjectProperty .\n"
    top = f"<{base}top> a owl:Class ; rdfs:label 'body' .\n"
    path.write_text(f"{PREFIXES}{whole}{top}{classes}", "utf-8")
    return path


@pytest.fixture
def drawn(tmp_path: Path, shell: Any) -> Path:
    """A folder with the questions of two systems; some source entities have two targets."""
    files = ontology(tmp_path / "a.ttl", "http://a#"), ontology(tmp_path / "b.ttl", "http://b#")
    for name, shift in (("Zebra", 0), ("Quagga", 1)):
        pairs = [(k, (k + shift * (k % 9 == 0)) % QUESTIONS) for k in range(QUESTIONS)]
        alignment = Alignment(Correspondence(f"http://a#{i}", f"http://b#{j}") for i, j in pairs)
        write_alignment(alignment, tmp_path / f"{name}.rdf")
    systems = tmp_path / "Zebra.rdf", tmp_path / "Quagga.rdf"
    shell.printed("sample", *files, *systems, "--out", tmp_path / "judge")
    return tmp_path / "judge"


@pytest.fixture
def tab(browser: Any, drawn: Path) -> Iterator[Any]:
    """The open page; at the end, no error and no request beyond the file."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme="dark")
    page = context.new_page()
    complaints: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto((drawn / "judge.html").as_uri())
    yield page
    assert complaints == []
    assert {url.partition(":")[0] for url in requests} <= {"file", "blob"}
    context.close()


def test_300_answers_by_keyboard_survive_a_reload_and_are_what_compare_reads(
    tab: Any, drawn: Path, tmp_path: Path, shell: Any
) -> None:
    assert tab.get_attribute("body", "data-ready") == "yes"
    visible = tab.inner_text("main")
    assert "It is <b>number</b>" in visible, "a definition is shown as text"
    assert "body" in visible
    assert "limb" in visible
    assert "part of\ntrunk" in tab.inner_text("#source")
    assert not any(name in visible.lower() for name in ("zebra", "quagga", "weight", "vote"))
    for key in ["r", "c", "u", "w"]:
        tab.keyboard.press(key)
    press = "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'r'}))"
    tab.evaluate(f"for (let k = 0; k < 298; k++) {press}")
    before = tab.inner_text("#progress")
    tab.reload()
    assert tab.inner_text("#progress") == before
    tab.keyboard.press("u")
    assert tab.inner_text("#progress") != before
    tab.keyboard.press("r")
    with tab.expect_download() as download:
        tab.keyboard.press("s")
    saved = tmp_path / "saved.sssom.tsv"
    download.value.save_as(saved)
    verdicts = read_judgements(read_alignment(saved)).verdicts
    assert sorted(verdicts.values()) == [0.0] + [1.0] * 299
    systems = tmp_path / "Zebra.rdf", tmp_path / "Quagga.rdf"
    content = shell.json("compare", "--judged", saved, *systems)
    assert f"{content['pool']['judged']} of {QUESTIONS} questions" in before
    assert not any("changed" in str(caution) for caution in content["cautions"])


def test_the_page_fits_a_phone_and_the_dark(tab: Any) -> None:
    assert tab.evaluate("document.documentElement.scrollWidth") == 360
    sizes = tab.eval_on_selector_all("button", "all => all.map(b => b.offsetHeight)")
    assert min(sizes) >= 44, "a finger needs 44 pixels"
    colour = tab.eval_on_selector("body", "body => getComputedStyle(body).backgroundColor")
    assert max(int(part) for part in colour[4:-1].split(",")) < 64
    for _ in range(3):
        tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.id") == "unsure"
    tab.keyboard.press("Enter")
    assert tab.is_enabled("#undo")


def test_a_second_judge_in_the_same_browser_begins_anew(tab: Any) -> None:
    tab.keyboard.press("r")
    assert tab.is_enabled("#undo")
    tab.goto(tab.url + "?second")
    assert not tab.is_enabled("#undo")
