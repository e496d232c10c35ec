"""Answers of systems in files of their own, as benchmarks write them: items with a verdict each.

A file of JSON Lines holds an object for each item, ``{"doc_id": 7, "acc": 1}``; a set holds the
items that are right, ``{"resolved": ["a", "b"]}``, beside a list of all items.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from alignrank.common.errors import Argument
from alignrank.common.files import JsonObject, json_objects, parse_json, read_text
from alignrank.common.names import MutableTexts, Texts, listed
from alignrank.evaluation import read_answers
from alignrank.evaluation.comparison.table_checks import names_rows, names_runs
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.named_inputs import input_file, named_files
from alignrank.experiments.inputs.tables import TableInput
from alignrank.ontologies.formats.columns import columns_by_role
from alignrank.ontologies.tasks.system_files import system_names

ANSWERS = "files of answers"

#: Names of the set of items that a system has right.
_SETS = ("resolved", "resolved_ids", "solved", "passed", "correct")
_SET = re.compile(rf'"({"|".join(_SETS)})"\s*:\s*\[')
#: The number of characters that say whether a text holds answers.
_BEGINNING = 100_000

Row = Mapping[str, object]


def holds_answers(text: str) -> bool:
    """Tell whether a file's text holds a verdict on each item, or the items that are right."""
    text = text[:_BEGINNING].lstrip()
    if not text.startswith("{"):
        return False
    if _SET.search(text):
        return True
    try:
        row = json.loads(text.partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    if not isinstance(row, dict) or {"entity1", "entity2"} <= columns_by_role([*row], {}).keys():
        return False
    verdicts = (value for name, value in row.items() if not names_rows(name))
    return any(map(names_rows, row)) and any(_score(value) is not None for value in verdicts)


def with_first(first: Path, systems: Mapping[str, Path]) -> dict[str, Path]:
    """Return files of answers, the first of which came in the reference's place, by system."""
    paths = [path for name, path in systems.items() if path.name.startswith(name)]
    by_file = dict(zip(paths, system_names(paths), strict=True))
    # the first file may share an ending with those that are called by their files' names
    named = [
        str(path) if by_file.get(path) == name else f"{name}={path}"
        for name, path in systems.items()
    ]
    return named_files([str(first), *named])


def read_answer_input(
    files: Mapping[str, Path], items: Path | None, columns: Texts | None, measure: str | None
) -> TableInput:
    """Read files of answers, as `read_answer_files` does, into the record of a table of items.

    Raises
    ------
    ExperimentError
        As `read_answer_files` does; and if there is only one item.
    """
    rows = read_answer_files(files, items, columns, measure)
    names = {row["item"] for row in rows}
    if len(names) == 1:
        paths = listed(map(str, files.values()), "and")
        raise ExperimentError(
            f"{paths}: one item, {names.pop()!r}, allows no test: add a line for each item"
        )
    inputs = {} if items is None else {"answers": input_file(items)}
    inputs |= {f"answers {name}": input_file(file) for name, file in files.items()}
    return TableInput(ANSWERS, read_answers(rows), inputs)


def read_answer_files(
    files: Mapping[str, Path],
    items: Path | None = None,
    columns: Texts | None = None,
    measure: str | None = None,
) -> list[JsonObject]:
    """Return a row for each item and system, with the score and the item's cluster.

    Parameters
    ----------
    files
        A file of answers for each system.
    items
        A list of all items, a line or an entry of JSON for each; sets need it.
    columns
        Names of fields by role: ``item``, ``right``, ``cluster``.
    measure
        The field that holds the verdict, where a file holds several metrics.

    Raises
    ------
    ExperimentError
        If a file makes no sense, several metrics could be meant, or a system lacks an item.
    """
    roles = dict(columns or {})
    if measure is not None:
        roles.setdefault("right", measure)
    right_by_system: dict[str, Mapping[str, object]] = {}
    clusters: MutableTexts = {}
    everything = [] if items is None else _listed_items(items)
    for name, path in files.items():
        rows = _rows(path)
        if len(rows) == 1 and (right_items := _right_set(rows[0], roles)) is not None:
            if not everything:
                raise ExperimentError(
                    f"{path} holds the items that are right: name a list of all items first"
                )
            if foreign := sorted(right_items - set(everything)):
                raise ExperimentError(f"{path}: {foreign[0]!r} is not in the list of all items")
            right_by_system[name] = {item: int(item in right_items) for item in everything}
        else:
            right_by_system[name] = _verdicts(path, rows, roles, clusters)
    every_item = dict.fromkeys(item for right in right_by_system.values() for item in right)
    if not every_item.keys().isdisjoint(everything):  # else the file beside them is no list
        every_item |= dict.fromkeys(everything)
    for name, right in right_by_system.items():
        if absent := [item for item in every_item if item not in right]:
            raise ExperimentError(
                f"{files[name]} has no verdict on {len(absent)} of {len(every_item)} items, as "
                f"{absent[0]!r}: add a line with 0 where nothing was answered"
            )
    # names of systems are cells, never columns: a system may be called cluster, or run
    return [
        {"item": item, "system": name, "score": right[item], "cluster": clusters.get(item, "")}
        for item in every_item
        for name, right in right_by_system.items()
    ]


def _listed_items(path: Path) -> list[str]:
    """Return all items of a list: lines of text, entries of JSON, or objects in JSON Lines.

    A first line of text such as ``item`` is the title of a column.
    """
    text = read_text(path, ExperimentError)
    if not text.lstrip().startswith(("[", "{")):
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return lines[1:] if lines and names_rows(lines[0]) else lines
    entries = parse_json(text) if text.lstrip().startswith("[") else _rows(path)
    return [
        str(entry[_item_field(path, entry, {})] if isinstance(entry, dict) else entry)
        for entry in (entries if isinstance(entries, list) else [])
    ]


def _rows(path: Path) -> list[JsonObject]:
    """Return the objects of a file: one for each line, or one that takes all lines."""
    text = read_text(path, ExperimentError)
    try:
        document = parse_json(text)
        return [document] if isinstance(document, dict) else []
    except ValueError:
        pass
    return [row for _, row in json_objects(enumerate(text.split("\n"), 1), path, ExperimentError)]


def _right_set(row: Row, roles: Texts) -> set[str] | None:
    names = [roles["right"]] if "right" in roles else _SETS
    items = next((row[name] for name in names if isinstance(row.get(name), list)), None)
    return set(map(str, items)) if isinstance(items, list) else None


def _verdicts(
    path: Path,
    rows: Sequence[Row],
    roles: Texts,
    clusters: MutableTexts,
) -> JsonObject:
    """Return the verdict on each item; the items' clusters, where a field states them, as well."""
    item_field = _item_field(path, rows[0], roles)
    metric = roles.get("right") or _metric(path, rows, item_field)
    cluster_field = roles.get("cluster", "cluster")
    verdicts: JsonObject = {}
    for number, row in enumerate(rows, 1):
        item, score = str(row.get(item_field, "")), _score(row.get(metric))
        if not item or score is None:
            fault = (
                f"{metric!r} is no verdict from 0 to 1" if item else f"{item_field!r} is missing"
            )
            raise ExperimentError(f"{path}, object {number}: {fault}")
        if item in verdicts:
            raise ExperimentError(f"{path}, object {number}: item {item!r} comes twice")
        verdicts[item] = score
        if cluster_field in row:
            clusters[item] = str(row[cluster_field])
    return verdicts


def _item_field(path: Path, row: Row, roles: Texts) -> str:
    field = roles.get("item") or next((name for name in row if names_rows(name)), None)
    if field is None or field not in row:
        raise ExperimentError(
            f"{path}: no field names the items; the fields are {listed(row, 'and')}: choose one "
            f"({Argument('columns')})"
        )
    return field


def _metric(path: Path, rows: Sequence[Row], item_field: str) -> str:
    """Return the only field that holds a number from 0 to 1, or true and false, in every object."""
    metrics = [
        name
        for name in rows[0]
        if name not in (item_field, "cluster")
        and not names_runs(name)
        and not (names_rows(name) and not isinstance(rows[0][name], bool))
        and all(_score(row.get(name)) is not None for row in rows)
    ]
    if len(metrics) == 1:
        return metrics[0]
    if not metrics:
        raise ExperimentError(
            f"{path}: no field holds a verdict, a number from 0 to 1 or true and false, in every "
            f"object: choose one ({Argument('columns')})"
        )
    raise ExperimentError(
        f"{path} holds several metrics, {listed(metrics, 'and')}: choose one "
        f"({Argument('measure', metrics[0])})"
    )


def _score(value: object) -> float | None:
    """Return a verdict as a number from 0 to 1; None where it is none."""
    if isinstance(value, int | float) and 0 <= value <= 1:
        return float(value)
    return None
