"""Synthetic ontology pairs: altered on purpose, so that what corresponds is known."""

from .generate import GeneratedPair, counts, generate, generate_suite
from .given import Given, read_given
from .spec import METHODS, PRESETS, Alteration, Rename, Shape, Suite, preset, read_suite

__all__ = [
    "METHODS",
    "PRESETS",
    "Alteration",
    "GeneratedPair",
    "Given",
    "Rename",
    "Shape",
    "Suite",
    "counts",
    "generate",
    "generate_suite",
    "preset",
    "read_given",
    "read_suite",
]
