"""Labels like those of biomedical ontologies, made from a seed."""

from __future__ import annotations

import random

_SYLLABLES = """
a ab ac ad al am an ap ar as ba be bi bo bra ca ce cer chi cho ci cla co cra cu cy da de den di do
du e ec el em en ep er es fa fe fi fo fra ga ge gi gla glo go gra ha he hi ho hy i ic il im in ip is
jo ju ke ki kla la le li lo lu ly ma me mi mo mu my na ne ni no nu o ob oc ol om op or os pa pe phi
pla po pra pu ra re rhi ri ro ru sa se si so spa ste stra su sy ta te thy ti to tra tu u ul um un ur
va ve vi vo xe xi yo za ze zy
"""
_ENDINGS = """
al ar ary ate cyte emia genesis ia ic id ism itis ium lysis oid oma osis ous pathy plasia tion um us
"""
_SMALL = "of the and with type to in left right 1 2 3 I II III"


def vocabulary(size: int, seed: int) -> list[str]:
    """Return distinct words of some nine characters."""
    rng = random.Random(seed)
    syllables, endings = _SYLLABLES.split(), ["", *_ENDINGS.split()]
    words: dict[str, None] = {}
    while len(words) < size:
        chosen = rng.choices(syllables, k=rng.randint(1, 4))
        words["".join(chosen) + rng.choice(endings)] = None
    return list(words)


def labels(number: int, seed: int) -> list[str]:
    """Return distinct labels of one to a dozen words: 28 characters on average, at most 120.

    Words are as unevenly frequent as in a language (Zipf's law); one in eight is a small one.
    """
    words = vocabulary(20_000, seed=0)
    cumulative = [0.0]
    for rank in range(len(words)):
        cumulative.append(cumulative[-1] + 1 / (rank + 20))
    small = _SMALL.split()
    rng = random.Random(seed)
    made: dict[str, None] = {}
    while len(made) < number:
        count = max(1, min(12, round(rng.lognormvariate(1.1, 0.45))))
        chosen = rng.choices(words, cum_weights=cumulative[1:], k=count)
        label = [rng.choice(small) if rng.random() < 0.125 else word for word in chosen]
        made[" ".join(label)[:120]] = None
    return list(made)


def perturbed(originals: list[str], share: float, seed: int) -> list[str]:
    """Return as many labels, a share of them others' with up to two characters changed."""
    rng = random.Random(seed)
    kept = rng.sample(originals, int(share * len(originals)))
    changed = []
    for label in kept:
        letters = list(label)
        for _ in range(rng.randint(0, 2)):
            letters[rng.randrange(len(letters))] = rng.choice("aeiorst ")
        changed.append("".join(letters))
    together = changed + labels(len(originals) - len(kept), seed + 1)
    rng.shuffle(together)
    return together
