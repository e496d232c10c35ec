"""The command line: all commands, what stands before any of them, and how each begins and ends.

Only what the help needs is imported at the top, so that it appears at once.
"""

from __future__ import annotations

import errno
import io
import logging
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from alignrank.common.errors import EvaluationError, MatcherError, OntologyError, spelled
from alignrank.common.names import line_of, listed, visible
from alignrank.experiments.errors import ExperimentError, as_option

from . import comparing, data, ranking, scoring
from .options import Command

#: Every command by its name, in the groups and the order of the help.
GROUPS: dict[str, dict[str, Command | typer.Typer]] = {
    "Start": {
        "demo": ranking.demo,
        "match": ranking.match,
        "rank": ranking.rank,
        "compare": comparing.compare,
        "score": scoring.alignments,
        "sample": comparing.sample,
        "study": comparing.study,
        "place": comparing.place,
        "gate": comparing.gate,
    },
    "Results": {"report": comparing.report},
    "Files": {
        "check": data.check,
        "convert": data.convert,
        "join": ranking.join,
        "merge": data.merge,
        "show": data.show,
        "explain": data.explain,
        "list": ranking.list_names,
        "data": data.data_app,
    },
    "Lab": {"reproduce": comparing.reproduce, "plan": comparing.plan},
}
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}
#: What ends without a result for a program: no JSON.
NO_JSON = ("report", "check", "convert", "list", "data", "reproduce")

#: What to do about an error of the file system.
_NEXT_STEP = {
    errno.ENOENT: "check the path",
    errno.EACCES: "ask for the right to use it, or name another",
    errno.EIO: "the disk or the network failed: copy the file again",
    errno.EISDIR: "name a file in it",
    errno.EROFS: "name a place that can be written to",
    errno.ENOSPC: "free some space, or name another place",
    errno.EFBIG: "allow larger files (ulimit -f)",
    errno.ENOTDIR: "a part of this path is a file, not a folder",
    errno.ENAMETOOLONG: "choose a shorter name",
}


class _Commands(TyperGroup):
    """Makes a command when it is asked for; help and completion know them all by `COMMANDS`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # the parser's own, not exported
        name, command, arguments = super().resolve_command(ctx, args)
        if name in COMMANDS:
            command = get_command(_alone(name, arguments))
        return name, command, arguments

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # as above
        for group, names in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(name, sentence(command)) for name, command in names.items()])


class _GroupedCommand(TyperCommand):
    """A command whose help shows its options in groups; options in no group come last."""

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:  # the parser's own, not exported
        """Return options with their help, or values."""
        self._name_values(ctx)
        return super().shell_complete(ctx, incomplete)

    def _name_values(self, ctx: Any) -> None:
        """Put the names that each option takes into its help."""
        parameters: Any = self.get_params(ctx)
        for parameter in parameters:
            text = getattr(parameter, "help", None) or ""
            if "{}" in text:
                names = [item.value for item in parameter.shell_complete(ctx, "")]
                parameter.help = text.replace("{}", listed(names))

    def format_options(self, ctx: Any, formatter: Any) -> None:  # the parser's own, not exported
        """Write arguments and options, a section for each group."""
        self._name_values(ctx)
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": []}
        rest: list[tuple[str, str]] = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            if parameter.param_type_name == "argument":
                sections["Arguments"].append(record)
            elif group := getattr(parameter, "rich_help_panel", None):
                sections.setdefault(group, []).append(record)
            else:
                rest.append(record)
        for title, records in {**sections, "Options": rest}.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


def sentence(command: Command | typer.Typer) -> str:
    """Return what a command does: the first line of its help."""
    if isinstance(command, typer.Typer):
        return str(command.info.help)
    return command.help_text.splitlines()[0]


def _alone(name: str, words: Sequence[str]) -> typer.Typer:
    """Return a command, chosen by the words after it, as a command line of its own."""
    command = COMMANDS[name]
    if isinstance(command, typer.Typer):  # a group of commands, as `data`
        return command
    if name == "score":
        command = scoring.of_kind(words)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    json = "" if name in NO_JSON else "--json; "
    shared = f"Also {json}where it writes or takes a task, --overwrite or --data: alignrank --help"
    alone.command(name, cls=_GroupedCommand, epilog=shared)(command.runnable())
    return alone


app = typer.Typer(
    name="alignrank",
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["--help", "-h"]},
    epilog="Each command has its own help: alignrank help COMMAND. Exit codes: 0 done, 1 findings "
    "(check, data verify), 2 bad input or usage, 3 a gate that cannot tell, 130 interrupted.",
)
for _name, _command in COMMANDS.items():
    app.command(_name, help=sentence(_command))(lambda: None)  # `_Commands` puts the real one there


def _version(asked: bool) -> None:
    if asked:
        from alignrank.common.results import version

        print(f"alignrank {version()}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet", "-q", help="Print nothing but errors and what --json asks for; no bars."
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Tell what is being done, and all cautions.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace what is there, where a command writes.")
    ] = False,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="FOLDER",
            help="Data folder (default: $ALIGNRANK_DATA, or the cache folder).",
        ),
    ] = None,
    _: Annotated[
        bool,
        typer.Option(
            "--version", "-V", help="Print the version only.", callback=_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Match ontology pairs; tell with sound statistics which metric or system is really better.

    Start with: alignrank demo
    """
    context.with_resource(spelled(as_option))
    context.obj = {"data": data, "overwrite": overwrite}
    command = context.invoked_subcommand or ""
    if as_json and command in NO_JSON:
        raise ExperimentError(f"alignrank {command} prints no JSON: leave out --json")
    if as_json or quiet or sys.stderr.isatty():
        from alignrank.experiments.report.console import output  # half the time of a help text

        context.with_resource(output(as_json=as_json, quiet=quiet))
    level = logging.INFO if verbose else logging.WARNING
    logging.getLogger().setLevel(logging.ERROR if quiet else level)


def main() -> None:
    """Run the command line: exit code 0 done, 1 findings, 2 bad input or usage.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C, when everything is tidied up (`alignrank.experiments.start` makes exit code
        130 of it).
    """
    logging.basicConfig(format="alignrank: %(message)s", level=logging.WARNING)
    warnings.showwarning = lambda message, *_: _show_warning(str(message))
    for handler in logging.getLogger().handlers:
        handler.addFilter(_make_visible)
    for stream in (sys.stdout, sys.stderr):  # a name that the terminal cannot show is no failure
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.path.append(str(Path.cwd()))  # a metric of the user's own may lie in the current folder
    try:
        code = app(_common_first(sys.argv[1:]), standalone_mode=False)
        _flush_output()
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        code = 0  # the reader of our output has left; results were written before
    except BrokenPipeError:
        code = 0  # as above
    except typer.TyperException as error:
        code = _complain(_usage_sentence(error))
    except (ValueError, OSError, MemoryError) as error:
        code = _complain(_sentence(error))
    if code == 130:  # the parser makes a number of Ctrl-C
        raise KeyboardInterrupt
    with suppress(OSError):  # the error that ended the command has been told
        _flush_output()
    sys.exit(code if isinstance(code, int) else 0)


def _show_warning(message: str) -> None:
    """Print a warning as a caution."""
    if logging.getLogger().isEnabledFor(logging.WARNING):
        print(f"! {visible(message)}", file=sys.stderr)


def _flush_output() -> None:
    """Flush the printed text; drop it if it cannot be written: Python would fail at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
        raise


def _make_visible(record: logging.LogRecord) -> bool:
    """Write a message, which may name a file, without signs that a terminal would obey."""
    record.msg, record.args = visible(record.getMessage()), None
    return True


def _common_first(arguments: list[str]) -> list[str]:
    """Put options that all commands share in front: they may stand anywhere; obey ``help``."""
    if arguments[:1] == ["help"]:
        return [*arguments[1:], "--help"]
    end = [*arguments, "--"].index("--")
    shared = ("--quiet", "-q", "--json", "--verbose", "-v", "--overwrite")
    common: list[str] = []
    own: list[str] = []
    words = iter(arguments[:end])
    for word in words:
        if word in shared or word.startswith("--data="):
            common.append(word)
        elif word == "--data":
            common += [word, *islice(words, 1)]
        else:
            own.append(word)
    return [*common, *own, *arguments[end:]]


def _complain(sentence: str) -> int:
    """Print an error in one line; return the exit code."""
    line = f"alignrank: error: {line_of(sentence)}"
    if sys.stderr.isatty():  # at words; a path or a command is not broken
        width = min(get_terminal_size().columns, 100)
        line = fill(line, width, break_long_words=False, break_on_hyphens=False)
    print(line, file=sys.stderr)
    return 2


def _usage_sentence(error: typer.TyperException) -> str:
    """Return the parser's complaint in one line."""
    context, parameter = getattr(error, "ctx", None), getattr(error, "param", None)
    sentence = error.format_message().rstrip(".")
    if sentence.startswith("Usage:"):  # no arguments at all: help is what is wanted
        print(sentence, file=sys.stderr)
        sys.exit(2)
    if sentence.startswith("Missing") and parameter is not None:
        sentence += f": {parameter.help or ''}".rstrip(": .")
    sentence = sentence.replace("a valid float range", "a number")
    sentence = sentence.replace("a valid int range", "a whole number")
    sentence = sentence.replace("Input should be", "it must be").partition(", unable to parse")[0]
    command = "alignrank"
    if context:
        command = context.command_path
    return f"{sentence} (see {command} --help)"


def _sentence(error: ValueError | OSError | MemoryError) -> str:
    """Return an error that the user can mend in one sentence; raise any other: it is ours."""
    if isinstance(error, MemoryError):
        return f"not enough memory ({error}): match in tiles with a threshold, or fewer kinds"
    if isinstance(error, OSError) and (error.filename or error.errno in _NEXT_STEP):
        reason = (error.strerror or "it cannot be used").lower()
        name = error.filename or "standard output"  # files are named by what writes them
        return f"{name}: {reason}: {_NEXT_STEP.get(error.errno or 0, 'name another')}"
    if isinstance(
        error, OntologyError | MatcherError | EvaluationError | ExperimentError | OSError
    ):
        return str(error)
    raise error
