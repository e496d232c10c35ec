"""Near misses and distances in a hierarchy."""
