"""One typed result, and its folder: filled aside, put in place whole, read back."""
