"""What is run: the command line, the papers' experiments, the reports."""
