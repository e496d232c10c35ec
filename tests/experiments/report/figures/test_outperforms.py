"""The outperforms graph: what is drawn, and the same bytes each time."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from evaluation.ranking import drawn_edges
from experiments.report.figures.outperforms import draw_outperforms
from experiments.report.figures.style import save

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
    assert {"a", "b", "c", "d", "1", "2", "3"} <= texts


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
