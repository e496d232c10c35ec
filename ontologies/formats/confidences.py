"""Which column of a file is the confidence, and what to say where none is."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from alignrank.ontologies.alignment import Correspondence
from alignrank.ontologies.ontology import local_name

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


def _is_off_scale(texts: Sequence[str]) -> bool:
    # what is no number is refused with its line when it is read
    numbers = [number for number in map(as_number, texts) if math.isfinite(number)]
    return any(number > 1 + _ROUNDING for number in numbers) or (bool(numbers) and max(numbers) < 0)


def as_number(text: str) -> float:
    """Return the number that a text is, NaN where it is none."""
    try:
        # Python alone would read 1_0 as ten
        return float(text.replace("_", "?"))
    except ValueError:
        return math.nan


def unread_scores(correspondences: Iterable[Correspondence]) -> Iterator[str]:
    """Yield a sentence on everything that may be the confidence, but is not read as such."""
    texts_by_key: defaultdict[str, list[str]] = defaultdict(list)
    for c in correspondences:
        for key, text in c.extra:
            texts_by_key[key].append(text)
    for key, texts in sorted(texts_by_key.items()):
        title = local_name(key) if "://" in key else key
        numbers = [as_number(text) for text in texts]
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
                "call it confidence if it is"
            )
