"""Which columns of a file hold the entities, the relation and the confidence."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from alignrank.common.errors import Argument, Words
from alignrank.common.names import MutableTexts, grouped, refuse_unknown
from alignrank.ontologies.alignment import (
    JUSTIFICATION,
    MATCH_STRING,
    OBJECT_LABEL,
    SUBJECT_LABEL,
    Extra,
)
from alignrank.ontologies.ontology import local_name

#: The roles that a user can give to columns, and what a correspondence calls them.
ROLES = {
    "subject": "entity1",
    "object": "entity2",
    "relation": "relation",
    "confidence": "confidence",
}
#: Words for the two sides, and for what stands there: sourceIRI, mapped_class, id of target, Source
#: Term ID.
_SIDES = {
    "entity1": ("source", "src", "subject", "left", "ltable"),
    "entity2": ("target", "tgt", "object", "right", "mapped", "rtable"),
}
_NAMES = ("iri", "uri", "url", "id", "curie", "code")
_NOUNS = ("class", "concept", "term")
_THINGS = ("entity", *_NAMES, *_NOUNS)
_NAMED = [noun + name for name in _NAMES for noun in ("entity", *_NOUNS)]


def _names(role: str) -> tuple[str, ...]:
    """Return the names of a column of entities, as `folded`; the first that a file has is taken."""
    number = role[-1]
    composed = (
        name
        # beside "Source Term ID", a column "Source Term" holds labels
        for thing in (*_NAMED, *_THINGS)
        for side in _SIDES[role]
        for name in (side + thing, thing + side)
    )
    numbered = (
        *(f"{noun}{number}{name}" for name in _NAMES for noun in ("entity", *_NOUNS)),
        *(f"{thing}{number}" for thing in (*_NAMED, *_THINGS)),
    )
    return (role, *composed, *_SIDES[role], *numbered)


_COLUMNS = {
    **{role: _names(role) for role in _SIDES},
    "relation": ("relation", "relationship", "relationtype", "predicate", "predicateid"),
}
#: Names of the confidence, as `folded`; the first that a file has is taken.
_CONFIDENCES = ("confidence", "confidence/similarity", "measure")
#: Names of scores, which are confidences where they lie in [0, 1]; the first such is taken.
_SCORES = (
    *("confidencescore", "confidencevalue", "confidencelevel", "probability"),
    *("normalizedscore", "normalisedscore", "score"),
    *("matchscore", "matchingscore", "mappingscore", "alignmentscore"),
    *("similarity", "similarityscore", "similarityvalue", "similaritymeasure"),
    *("semanticsimilarity", "cosinesimilarity", "cosine"),
)
#: Columns that mean the same in every format, with the names under which
#: `Correspondence.extra` holds them; in the order in which they are written.
LABELS = {
    local_name(key): key for key in (SUBJECT_LABEL, OBJECT_LABEL, MATCH_STRING, JUSTIFICATION)
}
#: So far above 1 rounding takes a similarity in single precision.
_ROUNDING = 1e-6


def folded(title: str) -> str:
    """Return a column's name in lower case without blanks, hyphens and underscores.

    Examples
    --------
    >>> folded("Confidence-Score"), folded("normalized_score ")
    ('confidencescore', 'normalizedscore')
    """
    return re.sub(r"[\s_-]+", "", title.lower())


def titles_of(extras: Iterable[Extra]) -> MutableTexts:
    """Return the column of everything that is said beyond correspondences, by its name.

    Examples
    --------
    >>> titles_of([((SUBJECT_LABEL, "x"), ("by", "me"))])
    {'https://w3id.org/sssom/subject_label': 'subject_label', 'by': 'by'}
    """
    keys = {key for extra in extras for key, _ in extra}
    labels = {key: title for title, key in LABELS.items() if key in keys and title not in keys}
    return labels | {key: key for key in sorted(keys - labels.keys())}


def is_entity_column(title: str) -> bool:
    """Return whether a column's name says that it holds source entities.

    Examples
    --------
    >>> [is_entity_column(title) for title in ("sourceIRI", "SrcEntity", "source_label")]
    [True, True, False]
    """
    return folded(title) in _COLUMNS["entity1"]


def columns_by_role(titles: Sequence[str], chosen: Mapping[str, str]) -> MutableTexts:
    """Return the title of the column in each role.

    Parameters
    ----------
    titles
        Of all columns.
    chosen
        Titles that the user has chosen, by their roles (`ROLES`); the others are known by name.

    Raises
    ------
    ValueError
        If a role is unknown, a chosen column does not exist, or is chosen twice.

    Examples
    --------
    >>> columns_by_role(["mappedIRI", "sourceIRI", "p"], {"confidence": "p"})
    {'entity1': 'sourceIRI', 'entity2': 'mappedIRI', 'confidence': 'p'}
    """
    there_are = f"the columns are {', '.join(titles)}"
    columns = {}
    for role, names in _COLUMNS.items():
        by_name = {folded(title): title for title in reversed(titles)}
        titles_of_role = [by_name[name] for name in names if name in by_name]
        if titles_of_role:
            columns[role] = titles_of_role[0]
    for role, title in chosen.items():
        refuse_unknown("columns", role, ROLES, ValueError)
        if list(chosen.values()).count(title) > 1:
            raise ValueError(
                f"{Argument('columns', Words(role))}: {title!r} is named twice; {there_are}"
            )
        if titles.count(title) != 1:
            fault = "is the name of several columns" if title in titles else "is no column"
            raise ValueError(f"{Argument('columns', Words(role))}: {title!r} {fault}; {there_are}")
        columns[ROLES[role]] = title
    return columns


def confidence_column(columns: Mapping[str, Sequence[str]]) -> str | None:
    """Return the name of the column that holds the confidences, None where there is none.

    A column that is called the confidence is; a score is where it has no number above 1 and not
    all are negative: ranks, counts, percentages and logarithms are none.

    Parameters
    ----------
    columns
        What is filled in of each column, by its name.

    Examples
    --------
    >>> confidence_column({"Score": ["4.0", "3.0"], "NormalizedScore": ["1.0", "0.75"]})
    'NormalizedScore'
    """
    titles = {folded(title): title for title in columns}
    for name in _CONFIDENCES:
        if name in titles:
            return titles[name]
    for name in _SCORES:
        texts = columns[titles[name]] if name in titles else ()
        if texts and not _is_off_scale(texts):
            return titles[name]
    return None


#: What a column of labels says of a pair: that it is right, or not.
_VERDICTS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def verdict(text: str) -> bool | None:
    """Return whether a label says that a pair is right; None where it is no label.

    Examples
    --------
    >>> [verdict(text) for text in ("True", "0.0", "0.5")]
    [True, False, None]
    """
    return _VERDICTS.get(re.sub(r"(?<=^[01])[.,]0*$", "", text.casefold()))


def are_labels(texts: Sequence[str]) -> bool:
    """Return whether all texts are labels: 0 and 1, or true and false, and both occur.

    Examples
    --------
    >>> are_labels(["1", "0"]), are_labels(["1", "1"]), are_labels(["1", "0.5", "0"])
    (True, False, False)
    """
    distinct = set(texts)
    if any(verdict(text) is None for text in distinct):
        return False
    return len(set(map(verdict, distinct))) == 2


def label_questions(columns: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a sentence on each column that nothing says to hold labels, though it seems so."""
    for title, texts in columns.items():
        if title not in LABELS and are_labels(texts):
            yield (
                f"column {title!r} says 0 or 1 of each pair: is it a label? Then choose it "
                f"({Argument('columns', Words(f'confidence={title}'))}), and pairs with 0 are "
                "negated"
            )


def _is_off_scale(texts: Sequence[str]) -> bool:
    # what is no number is refused with its line when it is read
    numbers = [number for number in map(as_number, map(with_point, texts)) if math.isfinite(number)]
    return any(number > 1 + _ROUNDING for number in numbers) or (bool(numbers) and max(numbers) < 0)


def with_point(text: str) -> str:
    """Return the number of a table with a decimal point, where it is written with a comma.

    Examples
    --------
    >>> with_point("0,95"), with_point("1,234.5")
    ('0.95', '1,234.5')
    """
    if text.count(",") == 1 and "." not in text:
        return text.replace(",", ".")
    return text


def as_number(text: str) -> float:
    """Return the number that a text is, NaN where it is none."""
    try:
        # Python alone would read 1_0 as ten
        return float(text.replace("_", "?"))
    except ValueError:
        return math.nan


def unread_scores(extras: Iterable[Extra]) -> Iterator[str]:
    """Yield a sentence on everything that may be the confidence, but is not read as such."""
    for key, texts in sorted(grouped(chain.from_iterable(extras)).items()):
        title = local_name(key) if "://" in key else key
        numbers = [as_number(with_point(text)) for text in texts]
        if not all(map(math.isfinite, numbers)):
            continue
        if _is_off_scale(texts):
            if folded(title) in _SCORES:
                yield (
                    f"{title!r} is not read as the confidence: it holds numbers outside [0, 1], "
                    f"such as {max(numbers, key=abs):g}: scale them to [0, 1]"
                )
        elif min(numbers) >= 0 and set(numbers) not in ({0.0}, {1.0}):
            yield (
                f"{title!r} holds numbers in [0, 1], but is not read as the confidence: "
                f"if it is, choose it ({Argument('columns')})"
            )
