"""Judging without a reference: questions, the page that asks them, and what the answers say."""
