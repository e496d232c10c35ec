"""The definitions: one module for each kind of string metric, slow and obvious, with its facts."""
