"""The main job: an ontology pair in, an alignment per metric and a ranking of the metrics out."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import Argument
from alignrank.common.files import JsonObject, plain
from alignrank.common.names import count
from alignrank.common.results import Caution, Provenance
from alignrank.evaluation import (
    CLUSTER_TESTS,
    TESTS,
    AnalysisSettings,
    Comparison,
    Context,
    Matched,
    Pairwise,
    parent_clusters,
)
from alignrank.evaluation.measures.threshold_curve import crossfit, f1_of_choice
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import (
    PARENT,
    EvaluationInput,
    compare_systems,
    entity_clusters,
)
from alignrank.experiments.inputs.input_cautions import (
    check_reference,
    evaluated_kinds,
    left_out_kinds,
    nameless_cautions,
    ontology_cautions,
    out_of_reach,
    without_shared,
)
from alignrank.experiments.inputs.named_inputs import input_files
from alignrank.experiments.ranking.matching import check_metrics
from alignrank.matchers import (
    Matching,
    Metric,
    Settings,
    match_all,
    prepare,
    select_metrics,
)
from alignrank.matchers.by_name import MetricLike
from alignrank.ontologies import Alignment, Ontology
from alignrank.ontologies.tasks.filters import Filter
from alignrank.ontologies.tasks.reader import AlignmentReader

from .tie_proof import prove_ties

_LOG = logging.getLogger(__name__)
#: The lowest, the median and the highest threshold of a metric over the folds.
Thresholds = tuple[float, float, float]


@dataclass(frozen=True)
class RankOptions:
    """How `rank` matches and decides.

    Parameters
    ----------
    metrics
        Names of metrics or families; in Python also functions of two strings.
    settings
        Labels, synonyms, kinds, languages, threshold, assignment. Without a threshold, it is
        chosen by cross-validation (`alignrank.evaluation.measures.threshold_curve`).
    test, correction, alpha, views, protocol
        As `alignrank.evaluation.compare` takes them; under a protocol nothing is cut.
    rule
        Filter of the track (`alignrank.ontologies.tasks.filters`); `rank` uses it to leave out
        the kinds that the track does not evaluate.
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
    rule: Filter | None = None
    reader: AlignmentReader = field(default_factory=AlignmentReader)

    @property
    def analysis(self) -> AnalysisSettings:
        """The settings of the comparison."""
        return AnalysisSettings(
            self.test, self.correction, self.alpha, views=self.views, protocol=self.protocol
        )

    @property
    def is_crossfitted(self) -> bool:
        """Whether each threshold is chosen by cross-validation."""
        return self.settings.threshold is None and self.protocol is None

    def refuse_contradictions(self) -> None:
        """Raise where protocol, views, test, threshold and order exclude each other."""
        if self.protocol is not None and (self.views or self.test):
            raise ExperimentError(
                f"{Argument('protocol')} sets the views and the test: leave {Argument('views')} "
                f"and {Argument('test')} out"
            )
        if self.protocol is not None and self.settings.least:
            raise ExperimentError(
                f"{Argument('protocol', self.protocol)} cuts nothing: leave "
                f"{Argument('threshold')} out"
            )
        if self.is_crossfitted and self.settings.order != "assign-then-cut":
            raise ExperimentError(
                f"{Argument('threshold', 'best')} cuts what is assigned: name a threshold, or "
                f"leave {Argument('order', 'cut-then-assign')} out"
            )


def read_threshold(value: object) -> float | None:
    """Return a threshold as a number, or None for ``best``; `Settings` checks its range.

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
class RankedPair:
    """An ontology pair, the metrics' alignments of it, and their comparison.

    Parameters
    ----------
    source, target, reference
        The ontologies, and the reference alignment.
    alignments
        The alignment of each metric, by name.
    comparison
        The complete comparison of the metrics.
    """

    source: Ontology
    target: Ontology
    reference: Alignment
    alignments: Mapping[str, Alignment]
    comparison: Comparison

    @property
    def title(self) -> str:
        """The heading of the report."""
        names = " and ".join(Path(ontology.path).stem for ontology in (self.source, self.target))
        return f"{len(self.alignments)} metrics on {names}"


def rank(
    source: Ontology, target: Ontology, reference: Alignment, options: RankOptions | None = None
) -> RankedPair:
    """Match `source` and `target` with every metric, and compare the alignments.

    Parameters
    ----------
    source, target
        The ontologies.
    reference
        The reference alignment.
    options
        How to match and decide; None: the defaults of `alignrank rank`.

    Raises
    ------
    ExperimentError
        If no entity of the reference is in the ontologies, or nothing can be matched.
    """
    options = options or RankOptions()
    metrics = _checked_metrics(options)
    cautions = options.reader.cautions_on(reference)
    cautions += check_reference(reference, source, target)
    settings, left_out = evaluated_kinds(options.settings, options.rule, (source, target))
    settings, shared_cautions = without_shared(settings, reference, source, target)
    candidates = prepare(source, target, settings)
    cautions += shared_cautions
    cautions += out_of_reach([(reference, source)], settings)
    cautions += left_out_kinds(left_out)
    cautions += nameless_cautions(candidates)
    _LOG.info("%d candidate pairs, %d metrics", candidates.pairs, len(metrics))
    matchings: dict[str, Matching] = {}
    for matching in match_all(candidates, metrics):
        name = matching.metric
        if matching.clipped:
            text = f"{name}: confidence 1 for {count(matching.clipped, 'similarity')} above 1"
            cautions.append(Caution("clipped", text, system=name))
        matchings[name] = matching
    cautions += ontology_cautions(source, target)
    # thresholds are chosen for source entities, also where target entities decide
    source_clusters = parent_clusters(source)
    thresholds: dict[str, Thresholds] = {}
    if options.is_crossfitted:
        entities = [iri for group in candidates.groups for iri in group.source.iris]
        matchings, thresholds = _cut_at_cross_validated(
            matchings, reference, source_clusters, entities
        )
    alignments = {name: matching.alignment for name, matching in matchings.items()}
    f1 = f1_of_choice(alignments, reference, source_clusters)
    _LOG.info("matched; comparing %d alignments", len(alignments))
    context = Context(source, target)
    clusters, cluster_cautions = entity_clusters(
        context,
        (*alignments.values(), reference),
        PARENT if options.protocol is None else None,
        by_target=options.analysis.by_target,
    )
    systems = EvaluationInput(alignments, reference, context, clusters)
    comparison = compare_systems(systems, options.analysis)
    proven = prove_ties(comparison, matchings, reference)
    recorded = {
        **recorded_settings(options, comparison.deciding),
        "views": list(comparison.views),
        "protocol": options.protocol,
        "filters": [options.rule.name] if options.rule else [],
    }
    inputs = input_files(source=source, target=target, reference=reference)
    comparison = replace(
        comparison,
        matched=Matched(
            order=options.settings.order,
            total_similarity={
                name: {str(kind): total for kind, total in matching.totals.items()}
                for name, matching in matchings.items()
            },
            thresholds=thresholds,
            f1_of_choice=f1,
            correct_range={
                name: (of_metric.correct_min, of_metric.correct_max)
                for name, of_metric in proven.ranges.items()
            },
            tie_proof={view: tuple(arrows) for view, arrows in proven.arrows.items()},
        ),
        cautions=(*proven.cautions, *cautions, *cluster_cautions, *comparison.cautions),
        provenance=Provenance(recorded, inputs),
    )
    return RankedPair(source, target, reference, alignments, comparison)


def _cut_at_cross_validated(
    matchings: Mapping[str, Matching],
    reference: Alignment,
    clusters: Mapping[str, str],
    entities: Sequence[str],
) -> tuple[dict[str, Matching], dict[str, Thresholds]]:
    """Cut each alignment at its cross-validated thresholds.

    Return the alignments, and of each the lowest, the median and the highest threshold.
    """
    cut_matchings, thresholds = {}, {}
    for name, matching in matchings.items():
        fitted = crossfit(matching.alignment, reference, clusters=clusters, entities=entities)
        thresholds[name] = fitted.range
        low, _, high = fitted.range
        alignment = fitted.alignment.with_columns(
            fitted.alignment.columns, threshold=f"best ({low:.4g} to {high:.4g})"
        )
        ties = matching.ties and matching.ties.at_least(fitted.thresholds)
        cut_matchings[name] = replace(matching, alignment=alignment, ties=ties)
    return cut_matchings, thresholds


def _checked_metrics(options: RankOptions) -> list[Metric]:
    """Return the metrics; before anything is computed, refuse options that cannot be used."""
    metrics = select_metrics(options.metrics)
    if len(metrics) < 2:
        raise ExperimentError(
            f"rank compares metrics, and only {metrics[0].name} is named: name another with "
            f"{Argument('metrics')} (`match` writes the alignment of one)"
        )
    check_metrics(options.settings, metrics)
    options.refuse_contradictions()
    tests = [*TESTS, *CLUSTER_TESTS]
    options.analysis.resolved([metric.name for metric in metrics], tests)
    return metrics


def recorded_settings(options: RankOptions, deciding: Pairwise) -> JsonObject:
    """Return the settings of one or several tasks that ``summary.json`` records.

    These are the options, the metrics, and the test that was made. `rank` adds what only one task
    has. The options are as the user states them: that `rank` leaves out shared entities, and kinds
    that a track does not evaluate, is in the cautions.
    """
    settings: JsonObject = {
        "command": "rank",
        **asdict(options.settings),
        "assignment": options.settings.method,
        "metrics": list(deciding.systems),
        "test": deciding.test,
        "correction": options.correction,
        "alpha": options.alpha,
    }
    if options.is_crossfitted:
        settings["threshold"] = "best"
    if options.reader.columns:
        settings["columns"] = options.reader.columns
    if options.reader.predicates:
        settings["predicates"] = options.reader.predicates
    return plain(settings)
