"""One module per metric: the plain definition of its forms, and its facts."""
