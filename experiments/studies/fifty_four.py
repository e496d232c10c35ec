"""Fifty-four ways to match anatomy: nine metrics × three label presets × with and without synonyms.

What matters more, the metric or the preparation of the labels? Every way is ranked against every
other with exact Bergmann–Hommel, and the spread of F1 is split into what each choice explains.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from evaluation import Comparison, compare
from evaluation.ranking import answer, rank_ranges
from experiments.errors import ExperimentError
from experiments.library.factors import variance_shares
from experiments.ranking.tie_proof import TieRange, bounds, tie_proof
from experiments.report.figures.style import COLOURS, figure_style, svg_text
from experiments.report.html import Picture, Report
from experiments.results.provenance import installation
from matchers import STANDARD, Settings, match_all, prepare, select_metrics
from ontologies import Alignment, Kind, Ontology, load_ontology, read_alignment
from ontologies.common.files import write_text
from ontologies.common.progress import track
from ontologies.common.table import Table

PRESETS = ("lower", "underscore", "words")
SYNONYMS = (False, True)
_HEADER = ("way", "found", "correct", "any optimum", "precision", "recall", "F1", "rank")
HOW = "classes only, hungarian assignment, assign-then-cut, no threshold"


def way_name(metric: str, preset: str, *, synonyms: bool) -> str:
    """Return what one way is called.

    Examples
    --------
    >>> way_name("jaro", "lower", synonyms=True)
    'jaro (lower, synonyms)'
    """
    # brackets: names stand in lists, where further commas could not be told from the list's
    return f"{metric} ({preset}, {'synonyms' if synonyms else 'labels only'})"


@dataclass(frozen=True)
class FiftyFour:
    """The fifty-four ways, compared.

    Parameters
    ----------
    comparison
        All pairs of ways.
    ties
        Range of correct correspondences over all optimal assignments, by way.
    tie_proof
        By view: arrows that hold whichever optimal assignments are taken.
    f1
        Array (9, 3, 2) of F1 by metric, preset and synonyms.
    """

    comparison: Comparison
    ties: Mapping[str, TieRange]
    tie_proof: Mapping[str, list[tuple[str, str]]]
    f1: np.ndarray[tuple[int, ...], np.dtype[np.float64]]

    def shares(self) -> dict[str, float]:
        """Return how much of the spread of F1 each choice explains (`variance_shares`)."""
        return variance_shares(self.f1, ("metric", "label preset", "synonyms"))

    def sentences(self) -> list[str]:
        """Say what matters more, and by how much."""
        by_metric = self.f1.mean(axis=(1, 2))
        by_preset = self.f1.mean(axis=(0, 2))
        by_synonyms = self.f1.mean(axis=(0, 1))
        metric, preset, synonyms, interplay = self.shares().values()
        metric_wins = metric > preset + synonyms
        more, less = ("metric", "preparation of the labels")[:: 1 if metric_wins else -1]
        best, worst = int(by_metric.argmax()), int(by_metric.argmin())
        first, last = int(by_preset.argmax()), int(by_preset.argmin())
        edges = self.comparison.edges["ifp"][self.comparison.correction]
        return [
            f"The {more} matters more than the {less}: of the spread of F1 over the 54 ways the "
            f"metric explains {metric:.0%}, the label preset {preset:.0%}, synonyms "
            f"{synonyms:.0%}; {interplay:.0%} is their interplay.",
            f"The best metric on average is {STANDARD[best]} (mean F1 {by_metric[best]:.3f}), the "
            f"worst {STANDARD[worst]} ({by_metric[worst]:.3f}).",
            f"The best label preset is {PRESETS[first]} ({by_preset[first]:.3f}), the worst "
            f"{PRESETS[last]} ({by_preset[last]:.3f}).",
            f"Synonyms change the mean F1 from {by_synonyms[0]:.3f} to {by_synonyms[1]:.3f}.",
            f"{len(edges)} of the {54 * 53 // 2} pairs differ significantly (ifp, mid-p, "
            f"Bergmann–Hommel); {len(self.tie_proof['ifp'])} of these arrows are proven to hold "
            "whichever optimal assignments are taken.",
        ]

    def rows(self) -> list[list[str]]:
        """Return one row for each way, best first."""
        edges = self.comparison.edges["ifp"][self.comparison.correction]
        places = rank_ranges(self.comparison.systems, edges)
        scores = self.comparison.scores
        order = sorted(scores, key=lambda s: (int(places[s].split("–")[0]), -scores[s].f1, s))
        return [
            [
                name,
                str(scores[name].found),
                str(scores[name].correct),
                f"{self.ties[name].correct_min}–{self.ties[name].correct_max}",
                f"{scores[name].precision:.3f}",
                f"{scores[name].recall:.3f}",
                f"{scores[name].f1:.3f}",
                places[name],
            ]
            for name in order
        ]

    def to_text(self) -> str:
        """Return the table and the sentences, as printed."""
        exploratory = "Judged by one reference of one task: which way is best is exploratory."
        shown = Table(f"54 ways: {HOW}", _HEADER, self.rows()).to_text()
        return "\n".join([shown, "", *self.sentences(), exploratory])

    def report(self) -> Report:
        """Return the page."""
        edges = self.comparison.edges["ifp"][self.comparison.correction]
        f1 = {
            (metric, preset, synonyms): float(self.f1[i, j, k])
            for (i, metric), (j, preset), (k, synonyms) in product(
                enumerate(STANDARD), enumerate(PRESETS), enumerate(SYNONYMS)
            )
        }
        shares = Table(
            "What explains the spread of F1",
            ["choice", "share of the variance"],
            [[choice, f"{share:.1%}"] for choice, share in self.shares().items()],
            "Analysis of variance of the complete 9 × 3 × 2 design; interplay is what main effects "
            "leave.",
        )
        return Report(
            title="Fifty-four ways to match anatomy",
            answer=[self.sentences()[0], answer(self.comparison.systems, edges)],
            ranking=None,
            cautions=[
                *self.sentences()[1:],
                "All ways are judged by the one reference of one task: which way is best on it is "
                "exploratory for any other.",
                self.comparison.validity,
            ],
            pictures=[
                Picture(
                    "F1 of every way",
                    svg_text(draw_ways(f1)),
                    "One dot a way: colour is the label preset, filled is with synonyms.",
                )
            ],
            tables=[shares, Table("Every way, best first", _HEADER, self.rows())],
            data={"systems": list(self.comparison.systems)},
            provenance=[*installation(), ("matched by", HOW)],
        )


def fifty_four(source: Ontology, target: Ontology, reference: Alignment) -> FiftyFour:
    """Match the classes of an ontology pair in all fifty-four ways, and compare the ways.

    Parameters
    ----------
    source, target
        The ontologies.
    reference
        What is right.
    """
    metrics = select_metrics(["standard"])
    alignments: dict[str, Alignment] = {}
    ties: dict[str, TieRange] = {}

    ways = track(product(PRESETS, SYNONYMS), len(PRESETS) * len(SYNONYMS), "matching")
    for preset, synonyms in ways:
        settings = Settings(labels=preset, synonyms=synonyms, kinds=(Kind.CLASS,))
        matchings = match_all(prepare(source, target, settings), metrics)
        for matching in track(matchings, len(metrics), "metrics"):
            name = way_name(matching.metric, preset, synonyms=synonyms)
            alignments[name] = matching.alignment
            ties[name] = bounds(matching, reference)
    comparison = compare(alignments, reference, protocol="mohammadi-2018")
    f1 = np.array(
        [
            [[comparison.scores[way_name(m, p, synonyms=s)].f1 for s in SYNONYMS] for p in PRESETS]
            for m in STANDARD
        ]
    )
    return FiftyFour(comparison, ties, tie_proof(comparison, ties), f1)


def run(data: Path, out: Path | None) -> str:
    """Return the experiment's text, and write its page into `out` (`alignrank reproduce`)."""
    anatomy = data / "anatomy"
    if not (anatomy / "mouse.owl").is_file():
        raise ExperimentError(f"{anatomy / 'mouse.owl'} is not there: name the data with --data")
    result = fifty_four(
        load_ontology(anatomy / "mouse.owl"),
        load_ontology(anatomy / "human.owl"),
        read_alignment(anatomy / "reference.rdf"),
    )
    if out is not None:
        write_text(out / "fifty-four.html", result.report().to_html())
    return result.to_text()


def draw_ways(f1: Mapping[tuple[str, str, bool], float]) -> Figure:
    """Draw one dot for each way: a line a metric, a colour a label preset, filled with synonyms.

    Parameters
    ----------
    f1
        F1 by (metric, preset, synonyms).

    Examples
    --------
    >>> figure = draw_ways({("jaro", "lower", False): 0.5, ("jaro", "lower", True): 0.6})
    >>> [text.get_text() for text in figure.axes[0].get_yticklabels()]
    ['jaro']
    """
    metrics = list(dict.fromkeys(metric for metric, _, _ in f1))
    metrics.sort(key=lambda m: max(value for (name, _, _), value in f1.items() if name == m))
    presets = list(dict.fromkeys(preset for _, preset, _ in f1))
    colour = dict(zip(presets, COLOURS, strict=False))
    with figure_style():
        figure = Figure(figsize=(6.2, 0.36 * len(metrics) + 1.2))
        axes = figure.add_subplot()
        for (metric, preset, synonyms), value in f1.items():
            y = metrics.index(metric) + 0.16 * (presets.index(preset) - (len(presets) - 1) / 2)
            face = colour[preset] if synonyms else "white"
            axes.plot(value, y, "o", markersize=6, color=colour[preset], markerfacecolor=face)
        axes.set_yticks(range(len(metrics)), metrics)
        axes.set_xlabel("F1")
        axes.grid(axis="x", color="0.9")
        axes.set_axisbelow(True)
        handles = [
            Line2D([], [], marker="o", linestyle="", color=colour[p], label=p) for p in presets
        ]
        handles += [
            Line2D([], [], marker="o", linestyle="", color="0.3", markerfacecolor=face, label=label)
            for face, label in (("0.3", "with synonyms"), ("white", "labels only"))
        ]
        axes.legend(handles=handles, frameon=False, fontsize=7, loc="lower right")
    return figure
