"""What a command prints: one readable table, the answer in words, and what to be wary of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from rich.console import Console


Mode = Literal["text", "quiet", "json"]
_MODE: ContextVar[Mode] = ContextVar("mode", default="text")
#: Width of a line in a pipe: of no table is anything left out there.
_PIPE = 20_000
#: Width of a name on a terminal: the numbers beside it are to be seen.
_NAME = 30


def set_mode(mode: Mode) -> None:
    """Choose what commands print: text, nothing, or their summary as JSON."""
    _MODE.set(mode)


def console() -> Console:
    """Return a console as wide as the terminal; in a pipe, lines are not cut."""
    from rich.console import Console

    quiet = _MODE.get() != "text"
    wide = Console(highlight=False, emoji=False, markup=False, quiet=quiet)
    if wide.is_terminal:
        return wide
    return Console(highlight=False, emoji=False, markup=False, width=_PIPE, quiet=quiet)


def say(text: str) -> None:
    """Print a line of text, unless ``--quiet`` or ``--json`` was given."""
    if _MODE.get() == "text":
        print(text, flush=True)


def finish(content: Mapping[str, Any], out: Path | None) -> None:
    """Say where the results are; with ``--json`` print the summary instead."""
    if _MODE.get() == "json":
        print(json.dumps(content, ensure_ascii=False, allow_nan=False))
    elif out is not None:
        console().print(f"Results: {out}", soft_wrap=True)


def print_comparison(content: Mapping[str, Any], *, heading: str) -> None:
    """Print the scores and ranks of a `summary`, best first, and what it says in words."""
    from rich.table import Table

    from evaluation.ranking.graph import answer, rank_ranges

    systems = content["systems"]
    correction = content["settings"]["correction"]
    edges = {view: graphs[correction] for view, graphs in content["edges"].items()}
    places = {view: rank_ranges(systems, arrows) for view, arrows in edges.items()}
    first = next(iter(edges))
    scored = "scores" in content
    out = console()
    table = Table(box=None, pad_edge=False)
    table.add_column("system", no_wrap=True, max_width=_NAME if out.is_terminal else None)
    measures = ("found", "correct", "precision", "recall", "F1") if scored else ()
    for name in (*measures, *content.get("values", {}), *(f"rank {v}" for v in edges)):
        table.add_column(name, justify="right", no_wrap=True)
    for s in best_first(content, places[first]):
        cells = _measures(content, s) if scored else []
        values = [f"{by_system[s]:.4f}" for by_system in content.get("values", {}).values()]
        table.add_row(s, *cells, *values, *(place[s] for place in places.values()))
    out.print(heading, soft_wrap=True)
    out.print(table)
    test = content["settings"]["test"]
    out.print()
    for view, arrows in edges.items():
        pairs = [(better, worse) for better, worse in arrows]
        out.print(f"{view} ({test}, {correction}): {answer(systems, pairs)}", soft_wrap=True)
    print_notes([*content["warnings"], *content.get("notes", [])])


def _measures(content: Mapping[str, Any], system: str) -> list[str]:
    counts, scores = content["counts"][system], content["scores"][system]
    shown = [decimals(scores[name]) for name in ("precision", "recall", "f1")]
    return [str(counts["found"]), correct_range(counts), *shown]


def best_first(content: Mapping[str, Any], places: Mapping[str, str]) -> list[str]:
    """Return the systems by rank, those of one rank by the measure or by what they have correct."""
    from evaluation.credit.credits import LESS_IS_BETTER

    better = {s: counts["correct"] for s, counts in content.get("counts", {}).items()}
    for measure, values in content.get("values", {}).items():
        better = {s: -v if measure in LESS_IS_BETTER else v for s, v in values.items()}

    def order(s: str) -> tuple[int, float, str]:
        return int(places[s].split("–")[0]), -better.get(s, 0), s

    return sorted(content["systems"], key=order)


def print_notes(notes: Iterable[str]) -> None:
    """Print sentences that the reader should know, one line each."""
    out = console()
    for note in notes:
        out.print(f"note: {note}", soft_wrap=True)


def correct_range(counts: Mapping[str, int]) -> str:
    """Return the number of correct correspondences, with its range over ties where it has one.

    Examples
    --------
    >>> correct_range({"correct": 7, "correct_min": 5, "correct_max": 8})
    '7 [5–8]'
    """
    low, high = counts.get("correct_min"), counts.get("correct_max")
    return str(counts["correct"]) if low == high else f"{counts['correct']} [{low}–{high}]"


def p_value(p: float) -> str:
    """Return "= 0.0123", or a bound where the number underflows.

    Examples
    --------
    >>> p_value(0.01234), p_value(0.0)
    ('= 0.0123', '< 1e-300')
    """
    return f"= {p:.3g}" if p > 1e-300 else "< 1e-300"


def decimals(value: float | None) -> str:
    """Return a score with three decimals, a dash where it is undefined."""
    return "–" if value is None else f"{value:.3f}"
