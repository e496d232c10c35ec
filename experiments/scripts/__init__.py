"""The questions of a paper as scripts of some twenty lines: open, copy, change, run."""
