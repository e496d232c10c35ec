"""A study: which systems differ over many tasks, by every test, and with what cautions."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from html import escape
from itertools import combinations

import numpy as np
from scipy.special import stdtrit

from alignrank.common.errors import EvaluationError
from alignrank.common.files import plain
from alignrank.common.table import Frame, Table, Tabular, frame
from alignrank.evaluation.corrections import Adjusted
from alignrank.evaluation.ranking import Edge, Ranking, answer, winners

from .cautions import cautions, could_not_decide
from .effects import LEVEL, Effects, effects
from .omnibus import Omnibus, nemenyi_critical_difference, omnibus_tests
from .pair_tests import (
    BayesianSignedRank,
    PairedT,
    SignedRank,
    SignTest,
    bayesian_signed_rank,
    paired_t,
    sign_test,
    signed_rank,
)
from .posthoc import JACKKNIFE, Decision, decide
from .score_table import Floats, ScoreTable, task_ranks
from .shared_ontologies import generalisability, known_ontologies, shared_ontologies


@dataclass(frozen=True)
class Pair(Tabular):
    """Two systems, by every test.

    Parameters
    ----------
    system1, system2
        Names; differences are system1 − system2.
    t, wilcoxon, sign
        The three tests of two systems, not adjusted.
    effects
        Effect sizes with intervals; that of the mean difference is the jackknife's where tasks
        share ontologies.
    bayesian
        Probabilities of better, equivalent, worse; None if not asked for.
    p, adjusted_p
        Of the study's post-hoc test; `adjusted_p` is NaN for a pair that was not compared.
    better
        The significantly better one; empty where the two cannot be told apart.
    """

    system1: str
    system2: str
    t: PairedT
    wilcoxon: SignedRank
    sign: SignTest
    effects: Effects
    bayesian: BayesianSignedRank | None
    p: float
    adjusted_p: float
    better: str


@dataclass(frozen=True, eq=False)
class Study:
    """Result of `study`.

    Parameters
    ----------
    table
        The scores, with cautions on missing results.
    test, correction, alpha, focus
        The post-hoc test, the correction, the family-wise level, and the system that all others
        are compared with (None: all pairs).
    p_values
        (k, k): paired t above the diagonal, Wilcoxon's signed-rank below, not adjusted; NaN
        diagonal (Mohammadi, Hofman and Tan, Table 1).
    omnibus
        Tests of all systems at once.
    mean_ranks
        Mean rank of each system over the tasks; 1 is best.
    critical_difference
        Nemenyi's, of two mean ranks.
    adjusted
        Adjusted p-values of the post-hoc test, with the dependence under which they are valid.
    ranking
        Graph, layers and rank intervals that the significant differences make.
    pairs
        Every pair in detail.
    estimand
        What the test compares, such as the mean difference; it gives the direction of an arrow.
    could_not_decide
        Why no difference could be significant, and what would help; empty where one could.
    cautions
        Sentences that the reader must know.
    """

    table: ScoreTable
    test: str
    correction: str
    alpha: float
    focus: str | None
    p_values: Floats
    omnibus: tuple[Omnibus, ...]
    mean_ranks: tuple[float, ...]
    critical_difference: float
    adjusted: Adjusted
    ranking: Ranking
    pairs: tuple[Pair, ...]
    estimand: str
    could_not_decide: str
    cautions: tuple[str, ...]

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Significant differences (better, worse)."""
        return self.ranking.edges

    @property
    def conditional(self) -> tuple[Edge, ...]:
        """No edge: there is one test."""
        return ()

    @property
    def shared_p(self) -> Floats | None:
        """The p-values where ontologies were left out in turn, not adjusted; else None."""
        if self.test != JACKKNIFE:
            return None
        n = len(self.table.systems)
        matrix = np.full((n, n), np.nan)
        upper = np.triu_indices(n, 1)
        matrix[upper] = matrix.T[upper] = [pair.p for pair in self.pairs]
        return matrix

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Largest groups of two and more systems of which no two differ significantly.

        Best mean rank first; none with `focus`, which does not compare the others.
        """
        if self.focus is not None:
            return ()
        place = {
            name: (r, name) for r, name in zip(self.mean_ranks, self.table.systems, strict=True)
        }
        groups = [tuple(sorted(group, key=place.__getitem__)) for group in self.ranking.groups]
        return tuple(sorted(groups, key=lambda group: [place[name] for name in group]))

    def to_dict(self) -> dict[str, object]:
        """Return everything as plain lists and numbers for JSON; None for NaN and infinity."""
        content: dict[str, object] = {
            "tasks": list(self.table.tasks),
            "systems": list(self.table.systems),
            "measure": self.table.measure,
            "scores": self.table.scores.tolist(),
            "test": self.test,
            "estimand": self.estimand,
            "could_not_decide": self.could_not_decide,
            "correction": self.correction,
            "validity": self.adjusted.validity,
            "alpha": self.alpha,
            "focus": self.focus,
            "p_values": self.p_values.tolist(),
            "omnibus": [asdict(test) for test in self.omnibus],
            "mean_ranks": dict(zip(self.table.systems, self.mean_ranks, strict=True)),
            "critical_difference": self.critical_difference,
            "edges": self.edges,
            "conditional": (),
            "groups": self.groups,
            "layers": self.ranking.layers,
            "weak_order": self.ranking.weak_order,
            "pairs": [asdict(pair) for pair in self.pairs],
            "generalisability": generalisability(self.table).to_dict(),
            "shared_ontologies": self.test == JACKKNIFE,
            "warnings": self.cautions,
        }
        return plain(content)

    def _repr_html_(self) -> str:
        """Show the answer in words, and mean ranks."""
        means = self.table.scores.mean(axis=0).tolist()
        ordered = sorted(zip(self.mean_ranks, self.table.systems, means, strict=True))
        rows = [
            [name, f"{mean_rank:.3f}", f"{mean:.3f}", self.ranking.rank_range(name)]
            for mean_rank, name, mean in ordered
        ]
        caption = (
            f"{len(rows)} systems on {len(self.table.tasks)} tasks, {self.test} with "
            f"{self.correction}, level {self.alpha:g}"
        )
        header = ["system", "mean rank", f"mean {self.table.measure}", "rank"]
        words = "" if self.focus else answer(self.table.systems, self.edges)
        table = Table(caption, header, rows).to_preview()
        return f"<p><bdi>{escape(words)}</bdi></p>\n{table}"

    def to_frame(self) -> Frame:
        """Tabulate the pairs, a row for each."""
        return frame([_row(pair) for pair in self.pairs])


def study(
    table: ScoreTable,
    *,
    test: str | None = None,
    correction: str | None = None,
    alpha: float = 0.05,
    focus: str | None = None,
    margin: float | None = 0.01,
    seed: int = 0,
) -> Study:
    """Compare systems over many tasks.

    Parameters
    ----------
    table
        Scores, at least two tasks and two systems.
    test
        Post-hoc test that decides: ``paired-t``, ``jackknife``, ``signed-rank``, ``sign``,
        ``friedman``, ``aligned-ranks`` or ``quade``. None: the mean difference if the scores are on
        one scale, else ``signed-rank`` (`alignrank.evaluation.multitask.posthoc.default_test`).
    correction
        A name of `alignrank.evaluation.corrections.CORRECTIONS`. None: ``bergmann-hommel``, or
        ``holm`` with `focus`.
    alpha
        Family-wise level.
    focus
        Compare all others with this system; None: all pairs.
    margin, seed
        Of the Bayesian signed-rank test; `margin` None leaves it out.

    Raises
    ------
    EvaluationError
        If there are fewer than two tasks or systems, a name is unknown, or an argument is out of
        range.

    Examples
    --------
    >>> easy = np.linspace(0.5, 0.9, 9)
    >>> scores = np.column_stack([easy + 0.05, easy, easy - np.linspace(0.1, 0.2, 9)])
    >>> tasks = tuple("abcdefghi")
    >>> result = study(ScoreTable(tasks, ("new", "old", "base"), scores))
    >>> result.edges
    (('new', 'old'), ('new', 'base'), ('old', 'base'))
    >>> result.groups, result.mean_ranks
    ((), (1.0, 2.0, 3.0))
    """
    if not isinstance(table, ScoreTable):
        raise EvaluationError(
            f"table is a {type(table).__name__}: give a ScoreTable(tasks, systems, scores), or "
            "what read_scores returns"
        )
    names = table.systems
    correction = correction or ("bergmann-hommel" if focus is None else "holm")
    decision = decide(table, test=test, correction=correction, alpha=alpha, focus=focus)
    half_widths = _half_widths(table, decision)
    pairs = tuple(
        _pair(table, i, j, decision, half_widths, margin, seed)
        for i, j in combinations(range(len(names)), 2)
    )
    return Study(
        table=table,
        test=decision.posthoc.test,
        correction=correction,
        alpha=alpha,
        focus=focus,
        p_values=_t_above_wilcoxon(len(names), pairs),
        omnibus=omnibus_tests(table.scores),
        mean_ranks=tuple(task_ranks(table.scores).mean(axis=0).tolist()),
        critical_difference=nemenyi_critical_difference(len(names), len(table.tasks), alpha),
        adjusted=decision.adjusted,
        ranking=decision.ranking,
        pairs=pairs,
        estimand=decision.estimand,
        could_not_decide=could_not_decide(table, decision, alpha),
        cautions=(*table.cautions, *cautions(table, decision, alpha, margin)),
    )


def _half_widths(table: ScoreTable, decision: Decision) -> Floats | None:
    """Return half the widths of the jackknife's 95% intervals; None for independent tasks."""
    if decision.posthoc.test != JACKKNIFE or decision.untested:
        return None
    result = shared_ontologies(table, known_ontologies(table))
    return result.standard_error * stdtrit(len(result.ontologies) - 1, 0.5 + LEVEL / 2)


def _pair(
    table: ScoreTable,
    i: int,
    j: int,
    decision: Decision,
    half_widths: Floats | None,
    margin: float | None,
    seed: int,
) -> Pair:
    first, second = table.systems[i], table.systems[j]
    x, y = table.scores[:, i], table.scores[:, j]
    half_width = None
    if half_widths is not None:
        half_width = float(half_widths[i, j])
    bayesian = None
    if margin is not None:
        bayesian = bayesian_signed_rank(x, y, margin=margin, seed=seed)
    return Pair(
        system1=first,
        system2=second,
        t=paired_t(x, y),
        wilcoxon=signed_rank(x, y),
        sign=sign_test(x, y),
        effects=effects(x, y, half_width=half_width),
        bayesian=bayesian,
        p=float(decision.posthoc.p[i, j]),
        adjusted_p=float(decision.p[i, j]),
        better=winners([(first, second)], decision.ranking.edges)[first, second],
    )


def _t_above_wilcoxon(k: int, pairs: tuple[Pair, ...]) -> Floats:
    matrix = np.full((k, k), np.nan)
    for (i, j), pair in zip(combinations(range(k), 2), pairs, strict=True):
        matrix[i, j], matrix[j, i] = pair.t.p, pair.wilcoxon.p
    return matrix


def _row(pair: Pair) -> dict[str, object]:
    row: dict[str, object] = {
        "system1": pair.system1,
        "system2": pair.system2,
        "better": pair.better,
        "adjusted_p": pair.adjusted_p,
        "p": pair.p,
        "p_paired_t": pair.t.p,
        "p_signed_rank": pair.wilcoxon.p,
        "p_sign": pair.sign.p,
    }
    for name in ("mean_difference", "hodges_lehmann", "cohen_dz", "rank_biserial", "cliff_delta"):
        estimate = getattr(pair.effects, name)
        row |= {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
    if pair.bayesian is not None:
        row["chance_system1_better"] = pair.bayesian.first_better
        row["chance_equivalent"] = pair.bayesian.equivalent
        row["chance_system2_better"] = pair.bayesian.second_better
    return row
