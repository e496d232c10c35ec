"""What RapidFuzz's score_cutoff loses at exactly the cutoff, and what both ways cost.

python benchmarks/cutoff.py [NUMBER OF LABELS ON EACH SIDE]
"""

from __future__ import annotations

import sys
import time

import numpy as np
from labels import labels, perturbed
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from alignrank.matchers import get_metric
from alignrank.matchers.similarity.tiles import similar_pairs

THRESHOLD = 0.8


def by_rapidfuzz(sources: list[str], targets: list[str], cutoff: float) -> set[tuple[int, int]]:
    found: set[tuple[int, int]] = set()
    for first in range(0, len(sources), 2000):
        similarities = cdist(
            sources[first : first + 2000],
            targets,
            scorer=Levenshtein.normalized_similarity,
            score_cutoff=cutoff,
            dtype=np.float64,
        )
        rows, columns = np.nonzero(similarities >= THRESHOLD)
        found |= set(zip((rows + first).tolist(), columns.tolist(), strict=True))
    return found


def main(number: int) -> None:
    sources = labels(386_000, seed=1)
    targets = perturbed(sources, 0.3, seed=2)[:number]
    sources = sources[:number]
    metric = get_metric("levenshtein")
    similar_pairs(sources[:50], targets[:50], metric, THRESHOLD)  # is compiled now
    began = time.process_time()
    edges = similar_pairs(sources, targets, metric, THRESHOLD).tocoo()
    print(f"ours: {time.process_time() - began:.2f} s, {edges.nnz} pairs")
    ours = set(zip(edges.row.tolist(), edges.col.tolist(), strict=True))
    exactly = int((edges.data == THRESHOLD).sum())
    for cutoff in (THRESHOLD, THRESHOLD - 1e-6):
        began = time.process_time()
        found = by_rapidfuzz(sources, targets, cutoff)
        taken = time.process_time() - began
        lost = f"lost {len(ours - found)} ({exactly} are at exactly {THRESHOLD})"
        print(f"RapidFuzz from {cutoff} on: {taken:.2f} s, {len(found)} pairs, {lost}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 30_000)
