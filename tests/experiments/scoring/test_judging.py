"""The questions' file and page: drawn, answered in a real browser, and read back."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import alignrank as ar
from alignrank.ontologies.tasks import bundled_task
from tests.experiments.conftest import Pages, reload, saved_file
from tests.experiments.report.test_paper import compiled

LIBRARY = bundled_task("library")
SYSTEMS = list(LIBRARY.alignments.values())
RIGHT = {c.pair for c in ar.read_alignment(LIBRARY.reference)}


def rows_of(path: Path) -> list[dict[str, str]]:
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter="\t"))


def fill(path: Path, out: Path, questions: int, verdict: str | None = None) -> Path:
    """Answer the first questions by the reference, in the column verdict, as a spreadsheet does."""
    head = [line for line in path.read_text().splitlines() if line.startswith("#")]
    prefixes = json.loads(head[0].partition(": ")[2])

    def iri(curie: str) -> str:
        prefix, _, name = curie.partition(":")
        return prefixes[prefix] + name

    rows = rows_of(path)
    for row in rows:
        if int(row["question"]) <= questions:
            is_right = (iri(row["subject_id"]), iri(row["object_id"])) in RIGHT
            row["verdict"] = verdict or ("right" if is_right else "wrong")
    lines = ["\t".join(rows[0]), *("\t".join(row.values()) for row in rows)]
    out.write_text("\n".join([*head, *lines]) + "\n")
    return out


@pytest.fixture
def drawn(shell: Any, tmp_path: Path) -> Path:
    text = shell.printed(
        "sample", LIBRARY.source, LIBRARY.target, *SYSTEMS, "--out", tmp_path / "judge"
    )
    assert "55 questions" in text
    assert "The pool has 55 questions: the verdict comes when all are answered." in text
    assert "27 answers will tell F1 to about ±" in text
    return tmp_path / "judge" / "questions.sssom.tsv"


def test_the_commands_work_one_after_the_other(shell: Any, drawn: Path, tmp_path: Path) -> None:
    file = fill(drawn, tmp_path / "answers.tsv", 1000)
    text = file.read_text()  # one answer is open: a verdict, but no exact one
    file.write_text(text.replace("\twrong\t", "\tcannot tell\t", 1))
    words = ["compare", "--judged", file, *SYSTEMS, "--out", "results"]
    command = [sys.executable, "-m", "alignrank", *map(str, words)]  # as installed
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    text = ended.stdout
    assert text.startswith("system_good has the best F1 in the pool")
    assert "whatever right pairs the files lack" in text
    assert "Verdict 1 of a judged sample: level 2.5%, half of 5%" in " ".join(text.split())
    summary = json.loads((tmp_path / "results" / "summary.json").read_text())
    assert summary["pool"]["judged"] == 55
    assert summary["pool"]["verdict"] == {
        "list": [],
        "answers": 55,
        "number": 1,
        "alpha": 0.025,
        "level": 0.975,
        "next": None,
        "exact": False,
        "recorded": True,
    }
    assert summary["views"]["ifp"]["alpha"] == summary["settings"]["alpha"] == 0.025
    made = tmp_path / "results"
    check_page_and_paper(made, summary)
    assert "by a judged sample, 55 of 55 questions" in (made / "paper.tex").read_text()
    text = (made / "paper.txt").read_text()
    paragraph, *_ = text.splitlines()
    compared, _, about_f1 = paragraph.partition(" About F1: ")
    assert "in the number of right pairs (letters, W/T/L) by McNemar's test" in compared
    assert "level 0.025, verdict 1 of a judged sample" in compared
    assert about_f1.startswith("system_good has the best F1 in the pool")
    assert "share a letter do not differ significantly in the number of right pairs" in text
    assert len(paragraph.split()) <= 130
    page = (made / "report.html").read_text()
    assert "better, whatever right pairs the files lack" in page
    focus = ["--focus", "system_near_miss"]
    shell.run("compare", "--judged", file, *SYSTEMS, *focus, "--out", tmp_path / "focused")
    column = "right pairs (column “system_near_miss is”) by McNemar's test"
    assert column in (tmp_path / "focused" / "paper.txt").read_text()
    focused = shell.printed("compare", "--judged", file, *SYSTEMS, *focus)
    assert focused.startswith("system_near_miss has F1 0.")
    assert "Its F1 is significantly below that of" in focused
    assert "system_near_miss is" in focused
    scored = shell.printed("score", "--judged", file, SYSTEMS[0])
    assert "The interval holds for a number of answers chosen before." in " ".join(scored.split())


def check_page_and_paper(made: Path, summary: Any) -> None:
    """Every place shows the estimates of summary.json, and calls no pool a reference."""
    for name in ("report.html", "paper.txt", "paper-supplement.tex"):
        shown = (made / name).read_text().replace("{[}", "[")
        for measure in ("f1", "precision", "recall", "correct"):
            digits = 0 if measure == "correct" else 3
            value, low, high = (
                f"{summary['pool']['measures'][measure][part][0]:.{digits}f}"
                for part in ("value", "low", "high")
            )
            limits = "" if low == high else f" [{low}–{high}]"
            assert f"{value}{limits}" in shown, (name, measure)
        assert "Right pairs outside the pool are unknown" in shown
        assert "reference" not in shown.partition("Reporting checklist")[0].replace(
            "whole reference", ""
        )


@pytest.mark.parametrize(
    "ignored", [["--focus", "x"], ["--bootstrap", "9"], ["--filter", "none"], ["--breakdown"]]
)
def test_score_refuses_what_judged_questions_do_not_read(
    shell: Any, drawn: Path, tmp_path: Path, ignored: list[str]
) -> None:
    """These options were taken and ignored in silence."""
    file = fill(drawn, tmp_path / "answers.tsv", 55)
    refusal = shell.refused("score", "--judged", file, SYSTEMS[0], *ignored)
    assert "only --columns and --predicates go with it" in refusal


def test_where_every_pair_is_wrong_none_has_the_highest_f1(
    shell: Any, drawn: Path, tmp_path: Path
) -> None:
    file = fill(drawn, tmp_path / "answers.tsv", 55, "wrong")
    text = shell.printed("compare", "--judged", file, *SYSTEMS)
    named = "system_bad, system_good and system_near_miss have the highest F1 in the pool"
    assert text.startswith(f"{named}: 0.000.")
    assert "differ significantly from that" not in text


def test_before_the_first_verdict_nothing_is_significant(
    shell: Any, drawn: Path, tmp_path: Path
) -> None:
    file, made = fill(drawn, tmp_path / "answers.tsv", 30), tmp_path / "results"
    text = shell.printed("compare", "--judged", file, *SYSTEMS, "--out", made)
    assert text.startswith(
        "30 of 55 questions are answered: the first verdict comes after all 55. system_good has "
        "the highest F1 in the pool so far: 0."
    )
    content = shell.json("compare", "--judged", file, *SYSTEMS)
    pool, view = content["pool"], content["views"]["ifp"]
    assert (pool["verdict"], pool["whatever"], pool["if_complete"]) == (None, [], [])
    assert view["tests"]["judgements"]["p"] == [[None] * 3] * 3
    assert view["rankings"]["bergmann-hommel"]["edges"] == []
    check_page_and_paper(made, content)
    for name in ("report.html", "paper.txt"):
        shown = (made / name).read_text().partition("</style>")[2] or (made / name).read_text()
        for word in ("significant", "letters", "better"):
            body = shown.partition("<script")[0].partition("@software")[0]
            body = body.replace("lower_is_better", "")
            assert word not in body, (name, word)
    for focus in ([], ["--focus", "system_bad"]):
        printed = shell.printed("compare", "--judged", file, *SYSTEMS, *focus)
        assert "significant" not in printed
        assert "so far" in printed


@pytest.mark.needs("pdflatex")
def test_latex_compiles_the_paper_of_a_judged_sample(
    shell: Any, drawn: Path, tmp_path: Path
) -> None:
    file = fill(drawn, tmp_path / "answers.tsv", 30)
    shell.printed("compare", "--judged", file, *SYSTEMS, "--out", tmp_path / "results")
    for form in ("paper", "paper-supplement"):
        log = compiled(tmp_path / "results", form, "twocolumn")
        assert "Overfull \\hbox" not in log
        assert "Citation `" not in log


def test_all_judged_gives_the_scores_of_the_reference_within_the_pool(
    shell: Any, drawn: Path, tmp_path: Path
) -> None:
    file = fill(drawn, tmp_path / "all.tsv", 1000)
    content = shell.json("compare", "--judged", file, *SYSTEMS)
    judged = ar.compare(systems=LIBRARY.alignments, judged=file)
    for name, scores in content["scores"].items():
        assert scores["correct"] == len(
            {c.pair for c in ar.read_alignment(LIBRARY.alignments[name]) if c.relation == "="}
            & RIGHT
        )
    assert judged.answer.startswith("system_good has the best F1 in the pool")
    # the test is then that of the whole reference, on source entities
    text = shell.printed("compare", "--judged", file, *SYSTEMS)
    assert "do not differ significantly in the number of source entities answered right" in text
    assert content["pool"]["judged"] == content["pool"]["questions"] == 55


def test_a_folder_of_judged_systems_is_its_files(shell: Any, drawn: Path, tmp_path: Path) -> None:
    file = fill(drawn, tmp_path / "all.tsv", 1000)
    folder = SYSTEMS[0].parent
    contents = [shell.json("compare", "--judged", file, *of) for of in ([folder], SYSTEMS)]
    assert contents[0]["scores"] == contents[1]["scores"]


def test_new_systems_are_added_and_no_verdict_is_lost(
    shell: Any, drawn: Path, tmp_path: Path
) -> None:
    pair_of_ontologies = (LIBRARY.source, LIBRARY.target)
    blank = tmp_path / "blank questions" / drawn.name
    blank.parent.mkdir()
    blank.write_bytes(drawn.read_bytes())
    fill(drawn, drawn, 30)
    before = {(r["subject_id"], r["object_id"]): r["verdict"] for r in rows_of(drawn)}
    new = tmp_path / "new.csv"
    source, target = sorted(RIGHT)[0][0], sorted(RIGHT)[-1][1]
    new.write_text(f"entity1,entity2,relation\n{source},{target},=\n")
    text = shell.printed("sample", *pair_of_ontologies, "--add", new, "--out", drawn.parent)
    after = {(r["subject_id"], r["object_id"]): r["verdict"] for r in rows_of(drawn)}
    assert len(after) == len(before) + 1
    assert {pair: after[pair] for pair in before} == before
    assert "verdicts kept" in text
    assert "count again once the new questions before them are answered" in text
    assert ": 1 with new pairs, 25 without an answer" in text
    content = shell.json("sample", *pair_of_ontologies, "--add", new, "--out", blank.parent)
    assert (content["added"], content["open"], content["kept"]) == (1, 55, 0)
    # the earlier systems' pairs are known, but not which system has which: no forecast
    assert "will tell F1" not in text
    assert "f1_half_width" not in content


def test_python_adds_a_system_and_keeps_the_verdicts(drawn: Path) -> None:
    fill(drawn, drawn, 30)
    source, target = sorted(RIGHT)[0][0], sorted(RIGHT)[-1][1]
    new = {"new": ar.Alignment([ar.Correspondence(source, target)])}
    files = (LIBRARY.source, LIBRARY.target)
    before = [row["verdict"] for row in rows_of(drawn) if row["verdict"]]
    assert ar.sample(*files, new, out=drawn.parent, add=True) == drawn
    assert [row["verdict"] for row in rows_of(drawn) if row["verdict"]] == before
    with pytest.raises(ValueError, match="draw questions first, without add="):
        ar.sample(*files, new, out=drawn.parent / "nowhere", add=True)
    for nothing in (None, {}):
        with pytest.raises(ValueError, match=r"add=True: name the new systems \(systems="):
            ar.sample(*files, nothing, out=drawn.parent, add=True)


def wide_task(folder: Path, classes: int) -> tuple[list[Path], list[Path]]:
    """Two ontologies, and two systems that disagree on a third of their classes."""
    ontologies, systems = [folder / "a.ttl", folder / "b.ttl"], [folder / "m.csv", folder / "n.csv"]
    prefix = "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    for path in ontologies:
        lines = (f"<http://{path.stem}#{k:03}> a owl:Class ." for k in range(classes))
        path.write_text(prefix + "\n".join(lines))
    for shift, path in enumerate(systems):
        lines = (
            f"http://a#{k:03},http://b#{(k + shift * (k % 3 == 0)) % classes:03}"
            for k in range(classes)
        )
        path.write_text("entity1,entity2\n" + "\n".join(lines) + "\n")
    return ontologies, systems


def test_the_list_of_verdicts_is_drawn_with_the_questions_and_stays(
    shell: Any, tmp_path: Path
) -> None:
    ontologies, systems = wide_task(tmp_path, 120)
    out = tmp_path / "judge"
    text = shell.printed("sample", *ontologies, *systems, "--out", out)
    assert "Verdicts come after 50, 90 and all 120 answers: look as often as you like." in text
    assert "(97.5%, the first verdict's level)" in text
    assert "verdicts=50%2090|" in (out / "questions.sssom.tsv").read_text()
    again = (*ontologies, *systems, "--out", out, "--overwrite", "--first-verdict")
    assert shell.json("sample", *again, 60)["verdicts"] == [60, 90]
    assert shell.json("sample", *again, 100)["verdicts"] == []
    assert "50" in shell.refused("sample", *again, 49)
    with pytest.raises(ValueError, match="first_verdict=49 is below 50"):
        ar.sample(*ontologies, dict(zip("mn", systems, strict=True)), out=out, first_verdict=49)
    shell.printed("sample", *again, 50)
    file = fill(out / "questions.sssom.tsv", out / "questions.sssom.tsv", 70, "right")
    answers = shell.json("compare", "--judged", file, *systems)["pool"]
    assert (answers["judged"], answers["verdict"]["answers"]) == (70, 50)
    add = (*ontologies, "--add", tmp_path / "later.csv", "--out", out)
    (tmp_path / "later.csv").write_text("entity1,entity2\nhttp://a#001,http://b#009\n")
    refused = shell.refused("sample", *add, "--first-verdict", 60)
    assert refused.count("leave out --first-verdict: with --add the list") == 1
    text = shell.printed("sample", *add)
    assert "The next verdict comes after" in text
    assert "questions of the new order are answered" in text
    assert "verdicts=50%2090|" in file.read_text()


def test_mistakes_are_refused_in_one_line(shell: Any, drawn: Path, tmp_path: Path) -> None:
    pair, folder = (LIBRARY.source, LIBRARY.target), drawn.parent
    assert "which --overwrite deletes" in shell.refused("sample", *pair, *SYSTEMS, "--out", folder)
    nowhere = tmp_path / "nowhere"
    add = ("--add", SYSTEMS[0])
    assert "holds no questions.sssom.tsv" in shell.refused("sample", *pair, *add, "--out", nowhere)
    swapped = (LIBRARY.target, LIBRARY.source)
    assert "other ontologies" in shell.refused("sample", *swapped, *add, "--out", folder)
    empty = tmp_path / "empty.csv"
    empty.write_text("entity1,entity2,relation\n")
    assert "no equivalence" in shell.refused("sample", *pair, empty, "--out", nowhere)

    def compared(file: Path, *systems: Path) -> str:
        return str(shell.refused("compare", "--judged", file, *(systems or SYSTEMS)))

    assert "no row is judged" in compared(drawn)
    answers = fill(drawn, tmp_path / "answers.tsv", 30)
    assert "a reference does not belong" in compared(answers, LIBRARY.reference, *SYSTEMS)
    assert "leave it out" in shell.refused(
        "compare", "--judged", answers, *SYSTEMS, "--measure", "f1"
    )
    unknown = fill(drawn, tmp_path / "unknown.tsv", 1, "perhaps")
    assert "unknown verdict 'perhaps'" in compared(unknown)
    lines = answers.read_text().splitlines()
    shorter = tmp_path / "shorter.tsv"
    shorter.write_text("\n".join([*lines[:20], *lines[21:]]) + "\n")
    assert "its 79 pairs are not those drawn" in compared(shorter)
    double = tmp_path / "double.tsv"
    double.write_text("\n".join([*lines, lines[-1]]) + "\n")
    assert "1 pair doubled" in compared(double)


def test_rows_in_another_order_say_the_same(shell: Any, drawn: Path, tmp_path: Path) -> None:
    answers = fill(drawn, tmp_path / "answers.tsv", 30)
    lines = answers.read_text().splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("question"))
    turned = tmp_path / "turned.tsv"
    turned.write_text("\n".join([*lines[: start + 1], *lines[:start:-1]]) + "\n")
    contents = [shell.json("compare", "--judged", f, *SYSTEMS) for f in (answers, turned)]
    assert contents[0]["pool"] == contents[1]["pool"]


def test_what_is_not_the_beginning_is_said_first(shell: Any, drawn: Path, tmp_path: Path) -> None:
    file = fill(drawn, tmp_path / "gap.tsv", 30)
    rows = file.read_text().splitlines()
    emptied = [
        row.replace("right", "").replace("wrong", "") if row[:2] == "5\t" else row for row in rows
    ]
    file.write_text("\n".join(emptied) + "\n")
    code, _, errors = shell("compare", "--judged", file, *SYSTEMS)
    assert code == 0
    assert errors.startswith("! 25 judged questions after question 4 are not used")


def test_two_judges_are_compared(shell: Any, drawn: Path, tmp_path: Path) -> None:
    first = fill(drawn, tmp_path / "first.tsv", 30)
    second = tmp_path / "second.tsv"
    second.write_text(first.read_text().replace("\tright\t", "\twrong\t", 1))
    options = ("--judged", first, "--judged", second)
    out = tmp_path / "results"
    cautions = shell.json("compare", *options, *SYSTEMS, "--out", out)["cautions"]
    texts = " ".join(caution["text"] for caution in cautions)
    header, disputed = (out / "tables" / "disputed.csv").read_text().splitlines()
    assert header == "entity1,entity2"
    assert disputed.replace(",", " = ") in texts
    assert "The two judges agree on" in texts
    assert "Disputed, counted as cannot tell: http" in texts


def test_a_judge_with_broader_rows_is_told_how_many_are_left_out(
    shell: Any, tmp_path: Path
) -> None:
    judges = [tmp_path / "first.csv", tmp_path / "second.csv"]
    rows = ["entity1,entity2,relation,verdict", *(f"{s},{t},=,right" for s, t in sorted(RIGHT))]
    for judge in judges:
        judge.write_text("\n".join(rows) + "\n")
        rows[1] = rows[1].replace(",=,", ",<,")
    options = [option for judge in judges for option in ("--judged", judge)]
    text = shell.refused("compare", *options, *SYSTEMS)
    assert f"no equivalence: 1 row of {judges[1]}" in text


def test_judges_whose_kappa_or_error_rate_is_not_defined(
    shell: Any, drawn: Path, tmp_path: Path
) -> None:
    right = fill(drawn, tmp_path / "right.tsv", 30, "right")
    wrong = fill(drawn, tmp_path / "wrong.tsv", 30, "wrong")

    def said(second: Path) -> str:
        options = ("--judged", right, "--judged", second)
        cautions = shell.json("compare", *options, *SYSTEMS)["cautions"]
        return str(cautions[0]["text"])

    assert said(right).endswith("(AC1 1.00): each errs in about 0.0% of the pairs.")
    assert said(wrong).endswith(
        "one of them has taken right for wrong, or they judged by different rules."
    )


def test_a_plain_table_of_verdicts_is_read(shell: Any, tmp_path: Path) -> None:
    file = tmp_path / "verdicts.csv"
    pairs = {c.pair for f in SYSTEMS for c in ar.read_alignment(f) if c.relation == "="}
    rows = [f"{s},{t},{'right' if (s, t) in RIGHT else 'wrong'}" for s, t in sorted(pairs)]
    file.write_text("\n".join(["entity1,entity2,verdict", *rows]) + "\n")
    content = shell.json("compare", "--judged", file, *SYSTEMS)
    assert content["scores"]["system_good"]["correct"] == 42


NARROW: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}


def saved(tab: Any, out: Path) -> Path:
    saved_file(tab, out, "questions.sssom.tsv")
    assert "alignrank compare --judged FILE" in tab.inner_text("#saved")
    return out


def test_the_page_is_answered_by_keys_and_keeps_the_answers(
    opened: Pages, shell: Any, drawn: Path, tmp_path: Path
) -> None:
    tab = opened(drawn.parent / "judge.html", **NARROW)
    assert tab.get_attribute("body", "data-ready") == "yes"
    for name in LIBRARY.alignments:
        assert name not in tab.inner_text("body")
    assert saved(tab, tmp_path / "empty.tsv").read_text() == drawn.read_text()
    keys = "rwcr" + "w" * 20
    for key in keys:
        tab.keyboard.press(key)
    tab.keyboard.press("u")
    progress = tab.inner_text("#progress")
    reload(tab)
    assert tab.inner_text("#progress") == progress
    rows = rows_of(saved(tab, tmp_path / "some.tsv"))
    verdicts = [row["verdict"] for row in rows]
    expected = ["right", "wrong", "cannot tell", "right", *["wrong"] * 19]
    assert verdicts == [*expected, *[""] * (len(rows) - len(expected))]
    assert rows[1]["predicate_modifier"] == "Not"
    assert rows[2]["reviewer_agreement"] == "0"
    assert rows[0]["mapping_justification"] == "semapv:ManualMappingCuration"
    content = shell.json("compare", "--judged", tmp_path / "some.tsv", *SYSTEMS)
    assert content["pool"]["cannot_tell"] == 1
    width = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert tab.evaluate(width)
    background = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == "rgb(20, 24, 29)"
    while tab.locator("#question").is_visible():
        tab.keyboard.press("r")
    assert tab.locator("#done").is_visible()
    tab.keyboard.press("u")
    assert tab.locator("#question").is_visible()


def test_the_page_keeps_300_answers_and_shows_labels_as_text(opened: Pages, tmp_path: Path) -> None:
    entities = [
        f"<http://{side}#{k}> a <http://www.w3.org/2002/07/owl#Class> ; "
        f'<http://www.w3.org/2000/01/rdf-schema#label> "<b>\\"{k}\\"</b>\\t</script>" .'
        for side in "ab"
        for k in range(320)
    ]
    files = [tmp_path / f"{side}.ttl" for side in "ab"]
    for file, part in zip(files, (entities[:320], entities[320:]), strict=True):
        file.write_text("\n".join(part))
    pairs = (ar.Correspondence(f"http://a#{k}", f"http://b#{k}") for k in range(320))
    path = ar.sample(*files, {"all": ar.Alignment(pairs)}, out=tmp_path / "judge")
    tab = opened(path.parent / "judge.html", **NARROW)
    assert tab.inner_text("#source h3").startswith('<b>"')
    for _ in range(300):
        tab.keyboard.press("r")
    progress = tab.locator("#progress", has_text=re.compile("^300 of 320 questions answered$"))
    progress.wait_for()  # a busy machine is behind the keys
    reload(tab)
    progress.wait_for()
    answers = ar.read_alignment(saved(tab, tmp_path / "saved.sssom.tsv"))
    assert len(answers) == 320


def test_files_of_sssom_curator_are_one_judges_answers(shell: Any, tmp_path: Path) -> None:
    pairs = sorted({c.pair for f in SYSTEMS for c in ar.read_alignment(f) if c.relation == "="})
    head = "subject_id\tpredicate_id\tobject_id\tmapping_justification\tpredicate_modifier"
    cells = {
        "positive": "skos:exactMatch\t{}\tsemapv:ManualMappingCuration\t\t",
        "negative": "skos:exactMatch\t{}\tsemapv:ManualMappingCuration\tNot\t",
        "unsure": "skos:exactMatch\t{}\tsemapv:LexicalMatching\t\t0.0",
    }
    rows: dict[str, list[str]] = {name: [f"{head}\treviewer_agreement"] for name in cells}
    for k, (source, target) in enumerate(pairs):
        name = "unsure" if k < 2 else "positive" if (source, target) in RIGHT else "negative"
        rows[name].append(f"{source}\t{cells[name].format(target)}")
    options: list[str | Path] = []
    for name, lines in rows.items():
        file = tmp_path / f"{name}.sssom.tsv"
        file.write_text("\n".join(lines) + "\n")
        options += ["--judged", file]
    pool = shell.json("compare", *options, *SYSTEMS)["pool"]
    assert (pool["judged"], pool["questions"], pool["cannot_tell"]) == (55, 55, 2)
    printed = " ".join(
        shell.printed("compare", *options, *SYSTEMS, "--out", tmp_path / "out").split()
    )
    assert (
        "All 55 questions are judged, 2 pairs as cannot tell: intervals hold the result with all "
        "of them right and the one with all of them wrong."
    ) in printed
    page = " ".join((tmp_path / "out" / "report.html").read_text().split())
    assert "In brackets: limits that hold for all pairs together." in page
    again = ar.compare(systems=LIBRARY.alignments, judged=options[1::2])
    assert again.answer.startswith("system_good has the best F1")
    assert "share pairs" in shell.refused("compare", *options, *options[:2], *SYSTEMS)


def test_a_pair_of_another_relation_does_not_hide_swapped_ontologies(
    shell: Any, tmp_path: Path
) -> None:
    good = ar.read_alignment(LIBRARY.alignments["system_good"])
    narrower = [ar.Correspondence(*pair, "<") for pair in sorted(good.pairs)[:1]]
    turned = [ar.Correspondence(entity2, entity1) for entity1, entity2 in good.pairs]
    ar.write_alignment(ar.Alignment([*turned, *narrower]), tmp_path / "mine.rdf")
    words = ("sample", LIBRARY.source, LIBRARY.target, tmp_path / "mine.rdf")
    assert "swap the ontologies" in shell.refused(*words, "--out", tmp_path / "judge")


CONCEPTS = """@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix obo: <http://www.geneontology.org/formats/oboInOwl#> .
obo:DbXref a owl:Class ; rdfs:label "DbXref" .
<http://{0}#node> a obo:Synonym ; rdfs:label "a synonym" .
<http://{0}#old> a owl:Class ; owl:deprecated true ; rdfs:label "old" .
<http://{0}#leg> a owl:Class ; rdfs:label "leg" .
<http://{0}#arm> a owl:Class ; rdfs:label "arm" .
"""


def test_nobody_is_asked_about_vocabulary_and_nodes_of_texts(shell: Any, tmp_path: Path) -> None:
    ontologies = [tmp_path / f"{name}.ttl" for name in "ab"]
    for path in ontologies:
        path.write_text(CONCEPTS.format(path.stem))
    term = "http://www.geneontology.org/formats/oboInOwl#DbXref"
    ends = {name: (f"http://a#{name}", f"http://b#{name}") for name in ("node", "old", "leg")}
    ends["term"] = (term, term)
    systems = []
    for name, parts in {"mine": ["term", "node", "leg"], "rival": ["term", "leg", "old"]}.items():
        rows = ("{},{},=".format(*ends[part]) for part in parts)
        systems.append(tmp_path / f"{name}.csv")
        systems[-1].write_text("\n".join(["entity1,entity2,relation", *rows, ""]))
    judge = tmp_path / "judge"
    _, out, err = shell("sample", *ontologies, *systems, "--out", judge)
    assert out.startswith("2 questions"), "leg and old"
    assert "vocabulary such as oboInOwl: 1 pair of mine, 1 pair of rival" in err
    assert "references: 1 pair of mine" in err
    file = judge / "questions.sssom.tsv"
    later = tmp_path / "later.csv"
    later.write_text("entity1,entity2\nhttp://a#arm,http://b#arm\nhttp://a#node,http://b#leg\n")
    shell.printed("sample", *ontologies, "--add", later, "--out", judge)
    answers = tmp_path / "answers.tsv"
    text = file.read_text().replace("\t\t\tskos:exactMatch", "\tright\t\tskos:exactMatch")
    answers.write_text(text)
    files = [*systems, later]
    content = shell.json("compare", "--judged", answers, *files)
    assert content["pool"]["pairs"] == 3
    assert [content["scores"][name]["precision"] for name in ("mine", "rival", "later")] == [1] * 3
    assert any("1 pair of mine" in str(caution) for caution in content["cautions"])
    scored = shell.json("score", "--judged", answers, *files)
    assert scored["measures"]["precision"]["value"] == [1, 1, 1]
    compared = ar.compare(systems={path.stem: path for path in files}, judged=answers)
    assert "rival has the best F1 in the pool: 0.800" in compared.answer
