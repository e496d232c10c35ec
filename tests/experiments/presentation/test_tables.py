"""The tables beside the table of systems."""

from __future__ import annotations

from dataclasses import replace

from alignrank.evaluation import compare
from alignrank.evaluation.comparison.judged_samples import compare_judgements, sample_of
from alignrank.evaluation.judged.conclusions import Chance
from alignrank.evaluation.judged.judgements import Judgements
from alignrank.experiments.presentation.sentences import verdict_line
from alignrank.experiments.presentation.tables import differences_in_pool, winners_table
from alignrank.ontologies import Alignment, Correspondence


def test_a_pair_without_a_verdict_has_its_chance_in_tens() -> None:
    whole = Alignment(Correspondence(f"a#{k:02}", f"b#{k}") for k in range(20))
    names = ("a", "b")
    systems = {"a": whole, "b": whole.where(lambda c: c.entity1 < "a#11")}
    right = Judgements(dict.fromkeys(whole.pairs, 1.0), frozenset(whole.pairs))
    pool = compare_judgements(sample_of(systems, right)).pool
    assert pool is not None
    decided = differences_in_pool(pool, names)
    assert decided.header[-1] == "in F1 it is"
    cells = []
    for chance, answers in ((0.56, 400), (0.04, 1607), (0.0, None)):
        chances = (Chance(names, chance, answers),)
        cells.append(differences_in_pool(replace(pool, chances=chances), names).rows[0][-2:])
    assert cells == [["about 60%", "400"], ["below 10%", "1,607"], ["never", ""]]
    assert "in F1 it is" not in differences_in_pool(replace(pool, verdict=None), names).header
    assert pool.verdict is not None
    fifth = replace(pool.verdict, number=5, alpha=0.05 / 32, exact=False)
    assert verdict_line(replace(pool, verdict=fifth)).startswith(
        "Verdict 5 of a judged sample: level 0.15625%, 1/32 of 5%, so that looking again adds no"
    )
    assert verdict_line(pool) == ""


def test_the_note_on_each_task_by_itself_names_every_test() -> None:
    """It named the test of the first task, also where runs decide on others."""
    whole = Alignment(Correspondence(f"a#{k:02}", f"b#{k}") for k in range(20))
    parts = [whole.where(lambda c, k=k: c.entity1 < f"a#{k}") for k in range(10, 20)]
    runs = {f"x@{k}": part for k, part in enumerate(parts[:3], 1)}
    comparisons = {
        "one": compare({"x": parts[0], "y": parts[-1]}, whole),
        "two": compare({**runs, "y": parts[-1]}, whole),
    }
    assert "Method: mid-p or runs with bergmann-hommel on" in winners_table(comparisons).footnote
