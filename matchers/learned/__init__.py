"""The default matcher: names and neighbours in, a probability for each likely pair out."""
