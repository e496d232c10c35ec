"""What a measure says of an alignment: each correspondence earns credit, values follow from it."""
