"""Near misses: relaxed precision and recall, BDM and learning accuracy, along a hierarchy."""
