"""Corrections for multiple comparisons: adjusted p-values that control the family-wise error."""

from .adjustment import Adjusted, adjust, reject
from .facts import CORRECTIONS, Correction

__all__ = ["CORRECTIONS", "Adjusted", "Correction", "adjust", "reject"]
