"""The ``deciban`` command and what all its commands share: options, errors in one sentence, exit codes."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any

import click

import deciban

EXIT_CODES = """\b
Exit codes: 0 done; 1 the data, the model or a file is wrong (one sentence on stderr);
2 the command line is wrong; 130 interrupted (no half-written file stays behind)."""


HELP = ["-h", "--help"]
QUIET = "deciban.quiet"


def be_quiet(context: click.Context, _: click.Parameter, quiet: bool) -> None:
    if quiet:
        os.environ["DECIBAN_PROGRESS"] = "0"
        warnings.simplefilter("ignore")
        context.meta[QUIET] = True


def quiet_option() -> click.Option:
    """The program's and every command's, so that it may come before or behind the command."""
    told = "No progress bar, no remarks; errors only."
    return click.Option(["-q", "--quiet"], is_flag=True, expose_value=False, callback=be_quiet, help=told)


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

    names = ("fit", "predict", "evaluate", "explain", "derive", "diagnose", "show", "merge", "forget", "demo")

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.names)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.names:
            return None
        from importlib import import_module

        return getattr(import_module(f"deciban.cli.{name}"), name)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # whoever read the output has enough of it
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return None


@click.group(cls=Commands, epilog=EXIT_CODES, context_settings={"help_option_names": HELP})
@click.version_option(deciban.__version__, prog_name="deciban")
def deciban_command() -> None:
    """Naive Bayes, done properly: train on tables, predict, explain, evaluate, merge and forget.

    Tables are CSV, TSV, JSON Lines, Parquet and Arrow files (text also as .gz, .zst, .bz2 or .lz4), several of them,
    a quoted pattern such as 'part-*.csv', or - for standard input.
    """
    warnings.showwarning = remark


deciban_command.params.append(quiet_option())


def say(message: str) -> None:
    """What was done, on stderr."""
    if QUIET not in click.get_current_context().meta:
        click.echo(message, err=True)


def remark(message: Any, *_: Any, **__: Any) -> None:
    """Warnings as remarks: one line, no source code."""
    click.echo(f"Note: {message}", err=True)


def main() -> None:
    """Run the command line; every failure is one sentence and an exit code."""
    try:
        deciban_command(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        fail("interrupted; nothing was written.", 130)
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        fail(f"{named}{error.strerror or error}", 1)
    except (ValueError, MemoryError) as error:
        fail(str(error).strip() or type(error).__name__, 1)


def fail(message: str, code: int) -> None:
    click.echo("Error: " + " ".join(message.split()), err=True)
    sys.exit(code)
