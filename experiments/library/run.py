"""An experiment is run step by step, goes on where it was stopped, and is summed up.

A step is done if its folder has its fingerprint: the settings, the SHA-256 of its inputs and
alignrank's version. What was matched is kept by what it depends on: a changed test, measure or
system does not match again.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from alignrank.common.executor import HERE, Cluster
from alignrank.common.files import write_text
from alignrank.common.progress import track
from alignrank.common.results import InputFile
from alignrank.common.table import Table
from alignrank.evaluation import Comparison, Context
from alignrank.experiments.comparing.compare_files import compare_alignments
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.named_inputs import Judging, PairFiles, checked_judged
from alignrank.experiments.ranking.pair import LoadedPair, completed, load, publish
from alignrank.experiments.ranking.rank import MatchedPair, MetricRanking, match_metrics
from alignrank.experiments.ranking.task_results import keep, kept
from alignrank.experiments.ranking.tie_proof import bounds, tie_ranges
from alignrank.experiments.report.console import print_prose, print_table, say, tell_failures
from alignrank.experiments.results import (
    MANIFEST,
    check_writable,
    handed_over,
    read_comparison,
    results_folder,
)
from alignrank.experiments.results.steps import Batch, is_done
from alignrank.matchers import Matching
from alignrank.matchers.matcher import check_on_cluster
from alignrank.ontologies import read_alignment
from alignrank.ontologies.tasks.filters import filtered, read_filter

from .experiment import SHIPPED, TEMPLATE, Experiment, Step, find_experiment, shipped
from .summary import Outcome, sum_up

#: In the results folder: what was matched, by the fingerprint of what it depends on.
_MATCHED = ".matched"


def run_experiment(
    name: str = "",
    *,
    cluster: Cluster = HERE,
    listed: bool = False,
    new: Path | None = None,
    allow_code: bool = False,
) -> int:
    """Run an experiment from a file; go on where it stopped.

    Steps that are done are not computed again. A file may name metrics of your own
    (module:function) only with --allow-code.

    Example: alignrank run mine.toml

    Returns
    -------
    int
        Exit code: 1 if steps failed, which are told of at the end.
    """
    if (name != "") + listed + (new is not None) != 1:
        raise ExperimentError("name an experiment (alignrank run --list), or --new FILE")
    if listed:
        print_table(Table("", ["", ""], list(shipped().items())), wrapped=[""])
        say(f"To change one, copy it from {SHIPPED} and run the copy.")
        return 0
    if new is not None:
        if new.exists():
            raise ExperimentError(f"{new} exists: name another file")
        check_writable(new)
        write_text(new, TEMPLATE.read_text(encoding="utf-8"))
        say(f"{new}: change it, then alignrank run {new}")
        return 0
    experiment = find_experiment(name, allow_code=allow_code)
    _check_folder(experiment.out)
    for step in experiment.steps if cluster != HERE else ():
        if step.metrics:
            check_on_cluster(step.options.settings)
    with cluster.used():
        return run_steps(experiment)


def _check_folder(out: Path) -> None:
    """Refuse a folder that holds the results of another command."""
    if (out / MANIFEST).exists():
        raise ExperimentError(
            f"{out} holds the results of another command: give the experiment a folder of its own "
            "(out = ...)"
        )


def run_steps(experiment: Experiment) -> int:
    """Run every step that is not done yet, sum up all; return the exit code."""
    _check_folder(experiment.out)
    batch, outcomes, steps = Batch(), list[Outcome](), experiment.steps
    running = _Running(experiment.out)
    for number, step in enumerate(track(steps, len(steps), "steps"), 1):
        with batch.part(step.name):
            result, before = running.result(step)
            outcomes.append(Outcome(step, result))
        if step.name in batch.failures:
            line = f"failed: {batch.failures[step.name]}"
        else:
            line = outcomes[-1].sentence
            if before:
                line += " (done before)"
        say(f"[{number}/{len(steps)}] {step.name}: {line}")
    if outcomes:
        with batch.part("the summary"):
            for sentence in sum_up(experiment, outcomes):
                print_prose(sentence)
    if not batch.failures:
        running.forget_all_but({step.matched_by for step in steps})
        say(f"Results: {experiment.out} (summary.csv, summary.html)")
    return tell_failures(batch.failures, "step")


@dataclass
class _Running:
    """What the steps of an experiment share: the pair that was loaded last."""

    out: Path
    loaded: tuple[PairFiles, LoadedPair] | None = None

    def result(self, step: Step) -> tuple[Comparison, bool]:
        """Return a step's result, and whether it was there before."""
        folder = self.out / step.name
        if is_done(folder, step.fingerprint):
            return read_comparison(folder), True
        return self._compute(step, folder), False

    def forget_all_but(self, names: set[str]) -> None:
        """Remove what was matched for what the experiment does not ask for any more."""
        for folder in (self.out / _MATCHED).glob("*"):
            if folder.name not in names:
                shutil.rmtree(folder, ignore_errors=True)

    def _compute(self, step: Step, folder: Path) -> Comparison:
        pair, options = self._pair(step), step.options
        ranking, pair, inputs = self._ranked(step, pair)
        facts = {"assignment": options.settings.method, "fingerprint": step.fingerprint}
        with results_folder(folder, overwrite=True, facts=facts) as stage:
            result = completed(ranking, pair, options)
            origin = result.provenance
            settings = {**origin.settings, "command": "run", "measure": step.judging.measure}
            settings["filters"] = list(step.judging.filters)
            origin = replace(origin, settings=settings, inputs={**origin.inputs, **inputs})
            result = replace(result, provenance=origin)
            title = f"{step.task.name}: {len(ranking.matched.matchings)} metrics and systems"
            undrawn = publish(stage, result, ranking, pair, title=title)
        if undrawn:
            raise undrawn
        return result

    def _pair(self, step: Step) -> LoadedPair:
        files = step.task.files
        if self.loaded is None or self.loaded[0] != files:
            self.loaded = files, load(files)
        return self.loaded[1]

    def _matched(self, step: Step, pair: LoadedPair) -> MatchedPair:
        if not step.metrics:
            return MatchedPair({})
        folder = self.out / _MATCHED / step.matched_by
        if not folder.is_dir():
            matched = match_metrics(
                pair.source, pair.target, pair.reference, step.options, step.metrics
            )
            ranges = tie_ranges(matched.matchings, pair.reference)
            with handed_over(folder) as stage:
                keep(stage, replace(matched, ranges=ranges))
        return kept(folder)

    def _ranked(
        self, step: Step, pair: LoadedPair
    ) -> tuple[MetricRanking, LoadedPair, Mapping[str, InputFile]]:
        """Compare the metrics and the systems; return the pair as it is judged, and the files."""
        read = {name: read_alignment(path, name=name) for name, path in step.task.systems.items()}
        context, filters = Context(pair.source, pair.target), step.judging.filters
        judged = checked_judged(pair.reference, read, context, Judging(filters=filters))
        metrics_matched = self._matched(step, pair)
        rules = [read_filter(text) for text in filters]
        alignments = metrics_matched.alignments
        _, _, cut = filtered(alignments, judged.reference, rules, context.ontologies)
        if cut:  # which ties there are was known without
            raise ExperimentError(f"{cut[0]}: match less, with kinds in [match]")
        cautions = tuple(dict.fromkeys((*metrics_matched.cautions, *judged.cautions)))
        whole = replace(judged, systems={**alignments, **judged.systems}, cautions=cautions)
        compared = compare_alignments(whole, step.judging)
        matched = MatchedPair({}, metrics_matched.thresholds)
        if compared.judged is not None:  # of several runs no alignment is the system's
            system_matchings = {name: Matching(a, name) for name, a in judged.systems.items()}
            # by the whole reference, as the metrics' ranges: what filters leave of it is the same
            certain = {
                name: bounds(matching, pair.reference)
                for name, matching in system_matchings.items()
            }
            matched = replace(
                matched,
                matchings={**metrics_matched.matchings, **system_matchings},
                ranges={**(metrics_matched.ranges or {}), **certain},
            )
        pair = replace(pair, reference=judged.reference)
        return MetricRanking(matched, compared.result), pair, judged.inputs
