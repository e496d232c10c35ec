"""A gate for every commit: whether a new version of a system may replace the old one."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import Argument
from alignrank.common.names import count
from alignrank.common.results import version
from alignrank.common.table import Table
from alignrank.evaluation import Answers
from alignrank.evaluation.comparison.table_checks import score_sheet
from alignrank.evaluation.multitask.alignments_folder import TrackResults
from alignrank.evaluation.uncertainty.gate import Gate, gate, gate_answers, gate_judgements
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import (
    ALIGNMENTS,
    AlignmentOptions,
    EvaluationInput,
    read_tasks,
)
from alignrank.experiments.inputs.judged_files import JUDGED, read_judged_systems
from alignrank.experiments.inputs.kinds_of_files import may_be_table
from alignrank.experiments.inputs.named_inputs import (
    ontologies_beside,
    siblings_in,
    tasks_by_name,
)
from alignrank.experiments.inputs.tables import ITEMS, TableInput, TableOptions, opened
from alignrank.experiments.report.console import finish, print_cautions, print_prose, say
from alignrank.ontologies import Alignment
from alignrank.ontologies.tasks.system_files import files_by_system

from .kinds_of_input import Choices, read_input, read_table

#: Exit codes: a gate that cannot tell is neither done nor a finding.
EXIT_CODES = {"pass": 0, "unchanged": 0, "block": 1, "inconclusive": 3}
_NO_INPUT = "a gate takes alignments and a reference, or a table of items"
#: Titles of a column that say that the rows of a table are tasks.
_TASKS = {"task", "dataset", "data set", "track"}
#: The end of a run's name that tells it from other runs, as in ``mine-1`` or ``mine_run2``.
_RUN_NUMBER = re.compile(r"[\W\d_]*(run)?[\W\d_]*$")


@dataclass(frozen=True)
class Decided:
    """The decision of a gate, and how its input was read.

    Parameters
    ----------
    gate
        The decision, with its own cautions.
    cautions
        What the reader must know of the input.
    filters
        Names of the filters in force.
    dependence
        What would tell which items depend on each other.
    """

    gate: Gate
    cautions: Sequence[object]
    filters: tuple[str, ...] = ()
    dependence: str = "--source and --target, or --task, tell which depend"


@dataclass(frozen=True)
class GateOptions:
    """The reference of both versions, and how a gate decides.

    Parameters
    ----------
    reference, task, data
        The reference or a folder of them; or a task or track by name, and its data folder.
    judged
        Files of judged questions instead of a reference.
    measure, margin, alpha
        As `alignrank.evaluation.uncertainty.gate.gate` takes them.
    lower_is_better
        Whether the scores of a table are errors.
    """

    reference: Path | None = None
    judged: tuple[Path, ...] = ()
    task: str | None = None
    data: Path | None = None
    measure: str | None = None
    margin: float = DEFAULTS.margin
    alpha: float = DEFAULTS.alpha
    lower_is_better: bool = False


def gate_files(
    old: Path,
    new: Path | None = None,
    *,
    options: GateOptions,
    alignments: AlignmentOptions,
    markdown: bool = False,
) -> int:
    """Say whether a change made a system worse.

    Exit code 0 pass or unchanged, 1 block, 3 inconclusive.
    """
    decided = decide(old, new, options, alignments)
    decision = decided.gate
    if markdown:
        say(_markdown(decision))
    else:
        print_prose(decision.answer)
    if math.isinf(decision.groups):
        print_prose(f"assuming independent {decision.unit} ({decided.dependence})")
    cautions = [*decision.cautions, *map(str, decided.cautions)]
    print_cautions(cautions)
    content = {**asdict(decision), "answer": decision.answer, "filters": list(decided.filters)}
    finish({**content, "cautions": cautions, "version": version()}, None)
    return EXIT_CODES[decision.decision]


def decide(
    old: object, new: Path | None, options: GateOptions, alignments: AlignmentOptions
) -> Decided:
    """Read both versions of a system, and decide whether the new one may replace the old one.

    Parameters
    ----------
    old, new
        A file, a folder of runs, or a folder of files ``SYSTEM-task.rdf``. Without `new` a table of
        items with a column for each version, as `read_answers` takes it.
    options, alignments
        How the gate decides, and how alignments are read.
    """
    table = TableOptions(lower_is_better=options.lower_is_better)
    alignments = replace(alignments, data=options.data)
    choices = Choices(alignments=alignments, table=table, measure=options.measure)
    reference, task = options.reference, options.task
    if options.judged:
        if new is None or not isinstance(old, Path) or reference or task:
            raise ExperimentError(
                f"{Argument('judged')} stands for a reference: name two alignments, and leave the "
                "reference and the task out"
            )
        choices.refuse_foreign(JUDGED)
        versions = {"old": old, "new": new}
        judged = read_judged_systems(options.judged, versions, alignments.reader)
        decision = gate_judgements(judged.sample, margin=options.margin, alpha=options.alpha)
        of_sample = (*judged.cautions, *judged.sample.cautions)
        return Decided(decision, of_sample, dependence="questions are drawn one by one")
    if new is None or not isinstance(old, Path):
        for name, value in (("reference", reference), ("task", task), ("data", options.data)):
            if value is not None:
                raise ExperimentError(
                    f"{Argument(name)} goes with {ALIGNMENTS}, not with {ITEMS}: leave it out"
                )
        answers = _answers_of_versions(old, choices)
        decision = gate_answers(answers, margin=options.margin, alpha=options.alpha)
        dependence = "a column cluster tells which depend"
        return Decided(decision, _cautions_of_items(answers), dependence=dependence)
    if (task is None) == (reference is None) or (task and (alignments.source or alignments.target)):
        raise ExperimentError(
            f"name a task ({Argument('task')}) alone, or the reference "
            f"({Argument('reference')}) and its ontologies"
        )
    tasks = tasks_by_name([task], options.data) if task else []
    if len(tasks) == 1:
        reference = tasks[0].reference
    if reference is not None and not reference.is_dir():
        old_runs = {f"old {name}": path for name, path in _runs(old).items()}
        new_runs = {f"new {name}": path for name, path in _runs(new).items()}
        read = read_input(old_runs | new_runs, reference, choices)
        if not isinstance(read, EvaluationInput):
            raise ExperimentError(_NO_INPUT)
        # a run's alignment by task: the only task has no name
        before, after = (
            [{"": read.systems[run]} for run in runs if run in read.systems]
            for runs in (old_runs, new_runs)
        )
        for version, usable in ((old, before), (new, after)):
            if not usable:
                raise ExperimentError(
                    f"{version} is left out, as it is foreign to the reference, and a gate needs "
                    f"both versions: count it as 0 with {Argument('on_mismatch', 'zero')}"
                )
        references: Mapping[str, Alignment] = {"": read.reference}
        cautions: list[object] = [*read.cautions]
        clusters, in_force = read.clusters, read.filters
    else:
        for name in ("source", "target"):
            if getattr(alignments, name):
                raise ExperimentError(
                    f"{Argument(name)} goes with one reference, not with a folder of them"
                )
        choices.refuse_foreign(ALIGNMENTS)
        gold = reference or {each.name: each.reference for each in tasks}
        earlier, later = (read_tasks(folder, gold, alignments) for folder in (old, new))
        references, in_force = earlier.references, earlier.filters
        cautions = [*dict.fromkeys((*earlier.cautions, *later.cautions))]
        before, after = [_by_task(earlier)], [_by_task(later)]
        clusters = siblings_in(ontologies_beside(references.values(), alignments.imports))
    decision = gate(
        before,
        after,
        references=references,
        measure=options.measure or "f1",
        margin=options.margin,
        alpha=options.alpha,
        clusters=clusters,
    )
    return Decided(decision, cautions, in_force)


def _answers_of_versions(table: object, choices: Choices) -> Answers:
    """Read a table of both versions' answers, the old version first."""
    if table is None:
        raise ExperimentError("old is missing: give its alignments, or a table of both versions")
    place = table if isinstance(table, Path) else "the table"
    if isinstance(table, Path) and not may_be_table(table):
        raise ExperimentError(
            f"{table}: name the new version after it, and the reference or a task"
        )
    if isinstance(table, Path):
        table = opened(table)  # once: the file may be a pipe
    if _TASKS & score_sheet(table).titles:
        raise ExperimentError(
            f"{place} holds scores of tasks: a gate takes answers by item; alignrank study says "
            "whether means over tasks differ"
        )
    read = read_table(table, choices)
    if not (isinstance(read, TableInput) and isinstance(read.table, Answers)):
        raise ExperimentError(f"{place}: {_NO_INPUT}")
    answers = read.table
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
    return answers


def _cautions_of_items(answers: Answers) -> list[str]:
    """Return which version is the old one, and how the table was read."""
    old, new = answers.scores
    ages = _age(old), _age(new)
    cautions = list(answers.cautions)
    if ages != ("old", "new"):
        reason = "name of the other column" if any(ages) else "order of the columns"
        cautions.insert(0, f"by the {reason} {old} is the old version, {new} the new.")
    return cautions


def _age(system: str) -> str:
    """Return ``old`` or ``new`` where a system, or its one run, is called so; else ''."""
    name = re.sub(r"@[0-9]+$", "", system).casefold()
    return name if name in ("old", "new") else ""


def _runs(version: Path) -> dict[str, Path]:
    """Return the file of each run of a version, which is a file or a folder."""
    if not version.is_dir():
        return {version.stem: version}
    runs = files_by_system(version)
    names = sorted({_RUN_NUMBER.sub("", name.casefold()) for name in runs})
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
