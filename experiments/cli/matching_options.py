"""Options of the commands that match."""

from __future__ import annotations

import typer

from matchers import PRESETS, metrics_table
from matchers.assignment.choose import METHODS
from matchers.by_name import FAMILIES
from matchers.settings import DEFAULT_METRIC, ORDERS
from ontologies import Kind

from .options import choice, completing, listed, option


def metric_names(incomplete: str) -> list[str]:
    """Return the families and metrics whose names begin so."""
    return completing([*FAMILIES, *metrics_table()["name"]])(incomplete)


METRICS = option(
    "NAME",
    f"Metric by name, or a family of nine: {listed(FAMILIES)} (repeatable; default: standard, "
    f"which is {listed(FAMILIES['standard'], 'and')}; more: alignrank list metrics).",
    flag="--metric -m",
    autocompletion=metric_names,
)
METRIC = option(
    "NAME",
    f"{listed(FAMILIES['standard'])} (more: alignrank list metrics; match takes {DEFAULT_METRIC} "
    "if none is named).",
    flag="--metric -m",
    autocompletion=metric_names,
)
LABELS = choice("PRESET", PRESETS, "Label preparation: {}.")
SYNONYMS = typer.Option("--synonyms/--no-synonyms", help="Whether synonyms count as names.")
KINDS = choice(
    "KIND",
    Kind,
    "Entities to match: {} (repeatable; default: every kind that both sides have).",
    flag="--entities",
)
LANGS = option("LANG", "Label language to keep, as en (repeatable; default: all).", flag="--lang")
THRESHOLD = option(
    "X", "Keep pairs at or above this similarity.", flag="--threshold -t", min=0, max=1
)
ASSIGNMENT = choice("METHOD", METHODS)
ORDER = choice(
    "ORDER",
    ORDERS,
    "assign-then-cut (as the paper) or cut-then-assign: how assignment and threshold follow each "
    "other.",
)
SCHEDULER = option("ADDRESS", "Dask scheduler to compute by, in tiles, as tcp://HOST:8786.")
WORKERS = option("N", "Compute in tiles by so many Dask workers on this machine.", min=1)
TILES = typer.Option(
    "--tiles/--no-tiles",
    help="Go without the whole matrix (default: where it does not fit into memory); needs "
    "--threshold above 0 and --order cut-then-assign.",
)
