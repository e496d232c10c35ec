"""From a matrix to one-to-one pairs, with proof of the optimum, and what all optima share."""
