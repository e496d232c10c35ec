"""What follows from two ontologies and an alignment."""
