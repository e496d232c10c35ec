"""Synthetic ontology pairs: altered on purpose, so that what corresponds is known."""

from .pair import GeneratedPair, counts, generate, generate_suite
from .presets import PRESETS, preset
from .spec import METHODS, Alteration, Rename, Shape, Suite, read_suite

__all__ = [
    "METHODS",
    "PRESETS",
    "Alteration",
    "GeneratedPair",
    "Rename",
    "Shape",
    "Suite",
    "counts",
    "generate",
    "generate_suite",
    "preset",
    "read_suite",
]
