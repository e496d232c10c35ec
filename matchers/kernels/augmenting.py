"""Shortest augmenting paths along sparse edges, compiled."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from .compiled import kernel


@kernel
def augment(
    starts: Any,
    neighbours: Any,
    weights: Any,
    free: Any,
    own: Any,
    other: Any,
    partner: Any,
    partner_of_other: Any,
) -> None:
    """Pair nodes of one side, one after the other, each by a shortest augmenting path.

    A path alternates between edges outside and inside the pairing. It ends at an unpaired node of
    the other side, or at a node of this side that is better left unpaired. Its length is what the
    total of the prices loses along it (Dijkstra's algorithm on u_i + v_j - weight, which is never
    below 0); then the prices of all that was reached are changed so that every pair is tight.

    Parameters
    ----------
    starts, neighbours, weights
        The edges of node i of this side: ``neighbours[starts[i] : starts[i + 1]]``.
    free
        Nodes to be paired; unpaired.
    own, other
        Prices of both sides: no edge is worth more than those of its ends together, and every
        pair is worth just that. Changed in place.
    partner, partner_of_other
        The pairing, -1 for none; changed in place.
    """
    distance = np.full(len(other), np.inf)
    before = np.empty(len(other), np.int64)
    done = np.zeros(len(other), np.bool_)
    touched, scanned = np.empty(len(other), np.int64), np.empty(len(other), np.int64)
    for source in free:
        heap = [(0.0, 0)]
        heap.pop()
        number_touched = number_scanned = 0
        length, leaves, ends_at = own[source], source, -1
        node, so_far = source, 0.0
        while True:
            for k in range(starts[node], starts[node + 1]):
                j = neighbours[k]
                step = so_far + max(own[node] + other[j] - weights[k], 0.0)
                if step < distance[j] and step < length:
                    if distance[j] == np.inf:
                        touched[number_touched] = j
                        number_touched += 1
                    distance[j], before[j] = step, node
                    heapq.heappush(heap, (step, j))
            nearest = -1
            while len(heap) > 0 and nearest < 0:
                so_far, j = heapq.heappop(heap)
                if not done[j]:
                    nearest = j
            if nearest < 0 or so_far >= length:
                break
            node = partner_of_other[nearest]
            if node < 0:
                length, ends_at = so_far, nearest
                break
            done[nearest] = True
            scanned[number_scanned] = nearest
            number_scanned += 1
            if so_far + own[node] < length:
                length, leaves = so_far + own[node], node
        own[source] -= length
        for k in range(number_scanned):
            j = scanned[k]
            own[partner_of_other[j]] -= length - distance[j]
            other[j] += length - distance[j]
            done[j] = False
        j = ends_at
        if ends_at < 0:
            j, partner[leaves] = partner[leaves], -1
        while j >= 0:
            node = before[j]
            partner_of_other[j] = node
            j, partner[node] = partner[node], j
        for k in range(number_touched):
            distance[touched[k]] = np.inf
