"""Tables and formulas of numpydoc docstrings, as Markdown can show them.

Docstrings are reStructuredText where it matters to Python's help: a table between lines of ``===``
and ``.. math::``. Markdown knows neither, so both become code blocks, as they stand.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

_TABLE = re.compile(
    r"^( *)(=+(?: +=+)+) *\n(?:.*\n)*?\1=+(?: +=+)+ *\n(?:(?:.*\n)*?\1=+(?: +=+)+ *$)?", re.M
)
_MATH = re.compile(r"^( *)\.\. math:: *(.*(?:\n\1 +.+)*)", re.M)


def fenced(text: str) -> str:
    """Return the text with its tables and formulas inside code fences."""

    def fence(match: re.Match[str], body: str, language: str) -> str:
        margin = match[1]
        return f"{margin}```{language}\n{body.rstrip()}\n{margin}```"

    text = _TABLE.sub(lambda m: fence(m, m[0], "text"), text)
    return _MATH.sub(lambda m: fence(m, m[1] + m[2], "latex"), text)


class NumpydocTables(griffe.Extension):
    """Rewrites docstrings as they are collected."""

    def on_instance(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Rewrite the docstring of a module, class or function."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)
