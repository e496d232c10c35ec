"""`score`: every measure of systems; mappings, ranked candidates, concepts."""
