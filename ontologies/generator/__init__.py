"""Synthetic ontology pairs: altered on purpose, with a known reference alignment."""

from .generate import GeneratedPair, counts, generate, generate_suite
from .seed import UserOntology, read_user_ontology
from .spec import METHODS, PRESETS, Alteration, Rename, Shape, Suite, preset, read_suite
