"""Every measure by its name: a function of alignment, reference and context."""
