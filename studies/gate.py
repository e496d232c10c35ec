"""Write the figure of the page on `gate`: two simulated histories of 30 commits, each decided.

python studies/gate.py             # the figure
python studies/gate.py 4000        # and the share of 4,000 equal pairs of versions that is blocked
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from alignrank.evaluation.significance.score_limits import discordance
from alignrank.evaluation.uncertainty.gate import Gate, gate
from alignrank.experiments.report.figures import save
from alignrank.experiments.report.figures.style import COLOURS, figure_style
from alignrank.ontologies import Alignment, Correspondence

PAIRS = [Correspondence(f"a#{k:04}", f"b#{k:04}") for k in range(1000)]
REFERENCE = {"": Alignment(PAIRS)}
INKS = {
    "pass": COLOURS[0],
    "unchanged": COLOURS[2],
    "block": COLOURS[1],
    "inconclusive": "0.6",
}


def version(rng: np.random.Generator, right: float) -> Alignment:
    """Return an alignment with each reference pair in it by chance, and half as many wrong ones."""
    wrong = (Correspondence(c.entity1, f"{c.entity2}x") for c in PAIRS)
    return Alignment(
        [
            *(c for c in PAIRS if rng.random() < right),
            *(c for c in wrong if rng.random() < (1 - right) / 2),
        ]
    )


def anew() -> list[Alignment]:
    """Return 31 versions that are as good as each other, each written anew."""
    rng = np.random.default_rng(2)
    return [version(rng, 0.8) for _ in range(31)]


def edited() -> list[Alignment]:
    """Return 31 versions that lose a correspondence of 500 each, but the sixteenth 6 of 100."""
    rng = np.random.default_rng(3)
    history = [version(rng, 0.85)]
    for commit in range(1, 31):
        lost = 0.06 if commit == 16 else 0.002
        history.append(Alignment(c for c in history[-1] if rng.random() >= lost))
    return history


def decided(history: list[Alignment]) -> list[Gate]:
    """Return the decision on each commit."""
    return [gate([{"": old}], [{"": new}], REFERENCE) for old, new in pairwise(history)]


def draw(panels: dict[str, list[Gate]]) -> Figure:
    """Draw the limits of every commit, in the colour of its decision."""
    figure = Figure(figsize=(7.2, 4.2), layout="constrained")
    for axes, (title, gates) in zip(
        figure.subplots(2, 1, sharex=True), panels.items(), strict=True
    ):
        axes.axhline(0, color="0.8", linewidth=0.8)
        axes.axhline(-gates[0].margin, color="0.6", linewidth=0.8, linestyle="--")
        for decision, ink in INKS.items():
            here = [(k, g) for k, g in enumerate(gates, 1) if g.decision == decision]
            if decision == "unchanged" and not here:
                continue
            label = f"{decision} ({len(here)})"
            axes.vlines(
                [k for k, _ in here],
                [g.low for _, g in here],
                [g.high for _, g in here],
                color=ink,
                linewidth=2.5,
                label=label,
            )
        axes.set_title(title, fontsize=9, loc="left")
        axes.set_ylabel("new − old F1")
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize=8)
    axes.set_xlabel("commit")
    return figure


def false_blocks(clusters: int, pairs: int) -> float:
    """Return the share of equal pairs of versions that are blocked at a risk of .05."""
    rng, blocked = np.random.default_rng(4), 0
    sizes, fate = rng.geometric(1 / 3, clusters), rng.beta(8, 2, clusters)
    cluster = np.repeat(np.arange(clusters), sizes)
    for _ in range(pairs):
        is_easy = (rng.random((2, clusters)) < fate)[:, cluster]
        correct = rng.random(is_easy.shape) < np.where(is_easy, 0.95, 0.3)
        found = correct | (rng.random(correct.shape) < 0.6)
        counts = discordance(2.0 * correct, found + 1.0, cluster, measure="f1")
        _, high = counts.limits(0.05)
        blocked += bool(high[1, 0] < 0)
    return blocked / pairs


def main(pairs: int) -> None:
    """Write the figure; with pairs, count."""
    panels = {
        "30 commits, each written anew and as good as the one before": decided(anew()),
        "30 small edits; the sixteenth loses 6 of 100 correspondences": decided(edited()),
    }
    with figure_style():
        save(draw(panels), Path(__file__).parents[1] / "docs" / "images" / "gate-histories")
    for clusters in (30, 100, 400) if pairs else ():
        print(f"{clusters} clusters: {false_blocks(clusters, pairs):.1%} of {pairs:,} blocked")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 0)
