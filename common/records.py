"""Dataclasses as JSON and back: the same content, the same bytes; what does not fit is named."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from textwrap import shorten
from typing import Any, TypeVar, get_args, get_origin

import numpy as np
from cattrs import BaseValidationError, Converter, override, transform_error
from cattrs.gen import make_dict_unstructure_fn
from cattrs.v import format_exception
from numpy.typing import NDArray

from .errors import Argument, RecordError
from .results import Caution

T = TypeVar("T")

#: Metadata of a dataclass's field that no file holds: it is read anew from what the file names.
NOT_WRITTEN = {"is_written": False}


def _plain_number(value: float) -> float | str | None:
    """Return a number that JSON can hold: None for NaN, ``"inf"`` for an infinite one."""
    if math.isfinite(value):
        return float(value)
    if math.isnan(value):
        return None
    return str(value)


def _number(value: object, _: object = float) -> float:
    """Return the number that `_plain_number` wrote."""
    if type(value) is float:  # nearly all are: a comparison of fifty systems has thousands
        return value
    if value is None:
        return math.nan
    if value in ("inf", "-inf"):
        return float(str(value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{value!r} is no number")
    return float(value)


def _plain_array(array: NDArray[np.generic]) -> list[object]:
    if array.ndim > 1:
        return [_plain_array(row) for row in array]
    if array.dtype.kind != "f":
        return list(array.tolist())
    return [_plain_number(value) for value in array.tolist()]


def _array(rows: object, annotation: object) -> NDArray[np.generic]:
    """Return rows of numbers as the annotated array; None is NaN."""
    if not isinstance(rows, list):
        raise ValueError(f"{rows!r} is no list")
    dtype = get_args(get_args(annotation)[1])[0]
    values = rows if dtype is np.bool_ else _numbers(rows)
    try:
        if dtype is np.bool_:
            return np.array(values, dtype=np.bool_)
        array = np.array(values, dtype=np.float64)
    except ValueError:
        raise ValueError("rows of one table have different lengths") from None
    if not issubclass(dtype, np.integer):
        return array
    if not ((array == np.round(array)) & (np.abs(array) < 2**53)).all():
        raise ValueError("a count is no whole number")
    return np.asarray(array.astype(dtype))


def _numbers(rows: object) -> object:
    if not isinstance(rows, list):
        return _number(rows)
    return [_numbers(row) if isinstance(row, list) else _number(row) for row in rows]


def _checked(value: object, kind: type) -> object:
    """Return a text or whole number, and refuse a value of another type."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ValueError(f"{value!r} is no {kind.__name__}")
    return value


def _is_array(annotation: object) -> bool:
    return get_origin(annotation) is np.ndarray


def _tuple(rows: object, annotation: object) -> tuple[object, ...]:
    """Return a list as the annotated tuple; a text is no list of its letters."""
    if not isinstance(rows, list):
        raise ValueError(f"{rows!r} is no list")
    # Any: the type of the elements is known when it runs only
    kind: Any = list[get_args(annotation)[0]]  # type: ignore[misc]  # as above
    return tuple(_CONVERTER.structure(rows, kind))


def _is_list(annotation: object) -> bool:
    return get_origin(annotation) is tuple and get_args(annotation)[-1] is Ellipsis


def _unwritten(kind: type) -> dict[str, Any]:
    """Return the fields of a dataclass that no file holds."""
    if not is_dataclass(kind):
        return {}
    names = [f.name for f in fields(kind) if not f.metadata.get("is_written", True)]
    return {name: override(omit=True) for name in names}


def _part(part: object, _: object) -> str | Argument:
    """Return a part of a sentence: text, or an argument that it names."""
    return part if isinstance(part, str) else _CONVERTER.structure(part, Argument)


def _converter() -> Converter:
    converter = Converter(unstruct_collection_overrides={tuple: list})

    def written(kind: type) -> Callable[[object], dict[str, object]]:
        return make_dict_unstructure_fn(kind, converter, **_unwritten(kind))

    converter.register_unstructure_hook_factory(lambda kind: bool(_unwritten(kind)), written)
    converter.register_unstructure_hook(float, _plain_number)
    converter.register_unstructure_hook_func(_is_array, _plain_array)
    converter.register_structure_hook(float, _number)
    # most cautions name no argument, and most arguments are named without a value
    for record, name in ((Argument, "value"), (Caution, "parts")):
        without_default: dict[str, Any] = {name: override(omit_if_default=True)}
        hook = make_dict_unstructure_fn(record, converter, **without_default)
        converter.register_unstructure_hook(record, hook)
    for kind in (str, int, bool):
        converter.register_structure_hook(kind, _checked)
    converter.register_structure_hook_func(lambda kind: kind == str | Argument, _part)
    converter.register_structure_hook_func(_is_array, _array)
    converter.register_structure_hook_func(_is_list, _tuple)
    converter.register_structure_hook_func(lambda kind: kind is object, lambda value, _: value)
    return converter


_CONVERTER = _converter()


def _short_reason(error: BaseException, kind: type | None) -> str:
    """Return in one short line why a value does not fit."""
    reason = format_exception(error, kind)
    if isinstance(error, ValueError):  # cattrs' own words name the type only
        reason = str(error)
    return shorten(reason, 200, placeholder=" …")


#: Number of the form of what is written: another form, another number.
SCHEMA = 5


def record_dict(record: object, kind: str) -> dict[str, Any]:
    """Return a dataclass as a value for JSON.

    Parameters
    ----------
    record
        A dataclass.
    kind
        What the record is, for the reader of the file.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Point:
    ...     x: float
    >>> record_dict(Point(math.inf), "point")
    {'schema': 5, 'kind': 'point', 'x': 'inf'}
    """
    return {"schema": SCHEMA, "kind": kind, **_CONVERTER.unstructure(record)}


def read_record(record: type[T], content: Mapping[str, object]) -> T:
    """Return the dataclass that `record_dict` made a dictionary of.

    Raises
    ------
    RecordError
        If the content has another schema, or something is missing or of another type; the message
        names where.
    """
    form = content.get("schema")
    if form != SCHEMA:
        if not isinstance(form, int):
            form = "of another program or an older alignrank"
        raise RecordError(
            f"has the form {form}, not {SCHEMA}: run the command again with this version of "
            "alignrank"
        )
    try:
        return _CONVERTER.structure(content, record)
    except BaseValidationError as error:
        first, *further = transform_error(error, path="it", format_exception=_short_reason)
        more = f" (and {len(further)} more)" if further else ""
        raise RecordError(f"does not fit: {first}{more}") from None


def check_shapes(shape: tuple[int, ...], arrays: Mapping[str, NDArray[np.generic] | None]) -> None:
    """Refuse arrays, by name, of another shape.

    Raises
    ------
    RecordError
        With the name of the first.

    Examples
    --------
    >>> check_shapes((2, 2), {"p": np.zeros((2, 3))})
    Traceback (most recent call last):
    alignrank.common.errors.RecordError: p has the shape (2, 3), not (2, 2)
    """
    for name, array in arrays.items():
        if array is not None and array.shape != shape:
            raise RecordError(f"{name} has the shape {array.shape}, not {shape}")


def check_listed(role: str, names: Iterable[str], listed: Iterable[str]) -> None:
    """Refuse names that are not listed.

    Raises
    ------
    RecordError
        With the role and the first such name.

    Examples
    --------
    >>> check_listed("an edge", ["a", "c"], ["a", "b"])
    Traceback (most recent call last):
    alignrank.common.errors.RecordError: an edge names 'c', which is not among a, b
    """
    listed = list(listed)
    for name in names:
        if name not in listed:
            raise RecordError(f"{role} names {name!r}, which is not among {', '.join(listed)}")


def check_pairs(role: str, pairs: Iterable[tuple[str, str]], listed: Iterable[str]) -> None:
    """Refuse pairs that are not of two different listed names.

    Raises
    ------
    RecordError
        With the role and the first such name.

    Examples
    --------
    >>> check_pairs("a ranking", [("a", "a")], ["a", "b"])
    Traceback (most recent call last):
    alignrank.common.errors.RecordError: a ranking compares 'a' with itself
    """
    listed = list(listed)
    for first, second in pairs:
        check_listed(role, [first, second], listed)
        if first == second:
            raise RecordError(f"{role} compares {first!r} with itself")


def check_same(role: str, names: Iterable[str], listed: Iterable[str]) -> None:
    """Refuse names that are not all listed names, each once, in any order.

    Raises
    ------
    RecordError
        With the role.

    Examples
    --------
    >>> check_same("values", ["a"], ["a", "b"])
    Traceback (most recent call last):
    alignrank.common.errors.RecordError: values has a, not a, b
    """
    names = sorted(names)
    listed = sorted(listed)
    if names != listed:
        raise RecordError(f"{role} has {', '.join(names)}, not {', '.join(listed)}")
