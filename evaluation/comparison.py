"""Compare many systems on one task: from alignments to tests, corrections and rankings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ontologies.alignment import Alignment

from .cautions import cautions
from .contingency import View, decisions, discordant
from .corrections import CORRECTIONS, Adjusted
from .errors import EvaluationError
from .incidence import Incidence, incidence
from .mcnemar import TESTS, counts
from .pairwise import Ints, Pairwise, mcnemar_tests, pairwise
from .ranking import Edge
from .scores import Scores

if TYPE_CHECKING:
    import pandas as pd

#: The views of a comparison, unless others are asked for.
STANDARD_VIEWS: tuple[View, ...] = ("ifp", "cfp", "entity")


@dataclass(frozen=True, eq=False)
class Comparison:
    """Systems compared on one task, pair by pair, in several views.

    Parameters
    ----------
    systems
        Names, in the order given.
    test, correction, alpha
        What decides: the test, the correction for all pairs, the family-wise level.
    scores
        Scores by system; empty where only discordant counts were given.
    views
        Results by view.
    validity
        One sentence: whether the family-wise error is controlled by this test and correction.
    warnings
        Sentences that the reader must know.
    """

    systems: tuple[str, ...]
    test: str
    correction: str
    alpha: float
    scores: Mapping[str, Scores]
    views: Mapping[str, Pairwise]
    validity: str
    warnings: tuple[str, ...]

    @property
    def discordant(self) -> dict[str, Ints]:
        """By view: the matrix whose cell (i, j) counts what i has right and j wrong."""
        return {k: v.discordant for k, v in self.views.items() if v.discordant is not None}

    @property
    def adjusted(self) -> dict[str, dict[str, Adjusted]]:
        """By view and correction: adjusted p-values."""
        return {k: dict(v.adjusted) for k, v in self.views.items()}

    @property
    def edges(self) -> dict[str, dict[str, tuple[Edge, ...]]]:
        """By view and correction: pairs (better, worse)."""
        return {k: {c: r.edges for c, r in v.rankings.items()} for k, v in self.views.items()}

    @property
    def layers(self) -> dict[str, dict[str, tuple[tuple[str, ...], ...]]]:
        """By view and correction: systems by layer, best first."""
        return {k: {c: r.layers for c, r in v.rankings.items()} for k, v in self.views.items()}

    def to_frame(self) -> pd.DataFrame:
        """Tabulate, one row for a view and pair: counts, p-values, adjusted p, the better one."""
        import pandas as pd

        return pd.concat([v.to_frame() for v in self.views.values()], ignore_index=True)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values by the keys of ``summary.json``; matrices have a None diagonal."""
        views = {name: view.to_dict() for name, view in self.views.items()}
        content: dict[str, Any] = {"systems": list(self.systems)}
        if self.scores:
            content["counts"] = {
                name: {"found": s.found, "correct": s.correct} for name, s in self.scores.items()
            }
            content["reference"] = next(iter(self.scores.values())).reference
            content["scores"] = {name: s.to_dict() for name, s in self.scores.items()}
        for key in ("discordant", "p", "log10_p", "adjusted", "edges", "layers"):
            content[key] = {name: view[key] for name, view in views.items() if key in view}
        content["validity"] = self.validity
        content["warnings"] = list(self.warnings)
        return content


def compare(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    *,
    test: str = "mid-p",
    correction: str = "bergmann-hommel",
    alpha: float = 0.05,
    views: Sequence[View] = STANDARD_VIEWS,
    relations: bool = True,
) -> Comparison:
    """Compare every pair of systems with McNemar's test, in several views.

    Parameters
    ----------
    alignments
        Alignment of each system, by name, two or more.
    reference
        What is right. Its ``?`` pairs count neither way.
    test
        The McNemar test to decide by; all four are reported.
    correction
        Correction for all pairs (N×N); Nemenyi's is reported beside it.
    alpha
        Family-wise level.
    views
        Views of `evaluation.contingency`.
    relations
        Whether a correspondence is (entity1, entity2, relation) or only (entity1, entity2).

    Raises
    ------
    EvaluationError
        If there are fewer than two systems, the reference is empty, or an option is unknown.

    Notes
    -----
    Mohammadi, Atashin, Hofman and Tan 2018, Comparison of ontology alignment systems across single
    matching task via the McNemar's test.

    Examples
    --------
    >>> from ontologies.alignment import Correspondence
    >>> r = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(20))
    >>> half = r.where(lambda c: c.entity1 < "a#15")
    >>> result = compare({"half": half, "all": r}, r)
    >>> result.discordant["ifp"].tolist(), result.layers["ifp"]["bergmann-hommel"]
    ([[0, 0], [13, 0]], (('all',), ('half',)))
    """
    check(list(alignments), test, correction, alpha)
    table = incidence(alignments, reference, relations=relations)
    return _comparison(
        table.systems,
        {view: _mcnemar_view(table, view, test, correction, alpha) for view in views},
        table.scores,
    )


def compare_counts(
    matrix: ArrayLike,
    systems: Sequence[str],
    *,
    view: str = "ifp",
    test: str = "mid-p",
    correction: str = "bergmann-hommel",
    alpha: float = 0.05,
    items: int | None = None,
) -> Comparison:
    """Compare systems of which only the discordant counts are known, such as a published table.

    Parameters
    ----------
    matrix
        (n, n): cell (i, j) counts what i has right and j wrong.
    systems
        n names.
    view
        What the counts are counts of; a name for the result.
    test, correction, alpha
        As in `compare`.
    items
        |R|, where it is known: effect sizes need it.

    Raises
    ------
    EvaluationError
        If the matrix is not square, holds anything but counts, or has a diagonal that is not 0.

    Examples
    --------
    >>> compare_counts([[0, 30], [5, 0]], ["new", "old"]).edges["ifp"]["nemenyi"]
    (('new', 'old'),)
    """
    check(systems, test, correction, alpha)
    table = counts(matrix, "matrix")
    if table.shape != (len(systems), len(systems)):
        raise EvaluationError(
            f"the matrix has shape {table.shape}: {len(systems)} systems need a square one of "
            f"{len(systems)} rows"
        )
    if np.diag(table).any():
        k = int(np.flatnonzero(np.diag(table))[0])
        raise EvaluationError(
            f"cell ({systems[k]}, {systems[k]}) is {table[k, k]}: a system does not differ from "
            "itself, the diagonal is 0"
        )
    result = pairwise(
        view,
        systems,
        mcnemar_tests(table),
        test=test,
        corrections=_corrections(correction),
        alpha=alpha,
        discordant=table,
        items=items if view != "cfp" else None,
        scale=items,
    )
    return _comparison(tuple(systems), {view: result}, {})


def check(systems: Sequence[str], test: str, correction: str, alpha: float) -> None:
    """Refuse what cannot be compared, before anything is computed."""
    if len(systems) < 2:
        raise EvaluationError(
            f"a comparison needs two systems or more: there is only {', '.join(systems) or 'none'}"
        )
    double = sorted({name for name in systems if list(systems).count(name) > 1})
    if double:
        raise EvaluationError(f"systems share a name: {', '.join(double)}")
    if test not in TESTS:
        raise EvaluationError(f"test {test!r} is unknown: use one of {', '.join(TESTS)}")
    facts = CORRECTIONS.get(correction)
    if facts is None or "N×N" not in facts.comparisons:
        names = ", ".join(c.name for c in CORRECTIONS.values() if "N×N" in c.comparisons)
        raise EvaluationError(f"correction {correction!r} does not serve all pairs: use {names}")
    if not 0 < alpha < 1:
        raise EvaluationError(f"alpha is {alpha!r}: it must lie between 0 and 1, such as 0.05")


def _corrections(correction: str) -> tuple[str, ...]:
    """Return the chosen correction, then Nemenyi's."""
    return tuple(dict.fromkeys((correction, "nemenyi")))


def _mcnemar_view(
    table: Incidence, view: View, test: str, correction: str, alpha: float
) -> Pairwise:
    right = decisions(table, view).right
    matrix = discordant(right)
    items = None if view == "cfp" else right.shape[1]
    return pairwise(
        view,
        table.systems,
        mcnemar_tests(matrix),
        test=test,
        corrections=_corrections(correction),
        alpha=alpha,
        discordant=matrix,
        items=items,
        scale=items or table.reference,
    )


def _comparison(
    systems: tuple[str, ...], views: Mapping[str, Pairwise], scores: Mapping[str, Scores]
) -> Comparison:
    view = next(iter(views.values()))
    return Comparison(
        systems=systems,
        test=view.test,
        correction=view.correction,
        alpha=view.alpha,
        scores=dict(scores),
        views=dict(views),
        validity=validity(view.test, view.correction),
        warnings=cautions(views, scores),
    )


def validity(test: str, correction: str) -> str:
    """Say whether the family-wise error is controlled by a test together with a correction.

    Examples
    --------
    >>> validity("exact", "holm")
    'The family-wise error is at most alpha, however the pairs depend on each other (exact, holm).'
    """
    facts = CORRECTIONS[correction]
    pair = f"({test}, {correction})"
    if not facts.dependence:
        return f"The family-wise error is not controlled {pair}: each pair is tested by itself."
    if test == "exact" and facts.any_dependence:
        return (
            "The family-wise error is at most alpha, however the pairs depend on each other "
            f"{pair}."
        )
    close = (
        "The family-wise error is close to alpha or below, which is not guaranteed"
        if test != "exact"
        else "The family-wise error is at most alpha only on a condition"
    )
    reasons = []
    if test != "exact":
        reasons.append(f"{test} p-values are not strictly valid; the exact test's are")
    if not facts.any_dependence:
        reasons.append(
            f"{facts.title} needs {facts.dependence}, which pairs that share a system need not have"
        )
    return f"{close} {pair}: {'; '.join(reasons)}."
