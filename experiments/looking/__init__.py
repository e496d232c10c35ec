"""What is there, and why: look at ontologies and data, check, convert and make files."""
