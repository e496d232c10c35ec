"""What `rank` and `compare` leave in their results folder."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation import Comparison
from ontologies import Alignment, write_alignment
from ontologies.files import write_text

from .inputs import slugs
from .report.csvs import write_matrix, write_rows
from .report.outperforms import draw_outperforms
from .report.style import save
from .runs import version


@dataclass(frozen=True)
class Provenance:
    """Where a result comes from: settings, and every input file with its SHA-256."""

    settings: Mapping[str, Any]
    inputs: Mapping[str, Mapping[str, str]]


def finite(value: Any) -> Any:
    """Return `value` with NaN and infinities as None, which JSON can hold.

    Examples
    --------
    >>> finite({"a": [1.0, float("nan")], "b": float("-inf")})
    {'a': [1.0, None], 'b': None}
    """
    if isinstance(value, Mapping):
        return {str(k): finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [finite(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def summary(
    comparison: Comparison, provenance: Provenance, extra: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the content of ``summary.json``: the comparison, its settings and its inputs."""
    content = {
        **comparison.to_dict(),
        **(extra or {}),
        "settings": provenance.settings,
        "inputs": provenance.inputs,
        "version": version(),
    }
    return dict(finite(content))


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write `content` as JSON: the same content gives the same bytes."""
    write_text(path, json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def write_comparison(
    folder: Path,
    comparison: Comparison,
    alignments: Mapping[str, Alignment],
    provenance: Provenance,
    extra: Mapping[str, Any] | None = None,
) -> None:
    """Write alignments, tables, figures and ``summary.json`` of a comparison into `folder`."""
    names = slugs(comparison.systems)
    for name, alignment in alignments.items():
        write_alignment(alignment, folder / "alignments" / f"{names[name]}.rdf")
    content = summary(comparison, provenance, extra)
    write_json(folder / "summary.json", content)
    _write_tables(folder / "tables", comparison, content)
    _write_figures(folder / "figures", comparison)
