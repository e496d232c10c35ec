"""Synthetic ontology pairs: altered on purpose, so that what corresponds is known."""

from .generate import GeneratedPair, counts, generate, generate_suite
from .given import Given, read_given
from .presets import PRESETS, preset
from .spec import METHODS, Alteration, Rename, Shape, Suite, read_suite

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
