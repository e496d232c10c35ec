"""Errors that the user of ontologies, alignments, metrics and answers can mend."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike


class Words(str):
    """A value that a message names without quotation marks."""


#: Of a file of items where an ontology or an alignment is asked for.
ITEMS_ARE_READ_BY = "rankings and answers are read by `score --kind mapping` and `compare`"


@dataclass(frozen=True)
class Argument:
    """An argument that a message names; as text it is spelled as its reader writes it.

    Parameters
    ----------
    name
        The argument's name in Python.
    value
        What is, or should be, given; ``...`` if the message leaves it open.

    Examples
    --------
    >>> print(f"leave the tasks out ({Argument('on_mismatch', 'drop')})")
    leave the tasks out (on_mismatch="drop")
    >>> print(f"name a folder ({Argument('imports')})")
    name a folder (imports=...)
    """

    name: str
    value: object = ...

    def __str__(self) -> str:
        return _spellings[-1](self.name, self.value)


class Message(str):
    """A sentence that is kept, as cautions are, with its arguments as data.

    It equals, and is stored as, the text for Python; printed, it is spelled for its reader.

    Examples
    --------
    >>> message = Message("name a folder (", Argument("imports"), ")")
    >>> with spelled(lambda name, value: f"--{name}"):
    ...     str(message), message == "name a folder (imports=...)"
    ('name a folder (--imports)', True)
    """

    parts: tuple[str | Argument, ...]

    def __new__(cls, *parts: str | Argument) -> Message:
        """Return the sentence that texts and arguments make together."""
        texts = (p if isinstance(p, str) else as_python(p.name, p.value) for p in parts)
        message = super().__new__(cls, "".join(texts))
        message.parts = parts
        return message

    def __str__(self) -> str:
        return "".join(map(str, self.parts))

    def __format__(self, form: str) -> str:
        return format(str(self), form)


#: Returns an argument's text from its name and value.
Spelling = Callable[[str, object], str]


def as_python(name: str, value: object) -> str:
    """Return an argument as Python code has it."""
    if value is ...:
        return f"{name}=..."
    if isinstance(value, str | PathLike) and not isinstance(value, Words):
        return f'{name}="{value}"'
    if isinstance(value, list):
        items = ", ".join(f'"{item}"' for item in value)
        return f"{name}=[{items}]"
    return f"{name}={value}"


_spellings: list[Spelling] = [as_python]


@contextmanager
def spelled(spelling: Spelling) -> Iterator[None]:
    """Spell the arguments of messages in another way, as the command line does.

    Examples
    --------
    >>> with spelled(lambda name, value: f"--{name}"):
    ...     str(Argument("imports"))
    '--imports'
    """
    _spellings.append(spelling)
    try:
        yield
    finally:
        _spellings.pop()


def current_spelling() -> Spelling:
    """Return how arguments are spelled now, for tasks that another process does."""
    return _spellings[-1]


class OntologyError(ValueError):
    """Base class: an ontology, alignment or task that cannot be used as it is.

    The message is one sentence: what is wrong, where (file and line, or the argument's name),
    and what to do.
    """


class LoadingError(OntologyError):
    """An ontology file that cannot be read."""


class AlignmentError(OntologyError):
    """An alignment file or correspondence that cannot be read, written or built."""


class MergingError(OntologyError):
    """Ontologies that cannot be merged, or not written as was asked."""


class MatcherError(ValueError):
    """An unknown metric, preset or option, or input that cannot be matched."""


class EvaluationError(ValueError):
    """Input that cannot be evaluated: a bad count, p-value, score table or alignment."""


class RecordError(ValueError):
    """A stored result that cannot be read back."""
