"""Label preparation: named presets, applied to every name before it is compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from ontologies.common.names import Registry

from .errors import MatcherError


def _underscore(label: str) -> str:
    return label.lower().replace("_", " ")


def _words(label: str) -> str:
    text = split_camel_case(unicodedata.normalize("NFKC", label))
    for separator in "_-\N{HYPHEN}":
        text = text.replace(separator, " ")
    return " ".join(text.lower().split())


#: Preset by name: what it does to a label.
PRESETS: Registry[Callable[[str], str]] = Registry(
    "label preset",
    {"raw": str, "lower": str.lower, "underscore": _underscore, "words": _words},
    MatcherError,
)


def prepare(label: str, preset: str) -> str:
    """Return a label as a preset prepares it.

    Parameters
    ----------
    label
        Any text.
    preset
        ``raw``: as it is. ``lower``: lower-cased and nothing else, as the McNemar paper did.
        ``underscore``: lower-cased, underscores to spaces. ``words``: Unicode NFKC, camelCase
        split, underscores and hyphens to spaces, lower-cased, white space collapsed.

    Raises
    ------
    MatcherError
        If the preset is unknown.

    Examples
    --------
    >>> [prepare("Straße_hasPart-Of", p) for p in PRESETS]
    ['Straße_hasPart-Of', 'straße_haspart-of', 'straße haspart-of', 'straße has part of']
    """
    return PRESETS.lookup(preset)(label)


#: What every capital inside a word looks like, and little else.
_INNER_CAPITAL = re.compile("[^ _][^ _a-z0-9]")


def split_camel_case(text: str) -> str:
    """Return `text` with a space before each capital that begins a word inside it.

    A capital begins a word after a small letter, and where a small letter follows it, after a
    capital or a digit as well.

    Examples
    --------
    >>> split_camel_case("hasHTTPServer"), split_camel_case("T8Vertebra of L5A")
    ('has HTTP Server', 'T8 Vertebra of L5A')
    """
    if not _INNER_CAPITAL.search(text):  # most labels
        return text
    pieces = []
    for i, c in enumerate(text):
        before, after = text[i - 1 : i], text[i + 1 : i + 2]
        if c.isupper() and (
            before.islower() or (after.islower() and (before.isupper() or before.isdigit()))
        ):
            pieces.append(" ")
        pieces.append(c)
    return "".join(pieces)
