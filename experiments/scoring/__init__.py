"""`score`: every measure of systems; averages, mappings, ranked candidates, concepts."""
