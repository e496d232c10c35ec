"""Only pairs at or above a threshold: bounds, signatures, a shortlist, then the chosen pairs."""
