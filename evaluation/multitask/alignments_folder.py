"""A track's results: a folder of alignments and one of references, and the scores of them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from alignrank.common.errors import Argument, EvaluationError
from alignrank.common.executor import in_order
from alignrank.common.files import FilePath
from alignrank.common.names import Pair, count, first_of, grouped
from alignrank.common.progress import track
from alignrank.common.results import Caution
from alignrank.evaluation.credit.counts import score
from alignrank.evaluation.significance.runs import by_system
from alignrank.ontologies.alignment import Alignment
from alignrank.ontologies.ontology import Ontology
from alignrank.ontologies.tasks import MatchingTask
from alignrank.ontologies.tasks.filters import Filter, left_out_caution
from alignrank.ontologies.tasks.reader import AlignmentReader, checked, respelling, with_names
from alignrank.ontologies.tasks.system_files import by_system_and_task, melt_seconds

from .score_table import COMPUTED, Mismatch, ScoreTable, assembled

#: In a caution: a file, a number, or the end of a word that tells one from many.
_DETAIL = re.compile(r"\S*[/\\]\S*|-?\b[0-9][0-9.,e+-]*|(ies|y|s)\b")


def f1(alignment: Alignment, reference: Alignment) -> float:
    """F1 of an alignment, as the OAEI counts it."""
    return score(alignment, reference).f1


@dataclass(frozen=True)
class TrackResults:
    """The alignments of systems on the tasks of a track.

    Parameters
    ----------
    references
        What is right, by task, in alphabetical order.
    alignments
        By task, then by system: what was found. A result that is missing is absent.
    systems
        All systems, in alphabetical order.
    cautions
        What was mended, left out or filled in.
    seconds
        By system: how long it ran on all tasks, as far as MELT measured it.
    filters
        The filters' names: what they leave out counts neither way.
    tasks
        The tasks whose ontologies lie beside their references, by name.
    cautions_by_task
        The cautions on each task's reference and results.
    unreadable
        System and task of each file that cannot be read, and that counts as 0: its alignment is
        empty, and its precision 0, though that of an empty alignment is 1.
    """

    references: Mapping[str, Alignment]
    alignments: Mapping[str, Mapping[str, Alignment]]
    systems: tuple[str, ...]
    cautions: tuple[str, ...]
    seconds: Mapping[str, float]
    filters: tuple[str, ...] = ()
    tasks: Mapping[str, MatchingTask] = field(default_factory=dict)
    cautions_by_task: Mapping[str, Sequence[Caution]] = field(default_factory=dict)
    unreadable: frozenset[Pair] = frozenset()

    def without_copies(self, focus: str) -> TrackResults:
        """Return the results without the systems that equal the focus; a caution names them.

        A system equals the focus if both have the same correspondences on every task. An alignment
        that is missing has none. Systems with several runs equal nothing.

        Raises
        ------
        EvaluationError
            If all systems equal the focus.
        """
        none = Alignment()
        single = [runs[0] for runs in by_system(self.systems).values() if len(runs) == 1]
        if focus not in single:
            return self
        of_focus = {task: of.get(focus, none).keys for task, of in self.alignments.items()}
        copies = [
            name
            for name in single
            if name != focus
            and all(
                self.alignments[task].get(name, none).keys == keys
                for task, keys in of_focus.items()
            )
        ]
        if not copies:
            return self
        if len(copies) == len(self.systems) - 1:
            raise EvaluationError(
                f"all systems have the correspondences of {focus}: add one that differs from it"
            )
        text = f"same correspondences as {focus}, so not compared with it: {', '.join(copies)}"
        return replace(
            self,
            alignments={
                task: {name: of_task[name] for name in of_task if name not in copies}
                for task, of_task in self.alignments.items()
            },
            systems=tuple(name for name in self.systems if name not in copies),
            cautions=(text, *self.cautions),
        )


def read_track(
    alignments: FilePath | Mapping[Pair, Path],
    references: FilePath | Mapping[str, Path],
    *,
    ontologies: Mapping[str, Sequence[Ontology]] | None = None,
    rules: Sequence[Filter] = (),
    on_mismatch: Mismatch = "refuse",
    reader: AlignmentReader | None = None,
) -> TrackResults:
    """Read every alignment of a folder, and the references of its tasks.

    Each task is checked and filtered as one task alone is (`checked`).

    Parameters
    ----------
    alignments
        Folder of files ``SYSTEM-task.rdf`` (the task is found without regard to case; a system's
        name may hold hyphens), or of MELT's results; or the file of each system and task.
    references
        Folder of files ``task.rdf``, or of folders ``task`` with a file ``reference.rdf``; or the
        file of each task.
    ontologies
        By task: source and target. A filter by kind needs them.
    rules
        Filters: what they do not keep is not judged.
    on_mismatch
        A result that cannot be read, or is foreign to its reference, is refused, counts as 0
        (``zero``) or as missing (``drop``). With ``zero``, the alignment of a file that cannot be
        read is empty.
    reader
        Reads the files; None: tables by the usual names of columns.

    Raises
    ------
    EvaluationError
        If a folder is missing or holds no file, two references differ in case only, or a result is
        foreign to its reference or cannot be read.
    OntologyError
        If a file's task is unknown, or two files have the same system and task.
    """
    reference_files = references
    if not isinstance(reference_files, Mapping):
        reference_files = references_in(Path(reference_files))
    tasks = sorted(reference_files, key=str.casefold)
    files = alignments
    if not isinstance(files, Mapping):
        files = by_system_and_task(Path(files), tasks)
    reader = (reader or AlignmentReader()).among([*reference_files.values(), *files.values()])
    gold = {task: reader.reference(reference_files[task]) for task in tasks}
    read = in_order(reader.system_or_fault, ((path, system) for (system, _), path in files.items()))
    results: dict[str, dict[str, Alignment]] = {task: {} for task in tasks}
    faults: dict[Pair, str] = {}
    for (system, task), (alignment, fault) in track(
        zip(files, read, strict=True), len(files), "alignments"
    ):
        if fault is not None:
            faults[system, task] = fault
        else:
            results[task][system] = alignment
    checked_tasks = {
        task: checked(
            results[task], gold[task], on_mismatch, rules, (ontologies or {}).get(task, ())
        )
        for task in tasks
    }
    of_references = {task: reader.cautions_on(gold[task]) for task in tasks}
    unreadable = frozenset(faults if on_mismatch == "zero" else ())
    systems_by_task: dict[str, dict[str, Alignment]] = {task: {} for task in tasks}
    faults_by_task: dict[str, list[Caution]] = {task: [] for task in tasks}
    for system, task in files:
        if (system, task) in unreadable:
            systems_by_task[task][system] = Alignment()
            text = f"{system} counts as 0: not readable: {faults[system, task]}"
            faults_by_task[task].append(Caution("unreadable", text, system=system))
        elif system in checked_tasks[task].systems:
            systems_by_task[task][system] = checked_tasks[task].systems[system]
    left_out: Counter[str] = Counter()
    respelt: dict[Pair, list[str]] = {}
    foreign: list[str] = []
    of_systems: list[_OfTask] = []
    for task, of_task in checked_tasks.items():
        left_out.update(of_task.left_out)
        foreign += (f"{system}/{task}" for system in of_task.foreign)
        for twin, names in of_task.respelt.items():
            respelt.setdefault(twin, []).extend(f"{system}/{task}" for system in names)
        # on one of many small tasks a system may well find just the reference
        of_systems += (
            (task, names, caution)
            for names, caution in of_task.facts
            if caution.system not in of_task.foreign and caution.kind != "twin"
        )
    systems = tuple(sorted({system for system, _ in files}))
    on_references: list[_OfTask] = [
        (task, (), each) for task, of_task in of_references.items() for each in of_task
    ]
    cautions = [
        *_one_for_each_fault(on_references),
        *(respelling(twin, sorted(names, key=str.casefold)) for twin, names in respelt.items()),
        *_unusable(sorted(foreign, key=str.casefold), list(faults.values()), on_mismatch),
        *_one_for_each_fault(of_systems),
    ]
    if left_out.total():
        cautions.append(left_out_caution(rules, left_out))
    seconds: dict[str, float] = {}
    for (system, _), path in files.items():
        if (measured := melt_seconds(path)) is not None:
            seconds[system] = seconds.get(system, 0.0) + measured
    return TrackResults(
        {task: of_task.reference for task, of_task in checked_tasks.items()},
        systems_by_task,
        systems,
        tuple(cautions),
        seconds,
        tuple(rule.name for rule in rules),
        cautions_by_task={
            task: (
                *of_references[task],
                *faults_by_task[task],
                *of_task.cautions,
                *of_task.filtering,
            )
            for task, of_task in checked_tasks.items()
        },
        unreadable=unreadable,
    )


def score_track(
    results: TrackResults,
    *,
    measure: Callable[[Alignment, Alignment], float] = f1,
    on_mismatch: Mismatch = "refuse",
) -> ScoreTable:
    """Score every alignment of a track against its task's reference.

    Parameters
    ----------
    results
        As `read_track` gives them.
    measure
        Function of (alignment, reference); larger is better. Its name becomes the table's
        `measure`.
    on_mismatch
        What to do about a result that is missing (`read_scores`).

    Raises
    ------
    EvaluationError
        If the measure is not finite, or a result is missing and is to be refused.
    """
    scores = np.full((len(results.references), len(results.systems)), np.nan)
    for row, (task, reference) in enumerate(results.references.items()):
        for system, alignment in results.alignments[task].items():
            if (system, task) in results.unreadable:
                continue  # missing: a measure of an empty alignment may be 1, as precision is
            value = measure(alignment, reference)
            if not math.isfinite(value):
                raise EvaluationError(
                    f"{system}/{task}: the measure is {value}: it must be a finite number"
                )
            scores[row, results.systems.index(system)] = value
    references = results.references.values()
    ontologies = [(r.ontology1.casefold(), r.ontology2.casefold()) for r in references]
    if not all(map(all, ontologies)):
        ontologies = []
    return assembled(
        list(results.references),
        results.systems,
        scores,
        on_mismatch,
        measure="F1" if measure is f1 else getattr(measure, "__name__", "score"),
        cautions=results.cautions,
        ontologies=ontologies,
        rounding=COMPUTED,
    )


#: A task, the systems that a caution is about, and the caution without their names.
_OfTask = tuple[str, Sequence[str], Caution]


def _one_for_each_fault(cautions: Sequence[_OfTask]) -> list[str]:
    """Return one caution for each fault, with the tasks that have it.

    Cautions are on the same fault if they differ in systems, numbers and files only: the first of
    them is the example.
    """
    faults = grouped(
        (
            (caution.kind, _DETAIL.sub("", caution.text)),
            (task, with_names(names, caution).text, names),
        )
        for task, names, caution in cautions
    )
    texts = []
    for alike in faults.values():
        task, example, _ = alike[0]
        tasks = list(dict.fromkeys(task for task, _, _ in alike))
        if len(alike) == 1:
            texts.append(f"{task}: {example}")
            continue
        where = f"{count(len(tasks), 'task')} ({first_of(tasks, 3)})"
        if any(text != example for _, text, _ in alike):
            if named := list(dict.fromkeys(name for _, _, names in alike for name in names)):
                where += f" and {count(len(named), 'system')} ({first_of(named, 3)})"
            where += f", for example {task}"
        texts.append(f"{where}: {example}")
    return texts


def _unusable(foreign: list[str], unreadable: list[str], on_mismatch: Mismatch) -> list[str]:
    """Return the cautions on results that cannot be scored, or refuse them all at once."""
    reasons = [f"not readable: {reason}" for reason in unreadable]
    if foreign:
        results = f"{count(len(foreign), 'result')} foreign to the reference"
        reasons.insert(0, f"{results} ({first_of(foreign, 3)})")
    if reasons and on_mismatch == "refuse":
        raise EvaluationError(
            f"{'; '.join(reasons)}: leave these tasks out ({Argument('on_mismatch', 'drop')}) "
            "or count them as 0 "
            f"({Argument('on_mismatch', 'zero')})"
        )
    return [
        f"{fact}: {'left out' if on_mismatch == 'drop' else 'counted as 0'}." for fact in reasons
    ]


def references_in(folder: Path) -> dict[str, Path]:
    """Return the reference of each task: ``task.rdf``, or ``task/reference.rdf``.

    Raises
    ------
    EvaluationError
        If there is no such folder, it holds none, or two differ in upper and lower case only.
    """
    if not folder.is_dir():
        raise EvaluationError(f"{folder} is not a folder: name the one with the references")
    flat = {path.stem: path for path in sorted(folder.iterdir()) if path.suffix.lower() == ".rdf"}
    paths = flat or {path.parent.name: path for path in sorted(folder.glob("*/reference.rdf"))}
    if not paths:
        raise EvaluationError(f"{folder} holds no reference (task.rdf, or task/reference.rdf)")
    for first, second in pairwise(sorted(paths, key=str.casefold)):
        if first.casefold() == second.casefold():
            raise EvaluationError(
                f"{folder}: the references {first}.rdf and {second}.rdf differ in case only, and "
                "tasks are matched without regard to case: rename or remove one"
            )
    return paths
