"""The worked example of the set measures, and small alignments that hypothesis makes."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import strategies as st

from alignrank.ontologies.alignment import Alignment, Correspondence

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "measures.json").read_text("utf-8"))


def aligned(rows, confidence=None):
    """Rows of 2 (a pair), or 3 (with a relation or a confidence)."""
    made = []
    for one, two, *more in rows:
        relation = next((x for x in more if isinstance(x, str)), "=")
        stated = next((x for x in more if isinstance(x, float)), 1.0)
        made.append(Correspondence(one, two, relation, confidence or stated))
    return Alignment(made)


SYSTEM, REFERENCE = aligned(GOLDEN["system"]), aligned(GOLDEN["reference"])

correspondences = st.builds(
    Correspondence,
    st.sampled_from("abc"),
    st.sampled_from("xyz"),
    st.sampled_from(["=", "=", "<", "?"]),
    st.sampled_from([0.0, 0.3, 0.6, 1.0]),
)
alignments = st.lists(correspondences, max_size=8).map(Alignment)
conventions = st.sampled_from(["oaei", "zero", "nan"])
