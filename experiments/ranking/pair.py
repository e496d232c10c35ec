"""An ontology pair from files to files: load, rank, publish."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path

from alignrank.common.executor import HERE, Cluster
from alignrank.evaluation import Comparison
from alignrank.evaluation.comparison.robustness import with_choices
from alignrank.evaluation.credit.counts import cases
from alignrank.evaluation.measures.threshold_curve import Curve, drawable_curves
from alignrank.experiments.errors import ExperimentError, option_words
from alignrank.experiments.inputs.named_inputs import labels, refuse_beside_task, tasks_by_name
from alignrank.experiments.presentation.present import Presentation, present_comparison
from alignrank.experiments.ranking.rank import (
    RankedPair,
    RankOptions,
    rank,
    read_threshold,
)
from alignrank.experiments.report.console import finish, print_prose, say
from alignrank.experiments.report.html import Report
from alignrank.experiments.report.publish import (
    print_result,
    write_comparison,
    write_figures,
)
from alignrank.experiments.report.result_pages import comparison_report, write_report
from alignrank.experiments.results.folder import read_results, results_folder
from alignrank.experiments.results.steps import DONE, fingerprint, is_done, metric_files
from alignrank.matchers import Settings, select_metrics
from alignrank.matchers.matcher import check_on_cluster
from alignrank.matchers.settings import DEFAULT_METRIC
from alignrank.ontologies import load_pair
from alignrank.ontologies.tasks import DEMO, MatchingTask, bundled_task
from alignrank.ontologies.tasks.reader import AlignmentReader

#: The settings that the next command repeats where they are not the usual ones.
_REPEATED = ("labels", "kinds", "langs", "assignment", "order", "synonyms")


def rank_demo(out: Path | None = None, overwrite: bool = False) -> None:
    """Rank the nine standard metrics on a generated pair of 360 correspondences."""
    rank_pair(bundled_task(DEMO), RankOptions(), out=out, overwrite=overwrite)
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

    Returns
    -------
    int
        The exit code.
    """
    # typed options arrive as two records and single values; from here on `options` holds them all
    options = replace(
        options,
        metrics=tuple(metrics),
        settings=replace(settings, threshold=read_threshold(threshold), tiles=tiles),
        reader=AlignmentReader(columns, predicates),
    )
    for name in task:
        refuse_beside_task(name, source)
    tasks = tasks_by_name(task, data)
    if cluster != HERE and len(tasks) < 2:  # of several tasks, each goes whole to a worker
        check_on_cluster(options.settings)
    with cluster.used():
        if len(tasks) > 1:
            from .tasks import rank_tasks  # what studies many tasks: a quarter of a second

            if label_properties:
                raise ExperimentError("--label-property goes with one task: rank each by itself")
            return rank_tasks(
                tasks, task, options, imports=imports, out=out, overwrite=overwrite, resume=resume
            )
        if tasks:
            (files,) = tasks
            if options.protocol is None:
                options = replace(options, rule=files.rule)
        else:
            files = _file_task(source, target, reference)
        ontology_words = ["--task", *task] if task else [str(source), str(target)]
        for option, folder in (("--data", data), ("--imports", imports)):
            if folder:
                ontology_words += [option, str(folder)]
        for iri in label_properties:
            ontology_words += ["--label-property", iri]
        # an ontology from a pipe cannot be read again: there is no next command
        if not (task or all(map(_can_be_read_again, (files.source, files.target)))):
            ontology_words = []
        result = rank_pair(
            files,
            options,
            imports=imports,
            label_properties=label_properties,
            ontology_words=ontology_words,
            out=out,
            overwrite=overwrite,
            resume=resume,
        )
    _print_hints(result, out)
    return 0


def _print_hints(result: Comparison | None, out: Path | None) -> None:
    """Print a hint at the default metric if it was not ranked, and at ``--out`` without it."""
    more = []
    if result is not None and DEFAULT_METRIC not in result.systems:
        more.append(f"Also words and neighbours: -m standard -m {DEFAULT_METRIC}.")
    if out is None:
        more.append("A report: --out FOLDER")
    if more:
        print_prose(" ".join(more))


def _next_command(result: Comparison, ontology_words: Sequence[str], settings: Settings) -> str:
    """Return a `match` command with the best metric and its median threshold.

    It is '' if the ontologies cannot be read again, or the metric keeps no pair. The command also
    matches shared entities, which the ranking leaves out.
    """
    best, threshold = result.deciding.order[0], settings.least
    if result.thresholds:
        _, threshold, _ = result.thresholds[best]
    if math.isinf(threshold) or not ontology_words:
        return ""
    words = ["match", *ontology_words, "--metric", best]
    # rounded down: a pair that is just as similar stays
    words += ["--threshold", f"{math.floor(threshold * 1000) / 1000:g}"]
    usual, own = asdict(Settings()), asdict(settings)
    for name in _REPEATED:
        if (value := own[name]) != usual[name]:
            words += option_words(name, value)
    return shlex.join(["alignrank", *words])


def _file_task(source: Path | None, target: Path | None, reference: Path | None) -> MatchingTask:
    """Return the three files as a task; raise if one is not named."""
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
    return MatchingTask("", source, target, reference)


def rank_pair(
    files: MatchingTask,
    options: RankOptions,
    *,
    imports: Path | None = None,
    label_properties: Sequence[str] = (),
    ontology_words: Sequence[str] = (),
    out: Path | None,
    overwrite: bool,
    resume: bool = False,
) -> Comparison | None:
    """Load and rank, write the results folder, then print (`alignrank rank`).

    Parameters
    ----------
    files
        The ontologies and the reference.
    options
        How to match and decide.
    imports, label_properties
        As `load_pair` takes them.
    ontology_words
        The words that name the ontologies on the command line, for the next command; empty: print
        no next command.
    out, overwrite
        The results folder; None: results are only printed.
    resume
        Whether to do nothing if the folder has the results of these files and options.

    Returns
    -------
    Comparison or None
        None where nothing was to be done.
    """
    metrics = select_metrics(options.metrics)
    subject = _subject_of_method(len(metrics), options.settings)
    folder, figure_error = None, None
    with ExitStack() as stack:
        if out is not None:
            paths = [files.source, files.target, files.reference, imports, *metric_files(metrics)]
            settings = {**asdict(options), "label_properties": tuple(label_properties)}
            made_of = ""
            if all(path.is_file() for path in paths[:3] if path):  # and no stream
                made_of = fingerprint(settings, paths)
            if resume and made_of and is_done(out, made_of):
                say(f"{out}: {DONE}")
                finish(read_results(out))
                return None
            facts = {
                "assignment": options.settings.method,
                "fingerprint": made_of,
                "compared": subject,
            }
            folder = stack.enter_context(results_folder(out, overwrite=overwrite, facts=facts))
        reference = options.reader.reference(files.reference)
        source, target = load_pair(
            files.source, files.target, imports=imports, label_properties=label_properties
        )
        ranked = rank(source, target, reference, options)
        result = ranked.comparison
        next_command = _next_command(result, ontology_words, options.settings)
        presentation = present_comparison(result, heading=subject, next_command=next_command)
        if folder is not None:
            ranked = replace(ranked, comparison=with_choices(result))
            figure_error = write_results(folder, ranked, presentation)
    # printed last: the pipe that reads it may close, and then the files are complete
    print_result(presentation)
    finish(ranked.comparison, out)
    if figure_error:
        raise figure_error
    return ranked.comparison


def _can_be_read_again(path: Path) -> bool:
    """Tell whether a path is a regular file, not a stream such as ``/dev/stdin``."""
    return path.is_file() and path.absolute().parts[1:2] not in (("dev",), ("proc",))


def write_results(
    folder: Path, ranked: RankedPair, presentation: Presentation
) -> ExperimentError | None:
    """Write figures, alignments, tables, texts and the page into `folder`.

    Returns
    -------
    ExperimentError or None
        As of `write_figures`.
    """
    view = ranked.comparison.deciding
    curves = drawable_curves(ranked.alignments, ranked.reference)
    figure_error = write_figures(folder / "figures", view, presentation, curves, f"-{view.view}")
    write_comparison(folder, ranked.comparison, presentation, ranked.alignments)
    write_report(folder, report_of(ranked, presentation, curves), view.view)
    return figure_error


def report_of(
    ranked: RankedPair, presentation: Presentation, curves: Mapping[str, Curve]
) -> Report:
    """Return the report of a ranking, with the curves of `drawable_curves`."""
    source, target, listed = ranked.source, ranked.target, None
    if ranked.comparison.has_few_systems:
        parents = source.parents, target.parents
        listed = cases(ranked.alignments.values(), ranked.reference, parents)
    return comparison_report(
        ranked.comparison,
        presentation,
        listed,
        curves,
        title=ranked.title,
        label=labels(source, target),
    )


def _subject_of_method(metrics: int, settings: Settings) -> str:
    """Return what was compared, for the line on the method."""
    subject = f"{metrics} metrics on labels"
    if settings.synonyms:
        subject += " and synonyms"
    if settings.labels != Settings().labels:
        subject += f" ({settings.labels})"
    return subject
