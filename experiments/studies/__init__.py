"""Studies: questions of our own, answered once for the docs; they read no data of a user."""
