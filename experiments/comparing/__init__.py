"""`compare` and `study`: systems by their files or scores."""
