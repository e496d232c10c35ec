"""Strings as arrays: their codes, the blocks that two share, ratios of what was counted."""
