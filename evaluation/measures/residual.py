"""What string equality finds by itself, and how an alignment does beyond it: recall+, residual."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from evaluation.credit.counts import judged
from evaluation.credit.credits import Credits, standard
from evaluation.errors import EvaluationError
from ontologies.alignment import Alignment, Correspondence
from ontologies.common.names import Registry
from ontologies.ontology import Entity, Ontology


@dataclass(frozen=True)
class Normalisation:
    """When two names are trivially the same.

    Parameters
    ----------
    name
        What outputs call it.
    summary
        One line that says what it does.
    normalise
        The form of a name that is compared; '' never matches.
    synonyms
        Whether synonyms are names, or labels only.
    """

    name: str
    summary: str
    normalise: Callable[[str], str]
    synonyms: bool = False


def _oaei_2016(name: str) -> str:
    return re.sub(r"[ _-]", "", name.lower())


def _words(name: str) -> str:
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    folded = unicodedata.normalize("NFKC", parts).casefold()
    return " ".join(re.findall(r"\w+", folded.replace("_", " ")))


#: Normalisations by name. The choice decides the figure: recall+ is always stated with it.
NORMALISATIONS = Registry(
    "normalisation",
    {
        "oaei-2016": Normalisation(
            "oaei-2016", "labels; lower case; underscores, spaces and hyphens deleted", _oaei_2016
        ),
        "wide": Normalisation(
            "wide",
            "labels and synonyms; Unicode case folding; words of camelCase and punctuation split",
            _words,
            synonyms=True,
        ),
    },
    EvaluationError,
)


def trivial_alignment(
    source: Ontology, target: Ontology, normalisation: str | Normalisation = "oaei-2016"
) -> Alignment:
    """Return the pairs of entities of one kind that share a normalised name.

    Parameters
    ----------
    source, target
        The two ontologies. An entity without labels is named by the last part of its IRI.
    normalisation
        A name of `NORMALISATIONS`, or one of your own.

    Raises
    ------
    EvaluationError
        If the normalisation is unknown.

    Examples
    --------
    >>> from ontologies.ontology import Kind
    >>> one = Ontology("", {"a#Bus_Stop": Entity("a#Bus_Stop", Kind.CLASS)})
    >>> two = Ontology("", {"b#busStop": Entity("b#busStop", Kind.CLASS)})
    >>> trivial_alignment(one, two).pairs
    frozenset({('a#Bus_Stop', 'b#busStop')})
    """
    if isinstance(normalisation, str):
        normalisation = NORMALISATIONS.lookup(normalisation)
    rule = normalisation

    def names(entity: Entity) -> set[str]:
        return {rule.normalise(n) for n in entity.names(synonyms=rule.synonyms)} - {""}

    index: dict[tuple[str, str], list[str]] = defaultdict(list)
    for entity in target:
        for name in names(entity):
            index[entity.kind, name].append(entity.iri)
    return Alignment(
        (
            Correspondence(entity.iri, other)
            for entity in source
            for name in names(entity)
            for other in index.get((entity.kind, name), ())
        ),
        name=f"string equality ({rule.name})",
    )


def residual(alignment: Alignment, reference: Alignment, baseline: Alignment) -> Credits:
    """Return the credits beyond a baseline: its recall is recall+ if the baseline is trivial.

    The pairs of the baseline leave the reference, and those of them that the reference holds leave
    the alignment; wrong ones stay and count against it.

    Parameters
    ----------
    alignment, reference
        The two to compare; pairs that the reference marks ``?`` leave both.
    baseline
        What is found without effort, for instance a `trivial_alignment`.

    Examples
    --------
    >>> def pairs(text):
    ...     return Alignment(Correspondence(*pair.split("=")) for pair in text.split())
    >>> residual(pairs("a=x c=z"), pairs("a=x b=y c=z"), pairs("a=x")).scores().recall
    0.5
    """
    kept = judged(alignment, reference)
    easy = baseline.pairs
    known = easy & kept.reference.pairs
    return standard(
        kept.alignment.where(lambda c: c.pair not in known),
        kept.reference.where(lambda c: c.pair not in easy),
    )
