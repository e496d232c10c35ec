"""How large a difference is, how sure a value is, what could have been detected."""
