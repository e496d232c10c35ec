"""What tests of several rooms judge by."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from alignrank.evaluation import Comparison, compare_counts
from alignrank.evaluation.measures.logic import coherence, reasoner

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "mcnemar.json").read_text("utf-8"))


@pytest.fixture(scope="session")
def both_views() -> Comparison:
    """Tables 2 and 3 side by side."""
    parts = {
        view: compare_counts(GOLDEN[table]["matrix"], GOLDEN[table]["systems"], view=view)
        for view, table in (("ifp", "table2"), ("cfp", "table3"))
    }
    views = {view: part.views[view] for view, part in parts.items()}
    return replace(parts["ifp"], views=views)


@pytest.fixture(scope="module")
def by_reachability() -> Iterator[None]:
    """Hide the reasoners: thousands of alignments are judged, or figures that were published."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reasoner, "installed_reasoner", lambda: None)
        reasoner.reasoned.cache_clear()
        coherence.coherence.cache_clear()
        yield
    reasoner.reasoned.cache_clear()
    coherence.coherence.cache_clear()
