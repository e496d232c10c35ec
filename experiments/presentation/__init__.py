"""What is said of a result and the columns of its tables, made once for every layout."""
