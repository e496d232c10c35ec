"""One-to-one pairs of a matrix or of edges, with proof of the optimum, and what optima share."""
