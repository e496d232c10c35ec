"""The report in a real Chromium: controls work, nothing leaves the page, nothing breaks out."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluation import compare
from experiments.outputs import Provenance, summary
from experiments.report.build import comparison_report
from ontologies import Alignment, Correspondence

HOSTILE = [
    "<script>window.broken=1</script>",
    "</script><script>window.broken=2</script>",
    '"><img src=x onerror="window.broken=3">',
    "'; window.broken=4; '",
    "\u202eright to left\u202c",
    "x" * 10_000,
    "🫀 heart & lung",
    "line\u2028separator",
    "{{template}} ${template}",
    "<!-- comment",
]


def reference(n: int = 40) -> Alignment:
    return Alignment(Correspondence(f"http://a#{k}", f"http://b#{k}") for k in range(n))


def systems(names: list[str]) -> dict[str, Alignment]:
    right = list(reference())
    found = {}
    for k, name in enumerate(names):
        wrong = [Correspondence(f"http://a#{i}", f"http://b#{i + 1}", "=", 0.4) for i in range(k)]
        kept = [
            Correspondence(c.entity1, c.entity2, "=", round(0.5 + i / 100, 2))
            for i, c in enumerate(right[4 * k :])
        ]
        found[name] = Alignment([*kept, *wrong])
    return found


def page(names: list[str], label: Any = lambda iri: iri) -> str:
    alignments = systems(names)
    comparison = compare(alignments, reference())
    settings = {
        "command": "compare",
        "test": "mid-p",
        "correction": "bergmann-hommel",
        "file": names[0],
    }
    inputs = {"reference": {"path": HOSTILE[1], "sha256": "0" * 64}}
    content = summary(comparison, Provenance(settings, inputs), {"notes": [HOSTILE[0]]})
    report = comparison_report(
        comparison, content, alignments, reference(), title=HOSTILE[2], label=label
    )
    return report.to_html()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        if os.environ.get("CI"):
            pytest.fail("no Chromium: continuous integration must install one")
        pytest.skip("no Chromium on this machine")
    sync_api = pytest.importorskip("playwright.sync_api")
    arguments = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-sync",
    ]
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=arguments)
        yield started
        started.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Function that opens a page; at the end, no error and no request beyond the file."""
    tab = browser.new_page(viewport={"width": 1000, "height": 900})
    complaints: list[str] = []
    requests: list[str] = []
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("request", lambda request: requests.append(request.url))

    def open_page(html: str) -> Any:
        file = tmp_path / "report.html"
        file.write_text(html, encoding="utf-8")
        tab.goto(file.as_uri())
        assert tab.get_attribute("body", "data-ready") == "yes"
        return tab

    yield open_page
    assert complaints == []
    assert len(requests) == 1
    assert requests[0].startswith("file://")
    tab.close()


def arrows(tab: Any) -> int:
    return int(tab.locator("#graph-note").inner_text().split()[0])


def test_controls_change_graph_ranks_and_matrix(opened: Any) -> None:
    names = ["one", "two", "three", "four"]
    tab = opened(page(names))
    before = arrows(tab)
    assert before == len(compare(systems(names), reference()).edges["ifp"]["bergmann-hommel"])
    ranks = tab.locator("[data-rank]").all_inner_texts()
    tab.fill("#alpha", "0.002")
    assert arrows(tab) < before
    assert tab.locator("[data-rank]").all_inner_texts() != ranks
    tab.fill("#alpha", "0.05")
    tab.select_option("#correction", "none")
    assert arrows(tab) >= before
    tab.select_option("#view", "cfp")
    assert tab.locator("#matrix tbody tr").count() == len(names)
    box = tab.locator("#graph svg").get_attribute("viewBox")
    tab.click("#zoom-in")
    assert tab.locator("#graph svg").get_attribute("viewBox") != box


def test_an_arrow_is_reached_and_read_with_the_keyboard(opened: Any) -> None:
    tab = opened(page(["one", "two", "three"]))
    tab.focus("#zoom-all")
    tab.keyboard.press("Tab")
    text = tab.locator("#readout").inner_text()
    assert "only" in text
    assert "adjusted p" in text


def test_cases_are_filtered_and_searched(opened: Any) -> None:
    tab = opened(page(["one", "two", "three"], label=lambda iri: f"label of {iri}"))
    tab.select_option("#case-kind", "all")
    everything = int(tab.locator("#case-count").inner_text().split()[0])
    assert everything == len(
        {p for a in [*systems(["1", "2", "3"]).values(), reference()] for p in a.pairs}
    )
    tab.fill("#case-search", "LABEL of http://a#39")
    assert tab.locator("#case-rows tr").count() == 1
    tab.fill("#case-search", "")
    tab.select_option("#case-system", "wrong:2")
    assert tab.locator("#case-rows tr").count() == 2  # the third system was given two wrong ones


def test_hostile_names_and_labels_stay_text(opened: Any) -> None:
    tab = opened(page(HOSTILE, label=lambda iri: HOSTILE[int(iri.split("#")[1]) % len(HOSTILE)]))
    assert tab.evaluate("window.broken") is None
    assert tab.locator("img").count() == 0
    assert tab.locator("h1").inner_text() == HOSTILE[2]
    tab.select_option("#case-kind", "all")
    assert tab.locator("#case-rows script").count() == 0
    assert "<script>window.broken=1</script>" in tab.locator("#case-rows").inner_text()


@pytest.mark.parametrize("width", [400, 1000])
def test_the_page_itself_does_not_scroll_sideways(opened: Any, width: int) -> None:
    tab = opened(page(["one", HOSTILE[5], "a rather long name of a system"]))
    tab.set_viewport_size({"width": width, "height": 800})
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_without_javascript_the_answer_and_the_table_are_there() -> None:
    html = page(["one", "two"])
    assert "cannot be told apart" in html or "is better than" in html
    assert "<td>40</td>" in html
    assert html.count("<script") == 2
    assert "http-equiv" in html


def test_the_same_comparison_gives_the_same_bytes() -> None:
    assert page(["one", "two"]) == page(["one", "two"])
