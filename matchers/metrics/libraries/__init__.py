"""Metrics of other libraries and of the user's own."""
