"""A batch goes on past what fails, and tells of all failures at its end."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from evaluation.errors import EvaluationError
from experiments.errors import ExperimentError
from matchers.errors import MatcherError
from ontologies.common.names import count, visible
from ontologies.errors import OntologyError


class Batch:
    """The parts of a batch that failed.

    Attributes
    ----------
    failures
        Why each failed part did, by its name.

    Examples
    --------
    >>> batch = Batch()
    >>> with batch.part("mine"):
    ...     raise ExperimentError("mine.owl is empty")
    >>> batch.failures
    {'mine': 'mine.owl is empty'}
    """

    def __init__(self) -> None:
        self.failures: dict[str, str] = {}

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Do a part; what its reader can mend is noted, and the batch goes on."""
        try:
            yield
        except (OntologyError, MatcherError, EvaluationError, ExperimentError, OSError) as error:
            self.failures[name] = " ".join(str(error).split())

    def tell(self, what: str) -> int:
        """Print all failures; return the exit code, 1 if there are any.

        Parameters
        ----------
        what
            What the parts are: ``task``.
        """
        if not self.failures:
            return 0
        lines = [f"{name}: {why}" for name, why in self.failures.items()]
        heading = f"alignrank: {count(len(lines), what)} failed:"
        print("\n  ".join(map(visible, [heading, *lines])), file=sys.stderr)
        return 1
