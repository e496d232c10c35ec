"""How the field's files write relations, and what they mean here."""

from __future__ import annotations

import html
import re

# Names are compared in lower case and without namespace, package and the ending "Relation", so
# that one line covers skos:exactMatch, its full IRI and Java's class names.
_MEANING = {
    "=": "=",
    "equivalence": "=",
    "equivalent": "=",
    "equiv": "=",
    "classmapping": "=",
    "equivalentclass": "=",
    "equivalentproperty": "=",
    "sameas": "=",
    "exactmatch": "=",
    "<": "<",
    "subsumedby": "<",
    "subsumed": "<",
    "subclassof": "<",
    "subpropertyof": "<",
    "subclass": "<",
    "broadmatch": "<",
    ">": ">",
    "subsumes": ">",
    "subsume": ">",
    "superclass": ">",
    "narrowmatch": ">",
    "%": "%",
    "><": "%",
    "disjointfrom": "%",
    "disjoint": "%",
    "disjointwith": "%",
    "incompat": "%",
    "instanceof": "InstanceOf",
    "type": "InstanceOf",
    "hasinstance": "HasInstance",
    "?": "?",
}
_LAST_PART = re.compile(r"[^.#/:]+\Z")


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
        One of `ontologies.alignment.RELATIONS`.

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
