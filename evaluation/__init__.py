"""Evaluation of alignments: scores, tests, corrections, comparison."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .public import *
else:

    def __getattr__(name: str) -> object:
        """Import the public names when one is first used: help needs some tables of names only."""
        public = import_module("alignrank.evaluation.public")
        if name == "__all__":  # what a star imports
            return [public_name for public_name in vars(public) if public_name[0] != "_"]
        if not hasattr(public, name):
            raise AttributeError(f"module 'alignrank.evaluation' has no attribute {name!r}")
        return getattr(public, name)


def __dir__() -> list[str]:
    """Return the public names, as the Tab key shows them."""
    return dir(import_module("alignrank.evaluation.public"))
