"""Strings as arrays: codes, slices, common blocks, the last division."""
