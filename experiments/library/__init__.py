"""Experiments as files: how one is read, run and summed up; and those that are shipped."""
