"""The command line: each command reads its options, and calls one function that does it."""

from __future__ import annotations

from .main import app, main

__all__ = ["app", "main"]
