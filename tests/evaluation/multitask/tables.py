"""Tables of scores that several tests judge."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from alignrank.evaluation.multitask import ScoreTable

tables = st.integers(2, 5).flatmap(
    lambda k: st.lists(
        st.lists(st.integers(0, 9), min_size=k, max_size=k), min_size=2, max_size=12
    ).map(lambda rows: np.array(rows) / 10)
)


def table(scores, systems="ABCDEFG", tasks=None) -> ScoreTable:
    values = np.array(scores, dtype=float)
    names = tasks or [f"task {i}" for i in range(len(values))]
    return ScoreTable(tuple(names), tuple(systems[: values.shape[1]]), values)


def ladder(tasks=12, systems=4, noise=0.02, step=0.05) -> ScoreTable:
    """A is best, then B, …"""
    rng = np.random.default_rng(11)
    base = rng.uniform(0.4, 0.8, (tasks, 1))
    return table(base - step * np.arange(systems) + noise * rng.standard_normal((tasks, systems)))


def saying(result, text: str) -> list[str]:
    return [warning for warning in map(str, result.cautions) if text in warning]
