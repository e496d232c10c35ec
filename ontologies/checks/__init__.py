"""What is wrong with an alignment or a pair of ontologies, and what can safely be mended."""
