"""Arguments of the library's functions, read and checked: files, ontologies, alignments."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from alignrank.common.names import plain_name
from alignrank.common.table import Frame
from alignrank.evaluation.measures.retrieval.candidate_files import holds_candidates
from alignrank.evaluation.multitask.score_table import Mismatch
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import AlignmentOptions
from alignrank.ontologies import Alignment, Ontology, load_ontology, load_pair
from alignrank.ontologies.loading.triples import Graph
from alignrank.ontologies.tasks.reader import AlignmentReader

#: A path.
File = str | Path
#: A name, or several.
Names: TypeAlias = "str | Sequence[str]"
#: The names of columns by their role.
Columns: TypeAlias = Mapping[str, str]
#: An ontology, a graph of another library that holds one, or its file.
OntologyLike: TypeAlias = "File | Graph | Ontology"
#: A table: a file, a frame, or a column for each system, which is a dict.
TableLike: TypeAlias = "File | Frame | Mapping[str, Mapping[str, float]]"
#: Alignments, or rankings ``{"query": {"candidate": score}}``, by the systems' names; of several
#: runs of a system a list.
System: TypeAlias = "File | Alignment | Mapping[str, Mapping[str, float]] | Frame"
Systems: TypeAlias = "Mapping[str, System | Sequence[System]]"


def path_of(file: object, role: str) -> Path:
    """Return a path.

    Raises
    ------
    ExperimentError
        If the argument is no path; the message names it by its role.
    """
    if isinstance(file, str | PathLike):
        return Path(file)
    raise ExperimentError(f"{role} is {_kind_of(file)}: give the path of a file")


def optional_path(file: object, role: str) -> Path | None:
    """Return a path, or None where there is none."""
    if file is None:
        return None
    return path_of(file, role)


def optional_paths(**files: object) -> dict[str, Path | None]:
    """Return the paths of files by their roles, which are arguments; None where there is none."""
    return {role: optional_path(file, role) for role, file in files.items()}


def ontology_of(ontology: OntologyLike, role: str, imports: File | None = None) -> Ontology:
    """Return an ontology; one that was made in memory is called by its role."""
    if isinstance(ontology, Graph):
        ontology = load_ontology(ontology)
    if isinstance(ontology, Ontology) and ontology.path:
        return ontology
    if isinstance(ontology, Ontology):
        return replace(ontology, path=role)
    if not isinstance(ontology, str | PathLike):
        raise ExperimentError(f"{role} is {_kind_of(ontology)}: give an ontology or its file")
    return load_ontology(ontology, imports=imports)


def ontologies_of(
    source: OntologyLike,
    target: OntologyLike,
    imports: File | None = None,
    label_properties: Names = (),
) -> tuple[Ontology, Ontology]:
    """Return both ontologies; in files a label property may be in one of the two only."""
    if isinstance(source, str | PathLike) and isinstance(target, str | PathLike):
        properties = tuple_of(label_properties)
        return load_pair(source, target, imports=imports, label_properties=properties)
    if label_properties:
        raise ExperimentError(
            "label_properties is for ontologies that are read: give the files of both"
        )
    return ontology_of(source, "source", imports), ontology_of(target, "target", imports)


def alignment_options(
    *,
    clusters: str | None = None,
    filters: Names = (),
    on_mismatch: Mismatch = "refuse",
    columns: Columns | None = None,
    predicates: Names = (),
    source: OntologyLike | None = None,
    target: OntologyLike | None = None,
    imports: File | None = None,
    data: File | None = None,
) -> AlignmentOptions:
    """Return the options of reading alignments, the ontologies loaded."""
    reader = reader_of(columns, predicates)
    return AlignmentOptions(
        clusters,
        tuple_of(filters),
        on_mismatch,
        reader.columns,
        tuple(reader.predicates),
        None if source is None else ontology_of(source, "source", imports),
        None if target is None else ontology_of(target, "target", imports),
        optional_path(imports, "imports"),
        optional_path(data, "data"),
    )


def alignment_of(alignment: object, name: str) -> Path | Alignment:
    """Return an alignment or its path; one that was made in memory is called by its name."""
    if not isinstance(alignment, Alignment):
        if not isinstance(alignment, str | PathLike):
            raise ExperimentError(f"{name} is {_kind_of(alignment)}: give an alignment or its file")
        return Path(alignment)
    if alignment.path:
        return alignment
    renamed = alignment.with_correspondences(alignment)
    renamed.path = name
    return renamed


def runs_of(systems: Systems) -> dict[str, System]:
    """Return the systems by name, and several runs of one by ``NAME@1``, ``NAME@2`` and so on."""
    if not isinstance(systems, Mapping):
        raise ExperimentError(
            f"systems is {_kind_of(systems)}: give a dict of names and alignments or files"
        )
    runs: dict[str, System] = {}
    for key, system_or_runs in systems.items():
        # a name is one line
        name = plain_name(key) if isinstance(key, str) and key.splitlines() == [key] else ""
        if not name or not name.isprintable():
            raise ExperimentError(f"systems: {key!r} is no name that can be printed")
        if isinstance(system_or_runs, Sequence) and not isinstance(system_or_runs, str):
            of_system = {f"{name}@{k}": run for k, run in enumerate(system_or_runs, 1)}
        else:
            of_system = {name: system_or_runs}
        if twice := sorted(of_system.keys() & runs.keys()):
            raise ExperimentError(f"systems: two are called {twice[0]!r}: rename one")
        runs |= of_system
    return runs


def alignments_of(systems: Systems) -> dict[str, Path | Alignment]:
    """Return the alignments by name, as `runs_of` names them."""
    return {name: alignment_of(run, name) for name, run in runs_of(systems).items()}


def systems_of(systems: Systems) -> dict[str, object]:
    """Return alignments, or rankings as they are, by name, as `runs_of` names them."""
    return {
        name: run if holds_candidates(run) else alignment_of(run, name)
        for name, run in runs_of(systems).items()
    }


def reader_of(
    columns: Columns | None, predicates: Names, *files: Path | Alignment
) -> AlignmentReader:
    """Return the reader of several files by chosen columns and predicates."""
    if not isinstance(columns, Mapping | None):
        raise ExperimentError(f"columns is {_kind_of(columns)}: give a dict of roles and names")
    reader = AlignmentReader(columns, tuple_of(predicates))
    return reader.among(file for file in files if isinstance(file, Path))


def file_of(reference: object) -> Path | None:
    """Return the file of a reference: the path, or where an alignment was read from."""
    if isinstance(reference, Alignment) and reference.sha256:
        return Path(reference.path)
    if isinstance(reference, str | PathLike):
        return Path(reference)
    return None


def tuple_of(values: Names) -> tuple[str, ...]:
    """Return several values; a single string is one value, not its letters."""
    if isinstance(values, str):
        return (values,)
    return tuple(values)


def optional_tuple(values: Names | None) -> tuple[str, ...] | None:
    """Return several values as `tuple_of` does, or None where there are none."""
    if values is None:
        return None
    return tuple_of(values)


def warn_of(cautions: Iterable[object]) -> None:
    """Warn of each caution once in a session."""
    for caution in cautions:
        _warn_once(str(caution))


@cache
def _warn_once(text: str) -> None:
    warnings.warn(text, stacklevel=4)


def _kind_of(value: object) -> str:
    return f"of type {type(value).__name__}"
