"""Evidence beyond two strings: metrics that compare entities, or whole ontologies."""
