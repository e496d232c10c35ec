"""From names to a matrix of similarities, whole or in tiles; the names, checked and packed."""
