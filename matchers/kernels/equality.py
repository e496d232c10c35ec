"""Equality: labels in groups, so that only equal pairs are looked at."""

from __future__ import annotations

from .family import Family, Job, Outputs, Work


def _prepare(job: Job) -> Work:
    columns: dict[str, list[int]] = {}
    for j, target in enumerate(job.targets):
        columns.setdefault(target, []).append(j)

    def work(first: int, last: int, outs: Outputs) -> None:
        pairs = [
            (row, column)
            for row, source in enumerate(job.sources[first:last])
            for column in columns.get(source, ())
        ]
        if pairs:
            for out in outs.values():
                out[tuple(zip(*pairs, strict=True))] = 1.0

    return work


FAMILIES = (Family(("equality", "ontosim-equality"), _prepare, sparse=True),)
