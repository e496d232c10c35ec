"""CURIEs: IRIs shortened by prefixes, and expanded again."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ontologies.vocabulary import OWL, RDF, RDFS, SKOS

BUILT_IN = {
    "owl": OWL,
    "rdf": RDF,
    "rdfs": RDFS,
    "skos": SKOS,
    "semapv": "https://w3id.org/semapv/vocab/",
    "sssom": "https://w3id.org/sssom/",
}
_CURIE = re.compile(r"([A-Za-z_][\w.-]*):(?!//)(.*)\Z", re.S)
_IRI_SCHEMES = {"http", "https", "urn", "file", "ftp", "mailto", "tag", "info", "doi"}
_NO_PREFIX = {"owl", "rdf", "www", "com", "org", "net", "ontology"}


class UnknownPrefix(ValueError):  # noqa: N818
    """A CURIE whose prefix nobody declared."""


def expand(text: str, prefixes: Mapping[str, str]) -> str:
    """Return the IRI of a CURIE; what is no CURIE is returned as it is.

    Raises
    ------
    UnknownPrefix
        If the prefix is in none of `prefixes`, and is no scheme of IRIs either.

    Examples
    --------
    >>> expand("skos:exactMatch", BUILT_IN), expand("urn:x:y", BUILT_IN)
    ('http://www.w3.org/2004/02/skos/core#exactMatch', 'urn:x:y')
    """
    curie = _CURIE.match(text)
    if curie is None:
        return text
    prefix, rest = curie.groups()
    if prefix in prefixes:
        return prefixes[prefix] + rest
    if prefix.lower() not in _IRI_SCHEMES:
        raise UnknownPrefix(f"the prefix {prefix!r} of {text} is not in the curie_map: add it")
    return text


class Prefixes:
    """CURIEs for IRIs: a namespace's prefix is its last word, numbered where it is taken.

    Examples
    --------
    >>> prefixes = Prefixes()
    >>> prefixes.curie("http://mouse.owl#MA_1"), prefixes.curie("http://e.org/mouse/1")
    ('mouse:MA_1', 'mouse2:1')
    """

    def __init__(self) -> None:
        self._by_namespace = {namespace: prefix for prefix, namespace in BUILT_IN.items()}

    def curie(self, iri: str) -> str:
        """Return the CURIE of `iri`, or `iri` itself where it has no namespace."""
        cut = max(iri.rfind("#"), iri.rfind("/")) + 1
        namespace, name = iri[:cut], iri[cut:]
        if "://" not in namespace or namespace.endswith("://") or not name:
            return iri
        prefix = self._by_namespace.get(namespace)
        if prefix is None:
            prefix = self._by_namespace[namespace] = self._new(namespace)
        return f"{prefix}:{name}"

    def _new(self, namespace: str) -> str:
        words: list[str] = re.findall(r"[A-Za-z][\w-]*", namespace.partition("://")[2])
        words = [w for w in words if w.lower() not in _NO_PREFIX] or ["ns"]
        taken = set(self._by_namespace.values()) | _IRI_SCHEMES
        candidate, number = words[-1], 1
        while candidate in taken:
            number += 1
            candidate = f"{words[-1]}{number}"
        return candidate

    def used(self) -> dict[str, str]:
        """Return namespace by prefix, sorted."""
        return {p: n for n, p in sorted(self._by_namespace.items(), key=lambda item: item[1])}
