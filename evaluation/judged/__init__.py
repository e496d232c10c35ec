"""Evaluation without a reference: the pool of proposed pairs, its questions and their answers."""
