"""The metrics again, compiled: one kernel for each design of metric, equal to it in every bit.

`alignrank.matchers.kernels.families.rows` is the way in. Nothing is compiled, and numba is not
imported, before a matrix is asked for; what is compiled is kept on disk for the next process.
"""
