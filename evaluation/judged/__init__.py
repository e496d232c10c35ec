"""Evaluation without a reference: questions, judgements, and what follows from them."""
