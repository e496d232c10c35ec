"""The command line: each command reads its arguments, calls an experiment, prints what came out."""

from __future__ import annotations

from .app import app
from .main import main

__all__ = ["app", "main"]
