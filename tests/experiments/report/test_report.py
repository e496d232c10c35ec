"""The report in a real Chromium: controls work, nothing leaves the page, nothing breaks out."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import networkx
import numba
import numpy as np
import pytest
import scipy

from alignrank.common.errors import Argument, Message, spelled
from alignrank.common.results import Caution, InputFile, Provenance, command
from alignrank.common.table import Table
from alignrank.evaluation import AnalysisSettings, EntityClusters, compare, with_alternatives
from alignrank.evaluation.comparison.contingency import lined_up
from alignrank.evaluation.comparison.result import Matched
from alignrank.evaluation.credit.counts import cases
from alignrank.evaluation.measures.threshold_curve import curve, drawable_curves
from alignrank.evaluation.multitask import ScoreTable, study
from alignrank.evaluation.multitask.study import study_with_choices
from alignrank.evaluation.uncertainty.score_intervals import system_intervals
from alignrank.experiments.presentation.columns import interval_notes, ranks_note, ties_note
from alignrank.experiments.presentation.present import present
from alignrank.experiments.report.figures import draw_outperforms, svg_text
from alignrank.experiments.report.html import Report
from alignrank.experiments.report.result_pages import comparison_report, study_report, thinned_out
from alignrank.experiments.results.folder import read_result
from alignrank.ontologies import Alignment, Correspondence
from alignrank.ontologies.tasks import bundled_task
from tests.experiments.conftest import Pages

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
    alignments = {}
    for k, name in enumerate(names):
        wrong = [Correspondence(f"http://a#{i}", f"http://b#{i + 1}", "=", 0.4) for i in range(k)]
        correct = [
            Correspondence(c.entity1, c.entity2, "=", round(0.5 + i / 100, 2))
            for i, c in enumerate(right[4 * k :])
        ]
        alignments[name] = Alignment([*correct, *wrong])
    return alignments


#: b#5 is above b#6, and b#20 above b#21: of the wrong pairs (a#i, b#i+1) a#5 and a#20 are near.
PARENTS: Any = ({}, {"http://b#6": ("http://b#5",), "http://b#21": ("http://b#20",)})


def page(
    names: list[str], label: Any = lambda iri: iri, parents: Any = None, wide: bool = False
) -> str:
    alignments = anatomy_sized(names) if wide else systems(names)
    return page_of(alignments, reference(1516) if wide else reference(), label, parents)


def limits_of_scores(
    alignments: dict[str, Alignment], right: Alignment
) -> dict[str, dict[str, tuple[float, float]]]:
    """Return the limits of precision, recall and F1 of each system, as a comparison holds them."""
    return {
        name: {interval.name: (interval.low, interval.high) for interval in of_system.intervals}
        for name, of_system in system_intervals(lined_up(alignments, right)).items()
    }


def page_of(
    alignments: dict[str, Alignment],
    right: Alignment,
    label: Any = lambda iri: iri,
    parents: Any = None,
    clusters: Any = None,
    cautions: Sequence[Caution] = (),
    **settings: Any,
) -> str:
    entity_clusters = EntityClusters(clusters)
    compared = compare(alignments, right, AnalysisSettings(**settings, clusters=entity_clusters))
    inputs = {"reference": InputFile(HOSTILE[1], "0" * 64)}
    result = replace(
        with_alternatives(compared),
        provenance=Provenance({"command": "compare", "file": next(iter(alignments))}, inputs),
        cautions=(*compared.cautions, Caution("hostile", HOSTILE[0]), *cautions),
        intervals=limits_of_scores(alignments, right),
    )
    report = comparison_report(
        result,
        present(result),
        cases(alignments.values(), right, parents) if result.has_few_systems else None,
        drawable_curves(alignments, right),
        title=HOSTILE[2],
        label=label,
    )
    ranking = result.deciding.ranking
    graph = svg_text(draw_outperforms(ranking.layers, ranking.edges))
    return replace(report, graph=graph).to_html()


def anatomy_sized(names: list[str]) -> dict[str, Alignment]:
    """Systems of 1,516 correspondences each, every one partly right and partly wrong."""
    alignments = {}
    for k, name in enumerate(names):
        pairs = ((i, i + (k + 1) * (i % 7 < k % 5)) for i in range(1516))
        alignments[name] = Alignment(
            Correspondence(f"http://a#{i}", f"http://b#{j}", "=", round(i / 1516, 3))
            for i, j in pairs
        )
    return alignments


@pytest.fixture
def shown(opened: Pages, tmp_path: Path) -> Iterator[Any]:
    """Function that shows a page; at the end, no request beyond the file."""
    file = tmp_path / "report.html"

    def show_page(html: str) -> Any:
        file.write_text(html, encoding="utf-8")
        tab = opened(file, viewport={"width": 1000, "height": 900})
        assert tab.get_attribute("body", "data-ready") == "yes"
        return tab

    yield show_page
    assert set(opened.requests) == {file.as_uri()}


def table_order(tab: Any, n: int) -> list[str]:
    """Return the systems of the table of scores, from top to bottom."""
    return list(tab.locator("th.name").all_inner_texts()[:n])


def arrows(tab: Any) -> int:
    return int(tab.locator("#graph-note").inner_text().split()[0])


LIBRARY = bundled_task("library")


@pytest.mark.parametrize(
    "options",
    [
        ["--measure", "f1"],
        ["--measure", "fallout", "--source", LIBRARY.source, "--target", LIBRARY.target],
        ["--cluster", "parent", "--source", LIBRARY.source],
        ["--cluster", "parent", "--source", LIBRARY.source, "--test", "durkalski"],
        ["--view", "entity-target", "--correction", "holm"],
    ],
    ids=lambda options: " ".join(str(o) for o in options if not isinstance(o, Path)),
)
def test_the_page_of_every_kind_of_comparison_works(
    shown: Any, shell: Any, tmp_path: Path, options: list[Any]
) -> None:
    out, files = tmp_path / "out", LIBRARY.alignments.values()
    shell.printed("compare", LIBRARY.reference, *files, *options, "--out", out)
    content = json.loads((out / "summary.json").read_text())
    tab = shown((out / "report.html").read_text())
    result = read_result(content)
    for name, view in result.views.items():
        if tab.locator("#view option").count() > 1:
            tab.select_option("#view", name)
        assert arrows(tab) == len(view.edges) > 0
        assert table_order(tab, len(view.order)) == list(view.order)
        assert tab.locator("#matrix td.better").count() == arrows(tab)
        assert result.test in tab.locator("#matrix td.cell").first.get_attribute("aria-label")
    ranks = tab.locator("[data-rank]").all_inner_texts()
    assert len(ranks) == len(result.systems)
    assert ranks[0] == result.deciding.ranks[result.deciding.order[0]]
    decided = {"test": result.test, "correction": result.correction}
    for choice in ("view", "test", "correction"):
        names = tab.locator(f"#{choice} option").all_inner_texts()
        assert decided.get(choice, names[0]) in names
        for name in names if tab.locator(f"#{choice}").is_visible() else []:
            tab.select_option(f"#{choice}", name)
            assert "significant" in tab.locator("#graph-note").inner_text()


def test_the_page_of_one_against_the_others_is_about_these_only(shell: Any, tmp_path: Path) -> None:
    options = ("--focus", "system_good", "--correction", "finner", "--out", tmp_path / "out")
    shell.printed("compare", LIBRARY.reference, *LIBRARY.alignments.values(), *options)
    page = (tmp_path / "out" / "report.html").read_text()
    assert "system_good is significantly better than" in page
    assert '<th scope="col">system_good is</th>' in page
    assert "Finner controls the family-wise error only while" in page
    assert 'id="graph-note"' not in page


def test_each_test_of_a_study_points_its_own_way(shown: Any) -> None:
    # one leads by a little on most tasks, two by a lot on few: signs and means say the opposite
    one, two = np.zeros(40), np.r_[np.full(29, -0.01), np.full(11, 0.5)]
    table = ScoreTable(tuple(f"t{k}" for k in range(40)), ("one", "two"), np.c_[one, two])
    studied = study_with_choices(study(table))
    tab = shown(study_report(studied, present(studied)).to_html())
    ahead = {}
    for test in ("sign", "paired-t"):
        tab.select_option("#test", test)
        ahead[test] = tab.locator("#matrix td.better").first.get_attribute("aria-label")
    assert ahead["sign"].startswith("one against two")
    assert ahead["paired-t"].startswith("two against one")
    tab.select_option("#correction", "none")
    assert "not controlled" in tab.locator("#validity").text_content()


def test_controls_change_graph_ranks_and_matrix(shown: Any) -> None:
    names = ["one", "two", "three", "four"]
    tab = shown(page(names))
    before = arrows(tab)
    assert before == len(compare(systems(names), reference()).edges["ifp"]["bergmann-hommel"])
    ranks = tab.locator("[data-rank]").all_inner_texts()
    tab.fill("#alpha", "0.002")
    assert arrows(tab) < before
    assert tab.locator("[data-rank]").all_inner_texts() != ranks
    shown = tab.inner_text("#graph")
    tab.fill("#alpha", "7")
    assert tab.get_attribute("#alpha", "aria-invalid") == "true"
    outline = "e => getComputedStyle(e).outlineColor"  # also while the field has the focus
    marked = tab.eval_on_selector("#alpha", outline)
    assert tab.inner_text("#graph") == shown  # nothing is drawn by a level that is none
    tab.fill("#alpha", "0.05")
    assert tab.get_attribute("#alpha", "aria-invalid") == "false"
    assert tab.eval_on_selector("#alpha", outline) != marked
    tab.select_option("#correction", "none")
    assert arrows(tab) >= before
    tab.select_option("#view", "cfp")
    assert tab.locator("#matrix tbody tr").count() == len(names)
    box = tab.locator("#graph svg").get_attribute("viewBox")
    tab.click("#zoom-in")
    assert tab.locator("#graph svg").get_attribute("viewBox") != box


def test_an_arrow_is_reached_and_read_with_the_keyboard(shown: Any) -> None:
    tab = shown(page(["one", "two", "three"]))
    tab.focus("#zoom-all")
    tab.keyboard.press("Tab")
    text = tab.locator("#readout").inner_text()
    assert "one against three" in text
    assert "8 that only one has right (n10), 0 that only three has right (n01)" in text
    assert "adjusted p = 0.0" in text
    tab.keyboard.press("Escape")
    assert tab.locator("#readout").is_hidden()
    tab.locator("#graph .system").first.focus()
    assert "better than" in tab.locator("#readout").inner_text()
    tab.locator("#matrix td.cell").first.hover()
    assert "against" in tab.locator("#readout").inner_text()


def test_cases_are_filtered_and_searched(shown: Any) -> None:
    tab = shown(page(["one", "two", "three"], label=lambda iri: f"label of {iri}"))
    tab.select_option("#case-kind", "all")
    everything = int(tab.locator("#case-count").inner_text().split()[0])
    assert everything == len(
        {p for a in [*systems(["1", "2", "3"]).values(), reference()] for p in a.pairs}
    )
    tab.fill("#case-search", "LABEL of http://a#39")
    assert tab.locator("#case-rows tr").count() == 1
    tab.fill("#case-search", "")
    tab.select_option("#case-kind", "wrong")
    tab.select_option("#case-system", "2")
    assert tab.locator("#case-rows tr").count() == 2  # the third system was given two wrong ones
    assert "label of http://a#0 – label of http://b#0" in tab.locator("#case-rows").inner_text()


def test_what_a_system_missed_is_shown_with_what_it_found_instead(shown: Any) -> None:
    names = [f"s{k}" for k in range(12)]
    tab = shown(page(names, parents=PARENTS))
    cell = tab.locator('[data-kind="missed"][data-system="11"]')
    assert cell.inner_text() == "40"  # its 4 · 11 first are left out, of 40
    cell.locator("button").click()
    assert tab.input_value("#case-kind") == "missed"
    assert tab.input_value("#case-system") == "11"
    rows = tab.locator("#case-rows tr").all_inner_texts()
    assert len(rows) == 40
    assert "http://a#0 – http://b#1" in rows[0]


def test_near_misses_are_told_with_the_step(shown: Any) -> None:
    tab = shown(page([f"s{k}" for k in range(12)], parents=PARENTS))
    near = tab.locator('[data-kind="near"]').all_inner_texts()
    assert near == ["0"] * 6 + ["1"] * 6  # a#5 is among the wrong pairs of the last six only
    tab.locator('[data-kind="near"][data-system="11"] button').click()
    (row,) = tab.locator("#case-rows tr").all_inner_texts()
    assert "near miss" in row
    assert "http://a#5 – http://b#5 (target one step up)" in row


def test_without_hierarchies_no_number_of_near_misses_is_claimed() -> None:
    html = page(["one", "two"])
    assert '<td data-kind="near" data-system="0">–</td>' in html
    assert "--source and --target" in html


def test_scores_come_with_intervals() -> None:
    html = page(["one", "two", "three"])
    low, high = limits_of_scores(systems(["1", "2", "3"]), reference())["3"]["recall"]
    assert f"<td>0.800<small>{low:.3f}–{high:.3f}</small></td>" in html


def test_the_order_of_the_scores_follows_the_choices(shown: Any) -> None:
    tab = shown(page(["one", "two", "three", "four", "five"]))
    names = tab.locator("th.name").all_inner_texts()[:5]
    assert names == ["one", "two", "three", "four", "five"]
    tab.select_option("#correction", "none")
    ranks = [text.split("–")[0] for text in tab.locator("[data-rank]").all_inner_texts()]
    assert ranks == sorted(ranks)


def test_a_report_of_ten_systems_on_anatomy_is_small_and_quick(shown: Any) -> None:
    html = page([f"system {k}" for k in range(10)], label=lambda iri: f"label of {iri}", wide=True)
    assert len(html.encode()) < 5_000_000
    tab = shown(html)
    timing = "const t = performance.getEntriesByType('navigation')[0]; t.loadEventEnd - t.startTime"
    assert tab.evaluate(f"() => {{ {timing.replace('; t.', '; return t.')} }}") < 5000
    tab.select_option("#case-kind", "all")
    assert tab.locator("#case-rows tr").count() == 50


def test_a_column_that_would_be_empty_is_not_shown(shown: Any) -> None:
    tab = shown(page(["one", "two", "three"]))
    columns = {"right": 4, "wrong": 5, "all": 5}
    for kind, n in columns.items():
        tab.select_option("#case-kind", kind)
        assert tab.locator("#case-rows tr").first.locator("td").count() == n
        assert tab.locator("#case-instead").is_visible() == (n == 5)


def test_a_control_without_a_choice_is_not_shown(shown: Any) -> None:
    tab = shown(page_of(systems(["one", "two"]), reference(), views=("ifp",)))
    assert not tab.locator("#view").is_visible()
    assert tab.locator("#test").is_visible()


def one_point(n: int) -> dict[str, Alignment]:
    """Systems with one confidence only, each with another F1."""
    return {f"s{k}": Alignment(list(reference())[k:]) for k in range(n)}


def test_dots_of_systems_with_one_confidence_can_be_told_apart(shown: Any) -> None:
    tab = shown(page_of(one_point(20), reference(), views=("ifp",)))
    for place in ("#pr-chart", "#threshold-chart", "#legend"):
        dots = tab.locator(f"{place} .dot").all()
        looks = {
            (one.get_attribute("fill"), one.get_attribute("d").partition("m")[2]) for one in dots
        }
        assert len(looks) == len(dots) == 20, place


@pytest.mark.parametrize("others", [{}, {"one": reference()}])
def test_an_empty_alignment_has_no_curve(shown: Any, others: dict[str, Alignment]) -> None:
    alignments = {"nothing": Alignment(), "none": Alignment(), **others}
    tab = shown(page_of(alignments, reference(), views=("ifp",)))
    assert tab.locator("#pr-chart .line").count() == len(others)
    assert "nothing no correspondence, no curve" in tab.locator("#legend").inner_text()
    assert "NaN" not in tab.content().partition('<script type="application/json"')[0]


@pytest.mark.parametrize("n", [3, 20])
def test_on_paper_it_has_five_pages_at_most(shown: Any, n: int) -> None:
    tab = shown(page([f"system {k}" for k in range(n)], parents=PARENTS))
    paper = tab.pdf(format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "15mm"))
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", paper)) <= 5


def test_on_paper_the_cautions_are_open_and_the_controls_are_gone(shown: Any) -> None:
    tab = shown(page([f"s{k}" for k in range(6)]))
    tab.emulate_media(media="print")
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert tab.locator("details.cautions").get_attribute("open") is not None
    for hidden in ("nav", "#case-next", "#zoom-in", "#case-search"):
        assert not tab.locator(hidden).is_visible()


@pytest.mark.parametrize("choices", [{"correction": "none"}, {"alpha": 0.002}, {"view": "ifp"}])
def test_a_switched_answer_is_that_of_a_comparison_made_so(
    shown: Any, choices: dict[str, Any]
) -> None:
    alignments = systems(["one", "two", "three", "four", "five"])
    tab = shown(page_of(alignments, reference()))
    first = tab.inner_text(".answer")
    for name, value in choices.items():
        control = tab.locator(f"#{name}")
        (control.fill if name == "alpha" else control.select_option)(str(value))
    settings = {"views": (choices["view"],)} if "view" in choices else choices
    made = compare(alignments, reference(), AnalysisSettings(**settings))
    assert answer_on(tab) == " ".join(made.answer())
    shown = tab.locator("[data-letters]").all_inner_texts()
    assert shown == [made.deciding.letters[name] for name in made.deciding.order]
    for name, value in choices.items():
        assert f"{name} " in tab.inner_text("#switched")
        assert f"{name}={value}" in tab.url
        assert "Switched after" in tab.inner_text(".cautions")
    address = tab.url
    tab.click(".answer button")
    assert tab.inner_text(".answer") == first
    assert "=" not in tab.url
    tab.goto(address)
    tab.reload()
    assert answer_on(tab) == " ".join(made.answer())


def answer_on(tab: Any) -> str:
    return " ".join(tab.locator(".answer p:not(.soft)").inner_text().split())


def test_tables_and_cautions_follow_the_view(shown: Any) -> None:
    tab = shown(page(["one", "two", "three"]))
    tables = tab.locator(".table[data-view]")
    for view in ("ifp", "entity"):
        tab.select_option("#view", view)
        assert tables.locator("visible=true").count() > 0
        assert [t.get_attribute("data-view") for t in tables.all() if t.is_visible()] == [view]
        for item in tab.locator(".cautions li[data-view]").all():
            assert (item.get_attribute("hidden") is None) == (
                item.get_attribute("data-view") == view
            )
    row = tables.locator("visible=true").locator("tbody tr").nth(1)
    assert row.locator("td").all_inner_texts()[:2] == ["one", "three"]
    assert row.locator("td").nth(2).inner_text() == "better"
    tab.fill("#alpha", "0.001")
    assert row.locator("td").nth(2).inner_text() == "undecided"


def test_a_pair_that_cannot_reach_significance_is_called_so_as_it_was_decided(shown: Any) -> None:
    alignments = systems(["one", "two"])
    tab = shown(page_of(alignments, reference()))
    row = tab.locator(".table[data-view]").locator("visible=true").locator("tbody tr").first
    assert row.locator("td").nth(2).inner_text() == "cannot reach significance"
    out_of_reach = "Too few items differ: no comparison can be significant here."
    assert answer_on(tab) == out_of_reach
    tab.select_option("#view", "ifp")
    by_ifp = compare(alignments, reference(), AnalysisSettings(views=("ifp",)))
    assert answer_on(tab) == " ".join(by_ifp.answer()) == out_of_reach
    tab.fill("#alpha", "0.2")  # four of one system, none of the other: a mid-p of 0.0625
    assert answer_on(tab).startswith("one scores best (")


def test_the_script_reads_no_text_of_a_table(shown: Any) -> None:
    html = page(["one", "two", "three"])
    switches = ({"view": "ifp"}, {"view": "entity", "alpha": "0.001"})

    def states(tab: Any) -> list[list[list[str]]]:
        texts = []
        for choices in switches:
            for name, value in choices.items():
                control = tab.locator(f"#{name}")
                (control.fill if name == "alpha" else control.select_option)(value)
            rows = tab.locator(".table[data-view] tbody tr:visible").all()
            texts.append([row.locator("td").all_inner_texts()[2:4] for row in rows])
        return texts

    expected = states(shown(html))
    assert [len(rows) for rows in expected] == [3, 3]
    head, details = html.split('<div id="details">')
    for name in ("one", "two", "three"):
        details = details.replace(f"<td class=left>{name}</td>", "<td class=left>(1 rows)</td>")
    assert states(shown(f'{head}<div id="details">{details}')) == expected


def test_a_chosen_curve_dims_no_heading(shown: Any) -> None:
    tab = shown(page(["one", "two", "three"]))
    tab.hover("#legend span >> nth=0")
    assert tab.locator(".dim").count() > 0
    assert tab.locator("th.dim").count() == 0


def test_a_matrix_is_one_tab_stop_and_arrow_keys_lead_through_it(shown: Any) -> None:
    tab = shown(page(["one", "two", "three"]))
    assert tab.locator("#matrix [tabindex='0']").count() == 1
    assert tab.locator("#graph [tabindex='0']").count() == 1
    tab.locator("#matrix [tabindex='0']").focus()
    for key, pair in (("ArrowRight", "one against three"), ("ArrowDown", "two against three")):
        tab.keyboard.press(key)
        assert pair in tab.inner_text("#readout")
    tab.keyboard.press("ArrowLeft")  # over the diagonal
    assert "two against one" in tab.inner_text("#readout")
    assert tab.locator("#matrix [tabindex='0']").count() == 1


#: Text whose colour has a contrast below 4.5 with what lies behind it.
FAINT = """() => {
  const parts = (c) => (c.match(/[0-9.]+/g) || []).map(Number);
  const light = (c) => parts(c).slice(0, 3).map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const c = getComputedStyle(node).backgroundColor, a = parts(c);
      if (a.length < 4 || a[3] > 0) return c;
    }
    return "rgb(255, 255, 255)";
  };
  const faint = [];
  for (const node of document.querySelectorAll("body *:not(svg *):not(:disabled)")) {
    const own = [...node.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || !node.checkVisibility()) continue;
    const [a, b] = [light(getComputedStyle(node).color), light(behind(node))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) faint.push(node.outerHTML.slice(0, 200));
  }
  return faint;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(shown: Any, scheme: str) -> None:
    tab = shown(page(["one", "two", "three", "four"], parents=PARENTS))
    tab.emulate_media(color_scheme=scheme)
    tab.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    tab.select_option("#correction", "none")
    assert tab.evaluate(FAINT) == []
    assert tab.locator("main").count() == 1
    assert tab.locator("body > :not(main, script, .readout)").count() == 0
    assert all(text.strip() for text in tab.locator("th").all_text_contents())


def test_hostile_names_and_labels_stay_text(shown: Any) -> None:
    tab = shown(page(HOSTILE, label=lambda iri: HOSTILE[int(iri.split("#")[1]) % len(HOSTILE)]))
    assert tab.evaluate("window.broken") is None
    assert tab.locator("img").count() == 0
    assert tab.locator("h1").inner_text() == HOSTILE[2]
    tab.select_option("#case-kind", "all")
    assert tab.locator("#case-rows script").count() == 0
    assert "<script>window.broken=1</script>" in tab.locator("#case-rows").inner_text()


@pytest.mark.parametrize("width", [400, 480, 1200])
def test_the_page_itself_does_not_scroll_sideways(shown: Any, width: int) -> None:
    tab = shown(page(["one", HOSTILE[5], "a rather long name of a system"]))
    tab.set_viewport_size({"width": width, "height": 800})
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_without_javascript_the_answer_and_the_table_are_there() -> None:
    html = page(["one", "two", "three"])
    assert "one scores best (right 1.000, F1 1.000); two is not significantly different." in html
    assert "<td>40</td>" in html
    assert 'aria-label="Who outperforms whom"' in html  # a plain graph, which the script replaces
    assert html.count("<script") == 2
    assert "http-equiv" in html


def test_the_same_comparison_gives_the_same_bytes() -> None:
    assert page(["one", "two"]) == page(["one", "two"])


def test_long_tables_and_many_input_files_are_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [[f"s{k}", "0.5"] for k in range(40)]
    origin = Provenance({"seed": 0}, {f"{k}": InputFile("file", "0" * 64) for k in range(40)})
    short = Table("Short", ["name", "value"], rows[:3], strong=[(1, 1)])
    tables = [short, Table("Long", ["name", "value"], rows)]
    result = compare(systems(["s0", "s1", "s2"]), reference())
    ranked = Report(
        "t", [], present(result), tables=tables, systems=["s0", "s1", "s2"], provenance=origin
    )
    monkeypatch.setattr("sys.argv", ["alignrank", "x"])
    html = ranked.to_html()
    assert "<h2>Short</h2>" in html
    assert html.count("<strong>0.5</strong>") == 1  # a footnote may speak of what is bold
    assert '<details data-title="Long"><summary>Long (40 rows)</summary>' in html
    assert "<summary>40 input files</summary>" in html
    assert "<code>alignrank x</code>" in html
    unranked = Report("t", ["a."], None, tables=[tables[1], tables[1]], systems=[])
    assert "<h2>Long</h2>" in unranked.to_html()  # what a page is about is not folded


def test_the_first_sentence_is_strong_and_a_name_ends_none() -> None:
    names = ["v1. new", "v1.", "b"]
    for sentence in ("v1. new scores best; v1. is not significantly different.", "v1. is <best>."):
        html = Report("t", [sentence, "The rest."], None, systems=names).to_html()
        assert f"<p><strong>{escape(sentence)}</strong> The rest.</p>" in html


def test_cautions_name_options_where_a_command_made_the_page() -> None:
    text = Message("`compare` takes your own groups (", Argument("clusters"), ")")
    report = Report("t", ["a."], cautions=[Caution("no-parent", text)], systems=[])
    assert "takes your own groups (clusters=...)" in report.to_html()
    with spelled(lambda name, value: "--cluster"):
        assert "takes your own groups (--cluster)" in report.to_html()


#: Names that look like what a sentence is made of: a view, the end of a sentence, a label.
MISLEADING = ["cfp", "My tool. With BK", "entity: x"]


def test_a_name_that_looks_like_a_part_of_the_text_stays_a_name(shown: Any) -> None:
    alignments = systems(MISLEADING)
    result = compare(alignments, reference())
    of_a_system = [Caution("mended", f"{name}: read as it is", system=name) for name in MISLEADING]
    of_a_view = [Caution("test-sensitive", "it depends on the test", view="cfp")]
    tab = shown(page_of(alignments, reference(), cautions=(*of_a_system, *of_a_view)))
    assert tab.inner_text(".answer strong") == result.answer()[0]
    for view in ("entity", "cfp"):
        tab.select_option("#view", view)
        by_view = compare(alignments, reference(), AnalysisSettings(views=(view,)))
        assert answer_on(tab) == " ".join(by_view.answer())
        shown = tab.locator(".cautions li:not([hidden])").all_text_contents()
        assert {f"{name}: read as it is" for name in MISLEADING} <= {*shown}
        assert ("cfp: it depends on the test" in shown) == (view == "cfp")
    row = tab.locator(".table[data-view=cfp] tbody tr").nth(1).locator("td")
    assert row.all_inner_texts()[:3] == ["cfp", "entity: x", "better"]


def test_the_report_names_the_versions() -> None:
    html = page(["one", "two"])
    assert f"<dt>Python</dt><dd>{platform.python_version()}</dd>" in html
    for library in (np, scipy, numba, networkx):
        assert f"{library.__name__} {library.__version__}" in html


def test_the_command_that_makes_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["/bin/alignrank", "rank", "a b.owl", "--out", "x", "--quiet"])
    assert command() == "alignrank rank 'a b.owl' --out results"
    monkeypatch.setattr("sys.argv", ["alignrank", "study", "s.csv", "--out=y", "--overwrite"])
    assert command() == "alignrank study s.csv --out results"
    monkeypatch.setattr("sys.argv", ["pytest"])
    assert command() == ""


def test_the_page_keeps_the_order_of_the_screen(
    oaei: Path, shell: Any, shown: Any, tmp_path: Path
) -> None:
    """One system is significantly worse than the best, and not the last by its mean."""
    track = oaei / "conference"
    words = ("study", track / "systems-2019", "--reference", track / "reference")
    printed = shell.printed(*words, "--out", tmp_path / "out").splitlines()
    begin = next(k for k, line in enumerate(printed) if line.startswith("system "))
    on_screen = [line.split()[0] for line in printed[begin + 1 : begin + 8]]
    page = shown((tmp_path / "out" / "report.html").read_text(encoding="utf-8"))
    names = page.locator("tr:has([data-rank]) th, tr:has([data-rank]) td:first-child")
    assert [name.strip() for name in names.all_inner_texts()] == on_screen
    assert on_screen[3] == "Wiktionary"


def test_a_difference_of_more_than_100_is_explained() -> None:
    right = reference()
    noise = Alignment(Correspondence(f"n{k}", f"m{k}") for k in range(3 * len(right)))
    notes = interval_notes(compare({"good": right, "noisy": right | noise}, right).deciding)
    assert "net: difference in right answers per 100 source entities of the reference." in notes
    assert "More than 100 is possible: wrong answers outside the reference count, too." in notes
    few = compare(systems(["one", "two"]), right).deciding
    assert "More than 100" not in interval_notes(few)


def test_a_focus_that_is_worse_by_more_than_100_is_explained() -> None:
    """Only a focus that is better was."""
    right = reference()
    noise = Alignment(Correspondence(f"n{k}", f"m{k}") for k in range(3 * len(right)))
    compared = {"good": right, "noisy": right | noise}
    for focus in compared:
        view = compare(compared, right, AnalysisSettings(focus=focus)).deciding
        assert "More than 100 is possible" in interval_notes(view)


def test_ranks_and_brackets_are_explained_by_the_first_that_is_shown() -> None:
    result = compare(systems(["one", "two", "three"]), reference())
    view = result.deciding
    ranges = [view.ranks[name] for name in view.order if "–" in view.ranks[name]]
    expected = f"rank {ranges[0]}: the tests allow each." if ranges else ""
    assert ranks_note(view) == expected
    assert ties_note(result) == ""
    limits = {"two": (3, 3), view.order[0]: (2, 5)}
    tied = replace(result, matched=Matched("assign-then-cut", {}, correct_range=limits))
    assert ties_note(tied) == "[2–5]: range over assignments of equal similarity."


def test_a_curve_of_the_page_has_the_point_of_its_largest_f1() -> None:
    wrong = [Correspondence(f"a#{k}", f"c#{k}", confidence=0.5 - k / 1e4) for k in range(1_000)]
    right = [Correspondence(f"a#{k}", f"b#{k}", confidence=0.9 - k / 1e4) for k in range(501)]
    of_system = curve(Alignment([*right, *wrong]), Alignment(right))
    thin = thinned_out({"A": of_system})["A"]
    assert len(thin["f1"]) < len(of_system.points)
    assert max(thin["f1"]) == round(of_system.best.f1, 4) == 1
