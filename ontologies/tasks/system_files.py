"""Alignment files of many systems: a plain folder, the OAEI's names, or MELT's results."""

from __future__ import annotations

import csv
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote

from alignrank.common.errors import AlignmentError, OntologyError
from alignrank.common.files import read_beginning, read_text, unpacked_name
from alignrank.common.names import MutableTexts, Pair, first_of, refuse_unknown
from alignrank.common.results import InputFile
from alignrank.ontologies.alignment import Alignment
from alignrank.ontologies.formats import WRITABLE

from . import MatchingTask, archived
from .catalogue import campaigns

#: MELT's name of every alignment file, in ``results_*/TRACK/TESTCASE/MATCHER``.
MELT_FILE = "systemAlignment.rdf"

#: Endings of alignment files, a longer one before the one that it ends in.
_ENDINGS = sorted(
    (ending for row in WRITABLE.values() for ending in row.endings), key=len, reverse=True
)

#: MELT's folder of a track's sums, which are not alignments of a task.
_AGGREGATED = "aggregated"


def files_by_system(folder: Path) -> dict[str, Path]:
    """Return the alignment file of each system for one task.

    Parameters
    ----------
    folder
        A test case's folder of MELT's results; or a folder of files ``SYSTEM.rdf``, or, where there
        are none, of another format that alignrank writes. An ending that
        all files share, as in the OAEI's ``SYSTEM-anatomy-2018.rdf``, does not belong to the name.

    Raises
    ------
    OntologyError
        If the folder holds no alignment file, or MELT's results of several test cases.
    """
    melt = _melt(folder)
    cases = sorted({case for _, case in melt})
    if len(cases) > 1:
        raise OntologyError(
            f"{folder} holds MELT's results for {len(cases)} test cases: name the folder of one "
            f"({', '.join(cases[:3])}, …), or compare over all (alignrank study)"
        )
    if melt:
        return {system: path for (system, _), path in melt.items()}
    files = _alignment_files(folder)
    systems: dict[str, Path] = {}
    for name, path in zip(system_names(files), files, strict=True):
        if name in systems:
            raise OntologyError(f"{path} and {systems[name].name} are both {name!r}: remove one")
        systems[name] = path
    return systems


def system_names(files: Sequence[Path]) -> list[str]:
    """Return the systems' names: the files' stems without the ending that all of them share.

    Examples
    --------
    >>> system_names([Path("AML-hp-mp-2019.rdf"), Path("POMAP++-hp-mp-2019.rdf")])
    ['AML', 'POMAP++']
    """
    names = [_stem_and_ending(path)[0].split("-") for path in files]
    while len(names) > 1 and min(map(len, names)) > 1 and len({name[-1] for name in names}) == 1:
        names = [name[:-1] for name in names]
    return ["-".join(name) for name in names]


def by_system_and_task(folder: Path, tasks: Sequence[str]) -> dict[Pair, Path]:
    """Return the alignment file of each system for each task.

    Parameters
    ----------
    folder
        A folder of files ``SYSTEM-task.rdf`` (for ``task.rdf`` the system has the folder's name),
        or MELT's results of a track. Case is ignored; of several tasks that fit the longest counts.
    tasks
        Names of all tasks.

    Raises
    ------
    OntologyError
        If there is no alignment file, a file's task is unknown, or two files have the same system
        and task.
    """
    by_name = {task.casefold(): task for task in sorted(tasks, key=len)}
    melt = _melt(folder)
    rows = [(system, case, path) for (system, case), path in melt.items()]
    if not melt:
        for path in _alignment_files(folder):
            stem, _ = _stem_and_ending(path)
            fitting = [task for task in by_name if f"-{stem}".casefold().endswith(f"-{task}")]
            task = max(fitting, key=len, default="")
            system = stem[: -len(task) - 1] if task else ""
            rows.append((system or folder.name, task, path))
    files: dict[Pair, Path] = {}
    for system, case, path in rows:
        task = by_name.get(case.casefold(), "")
        if not task:
            todo = "the name must be SYSTEM-task.rdf, and the task one that has a reference"
            if melt:
                todo = f"the test case {case!r} has no reference: name the folder of one track"
            raise OntologyError(f"{path}: {todo} ({', '.join(tasks[:3])}, …)")
        if (system, task) in files:
            raise OntologyError(
                f"{path} and {files[system, task].name} are both {system!r} on {task!r}: remove one"
            )
        files[system, task] = path
    return files


def melt_seconds(alignment: Path) -> float | None:
    """Return a matcher's run time from MELT's file beside its alignment, None if there is none.

    MELT's ``performance.csv`` has nanoseconds in the column ``Time``.
    """
    performance = alignment.with_name("performance.csv")
    if alignment.name != MELT_FILE or not performance.is_file():
        return None
    if not read_beginning(performance, 512).strip():  # the matcher has not ended
        return None
    for row in csv.DictReader(read_text(performance, AlignmentError).splitlines()):
        if row.get("Type") == "ALL" and (row.get("Time") or "").isdecimal():
            return int(row["Time"]) / 1e9
    return None


def runtime_sentences(inputs: Mapping[str, InputFile]) -> list[str]:
    """Say how long systems ran, where MELT has measured it."""
    measured = {
        role.removeprefix("alignment "): seconds
        for role, file in inputs.items()
        if (seconds := melt_seconds(Path(file.path))) is not None
    }
    if not measured:
        return []
    listed = ", ".join(f"{name} {seconds:.1f}" for name, seconds in measured.items())
    return [f"Seconds, as MELT measured them: {listed}"]


def past_files(
    task: MatchingTask, years: Sequence[str] = (), *, taken: str = ""
) -> dict[str, Path]:
    """Return the alignment files of past campaigns' systems, the latest campaign first.

    Parameters
    ----------
    task
        The task.
    years
        Campaigns in the task's archive; empty for all. With several, systems are called
        ``SYSTEM-YEAR``.
    taken
        A name that none of them may have.

    Raises
    ------
    OntologyError
        If a year has no campaign, or its alignments were not fetched.
    """
    archive = archived(task)
    sets: MutableTexts = {}
    for folder in task.reference.parents[:3]:
        sets |= campaigns(folder.name, [folder.parent])
    if not archive and not sets:
        raise OntologyError(f"no campaign is known that solved {task.name} (alignrank data list)")
    chosen = sorted(years or archive or [max(sets)], reverse=True)
    for year in chosen:
        refuse_unknown("year", year, sorted({*archive, *sets}), OntologyError)
        if year not in archive:
            raise OntologyError(
                f"what systems of {year} found is not here: alignrank data fetch {sets[year]}"
            )
    return {
        system if len(chosen) == 1 and system != taken else f"{system}-{year}": path
        for year in chosen
        for system, path in archive[year].items()
    }


def equal_alignments(alignments: Mapping[str, Alignment]) -> MutableTexts:
    """Return, for each system with the correspondences of an earlier one, that earlier system.

    Examples
    --------
    >>> from alignrank.ontologies import Correspondence
    >>> alignment = Alignment([Correspondence("a", "b")])
    >>> equal_alignments({"A": alignment, "B": alignment, "C": Alignment()})
    {'B': 'A'}
    """
    first_names: dict[frozenset[object], str] = {}
    copies: MutableTexts = {}
    for name, alignment in alignments.items():
        cells = frozenset((c.pair, c.relation) for c in alignment)
        first_name = first_names.setdefault(cells, name)
        if first_name != name:
            copies[name] = first_name
    return copies


def _melt(folder: Path) -> dict[Pair, Path]:
    """Return MELT's alignments by system and test case; empty for a folder of other origin."""
    alignments = {}
    for path in sorted(folder.rglob(MELT_FILE)):
        if _AGGREGATED not in path.relative_to(folder).parts:
            system = unquote(path.parent.name).removesuffix(".tar.gz")
            alignments[system, path.parent.parent.name] = path
    return alignments


def _alignment_files(folder: Path) -> list[Path]:
    """Return the RDF files of a folder; where it has none, those with another alignment ending.

    Warns
    -----
    UserWarning
        If there are both: those of another format than RDF are left out.
    """
    if not folder.is_dir():
        raise OntologyError(f"{folder} is not a folder: name the one with the alignment files")
    named = sorted((*_stem_and_ending(path), path) for path in folder.iterdir())
    endings = {path: ending for _, ending, path in named if ending}
    files = list(endings)
    rdf_files = [path for path in files if endings[path] == ".rdf"]
    if not files:
        raise OntologyError(f"{folder} holds no alignment file ({', '.join(_ENDINGS)})")
    other_files = [path.name for path in files if endings[path] not in (".rdf", ".owl")]
    if rdf_files and other_files:
        text = f"{folder}: its .rdf files are read; left out: {first_of(other_files, 3)}"
        warnings.warn(text, stacklevel=2)
    return rdf_files or files


def _stem_and_ending(path: Path) -> tuple[str, str]:
    """Return a file's name without the ending of its format, and this ending.

    The ending is "" where no alignments are written in its format.
    """
    unpacked = unpacked_name(path)
    ending = next(filter(unpacked.name.lower().endswith, _ENDINGS), "")
    return unpacked.name[: len(unpacked.name) - len(ending or unpacked.suffix)], ending
