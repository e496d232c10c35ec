"""Make a failing file as small as it can be and still fail, and keep it."""

from __future__ import annotations

import gzip
import hashlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.hostile.readers import KINDS, Case

FOLDER = Path(__file__).with_name("cases")
#: Longer files are kept compressed: what is long is mostly a repetition.
_PLAIN = 4_000


def minimised(data: bytes, fails: Callable[[bytes], bool], *, seconds: float = 60) -> bytes:
    """Return a part of `data` that still fails: delta debugging, first by lines, then by bytes.

    Parameters
    ----------
    data
        What fails.
    fails
        Tells whether other bytes fail in the same way.
    seconds
        After which the smallest that was found is good enough.

    Examples
    --------
    >>> minimised(b"one\\ntwo (\\nthree\\n", lambda data: b"(" in data)
    b'('
    """
    end = time.monotonic() + seconds
    data = b"".join(_smallest(data.splitlines(keepends=True), fails, end))
    return b"".join(_smallest([data[k : k + 1] for k in range(len(data))], fails, end))


def _smallest(parts: list[bytes], fails: Callable[[bytes], bool], end: float) -> list[bytes]:
    """Take out pieces, large ones first, as long as what is left fails."""
    size = len(parts) // 2
    while size:
        k = 0
        while k < len(parts) and time.monotonic() < end:
            fewer = parts[:k] + parts[k + size :]
            if fewer and fails(b"".join(fewer)):
                parts = fewer
            else:
                k += size
        size //= 2
    return parts


def keep(case: Case) -> Path:
    """Write a case into the folder of those that are tried for ever; return its file."""
    digest = hashlib.sha256(case.data).hexdigest()[:8]
    path = FOLDER / f"{_slug(case.category)}-{digest}{Path(KINDS[case.category].name).suffix}"
    data = case.data
    if len(data) > _PLAIN:
        path, data = path.with_name(f"{path.name}.gz"), gzip.compress(data, mtime=0)
    path.write_bytes(data)
    return path


def kept() -> Iterator[tuple[Path, Case]]:
    """Yield every case that is kept, with its file."""
    categories = {_slug(category): category for category in KINDS}
    for path in sorted(FOLDER.iterdir()):
        data = path.read_bytes()
        data = gzip.decompress(data) if path.suffix == ".gz" else data
        yield path, Case(categories[path.name.rpartition("-")[0]], data)


def _slug(category: str) -> str:
    return category.lower().replace(" ", "-").replace("/", "-")
