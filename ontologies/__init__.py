"""ontologies."""
