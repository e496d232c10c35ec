"""The user's names: systems, tasks and their filters, entities."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from alignrank.common.errors import Argument
from alignrank.common.files import sha256, unpacked_name
from alignrank.common.names import MutableTexts, plain_name
from alignrank.common.results import InputFile
from alignrank.evaluation import Context, EntityClusters, parent_clusters
from alignrank.evaluation.comparison.settings import NO_CLUSTERS
from alignrank.evaluation.credit.counts import Parents
from alignrank.evaluation.significance.runs import by_system
from alignrank.experiments.errors import ExperimentError
from alignrank.ontologies import (
    Alignment,
    Entity,
    Kind,
    Ontology,
    load_ontology,
    local_name,
)
from alignrank.ontologies.tasks import (
    MatchingTask,
    archived,
    data_folders,
    find_tasks,
    task_of_reference,
)
from alignrank.ontologies.tasks.filters import Filter, read_filter
from alignrank.ontologies.tasks.system_files import (
    files_by_system,
    past_files,
    system_names,
)


def slug(name: str) -> str:
    """Return a name that any file system takes.

    Examples
    --------
    >>> slug("rapidfuzz:ratio"), slug("N-gram (3)"), slug("../../etc"), slug("POMAP++")
    ('rapidfuzz-ratio', 'N-gram-3', 'etc', 'POMAP++')
    """
    return re.sub(r"[^\w.+-]+", "-", name).strip("-._")[:100] or "unnamed"


def slugs(names: Sequence[str]) -> MutableTexts:
    """Return the slug of each name.

    Raises
    ------
    ExperimentError
        If two names have the same slug (also when only upper and lower case differ).
    """
    slug_by_name: MutableTexts = {}
    name_by_slug: MutableTexts = {}
    for name in names:
        short = slug(name)
        if short.lower() in name_by_slug:
            raise ExperimentError(
                f"the names {name_by_slug[short.lower()]!r} and {name!r} give the same file name "
                f"{short!r}: rename one (a file with NAME=FILE)"
            )
        name_by_slug[short.lower()] = name
        slug_by_name[name] = short
    return slug_by_name


def named_files(specs: Iterable[str]) -> dict[str, Path]:
    """Return the file of each system from ``NAME=FILE``, ``FILE`` or a folder.

    ``NAME=FOLDER`` gives the runs of one system, ``NAME@1``, … Files are named by their stems,
    without the ending that all of them share, as in the OAEI's ``SYSTEM-anatomy-2018.rdf``.

    Raises
    ------
    ExperimentError
        If a name is empty or comes twice.
    """
    entries = [entry for spec in specs for entry in _named(spec)]
    # a file that is neither named nor from a folder is called by its stem
    unnamed = [path for spec, _, path in entries if path == Path(spec)]
    stems = dict(zip(unnamed, system_names(unnamed), strict=True))
    named = [
        (plain_name(stems[path] if path == Path(spec) else name), path)
        for spec, name, path in entries
    ]
    files = dict(named)
    for (spec, _, _), (name, path) in zip(entries, named, strict=True):
        if not name or not name.isprintable():
            raise ExperimentError(f"{spec!r} gives no name that can be printed: write NAME=FILE")
        if files[name] is not path:
            raise ExperimentError(
                f"two files are called {name!r} ({path} and {files[name]}): "
                "name one of them with NAME=FILE"
            )
    return files


def _named(spec: str) -> list[tuple[str, str, Path]]:
    """Return the systems that one word names: for each the word, the system's name and its file."""
    name, sign, file_name = spec.partition("=")
    while "=" in file_name and not Path(file_name).exists():  # a name may hold the sign, too
        more, _, file_name = file_name.partition("=")
        name = f"{name}={more}"
    if not Path(file_name).exists():
        name, sign, file_name = spec.partition("=")
    if sign and file_name and Path(file_name).is_dir() and not Path(spec).exists():
        runs = files_by_system(Path(file_name))
        numbered = all(run.isdecimal() for run in runs)
        return [
            (spec, f"{name}@{run if numbered else k}", file)
            for k, (run, file) in enumerate(runs.items(), 1)
        ]
    if sign and file_name and not Path(spec).exists():
        return [(spec, name, Path(file_name))]
    path = Path(spec)
    if path.is_dir():
        return [(spec, system, file) for system, file in files_by_system(path).items()]
    return [(spec, unpacked_name(path).stem, path)]


def input_file(path: Path) -> InputFile:
    """Return the path and the SHA-256 of a file, as results record them."""
    return InputFile(str(path), sha256(path.read_bytes()))


def input_files(**read: Ontology | Alignment | None) -> dict[str, InputFile]:
    """Return the files that were read, by role; an object made in memory has none."""
    files = {role: o for role, o in read.items() if o is not None and o.sha256}
    return {role: InputFile(o.path, o.sha256) for role, o in files.items()}


def find_entity(ontology: Ontology, name: str, kinds: Collection[Kind] = tuple(Kind)) -> Entity:
    """Return the entity with a name; only in a full IRI upper and lower case must agree.

    Parameters
    ----------
    ontology
        Where to look.
    name
        An IRI, else the last part of one, else a label or synonym, else the last part in words
        (``Political Entity`` for ``PoliticalEntity``).
    kinds
        Kinds that may be meant.

    Raises
    ------
    ExperimentError
        If no entity or several are called so.

    Examples
    --------
    >>> from alignrank.ontologies import Label
    >>> heart = Entity("http://ex.org#MA_1", Kind.CLASS, (Label("Heart"),))
    >>> ontology = Ontology("", {heart.iri: heart})
    >>> find_entity(ontology, "heart") is find_entity(ontology, "MA_1") is heart
    True
    """
    folded = name.casefold()
    tests = (
        lambda e: e.iri == name,
        lambda e: local_name(e.iri) == name,
        lambda e: folded in [text.casefold() for text in e.names()],
        lambda e: local_name(e.iri).casefold() == folded.replace(" ", ""),
    )
    kind = "entity"
    if set(kinds) == {Kind.CLASS}:
        kind = "class"
    candidates = [entity for entity in ontology if entity.kind in kinds]
    for test in tests:
        matching = [entity for entity in candidates if test(entity)]
        if len(matching) == 1:
            return matching[0]
        if matching:
            listed = ", ".join(f"{match.iri} ({match.kind})" for match in matching[:3])
            raise ExperimentError(
                f"{name!r} means {len(matching)} things in {ontology.path} ({listed}): give the "
                "full IRI"
            )
    texts = (text for entity in candidates for text in entity.names())
    near = [text for text in texts if folded in text.casefold()][:3]
    advice = "give its IRI, the last part of it or a label"
    if near:
        advice += f", as {', '.join(near)}"
    raise ExperimentError(f"no {kind} of {ontology.path} is called {name!r}: {advice}")


def labels(*ontologies: Ontology, langs: Collection[str] | None = None) -> Callable[[str], str]:
    """Return a function from IRI to the entity's first name, in one of the languages if it can."""

    def label(iri: str) -> str:
        for ontology in ontologies:
            if iri in ontology:
                return ontology.entities[iri].title(langs)
        return local_name(iri)

    return label


def tasks_by_name(names: Sequence[str], data: Path | None) -> list[MatchingTask]:
    """Return the tasks of all names.

    Raises
    ------
    ExperimentError
        If two tasks are called the same, or the data folder is not there.
    """
    if data is not None and not data.is_dir():
        raise ExperimentError(f"{Argument('data', data)}: there is no such folder")
    tasks = list(chain.from_iterable(find_tasks(name, data_folders(data)) for name in names))
    names_used: set[str] = set()
    for task in tasks:
        if task.name in names_used:
            raise ExperimentError(
                f"two tasks are called {task.name!r}: name each once with {Argument('task')}, "
                "and call their "
                "folders differently"
            )
        names_used.add(task.name)
    return tasks


def ontologies_of(
    tasks: Iterable[MatchingTask], imports: Path | None = None
) -> dict[str, tuple[Ontology, Ontology]]:
    """Return the source and the target ontology of each task; a shared file is read once."""
    load = cache(partial(load_ontology, imports=imports))
    return {task.name: (load(task.source), load(task.target)) for task in tasks}


def ontologies_beside(
    references: Iterable[Alignment], imports: Path | None = None
) -> list[tuple[Ontology, Ontology]]:
    """Return the ontologies beside each reference; none if one reference is of no task."""
    tasks = []
    for reference in references:
        task = task_of_reference(Path(reference.path)) if reference.path else None
        if task is None:
            return []
        tasks.append(task)
    return list(ontologies_of(tasks, imports).values())


def siblings_in(pairs: Iterable[tuple[Ontology, Ontology]]) -> EntityClusters:
    """Return the clusters of the entities of all tasks, each a pair of ontologies."""
    sides: tuple[MutableTexts, MutableTexts] = {}, {}
    for pair in pairs:
        for clusters, ontology in zip(sides, pair, strict=True):
            clusters |= parent_clusters(ontology)
    return EntityClusters(*sides) if any(sides) else NO_CLUSTERS


def parents_of(context: Context) -> tuple[Parents, Parents] | None:
    """Return the parents of both sides' entities, where both ontologies are known."""
    if not context.complete:
        return None
    source, target = context.ontologies
    return source.parents, target.parents


def refuse_beside_task(name: str, *files: object) -> None:
    """Refuse ontologies or a reference that are named beside a task."""
    if any(file is not None for file in files):
        raise ExperimentError(
            f"{Argument('task', name)} names the files itself: leave its ontologies and reference "
            "out"
        )


def one_task(name: str, data: Path | None, *instead: object) -> MatchingTask:
    """Return the only task with a name; files that are named instead of it are refused."""
    refuse_beside_task(name, *instead)
    first, *further = tasks_by_name([name], data)
    if further:
        many = len(further) + 1
        raise ExperimentError(
            f"{Argument('task', name)} is {many} tasks: name one, as {name}/{first.name}"
        )
    return first


#: Stated instead of a filter: the filter of a task's track is not applied.
NO_FILTER = "none"


def filters_in_force(
    stated: Sequence[str], of_track: Filter | None = None, data: Path | None = None
) -> tuple[Filter, ...]:
    """Return the filters by which systems are evaluated.

    Parameters
    ----------
    stated
        Filters that the user names; ``none`` alone: no filter.
    of_track
        The filter of the task's track, which comes first.
    data
        A data folder whose campaigns may have a stated filter.

    Raises
    ------
    ExperimentError
        If ``none`` is not stated alone.

    Examples
    --------
    >>> from alignrank.ontologies.tasks.filters import filters
    >>> anatomy = filters()["oaei-anatomy"]
    >>> [rule.name for rule in filters_in_force(["kind=class"], anatomy)]
    ['oaei-anatomy', 'kind=class']
    >>> filters_in_force(["none"], anatomy)
    ()
    """
    if NO_FILTER in stated:
        if len(stated) > 1:
            raise ExperimentError(
                f"{Argument('filters', 'none')} means no filter: leave the others out"
            )
        return ()
    rules = {} if of_track is None else {of_track.name: of_track}
    folders = [] if data is None else [data]
    for name in stated:
        rules[name] = rules.get(name) or read_filter(name, folders)
    return tuple(rules.values())


class TaskSystems(NamedTuple):
    """A task, and the systems to evaluate on it.

    Parameters
    ----------
    task
        Its ontologies, its reference and the name of its track.
    systems
        Each as ``FILE``, ``NAME=FILE`` or a folder.
    campaign
        Year of the campaign whose systems were added; empty without.
    """

    task: MatchingTask
    systems: Sequence[str]
    campaign: str = ""


def systems_on_task(
    name: str | None,
    data: Path | None,
    reference: Path | None,
    alignments: Sequence[str],
    *ontologies: object,
) -> TaskSystems | None:
    """Return the task that is named, or that a reference belongs to; None if there is none.

    Of a named task, `reference` is the first system, and `ontologies` beside it are refused. A
    single system, or none, is joined by those of the youngest campaign that is here; a system may
    have several runs.
    """
    if name is None:
        if reference is None or (task := task_of_reference(reference)) is None:
            return None
        return TaskSystems(task, alignments)
    task = one_task(name, data, *ontologies)
    systems = [str(file) for file in (reference, *alignments) if file]
    names = list(by_system(named_files(systems)))
    if len(names) > 1:
        return TaskSystems(task, systems)
    campaign, joined = youngest_campaign(task, taken="".join(names))
    return TaskSystems(task, [*systems, *specs(joined)], campaign)


def youngest_campaign(task: MatchingTask, *, taken: str) -> tuple[str, dict[str, Path]]:
    """Return the year and the files of the youngest campaign, else the alignments of the task.

    If a system is called `taken`, the year, or the task's name, is added to its name.
    """
    year = max(archived(task), default="")
    if year:
        return year, past_files(task, [year], taken=taken)
    files = dict(task.alignments)
    if taken in files:
        files[f"{taken}-{task.name}"] = files.pop(taken)
    return year, files


def specs(files: Mapping[str, Path]) -> list[str]:
    """Return each file as ``NAME=FILE``, the inverse of `named_files`."""
    return [f"{name}={path}" for name, path in files.items()]
