"""Metrics by name."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
import types

import numpy as np
import pytest
import textdistance
from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from alignrank.common.errors import MatcherError
from alignrank.matchers import match, match_all, prepare
from alignrank.matchers.by_name import (
    EVIDENCE,
    METRICS,
    ONTOSIM,
    STANDARD,
    get_metric,
    metric_of,
    metrics_table,
    select_metrics,
)
from alignrank.matchers.similarity.matrix import string_similarities
from alignrank.ontologies import Entity, Kind, Label, Ontology


def test_the_nine_in_order() -> None:
    assert STANDARD == (
        "equality",
        "levenshtein",
        "ngram",
        "hamming",
        "jaro",
        "jaro-winkler",
        "smoa",
        "needleman-wunsch",
        "substring",
    )
    assert tuple(f"ontosim-{name}" for name in STANDARD) == ONTOSIM


def test_every_name_and_synonym_finds_one_metric() -> None:
    names = [name for metric in METRICS.values() for name in (metric.name, *metric.synonyms)]
    assert len(names) == len(set(names))
    for metric in METRICS.values():
        for name in (metric.name, *metric.synonyms):
            assert get_metric(name) is metric
    assert get_metric("ngram-kondrak").name == "kondrak-bi-sim"


def test_families_and_duplicates() -> None:
    assert [m.name for m in select_metrics(["ontosim", "standard", "isub"])] == [
        *ONTOSIM,
        *STANDARD,
    ]
    with pytest.raises(MatcherError, match="name at least one"):
        select_metrics([])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("levenstein", "did you mean levenshtein"),
        ("Jaro_Winkler", "did you mean jaro-winkler"),
        ("zzz", "alignrank list metrics lists all"),
        ("rapidfuzz:ration", "rapidfuzz has no metric 'ration': did you mean ratio"),
        ("rapidfuzz:", "rapidfuzz has no metric ''"),
        ("textdistance:cosin", "textdistance has no metric 'cosin': did you mean Cosine"),
        ("textdistance:tanimoto", "use textdistance:Jaccard"),
        ("no.such.module:f", "cannot be imported"),
        ("alignrank.matchers:no_such", "alignrank.matchers has no function 'no_such'"),
        ("shutil:rmtree", "the module shutil is part of Python"),
        ("os.path:exists", "the module os.path is part of Python"),
        ("builtins:exec", "the module builtins is part of Python"),
        (":f", "cannot be imported"),
    ],
)
def test_unknown_names(name: str, message: str) -> None:
    with pytest.raises(MatcherError, match=message.replace("(", r"\(")):
        get_metric(name)


def test_rapidfuzz_scorers() -> None:
    for name in ("ratio", "Ratio", "WRatio", "partial-ratio", "token_set_ratio"):
        metric = get_metric(f"rapidfuzz:{name}")
        scorer = getattr(fuzz, metric.name.removeprefix("rapidfuzz:"))
        expected = scorer("left ventricle", "ventricle") / 100
        assert metric.similarity("left ventricle", "ventricle") == expected
    indel = get_metric("rapidfuzz:indel")
    assert indel.similarity("a", "ab") == Indel.normalized_similarity("a", "ab")
    assert indel.name == "rapidfuzz:Indel"


@pytest.mark.parametrize("scorer", ["ratio", "WRatio", "Indel", "OSA", "LCSseq", "Prefix"])
def test_rapidfuzz_batch_is_its_single_call(scorer: str) -> None:
    metric = get_metric(f"rapidfuzz:{scorer}")
    sources, targets = ["left ventricle", "heart", "a"], ["ventricle left", "Heart"]
    single = [[metric.similarity(s, t) for t in targets] for s in sources]
    assert np.array_equal(string_similarities(sources, targets, metric, threads=1), single)


def test_textdistance_algorithms_stay_in_range() -> None:
    names = [n for n, c in vars(textdistance).items() if isinstance(c, type) and n != "Tanimoto"]
    assert len(names) > 25
    for name in names:
        metric = get_metric(f"textdistance:{name}")
        assert metric.name == f"textdistance:{name}"
        for s, t in [("heart", "Heart"), ("aab", "aaab"), ("a", "bcd"), ("heart", "heart")]:
            assert 0.0 <= metric.similarity(s, t) <= 1.0, name
    assert get_metric("textdistance:ratcliff-obershelp").similarity("abc", "abd") > 0.6


def test_a_metric_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("own_metrics")
    module.first = lambda s, t: s[:1] == t[:1]  # type: ignore[attr-defined]
    module.broken = lambda s, t: 2.0  # type: ignore[attr-defined]
    module.nan = lambda s, t: float("nan")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "own_metrics", module)
    first = get_metric("own_metrics:first")
    assert first.family == "custom"
    assert np.array_equal(string_similarities(["ab", "c"], ["ax"], first), [[1.0], [0.0]])
    module.failing = lambda s, t: s.no_such  # type: ignore[attr-defined]
    with pytest.raises(MatcherError, match=r"failing' failed on \('a', 'b'\): Attribute"):
        get_metric("own_metrics:failing").similarity("a", "b")
    for broken in ("broken", "nan"):
        with pytest.raises(MatcherError, match=f"own_metrics:{broken}.*a number from 0 to 1"):
            get_metric(f"own_metrics:{broken}").similarity("a", "b")


def test_a_module_that_imports_a_function_of_python_does_not_hand_it_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = types.ModuleType("own_metrics")
    same = functools.lru_cache(lambda s, t: s == t)
    vars(module).update(removes=shutil.rmtree, runs=subprocess.Popen, same=same)
    monkeypatch.setitem(sys.modules, "own_metrics", module)
    for name in ("removes", "runs"):
        with pytest.raises(MatcherError, match="is part of Python"):
            get_metric(f"own_metrics:{name}")
    assert get_metric("own_metrics:same").similarity("a", "a") == 1.0


def test_metrics_table() -> None:
    table = metrics_table()
    assert len(table) == len(METRICS) + len(EVIDENCE) >= 23
    assert table.set_index("name").loc["ontosim-ngram", "maximum"] == float("inf")
    assert (table["summary"].str.len() > 10).all()
    assert (table["source"] != "").all()


def test_a_function_is_a_metric_by_itself() -> None:
    def same_start(s: str, t: str) -> bool:
        return s[:1] == t[:1]

    *standard, own = select_metrics(["standard", same_start])
    assert len(standard) == 9
    assert own.name == "same_start"
    assert string_similarities(["heart", "lung"], ["hand"], own).tolist() == [[1.0], [0.0]]
    with pytest.raises(MatcherError, match=r"<lambda>.*gave 2\.0"):
        get_metric(lambda s, t: 2.0).similarity("a", "b")
    with pytest.raises(MatcherError, match="two metrics are called 'same_start'"):
        select_metrics([same_start, type(same_start)(same_start.__code__, {}, "same_start")])
    assert len(select_metrics([same_start, same_start])) == 1


def test_the_matcher_takes_names_functions_and_metrics() -> None:
    def one(base: str) -> Ontology:
        entity = Entity(f"{base}#1", Kind.CLASS, (Label("heart"),))
        return Ontology(base, {entity.iri: entity})

    def same_start(s: str, t: str) -> bool:
        return s[:1] == t[:1]

    candidates = prepare(one("a"), one("b"))
    jaro = get_metric("jaro")
    assert get_metric(jaro) is jaro
    assert match(candidates, "jaro").alignment == match(candidates, jaro).alignment
    assert match(candidates, same_start).metric == "same_start"
    names = [m.metric for m in match_all(candidates, ["standard", jaro, same_start])]
    assert len(names) == 10
    assert names[-1] == "same_start"


def test_two_metrics_of_one_name_are_refused() -> None:
    one, two = (metric_of(lambda s, t, k=k: k, "mine") for k in (0.0, 1.0))
    with pytest.raises(MatcherError, match="two metrics are called 'mine'"):
        select_metrics([one, two])
    assert select_metrics([one, one, METRICS["jaro"], "jaro"]) == [one, METRICS["jaro"]]
