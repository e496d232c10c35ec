"""What was matched, kept in a folder: a changed test does not match again."""

from __future__ import annotations

import json
import math
from pathlib import Path

from experiments.results.folder import write_json
from matchers import Matching
from ontologies import Kind, read_alignment, write_alignment

from .rank import MatchedPair
from .tie_proof import TieRange

_FACTS = "matched.json"


def keep(folder: Path, matched: MatchedPair) -> None:
    """Write what `kept` reads: an alignment for each metric, in their order, and the facts.

    The matchings' ties are kept as their ranges, which are to be known.
    """
    for number, matching in enumerate(matched.matchings.values()):
        write_alignment(matching.alignment, folder / f"{number}.jsonl")
    facts = {
        "matchings": [
            {"metric": m.metric, "totals": m.totals, "clipped": m.clipped, "order": m.order}
            for m in matched.matchings.values()
        ],
        "thresholds": matched.thresholds,
        "cautions": matched.cautions,
        "ranges": {
            name: {
                fact: sorted(value) if isinstance(value, frozenset) else value
                for fact, value in vars(known).items()
            }
            for name, known in (matched.ranges or {}).items()
        },
    }
    write_json(folder / _FACTS, facts)


def kept(folder: Path) -> MatchedPair:
    """Return what `keep` has written; the ties are known by their ranges only."""
    facts = json.loads((folder / _FACTS).read_text(encoding="utf-8"))
    matchings = {
        said["metric"]: Matching(
            read_alignment(folder / f"{number}.jsonl", name=said["metric"]),
            said["metric"],
            {Kind(kind): total for kind, total in said["totals"].items()},
            said["clipped"],
            said["order"],
        )
        for number, said in enumerate(facts["matchings"])
    }
    ranges = {}
    for name, known in facts["ranges"].items():
        pairs = {k: frozenset(map(tuple, v)) for k, v in known.items() if isinstance(v, list)}
        ranges[name] = TieRange(**(known | pairs))
    thresholds = {
        name: (_number(low), _number(middle), _number(high))
        for name, (low, middle, high) in facts["thresholds"].items()
    }
    return MatchedPair(matchings, thresholds, tuple(facts["cautions"]), ranges)


def _number(threshold: float | None) -> float:
    """Return a threshold; JSON knows no infinite one, which keeps nothing."""
    return math.inf if threshold is None else threshold
