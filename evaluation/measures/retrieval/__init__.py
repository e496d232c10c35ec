"""Ranked candidates, and choices that may be nothing; queries with their right candidates."""
