"""A gate for every commit: whether a new version of a system may replace the old one."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import cast, get_args

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import Argument
from alignrank.common.files import read_beginning
from alignrank.common.names import count, refuse_unknown
from alignrank.common.table import Table
from alignrank.evaluation.comparison.answers import Answers, read_answers
from alignrank.evaluation.comparison.judged_samples import sample_of
from alignrank.evaluation.comparison.settings import EntityClusters
from alignrank.evaluation.comparison.table_checks import holds_tasks
from alignrank.evaluation.multitask.alignments_folder import TrackResults, read_track
from alignrank.evaluation.multitask.score_table import Mismatch
from alignrank.evaluation.uncertainty.gate import Gate, gate, gate_answers, gate_judgements
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import (
    EvaluationInput,
    EvaluationOptions,
    read_evaluation,
    track_cautions,
)
from alignrank.experiments.inputs.judged_files import JudgedSystems, read_judged_systems
from alignrank.experiments.inputs.kinds_of_files import content_of
from alignrank.experiments.inputs.named_inputs import (
    filters_in_force,
    ontologies_of,
    siblings_in,
    tasks_by_name,
)
from alignrank.experiments.report.console import finish, print_cautions, print_prose, say
from alignrank.ontologies import Alignment
from alignrank.ontologies.formats.columns import is_entity_column
from alignrank.ontologies.tasks import MatchingTask, task_of_reference
from alignrank.ontologies.tasks.filters import read_filter
from alignrank.ontologies.tasks.reader import (
    BEGINNING,
    AlignmentReader,
    begins_as_json,
    titles_in,
)
from alignrank.ontologies.tasks.system_files import by_system

#: Exit codes: a gate that cannot tell is neither done nor a finding.
EXIT_CODES = {"pass": 0, "unchanged": 0, "block": 1, "inconclusive": 3}
_OF_ALIGNMENTS = "{} goes with two alignments and a reference, not with a table: leave it out"


@dataclass(frozen=True)
class Versions:
    """Alignments of both versions, in each run by task, and the references that judge them."""

    versions: tuple[Sequence[Mapping[str, Alignment]], Sequence[Mapping[str, Alignment]]]
    references: Mapping[str, Alignment]
    clusters: Mapping[str, str] | None
    target_clusters: Mapping[str, str] | None
    cautions: Sequence[object]
    filters: tuple[str, ...] = ()
    dependence: str = "--source and --target, or --task, tell which depend"

    def decided(self, *, measure: str | None, margin: float, alpha: float) -> Gate:
        """Return whether the new version may replace the old one, by F1 or another measure."""
        return gate(
            *self.versions,
            references=self.references,
            measure="f1" if measure is None else measure,
            margin=margin,
            alpha=alpha,
            clusters=EntityClusters(self.clusters, self.target_clusters),
        )


@dataclass(frozen=True)
class AnsweredItems:
    """How well both versions answered the items of a table."""

    answers: Answers
    filters: tuple[str, ...] = ()
    dependence: str = "a column cluster tells which depend"

    @property
    def clusters(self) -> Mapping[str, str] | None:
        """Cluster by item; None: every item is its own."""
        return self.answers.clusters

    @property
    def cautions(self) -> list[str]:
        """Which version is the old one, and how the table was read."""
        old, new = self.answers.scores
        ages = _age(old), _age(new)
        cautions = list(self.answers.cautions)
        if ages != ("old", "new"):
            reason = "name of the other column" if any(ages) else "order of the columns"
            cautions.insert(0, f"by the {reason} {old} is the old version, {new} the new.")
        return cautions

    def decided(self, *, measure: str | None, margin: float, alpha: float) -> Gate:
        """Return whether the new version may replace the old one, by the mean score."""
        if measure is not None:
            raise ExperimentError(_OF_ALIGNMENTS.format(Argument("measure")))
        return gate_answers(self.answers, margin=margin, alpha=alpha)


@dataclass(frozen=True)
class JudgedVersions:
    """What both versions found, and judged questions on it."""

    read: JudgedSystems
    filters: tuple[str, ...] = ()
    dependence: str = "questions are drawn one by one"

    @property
    def cautions(self) -> tuple[object, ...]:
        """What must be known of the judgements."""
        return (*self.read.cautions, *sample_of(self.read.systems, self.read.judgements).cautions)

    def decided(self, *, measure: str | None, margin: float, alpha: float) -> Gate:
        """Return whether the new version may replace the old one, by F1 in the pool."""
        if measure not in (None, "f1"):
            raise ExperimentError("judged questions decide by f1: leave measure=... out")
        sample = sample_of(self.read.systems, self.read.judgements)
        return gate_judgements(sample, margin=margin, alpha=alpha)


def gate_files(
    old: Path,
    new: Path | None = None,
    *,
    reference: Path | None = None,
    judged: Sequence[Path] = (),
    task: str | None = None,
    data: Path | None = None,
    measure: str | None = None,
    margin: float = DEFAULTS.margin,
    alpha: float = DEFAULTS.alpha,
    source: Path | None = None,
    target: Path | None = None,
    imports: Path | None = None,
    filters: Sequence[str] = (),
    on_mismatch: str = "refuse",
    columns: Mapping[str, str] | None = None,
    predicates: Sequence[str] = (),
    lower_is_better: bool = False,
    markdown: bool = False,
) -> int:
    """Say whether a change made a system worse.

    Exit code 0 pass or unchanged, 1 block, 3 inconclusive.

    Example: alignrank gate old.rdf new.rdf --reference reference.rdf --source a.owl
    --target b.owl

    Example: alignrank gate old/ new/ --task conference

    Example: alignrank gate items.csv (a table: item, old, new)

    Example: alignrank gate old.rdf new.rdf --judged questions.sssom.tsv (no reference)
    """
    read = read_versions(
        old,
        new,
        reference=reference,
        judged=judged,
        task=task,
        data=data,
        source=source,
        target=target,
        imports=imports,
        filters=filters,
        on_mismatch=on_mismatch,
        reader=AlignmentReader(columns, predicates),
        lower_is_better=lower_is_better,
    )
    decided = read.decided(measure=measure, margin=margin, alpha=alpha)
    if markdown:
        say(_markdown(decided))
    else:
        print_prose(decided.answer)
    if math.isinf(decided.groups):
        print_prose(f"assuming independent {decided.unit} ({read.dependence})")
    cautions = [*decided.cautions, *map(str, read.cautions)]
    print_cautions(cautions)
    content = {**asdict(decided), "answer": decided.answer, "filters": list(read.filters)}
    finish({**content, "cautions": cautions}, None)
    return EXIT_CODES[decided.decision]


def read_versions(
    old: object,
    new: Path | None,
    *,
    reference: Path | None = None,
    judged: Sequence[Path] = (),
    task: str | None = None,
    data: Path | None = None,
    source: Path | None = None,
    target: Path | None = None,
    imports: Path | None = None,
    filters: Sequence[str] = (),
    on_mismatch: str = "refuse",
    reader: AlignmentReader,
    lower_is_better: bool = False,
) -> Versions | AnsweredItems | JudgedVersions:
    """Read both versions of a system, and the references that judge them.

    Parameters
    ----------
    old, new
        A file, a folder of runs, or a folder of files ``SYSTEM-task.rdf``. Without `new` a table of
        items with a column for each version, as `read_answers` takes it.
    reference, task, data
        The reference or a folder of them; or a task or track by name, and its data folder.
    judged
        Files of judged questions instead of a reference.
    source, target, imports
        The ontologies of a single reference, and the folder of their imports.
    filters, on_mismatch
        As `alignrank.evaluation.multitask.alignments_folder.read_track` takes them.
    reader
        How alignments are read.
    lower_is_better
        Whether the scores of the table are errors.
    """
    if judged:
        if new is None or not isinstance(old, Path) or reference or task or source or target:
            raise ExperimentError(
                "judged=... stands for a reference: name two alignments, and leave the reference, "
                "the task and the ontologies out"
            )
        return JudgedVersions(read_judged_systems(judged, [f"old={old}", f"new={new}"], reader))
    if new is None or not isinstance(old, Path):
        stated: dict[str, object] = {"reference": reference, "task": task, "data": data}
        stated |= {"source": source, "target": target, "imports": imports, "filters": filters}
        stated |= {"columns": reader.columns, "predicates": reader.predicates}
        stated |= {"on_mismatch": on_mismatch != "refuse"}
        return _on_items(old, stated, lower_is_better=lower_is_better)
    if lower_is_better:
        raise ExperimentError(
            f"{Argument('lower_is_better', True)} goes with a table of items: leave it out"
        )
    if (task is None) == (reference is None) or (task and (source or target)):
        raise ExperimentError(
            f"name a task ({Argument('task')}) alone, or the reference "
            f"({Argument('reference')}) and its ontologies"
        )
    refuse_unknown("on_mismatch", on_mismatch, get_args(Mismatch), ExperimentError)
    tasks = tasks_by_name([task], data) if task else []
    if reference is not None and (own := task_of_reference(reference)) is not None:
        tasks = [own]
    filters = filters_in_force(filters, tasks[0].track if tasks else "")
    if len(tasks) == 1:
        own = tasks[0]
        source, target, reference = source or own.source, target or own.target, own.reference
    if reference and not reference.is_dir():
        judging = EvaluationOptions(filters=filters, on_mismatch=on_mismatch, reader=reader)
        judge = partial(read_evaluation, reference, options=judging, source=source, target=target)
        return _on_one_task(old, new, partial(judge, imports=imports))
    if source or target:
        stated_side = "source" if source else "target"
        raise ExperimentError(
            f"{Argument(stated_side)} goes with one reference, not with a folder of them"
        )
    way = cast(Mismatch, on_mismatch)
    collect = partial(read_track, on_mismatch=way)
    collect = partial(collect, rules=[read_filter(text) for text in filters], reader=reader)
    versions = _on_tasks(old, new, reference or tasks, imports, collect)
    unjudged = track_cautions(versions.references, reader)
    return replace(versions, cautions=[*unjudged, *versions.cautions], filters=filters)


def _on_items(
    table: object, stated: Mapping[str, object], *, lower_is_better: bool
) -> AnsweredItems:
    """Read a table of both versions' answers; refuse arguments that alignments need."""
    if table is None:
        raise ExperimentError("old is missing: give its alignments, or a table of both versions")
    place = table if isinstance(table, Path) else "the table"
    if isinstance(table, Path) and not _may_be_table(table):
        raise ExperimentError(
            f"{table}: name the new version after it, and the reference or a task"
        )
    for name, value in stated.items():
        if value:
            raise ExperimentError(_OF_ALIGNMENTS.format(Argument(name)))
    if holds_tasks(table):
        raise ExperimentError(
            f"{place} holds scores of tasks: a gate takes answers by item; alignrank study says "
            "whether means over tasks differ"
        )
    answers = read_answers(table, lower_is_better=lower_is_better)
    if len(answers.scores) != 2:
        raise ExperimentError(
            f"{place} has {count(len(answers.scores), 'system')}: a gate compares an old version "
            "with a new one: keep these two columns"
        )
    ages = [_age(name) for name in answers.scores]
    if len({*ages}) == 1 and any(ages):
        raise ExperimentError(f"both systems are called {ages[0]}: rename one")
    if ages[0] == "new" or ages[1] == "old":
        answers = replace(answers, scores=dict(reversed([*answers.scores.items()])))
    return AnsweredItems(answers)


def _may_be_table(path: Path) -> bool:
    """Return whether a path holds neither alignments nor an ontology.

    JSON without source entities may be a table: its reader says that CSV is needed.
    """
    content = content_of(path)
    if content != "alignment":
        return content not in ("folder", "ontology")
    text = read_beginning(path, BEGINNING).decode(errors="replace")
    return begins_as_json(text) and not any(map(is_entity_column, titles_in(text)))


def _age(system: str) -> str:
    """Return ``old`` or ``new`` where a system, or its one run, is called so; else ''."""
    name = re.sub(r"@[0-9]+$", "", system).casefold()
    return name if name in ("old", "new") else ""


def _on_one_task(old: Path, new: Path, judge: Callable[..., EvaluationInput]) -> Versions:
    """Read the runs of both versions on one task."""
    versions = [
        {f"{age} {name}": path for name, path in _runs(version).items()}
        for age, version in (("old", old), ("new", new))
    ]
    read = judge([f"{name}={path}" for files in versions for name, path in files.items()])
    earlier, later = (
        [{"": read.systems[name]} for name in files if name in read.systems] for files in versions
    )
    references, clusters = {"": read.reference}, read.clusters
    return Versions(
        (earlier, later), references, clusters.source, clusters.target, read.cautions, read.filters
    )


def _on_tasks(
    old: Path,
    new: Path,
    judged_by: Path | Sequence[MatchingTask],
    imports: Path | None,
    collect: Callable[..., TrackResults],
) -> Versions:
    """Read one run of both versions on each task; ontologies are known of tasks by name only."""
    if isinstance(judged_by, Path):
        tracks = [collect(folder, judged_by) for folder in (old, new)]
        clusters = target_clusters = None
    else:
        sides = ontologies_of(judged_by, imports)
        references = {task.name: task.reference for task in judged_by}
        tracks = [collect(folder, references, ontologies=sides) for folder in (old, new)]
        clusters, target_clusters = map(siblings_in, zip(*sides.values(), strict=True))
    cautions = [caution for track in tracks for caution in track.cautions]
    earlier, later = ([_by_task(track)] for track in tracks)
    return Versions((earlier, later), tracks[0].references, clusters, target_clusters, cautions)


def _runs(version: Path) -> dict[str, Path]:
    """Return the file of each run of a version: a file, or those of a folder."""
    if not version.is_dir():
        return {version.stem: version}
    runs = by_system(version)
    names = sorted({re.sub(r"[\W\d_]*(run)?[\W\d_]*$", "", name.casefold()) for name in runs})
    if len(names) > 1:
        raise ExperimentError(
            f"{version} holds files of different systems ({', '.join(list(runs)[:3])}): the runs "
            "of one are named alike but for a number, as mine-1.rdf and mine-2.rdf"
        )
    return runs


def _by_task(track: TrackResults) -> dict[str, Alignment]:
    """Return the alignment of the one system for each task; a task without one is an error."""
    if len(track.systems) != 1:
        raise ExperimentError(
            f"a gate compares two versions of one system: a folder holds {len(track.systems)} "
            f"({', '.join(track.systems[:3])})"
        )
    (system,) = track.systems
    missing = [task for task, by_system in track.alignments.items() if system not in by_system]
    if missing:
        raise ExperimentError(f"{system} has no alignment for {', '.join(missing)}: add it")
    return {task: by_system[system] for task, by_system in track.alignments.items()}


def _markdown(decided: Gate) -> str:
    """Return the decision for a pull request."""
    signs = {"pass": "✅", "unchanged": "✅", "block": "❌", "inconclusive": "❔"}
    header = ["", "old", "new", f"{decided.confidence} limits of new − old"]
    limits = f"{decided.low:+.3f} to {decided.high:+.3f}"
    title = f"{signs[decided.decision]} {decided.answer}"
    return Table(title, header, [[decided.measure, decided.old, decided.new, limits]]).to_markdown()
