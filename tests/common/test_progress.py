"""What is shown on the way: by the main thread alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from alignrank.common.progress import phase, show_progress, track


@pytest.fixture(name="shown")
def _shown() -> Iterator[list[str]]:
    shown: list[str] = []

    def show(items: Iterable[int], total: int, what: str) -> Iterator[int]:
        shown.append(f"{what} {total}")
        yield from items
        shown.append(f"{what} done")

    show_progress(show)  # type: ignore[arg-type]  # of integers only
    yield shown
    show_progress(None)


def test_a_phase_is_shown_until_it_ends(shown: list[str]) -> None:
    with phase("loading"):
        assert shown == ["loading 1"]
    assert shown == ["loading 1", "loading done"]


def test_an_error_in_a_phase_goes_through(shown: list[str]) -> None:
    with pytest.raises(KeyError), phase("loading"):
        raise KeyError
    assert shown == ["loading 1"]


def test_only_the_main_thread_shows(shown: list[str]) -> None:
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: list(track([1, 2], 2, "numbers"))).result() == [1, 2]
    assert not shown
    assert list(track([1, 2], 2, "numbers")) == [1, 2]
    assert shown == ["numbers 2", "numbers done"]
