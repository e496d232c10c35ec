"""The defaults of an analysis, and fixed sets of names that its options take.

Functions, commands, help texts and pages take them from here. A set that grows (measures,
corrections, formats, filters) stands with what implements it. Of the sets here,
`tests/common/test_defaults.py` shows that each name is implemented, and nothing else is.
"""

from __future__ import annotations

from typing import Literal, NamedTuple


class Defaults(NamedTuple):
    """The defaults of an analysis.

    Parameters
    ----------
    alpha
        Family-wise error rate.
    margin
        Differences of shares below it count as equivalent; a gate lets such a loss pass.
    n_resamples
        Random resamples of a randomisation test, and random flips of Westfall and Young's.
    n_bootstrap
        Resamples of a bootstrap interval.
    seed
        Of random resamples.
    level
        Level of confidence intervals.
    power
        Chance to find a difference, of plans.
    threshold
        Similarity from which on strings are a pair, for all metrics but ``combined``.
    probability
        The same of ``combined``, whose similarities are probabilities.
    cutoffs
        Ranks at which ranked lists are scored: n of recall@n, hits@n and nDCG@n.
    mapping_cutoffs
        The same of ``score --kind mapping``.
    """

    alpha: float = 0.05
    margin: float = 0.01
    n_resamples: int = 20_000
    n_bootstrap: int = 2_000
    seed: int = 0
    level: float = 0.95
    power: float = 0.8
    threshold: float = 0.7
    probability: float = 0.5
    cutoffs: tuple[int, ...] = (1, 5, 10)
    mapping_cutoffs: tuple[int, ...] = (1, 3, 5, 10)


#: All functions read their defaults here when they are imported.
DEFAULTS = Defaults()

#: Tests of McNemar, those for clustered items (the default first), and those over many tasks.
MCNEMAR_TESTS = ("asymptotic", "continuity", "exact", "mid-p")
CLUSTER_TESTS = ("sign-flip", "obuchowski", "durkalski")
#: The mean difference over tasks that share ontologies, by leaving out one in turn.
JACKKNIFE = "jackknife"
STUDY_TESTS = (
    "signed-rank",
    "paired-t",
    "signed-rank-normal",
    "sign",
    "friedman",
    "aligned-ranks",
    "quade",
    JACKKNIFE,
)
#: Views of a comparison.
VIEWS = ("ifp", "cfp", "entity", "entity-target")
#: Values that a gate watches; ``share`` is the share of entities that are right.
RATIOS = ("share", "recall", "f1", "precision")
#: The choices of the relaxed measures, the default first.
RELAXED_CHOICES = {
    "both_sides": ("zero", "product"),
    "confidence": ("ignore", "paper"),
    "relations": ("paper", "ignore", "strict"),
    "aggregate": ("product", "mean"),
    "direction": ("forward", "backward"),
}
#: What `--relaxed` takes: each name with its values, as help shows them.
RELAXED_NAMES = {
    **{name: "|".join(choices) for name, choices in RELAXED_CHOICES.items()},
    "max_distance": "1",
    "part_of": "IRI",
    "weights": "FILE",
}
#: What 0/0 means: ``oaei`` — an empty alignment has precision 1, an empty reference recall 1;
#: ``zero`` — 0; ``nan`` — undefined.
ZeroDivision = Literal["oaei", "zero", "nan"]
#: How tied entries are ordered: the ``average`` over all orders, relevant ones first (``min`` rank)
#: or last (``max`` rank), or as they came (``stable``).
Tie = Literal["average", "min", "max", "stable"]
#: For which entities the reference is complete; found correspondences of others are unknown.
Completeness = Literal["complete", "partial", "source", "target", "source-target", "none"]
#: What becomes of a result that is missing, or foreign to its reference.
Mismatch = Literal["refuse", "zero", "drop"]
#: Whether all tasks share a scale.
Scale = Literal["common"]
#: Simulations checked the intervals of judged samples from this number of answers on; fewer allow
#: no verdict and no forecast.
ENOUGH_QUESTIONS = 50

#: The nine metrics of a family, and the families; the default where no reference helps to choose.
STANDARD = (
    "equality",
    "levenshtein",
    "ngram",
    "hamming",
    "jaro",
    "jaro-winkler",
    "smoa",
    "needleman-wunsch",
    "substring",
)
FAMILIES = ("standard", "ontosim")
DEFAULT_METRIC = "combined"
#: Preparation of labels; methods of assignment; order of assignment and threshold.
PRESETS = ("raw", "lower", "underscore", "words")
ASSIGNMENTS = ("hungarian", "greedy", "mutual-best", "scipy")
ORDERS = ("assign-then-cut", "cut-then-assign")
#: What becomes of entities with the same IRI on both sides.
SAME_IRI = ("keep", "drop", "only")

#: Roles of the columns of answers.
ANSWER_ROLES = ("item", "right", "cluster")
#: What `alignrank report` shows: tables and figures, with their formats.
TABLES = (
    "paper",
    "supplement",
    "scores",
    "tasks",
    "p",
    "adjusted",
    "discordant",
    "edges",
    "pairs",
)
TABLE_FORMATS = ("latex", "markdown", "csv", "html")
FIGURES = (
    "outperforms",
    "p-values",
    "discordance",
    "precision-recall",
    "threshold",
    "similarities",
    "critical-difference",
)
FIGURE_FORMATS = ("svg", "pdf", "png")
