"""Ranked candidates, and choices that may be nothing."""
