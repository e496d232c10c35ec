"""Numbers of answers at which a judged sample gives a verdict, and the level of each.

Who looks at a sample after every ten answers finds a false difference in a third of the samples.
Verdicts therefore come at a list of numbers that is fixed when the questions are drawn; the k-th
(k = 0, 1, …) has the level α / 2^(k + 1). The levels sum to at most α: all verdicts together hold
at α under any dependence (Bonferroni), however often the judge looks in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: Simulations checked the intervals from this number of questions on; fewer allow no forecast.
ENOUGH_QUESTIONS = 50
#: The number of answers at which the first verdict comes.
FIRST_VERDICT = 100
#: Verdicts double up to the first share of the questions; one more comes at the second share.
DOUBLED_UNTIL, LAST_SHARE = 0.6, 0.75


def verdict_numbers(questions: int, first: int = FIRST_VERDICT) -> tuple[int, ...]:
    """Return the numbers of answers at which a pool of questions gives a verdict before its last.

    The last verdict comes when all questions are answered, and is not in the list.

    Parameters
    ----------
    questions
        The number of questions in the pool.
    first
        The number of answers at the first verdict.

    Examples
    --------
    >>> verdict_numbers(402), verdict_numbers(1607)
    ((100, 200, 300), (100, 200, 400, 800, 1200))
    >>> verdict_numbers(130)
    ()
    """
    doubled = (first * 2**k for k in range(64))
    numbers = [number for number in doubled if number <= DOUBLED_UNTIL * questions]
    late = int(LAST_SHARE * questions) // 10 * 10
    if late >= max([first, *(number + 1 for number in numbers)]):
        numbers.append(late)
    return tuple(numbers)


def usual_first(questions: int) -> int:
    """Return the number of answers at the first verdict where nobody chose one.

    Half of `FIRST_VERDICT` for a pool that would have no verdict before its last otherwise.

    Examples
    --------
    >>> usual_first(402), usual_first(120), usual_first(80)
    (100, 50, 100)
    """
    is_small = not verdict_numbers(questions) and DOUBLED_UNTIL * questions >= ENOUGH_QUESTIONS
    return ENOUGH_QUESTIONS if is_small else FIRST_VERDICT


def extended_numbers(earlier: Sequence[int], answered: int, questions: int) -> tuple[int, ...]:
    """Return the list after questions were added: the numbers reached, then those by the rule.

    Parameters
    ----------
    earlier
        The list before.
    answered
        The number of answers at the beginning of the order before.
    questions
        The number of questions now.

    Examples
    --------
    >>> extended_numbers((100, 200, 300), 310, 1607)
    (100, 200, 300, 400, 800, 1200)
    """
    reached = [number for number in earlier if number <= answered]
    first = earlier[0] if earlier else usual_first(questions)
    later = verdict_numbers(questions, first)
    return (*reached, *(number for number in later if number > max(reached, default=0)))


def numbers_text(numbers: Sequence[int], questions: int) -> str:
    """Return when verdicts come, to follow "after".

    Examples
    --------
    >>> numbers_text((100, 200, 300), 402)
    '100, 200, 300 and all 402 answers'
    >>> numbers_text((100, 200, 400, 800, 1200), 1607)
    '100, 200, 400 … answers'
    >>> numbers_text((), 80)
    'all 80 answers'
    """
    listed = ", ".join(f"{number:,}" for number in numbers[:3])
    if len(numbers) > 3:
        return f"{listed} … answers"
    return " and ".join(filter(None, [listed, f"all {questions:,} answers"]))


@dataclass(frozen=True)
class Verdict:
    """The last verdict of a judged sample.

    Parameters
    ----------
    list
        The numbers of answers at which verdicts come before all questions are answered.
    answers
        The number of answers that it rests on: the first ones in the order.
    number
        Its place among the verdicts, from 1.
    alpha, level
        Its level, and that of its intervals, 1 − alpha.
    next
        The number of answers at the next verdict; None after the last.
    exact
        Whether every question is answered right or wrong: F1 in the pool is exact.
    recorded
        Whether the file of questions names the list.
    """

    list: tuple[int, ...]
    answers: int
    number: int
    alpha: float
    level: float
    next: int | None
    exact: bool
    recorded: bool


@dataclass(frozen=True)
class Schedule:
    """When a sample gives verdicts.

    Parameters
    ----------
    numbers
        As `verdict_numbers` returns them.
    questions
        The number of questions in the pool.
    is_drawn
        Whether the questions were drawn in an order; else there is one verdict, on all answers.
    is_recorded
        Whether the file names the numbers.

    Examples
    --------
    >>> schedule = Schedule((100, 200, 400), 700)
    >>> verdict = schedule.verdict(237, 0.05)
    >>> verdict.answers, verdict.number, verdict.alpha, verdict.next
    (200, 2, 0.0125, 400)
    >>> schedule.next_after(400), schedule.verdict(99, 0.05)
    (700, None)
    """

    numbers: tuple[int, ...]
    questions: int
    is_drawn: bool = True
    is_recorded: bool = True

    def level_of(self, answers: int, alpha: float) -> float:
        """Return the level of the verdict at a number of answers, one of the list or all."""
        if not self.is_drawn:
            return alpha
        return alpha * 0.5 ** (1 + sum(number < answers for number in self.numbers))

    def next_after(self, answers: int) -> int | None:
        """Return the number of answers at the first verdict after so many; None: there is none."""
        if not self.is_drawn:
            return None
        later = (number for number in (*self.numbers, self.questions) if number > answers)
        return next(later, None)

    def verdict(self, answered: int, alpha: float, *, is_exact: bool = False) -> Verdict | None:
        """Return the last verdict after so many answers; None before the first.

        Parameters
        ----------
        answered
            The number of answers at the beginning of the order.
        alpha
            The level of all verdicts together.
        is_exact
            Whether every question is answered right or wrong.
        """
        reached = [n for n in (*self.numbers, self.questions) if n <= answered]
        if not self.is_drawn:
            reached = [answered]
        if not reached:
            return None
        own = alpha if is_exact else self.level_of(reached[-1], alpha)
        return Verdict(
            self.numbers,
            reached[-1],
            len(reached),
            own,
            1 - own,
            self.next_after(reached[-1]),
            is_exact,
            self.is_recorded and self.is_drawn,
        )
