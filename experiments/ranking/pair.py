"""An ontology pair from files to files: load, rank, publish."""

from __future__ import annotations

import errno
import math
import shlex
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from alignrank.common.executor import HERE, Cluster
from alignrank.common.results import Provenance
from alignrank.evaluation import Comparison, Matched
from alignrank.evaluation.comparison.robustness import with_choices
from alignrank.evaluation.measures.threshold_curve import Curve, f1_of_choice
from alignrank.evaluation.significance.clustered import parent_clusters
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.named_inputs import (
    PairFiles,
    filters_in_force,
    input_files,
    labels,
    read_reference,
    reference_cautions,
    tasks_by_name,
)
from alignrank.experiments.presentation.present import present
from alignrank.experiments.ranking.rank import (
    MetricRanking,
    ProvenTies,
    RankOptions,
    plain_settings,
    prove_ties,
    rank,
    read_threshold,
)
from alignrank.experiments.report.comparison_page import comparison_report, write_report
from alignrank.experiments.report.console import finish, print_prose, say
from alignrank.experiments.report.html import Report
from alignrank.experiments.report.publish import (
    drawable_curves,
    print_result,
    write_comparison,
    write_figures,
)
from alignrank.experiments.results.folder import results_folder
from alignrank.experiments.results.steps import DONE, fingerprint, is_done, metric_files
from alignrank.matchers import Metric, Settings, select_metrics
from alignrank.matchers.matcher import check_on_cluster
from alignrank.matchers.settings import DEFAULT_METRIC
from alignrank.ontologies import Alignment, Ontology, load_pair
from alignrank.ontologies.tasks import DEMO, bundled_task
from alignrank.ontologies.tasks.reader import AlignmentReader

#: Errors of the disk itself: whatever is written next would meet the same.
_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
#: How what a setting holds is typed.
FLAGS = {
    "labels": "--labels",
    "kinds": "--entities",
    "langs": "--lang",
    "assignment": "--assignment",
    "order": "--order",
}


@dataclass(frozen=True)
class LoadedPair:
    """The ontologies and the reference, read."""

    source: Ontology
    target: Ontology
    reference: Alignment


def rank_demo(out: Path | None = None, overwrite: bool = False) -> None:
    """Rank the nine standard metrics on a generated pair of 360 correspondences.

    Example: alignrank demo --out results
    """
    task = bundled_task(DEMO)
    files = PairFiles(task.source, task.target, task.reference)
    rank_pair(files, RankOptions(), out=out, overwrite=overwrite)
    say("These ontologies are generated. Yours: alignrank rank A.owl B.owl REFERENCE.rdf")
    say("Without a reference: alignrank match A.owl B.owl -o A-B.rdf")


def rank_files(
    source: Path | None = None,
    target: Path | None = None,
    reference: Path | None = None,
    *,
    settings: Settings,
    options: RankOptions,
    metrics: Sequence[str] = ("standard",),
    threshold: str = "best",
    tiles: bool | None = None,
    task: Sequence[str] = (),
    data: Path | None = None,
    cluster: Cluster = HERE,
    imports: Path | None = None,
    label_properties: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    predicates: Sequence[str] = (),
    out: Path | None = None,
    overwrite: bool = False,
    resume: bool = False,
) -> int:
    """Match ontology pairs with many metrics and rank the metrics.

    Example: alignrank rank mouse.owl human.owl reference.rdf --out results

    Example: alignrank rank --task conference
    """
    settings = replace(settings, threshold=read_threshold(threshold), tiles=tiles)
    reader = AlignmentReader(columns, predicates)
    options = replace(options, metrics=tuple(metrics), settings=settings, reader=reader)
    if task and source:
        raise ExperimentError("--task names the files itself: leave out SOURCE TARGET REFERENCE")
    tasks = tasks_by_name(task, data)
    if cluster != HERE and len(tasks) < 2:  # of several tasks, each goes whole to a worker
        check_on_cluster(settings)
    with cluster.used():
        if len(tasks) > 1:
            from .tasks import rank_tasks  # what studies many tasks: a quarter of a second

            if label_properties:
                raise ExperimentError("--label-property goes with one task: rank each by itself")
            return rank_tasks(
                tasks, task, options, imports=imports, out=out, overwrite=overwrite, resume=resume
            )
        if tasks:
            source, target, reference = tasks[0].source, tasks[0].target, tasks[0].reference
            rules = filters_in_force((), tasks[0].track, options.protocol)
            options = replace(options, filters=rules)
        files = _named(source, target, reference)
        files = replace(files, imports=imports, label_properties=tuple(label_properties))
        result = rank_pair(files, options, out=out, overwrite=overwrite, resume=resume)
        words = [str(source), str(target)]
        if tasks:
            words = ["--task", *task]
        if data:
            words += ["--data", str(data)]
        for iri in label_properties:
            words += ["--label-property", iri]
        # what came through a pipe cannot be read again
        if result is not None and (
            tasks or all(map(_can_be_read_again, (files.source, files.target)))
        ):
            _tell_use(result, words, settings)
        _tell_options(result, out)
    return 0


def _tell_options(result: Comparison | None, out: Path | None) -> None:
    """Print what options add that were not used."""
    more = []
    if result is not None and DEFAULT_METRIC not in result.systems:
        more.append(f"Also words and neighbours: -m standard -m {DEFAULT_METRIC}.")
    if out is None:
        more.append("A report: --out FOLDER")
    if more:
        print_prose(" ".join(more))


def _tell_use(result: Comparison, names: Sequence[str], settings: Settings) -> None:
    """Print the `match` command that repeats the best metric at its threshold."""
    best, cut = result.deciding.order[0], settings.least
    if result.thresholds:
        _, cut, _ = result.thresholds[best]
    if math.isinf(cut):
        return  # nothing is kept
    words = ["match", *names, "--metric", best]
    # rounded down: a pair that is just as similar stays
    words += ["--threshold", f"{math.floor(cut * 1000) / 1000:g}"]
    usual, own = asdict(Settings()), asdict(settings)
    for name, flag in FLAGS.items():
        values = own[name]
        if values == usual[name]:
            continue
        if not isinstance(values, tuple):
            values = [values]
        for value in values:
            words += [flag, value]
    if not settings.synonyms:
        words.append("--no-synonyms")
    say(f"Next: {shlex.join(['alignrank', *words])}")


def _named(source: Path | None, target: Path | None, reference: Path | None) -> PairFiles:
    """Return the files of a pair, if all are named."""
    if source is None or target is None:
        raise ExperimentError(
            "name SOURCE TARGET REFERENCE, or a task with --task (as --task library)"
        )
    if reference is None:
        raise ExperimentError(
            "metrics are ranked by a reference: a file of the pairs that are right, as experts or "
            "the OAEI publish it (RDF, SSSOM, or CSV with columns entity1 and entity2). Name it "
            f"third. You have none? alignrank match {source} {target} needs none; keep what is "
            "right of its pairs as your reference"
        )
    return PairFiles(source, target, reference)


def rank_pair(
    files: PairFiles,
    options: RankOptions,
    *,
    out: Path | None,
    overwrite: bool,
    resume: bool = False,
) -> Comparison | None:
    """Load, rank, print, and write the results folder (`alignrank rank`).

    Parameters
    ----------
    files
        The ontologies and the reference.
    options
        How to match and decide.
    out, overwrite
        The results folder; None: results are only printed.
    resume
        Whether nothing is to be done where the folder has the results of these files and options.

    Returns
    -------
    Comparison or None
        None where nothing was to be done.
    """
    metrics = select_metrics(options.metrics)
    folder, undrawn = None, None
    with ExitStack() as stack:
        if out is not None:
            made_of = _made_of(files, options, metrics)
            if resume and made_of and is_done(out, made_of):
                say(f"{out}: {DONE}")
                return None
            facts = {"assignment": options.settings.method, "fingerprint": made_of}
            folder = stack.enter_context(results_folder(out, overwrite=overwrite, facts=facts))
        pair = load(files, options.reader)
        ranking = rank(pair.source, pair.target, pair.reference, options)
        result = completed(ranking, pair, options)
        if folder is not None:
            title = title_of(ranking, pair)
            undrawn = publish(folder, result, ranking, pair, title=title)
    # after all is written: whoever reads this may leave
    print_result(present(result, heading=_heading(ranking, options.settings)))
    finish(result.to_dict(), out)
    if undrawn:
        raise undrawn
    return result


def _made_of(files: PairFiles, options: RankOptions, metrics: Sequence[Metric]) -> str:
    """Return the fingerprint of all that is read; '' where that is a stream, or is not there."""
    read = [files.source, files.target, files.reference]
    if not all(path.is_file() for path in read):
        return ""
    settings = {**asdict(options), "label_properties": files.label_properties}
    return fingerprint(settings, [*read, files.imports, *metric_files(metrics)])


def load(files: PairFiles, reader: AlignmentReader | None = None) -> LoadedPair:
    """Read the reference and the ontologies."""
    reference = read_reference(files.reference, reader)
    source, target = load_pair(
        files.source,
        files.target,
        imports=files.imports,
        label_properties=files.label_properties,
    )
    return LoadedPair(source, target, reference)


def _can_be_read_again(path: Path) -> bool:
    """Return whether a file is no stream such as ``/dev/stdin``."""
    return path.is_file() and path.absolute().parts[1:2] not in (("dev",), ("proc",))


def completed(ranking: MetricRanking, pair: LoadedPair, options: RankOptions) -> Comparison:
    """Return the comparison of a ranking with all that ``summary.json`` holds.

    That is where it comes from, what was matched, what ties leave open, and the intervals of its
    scores.
    """
    result, matched = ranking.comparison, ranking.matched
    settings = {
        "command": "rank",
        **plain_settings(options.settings),
        "metrics": list(matched.matchings),
        "test": result.test,
        "correction": options.correction,
        "alpha": options.alpha,
        "views": list(result.views),
        "protocol": options.protocol,
        "filters": list(options.filters),
    }
    if matched.thresholds:
        settings["threshold"] = "best"
    inputs = input_files(source=pair.source, target=pair.target, reference=pair.reference)
    ties = prove_ties(ranking, pair.reference)
    cautions = [*ties.cautions, *reference_cautions(pair.reference, options.reader)]
    return replace(
        result,
        matched=_matched(ranking, pair, options, ties),
        cautions=(*cautions, *matched.cautions, *result.cautions),
        provenance=Provenance(settings, inputs),
    )


def _matched(
    ranking: MetricRanking, pair: LoadedPair, options: RankOptions, ties: ProvenTies
) -> Matched:
    """Return what the metrics found, apart from its comparison."""
    matched, f1 = ranking.matched, None
    if len(matched.matchings) > 1:
        f1 = f1_of_choice(matched.alignments, pair.reference, parent_clusters(pair.source))
    return Matched(
        order=options.settings.order,
        total_similarity={
            name: {str(kind): total for kind, total in matching.totals.items()}
            for name, matching in matched.matchings.items()
        },
        thresholds=dict(matched.thresholds),
        f1_of_choice=f1,
        correct_range={
            name: (of_metric.correct_min, of_metric.correct_max)
            for name, of_metric in ties.ranges.items()
        },
        tie_proof={view: tuple(arrows) for view, arrows in ties.arrows.items()},
    )


def publish(
    folder: Path,
    result: Comparison,
    ranking: MetricRanking,
    pair: LoadedPair,
    *,
    title: str,
) -> ExperimentError | None:
    """Draw the figures, and write everything into `folder`.

    Returns
    -------
    ExperimentError or None
        Why figures are missing, if they are: whatever else was computed is kept.
    """
    curves = drawable_curves(ranking.matched.alignments, pair.reference)
    undrawn = _draw(folder / "figures", result, curves)
    result = with_choices(result)
    report = report_of(result, ranking, pair, curves, title)
    write_comparison(folder, result, ranking.matched.alignments)
    write_report(folder, report, result.deciding.view)
    return undrawn


def _draw(folder: Path, result: Comparison, curves: Mapping[str, Curve]) -> ExperimentError | None:
    """Draw the figures; return why they are missing, if they are.

    Raises
    ------
    OSError
        If the disk is full or fails.
    """
    try:
        write_figures(folder, result, curves, f"-{result.deciding.view}")
    except Exception as error:  # whatever stands in the way, such as a broken installation
        if isinstance(error, OSError) and error.errno in _DISK:
            raise
        return ExperimentError(
            f"the figures could not be drawn: {type(error).__name__}: {error}: all other results "
            "are written, and alignrank report draws figures from them"
        )
    return None


def title_of(ranking: MetricRanking, pair: LoadedPair) -> str:
    """Return the heading of a ranking's report."""
    names = " and ".join(Path(ontology.path).stem for ontology in (pair.source, pair.target))
    return f"{len(ranking.matched.matchings)} metrics on {names}"


def report_of(
    result: Comparison,
    ranking: MetricRanking,
    pair: LoadedPair,
    curves: Mapping[str, Curve],
    title: str,
) -> Report:
    """Return the report of a ranking; `curves` are those of `drawable_curves`."""
    return comparison_report(
        result,
        ranking.matched.alignments,
        pair.reference,
        curves,
        title=title,
        label=labels(pair.source, pair.target),
        parents=(pair.source.parents, pair.target.parents),
    )


def _heading(ranking: MetricRanking, settings: Settings) -> str:
    heading = f"{len(ranking.matched.matchings)} metrics on labels"
    if settings.synonyms:
        heading += " and synonyms"
    if settings.labels != Settings().labels:
        heading += f" ({settings.labels})"
    return heading
