"""What a check found, in sentences and as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ontologies.common.frames import Frame, frame

_EXAMPLES = 3


class Severity(StrEnum):
    """Whether a finding spoils results, or is only worth knowing."""

    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Finding:
    """One thing found.

    Parameters
    ----------
    code
        What kind of thing, in a few words joined by hyphens; stable.
    severity
        A warning spoils results; a note does not.
    where
        What it was found in: a file, or an argument's name.
    count
        How many cells or entities it concerns.
    message
        A sentence: what is so, and what to do.
    examples
        Some of the entities or values.
    """

    code: str
    severity: Severity
    where: str
    count: int
    message: str
    examples: tuple[str, ...] = ()

    def __str__(self) -> str:
        such = f" (such as {', '.join(self.examples)})" if self.examples else ""
        return f"{self.severity}: {self.where}: {self.message}{such}"


def warning(
    code: str, where: str, count: int, message: str, examples: Iterable[str] = ()
) -> Finding:
    """Return a warning with the first few examples."""
    return Finding(code, Severity.WARNING, where, count, message, _few(examples))


def note(code: str, where: str, count: int, message: str, examples: Iterable[str] = ()) -> Finding:
    """Return a note with the first few examples."""
    return Finding(code, Severity.NOTE, where, count, message, _few(examples))


def _few(examples: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(examples)[:_EXAMPLES])


def findings_frame(findings: Sequence[Finding]) -> Frame:
    """Return findings as a table, one row each."""
    columns = ["severity", "code", "where", "count", "message", "examples"]
    rows = [
        (str(f.severity), f.code, f.where, f.count, f.message, " ".join(f.examples))
        for f in findings
    ]
    return frame(rows, columns=columns)
