"""What the computer allows: memory, threads, compiling."""
