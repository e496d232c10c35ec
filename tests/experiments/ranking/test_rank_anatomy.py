"""The main job on the real anatomy track, against what the spec's independent runs found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from alignrank.experiments.ranking.rank import RankedPair, RankOptions, rank
from alignrank.matchers import Settings, assign, get_metric, prepare
from alignrank.matchers.similarity.matrix import string_similarities
from alignrank.ontologies import Kind, load_ontology, read_alignment

#: Correct correspondences of one optimal assignment, labels lower-cased with "_" to " ".
UNDERSCORE = {
    "equality": 930,
    "hamming": 1041,
    "jaro": 1166,
    "levenshtein": 1169,
    "ngram": 1280,
    "needleman-wunsch": 1128,
    "smoa": 1006,
    "substring": 1150,
}
#: Precision, recall and F1 that go with them, over the 2,737 pairs assigned.
SCORES = {"ngram": (0.4677, 0.8443, 0.6019), "jaro": (0.4260, 0.7691, 0.5483)}


@pytest.fixture(scope="module")
def standard(oaei: Path) -> RankedPair:
    anatomy = oaei / "anatomy"
    return rank(
        load_ontology(anatomy / "mouse.owl"),
        load_ontology(anatomy / "human.owl"),
        read_alignment(anatomy / "reference.rdf"),
        RankOptions(
            settings=Settings(
                labels="underscore", synonyms=False, kinds=(Kind.CLASS,), threshold=0.0
            )
        ),
    )


def test_standard_family_finds_what_the_spec_found_up_to_ties(
    standard: RankedPair,
) -> None:
    assert standard.comparison.matched is not None
    ranges = standard.comparison.matched.correct_range
    for name, correct in UNDERSCORE.items():
        smallest, largest = ranges[name]
        assert smallest <= correct <= largest, name
        assert smallest <= standard.comparison.scores[name].correct <= largest
    for name, (precision, recall, f1) in SCORES.items():
        scores = standard.comparison.scores[name]
        slack = (ranges[name][1] - ranges[name][0]) / 1516
        assert scores.precision == pytest.approx(precision, abs=slack)
        assert scores.recall == pytest.approx(recall, abs=slack)
        assert scores.f1 == pytest.approx(f1, abs=slack)


def test_the_specs_jaro_winkler_row_left_out_the_boost_threshold(oaei: Path) -> None:
    """1138 is what Winkler's bonus without the threshold of .7 finds; RapidFuzz's finds 1104."""
    anatomy = oaei / "anatomy"
    reference = read_alignment(anatomy / "reference.rdf").pairs
    settings = Settings(labels="underscore", synonyms=False, kinds=(Kind.CLASS,))
    (group,) = prepare(
        load_ontology(anatomy / "mouse.owl"), load_ontology(anatomy / "human.owl"), settings
    ).groups
    sources = [names[0] for names in group.source.names]
    targets = [names[0] for names in group.target.names]

    def correct(matrix: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> int:
        found = assign(matrix)
        pairs = zip(found.rows.tolist(), found.columns.tolist(), strict=True)
        return sum((group.source.iris[i], group.target.iris[j]) in reference for i, j in pairs)

    jaro = string_similarities(sources, targets, get_metric("jaro"))
    codes = [
        np.array([[ord(c) for c in s[:4].ljust(4, pad)] for s in names])
        for names, pad in ((sources, "\x00"), (targets, "\x01"))
    ]
    equal = codes[0][:, None, :] == codes[1][None, :, :]
    prefix = np.cumprod(equal, axis=2).sum(axis=2)
    assert correct(jaro + 0.1 * prefix * (1 - jaro)) == 1138
    winkler = string_similarities(sources, targets, get_metric("jaro-winkler"))
    assert correct(winkler) == 1104


PAPER = "mohammadi-2018"
