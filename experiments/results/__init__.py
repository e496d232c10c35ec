"""A run's results folder: filled aside, handed over in one step, whole, and read back."""
