"""Search for the pairs at or above a threshold: bounds, signatures of labels, the search."""
