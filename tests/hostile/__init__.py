"""Hostile files for every reader: made by small grammars, mutated, and read within limits."""
