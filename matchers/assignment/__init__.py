"""One-to-one pairs of a matrix or of edges, with proof of the optimum; the pairs of all optima."""
