"""A look at ontologies, mappings, results and data; files checked, converted and merged."""
