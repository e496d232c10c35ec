"""The figures of a paper: what they show, hostile names, the same bytes; `plot` on real results."""

from __future__ import annotations

import json
import math
import re
import warnings
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.defaults import FIGURES
from alignrank.common.errors import EvaluationError
from alignrank.common.results import InputFile, Provenance
from alignrank.evaluation import compare, with_alternatives
from alignrank.evaluation.credit.counts import cases
from alignrank.evaluation.measures.threshold_curve import curve, drawable_curves
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.looking.show_results import plot_figures
from alignrank.experiments.presentation.present import present
from alignrank.experiments.report.figures.curves import (
    draw_precision_recall,
    draw_similarities,
    draw_threshold_sweep,
)
from alignrank.experiments.report.figures.heatmaps import (
    draw_discordance,
    draw_p_values,
    draw_similarity_matrix,
    levels,
)
from alignrank.experiments.report.figures.ranking_diagrams import (
    draw_critical_difference,
    draw_outperforms,
)
from alignrank.experiments.report.figures.style import COLOURS, line, save, svg_text
from alignrank.experiments.report.publish import write_comparison, write_figures
from alignrank.experiments.report.result_pages import comparison_report, write_report
from alignrank.experiments.results.folder import read_result, read_results
from alignrank.ontologies import Alignment, Correspondence, read_alignment, write_alignment
from tests.generated import examples

HOSTILE = [
    "<script>alert(1)</script>",
    "$x_1$ and $\\frac{",
    "--> ]]> &amp;",
    "right \u202eto left\u202c",
    "two\nlines\tand a \x1b[31mbell\x07",
    "x" * 10_000,
    "=cmd()|' /C calc'!A0",
    "{curly} %percent #hash ~tilde ^hat \\back",
]


def reference(n: int = 60) -> Alignment:
    return Alignment(Correspondence(f"a#{k:02}", f"b#{k:02}") for k in range(n))


def systems(names: list[str]) -> dict[str, Alignment]:
    """Return systems of which each finds less than the one before, and more that is wrong."""
    alignments = {}
    for k, name in enumerate(names):
        right = [
            Correspondence(c.entity1, c.entity2, "=", 1 - i / 100)
            for i, c in enumerate(list(reference())[9 * k :])
        ]
        wrong = [Correspondence(f"a#{i:02}", "b#x", "=", 0.1 + i / 50) for i in range(9 * k)]
        alignments[name] = Alignment([*right, *wrong])
    return alignments


def results(folder: Path, names: list[str], n: int = 60) -> Path:
    """Write a results folder as `compare` does."""
    alignments, judge = systems(names), reference(n)
    path = folder / "reference.rdf"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_alignment(judge, path)
    judge = read_alignment(path)
    inputs = {"reference": InputFile(str(path), judge.sha256)}
    result = replace(
        with_alternatives(compare(alignments, judge)), provenance=Provenance({}, inputs)
    )
    curves = drawable_curves(alignments, judge)
    shown = present(result)
    report = comparison_report(
        result, shown, cases(alignments.values(), judge), curves, title="test"
    )
    write_comparison(folder / "out", result, shown, alignments)
    view = result.deciding
    write_figures(folder / "out" / "figures", view, shown, curves, f"-{view.view}")
    write_report(folder / "out", report, view.view)
    return folder / "out"


def drawn(folder: Path, out: Path, names: tuple[str, ...] = (), **options: object) -> list[Path]:
    how = {
        "form": "svg",
        "view": None,
        "correction": None,
        "systems": (),
        "reference": None,
        "overwrite": False,
    }
    plot_figures(folder, names, out=out, **{**how, **options})
    return sorted(out.iterdir())


def test_all_figures_of_hostile_names_are_sound_and_the_same_bytes(tmp_path: Path) -> None:
    folder = results(tmp_path, HOSTILE[:6])
    one, two = drawn(folder, tmp_path / "one"), drawn(folder, tmp_path / "two")
    assert {p.stem for p in one} == set(FIGURES) - {"critical-difference"}
    for first, second in zip(one, two, strict=True):
        assert first.read_bytes() == second.read_bytes(), first.name
        root = ElementTree.parse(first).getroot()
        assert not [e for e in root.iter() if e.tag.rsplit("}")[-1] in ("script", "a")]
        width = float(re.sub("[a-z]", "", root.get("width", "")))
        assert width < 1500  # a name of 10,000 letters does not blow a figure up


@pytest.mark.parametrize("ending", ["png", "pdf"])
def test_other_formats_are_the_same_bytes_too(tmp_path: Path, ending: str) -> None:
    def draw(stem: str) -> bytes:
        figure = draw_discordance(HOSTILE[:2], [[0, 12], [3, 0]])
        return save(figure, tmp_path / stem, (ending,))[0].read_bytes()

    assert draw("one") == draw("two")
    assert draw("one").startswith({"png": b"\x89PNG", "pdf": b"%PDF"}[ending])


def test_the_figures_of_a_comparison_are_there_and_follow_the_view(tmp_path: Path) -> None:
    folder = results(tmp_path, ["good", "bad", "ugly"])
    names = {p.stem for p in (folder / "figures").glob("*.svg")}
    assert names == {"outperforms-entity", "precision-recall"}
    on_demand = {path.stem for path in drawn(folder, tmp_path / "all", ())}
    assert on_demand >= {"outperforms", "p-values", "discordance", "threshold", "similarities"}
    first = drawn(folder, tmp_path / "first", ("outperforms",))[0].read_bytes()
    assert first == (folder / "figures" / "outperforms-entity.svg").read_bytes()
    ifp = drawn(folder, tmp_path / "ifp", ("outperforms",), view="ifp")[0].read_bytes()
    assert first != ifp
    few = drawn(folder, tmp_path / "few", ("similarities",), systems=("ugly",))
    assert [p.name for p in few] == ["similarities.svg"]


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of two systems, which nothing changes."""
    return results(tmp_path_factory.mktemp("compared"), ["good", "bad"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"names": ("pie",)}, "no figure 'pie'"),
        ({"form": "gif"}, "--format 'gif'"),
        ({"view": "left"}, "no view 'left'"),
        ({"correction": "li"}, "correction 'li' is unknown: use one of bergmann-hommel, nemenyi"),
        ({"systems": ("none",)}, "system 'none' is unknown: use one of good, bad"),
    ],
)
def test_plot_refuses_in_a_sentence(
    compared: Path, tmp_path: Path, options: dict[str, object], message: str
) -> None:
    with pytest.raises((ExperimentError, EvaluationError), match=message):
        drawn(compared, tmp_path / "out2", **options)
    assert not (tmp_path / "out2").exists()


def test_plot_says_when_the_reference_is_gone_or_another(tmp_path: Path) -> None:
    folder = results(tmp_path, ["good", "bad"])
    path = tmp_path / "reference.rdf"
    moved = path.rename(tmp_path / "moved.rdf")
    with pytest.raises(ExperimentError, match="name it with --reference"):
        drawn(folder, tmp_path / "a", ("threshold",))
    assert len(drawn(folder, tmp_path / "b", ("threshold",), reference=moved)) == 1
    write_alignment(reference(10), path)
    with pytest.raises(ExperimentError, match="not the reference of these results"):
        drawn(folder, tmp_path / "c")
    with pytest.raises(ExperimentError, match="overwrite=True"):
        drawn(folder, tmp_path / "b", ("threshold",), reference=moved)


def test_a_folder_without_a_comparison_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match="holds no summary"):
        read_results(tmp_path)
    for text, message in (
        ("[1", "JSON"),
        ("[1]", "no systems"),
        ('{"systems": [], "scores": []}', "no systems"),  # that of `score`
        ('{"systems": [], "edges": {}}', "older alignrank, not 5: run the command again"),
    ):
        (tmp_path / "summary.json").write_text(text)
        with pytest.raises(ExperimentError, match=message):
            read_results(tmp_path)


def test_p_values_are_coloured_by_who_is_better_and_how_surely() -> None:
    from matplotlib.colors import to_hex

    p = [[None, 0.0004, 0.04], [0.0004, None, 0.6], [0.04, 0.6, None]]
    figure = draw_p_values(["a", "b", "c"], p, [("a", "b"), ("a", "c")])
    fill = figure.axes[0].collections[0].get_array()
    filled = np.argwhere(fill[:, :, 3] > 0).tolist()
    cells = {(i, j): to_hex(fill[i, j]).upper() for i, j in filled}
    assert len(cells) == 6  # the diagonal is empty
    assert cells[0, 1] == COLOURS[0]
    assert cells[1, 0] == COLOURS[1]
    assert len({cells[0, 1], cells[0, 2]}) == 2  # a paler blue
    assert cells[1, 2] == cells[2, 1] == "#F2F2F2"
    words = [text.get_text() for text in figure.axes[0].texts]
    assert words == ["<.001", ".040", "<.001", ".600", ".040", ".600"]


@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.01, 0.001, 0.0001])
def test_every_significant_p_has_a_shade(alpha: float) -> None:
    assert levels(alpha)[-1] == alpha
    assert list(levels(alpha)) == sorted(set(levels(alpha)))
    p = [[math.nan, alpha], [alpha, math.nan]]
    assert draw_p_values(["a", "b"], p, [("b", "a")], alpha=alpha).axes[0].collections


def test_discordant_counts_stand_in_their_cells() -> None:
    figure = draw_discordance(["a", "b"], [[0, 12], [3, 0]])
    places = {t.get_text(): t.get_position() for t in figure.axes[0].texts}
    assert places["12"] == (1, 0)
    assert places["3"] == (0, 1)


@given(
    st.lists(st.tuples(st.integers(1, 10), st.booleans()), min_size=1, max_size=30),
    st.floats(0, 1),
)
@examples(30)
def test_the_threshold_line_is_f1_of_the_alignment_cut_there(
    pairs: list[tuple[int, bool]], threshold: float
) -> None:
    from alignrank.evaluation import score

    alignment = Alignment(
        Correspondence(f"a#{k}", f"b#{k}" if right else "b#x", "=", tenths / 10)
        for k, (tenths, right) in enumerate(pairs)
    )
    judge = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(len(pairs) + 2))
    drawn_line = draw_threshold_sweep({"one": curve(alignment, judge)}).axes[0].lines[2]
    x, y = drawn_line.get_xdata(), drawn_line.get_ydata()
    if threshold > max(c.confidence for c in alignment):
        return  # the line ends where nothing is left
    assert drawn_line.get_drawstyle() == "steps-pre"
    # steps-pre: y[i] holds on (x[i - 1], x[i]]
    height = y[int(np.searchsorted(x, threshold, side="left"))]
    assert height == pytest.approx(score(alignment.at_least(threshold), judge).f1)


def test_precision_recall_holds_every_point_and_the_best_one() -> None:
    curves = {name: curve(a, reference()) for name, a in systems(["good", "bad"]).items()}
    axes = draw_precision_recall(curves).axes[0]
    shown = {tuple(np.round(xy, 9)) for one in axes.lines for xy in one.get_xydata()}
    for one in curves.values():
        assert {(round(p.recall, 9), round(p.precision, 9)) for p in one.points} <= shown
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels[0].startswith(f"good: F1 {curves['good'].best.f1:.3f}")
    lowest = axes.collections[0].get_paths()[0]  # F1 = 0.1
    r, p = lowest.vertices.T
    assert np.allclose(2 * r * p / (r + p), 0.1, atol=0.001)


@pytest.mark.parametrize("left_out", [0, 5, 8])
def test_each_line_of_equal_f1_has_its_label_once(left_out: int) -> None:
    part = Alignment(list(reference())[left_out:])
    axes = draw_precision_recall({"part": curve(part, reference())}).axes[0]
    labels = [text.get_text() for text in axes.texts if text.get_text().startswith("F1")]
    assert "F1 0.9" in labels
    assert len(labels) == len(set(labels))


def test_dots_of_systems_with_one_confidence_can_be_told_apart() -> None:
    right = list(reference())
    one_point = {f"s{k}": curve(Alignment(right[k:]), reference()) for k in range(16)}
    assert all(len(c.points) == 1 for c in one_point.values())
    axes = draw_precision_recall(one_point).axes[0]
    in_legend = axes.get_legend().legend_handles
    in_chart = [one for one in axes.lines if one.get_marker() != "None" and len(one.get_xdata())]
    for dots in (in_legend, in_chart):
        assert len({(one.get_color(), one.get_marker()) for one in dots}) == len(dots) == 16


def test_bars_of_similarities_add_up_to_right_and_wrong() -> None:
    curves = {name: curve(a, reference()) for name, a in systems(["good", "bad"]).items()}
    curves["empty"] = curve(Alignment(), reference())
    axes = draw_similarities(curves).axes[0]
    notes = [text.get_text() for text in axes.texts if "log scale" in text.get_text()]
    tallest = int(notes[0].split()[-2])
    counts: dict[str, list[float]] = {name: [0.0, 0.0] for name in curves}
    for side, bars in enumerate(axes.collections[:2]):
        for path in bars.get_paths():
            low, high = path.get_extents().intervaly
            row = round(high if side == 0 else low)  # the y axis points down
            # the tallest bar fills 0.45 of a row
            counts[list(curves)[row]][side] += np.expm1((high - low) / 0.45 * np.log1p(tallest))
    for name, one in curves.items():
        right = one.correct.sum()
        expected = [right, len(one.correct) - right]
        assert counts[name] == pytest.approx(expected), name
    told = {text.get_text() for text in axes.texts}
    assert {f"{one.correct.sum():.0f} right" for one in curves.values()} <= told


def test_the_matrix_view_rings_and_frames() -> None:
    figure = draw_similarity_matrix(
        [[0.9, 0.2], [0.3, 0.4]], HOSTILE[:2], HOSTILE[2:4], assigned=[(0, 1)], right=[(1, 0)]
    )
    axes = figure.axes[0]
    assert axes.lines[0].get_xydata().tolist() == [[1, 0]]
    assert (axes.patches[0].get_x(), axes.patches[0].get_y()) == (-0.5, 0.5)
    with pytest.raises(ExperimentError, match="shape"):
        draw_similarity_matrix([[0.9]], ["a", "b"], ["c"])
    assert draw_similarity_matrix(np.eye(200), ["s"] * 200, ["t"] * 200).get_figwidth() < 12


def test_nobody_is_warned_of_a_sign_that_the_font_lacks() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert svg_text(draw_outperforms([["\U0001f600"], ["b"]], [])).startswith("<?xml")


def test_lines_can_be_told_apart() -> None:
    assert len({str(line(k)) for k in range(28)}) == 28


def test_long_names_leave_the_older_figures_readable() -> None:
    name = HOSTILE[5]
    assert draw_outperforms([[name], ["b"]], [(name, "b")]).get_figwidth() < 12
    assert draw_critical_difference({name: 1.0, "b": 2.0}, []).get_figwidth() < 12


def test_decided_reads_the_summary_back_best_first(compared: Path) -> None:
    content = json.loads((compared / "summary.json").read_text())
    result = read_results(compared)
    view = result.views["ifp"]
    assert view.order == ("good", "bad")
    assert view.edges == (("good", "bad"),)
    assert view.counts.discordant.tolist() == [[0, 9], [0, 0]]
    assert view.chosen.p[0, 1] == content["views"]["ifp"]["tests"]["mid-p"]["p"][0][1]
    assert view.decided_by(test="exact").chosen.p[0, 1] == 2**-8 != view.chosen.p[0, 1]


def test_svg_of_a_study(tmp_path: Path) -> None:
    from alignrank.evaluation.multitask import ScoreTable, study
    from alignrank.experiments.report.publish import drawable_figures

    scores = np.array([[0.9 - 0.01 * t, 0.8 + 0.005 * t, 0.5 + 0.02 * t] for t in range(9)])
    table = ScoreTable(tuple(f"t{k}" for k in range(9)), ("a", "b", "c"), scores)
    result = read_result(json.loads(json.dumps(study(table).to_dict())))
    drawable = drawable_figures(result.deciding, present(result), {})
    assert set(drawable) == {"outperforms", "p-values", "critical-difference"}
    for name, draw in drawable.items():
        assert save(draw(), tmp_path / name)[0].stat().st_size > 1000


def test_many_systems_get_small_cells_without_numbers() -> None:
    n = 40
    p = [[0.5] * n for _ in range(n)]
    names = [f"system {k}" for k in range(n)]
    for figure in (draw_p_values(names, p, []), draw_discordance(names, p)):
        assert len(figure.axes[0].texts) <= 1  # the note
        assert figure.get_figwidth() < 12


def test_28_lines_can_be_told_apart_on_white() -> None:
    lines = [line(k) for k in range(28)]
    assert len({(drawn["color"], drawn["linestyle"]) for drawn in lines}) == 28
    assert "#F0E442" not in {drawn["color"] for drawn in lines}  # yellow
