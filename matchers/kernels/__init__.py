"""Compiled forms of the metrics. A kernel gives the same bits as the metric's definition.

`alignrank.matchers.kernels.families.rows` is the entry point. Importing this package is cheap:
numba is imported, and kernels are compiled, when a matrix is first computed. Compiled kernels stay
on disk for the next process.
"""
