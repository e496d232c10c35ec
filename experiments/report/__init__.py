"""Layouts of results: screen, page, paper, files and figures."""
