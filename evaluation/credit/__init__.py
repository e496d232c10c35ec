"""The evaluation of an alignment: correspondences earn credit, and values follow from it."""
