"""What this project's docstrings mean, as mkdocstrings can show it.

Docstrings are reStructuredText where it matters to Python's help: a table between lines of ``===``
and ``.. math::``. Markdown knows neither, so both become code blocks, as they stand. Constants are
described by a comment that begins with ``#:``, which becomes their docstring.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

_RULE = r"=+(?: +=+)+"
_TABLE = re.compile(rf"^( *){_RULE} *\n(?:.*\n)*?\1{_RULE} *\n(?:(?:.*\n)*?\1{_RULE} *$)?", re.M)
_MATH = re.compile(r"^( *)\.\. math:: *(.*(?:\n\1 +.+)*)", re.M)


def fenced(text: str) -> str:
    """Return the text with its tables and formulas inside code fences."""

    def fence(match: re.Match[str], body: str, language: str) -> str:
        margin = match[1]
        return f"{margin}```{language}\n{body.rstrip()}\n{margin}```"

    text = _TABLE.sub(lambda m: fence(m, m[0], "text"), text)
    return _MATH.sub(lambda m: fence(m, m[1] + m[2], "latex"), text)


def comment_above(attribute: griffe.Attribute) -> str:
    """Return the comment of ``#:`` lines right above an attribute; empty if there is none."""
    file = attribute.filepath
    if attribute.lineno is None or isinstance(file, list):
        return ""
    above: list[str] = []
    for line in reversed(attribute.lines_collection[file][: attribute.lineno - 1]):
        if not line.startswith("#:"):
            break
        above.insert(0, line[2:].strip())
    return " ".join(above)


class Docstrings(griffe.Extension):
    """Rewrites docstrings as they are collected."""

    def on_instance(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Rewrite the docstring of a module, class or function."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)

    def on_attribute_instance(self, *, attr: griffe.Attribute, **kwargs: Any) -> None:
        """Give a constant its comment as docstring."""
        if not attr.docstring and (comment := comment_above(attr)):
            attr.docstring = griffe.Docstring(comment, parent=attr)
