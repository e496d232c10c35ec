"""Draw the questions that a judge answers, and write the page that asks them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from shlex import quote

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import Argument, EvaluationError
from alignrank.common.files import write_text
from alignrank.common.names import count
from alignrank.common.results import Caution
from alignrank.evaluation.judged.draw import Questions, Schedule, draw, numbers_text
from alignrank.evaluation.judged.judgements import Judgements, read_judgements
from alignrank.evaluation.judged.pool import Pair, no_concepts, of_concepts
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.named_inputs import labels, named_files
from alignrank.experiments.ranking.matching import match_ontologies
from alignrank.experiments.report.console import finish, print_cautions, print_prose
from alignrank.experiments.results.folder import check_free, results_folder
from alignrank.matchers import Settings, get_metric
from alignrank.matchers.by_name import FAMILIES
from alignrank.matchers.settings import DEFAULT_METRIC, default_threshold
from alignrank.ontologies import Alignment, Ontology, load_pair, read_alignment
from alignrank.ontologies.formats.joined import is_joined_file, joined_tables
from alignrank.ontologies.tasks.reader import AlignmentReader

from .questions_file import ONTOLOGIES, QuestionsFile, judge_page, questions_file

#: The names of the two files that `sample` writes.
FILE, PAGE = "questions.sssom.tsv", "judge.html"


@dataclass(frozen=True)
class Drawn:
    """What `sample` draws: the questions, the file that holds them, what the reader must know."""

    questions: Questions
    file: QuestionsFile
    cautions: Sequence[Caution]


def sample(
    source: Path,
    target: Path | None = None,
    alignments: Sequence[str] = (),
    *,
    out: Path = Path("judge"),
    add: Sequence[str] = (),
    seed: int = DEFAULTS.seed,
    first_verdict: int | None = None,
    imports: Path | None = None,
    label_properties: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    predicates: Sequence[str] = (),
    overwrite: bool = False,
) -> None:
    """Draw questions for a judge where there is no reference, and a page.

    Without alignments, the nine standard metrics and the default matcher propose the pairs.

    Example: alignrank sample a.owl b.owl AML.rdf LogMap.rdf mine.rdf --out judge

    Example: alignrank sample a.owl b.owl --add new.rdf --out judge

    Example: alignrank sample edges.csv other.csv --out judge (joined tables)
    """
    joined = is_joined_file(source)
    if joined:
        alignments = [str(source), *(() if target is None else [str(target)]), *alignments]
    elif target is None:
        raise ExperimentError("name the target ontology, too, or a joined table alone")
    earlier_file = out / FILE
    if add:
        check_drawn(out)
        if alignments and not joined:
            raise ExperimentError("--add names the new systems: leave the other alignments out")
    else:
        if earlier_file.is_file() and not overwrite:
            raise ExperimentError(
                f"{out} holds questions, and perhaps answers, which --overwrite deletes: name "
                "another folder with --out, or new systems with --add"
            )
        check_free(out, overwrite=overwrite)
    files = named_files(add or alignments)
    reader = AlignmentReader(columns, predicates).among(files.values())
    systems = {name: reader.system(path, name) for name, path in files.items()}
    if joined or target is None:
        tables = [*systems.values(), *(map(read_alignment, alignments) if add else ())]
        ontologies = joined_tables(tables)
    else:
        ontologies = load_pair(source, target, imports=imports, label_properties=label_properties)
    earlier = None
    if add:
        earlier = earlier_judgements(out, ontologies)
    drawn = draw_questions(
        *ontologies, systems, seed=seed, earlier=earlier, first_verdict=first_verdict
    )
    write_questions(drawn, *ontologies, out, overwrite=overwrite or bool(add))
    questions = drawn.questions
    number = len(questions.order)
    open_questions = sum(drawn.file.is_open)
    added = 0
    state = ""
    if earlier is not None:
        added = len({source for source, _ in set(questions.pool.pairs) - earlier.pairs})
        state = f": {added:,} with new pairs, {open_questions:,} without an answer"
    print_prose(
        f"{count(number, 'question')} in {quote(str(out / FILE))}, the most telling first{state}. "
        f"Open {quote(str(out / PAGE))}."
    )
    numbers, answers, level = questions.verdict_numbers, number // 2, DEFAULTS.level
    if earlier is not None:
        print_prose(_next_verdict(drawn.file))
    elif numbers:
        listed = numbers_text(numbers, number)
        print_prose(f"Verdicts come after {listed}: look as often as you like.")
        answers, level = (
            numbers[0],
            1 - Schedule(numbers, number).level_of(numbers[0], DEFAULTS.alpha),
        )
    else:
        pool = count(number, "question")
        print_prose(f"The pool has {pool}: the verdict comes when all are answered.")
    widths = {}
    # which earlier system proposed which pair is not known: no forecast with --add
    if answers and earlier is None:
        f1, difference = questions.expected_half_widths(answers, level)
        widths = {"answers": answers, "f1_half_width": f1, "difference_half_width": difference}
        sentence = f"{count(answers, 'answer')} will tell F1 to about ± {f1:.3f}"
        if difference:
            sentence += f", and differences of F1 to about ± {difference:.3f}"
        if numbers:
            sentence += f" ({100 * level:g}%, the first verdict's level)."
        else:
            sentence += f" ({level:.0%})."
        print_prose(sentence)
    kept = sum(verdict != "" for verdict in drawn.file.verdicts)
    if kept:
        print_prose(f"{count(kept, 'verdict')} kept; answers in the browser are kept, too.")
        if added:
            print_prose("They count again once the new questions before them are answered.")
    elif add:
        print_prose(
            f"No answer was in {quote(str(earlier_file))}: put the file there that you saved, and "
            "repeat this command. Answers in the browser are kept."
        )
    print_cautions(drawn.cautions)
    content = {
        "questions": number,
        "pairs": len(questions.pool.pairs),
        "file": str(out / FILE),
        "page": str(out / PAGE),
        "verdicts": list(numbers),
        **widths,
        "kept": kept,
        "added": added,
        "open": open_questions,
        "cautions": [str(caution) for caution in drawn.cautions],
    }
    finish(content)


def _next_verdict(file: QuestionsFile) -> str:
    """Say when the next verdict comes, and how many questions are answered."""
    questions = len(file.questions)
    following = Schedule(file.verdict_numbers, questions).next_after(file.beginning)
    if following is None:
        return f"All {questions:,} questions are answered."
    after = f"{following:,}"
    if following == questions:
        after = f"all {questions:,}"
    return (
        f"The next verdict comes after {after} answers; the first {file.beginning:,} questions of "
        "the new order are answered."
    )


def draw_questions(
    source: Ontology,
    target: Ontology,
    systems: Mapping[str, Alignment],
    *,
    seed: int = DEFAULTS.seed,
    earlier: Judgements | None = None,
    first_verdict: int | None = None,
) -> Drawn:
    """Draw the questions of the systems, without any those of our own metrics.

    Raises
    ------
    ExperimentError
        If a system proposes no equivalence of these ontologies.
    """
    if not systems:
        systems = own_systems(source, target)
    for name, alignment in systems.items():
        columns, place = alignment.columns, alignment.path or name
        if "=" not in columns.relation:
            raise ExperimentError(f"{place} holds no equivalence: leave it out")
        equal = (key[:2] for key in columns.row_keys() if key[2] == "=")
        if not any(pair[0] in source and pair[1] in target for pair in equal):
            raise ExperimentError(
                f"{place} holds no pair of {source.path} and {target.path}: swap the ontologies, "
                "or name those of the alignments"
            )
    digests = {name: alignment.sha256 for name, alignment in systems.items()}
    asked, left_out, verdicts = set[str](), dict[str, str](), dict[Pair, float]()
    if earlier is not None:
        asked, left_out = set(chain.from_iterable(earlier.pairs)), dict(earlier.left_out)
        digests, verdicts = {**earlier.digests, **digests}, dict(earlier.verdicts)
    reasons = no_concepts(systems, source, target, asked)
    matched, cautions = of_concepts(systems, reasons)
    reasons |= left_out
    questions = draw(matched, seed=str(seed), earlier=earlier, first_verdict=first_verdict)
    file = questions_file(
        questions,
        labels(source, target),
        digests,
        verdicts,
        (source.sha256, target.sha256),
        reasons,
    )
    return Drawn(questions, file, cautions)


def write_questions(
    drawn: Drawn, source: Ontology, target: Ontology, out: Path, *, overwrite: bool = False
) -> Path:
    """Write the questions and their page into a folder; return the file of questions."""
    with results_folder(out, overwrite=overwrite) as folder:
        write_text(folder / FILE, drawn.file.to_text())
        write_text(folder / PAGE, judge_page(drawn.file, source, target))
    return out / FILE


def own_systems(source: Ontology, target: Ontology) -> dict[str, Alignment]:
    """Return what the nine standard metrics and the default matcher find."""
    systems = {}
    for name in (*FAMILIES["standard"], DEFAULT_METRIC):
        settings = Settings(threshold=default_threshold(name))
        matching, _, _ = match_ontologies(source, target, get_metric(name), settings)
        if len(matching.alignment):
            systems[name] = matching.alignment
    if not systems:
        raise ExperimentError("no metric finds a pair: name the systems' alignments")
    return systems


def check_drawn(out: Path) -> None:
    """Refuse a folder without questions, to which no system can be added."""
    if not (out / FILE).is_file():
        raise EvaluationError(
            f"{Argument('add')}: {out} holds no {FILE}: draw questions first, without "
            f"{Argument('add')}"
        )


def earlier_judgements(out: Path, ontologies: tuple[Ontology, Ontology]) -> Judgements:
    """Return the judgements in a folder of questions that were drawn from the same ontologies."""
    check_drawn(out)
    alignment = read_alignment(out / FILE)
    for name, ontology in zip(ONTOLOGIES, ontologies, strict=True):
        if alignment.metadata.get(name) != ontology.sha256:
            raise EvaluationError(
                f"{Argument('add')}: {alignment.path} was drawn from other ontologies than "
                f"{ontology.path}: "
                "name the same two, or another folder"
            )
    return read_judgements(alignment)
