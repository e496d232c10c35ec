"""Corrections for multiple comparisons, by name: adjusted p-values, and their attainable level."""
