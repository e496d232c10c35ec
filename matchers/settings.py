"""Settings of matching, checked, and the presets by which labels are prepared."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from alignrank.common.defaults import DEFAULT_METRIC as DEFAULT_METRIC
from alignrank.common.defaults import DEFAULTS, ORDERS, SAME_IRI
from alignrank.common.errors import Argument, MatcherError
from alignrank.common.names import Registry, refuse_unknown
from alignrank.ontologies import Kind

from .assignment.pairs import METHODS


def default_threshold(metric: str) -> float:
    """Return the threshold of a metric where none is set: 0.5 of a probability.

    0.7 was the best for `ngram` on known pairs.

    Examples
    --------
    >>> default_threshold("combined"), default_threshold("smoa")
    (0.5, 0.7)
    """
    if metric == DEFAULT_METRIC:
        return DEFAULTS.probability
    return DEFAULTS.threshold


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of matching.

    Parameters
    ----------
    labels
        Preset by which names are prepared (`alignrank.matchers.settings`).
    synonyms
        Whether synonyms count as names.
    kinds
        Kinds of entity to match; None for every kind that both ontologies have.
    langs
        Languages of labels; None for all. Labels without a language are always kept.
    threshold
        Smallest similarity that makes a correspondence (``>=``); similarity 0 never does. None
        cuts nothing; `rank` then chooses a threshold.
    assignment
        ``hungarian``, ``greedy``, ``mutual-best`` or ``scipy``, which calls scipy for the pairs of
        ``hungarian`` (`alignrank.matchers.assignment.pairs.assign`). None: ``hungarian``, except
        that the default metric chooses by itself.
    order
        ``assign-then-cut``: assign on the full matrix, then drop what is below the threshold, as
        the McNemar paper did. ``cut-then-assign``: drop first, then assign what is left. They
        can differ by many correspondences under ``hungarian``, and never under the other two.
    tiles
        Whether to compute the similarity matrix tile by tile, storing only what is at or above
        the threshold (`alignrank.matchers.similarity.tiles`), with the same outcome. None does so
        where it is much cheaper (a matrix above 1 GiB and a threshold of .7 or more) or the matrix
        would not fit into memory. Needs a threshold above 0, and with ``hungarian`` the order
        ``cut-then-assign``.
    shared
        Entities that both ontologies have under the same IRI: ``keep`` them, ``drop`` them, or
        match ``only`` them. Those that describe others (annotation properties, terms of IAO) are
        kept with ``only``.
    structure
        Whether the default metric also weighs neighbours: parents, children, domains, ranges and
        individuals.
    wordnet
        Folder of WordNet's database files, for the default metric: words that share a meaning
        there count as similar. None: without.

    Raises
    ------
    MatcherError
        If a setting is unknown, the threshold is outside [0, 1], or tiles cannot be used.
    """

    labels: str = "words"
    synonyms: bool = True
    kinds: Sequence[Kind] | None = None
    langs: Sequence[str] | None = None
    threshold: float | None = None
    assignment: str | None = None
    order: str = "assign-then-cut"
    tiles: bool | None = None
    shared: str = "keep"
    structure: bool = True
    wordnet: str | None = None

    def __post_init__(self) -> None:
        for name in ("kinds", "langs"):
            if (value := getattr(self, name)) is not None:
                # a single value is no sequence of letters
                values = (value,) if isinstance(value, str) else tuple(value)
                object.__setattr__(self, name, values)
        for kind in self.kinds or ():
            refuse_unknown("kind", kind, tuple(Kind), MatcherError)
        if self.kinds is not None:
            object.__setattr__(self, "kinds", tuple(map(Kind, self.kinds)))
        PRESETS.lookup(self.labels)
        refuse_unknown("shared", self.shared, SAME_IRI, MatcherError)
        if not 0.0 <= self.least <= 1.0:
            raise MatcherError(f"threshold {self.threshold} is outside [0, 1]")
        METHODS.lookup(self.method)
        refuse_unknown("order", self.order, ORDERS, MatcherError)
        if self.tiles and self.why_not_in_tiles:
            raise MatcherError(f"with tiles, {self.why_not_in_tiles}")

    @property
    def least(self) -> float:
        """Smallest similarity of a correspondence; 0 if no threshold is set."""
        return self.threshold or 0.0

    @property
    def method(self) -> str:
        """Name of the assignment of every metric that does not choose by itself."""
        if self.assignment is None:
            return "hungarian"
        return self.assignment

    @property
    def why_not_in_tiles(self) -> str:
        """The changes that tiles need; empty if there are none."""
        changes = []
        if not self.threshold:
            changes.append(f"a threshold above 0 (as {Argument('threshold', 0.8)})")
        if self.assignment == "scipy":
            changes.append(f"the assignment hungarian ({Argument('assignment', 'hungarian')})")
        if self.optimal and self.order != "cut-then-assign":
            changes.append(f"the order cut-then-assign ({Argument('order', 'cut-then-assign')})")
        if changes:
            return f"choose {' and '.join(changes)}"
        return ""

    @property
    def optimal(self) -> bool:
        """Whether the assignment has the largest total similarity; it may be tied then."""
        return METHODS[self.method].optimal


def _underscore(label: str) -> str:
    return label.lower().replace("_", " ")


_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9]*(\s[^<>]*)?/?>")


def _without_markup(label: str) -> str:
    """Return a label without HTML tags, and its entities decoded, also where both came twice."""
    for _ in range(2):
        label = _TAG.sub("", html.unescape(label))
    return label


def _words(label: str) -> str:
    if "&" in label or "<" in label:
        label = _without_markup(label)
    text = split_camel_case(unicodedata.normalize("NFKC", label))
    for separator in "_-\N{HYPHEN}":
        text = text.replace(separator, " ")
    return with_digits(" ".join(text.lower().split()))


_ROMAN = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx"
_CARDINAL = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
)
_ORDINAL = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
#: Digits of the words that are numbers, from 1 to 20.
_DIGITS = {
    word: str(number)
    for words in (_ROMAN, _CARDINAL, _ORDINAL)
    for number, word in enumerate(words.split(), 1)
}
#: Beside these words, x is a letter.
_BESIDE_X = frozenset({"chromosome", "linked", "fragile", "monosomy", "trisomy", "ray", "rays"})
_LEADING_ZEROS = re.compile(r"(?<!\d)(?<!\d[.,])0+(?=\d)")
_ORDINAL_ENDING = re.compile(r"(?<=\d)(?:st|nd|rd|th)(?![^\W_])")
_NUMBER_WORD = re.compile(rf"(?<![^\W_])(?:{'|'.join(_DIGITS)})(?![^\W_])")
_LETTERS = re.compile(r"[^\W\d_]+")


def with_digits(name: str) -> str:
    """Return a name in small letters with its numbers as digits.

    Leading zeros are left out. Roman numerals, words and ordinals from 1 to 20 become digits; so
    do ordinals such as 21st. A single letter is a Roman numeral only after a longer word, and x is
    none beside words such as chromosome. Second is a unit of time at the end and after "per".

    Examples
    --------
    >>> [with_digits(n) for n in ("somite 05", "second rib", "5th type ii", "x linked factor v")]
    ['somite 5', '2 rib', '5 type 2', 'x linked factor 5']
    >>> with_digits("metre per second"), with_digits("chromosome x")
    ('metre per second', 'chromosome x')
    """
    if _NUMBER_WORD.search(name):
        name = _NUMBER_WORD.sub(_digits, name)
    return _ORDINAL_ENDING.sub("", _LEADING_ZEROS.sub("", name))


def _digits(match: re.Match[str]) -> str:
    """Return the digits of a number word, or the word itself where it is no number."""
    word = match[0]
    before = "".join(_LETTERS.findall(match.string[: match.start()])[-1:])
    after = "".join(_LETTERS.findall(match.string[match.end() :])[:1])
    is_letter = len(word) == 1 and len(before) < 2
    is_x = word == "x" and not _BESIDE_X.isdisjoint((before, after))
    is_unit = word == "second" and (not after or before == "per")
    if is_letter or is_x or is_unit:
        return word
    return _DIGITS[word]


#: Functions that prepare a label, by the name of the preset.
PRESETS: Registry[Callable[[str], str]] = Registry(
    "label preset",
    {"raw": str, "lower": str.lower, "underscore": _underscore, "words": _words},
    MatcherError,
)


def normalise(label: str, preset: str) -> str:
    """Prepare a label by a preset.

    Parameters
    ----------
    label
        Any text.
    preset
        In each the text is in Unicode's NFC. ``raw``: else unchanged. ``lower``: lower-cased and
        nothing else, as the McNemar paper did. ``underscore``: lower-cased, underscores to spaces.
        ``words``: HTML entities decoded and tags left out, Unicode NFKC, camelCase split,
        underscores and hyphens to spaces, lower-cased, white space collapsed, numbers as digits
        (`alignrank.matchers.settings.with_digits`).

    Raises
    ------
    MatcherError
        If the preset is unknown.

    Examples
    --------
    >>> [normalise("Straße_hasPart-Of", p) for p in PRESETS]
    ['Straße_hasPart-Of', 'straße_haspart-of', 'straße haspart-of', 'straße has part of']
    """
    composed = label if label.isascii() else unicodedata.normalize("NFC", label)
    return PRESETS.lookup(preset)(composed)


#: Matches every capital inside a word, and little else.
_INNER_CAPITAL = re.compile("[^ _][^ _a-z0-9]")


def split_camel_case(text: str) -> str:
    """Return `text` with a space before each capital that begins a word inside it.

    A capital begins a word after a small letter. If a small letter follows, it also begins one
    after a capital or a digit.

    Examples
    --------
    >>> split_camel_case("hasHTTPServer"), split_camel_case("T8Vertebra of L5A")
    ('has HTTP Server', 'T8 Vertebra of L5A')
    """
    if not _INNER_CAPITAL.search(text):  # most labels
        return text
    spaced = ""
    for i, c in enumerate(text):
        before = text[i - 1 : i]
        after = text[i + 1 : i + 2]
        inside = before.islower() or (after.islower() and (before.isupper() or before.isdigit()))
        if c.isupper() and inside:
            spaced += " "
        spaced += c
    return spaced
