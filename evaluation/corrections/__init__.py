"""Corrections for multiple comparisons, by name: adjusted p-values, and what these could reach."""
