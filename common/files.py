"""Files read or refused, written whole or not at all; fingerprints; what JSON can hold."""

from __future__ import annotations

import gc
import gzip
import hashlib
import io
import json
import math
import os
import re
import tempfile
import zlib
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from typing import TextIO, overload

from .system import lock as lock_handle

#: The path of a file, as text or a `Path`.
FilePath = str | os.PathLike[str]
#: An object of JSON: a line, the content of a results file, the data of a page.
JsonObject = dict[str, object]

#: How the name of a file begins that is being written, and what `tempfile` makes of it.
_PART = ".alignrank-"
_PARTS = re.compile(rf"{re.escape(_PART)}[a-z0-9_]{{8}}(\.[^.]*)?")


@contextmanager
def replacing(path: FilePath) -> Iterator[Path]:
    """Give a temporary path beside `path`; when the block ends well, rename it over `path`.

    Whatever interrupts the block (an error, Ctrl-C), the file that was there before stays, and no
    half-written one is left; what a run that was killed has left beside it is removed. Where `path`
    is a link, the file that it leads to is replaced; a device or a pipe is written to.

    Parameters
    ----------
    path
        The file to write. Its folder is made where it does not exist.

    Yields
    ------
    pathlib.Path
        The temporary file, with the same ending as `path`.

    Raises
    ------
    OSError
        If it cannot be written, as on a full disk; it names `path`.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with replacing(folder / "a.txt") as part:
    ...     _ = part.write_text("done")
    >>> (folder / "a.txt").read_text(), len(list(folder.iterdir()))
    ('done', 1)
    """
    named_path = Path(path)
    is_stream = named_path.exists() and not named_path.is_file() and not named_path.is_dir()
    target = named_path if is_stream else Path(os.path.realpath(path))
    folder = None if is_stream else target.parent
    draft = lock = None
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            _remove_left_over(folder)
        # whatever the length of its name: that of the temporary file is short
        lock, draft = _locked_part(target.suffix[-20:], folder)
        yield draft
        if is_stream:
            target.write_bytes(draft.read_bytes())
        else:
            # mkstemp's files are private; a result is as readable as the user's other files
            umask = os.umask(0)
            os.umask(umask)
            draft.chmod(0o666 & ~umask)
            draft.replace(target)
    except OSError as error:
        if Path(error.filename or _PART).name.startswith(_PART):
            # the error shall name the file that was wanted
            raise OSError(error.errno, error.strerror, os.fspath(path)) from None
        raise
    finally:
        if draft is not None:
            draft.unlink(missing_ok=True)
        if lock is not None:
            os.close(lock)


def _locked_part(suffix: str, folder: Path | None) -> tuple[int | None, Path]:
    """Make a temporary file, locked until the handle is closed: others see that it is in use.

    The handle is None where there are no locks, as on Windows, which renames no file that is open.
    """
    while True:
        handle, name = tempfile.mkstemp(suffix, _PART, folder)
        if not lock_handle(handle, wait=True):
            os.close(handle)
            return None, Path(name)
        if Path(name).exists():  # nobody has taken it for left over before it was locked
            return handle, Path(name)
        os.close(handle)


def _remove_left_over(folder: Path) -> None:
    """Remove the drafts of killed runs: nobody holds their locks any more."""
    for path in folder.glob(f"{_PART}*") if os.access(folder, os.R_OK) else ():
        if _PARTS.fullmatch(path.name) and path.is_file() and not path.is_symlink():
            with suppress(OSError):  # somebody writes it, or has just removed it
                handle = os.open(path, os.O_RDONLY)
                try:
                    if lock_handle(handle, wait=False):
                        path.unlink()
                finally:
                    os.close(handle)


@contextmanager
def without_collector() -> Iterator[None]:
    """Pause Python's collector of cycles: what a reader makes of a file has none.

    A file of 100,000 rows is read in some two thirds of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def write_text(path: FilePath, text: str) -> None:
    """Write `text` as UTF-8 with Unix line ends, whole or not at all."""
    with replacing(path) as draft:
        # a file name may hold what is no text: then it is written as JSON would write it
        draft.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")


def sha256(data: bytes) -> str:
    """Return the SHA-256 of `data` in hexadecimal.

    Examples
    --------
    >>> sha256(b"")[:12]
    'e3b0c44298fc'
    """
    return hashlib.sha256(data).hexdigest()


_HTML = re.compile(
    rb"\s*(<\?xml[^>]*>\s*)?(<!--(?:(?!-->).)*-->\s*)*<(!doctype\s+html|html)[\s>]", re.I | re.S
)


_GZIP = b"\x1f\x8b"
#: Bytes to which any gzip file may be unpacked; a larger one at most to so many times its size,
#: which text hardly reaches.
_ALWAYS_UNPACKED, _MOST_TIMES = 100_000_000, 100
#: Seconds until somebody must write to a named pipe.
_LONGEST_WAIT = 10
#: Text holds no such bytes in any encoding that is read.
_NO_TEXT = b"\0\0\0"
_LFS = b"version https://git-lfs.github.com/spec/"
#: How OBO Graphs JSON begins: a list of objects, perhaps after what is said of all of them.
_OBO_GRAPHS = re.compile(rb'\s*\[?\s*\{.{0,10000}?"graphs"\s*:\s*\[\s*[{\]]', re.DOTALL)


def read_input(path: FilePath, error: type[ValueError]) -> bytes:
    """Return the bytes of a file that should hold an ontology, an alignment or a table.

    What gzip has packed is unpacked.

    Parameters
    ----------
    path
        The file.
    error
        What to raise if it is missing, a folder, a device, empty, compressed otherwise, a Git LFS
        pointer, OBO Graphs JSON, or a saved web page.
    """
    return read_hashed(path, error)[0]


def read_hashed(path: FilePath, error: type[ValueError]) -> tuple[bytes, str]:
    """Return the bytes that `read_input` returns, and the SHA-256 of the file on the disk."""
    path = Path(path)
    if path.is_dir():
        raise error(f"{path} is a folder: name a file in it")
    if path.exists() and not path.is_file() and not path.is_fifo():
        raise error(f"{path} is a device or a socket: name a file")
    try:
        data = _piped(path) if path.is_fifo() else path.read_bytes()
    except FileNotFoundError:
        raise error(f"{path} does not exist: check the path") from None
    except OSError as reason:
        raise error(f"{path} cannot be read: {reason.strerror}") from None
    if not data or data.isspace():
        raise error(f"{path} is empty")
    digest = sha256(data)
    if data.startswith(_GZIP):
        data = _unpacked(data, path, error)
    _refuse_content(data, path, error)
    return data, digest


@contextmanager
def opened_text(path: Path, error: type[ValueError]) -> Iterator[TextIO]:
    """Open a file of UTF-8 text to be read line by line; what gzip has packed is unpacked.

    What `read_input` refuses is refused as far as the beginning tells; a pipe is read as it is.
    """
    if path.is_file() and _begins_with(path, _GZIP):
        yield io.StringIO(read_text(path, error), newline="")
        return
    if path.is_file():
        _refuse_content(read_beginning(path, 10_000), path, error)
    with path.open(encoding="utf-8-sig", newline="") as file:
        yield file


def _begins_with(path: Path, beginning: bytes) -> bool:
    """Tell whether a file begins with these bytes."""
    with path.open("rb") as file:
        return file.read(len(beginning)) == beginning


def refuse_unread(data: bytes, path: Path, error: type[ValueError]) -> None:
    """Refuse a Git LFS pointer, which a clone without Git LFS has for a file, and OBO Graphs."""
    if data.startswith(_LFS):
        raise error(
            f"{path} is a Git LFS pointer, which stands for the file: run git lfs pull to get it"
        )
    if _OBO_GRAPHS.match(data.removeprefix(BOM_UTF8)):
        raise error(
            f"{path} is OBO Graphs JSON, which is not read: save it as OBO or OWL (robot convert "
            "-i FILE.json -o FILE.owl)"
        )


def _refuse_content(data: bytes, path: Path, error: type[ValueError]) -> None:
    """Refuse bytes that are no text of an ontology, an alignment or a table."""
    if data.startswith((b"PK\x03\x04", b"BZh", b"\xfd7zXZ")):
        if path.suffix.lower() in (".xlsx", ".xlsm", ".ods"):
            raise error(f"{path} is a spreadsheet: save it as CSV")
        raise error(f"{path} is a compressed file: unpack it first")
    if _NO_TEXT in data[:4096]:
        raise error(f"{path} is no text, such as a picture or a program: name another file")
    refuse_unread(data, path, error)
    if _HTML.match(data.removeprefix(BOM_UTF8)[:4096]):
        raise error(
            f"{path} is a web page (HTML): download the raw file, not the page that shows it"
        )


def _piped(path: Path) -> bytes:
    """Return the bytes written to a pipe; none if nobody has opened it for long."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as pipe:
        with DefaultSelector() as selector:
            selector.register(pipe, EVENT_READ)
            selector.select(_LONGEST_WAIT)
        os.set_blocking(handle, True)  # a slow writer is waited for
        return pipe.read()


def _unpacked(data: bytes, path: Path, error: type[ValueError]) -> bytes:
    limit = max(_ALWAYS_UNPACKED, _MOST_TIMES * len(data))
    try:
        with gzip.open(io.BytesIO(data)) as file:
            unpacked = file.read(limit + 1)
    except (OSError, EOFError, zlib.error) as reason:
        raise error(f"{path} is compressed by gzip, and damaged ({reason}): get it again") from None
    if len(unpacked) > limit:
        raise error(f"{path} unpacks to more than {limit:,} bytes: unpack it first")
    if unpacked[257:262] == b"ustar":
        raise error(f"{path} is an archive of files (tar): unpack it, and name one of them")
    if not unpacked.strip():
        raise error(f"{path} is empty")
    return unpacked


def read_beginning(path: Path, size: int) -> bytes:
    """Return the first bytes of a file, unpacked, at most `size`; without a byte-order mark."""
    try:
        with path.open("rb") as file:
            data = file.read(size)
    except OSError as error:  # an error of reading does not name its file
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    if data.startswith(_GZIP):
        try:
            data = zlib.decompressobj(wbits=31).decompress(data, size)
        except zlib.error:
            return b""
    return data.removeprefix(BOM_UTF8)


def unpacked_name(path: FilePath) -> Path:
    """Return the path that a file has without gzip's ending.

    Examples
    --------
    >>> unpacked_name("mine.rdf.gz").name, unpacked_name("mine.rdf").name
    ('mine.rdf', 'mine.rdf')
    """
    named_path = Path(path)
    if named_path.suffix.lower() == ".gz":
        return named_path.with_suffix("")
    return named_path


def read_text(path: FilePath, error: type[ValueError]) -> str:
    """Return the text of a file; what is wrong with it is raised as `error`."""
    return text_of(read_input(path, error), path, error)


def text_of(data: bytes, path: FilePath, error: type[ValueError]) -> str:
    """Return `data` as text: UTF-8, or UTF-16 where a byte-order mask says so."""
    utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if utf16 else "utf-8-sig")
        wrong = -1 if utf16 else data.find(b"\0")
    except UnicodeDecodeError as reason:
        text = ""
        wrong = reason.start
    if wrong >= 0:
        line = data.count(b"\n", 0, wrong) + 1
        raise error(f"{path}, line {line}: not UTF-8 text: save the file as UTF-8")
    if not text or text.isspace():  # nothing but a byte-order mark
        raise error(f"{path} is empty")
    return text


def read_json(path: FilePath, error: type[ValueError], *, unique: bool = False) -> object:
    """Return the content of a JSON file; what is wrong with it is raised as `error`.

    With `unique` that is also a key that comes twice in an object.
    """
    text = read_text(path, error)
    try:
        return parse_json(text, _unique_keys if unique else None)
    except json.JSONDecodeError as reason:
        raise error(f"{path}, line {reason.lineno}: not JSON: {reason.msg}") from None
    except ValueError as reason:
        raise error(f"{path}: not JSON that can be read: {reason}") from None


#: How half of a character may be written, which no other file can hold.
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def _unique_keys(pairs: list[tuple[str, object]]) -> JsonObject:
    content = dict(pairs)
    if len(content) < len(pairs):
        times = Counter(key for key, _ in pairs)
        raise KeyError(times.most_common(1)[0][0])
    return content


def parse_json(
    text: str, make_object: Callable[[list[tuple[str, object]]], object] | None = None
) -> object:
    """Return the value of JSON text; `make_object` makes its objects, or raises a KeyError.

    Raises
    ------
    ValueError
        If it is no JSON (then as `json.JSONDecodeError`), is nested too deeply, or holds a number
        of thousands of digits or half of a character.
    """
    try:
        content = json.loads(text, object_pairs_hook=make_object)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except KeyError as key:
        raise ValueError(f"{key} comes a second time in an object: keep one of them") from None
    except json.JSONDecodeError:
        raise
    except ValueError:  # Python's limit, which its message tells how to lift
        raise ValueError("a whole number in it has more than 4300 digits") from None
    refuse_halves(text, content)
    return content


def json_objects(
    parts: Iterable[tuple[int, str]], path: FilePath, error: type[ValueError]
) -> Iterator[tuple[int, JsonObject]]:
    """Yield the line and the object of each part that is not blank, as a line of JSON Lines.

    Examples
    --------
    >>> list(json_objects(enumerate(['{"a": 1}', "", "{}"], 1), "a.jsonl", ValueError))
    [(1, {'a': 1}), (3, {})]
    """
    for line, text in parts:
        if not text.strip():
            continue
        try:
            content = parse_json(text)
        except ValueError as reason:
            raise error(f"{path}, line {line}: not a JSON object ({reason})") from None
        if not isinstance(content, dict):
            raise error(f"{path}, line {line}: not a JSON object, but a list or a value")
        yield line, content


def refuse_halves(text: str, content: object) -> None:
    """Raise a ValueError if `content`, which `text` states, holds half of a character."""
    try:
        if _HALF.search(text):
            json.dumps(content, ensure_ascii=False).encode()
    except UnicodeEncodeError as reason:
        raise ValueError(f"{reason.object[reason.start]!r} is half of a character") from None


@overload
def plain(value: Mapping[str, object]) -> JsonObject: ...


@overload
def plain(value: object) -> object: ...


def plain(value: object) -> object:
    """Return a value for JSON: records as dicts, tuples as lists, NaN and infinities as None.

    Of a record that is nothing is written where nothing is the default.

    Examples
    --------
    >>> plain({"a": (1.0, float("nan")), "b": float("-inf")})
    {'a': [1.0, None], 'b': None}
    """
    if isinstance(value, float):  # nearly all of a large result; the other questions take longer
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        by_name = ((field, getattr(value, field.name)) for field in fields(value))
        return {
            field.name: plain(item)
            for field, item in by_name
            if item is not None or field.default is MISSING
        }
    return value


def json_text(content: object, indent: int | None = None) -> str:
    """Return content as JSON: the same content, the same bytes; null for NaN and infinities."""
    return json.dumps(plain(content), indent=indent, ensure_ascii=False, allow_nan=False)


def write_json(path: FilePath, content: object) -> None:
    """Write content as JSON: the same content, the same bytes."""
    write_text(path, json_text(content, indent=1) + "\n")
