"""The kernels beside other libraries that compare strings."""

from __future__ import annotations

import importlib
import importlib.metadata
import random
import statistics
from collections.abc import Callable
from typing import Any

from matrices import matrices
from rapidfuzz.distance import Hamming, Jaro, JaroWinkler, Levenshtein
from rapidfuzz.process import cdist
from timing import seconds, spread


def peer_calls() -> tuple[list[tuple[str, str, Callable[[str, str], object]]], list[str]]:
    """Return (metric, library, function of a pair), and the libraries that are not installed."""
    found: list[tuple[str, str, Callable[[str, str], object]]] = []
    missing: list[str] = []

    def offer(
        metric: str, library: str, make: Callable[[Any], Callable[[str, str], object]]
    ) -> None:
        try:
            found.append((metric, library, make(importlib.import_module(library))))
        except ImportError:
            missing.append(library)

    offer("levenshtein", "jellyfish", lambda m: m.levenshtein_distance)
    offer("jaro", "jellyfish", lambda m: m.jaro_similarity)
    offer("jaro-winkler", "jellyfish", lambda m: m.jaro_winkler_similarity)
    offer("hamming", "jellyfish", lambda m: m.hamming_distance)
    offer("levenshtein", "polyleven", lambda m: m.levenshtein)
    offer("levenshtein", "textdistance", lambda m: m.Levenshtein(external=False).similarity)
    offer("needleman-wunsch", "textdistance", lambda m: m.NeedlemanWunsch().similarity)
    offer("jaro", "textdistance", lambda m: m.Jaro(external=False).similarity)
    offer("ngram", "textdistance", lambda m: m.Sorensen(qval=3).similarity)
    offer("substring", "textdistance", lambda m: m.LCSStr().similarity)
    offer("kondrak-tri-dist", "strsimpy", lambda m: m.NGram(3).distance)
    offer("levenshtein", "strsimpy", lambda m: m.Levenshtein().distance)
    offer("levenshtein", "py_stringmatching", lambda m: m.Levenshtein().get_raw_score)
    offer("needleman-wunsch", "py_stringmatching", lambda m: m.NeedlemanWunsch().get_raw_score)
    offer("jaro", "py_stringmatching", lambda m: m.Jaro().get_raw_score)
    offer("jaro-winkler", "py_stringmatching", lambda m: m.JaroWinkler().get_raw_score)
    offer("substring", "difflib", lambda m: _difflib_match(m))
    return found, list(dict.fromkeys(missing))


def _difflib_match(difflib: Any) -> Callable[[str, str], object]:
    return lambda s, t: difflib.SequenceMatcher(None, s, t, False).find_longest_match()


def peer_table(sources: list[str], targets: list[str]) -> str:
    """Return pairs per second of other libraries, on a sample, beside ours on everything."""
    rng = random.Random(0)
    sample = [(rng.choice(sources), rng.choice(targets)) for _ in range(2000)]
    pairs = len(sources) * len(targets)
    ours: dict[str, float] = {}
    rows = []

    def rate(metric: str) -> float:
        if metric not in ours:
            matrices([metric], sources[:50], targets[:50], threads=1)  # is compiled now
            ours[metric] = statistics.median(
                pairs / seconds(lambda: matrices([metric], sources, targets, threads=1))
                for _ in range(3)
            )
        return ours[metric]

    def add(metric: str, library: str, theirs: list[float]) -> None:
        thousands = spread([pairs_per_second / 1000 for pairs_per_second in theirs], 0)
        factor = rate(metric) / statistics.median(theirs)
        rows.append(f"| {metric} | {library} | {thousands} | {factor:,.1f} × |")

    for metric, scorer, options in [
        ("levenshtein", Levenshtein, {}),
        ("needleman-wunsch", Levenshtein, {"weights": (2, 2, 1)}),
        ("hamming", Hamming, {"pad": True}),
        ("jaro", Jaro, {}),
        ("jaro-winkler", JaroWinkler, {}),
    ]:
        some = sources[:: 1 if metric != "needleman-wunsch" else 10]

        def work(some: Any = some, scorer: Any = scorer, options: Any = options) -> object:
            return cdist(
                some, targets, scorer=scorer.normalized_similarity, scorer_kwargs=options, workers=1
            )

        size = len(some) * len(targets)
        add(metric, "rapidfuzz cdist", [size / seconds(work) for _ in range(3)])
    calls, missing = peer_calls()
    for metric, library, call in calls:
        few = sample[:200] if library in ("textdistance", "strsimpy") else sample
        costs = [seconds(lambda c=call, f=few: [c(s, t) for s, t in f]) for _ in range(3)]
        version = importlib.metadata.version(library) if library != "difflib" else ""
        add(metric, f"{library} {version}".strip(), [len(few) / cost for cost in costs])
    absent = f" Not installed here: {', '.join(missing)}." if missing else ""
    head = [
        "One thread, medians (and ranges) of three runs. Libraries without a matrix call are timed "
        f"pair by pair, as they are used.{absent}",
        "",
        "| metric | library | thousand pairs/s | ours |",
        "|---|---|---:|---:|",
    ]
    return "\n".join(head + rows)
