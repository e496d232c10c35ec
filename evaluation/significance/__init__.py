"""Tests of two systems on one task."""
