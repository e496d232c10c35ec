"""Experiments of papers as scripts of 20 to 40 lines: read, run, copy, change."""
