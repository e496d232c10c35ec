"""The results folder: filled aside, put in place whole, read back, made into tables and figures of a paper."""
