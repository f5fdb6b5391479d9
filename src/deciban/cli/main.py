"""The ``deciban`` command, and the options, errors and exit codes that all its commands share."""

from __future__ import annotations

import os
import warnings
from typing import Any

import click

import deciban
from deciban.cli.endings import discard_output, run_to_end
from deciban.errors import command_line_words
from deciban.terminal.printable import printable_line

EXIT_CODES = """\b
Exit codes: 0 done; 1 the data, the model or a file is wrong (one sentence on stderr);
2 the command line is wrong; 130, 143, 129 interrupted, terminated, hung up
(no half-written file stays). A reader that closes the output early, such as head, is not an error."""


HELP = ["-h", "--help"]
QUIET = "deciban.quiet"


def set_quiet(context: click.Context, _: click.Parameter, quiet: bool) -> None:
    """Silence progress bars and warnings."""
    if quiet:
        os.environ["DECIBAN_PROGRESS"] = "0"
        warnings.simplefilter("ignore")
        context.meta[QUIET] = True


def quiet_option() -> click.Option:
    """Return the option --quiet of the program and of every command, so that it may stand before or after a command."""
    text = "No progress bar, no remarks; errors only."
    return click.Option(["-q", "--quiet"], is_flag=True, expose_value=False, callback=set_quiet, help=text)


class Command(click.Command):
    """A command that can be quiet, and whose help ends in an example."""

    def __init__(self, *args: Any, example: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.append(quiet_option())
        self.example = example

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.example:
            formatter.write("\nExample:\n  " + "\n  ".join(self.example.splitlines()) + "\n")


class Commands(click.Group):
    """The commands, each in a module of its own, imported when it is called."""

    names = (
        "fit",
        "predict",
        "evaluate",
        "explain",
        "derive",
        "diagnose",
        "importance",
        "report",
        "parameters",
        "story",
        "scales",
        "show",
        "merge",
        "forget",
        "tune",
        "update",
        "demo",
    )

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.names)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.names:
            return None
        from importlib import import_module

        return getattr(import_module(f"deciban.cli.{name}"), name)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with command_line_words():
                return super().invoke(ctx)
        except BrokenPipeError:  # the reader of the output, such as head, has closed it
            discard_output()
            return None


@click.group(cls=Commands, epilog=EXIT_CODES, context_settings={"help_option_names": HELP})
@click.version_option(deciban.__version__, prog_name="deciban")
def deciban_command() -> None:
    """Naive Bayes, done properly: train on tables, predict, explain, evaluate, merge and forget.

    Tables are CSV, TSV, JSON Lines, Parquet and Arrow files (text also as .gz, .zst, .bz2 or .lz4), several of them,
    a quoted pattern such as 'part-*.csv', or - for standard input.
    """
    warnings.showwarning = print_warning


deciban_command.params.append(quiet_option())


def print_done(message: str) -> None:
    """Print what was done to stderr, unless --quiet."""
    if QUIET not in click.get_current_context().meta:
        click.echo(printable_line(message), err=True)


def print_warning(message: Any, *_: Any, **__: Any) -> None:
    """Print a warning as one line, without source code."""
    click.echo(printable_line(f"Note: {message}"), err=True)


def main() -> None:
    """Run the command line; every failure is one sentence and an exit code."""
    run_to_end(lambda: deciban_command(standalone_mode=False))
