"""corrections."""
