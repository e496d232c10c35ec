"""Corrections for multiple comparisons: adjusted p-values that control the family-wise error."""

from .adjustment import CORRECTIONS, Adjusted, Correction, adjust, corrections_for

__all__ = ["CORRECTIONS", "Adjusted", "Correction", "adjust", "corrections_for"]
