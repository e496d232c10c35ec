"""Data to match: listed, fetched, checked and counted (`alignrank data`)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

from alignrank.common.files import replacing
from alignrank.common.names import count
from alignrank.common.table import ColumnKind, Table
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.input_cautions import check_reference, ontology_cautions
from alignrank.experiments.inputs.named_inputs import slug
from alignrank.experiments.report.console import (
    console,
    is_short,
    print_cautions,
    print_table,
    say,
)
from alignrank.experiments.results.folder import handed_over
from alignrank.ontologies import load_ontology, read_alignment, write_alignment
from alignrank.ontologies.formats import is_read_alone
from alignrank.ontologies.tasks import (
    BUNDLED,
    DEMO,
    OAEI_HOST,
    data_folders,
    own_tasks,
)
from alignrank.ontologies.tasks.catalogue import DataSet, campaigns, data_set, data_sets
from alignrank.ontologies.tasks.download import fetch, holding, is_listed, verify
from alignrank.ontologies.tasks.reader import AlignmentReader


def list_data(data: Path | None = None) -> None:
    """List what can be fetched, and the tasks that are here."""
    out = console()
    short = is_short()
    folders = data_folders(data)
    rows = [["bundled", "–", "–", "yes", f"ours: {', '.join(BUNDLED)}; {DEMO}", "Apache-2.0"]]
    rows += [
        [task.name, "3", "–", "yes", f"yours, in {task.reference.parent}", "–"]
        for task in own_tasks(folders)
    ]
    more = 0
    for dataset in data_sets(folders).values():
        files, size = "–", "–"
        if dataset.files:
            files, size = str(len(dataset.files)), f"{dataset.size / 1e6:.1f}"
        elif short:
            more += 1
            continue
        place = _place(dataset, folders)[1]
        rows.append([dataset.name, files, size, place, dataset.about, dataset.licence])
    header = ["name", "files", "MB", "here", "what", "licence"]
    kinds: list[ColumnKind] = ["text", "number", "number", "text", "text", "text"]
    columns = len(header) - short
    table = Table("", header[:columns], [row[:columns] for row in rows], kinds=kinds[:columns])
    print_table(table, wrapped=["what", "licence"])
    if short:
        out.print(f"and {more} more tracks of the OAEI (--verbose: all, and the licences)")
    out.print(f"Fetched data goes to {folders[0]} (--data or $ALIGNRANK_DATA).")


def fetch_data(
    names: Sequence[str],
    data: Path | None = None,
    *,
    systems: Sequence[str] = (),
    offline: bool = False,
) -> None:
    """Fetch data; what is there already is checked and kept."""
    folders = data_folders(data)
    target = folders[0]
    chosen = dict.fromkeys(data_set(name, folders) for name in names)
    for dataset, year in product(list(chosen), systems):
        names_by_year = campaigns(dataset.name.partition("/")[0], folders)
        if year not in names_by_year:
            years = ", ".join(sorted(names_by_year)) or "no year"
            raise ExperimentError(f"{dataset.name} has no alignments of {year}, but of {years}")
        chosen[data_set(names_by_year[year], folders)] = None
    for dataset in chosen:
        say(f"{dataset.name}: {dataset.licence}")
        checked_files = fetch(dataset, target, offline=offline)
        fresh = sum(checked.state == "fetched" for checked in checked_files)
        fetched = f"{count(fresh, 'file')} fetched, {len(checked_files) - fresh} there before"
        say(f"{dataset.name}: {fetched}: {target}")


def add_task(
    name: str, source: Path, target: Path, reference: Path, data: Path | None = None
) -> None:
    """Make a task by name of an ontology pair of your own.

    The files are copied into the data folder; `rank --task NAME` and experiments find them.

    Raises
    ------
    ExperimentError
        If the name is taken or no name for a folder, or the reference does not fit.
    """
    if slug(name) != name:
        raise ExperimentError(f"{name!r} is no name for a task: {slug(name)} would be one")
    folders = data_folders(data)
    place = folders[0] / name
    tracks = {data_set_name.split("/")[0] for data_set_name in data_sets(folders)}
    if place.exists() or name in {"bundled", DEMO, *BUNDLED, *tracks}:
        raise ExperimentError(f"there is a task or folder {name} already: name yours differently")
    alignment = AlignmentReader().reference(reference)
    ontologies = [load_ontology(path) for path in (source, target)]
    cautions = check_reference(alignment, *ontologies)
    copied = [("source", source), ("target", target)]
    if is_read_alone(reference):
        copied.append(("reference", reference))
    with handed_over(place) as stage:
        if not is_read_alone(reference):  # one file that holds what two held
            write_alignment(read_alignment(reference), stage / "reference.jsonl")
        for role, path in copied:
            content = path.read_bytes()
            with replacing(stage / f"{role}{path.suffix}") as draft:
                draft.write_bytes(content)
    print_cautions([*ontology_cautions(*ontologies), *cautions])
    sizes = " and ".join(count(len(ontology), "entity") for ontology in ontologies)
    held = count(len(alignment), "correspondence")
    say(f"{name}: {held} between {sizes}: {place} (alignrank rank --task {name})")


def path_of_data(name: str, data: Path | None = None) -> None:
    """Print the folder of fetched or added data.

    Raises
    ------
    ExperimentError
        If it is not there.
    """
    folders = data_folders(data)
    for task in own_tasks(folders):
        if task.name == name:
            print(task.reference.parent)
            return
    dataset = data_set(name, folders)
    root, there = _place(dataset, folders)
    if there != "yes":
        state = f"there in part, in {root}"
        if there == "no":
            state = "not there"
        raise ExperimentError(f"{name} is {state}: alignrank data fetch {name}")
    if not dataset.files:
        root /= OAEI_HOST
    print(root / dataset.name)


def verify_data(names: Sequence[str] = (), data: Path | None = None) -> int:
    """Check fetched data by its checksums.

    Exit code 1 if any file is missing or changed.

    Returns
    -------
    int
        Exit code: 0 if all is as it should be, 1 if files are missing or changed.
    """
    folders = data_folders(data)
    sets = data_sets(folders)
    places = {name: _place(dataset, folders) for name, dataset in sets.items()}
    there = [data_set(name, folders) for name in names]
    if not names:
        there = [dataset for name, dataset in sets.items() if places[name][1] != "no"]
    if not there:
        raise ExperimentError(f"{folders[0]} holds nothing to verify: alignrank data fetch anatomy")
    wrong = 0
    for dataset in there:
        root, state = places[dataset.name]
        if state == "yes" and not is_listed(dataset, root):
            say(f"{dataset.name}: in {root} without checksums: there is nothing to hold it to")
            continue
        if state == "no":
            say(f"{dataset.name}: not there: alignrank data fetch {dataset.name}")
            wrong += 1
            continue
        checked = verify(dataset, root)
        bad = [c for c in checked if c.state in ("missing", "changed")]
        for c in bad:
            say(f"{c.path}: {c.state}")
        say(f"{dataset.name}: {len(checked) - len(bad)} of {len(checked)} files as they should be")
        wrong += len(bad)
    return int(wrong > 0)


def _place(dataset: DataSet, folders: Sequence[Path]) -> tuple[Path, str]:
    """Return in which folder a data set is, and whether it is there ("yes", "in part", "no")."""
    states = [(root, holding(dataset, root)) for root in folders]
    by_state = {state: (root, state) for root, state in reversed(states)}
    return by_state.get("yes") or by_state.get("in part") or states[0]
