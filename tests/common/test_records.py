"""Results as JSON and back: whatever a summary.json holds is read, or refused in one line."""

from __future__ import annotations

import json
import math
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import Argument, Message, RecordError, spelled
from alignrank.common.records import SCHEMA, read_record, record_dict
from alignrank.common.results import Caution, InputFile, Provenance
from alignrank.evaluation import (
    AnalysisSettings,
    Comparison,
    EntityClusters,
    compare,
    compare_counts,
    compare_measure,
    with_alternatives,
)
from alignrank.evaluation.comparison.result import Matched
from alignrank.evaluation.credit.credits import standard
from alignrank.evaluation.multitask.study import Study, study, study_with_choices
from alignrank.evaluation.significance.mcnemar import Floats, Ints
from alignrank.ontologies import Alignment, Correspondence
from tests.evaluation.multitask.tables import ladder
from tests.generated import examples

Result: TypeAlias = Comparison | Study
# Any: the content of a JSON file
Content: TypeAlias = Any
Path: TypeAlias = tuple[str | int, ...]

REFERENCE = Alignment(Correspondence(f"a#{k:03}", f"b#{k}") for k in range(150))
CLUSTERS = {f"a#{k:03}": f"c{k // 3}" for k in range(150)}
CLUSTERED = AnalysisSettings(clusters=EntityClusters(CLUSTERS))


def systems(*names: str) -> dict[str, Alignment]:
    rng = np.random.default_rng(7)
    shares = np.linspace(0.9, 0.6, len(names))
    return {
        name: REFERENCE.where(lambda _, share=share: bool(rng.random() < share))
        for name, share in zip(names, shares, strict=True)
    }


@cache
def results() -> dict[str, Result]:
    """A result of every kind that a summary.json holds."""
    three = systems("cfp", "My tool. With BK", "entity: x")
    matched = Matched(
        order="assign-first",
        total_similarity={"cfp": {"class": 31.5}},
        thresholds={"cfp": (0.5, 0.7, math.inf)},
        correct_range={"cfp": (90, 95)},
        tie_proof={"entity": (("cfp", "entity: x"),)},
    )
    provenance = Provenance(
        {"command": "compare", "seed": 0, "views": None, "clusters": ["a", "b"]},
        {"reference": InputFile("reference.rdf", 64 * "0")},
    )
    clustered = compare(three, REFERENCE, CLUSTERED)
    return {
        "clusters": replace(clustered, matched=matched, provenance=provenance),
        "alternatives": with_alternatives(compare(three, REFERENCE)),
        "focus": compare(three, REFERENCE, replace(CLUSTERED, focus="cfp")),
        "protocol": compare(three, REFERENCE, AnalysisSettings(protocol="mohammadi-2018")),
        "westfall-young": compare(three, REFERENCE, AnalysisSettings(correction="westfall-young")),
        "runs": compare(systems("a@1", "a@2", "a@3", "b"), REFERENCE, CLUSTERED),
        "counts": compare_counts([[0, 7], [1, 0]], ["a", "b"], AnalysisSettings(test="exact")),
        "measure": compare_measure(three, REFERENCE, standard, "f1", CLUSTERED, name="f1"),
        "study": study(ladder()),
        "study with every test": study_with_choices(study(ladder(), margin=None)),
    }


def focus_b() -> AnalysisSettings:
    return AnalysisSettings(focus="B")


KINDS = (
    "clusters", "alternatives", "focus", "protocol", "westfall-young", "runs", "counts", "measure",
    "study", "study with every test",
)  # fmt: skip


def use(result: Result) -> None:
    """Ask for everything that is shown of a result."""
    view = result.deciding
    assert result.answer()
    result.to_frame()
    assert "<table" in result._repr_html_()
    assert set(view.ranks) == set(view.letters) == set(result.systems)
    assert len(view.verdicts) == len(view.systems) * (len(view.systems) - 1)
    for matrix in view.pair_matrices().values():
        view.in_order(matrix)
    for test, by_correction in view.alternatives.items():
        for correction in by_correction:
            view.decided_by(test, correction)
    json.dumps(result.to_dict(), allow_nan=False)


def test_a_caution_that_is_read_back_spells_its_arguments_for_its_reader() -> None:
    predicates = Argument("predicates", ["exactMatch", "closeMatch"])
    text = Message("to count these: ", predicates, "; or name a file (", Argument("clusters"), ")")
    named, plain = Caution("k", text), Caution("k", "Six clusters=... differ.")
    result = replace(compare_counts([[0, 30], [5, 0]], ["a", "b"]), cautions=(named, plain))
    content = json.loads(json.dumps(result.to_dict()))
    assert [set(row) - {"kind", "text", "view", "system"} for row in content["cautions"]] == [
        {"parts"},
        set(),
    ]
    read = Comparison.from_dict(content)
    assert read.cautions == (named, plain)
    assert read.to_dict()["cautions"] == content["cautions"]
    with spelled(lambda name, value: f"--{name}"):
        assert list(map(str, read.cautions)) == [
            "to count these: --predicates; or name a file (--clusters)",
            "Six clusters=... differ.",
        ]
        after = read.cautions[0].after("AML: ")
        assert str(after) == "AML: to count these: --predicates; or name a file (--clusters)"
    assert after.text == f"AML: {text}"
    assert plain.after("AML: ").text == "AML: Six clusters=... differ."


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_comes_back_whole(kind: str) -> None:
    result = results()[kind]
    text = json.dumps(result.to_dict(), allow_nan=False)
    read = type(result).from_dict(json.loads(text))
    assert json.dumps(read.to_dict(), allow_nan=False) == text
    assert read.answer() == result.answer()
    assert read.cautions == result.cautions
    assert read.settings == result.settings
    assert read.provenance == result.provenance
    for name, view in result.views.items():
        stored = read.views[name]
        assert stored.rankings == view.rankings
        assert (stored.order, stored.letters) == (view.order, view.letters)
        assert (stored.unreachable, stored.verdicts) == (view.unreachable, view.verdicts)
        np.testing.assert_array_equal(stored.adjusted_p, view.adjusted_p)
        np.testing.assert_array_equal(stored.chosen.p, view.chosen.p)
    if isinstance(result, Comparison):
        assert isinstance(read, Comparison)
        assert (read.scores, read.matched) == (result.scores, result.matched)
    use(read)


#: What a hand, or another program, may write in a place.
VALUES = (
    None, True, 0, -1, 3, 1.5, 1e308, "", "x", "inf", "-inf", "nan", [], {}, [1], [[1]], [None],
    {"a": 1}, ["cfp"], [["cfp", "x"]],
)  # fmt: skip


def paths(content: Content, path: Path = ()) -> list[Path]:
    """Return the place of everything below the top."""
    places = [path] if path else []
    parts = content if isinstance(content, list | dict) else ()
    keys = range(len(parts)) if isinstance(parts, list) else list(parts)
    for key in keys:
        places += paths(content[key], (*path, key))
    return places


def at(content: Content, path: Path) -> Content:
    for key in path:
        content = content[key]
    return content


@cache
def stored(kind: str) -> tuple[str, dict[int, list[Path]]]:
    """Return a result as JSON, and the places of its content by depth."""
    text = json.dumps(results()[kind].to_dict())
    by_depth: dict[int, list[Path]] = {}
    for path in paths(json.loads(text)):
        by_depth.setdefault(len(path), []).append(path)
    return text, by_depth


@st.composite
def mutations(draw: st.DrawFn) -> tuple[str, Content]:
    """A result's kind, and its content with one to three places changed."""
    kind = draw(st.sampled_from(KINDS))
    text, by_depth = stored(kind)
    content = json.loads(text)
    for _ in range(draw(st.integers(1, 3))):
        *parent, key = draw(st.sampled_from(by_depth[draw(st.sampled_from(sorted(by_depth)))]))
        try:
            place = at(content, tuple(parent))
            change = draw(st.sampled_from(["remove", "write", "copy", "double"]))
            if change == "remove":
                del place[key]
            elif change == "write":
                place[key] = draw(st.sampled_from(VALUES))
            elif change == "copy":
                depth = draw(st.sampled_from(sorted(by_depth)))
                place[key] = at(json.loads(text), draw(st.sampled_from(by_depth[depth])))
            elif isinstance(place, list):
                place.append(deepcopy(place[key]))
            else:
                place[f"{key}x"] = deepcopy(place[key])
        except (KeyError, IndexError, TypeError):
            continue  # the place went with an earlier change
    return kind, content


@given(mutations())
@examples(2000)
def test_a_changed_summary_is_read_or_refused_in_one_line(case: tuple[str, Content]) -> None:
    kind, content = case
    try:
        read = type(results()[kind]).from_dict(content)
    except RecordError as error:
        message = str(error)
    else:
        use(read)
        return
    assert len(message.splitlines()) == 1
    assert len(message) < 500


def changed(kind: str, *path: str | int, value: object) -> Content:
    content = json.loads(stored(kind)[0])
    at(content, path[:-1])[path[-1]] = value
    return content


ENTITY = ("views", "entity")
EDGES = ("views", "tasks", "rankings", "bergmann-hommel", "edges")
REFUSED = [
    ("clusters", ("schema",), 3, "has the form 3, not 5: run the command again"),
    ("clusters", ("systems",), ["cfp"], "a view's systems has My tool. With BK, cfp, "),
    ("clusters", ("views",), {}, "views is empty"),
    ("clusters", ("settings", "focus"), "x", "focus names 'x', which is not among"),
    ("study", ("settings", "focus"), "x", "focus names 'x', which is not among"),
    ("clusters", (*ENTITY, "test"), "exakt", "test names 'exakt', which is not among"),
    ("clusters", (*ENTITY, "adjusted"), {}, "rankings has"),
    (
        "clusters",
        (*ENTITY, "counts", "discordant"),
        [[0]],
        r"discordant has the shape \(1, 1\)",
    ),
    ("clusters", (*ENTITY, "counts", "discordant", 0, 1), 1.5, "discordant"),
    ("clusters", (*ENTITY, "values"), {"cfp": 1.0}, "values has cfp, not "),
    ("clusters", (*ENTITY, "unreachable"), [["x", "cfp"]], "unreachable names 'x'"),
    ("clusters", (*ENTITY, "unreachable"), [["cfp", "cfp"]], "unreachable compares 'cfp' with its"),
    ("study", EDGES, [["B", "B"]], "a ranking compares 'B' with itself"),
    ("clusters", (*ENTITY, "units", "name"), 3, r"name"),
    ("clusters", (*ENTITY, "intervals", "tested", "low"), [1.0], "low of net has the sha"),
    ("clusters", (*ENTITY, "intervals", "tested", "low"), None, "low"),
    ("clusters", ("scores", "cfp", "found"), -1, "cfp"),
    ("clusters", ("cautions",), [{"kind": "x"}], "text"),
    ("runs", ("runs", "values"), [1.0], r"values has the shape \(1,\), not \(2,\)"),
    ("study", ("views",), {}, "views has , not tasks"),
    ("study", ("pairs",), [], "pairs holds other pairs"),
    ("study", ("table", "tasks", 0), "task 1", "task 'task 1' comes twice"),
]


@pytest.mark.parametrize(("kind", "path", "value", "message"), REFUSED)
def test_the_line_names_what_does_not_fit(
    kind: str, path: Path, value: object, message: str
) -> None:
    with pytest.raises(RecordError, match=message) as refused:
        type(results()[kind]).from_dict(changed(kind, *path, value=value))
    assert "\n" not in str(refused.value)


@dataclass(frozen=True, eq=False)
class Sample:
    """What every kind of value is written as."""

    number: float
    reals: Floats
    counts: Ints
    names: tuple[str, ...] = ()
    interval: tuple[float, float] = (0.0, 1.0)
    by_name: dict[str, float] = field(default_factory=dict)


reals = st.floats(allow_nan=True, allow_infinity=True)


@given(reals, st.lists(reals, max_size=4), st.lists(st.integers(0, 2**50), max_size=4), reals)
def test_every_number_comes_back(
    number: float, row: list[float], counts: list[int], limit: float
) -> None:
    sample = Sample(
        number,
        np.array([row, row]),
        np.array(counts, dtype=int),
        ("a",),
        (limit, 1.0),
        {"a": limit},
    )
    content = record_dict(sample, "sample")
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    read = read_record(Sample, content)
    np.testing.assert_array_equal([read.number, *read.interval], [number, limit, 1.0])
    np.testing.assert_array_equal(read.reals, sample.reals)
    np.testing.assert_array_equal(read.counts, counts)
    assert read.names == ("a",)
    np.testing.assert_array_equal(read.by_name["a"], limit)


WRONG: list[tuple[str, object]] = [
    ("number", "nan"), ("number", True), ("number", [1]),
    ("reals", "x"), ("reals", None), ("reals", 1.0), ("reals", [[1], [1, 2]]),
    ("counts", [1.5]), ("counts", [None]), ("counts", ["inf"]), ("counts", [1e300]),
    ("names", "abc"), ("names", [1]), ("interval", [1]), ("by_name", [1]), ("by_name", {"a": "b"}),
]  # fmt: skip


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("name", "value"), WRONG)
def test_nothing_is_taken_for_a_value_of_another_type(name: str, value: object) -> None:
    content = record_dict(Sample(1.0, np.ones(2), np.ones(2, dtype=int)), "sample")
    with pytest.raises(RecordError, match=rf"does not fit: .*\b{name}\b"):
        read_record(Sample, {**content, name: value})


def test_another_form_is_refused_with_what_to_do() -> None:
    unknown = "of another program or an older alignrank"
    for content, form in (({}, unknown), ({"schema": 3}, "3"), ({"schema": [4]}, unknown)):
        with pytest.raises(
            RecordError, match=f"has the form {form}, not {SCHEMA}: run the command"
        ):
            read_record(Sample, content)
