"""How systems agree: what each finds alone, pairwise overlap, and differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evaluation.credit.credits import FloatArray
from evaluation.credit.unjudged import judged
from ontologies.alignment import Alignment
from ontologies.common.tables import Tabular

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Agreement(Tabular):
    """Overlap of several systems' alignments.

    Parameters
    ----------
    systems
        Names, in the order given.
    jaccard
        (n, n): |A_i ∩ A_j| / |A_i ∪ A_j|, 1 for two empty alignments.
    unique_correct
        By system: correct correspondences that no other system found (UNTC of OAEI 2007).
    found_by
        By number of systems: how many correct correspondences exactly so many found; 0 are those
        that nobody found.
    """

    systems: tuple[str, ...]
    jaccard: FloatArray
    unique_correct: Mapping[str, Alignment]
    found_by: Mapping[int, int]

    def to_frame(self) -> pd.DataFrame:
        """Return the Jaccard matrix as a table."""
        import pandas as pd

        return pd.DataFrame(self.jaccard, index=self.systems, columns=self.systems)


def agreement(alignments: Mapping[str, Alignment], reference: Alignment) -> Agreement:
    """Compare what several systems found.

    Parameters
    ----------
    alignments
        Alignment of each system, by name.
    reference
        Pairs that it marks ``?`` are left out everywhere.

    Examples
    --------
    >>> from ontologies.alignment import Correspondence
    >>> a, b = Correspondence("a", "x"), Correspondence("b", "y")
    >>> got = agreement({"one": Alignment([a, b]), "two": Alignment([a])}, Alignment([a, b]))
    >>> float(got.jaccard[0, 1]), len(got.unique_correct["one"]), dict(got.found_by)
    (0.5, 1, {0: 0, 1: 1, 2: 1})
    """
    kept = {name: judged(a, reference).alignment for name, a in alignments.items()}
    right = judged(reference, reference).reference
    found = Counter(key for a in kept.values() for key in a.keys)
    sets = [a.keys for a in kept.values()]
    by_number = Counter(found[key] for key in right.keys)
    return Agreement(
        systems=tuple(kept),
        jaccard=np.array([[_jaccard(one, two) for two in sets] for one in sets]),
        unique_correct={
            name: (a & right).where(lambda c: found[c.key] == 1) for name, a in kept.items()
        },
        found_by={n: by_number[n] for n in range(len(kept) + 1)},
    )


def _jaccard(one: frozenset[tuple[str, str, str]], two: frozenset[tuple[str, str, str]]) -> float:
    union = len(one | two)
    return len(one & two) / union if union else 1.0


@dataclass(frozen=True)
class Difference:
    """Two alignments side by side: what both have, and what only one has."""

    both: Alignment
    only_first: Alignment
    only_second: Alignment


def difference(first: Alignment, second: Alignment) -> Difference:
    """Return what two alignments share and where they differ; confidence plays no part.

    With a reference as the second these are the correct, the wrong and the missed correspondences.
    """
    return Difference(first & second, first - second, second - first)
