"""The critical-difference diagram: bars only over groups, the same bytes each time."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evaluation import rank
from experiments.report.figures.critical_difference import (
    bar_rows,
    draw_critical_difference,
    segments,
)
from experiments.report.figures.style import save


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
