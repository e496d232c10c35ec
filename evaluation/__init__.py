"""Evaluation of alignments: scores, tests, corrections, comparison."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .public import *


def __getattr__(name: str) -> object:
    """Import the public names when one is first used: help needs some tables of names only."""
    return getattr(import_module("alignrank.evaluation.public"), name)


def __dir__() -> list[str]:
    """Return the public names, as the Tab key shows them."""
    return dir(import_module("alignrank.evaluation.public"))
