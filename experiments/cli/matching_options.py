"""Options of the commands that match, and the settings that they make."""

from __future__ import annotations

from typing import Annotated

import typer

from matchers import PRESETS, Settings, metrics_table
from matchers.assignment.choose import METHODS
from matchers.metrics.by_name import FAMILIES
from matchers.settings import PROTOCOLS
from ontologies import Kind

from .options import choice, completing, option


def metric_names(incomplete: str) -> list[str]:
    """Return the families and metrics whose names begin so."""
    return completing([*FAMILIES, *metrics_table()["name"]])(incomplete)


Metrics = Annotated[
    list[str] | None,
    option(
        "NAME",
        "Metric by name, or a family: standard, ontosim (repeatable; default: standard; "
        "alignrank list metrics).",
        autocompletion=metric_names,
    ),
]
Labels = Annotated[str, choice("PRESET", PRESETS, "Label preparation: {}.")]
Synonyms = Annotated[
    bool, typer.Option("--synonyms/--no-synonyms", help="Whether synonyms count as names.")
]
Kinds = Annotated[
    list[str] | None,
    choice(
        "KIND",
        Kind,
        "Kind of entity to match: {} (repeatable; default: every kind that both sides have).",
    ),
]
Langs = Annotated[
    list[str] | None, option("LANG", "Label language to keep, as en (repeatable; default: all).")
]
Threshold = Annotated[float, option("X", "Keep pairs at or above this similarity.", min=0, max=1)]
AssignmentMethod = Annotated[str, choice("METHOD", METHODS)]
Protocol = Annotated[
    str,
    choice(
        "ORDER",
        PROTOCOLS,
        "assign-then-cut (as the paper) or cut-then-assign: how assignment and threshold follow "
        "each other.",
    ),
]
Tiles = Annotated[
    bool | None,
    typer.Option(
        "--tiles/--no-tiles",
        help="Go without the whole matrix (default: where it does not fit into memory); needs "
        "--threshold above 0 and --protocol cut-then-assign.",
    ),
]


def settings_from(
    labels: str,
    synonyms: bool,
    kinds: list[str] | None,
    langs: list[str] | None,
    threshold: float = 0.0,
    assignment: str = "hungarian",
    protocol: str = "assign-then-cut",
    tiles: bool | None = None,
) -> Settings:
    """Return the settings that options name."""
    return Settings(
        labels=labels,
        synonyms=synonyms,
        kinds=tuple(Kind(k) for k in kinds) if kinds else None,
        langs=tuple(langs) if langs else None,
        threshold=threshold,
        assignment=assignment,
        protocol=protocol,
        tiles=tiles,
    )
