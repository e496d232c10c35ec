"""Evaluation of alignments: scores, tests, corrections, comparison."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .public import *


def __getattr__(name: str) -> object:
    """Import the public names when one is first used: help needs some tables of names only."""
    if name[0] == "_":
        raise AttributeError(f"module 'alignrank.evaluation' has no attribute {name!r}")
    return getattr(import_module("alignrank.evaluation.public"), name)
