"""How large a difference is, how sure a value is (bootstrap, Wilson), what a study can detect."""
