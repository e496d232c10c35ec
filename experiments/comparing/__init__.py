"""`compare`, `study`, `gate`, `place`, `plan`: systems by their files or scores."""
