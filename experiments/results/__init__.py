"""The results folder: filled aside, put in place whole, read back; tables, figures of a paper."""
