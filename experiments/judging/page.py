"""The page that asks a judge the questions: blind, with no hint at any system."""

from __future__ import annotations

from alignrank.evaluation.judged.verdicts import numbers_text
from alignrank.experiments.report.html import asset
from alignrank.experiments.report.pairs_page import SAVE, UNDO, Button, entities, page_of_pairs
from alignrank.ontologies import Ontology

from .questions_file import CELLS, COLUMNS, QuestionsFile

QUESTION_BUTTONS = (
    Button("right", "Right", "r", "right"),
    Button("wrong", "Wrong", "w", "wrong"),
    Button("unsure", "Cannot tell", "c", "cannot tell"),
    UNDO,
    SAVE,
)


def judge_page(file: QuestionsFile, source: Ontology, target: Ontology) -> str:
    """Return the page for a file of questions."""
    data = {
        "draw": file.draw,
        "name": "questions.sssom.tsv",
        "saved": "The file is where your browser keeps downloads. Put it over the file "
        "questions.sssom.tsv beside this page, or name it: alignrank compare --judged FILE",
        "header": file.header,
        "columns": list(COLUMNS),
        "cells": CELLS,
        "rows": [[row.get(column, "") for column in COLUMNS] for row in file.rows],
        "verdicts": list(file.verdicts),
        "questions": [list(rows) for rows in file.questions],
        "verdictsAfter": [*file.verdict_numbers, len(file.questions)],
        **entities(file.pairs, source, target),
    }
    listed = numbers_text(file.verdict_numbers, len(file.questions))
    return page_of_pairs(
        data,
        "Are these the same?",
        QUESTION_BUTTONS,
        asset("judge-help.html").format(verdicts=listed),
        body=asset("judge.html"),
        script=asset("judge.js") + asset("verdicts.js"),
    )
