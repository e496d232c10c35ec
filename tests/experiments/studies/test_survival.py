"""Which metric survives which renaming: small pairs, and what must hold of them."""

from __future__ import annotations

from experiments.studies.survival import (
    METHODS,
    UNMATCHED,
    Survival,
    draw_survival,
    survival,
)

METRICS = ("equality", "levenshtein", "ngram")


def _small() -> Survival:
    return survival([(60, (0.0, 0.5, 1.0))], ("typo", "reorder", "random"), METRICS)


def test_every_metric_on_every_pair_within_its_range() -> None:
    result = _small()
    assert len(result.points) == 3 * 3 * 3
    for p in result.points:
        assert 0 <= p.f1_min <= p.f1 <= p.f1_max <= 1
    assert len(result.to_frame()) == len(result.points)


def test_without_renaming_the_method_does_not_matter() -> None:
    result = _small()
    for by_method in result.of(60, 0.0).values():
        assert len({p.f1 for p in by_method.values()}) == 1


def test_equality_falls_and_bags_of_trigrams_survive_reordering() -> None:
    everything = _small().of(60, 1.0)
    assert everything["equality"]["reorder"].f1 == 0
    assert everything["ngram"]["reorder"].f1 > 1 - 2 * UNMATCHED
    assert everything["levenshtein"]["typo"].f1 > everything["levenshtein"]["reorder"].f1 + 0.5
    assert everything["levenshtein"]["random"].f1 < 0.2


def test_text_and_figure_hold_every_method() -> None:
    result = _small()
    assert "F1 with 60 classes" in result.to_text()
    figure = draw_survival(result, 60)
    assert [a.get_title() for a in figure.axes][:3] == ["typo", "reorder", "random"]
    assert len(figure.axes[0].lines) == len(METRICS)
    assert len(METHODS) == 8
