"""`score` and `sample`: every measure of systems, gold standards, questions for a judge."""
