"""`rank`, `demo`, `match`, `join`: metrics on pairs of ontologies, tasks, and lists of strings."""
