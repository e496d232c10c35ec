"""Write the page of findings from the archives at hand: each a sentence, a figure and its command.

    python studies/findings.py FOLDER     # FOLDER holds anatomy/ with systems-2016, systems-2018, …

The figures go to `docs/findings/`, the page to `docs/findings.md`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from alignrank.common.table import Table
from alignrank.evaluation import (
    AnalysisSettings,
    Comparison,
    EntityClusters,
    compare,
    parent_clusters,
    score,
    sensitivity,
)
from alignrank.experiments.report.figures import draw_outperforms, save
from alignrank.experiments.report.figures.style import COLOURS, figure_style
from alignrank.experiments.reproduce.mohammadi_2018 import TOLERANCE, Rematched, recomputed, rematch
from alignrank.matchers import get_metric, prepare
from alignrank.matchers.settings import Settings
from alignrank.matchers.similarity.matrix import string_similarities
from alignrank.ontologies import Alignment, Kind, Ontology, load_ontology, read_alignment
from alignrank.ontologies.tasks import archived, find_tasks
from alignrank.ontologies.tasks.catalogue import published
from alignrank.ontologies.tasks.filters import filtered, filters
from alignrank.ontologies.tasks.system_files import equal_alignments, past_files
from simulation import error_of_runs

DOCS = Path(__file__).parents[1] / "docs"
BLUE, ORANGE, GREEN = COLOURS[:3]
RULE = "oaei-anatomy"


@dataclass(frozen=True)
class Year:
    """The systems of a campaign: as their files are, as the track judges them, and compared.

    `independent` is the comparison that takes source entities as independent of each other.
    """

    name: str
    unfiltered: dict[str, Alignment]
    systems: dict[str, Alignment]
    comparison: Comparison
    independent: Comparison


@dataclass(frozen=True)
class Archive:
    """Anatomy and its campaigns."""

    data: Path
    source: Ontology
    target: Ontology
    reference: Alignment
    years: list[Year]


def read_archive(data: Path) -> Archive:
    """Read anatomy and all its campaigns; of equal files of a year the first counts."""
    (task,) = find_tasks("anatomy", [data])
    source, target = load_ontology(task.source), load_ontology(task.target)
    reference = read_alignment(task.reference)
    clusters, years = EntityClusters(parent_clusters(source), parent_clusters(target)), []
    for year in archived(task):
        files = past_files(task, [year])
        unfiltered = {name: read_alignment(path, name=name) for name, path in files.items()}
        for copy in equal_alignments(unfiltered):
            del unfiltered[copy]
        systems, _, _ = filtered(unfiltered, reference, [filters()[RULE]])
        comparison = compare(systems, reference, AnalysisSettings(clusters=clusters))
        independent = compare(systems, reference)
        years.append(Year(year, unfiltered, systems, comparison, independent))
    return Archive(data, source, target, reference, years)


def drawn(name: str, draw: Callable[[Axes], None], size: tuple[float, float] = (5.4, 3.0)) -> str:
    """Draw a figure, and return how the page shows it."""
    with figure_style():
        figure = Figure(figsize=size, layout="constrained")
        draw(figure.add_subplot())
        save(figure, DOCS / "findings" / name)
    return f"![](findings/{name}.svg)"


def section(title: str, sentence: str, figure: str, command: str, how: str = "Shown by") -> str:
    """Return a finding."""
    return f"## {title}\n\n{sentence}\n\n{figure}\n\n{how} `{command}`."


def not_optimal(found: Rematched) -> str:
    """Show that published alignments are not the optimum that they are said to be."""
    rows = found.rows
    short = [row for row in rows if row.short_of_optimum > TOLERANCE]
    most = max(rows, key=lambda row: row.short_of_optimum)

    def draw(axes: Axes) -> None:
        axes.barh([r.metric for r in rows], [r.short_of_optimum for r in rows], color=BLUE)
        axes.invert_yaxis()
        axes.set_xlabel("total similarity by which the published alignment misses the optimum")

    return section(
        "Published alignments are not optimal",
        f"Of nine alignments of anatomy that a study published as optima of string metrics "
        f"{len(short)} miss the optimum of their own metric: {most.metric} by "
        f"{most.short_of_optimum:.2f} of {most.optimum:.1f}.",
        drawn("not-optimal", draw),
        "alignrank reproduce table5",
    )


def ties_decide(found: Rematched) -> str:
    """Show that a count of correct correspondences depends on which optimum a solver returns."""
    rows = found.rows
    widest = max(rows, key=lambda row: row.largest - row.smallest)

    def draw(axes: Axes) -> None:
        for k, row in enumerate(rows):
            axes.plot([row.smallest, row.largest], [k, k], color=BLUE, linewidth=4, alpha=0.5)
            axes.plot(row.correct, k, "o", color=BLUE, markersize=4)
            axes.plot(row.published_correct, k, "x", color=ORANGE, markersize=5)
        axes.set_yticks(range(len(rows)), [row.metric for row in rows])
        axes.invert_yaxis()
        axes.set_xlabel("correct correspondences: any optimum (bar), ours (dot), published (×)")

    return section(
        "Ties decide counts",
        f"For {sum(r.smallest < r.largest for r in rows)} of nine metrics the number of correct "
        f"correspondences depends on which optimal assignment is taken: with {widest.metric} it "
        f"lies between {widest.smallest} and {widest.largest}, and the solver picks one.",
        drawn("ties", draw),
        "alignrank reproduce table5",
    )


def corrections_agree(data: Path) -> str:
    """Show that all corrections draw the same arrows, but Nemenyi's; and where another differs."""
    systems, metrics = recomputed("table2", data), recomputed("table5", data)
    counts = _arrows_by_correction(systems, "ifp")
    none = counts.pop("none")
    usual, others = _usual(counts)
    of_metrics = _arrows_by_correction(metrics, "cfp")
    of_metrics.pop("none")
    many, odd = _usual(of_metrics)
    pairs = len(list(combinations(systems.systems, 2)))

    def draw(axes: Axes) -> None:
        inks = [ORANGE if name in others else BLUE for name in counts]
        axes.barh(list(counts), list(counts.values()), color=inks)
        axes.invert_yaxis()
        axes.set_xlabel(f"significant differences of {pairs} (ifp, {systems.test})")

    return section(
        "The corrections agree, but for Nemenyi's",
        f"On the {len(systems.systems)} systems of 2016, by the McNemar paper's settings, "
        f"{len(counts) - len(others)} of {len(counts)} corrections find the same {usual} "
        f"differences of {pairs} (without any correction {none}); another number is found by: "
        f"{_told(others)}. Closer cases show a little more: on the {len(metrics.systems)} string "
        f"metrics, by cfp, most find {many}; another number: {_told(odd)}.",
        drawn("corrections", draw),
        "alignrank reproduce grid",
    )


def _arrows_by_correction(compared: Comparison, view: str) -> dict[str, int]:
    edges = sensitivity(compared).edges
    return {c.correction: n for c, n in edges.items() if (c.view, c.test) == (view, compared.test)}


def _usual(counts: dict[str, int]) -> tuple[int, dict[str, int]]:
    """Return the number that most corrections find, and those that find another."""
    usual, _ = Counter(counts.values()).most_common(1)[0]
    return usual, {name: n for name, n in counts.items() if n != usual}


def _told(others: dict[str, int]) -> str:
    return ", ".join(f"{name} {n}" for name, n in others.items()) or "none"


def _pairs(year: Year) -> int:
    n = len(year.systems)
    return n * (n - 1) // 2


def cfp_is_overall(archive: Archive) -> str:
    """Show that what cfp counts is Melnik's overall."""
    size, points = len(archive.reference), []
    for year in archive.years:
        for alignment in year.systems.values():
            s = score(alignment, archive.reference)
            points.append((s.overall, s.found + s.reference - 2 * s.correct))
    overall, errors = np.array(points).T

    def draw(axes: Axes) -> None:
        axes.plot([-1, 1], [2 * size, 0], color="0.7", linewidth=1)
        axes.plot(overall, errors, "o", color=BLUE, markersize=3.5)
        axes.set(xlabel="overall", ylabel="decisions wrong under cfp")

    off = float(np.abs(errors - size * (1 - overall)).max())
    return section(
        "Counting false positives (cfp) is Melnik's overall",
        f"The decisions that a system has wrong under cfp are |R| · (1 − overall) exactly (largest "
        f"deviation over {len(points)} alignments of {len(archive.years)} years: {off:.1g}): to "
        "test under cfp is to compare by overall, which is below 0 for a precision below one half.",
        drawn("cfp-overall", draw),
        "alignrank score reference.rdf SYSTEM.rdf --measure overall",
    )


def another_jaro(archive: Archive) -> str:
    """Show how the library's Jaro differs from Jaro's."""
    settings = Settings(labels="lower", synonyms=False, kinds=(Kind.CLASS,))
    (group,) = prepare(archive.source, archive.target, settings).groups
    names = [[one[0] for one in side.names] for side in (group.source, group.target)]
    ours, theirs = (
        string_similarities(*names, get_metric(name)) for name in ("jaro", "ontosim-jaro")
    )
    gap = np.asarray(theirs - ours)
    share = float((np.abs(gap) > 1e-9).mean())
    i, j = np.unravel_index(int(np.abs(gap).argmax()), gap.shape)
    sample = np.random.default_rng(0).choice(gap.size, 4000, replace=False)

    def draw(axes: Axes) -> None:
        x, y = np.asarray(ours).ravel()[sample], np.asarray(theirs).ravel()[sample]
        axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        axes.plot(x, y, ".", color=BLUE, markersize=2, rasterized=True)
        axes.set(xlabel="Jaro 1989", ylabel="OntoSim's Jaro")

    return section(
        "A Jaro that is not Jaro",
        f"The Jaro of OntoSim, with which the McNemar paper matched, gives {share:.0%} of the "
        f"{gap.size:,} label pairs of anatomy another value than Jaro's definition, most of all "
        f"“{names[0][i]}” and “{names[1][j]}”: {theirs[i, j]:.3f} instead of {ours[i, j]:.3f}. So "
        "each has a name of its own here: `jaro` and `ontosim-jaro`. (The figure shows "
        f"{sample.size:,} pairs drawn at random.)",
        drawn("jaro", draw, (4.2, 3.6)),
        "alignrank explain mouse.owl human.owl ear tear --metric jaro --metric ontosim-jaro",
    )


def shared_parents(archive: Archive) -> str:
    """Show which differences are significant by the default, and which only by mid-p."""
    names = [year.name for year in archive.years]
    significant = [set(year.comparison.deciding.edges) for year in archive.years]
    only_independent = [
        set(year.independent.deciding.edges) - edges
        for year, edges in zip(archive.years, significant, strict=True)
    ]
    lost = [
        f"{better} over {worse} ({name})"
        for name, edges in zip(names, only_independent, strict=True)
        for better, worse in sorted(edges)
    ]
    total, pairs = sum(map(len, significant)), sum(map(_pairs, archive.years))

    def draw(axes: Axes) -> None:
        left = np.zeros(len(names))
        counts = {
            "significant": (significant, BLUE),
            "only if source entities were independent": (only_independent, ORANGE),
        }
        for label, (edges_by_year, ink) in counts.items():
            widths = np.array([len(edges) for edges in edges_by_year])
            axes.barh(names, widths, left=left, color=ink, label=label)
            left += widths
        rest = np.array([_pairs(year) for year in archive.years]) - left
        axes.barh(names, rest, left=left, color="0.85", label="not significant")
        axes.invert_yaxis()
        axes.set_xlabel("pairs of systems")
        axes.figure.legend(loc="outside upper center", ncols=3, frameon=False, fontsize=8)

    return section(
        "Classes that share a parent are not independent",
        f"The default is adjusted for dependence between classes that share a parent: {total} of "
        f"{pairs} differences are significant. McNemar's test, which takes source entities as "
        f"independent, adds {len(lost)}: {'; '.join(lost)}.",
        drawn("siblings", draw),
        "alignrank compare --task anatomy",
        f"Those of {names[-1]} are shown by",
    )


def single_runs() -> str:
    """Show how often one run of each of two equal systems differs."""
    each = [1, 2, 3, 4]
    errors = [error_of_runs(k) for k in each]

    def draw(axes: Axes) -> None:
        axes.plot(each, errors, "o-", color=BLUE)
        axes.axhline(0.05, color="0.6", linewidth=0.8, linestyle="--")
        axes.set_xticks(each)
        axes.set(xlabel="runs of each system", ylabel="equal systems that differ", ylim=(0, None))

    return section(
        "A single run is not a system",
        f"Two equal systems whose runs differ by chance (standard deviation .025 in accuracy, 500 "
        f"items) differ significantly in {errors[0]:.0%} of 2,000 simulated comparisons of one run "
        f"each, at a level of 5%; with three runs each in {errors[2]:.1%}.",
        drawn("runs", draw),
        "alignrank gate old-runs/ new-runs/ --reference reference.rdf",
        "Runs are counted by `alignrank compare reference.rdf one=runs/ two=more/` and",
    )


def filter_matters(archive: Archive) -> str:
    """Show that the published figures need the track's filter."""
    changes = []
    for year in archive.years:
        for name, alignment in year.systems.items():
            before = score(year.unfiltered[name], archive.reference).f1
            after = score(alignment, archive.reference).f1
            if before != after:
                changes.append((f"{name} {year.name}", after - before))
    changes.sort(key=lambda change: -change[1])
    (most, gain), *_ = changes
    missed = [
        name
        for year in archive.years
        for s in published("anatomy", year.name)
        for name in [f"{s} {year.name}"]
        if name in dict(changes)
    ]
    total = sum(len(year.systems) for year in archive.years)

    def draw(axes: Axes) -> None:
        axes.barh([name for name, _ in changes], [100 * x for _, x in changes], color=BLUE)
        axes.invert_yaxis()
        axes.set_xlabel("F1 with the track's filter, minus without, in points of a hundred")

    return section(
        "The track's filter is part of the result",
        f"The OAEI leaves out relations other than = and a few foreign entities before it counts. "
        f"That changes the F1 of {len(changes)} of {total} alignments, most of all of {most} "
        f"(+{100 * gain:.2f} points); without it the published figures of {', '.join(missed)} are "
        "not met.",
        drawn("filter", draw, (5.4, 0.6 + 0.2 * len(changes))),
        f"alignrank score reference.rdf SYSTEM.rdf --filter {RULE}",
    )


def year_section(year: Year, reference: Alignment) -> str:
    """Return a campaign's graph, rank sets, figures, and how many differences are real."""
    view = year.comparison.deciding
    scores = {name: score(alignment, reference) for name, alignment in year.systems.items()}
    figure = draw_outperforms(
        view.ranking.layers,
        view.edges,
        scores={name: f"F1 {s.f1:.3f}" for name, s in scores.items()},
    )
    save(figure, DOCS / "findings" / f"outperforms-{year.name}")
    order = sorted(scores, key=lambda name: -scores[name].f1)
    decided = {frozenset(edge) for edge in view.edges}
    neighbours = [frozenset(pair) for pair in pairwise(order)]
    real = sum(pair in decided for pair in neighbours)
    differ = sum(scores[a].f1 != scores[b].f1 for a, b in combinations(order, 2))
    figures = published("anatomy", year.name)
    rows = [
        [
            name,
            *(f"{100 * x:.2f}" for x in (scores[name].precision, scores[name].recall)),
            f"{100 * scores[name].f1:.2f}",
            *(f"{x:.2f}" for x in figures.get(name, ())),
            view.ranks[name],
        ]
        for name in order
    ]
    theirs = ["P published", "R published", "F1 published"] if figures else []
    table = Table("", ["system", "P", "R", "F1", *theirs, "rank"], rows).to_markdown().strip()
    met = (
        f" The published figures (OAEI {year.name}, results of the anatomy track) of all "
        f"{len(figures)} systems are met to their two decimals."
        if figures and all(row[1:4] == row[4:7] for row in rows)
        else f" What the OAEI published for {year.name} was not at hand to two decimals."
    )
    return f"""### {year.name}

{len(view.edges)} of the {differ} differences between its {len(year.systems)} systems are \
significant (source entities, adjusted for dependence between classes that share a parent; \
Bergmann–Hommel, 5%). Of the {len(neighbours)} steps from one system to the next in the order of \
F1 {real} are significant.{met}

![](findings/outperforms-{year.name}.svg)

{table}"""


def main(data: Path) -> None:
    """Write the page and its figures."""
    archive = read_archive(data)
    found = rematch(data)
    findings = [
        not_optimal(found),
        ties_decide(found),
        corrections_agree(data),
        cfp_is_overall(archive),
        another_jaro(archive),
        shared_parents(archive),
        single_runs(),
        filter_matters(archive),
    ]
    years = [year_section(year, archive.reference) for year in archive.years]
    text = "\n\n".join(findings)
    campaigns = "\n\n".join(years)
    (DOCS / "findings.md").write_text(
        f"""<!-- made by studies/findings.py: do not edit -->
# Findings

What alignrank found in the archives of the anatomy track (2,737 and 3,298 classes,
{len(archive.reference):,} reference correspondences): each finding in a sentence, a figure and the
command that shows it. All of this page is made anew by `python studies/findings.py FOLDER`, where
FOLDER holds what `alignrank data fetch anatomy` and `alignrank data fetch anatomy --systems YEAR`
bring.

{text}

## How many published differences are real

{campaigns}
""",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
