"""Compiled search for the best pairs: prices, augmenting paths, the Hungarian method."""
