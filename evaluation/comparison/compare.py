"""Compare many systems on one task: from alignments to tests, corrections and rankings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape

from numpy.typing import ArrayLike

from evaluation.corrections import Adjusted
from evaluation.corrections.adjustment import check_alpha, serving
from evaluation.credit.counts import Scores
from evaluation.errors import EvaluationError
from evaluation.ranking import Edge, answer
from evaluation.significance.clustered import CLUSTER_TESTS, cluster_index, clustered_tests
from evaluation.significance.mcnemar import TESTS, Ints, mcnemar_tests
from evaluation.significance.randomisation import Judge, randomise
from ontologies.alignment import Alignment
from ontologies.common.names import refuse_unknown
from ontologies.common.table import Frame, Table, stacked

from .cautions import cautions, validity
from .contingency import Incidence, decisions, discordant, incidence
from .count_matrix import check_counts, square_counts
from .pairwise import Pairwise, pairwise

#: The views of a comparison, unless others are asked for.
STANDARD_VIEWS: tuple[str, ...] = ("ifp", "cfp", "entity")


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
        Scores by system; empty where only counts or credits were given.
    views
        Results by view.
    validity
        One sentence: whether the family-wise error is controlled by this test and correction.
    cautions
        Sentences that the reader must know.
    """

    systems: tuple[str, ...]
    test: str
    correction: str
    alpha: float
    scores: Mapping[str, Scores]
    views: Mapping[str, Pairwise]
    validity: str
    cautions: tuple[str, ...]

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

    def _repr_html_(self) -> str:
        """Show the answer in words, and scores with the ranks of every view."""
        words = "".join(
            f"<p><bdi>{escape(f'{name}: {answer(self.systems, view.ranking.edges)}')}</bdi></p>\n"
            for name, view in self.views.items()
        )
        return words + self._table()

    def _table(self) -> str:
        measures = ("precision", "recall", "f1") if self.scores else ()
        first = next(iter(self.views.values())).ranking
        order = sorted(self.systems, key=lambda name: (first.rank_intervals[name], name))
        rows = [
            [
                name,
                *(f"{self.scores[name].to_dict()[measure]:.3f}" for measure in measures),
                *(view.ranking.rank_range(name) for view in self.views.values()),
            ]
            for name in order
        ]
        header = ["system", *measures, *(f"rank {view}" for view in self.views)]
        caption = f"{len(rows)} systems, {self.test} with {self.correction}, level {self.alpha:g}"
        return Table(caption, header, rows).to_preview()

    def to_frame(self) -> Frame:
        """Tabulate, one row for a view and pair: counts, p-values, adjusted p, the better one."""
        return stacked(v.to_frame() for v in self.views.values())

    def to_dict(self) -> dict[str, object]:
        """Return plain values by the keys of ``summary.json``; matrices have a None diagonal."""
        views = {name: view.to_dict() for name, view in self.views.items()}
        content: dict[str, object] = {"systems": list(self.systems)}
        if self.scores:
            content["counts"] = {
                name: {"found": s.found, "correct": s.correct} for name, s in self.scores.items()
            }
            content["reference"] = next(iter(self.scores.values())).reference
            content["scores"] = {name: s.to_dict() for name, s in self.scores.items()}
        for key in dict.fromkeys(key for view in views.values() for key in view):
            content[key] = {name: view[key] for name, view in views.items() if key in view}
        content["validity"] = self.validity
        content["warnings"] = list(self.cautions)
        return content


def compare(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    *,
    test: str | None = None,
    correction: str = "bergmann-hommel",
    alpha: float = 0.05,
    views: Sequence[str] = STANDARD_VIEWS,
    clusters: Mapping[str, str] | None = None,
) -> Comparison:
    """Compare every pair of systems with McNemar's test, in several views.

    Parameters
    ----------
    alignments
        Alignment of each system, by name, two or more.
    reference
        What is right. Its ``?`` pairs count neither way.
    test
        The test to decide by; all are reported. A McNemar test, or with `clusters` also a test for
        clustered items. None is ``mid-p``, with `clusters` ``sign-flip``.
    correction
        Correction for all pairs (N×N); Nemenyi's is reported beside it.
    alpha
        Family-wise level.
    views
        Views of `evaluation.comparison.contingency`.
    clusters
        Cluster by source entity (by target entity for the view ``entity-target``): items of one
        cluster may depend on each other. Entities in none stand for themselves. None: all items are
        independent, as the paper takes them.

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
    if test is None:
        test = "mid-p" if clusters is None else "sign-flip"
    _check_types(alignments, reference)
    check(list(alignments), test, correction, alpha, clustered=clusters is not None)
    table = incidence(alignments, reference)
    results: dict[str, Pairwise] = {
        view: _decided(table, view, clusters, test=test, correction=correction, alpha=alpha)
        for view in views
    }
    return _concluded(results, table.scores)


def compare_counts(
    matrix: ArrayLike,
    systems: Sequence[str],
    *,
    view: str = "ifp",
    test: str = "mid-p",
    correction: str = "bergmann-hommel",
    alpha: float = 0.05,
    reference: int | None = None,
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
    reference
        |R|, where it is known: effect sizes need it.

    Raises
    ------
    EvaluationError
        If the matrix is not square, holds anything but counts, has a diagonal that is not 0, or
        cannot be the counts of any alignments: then the cell that looks mistyped is named.

    Examples
    --------
    >>> compare_counts([[0, 30], [5, 0]], ["new", "old"]).edges["ifp"]["nemenyi"]
    (('new', 'old'),)
    """
    check(systems, test, correction, alpha)
    table = square_counts(matrix, systems)
    check_counts(table, systems)
    tests = mcnemar_tests(table)
    result = pairwise(view, systems, tests, test=test, correction=correction, alpha=alpha)
    items = None if view == "cfp" else reference
    counted = replace(result, discordant=table, items=items, scale=reference)
    return _concluded({view: counted}, {})


def compare_judged(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    judge: Judge,
    value: str | None = None,
    *,
    name: str,
    clusters: Mapping[str, str] | None = None,
    swaps: int = 20_000,
    seed: int = 0,
    correction: str = "bergmann-hommel",
    alpha: float = 0.05,
) -> Comparison:
    """Compare every pair of systems in any measure that judges alignments, by randomisation.

    Parameters
    ----------
    alignments, reference, judge, value, clusters, swaps, seed
        As in `evaluation.significance.randomisation.randomise`.
    name
        Name of the measure in the result.
    correction, alpha
        As in `compare`.

    Raises
    ------
    EvaluationError
        If there are fewer than two systems, an option is unknown, or the measure's parts cannot be
        swapped between systems.

    Examples
    --------
    >>> from ontologies.alignment import Correspondence
    >>> from evaluation.credit.credits import standard
    >>> r = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(20))
    >>> half = r.where(lambda c: c.entity1 < "a#15")
    >>> result = compare_judged({"half": half, "all": r}, r, standard, "f1", name="f1")
    >>> result.edges["f1"]["bergmann-hommel"]
    (('all', 'half'),)
    """
    check(list(alignments), "exact", correction, alpha)
    outcome = randomise(
        alignments, reference, judge, value, clusters=clusters, swaps=swaps, seed=seed
    )
    systems, tests = list(outcome.values), {"randomisation": outcome.test}
    result = pairwise(
        name, systems, tests, test="randomisation", correction=correction, alpha=alpha
    )
    return _concluded({name: replace(result, values=outcome.values)}, {}, outcome.cautions)


def _check_types(alignments: Mapping[str, Alignment], reference: Alignment) -> None:
    """Refuse what is no alignment, as a file's name or a matching."""
    if not isinstance(alignments, Mapping):
        raise EvaluationError(
            f"alignments is a {type(alignments).__name__}: give a dict of names and Alignments"
        )
    for name, given in (*alignments.items(), ("the reference", reference)):
        if not isinstance(given, Alignment):
            take = "its .alignment" if hasattr(given, "alignment") else "ontologies.read_alignment"
            raise EvaluationError(f"{name} is a {type(given).__name__}, no Alignment: take {take}")


def check(
    systems: Sequence[str], test: str, correction: str, alpha: float, *, clustered: bool = False
) -> None:
    """Refuse what cannot be compared, before anything is computed."""
    if len(systems) < 2:
        raise EvaluationError(
            f"a comparison needs two systems or more: there is only {', '.join(systems) or 'none'}"
        )
    double = sorted({name for name in systems if list(systems).count(name) > 1})
    if double:
        raise EvaluationError(f"systems share a name: {', '.join(double)}")
    if test in CLUSTER_TESTS and not clustered:
        raise EvaluationError(
            f"test {test!r} is for clustered items: give the clusters (--cluster)"
        )
    refuse_unknown("test", test, (*TESTS, *(CLUSTER_TESTS if clustered else ())), EvaluationError)
    serving(correction, "N×N")
    check_alpha(alpha)


def _decided(
    table: Incidence,
    view: str,
    clusters: Mapping[str, str] | None,
    *,
    test: str,
    correction: str,
    alpha: float,
) -> Pairwise:
    """Compare by decisions that are right or wrong."""
    decided = decisions(table, view)
    matrix = discordant(decided.right)
    tests, design_effect = mcnemar_tests(matrix), None
    if clusters is not None:
        robust = clustered_tests(decided.right, cluster_index(decided.entities, clusters))
        tests, design_effect = tests | robust.tests, robust.design_effect
    items = None if view == "cfp" else len(decided.entities)
    result = pairwise(view, table.systems, tests, test=test, correction=correction, alpha=alpha)
    scale = items or table.reference
    return replace(result, discordant=matrix, items=items, scale=scale, design_effect=design_effect)


def _concluded(
    views: Mapping[str, Pairwise], scores: Mapping[str, Scores], of_measure: Sequence[str] = ()
) -> Comparison:
    """Put views together, and say what must be known about them."""
    first = next(iter(views.values()))
    return Comparison(
        systems=first.systems,
        test=first.test,
        correction=first.correction,
        alpha=first.alpha,
        scores=dict(scores),
        views=dict(views),
        validity=validity(first.test, first.correction),
        cautions=(*cautions(views, scores), *of_measure),
    )
