"""The main job: an ontology pair in, an alignment per metric and a ranking of the metrics out."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import Argument
from alignrank.common.files import plain
from alignrank.common.names import count, first_of
from alignrank.common.progress import track
from alignrank.common.results import Caution
from alignrank.evaluation import AnalysisSettings, Comparison, Context
from alignrank.evaluation.measures.threshold_curve import crossfit
from alignrank.evaluation.significance.clustered import CLUSTER_TESTS, parent_clusters
from alignrank.evaluation.significance.mcnemar import TESTS
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import (
    PARENT,
    EvaluationInput,
    compare_systems,
    entity_clusters,
)
from alignrank.experiments.inputs.input_cautions import (
    check_reference,
    nameless_cautions,
    only_judged,
    ontology_cautions,
    out_of_reach,
    unjudged_caution,
    without_shared,
)
from alignrank.experiments.ranking.matching import check_metrics
from alignrank.matchers import (
    Candidates,
    Matching,
    Metric,
    Settings,
    match_all,
    prepare,
    select_metrics,
)
from alignrank.matchers.by_name import MetricLike
from alignrank.ontologies import Alignment, Ontology
from alignrank.ontologies.tasks.reader import AlignmentReader

from .tie_proof import Edge, TieRange, tie_proof, tie_ranges

_LOG = logging.getLogger(__name__)
#: Of a metric: the lowest, the median and the highest.
Thresholds = tuple[float, float, float]


@dataclass(frozen=True)
class RankOptions:
    """How `rank` matches and decides.

    Parameters
    ----------
    metrics
        Names of metrics or families; in Python also functions of two strings.
    settings
        Labels, synonyms, kinds, languages, threshold, assignment. Without a threshold each
        alignment is cut where F1 is largest on other entities
        (`alignrank.evaluation.measures.threshold_curve`).
    test, correction, alpha, views, protocol
        As `alignrank.evaluation.compare` takes them; under a protocol nothing is cut.
    filters
        What the track leaves out (`alignrank.ontologies.tasks.filters`): kinds that it does not
        judge.
    reader
        How references are read.
    """

    metrics: tuple[MetricLike, ...] = ("standard",)
    settings: Settings = field(default_factory=Settings)
    test: str | None = None
    correction: str = "bergmann-hommel"
    alpha: float = DEFAULTS.alpha
    views: tuple[str, ...] | None = None
    protocol: str | None = None
    filters: tuple[str, ...] = ()
    reader: AlignmentReader = field(default_factory=AlignmentReader)

    @property
    def analysis(self) -> AnalysisSettings:
        """What decides."""
        return AnalysisSettings(
            self.test, self.correction, self.alpha, views=self.views, protocol=self.protocol
        )

    @property
    def crossfits(self) -> bool:
        """Whether thresholds are chosen here, each on others than it judges."""
        return self.settings.threshold is None and self.protocol is None

    def check_order(self) -> None:
        """Raise `ExperimentError` where the threshold does not go with order or protocol."""
        if self.protocol is not None and self.views:
            raise ExperimentError(
                f"{Argument('protocol')} sets the views: leave {Argument('views')} out"
            )
        if self.protocol is not None and self.settings.least:
            raise ExperimentError(
                f"{Argument('protocol', self.protocol)} cuts nothing: leave "
                f"{Argument('threshold')} out"
            )
        if self.crossfits and self.settings.order != "assign-then-cut":
            raise ExperimentError(
                f"{Argument('threshold', 'best')} cuts what is assigned: name a threshold, or "
                "leave "
                f"{Argument('order', 'cut-then-assign')} out"
            )


def read_threshold(value: object) -> float | None:
    """Return a threshold as a number in [0, 1], or None for ``best``, which is chosen later.

    Examples
    --------
    >>> read_threshold("best"), read_threshold("0.8")
    (None, 0.8)
    """
    if value == "best":
        return None
    try:
        return float(str(value))
    except ValueError:
        raise ExperimentError(f"--threshold {value!r}: give a number in [0, 1], or best") from None


@dataclass(frozen=True)
class MatchedPair:
    """What metrics make of an ontology pair, before anything is compared.

    Parameters
    ----------
    matchings
        Each metric's assignment and total similarity, by name; what cross-fitted thresholds left
        of them.
    thresholds
        By metric, the lowest, the median and the highest cross-fitted threshold; empty without.
    cautions
        Sentences that the reader must know; what ties have to do with it, `prove_ties` says.
    ranges
        By metric: what all its optimal assignments have in common; None: not asked yet.
    """

    matchings: Mapping[str, Matching]
    thresholds: Mapping[str, Thresholds] = field(default_factory=dict)
    cautions: tuple[Caution, ...] = ()
    ranges: Mapping[str, TieRange] | None = None

    @property
    def alignments(self) -> dict[str, Alignment]:
        """The alignment of each metric, by name."""
        return {name: matching.alignment for name, matching in self.matchings.items()}


@dataclass(frozen=True)
class MetricRanking:
    """What `rank` computes from an ontology pair: what was matched, and the comparison of it."""

    matched: MatchedPair
    comparison: Comparison


@dataclass(frozen=True)
class ProvenTies:
    """What holds for all optimal assignments, not only for those that `rank` took.

    Parameters
    ----------
    ranges
        By metric: what all its optimal assignments have in common.
    arrows
        By view: arrows that hold whichever optimal assignments are taken.
    cautions
        Sentences that the reader must know.
    """

    ranges: dict[str, TieRange]
    arrows: dict[str, list[Edge]]
    cautions: tuple[Caution, ...]


def rank(
    source: Ontology, target: Ontology, reference: Alignment, options: RankOptions | None = None
) -> MetricRanking:
    """Match `source` and `target` with every metric, and compare the alignments.

    Parameters
    ----------
    source, target
        The ontologies.
    reference
        What is right.
    options
        How; None: as `alignrank rank` does unless told otherwise.

    Raises
    ------
    ExperimentError
        If no entity of the reference is in the ontologies, or nothing can be matched.
    """
    options = options or RankOptions()
    matched = match_metrics(source, target, reference, options, _checked_metrics(options))
    _LOG.info("matched; comparing %d alignments", len(matched.matchings))
    alignments = matched.alignments
    context = Context(source, target)
    clusters, unknown = entity_clusters(
        context,
        (*alignments.values(), reference),
        PARENT if options.protocol is None else None,
        by_target=options.views == ("entity-target",),
    )
    given = EvaluationInput(alignments, reference, context, clusters)
    comparison = compare_systems(given, options.analysis)
    return MetricRanking(replace(matched, cautions=(*matched.cautions, *unknown)), comparison)


def match_metrics(
    source: Ontology,
    target: Ontology,
    reference: Alignment,
    options: RankOptions,
    metrics: Sequence[Metric],
) -> MatchedPair:
    """Match `source` and `target` with every metric, as `rank` does before it compares.

    Raises
    ------
    ExperimentError
        If no entity of the reference is in the ontologies, or nothing can be matched.
    """
    cautions = check_reference(reference, source, target)
    settings, left_out = only_judged(options.settings, options.filters, (source, target))
    settings, of_shared = without_shared(settings, reference, source, target)
    cautions += of_shared
    candidates = prepare(source, target, settings)
    _LOG.info("%d candidate pairs, %d metrics", candidates.pairs, len(metrics))
    tracked = track(match_all(candidates, metrics), len(metrics), "matching")
    matchings = {matching.metric: matching for matching in tracked}
    thresholds: dict[str, Thresholds] = {}
    if options.crossfits:
        families = parent_clusters(source)
        for name, matching in matchings.items():
            matchings[name], thresholds[name] = _cut(matching, candidates, reference, families)
    return MatchedPair(
        matchings,
        thresholds,
        (
            *cautions,
            *out_of_reach([(reference, source)], settings),
            *unjudged_caution(left_out),
            *nameless_cautions(candidates),
            *(
                Caution(
                    "clipped",
                    f"{name}: confidence 1 for {count(matching.clipped, 'similarity')} above 1",
                    system=name,
                )
                for name, matching in matchings.items()
                if matching.clipped
            ),
            *ontology_cautions(source, target),
        ),
    )


def prove_ties(ranking: MetricRanking, reference: Alignment) -> ProvenTies:
    """Return what of a ranking holds for all optimal assignments of its metrics.

    Thresholds that were cross-fitted are held where they are.
    """
    ranges = dict(ranking.matched.ranges or tie_ranges(ranking.matched.matchings, reference))
    arrows = tie_proof(ranking.comparison, ranges)
    return ProvenTies(ranges, arrows, tuple(_tie_cautions(ranking.comparison, arrows)))


def _checked_metrics(options: RankOptions) -> list[Metric]:
    """Return the metrics; refuse options that cannot be used before anything is computed."""
    metrics = select_metrics(options.metrics)
    if len(metrics) < 2:
        raise ExperimentError(
            f"rank compares metrics, and only {metrics[0].name} is named: name another with "
            f"{Argument('metrics')} (`match` writes the alignment of one)"
        )
    check_metrics(options.settings, metrics)
    options.check_order()
    tests = [*TESTS, *CLUSTER_TESTS]
    options.analysis.resolved([metric.name for metric in metrics], tests)
    return metrics


def _cut(
    matching: Matching, candidates: Candidates, reference: Alignment, siblings: Mapping[str, str]
) -> tuple[Matching, Thresholds]:
    """Cut every entity at a threshold that others chose; return what these are."""
    entities = [iri for group in candidates.groups for iri in group.source.iris]
    fitted = crossfit(matching.alignment, reference, clusters=siblings, entities=entities)
    low, middle, high = fitted.range
    cut = fitted.alignment.with_correspondences(
        fitted.alignment, threshold=f"best ({low:.4g} to {high:.4g})"
    )
    ties = matching.ties and matching.ties.at_least(fitted.thresholds)
    return replace(matching, alignment=cut, ties=ties), (low, middle, high)


def _tie_cautions(
    comparison: Comparison, proven: Mapping[str, Sequence[Edge]]
) -> Iterator[Caution]:
    for view, arrows in proven.items():
        unproven = [edge for edge in comparison.views[view].edges if edge not in arrows]
        if unproven:
            listed = first_of((f"{better} > {worse}" for better, worse in unproven), 6)
            text = f"may not hold for other, equally good assignments: {listed}"
            caution = Caution("ties", text)
            if view != comparison.deciding.view:
                caution = replace(caution, view=view)
            yield caution


def plain_settings(settings: Settings) -> dict[str, object]:
    """Return the settings as ``summary.json`` holds them."""
    values: dict[str, object] = {**asdict(settings), "assignment": settings.method}
    return plain(values)
