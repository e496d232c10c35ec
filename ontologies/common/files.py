"""Files written whole or not at all, and their fingerprints."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path beside `path`; when the block ends well, rename it over `path`.

    Whatever interrupts the block (an error, Ctrl-C), the file that was there before stays, and no
    half-written one is left.

    Parameters
    ----------
    path
        The file to write. Its folder is made where it does not exist.

    Yields
    ------
    pathlib.Path
        The temporary file, with the same ending as `path`.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with replacing(folder / "a.txt") as part:
    ...     _ = part.write_text("done")
    >>> (folder / "a.txt").read_text(), len(list(folder.iterdir()))
    ('done', 1)
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle, name = tempfile.mkstemp(path.suffix, f".{path.stem}-", path.parent)
    except OSError as error:  # the error shall name the file that was wanted
        raise OSError(error.errno, error.strerror, str(path)) from None
    os.close(handle)
    part = Path(name)
    try:
        yield part
        # mkstemp's files are private; a result is as readable as the user's other files
        umask = os.umask(0)
        os.umask(umask)
        part.chmod(0o666 & ~umask)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write `text` as UTF-8 with Unix line ends, whole or not at all."""
    with replacing(path) as part:
        # a file name may hold what is no text: then it is written as JSON would write it
        part.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")


def sha256(data: bytes) -> str:
    """Return the SHA-256 of `data` in hexadecimal.

    Examples
    --------
    >>> sha256(b"")[:12]
    'e3b0c44298fc'
    """
    return hashlib.sha256(data).hexdigest()
