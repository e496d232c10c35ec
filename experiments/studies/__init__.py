"""Questions of our own, answered once for the docs (not for a user's data)."""
