"""Tests on one task: of two systems (McNemar, by clusters, randomisation), of all (Cochran's Q)."""
