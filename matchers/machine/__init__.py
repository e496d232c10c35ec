"""What the computer allows: memory, compiling."""
