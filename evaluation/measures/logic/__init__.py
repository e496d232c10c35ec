"""Entailments of two ontologies and an alignment: coherence, semantic precision and recall."""
