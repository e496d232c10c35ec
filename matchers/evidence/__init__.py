"""Evidence beyond two strings: metrics that see entities, or both ontologies at once."""
