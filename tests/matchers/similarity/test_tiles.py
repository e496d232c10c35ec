"""Tiles hold exactly the entries of the whole matrix at or above the threshold."""

from __future__ import annotations

import _thread
import threading
import time
import tracemalloc
from collections.abc import Iterable, Iterator
from itertools import repeat

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common import executor
from alignrank.common.progress import show_progress
from alignrank.matchers import MatcherError, Metric, get_metric
from alignrank.matchers.by_name import METRICS
from alignrank.matchers.kernels.search import Thresholded
from alignrank.matchers.similarity import tiles
from alignrank.matchers.similarity.matrix import string_similarities
from alignrank.matchers.similarity.strings import Strings
from alignrank.matchers.similarity.tiles import equal_pairs, similar_pairs
from tests.generated import examples

BUILT_IN = [metric.name for metric in METRICS.values() if metric.family in ("standard", "ontosim")]
words = st.lists(
    st.one_of(
        st.text("ab", max_size=9),
        st.text("abc _", max_size=25),
        st.text("abcd", min_size=60, max_size=70),
    ),
    min_size=1,
    max_size=12,
)


@pytest.fixture(autouse=True)
def small_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "TILE", (3, 2))


def check(name: str, sources: list[str], targets: list[str], threshold: float) -> None:
    metric = get_metric(name)
    matrix = string_similarities(sources, targets, metric)
    found = similar_pairs(sources, targets, metric, threshold)
    np.testing.assert_array_equal(found.toarray(), np.where(matrix >= threshold, matrix, 0.0))
    assert found.has_canonical_format
    assert found.nnz == np.count_nonzero(matrix >= threshold)


@pytest.mark.parametrize("name", BUILT_IN)
@given(sources=words, targets=words, threshold=st.sampled_from([0.05, 0.5, 2 / 3, 0.8, 1.0]))
@examples(25)
def test_no_edge_is_lost(
    name: str, sources: list[str], targets: list[str], threshold: float
) -> None:
    check(name, sources, targets, threshold)


@given(
    name=st.sampled_from(BUILT_IN),
    sources=words,
    targets=words,
    threshold=st.sampled_from([0.05, 0.8]),
)
@examples(60)
def test_no_edge_is_lost_in_tiles_with_too_many_candidates(
    name: str, sources: list[str], targets: list[str], threshold: float
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Thresholded, "edges", lambda self, rows, columns: None)
        check(name, sources, targets, threshold)


def test_a_metric_without_a_kernel_works_as_well() -> None:
    metric = get_metric("rapidfuzz:ratio")
    sources, targets = ["heart", "tail", "left lung"], ["hearts", "lung", "tails"]
    found = similar_pairs(sources, targets, metric, 0.6).toarray()
    matrix = string_similarities(sources, targets, metric)
    np.testing.assert_array_equal(found, np.where(matrix >= 0.6, matrix, 0.0))


def test_nothing_similar_and_nothing_at_all() -> None:
    metric = get_metric("jaro")
    assert similar_pairs(["abc"], ["xyz"], metric, 0.5).nnz == 0
    assert similar_pairs([], ["xyz"], metric, 0.5).shape == (0, 1)
    assert similar_pairs(["abc"], [], metric, 0.5).shape == (1, 0)


@given(words, words, st.sampled_from([None, 1, 2]))
def test_equal_pairs_are_those_of_two_loops(
    sources: list[str], targets: list[str], most: int | None
) -> None:
    sources, targets = sources * 2, targets * 3 + sources[:1]
    expected = [
        [row, column]
        for row, source in enumerate(sources)
        for column in [k for k, target in enumerate(targets) if target == source][:most]
    ]
    assert equal_pairs(sources, targets, most).tolist() == expected


def test_equal_pairs_are_held_in_columns() -> None:
    names = ["a"] * 500
    tracemalloc.start()
    pairs = equal_pairs(names, names)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * pairs.nbytes  # tuples of Python take six times as much


def test_progress_is_told_part_by_part() -> None:
    seen: list[tuple[int, str]] = []

    def show(items: Iterable[object], total: int, what: str) -> Iterator[object]:
        for item in items:
            yield item
            seen.append((total, what))

    show_progress(show)
    try:
        similar_pairs(["abc"] * 10, ["abc"], get_metric("jaro"), 0.5)
    finally:
        show_progress(None)
    assert seen == [(4, "parts of jaro")] * 4


@pytest.mark.parametrize("threads", [1, 2])
def test_no_tile_is_begun_after_an_interrupt(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    monkeypatch.setattr(executor, "available_processors", lambda: threads)
    done: list[int] = []
    enough = threading.Event()

    def edges(self: Thresholded, rows: tuple[int, int], columns: tuple[int, int]) -> None:
        done.append(threading.get_ident())
        if len(done) == 3:
            enough.set()
            raise KeyboardInterrupt  # as Ctrl-C does in the main thread
        enough.wait(0.05)

    monkeypatch.setattr(Thresholded, "edges", edges)
    with pytest.raises(KeyboardInterrupt):
        similar_pairs(["abc"] * 60, ["abd"] * 60, get_metric("jaro"), 0.5)
    assert len(done) <= 3 + threads  # no more than what was begun


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_of_the_main_thread_ends_it_after_the_tiles_that_were_begun(
    monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    monkeypatch.setattr(executor, "available_processors", lambda: threads)
    begun: list[int] = []

    def edges(self: Thresholded, rows: tuple[int, int], columns: tuple[int, int]) -> None:
        begun.append(rows[0])
        if len(begun) == 3:
            _thread.interrupt_main()  # Ctrl-C, wherever the main thread is
        time.sleep(0.05)

    monkeypatch.setattr(Thresholded, "edges", edges)
    with pytest.raises(KeyboardInterrupt):
        similar_pairs(["abc"] * 60, ["abd"] * 60, get_metric("jaro"), 0.5)
    assert len(begun) <= 3 + 2 * threads  # of 30 tiles in the first rows alone


@pytest.mark.parametrize("name", ["equality", "levenshtein"])
def test_nothing_reaches_a_threshold_above_one(name: str) -> None:
    assert similar_pairs(["a"], ["a"], get_metric(name), 1.5).nnz == 0


def test_nan_is_refused() -> None:
    metric = Metric("odd", "custom", lambda s, t: float("nan"), "", "")
    with pytest.raises(MatcherError, match="'odd' gave NaN"):
        similar_pairs(["a"], ["b"], metric, 0.5)


def test_wrong_limits_are_refused() -> None:
    metric = get_metric("jaro")
    for threshold in (0.0, float("nan")):
        with pytest.raises(MatcherError, match="name one above 0"):
            similar_pairs(["a"], ["a"], metric, threshold)


def test_edges_that_do_not_fit_are_refused_with_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "available_memory", lambda: 300)
    similar_pairs(["ab"] * 6, ["ab"], get_metric("jaro"), 0.5)  # 96 bytes
    with pytest.raises(MatcherError, match=r"from 0\.5 on that are found already need .* a higher"):
        similar_pairs(["ab"] * 10, ["ab"], get_metric("jaro"), 0.5)


ANY = st.text(st.characters(), max_size=6)  # surrogates as well


@given(st.lists(ANY, max_size=20))
@examples(100)
def test_strings_come_back_as_they_went_in(names: list[str]) -> None:
    packed = Strings(iter(names))
    assert len(packed) == len(names)
    assert list(packed) == names == [packed[k] for k in range(len(names))]


def test_many_strings_are_packed_together() -> None:
    names = [*map(str, range(9000)), "cœur", "", *repeat("Herz", 5000)]
    packed = Strings(names)
    assert list(packed) == names
    assert (packed[9000], packed[-1]) == ("cœur", "Herz")
    with pytest.raises(IndexError):
        packed[len(names)]
