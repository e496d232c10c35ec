"""Definitions of the string metrics, slow and obvious: one module for each kind, with its facts."""
