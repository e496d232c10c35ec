"""Sentences, columns and tables of a result, made once for every layout."""
