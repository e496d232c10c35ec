"""Only pairs at or above a threshold: bounds, signatures of labels, and the search."""
