"""The outperforms graph and the critical-difference diagram: what is drawn, the same bytes."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation import rank
from alignrank.evaluation.ranking import drawn_edges
from alignrank.experiments.report.figures.ranking_diagrams import (
    bar_rows,
    draw_critical_difference,
    draw_outperforms,
    segments,
)
from alignrank.experiments.report.figures.style import save

LAYERS = [["a"], ["b", "c"], ["d"]]
EDGES = [("a", "b"), ("a", "c"), ("a", "d"), ("c", "d")]


def reachable(edges: list[tuple[str, str]]) -> set[tuple[str, str]]:
    found = set(edges)
    while True:
        more = {(a, d) for a, b in found for c, d in found if b == c} - found
        if not more:
            return found
        found |= more


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5))))
def test_every_arrow_can_be_read_off_and_no_other(pairs: set[tuple[int, int]]) -> None:
    edges = [(str(min(p)), str(max(p))) for p in pairs if p[0] != p[1]]
    shown, reduced = drawn_edges(edges)
    assert set(shown) <= set(edges)
    if reduced:
        assert reachable(shown) == set(edges)  # a reduced drawing says exactly what the graph says
    else:
        assert set(shown) == set(edges)


def test_every_system_is_named_and_svg_is_reproducible(tmp_path: Path) -> None:
    def draw(stem: str) -> bytes:
        figure = draw_outperforms(LAYERS, EDGES, title="ifp", scores={"a": "F1 .9"})
        svg, png = save(figure, tmp_path / stem, ("svg", "png"))
        assert png.read_bytes().startswith(b"\x89PNG")
        return svg.read_bytes()

    assert draw("one") == draw("two")
    figure = draw_outperforms(LAYERS, EDGES)
    texts = {text.get_text() for text in figure.axes[0].texts}
    assert {"a", "b", "c", "d"} <= texts
    assert not {"1", "2", "3"} & texts  # a layer is no place


def test_an_arrow_over_a_layer_runs_beside_its_boxes() -> None:
    figure = draw_outperforms([["a"], ["b"], ["c"]], [("a", "c")])
    boxes = [p for p in figure.axes[0].patches if hasattr(p, "get_boxstyle")]
    arrow = next(p for p in figure.axes[0].patches if not hasattr(p, "get_boxstyle"))
    middle = boxes[1]
    left, right = middle.get_x(), middle.get_x() + middle.get_width()
    beside = [x for x, y in arrow._path_original.vertices if -1.21 < y < -0.79]
    assert beside
    assert all(x < left or x > right for x in beside)


def test_no_difference_is_said() -> None:
    figure = draw_outperforms([["a", "b"]], [])
    assert any("no significant difference" in t.get_text() for t in figure.axes[0].texts)


@given(st.integers(2, 7), st.integers(0, 10_000))
def test_solid_bars_never_pass_a_system_that_is_not_in_the_group(k, seed):
    rng = np.random.default_rng(seed)
    ranks = {f"s{i}": float(rank) for i, rank in enumerate(rng.uniform(1, k, k))}
    p = np.triu(rng.uniform(0, 0.1, (k, k)), 1)
    groups = rank(list(ranks), np.triu(np.ones((k, k)), 1), p + p.T).groups
    rows = bar_rows(ranks, groups)
    assert sorted(map(tuple, (g for row in rows for g in row))) == sorted(groups)
    for row in rows:
        for first, second in combinations(row, 2):
            assert max(ranks[s] for s in first) < min(ranks[s] for s in second)
    for group in groups:
        pieces = segments(ranks, group)
        assert len(pieces) == len(group) - 1
        for low, high, whole in pieces:
            between = [s for s, rank in ranks.items() if low < rank < high]
            assert whole == (not between)
            assert not set(between) & set(group)


def test_a_group_that_is_no_interval_is_dotted_where_it_passes_the_outsider():
    ranks = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}
    figure = draw_critical_difference(ranks, [["a", "c", "d"], ["b", "d"]])
    bars = [
        (line.get_xdata().tolist(), line.get_linestyle() == "-")
        for line in figure.axes[0].lines
        if line.get_zorder() == 3
    ]
    assert bars == [([1, 3], False), ([3, 4], True), ([2, 4], False)]


def test_names_ranks_and_the_ruler_are_drawn():
    figure = draw_critical_difference(
        {"alpha": 1.25, "beta": 1.75}, [], critical_difference=0.8, title="two"
    )
    words = " ".join(text.get_text() for text in figure.axes[0].texts)
    assert "alpha (1.25)" in words
    assert "(1.75) beta" in words
    assert "CD = 0.800" in words
    assert figure.axes[0].get_title() == "two"


def test_the_same_figure_is_the_same_bytes(tmp_path):
    def drawn(name: str) -> list[bytes]:
        figure = draw_critical_difference({"a": 1.2, "b": 1.8, "c": 3.0}, [["a", "b"]])
        return [path.read_bytes() for path in save(figure, tmp_path / name)]

    assert drawn("one") == drawn("two")
    assert b"<dc:date>" not in drawn("one")[0]


def test_many_systems_get_few_ticks():
    ranks = {f"s{i}": float(i) for i in range(1, 51)}
    texts = draw_critical_difference(ranks, []).axes[0].texts
    assert sum(text.get_text().isdigit() for text in texts) <= 11
