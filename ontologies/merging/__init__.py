"""Merges two ontologies and an alignment: all axioms of both, and an axiom per correspondence."""
