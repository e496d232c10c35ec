"""Numbers in names: leading zeros, Roman numerals, words and ordinals become plain digits."""

from __future__ import annotations

import re

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
