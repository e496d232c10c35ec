"""Made pairs that teach the default matcher what real tuning pairs do not hold.

*Wrapped*: names of one side begin with "structure of", "entire" or "region of", many right targets
are missing, and there is no hierarchy. *Numbered*: series of names whose numbers are spelt
differently on either side, among ordinary names. Both take their names from the anatomy track.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from alignrank.ontologies import Alignment, Correspondence, Entity, Kind, Label, Ontology

#: What is written before names.
WRAPPERS = ("structure of", "entire", "region of")
#: Smallest and largest share of the names of one side that are wrapped, and of the right targets
#: that are missing.
WRAPPED, MISSING = (0.5, 0.9), (0.2, 0.7)
#: Share of the names of the real pair that a wrapped pair takes.
SAMPLED = 0.4
#: How a number from 1 to 20 is spelt beside a name.
STYLES = ("{name} {digits}", "{name} {padded}", "{name} type {roman}", "{ordinal} {name}")
ROMAN = tuple(
    "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX".split()  # noqa: SIM905 -- names in a line read best
)
ORDINAL = tuple(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "  # noqa: SIM905 -- names in a line read best
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split()
)
#: Series in a pair, ordinary right pairs and further names of either side, and the share of the
#: numbers of a series that each side lacks.
SERIES, ORDINARY, FURTHER, LACKING = 20, 150, 100, 0.2


class MadePair(NamedTuple):
    """Two ontologies and their reference alignment."""

    name: str
    source: Ontology
    target: Ontology
    reference: Alignment


def wrapped_pairs(real: MadePair, number: int) -> Iterator[MadePair]:
    """Yield wrapped pairs of the names of a real one; every other one has synonyms."""
    for seed in range(number):
        yield _wrapped(real, random.Random(seed), f"wrapped-{seed}", synonyms=bool(seed % 2))


def _wrapped(real: MadePair, rng: random.Random, name: str, *, synonyms: bool) -> MadePair:
    share = rng.uniform(*WRAPPED)
    missing = rng.uniform(*MISSING)
    partners = {c.entity2: c.entity1 for c in real.reference}
    right = set(partners)
    sampled = {e.iri for side in (real.source, real.target) for e in side if rng.random() < SAMPLED}
    sides = [
        [e for e in real.source if e.kind is Kind.CLASS and e.iri in sampled],
        [e for e in real.target if e.kind is Kind.CLASS and partners.get(e.iri, e.iri) in sampled],
    ]
    removed = {e.iri for e in sides[1] if e.iri in right and rng.random() < missing}
    sides[1] = [entity for entity in sides[1] if entity.iri not in removed]
    wrapped_side = rng.randrange(2)
    ontologies = []
    for k, side in enumerate(sides):
        entities = []
        for entity in side:
            label, *others = entity.names(synonyms=synonyms)
            if k == wrapped_side and rng.random() < share:
                label = f"{rng.choice(WRAPPERS)} {label}"
            others_as_labels = tuple(map(Label, others))
            entities.append(Entity(entity.iri, Kind.CLASS, (Label(label),), others_as_labels))
        ontologies.append(_ontology(entities))
    cells = [c for c in real.reference if c.entity1 in sampled and c.entity2 not in removed]
    return MadePair(name, *ontologies, Alignment(cells))


def numbered_pairs(real: MadePair, number: int) -> Iterator[MadePair]:
    """Yield pairs with series of numbered names, among ordinary names of a real pair."""
    labels = [
        {entity.iri: entity.names()[0] for entity in side if entity.kind is Kind.CLASS}
        for side in (real.source, real.target)
    ]
    right = [(labels[0][c.entity1], labels[1][c.entity2]) for c in real.reference]
    right = [pair for pair in right if not any(c.isdigit() for name in pair for c in name)]
    matched = [{c.pair[k] for c in real.reference} for k in range(2)]
    others = [[n for iri, n in of.items() if iri not in matched[k]] for k, of in enumerate(labels)]
    for seed in range(number):
        yield _numbered(right, others, random.Random(seed), f"numbered-{seed}")


def _numbered(
    right: Sequence[tuple[str, str]],
    others: Sequence[Sequence[str]],
    rng: random.Random,
    name: str,
) -> MadePair:
    chosen = rng.sample(right, SERIES + ORDINARY)
    pairs: list[tuple[str | None, str | None]] = list(chosen[SERIES:])
    for names in chosen[:SERIES]:
        styles = rng.sample(STYLES, 2)
        for number in range(1, rng.randint(3, 20)):
            spelt = (_spelt(*place, number) for place in zip(styles, names, strict=True))
            source, target = (text if rng.random() >= LACKING else None for text in spelt)
            pairs.append((source, target))
    pairs += [(text, None) for text in rng.sample(others[0], FURTHER)]
    pairs += [(None, text) for text in rng.sample(others[1], FURTHER)]
    rng.shuffle(pairs)
    sides: tuple[list[Entity], list[Entity]] = ([], [])
    cells = []
    for k, pair in enumerate(pairs):
        iris = f"a#{k:04}", f"b#{k:04}"
        for entities, iri, text in zip(sides, iris, pair, strict=True):
            if text is not None:
                entities.append(Entity(iri, Kind.CLASS, (Label(text),)))
        if None not in pair:
            cells.append(Correspondence(*iris))
    return MadePair(name, _ontology(sides[0]), _ontology(sides[1]), Alignment(cells))


def _spelt(style: str, name: str, number: int) -> str:
    return style.format(
        name=name,
        digits=number,
        padded=f"{number:02}",
        roman=ROMAN[number - 1],
        ordinal=ORDINAL[number - 1],
    )


def _ontology(entities: Sequence[Entity]) -> Ontology:
    return Ontology("", {entity.iri: entity for entity in entities})
