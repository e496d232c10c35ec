"""Sizes of differences, intervals of values (bootstrap, Wilson), detectable differences."""
