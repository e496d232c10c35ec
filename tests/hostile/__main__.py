"""Try many hostile files: ``python -m tests.hostile --cases 20000``.

Prints how many of each category were tried and answered well; a run of 20,000 over all categories
writes that into ``docs/robustness.md`` too. The first file of each failure is made small and kept.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter, defaultdict

from tests.hostile.minimise import keep, minimised
from tests.hostile.readers import KINDS, Case, cases
from tests.hostile.runner import PROJECT, Outcome, Worker, answers

_PAGE = PROJECT / "docs" / "robustness.md"
_TABLE = re.compile(r"(?<=<!-- hostile files -->\n\n).*?(?=\n<!-- end -->)", re.S)


def main() -> int:
    """Try the cases that the command line asks for; return 1 if one is not answered well."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", metavar="CATEGORY", choices=KINDS, help=", ".join(KINDS))
    asked = parser.parse_args()
    categories = [asked.only] if asked.only else list(KINDS)
    tried: defaultdict[str, Counter[str]] = defaultdict(Counter)
    failures: dict[tuple[str, str, str], tuple[Case, Outcome]] = {}
    for case, outcome in answers(cases(asked.cases, asked.seed, categories), os.cpu_count() or 1):
        tried[case.category][outcome.kind] += 1
        if not outcome.well:
            failure = case.category, outcome.kind, _what(outcome)
            known, _ = failures.setdefault(failure, (case, outcome))
            if len(case.data) < len(known.data):
                failures[failure] = case, outcome
    table = _table(tried)
    print(table)
    for case, outcome in failures.values():
        print(f"{case.category}: {outcome.kind}: {outcome.said}\n  {_kept(case, outcome)}")
    if not asked.only and asked.cases >= 20_000:
        page = _PAGE.read_text(encoding="utf-8")
        _PAGE.write_text(_TABLE.sub(lambda _: table + "\n", page), encoding="utf-8")
    return int(bool(failures))


def _table(tried: dict[str, Counter[str]]) -> str:
    """Return how many cases of each category were tried and answered well, in Markdown."""
    rows = [
        (name, found.total(), found["read"] + found["refused"], found["read"], found["refused"])
        for name, found in sorted(tried.items(), key=lambda item: list(KINDS).index(item[0]))
    ]
    rows.append(("all", *(sum(numbers) for numbers in list(zip(*rows, strict=True))[1:])))
    heading = "| category | tried | answered well | read | refused |\n|:---|---:|---:|---:|---:|"
    return "\n".join([heading, *("| {} | {:,} | {:,} | {:,} | {:,} |".format(*r) for r in rows)])


def _kept(case: Case, outcome: Outcome) -> str:
    """Make a failing case small, and return the file that keeps it."""
    worker = Worker()

    def fails(data: bytes) -> bool:
        found = worker.answer(Case(case.category, data))
        return (found.kind, _what(found)) == (outcome.kind, _what(outcome))

    try:
        return str(keep(Case(case.category, minimised(case.data, fails))).relative_to(PROJECT))
    finally:
        worker.stop()


def _what(outcome: Outcome) -> str:
    """Return an outcome's error and place, without its words."""
    return outcome.said.partition(" (")[0] if outcome.kind == "traceback" else ""


if __name__ == "__main__":
    sys.exit(main())
