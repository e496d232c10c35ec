"""Relations by the words and predicates that files use for them."""

from __future__ import annotations

import html
import re
from functools import lru_cache

from alignrank.ontologies.vocabulary import OWL, RDF, SKOS

#: The predicate that states each relation where a file names no other.
PREDICATES = {
    "=": f"{SKOS}exactMatch",
    "<": f"{SKOS}broadMatch",
    ">": f"{SKOS}narrowMatch",
    "%": f"{OWL}disjointWith",
    "InstanceOf": f"{RDF}type",
}
# Names are compared in lower case and without namespace, package and the ending "Relation", so
# that one word covers skos:exactMatch, its full IRI and Java's class names.
_NAMES = {
    "=": "equivalence equivalent equiv classmapping equivalentclass equivalentproperty sameas"
    " exactmatch",
    "<": "subsumedby subsumed subclassof subpropertyof subclass broadmatch",
    ">": "subsumes subsume superclass narrowmatch",
    "%": ">< disjointfrom disjoint disjointwith incompat",
    "InstanceOf": "instanceof type",
    "HasInstance": "hasinstance",
}
_MEANING = {name: relation for relation, names in _NAMES.items() for name in names.split()}
_MEANING |= {symbol: symbol for symbol in "=<>%?"}
_LAST_PART = re.compile(r"[^.#/:]+\Z")


@lru_cache(maxsize=1000)
def understood_relation(text: str) -> str | None:
    """Return the relation that `text` means, or None if it is not understood.

    Parameters
    ----------
    text
        A symbol (``=``, ``&lt;``), a word of the Alignment API, MELT or AML (``Equivalence``,
        ``fr.inrialpes.exmo.align.impl.rel.SubsumedRelation``), or an IRI or CURIE
        (``skos:exactMatch``).

    Returns
    -------
    str or None
        One of `alignrank.ontologies.alignment.RELATIONS`.

    Notes
    -----
    ``skos:narrowMatch`` says that entity2 is the narrower one, hence ``>``.

    Examples
    --------
    >>> [understood_relation(x) for x in ("&lt;", "skos:exactMatch", "SubsumedBy", "PartOf")]
    ['<', '=', '<', None]
    """
    # some writers escape twice, so that a second unescaping is due after the XML parser's
    text = html.unescape(text.strip())
    if text in _MEANING:
        return _MEANING[text]
    last = _LAST_PART.search(text)
    if last is None:
        return None
    return _MEANING.get(last.group().lower().removesuffix("relation"))
