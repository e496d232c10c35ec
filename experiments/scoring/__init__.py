"""`score`, `average`, `mapping`, `retrieve`, `concepts`: every measure of systems."""
