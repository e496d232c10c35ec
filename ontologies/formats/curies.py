"""CURIEs: IRIs in short, by the prefixes that a file declares."""

from __future__ import annotations

import re
from collections.abc import Mapping

from alignrank.ontologies.vocabulary import (
    OBO,
    OWL,
    PREFERRED,
    RDF,
    RDFS,
    SKOS,
    SSSOM,
    preferred_namespace,
)

#: Prefixes that SSSOM lets every file use.
BUILT_IN = {
    "owl": OWL,
    "rdf": RDF,
    "rdfs": RDFS,
    "skos": SKOS,
    "semapv": "https://w3id.org/semapv/vocab/",
    "sssom": SSSOM,
}
_CURIE = re.compile(r"[\w.-]+:(?!//)")
_IRI_SCHEMES = {"http", "https", "urn", "file", "ftp", "mailto", "tag", "info", "doi"}
_NO_PREFIX = {"owl", "rdf", "www", "com", "org", "net", "ontology"}


class UnknownPrefix(ValueError):  # noqa: N818  # named by what is wrong
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
    >>> expand("3d-met:B1", {"3d-met": "http://e.org/"})
    'http://e.org/B1'
    """
    prefix, colon, name = text.partition(":")
    if not colon or name.startswith("//"):
        return text
    if prefix in prefixes:
        return prefixes[prefix] + name
    if _CURIE.match(text) and prefix.lower() not in _IRI_SCHEMES:
        raise UnknownPrefix(
            f"the prefix {prefix!r} of {text} is not in the curie_map: add it there, or to the "
            "file of metadata beside the table"
        )
    return text


class Prefixes:
    """CURIEs for IRIs: by declared prefixes, else by those that people write, else by new ones.

    A new prefix is its namespace's last word. It is numbered where it is taken.

    Parameters
    ----------
    declared
        Namespace by prefix.

    Examples
    --------
    >>> prefixes = Prefixes({"HP": "http://e.org/HP_"})
    >>> prefixes.curie("http://e.org/HP_1")
    'HP:1'
    >>> prefixes.curie("http://mouse.owl#MA_1"), prefixes.curie("http://e.org/mouse/1")
    ('mouse:MA_1', 'mouse2:1')
    """

    def __init__(self, declared: Mapping[str, str] | None = None) -> None:
        own = dict(declared or {})
        # two prefixes of a namespace are an error for SSSOM's tools; justifications need semapv
        built_in = {
            p: n for p, n in BUILT_IN.items() if n not in own.values() or p in (*own, "semapv")
        }
        #: Namespace by prefix.
        self.namespaces = built_in | own
        self._by_namespace: dict[str, str] = {}
        for prefix, namespace in self.namespaces.items():
            self._by_namespace.setdefault(namespace, prefix)
        # the longest namespace of an IRI is its own
        self._sizes = sorted(set(map(len, self._by_namespace)), reverse=True)

        #: What stands before the name in the CURIEs of a namespace; '' where that depends on the
        #: name, because a longer namespace is declared.
        self._stems: dict[str, str] = {}

    def curie(self, iri: str) -> str:
        """Return the CURIE of `iri`, or `iri` itself where it has no namespace."""
        hash_mark = iri.rfind("#")
        slash = iri.rfind("/")
        cut = (hash_mark if hash_mark > slash else slash) + 1  # max() takes twice as long
        if iri.startswith(OBO):
            # of an OBO name, its prefix belongs to the namespace
            cut = iri.find("_", cut) + 1 or cut
        namespace = iri[:cut]
        name = iri[cut:]
        stem = self._stems.get(namespace)
        if stem and name:
            return stem + name
        curie = self._new_curie(iri)
        if stem is None and name:
            longer = (
                len(declared) > cut and declared.startswith(namespace)
                for declared in (*self.namespaces.values(), *PREFERRED)
            )
            self._stems[namespace] = "" if any(longer) else curie.removesuffix(name)
        return curie

    def _new_curie(self, iri: str) -> str:
        """Return the CURIE of `iri`, whose namespace may get a prefix."""
        for size in self._sizes:
            prefix = self._by_namespace.get(iri[:size])
            name = iri[size:]
            if prefix is not None and name and not name.startswith("//"):
                return f"{prefix}:{name}"
        namespace, preferred = preferred_namespace(iri)
        if not preferred:
            namespace = iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]
        name = iri[len(namespace) :]
        if "://" not in namespace or namespace.endswith("://") or not name:
            return iri
        prefix = self._by_namespace.get(namespace)
        if prefix is None:
            prefix = self._new(namespace, preferred)
            self._stems.clear()
            self._by_namespace[namespace] = prefix
            self.namespaces[prefix] = namespace
        return f"{prefix}:{name}"

    def _new(self, namespace: str, preferred: str) -> str:
        words: list[str] = re.findall(r"[A-Za-z][\w-]*", namespace.partition("://")[2])
        words = [w for w in words if w.lower() not in _NO_PREFIX] or ["ns"]
        word = preferred or words[-1]
        candidate = word
        number = 1
        while candidate in self.namespaces or candidate in _IRI_SCHEMES:
            number += 1
            candidate = f"{word}{number}"
        return candidate
