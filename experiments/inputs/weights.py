"""A relaxed measure's weights from a JSON file of the user's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evaluation.errors import EvaluationError
from evaluation.measures.relaxed.proximity import PairWeights, Proximity
from experiments.errors import ExperimentError

_TABLES = ("concepts", "individuals")
_STEPS = ("target_super", "source_super", "target_sub", "source_sub")


def read_weights(path: Path) -> Proximity:
    """Read the proximity of near misses; what the file leaves out is 0.

    Parameters
    ----------
    path
        JSON with the objects ``concepts`` (classes and properties) and ``individuals``, each with
        some of ``target_super``, ``source_super``, ``target_sub`` and ``source_sub`` (the correct
        pair is that step away from the found one); ``relations`` with keys such as ``"= <"`` (found
        and correct relation); and the number ``other_relations``. The file's stem is the name.

    Raises
    ------
    ExperimentError
        If the file is no such JSON, a key is unknown, or a weight is outside [0, 1].
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ExperimentError(f"{path}, line {error.lineno}: not JSON: {error.msg}") from error
    except UnicodeDecodeError as error:
        raise ExperimentError(f"{path}: not UTF-8: {error}") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits; deep nesting
        raise ExperimentError(f"{path}: not JSON that can be read: {error}") from error
    known = (*_TABLES, "relations", "other_relations")
    given = _object(path, "the file", content, known)
    relations = _numbers(path, "relations", given.get("relations", {}))
    for key in relations:
        if len(key.split()) != 2:
            raise ExperimentError(f'{path}: relations holds {key!r}: write two, as in "= <"')
    other = _numbers(path, "the file", {"other_relations": given.get("other_relations", 0.0)})
    try:
        concepts, individuals = (
            PairWeights(**_numbers(path, table, given.get(table, {}), _STEPS)) for table in _TABLES
        )
        return Proximity(
            path.stem,
            concepts=concepts,
            individuals=individuals,
            relations={(k.split()[0], k.split()[1]): value for k, value in relations.items()},
            other_relations=other["other_relations"],
        )
    except EvaluationError as error:
        raise ExperimentError(f"{path}: {error}") from error


def _object(
    path: Path, what: str, found: object, known: tuple[str, ...] | None = None
) -> dict[str, Any]:
    """Return a JSON object after checking that its keys are known."""
    if not isinstance(found, dict):
        raise ExperimentError(f"{path}: {what} must be a JSON object of weights")
    for key in found:
        if known and key not in known:
            raise ExperimentError(f"{path}: {what} holds {key!r}: use {', '.join(known)}")
    return found


def _numbers(
    path: Path, what: str, found: object, known: tuple[str, ...] | None = None
) -> dict[str, float]:
    """Return a JSON object whose values are numbers."""
    for key, value in _object(path, what, found, known).items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ExperimentError(f"{path}: {key} is {value!r}: a weight is a number")
    return _object(path, what, found)
