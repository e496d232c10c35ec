"""Beyond the arrows: how large differences are, which are equivalent, other choices."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

from alignrank.common.defaults import DEFAULTS
from alignrank.common.table import Table
from alignrank.evaluation import (
    CochranQ,
    Comparison,
    Detectable,
    Effects,
    Sensitivity,
    Verdicts,
    cochran_q,
    detectable,
    effects,
    verdicts,
)
from alignrank.evaluation.comparison.robustness import Choice, sensitivity_of, with_choices
from alignrank.experiments.presentation.columns import SMALLEST_P


@dataclass(frozen=True)
class ViewFindings:
    """The findings of one view beyond its arrows; None where it cannot be told.

    Effect sizes, power and equivalence need the size of the reference, which a bare table of counts
    does not tell.
    """

    view: str
    omnibus: CochranQ
    detectable: Detectable | None = None
    effects: Effects | None = None
    verdicts: Verdicts | None = None


@dataclass(frozen=True)
class Findings:
    """Findings of a comparison by view, and its sensitivity to test and correction.

    `comparison` has the adjusted p-values of every test and correction that was tried.
    """

    comparison: Comparison
    views: tuple[ViewFindings, ...]
    sensitivity: Sensitivity

    def sentences(self) -> list[str]:
        """Return sentences on the view that decides."""
        lines = []
        for view in self.views[:1]:
            q = view.omnibus
            if math.isnan(q.statistic):
                lines.append(f"{view.view}: no two systems differ on any item")
            else:
                p = f"= {q.p:.3g}" if q.p >= SMALLEST_P else f"< {SMALLEST_P:g}"
                statistic = f"{q.statistic:.4g} (df {q.df}, p {p})"
                lines.append(f"{view.view}: Cochran's Q over all systems is {statistic}")
        return [*lines, *self.within_margin()]

    def within_margin(self) -> list[str]:
        """Say which pairs of systems are equivalent, and which differ by less than the margin."""
        if not self.views or (by_margin := self.views[0].verdicts) is None:
            return []
        same = [pair for pair, verdict in by_margin.verdicts.items() if verdict == "equivalent"]
        pairs_by_title = {"Equivalent": same, "Different, but by less": by_margin.negligible}
        lines = []
        for title, pairs in pairs_by_title.items():
            listed = "; ".join(map(" and ".join, pairs)) or "none"
            lines.append(f"{title} (margin {by_margin.margin:g}): {listed}.")
        return lines

    def tables(self) -> list[Table]:
        """Return each kind of finding as one table over the views."""
        tables = []
        for name, title in _TITLES.items():
            results = [getattr(view, name) for view in self.views]
            # frames would take longer to import than the tables to write
            columns = [result.by_column() for result in results if result is not None]
            if columns:
                rows = [row for of_view in columns for row in zip(*of_view.values(), strict=True)]
                tables.append(_table(title, list(columns[0]), rows, stem=name))
        arrows = [(*choice, number) for choice, number in self.sensitivity.edges.items()]
        title = "Arrows under every choice of test and correction"
        tables.append(_table(title, [*Choice._fields, "edges"], arrows, stem="sensitivity"))
        return [replace(table, names=table.header) for table in tables]


#: The titles of what a view has beyond its arrows.
_TITLES = {
    "effects": "How large the differences are, each by itself",
    "verdicts": "Better, equivalent or undecided",
    "detectable": "What difference this reference could have detected",
}
_table = partial(Table, show="{:.4g}".format)


def further_findings(comparison: Comparison, *, margin: float = DEFAULTS.margin) -> Findings:
    """Return the findings of a comparison of discordant counts.

    Parameters
    ----------
    comparison
        From `alignrank.evaluation.compare` or `compare_counts`.
    margin
        Differences below it do not matter (two one-sided tests).
    """
    views = []
    for name, view in comparison.views.items():
        if view.counts is None:
            continue
        findings = ViewFindings(name, cochran_q(view.counts.discordant, view.units.design_effect))
        if view.units.scale is not None:
            sizes = detectable(view), effects(view), verdicts(view, margin)
            findings = ViewFindings(name, findings.omnibus, *sizes)
        views.append(findings)
    whole = with_choices(comparison)
    return Findings(whole, tuple(views), sensitivity_of(whole))
