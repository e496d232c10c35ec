"""Match ontologies with string metrics, and compare matching systems with sound statistics.

    import alignrank as ar

The functions are those of the command line (``python -m alignrank``), with the same names and
defaults of their arguments. They are imported when they are first used.
"""

# jedi looks into all folders that .ci/editor.py names, since it reads "extend_path(__path__" here
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alignrank.commands import check, convert, gate, place, plan, score
    from alignrank.common.executor import using
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
    "check",
    "compare",
    "convert",
    "gate",
    "join",
    "load",
    "match",
    "place",
    "plan",
    "rank",
    "read_alignment",
    "sample",
    "score",
    "study",
    "using",
    "write_alignment",
]
#: What `alignrank.commands` defines; the other functions stand in `alignrank.functions`.
_COMMANDS = ("check", "convert", "gate", "place", "plan", "score")
__version__: str


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: most commands need none of them."""
    if name == "__version__":
        return str(import_module("importlib.metadata").version("alignrank"))
    if name not in __all__:
        raise AttributeError(f"module 'alignrank' has no attribute {name!r}")
    if name in _COMMANDS:
        return getattr(import_module("alignrank.commands"), name)
    functions = import_module("alignrank.functions")
    ontologies = import_module("alignrank.ontologies")
    return getattr(functions if hasattr(functions, name) else ontologies, name)


def __dir__() -> list[str]:
    """Return the public names, as the Tab key shows them."""
    return [*__all__, "__doc__", "__version__"]
