"""The command line, the papers' experiments, the reports."""
