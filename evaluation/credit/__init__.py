"""What each correspondence earns, and the values that follow: the ground of every measure."""
