"""Matching: labels to similarities, similarities to pairs, pairs to an alignment."""

from __future__ import annotations

from .assignment import Assignment, assign
from .errors import MatcherError
from .labels import PRESETS
from .metrics.base import Metric
from .registry import ONTOSIM, STANDARD, get_metric, metrics_table, select_metrics
from .shiva import Candidates, Matching, Settings, match, prepare
from .similarity import similarity_matrix

__all__ = [
    "ONTOSIM",
    "PRESETS",
    "STANDARD",
    "Assignment",
    "Candidates",
    "MatcherError",
    "Matching",
    "Metric",
    "Settings",
    "assign",
    "get_metric",
    "match",
    "metrics_table",
    "prepare",
    "select_metrics",
    "similarity_matrix",
]
