"""Match ontologies with string metrics, and compare matching systems with sound statistics.

    import alignrank as ar

The functions are those of the command line (``python -m alignrank``): `match`, `join`, `rank`,
`sample`, `compare` and `study`. They are imported when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alignrank.functions import Result, compare, join, load, match, rank, sample, study
    from alignrank.ontologies import (
        Alignment,
        Correspondence,
        Ontology,
        read_alignment,
        write_alignment,
    )

__all__ = [
    "Alignment",
    "Correspondence",
    "Ontology",
    "Result",
    "compare",
    "join",
    "load",
    "match",
    "rank",
    "read_alignment",
    "sample",
    "study",
    "write_alignment",
]
__version__: str


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: most commands need none of them."""
    if name == "__version__":
        return str(import_module("importlib.metadata").version("alignrank"))
    if name not in __all__:
        raise AttributeError(f"module 'alignrank' has no attribute {name!r}")
    functions = import_module("alignrank.functions")
    ontologies = import_module("alignrank.ontologies")
    return getattr(functions if hasattr(functions, name) else ontologies, name)


def __dir__() -> list[str]:
    """Return the public names, as the Tab key shows them."""
    return [*__all__, "__doc__", "__version__"]
