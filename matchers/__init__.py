"""matchers."""
