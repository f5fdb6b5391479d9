"""The ways in which the program ends: every error and signal is one sentence on stderr and an exit code."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import click

from deciban.terminal.printable import printable, printable_line

# Signals that ask the program to end, with the words for it. SIGINT is Python's KeyboardInterrupt.
STOPPING = {"SIGTERM": "terminated", "SIGHUP": "hung up"}


class StopSignal(BaseException):
    """Exception for a signal that asks the program to end, so that ``finally`` blocks delete temporary files."""


class EscapedText(io.StringIO):
    """Text buffer that claims to be a terminal: click would strip escape sequences, and they shall be shown."""

    def isatty(self) -> bool:
        return True


class ClosedBytes(io.RawIOBase):
    """A stream of bytes that is closed: writing to it is an error."""

    def writable(self) -> bool:
        return True

    def write(self, _: Any) -> NoReturn:
        raise OSError(errno.EBADF, "standard output is closed; give a file to write, or a place for the output")


class ClosedOutput(io.TextIOBase):
    """Standard output of a program that was started without one."""

    encoding = "utf-8"
    buffer = ClosedBytes()

    def write(self, text: str) -> NoReturn:
        self.buffer.write(text)


def run_to_end(command: Callable[[], Any]) -> None:
    """Run the program, and exit with a code other than 0 if it fails."""
    for name in STOPPING.keys() & signal.Signals.__members__.keys():  # Windows has no SIGHUP
        if signal.getsignal(getattr(signal, name)) == signal.SIG_DFL:  # nohup ignores SIGHUP, and so does the program
            signal.signal(getattr(signal, name), _raise_stop_signal)
    if sys.stderr is None:  # nobody reads what goes wrong
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = ClosedOutput()
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # characters that the terminal's encoding lacks
    try:
        command()
        sys.stdout.flush()
    except click.ClickException as error:
        words = EscapedText()
        error.show(words)
        click.echo(printable(words.getvalue()), err=True, nl=False)
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        _stop("interrupted", signal.SIGINT)
    except StopSignal as stop:
        name = stop.args[0]
        _stop(STOPPING[name], getattr(signal, name))
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        fail(f"{named}{error.strerror or error}", 1)
    except (ValueError, MemoryError) as error:
        fail(str(error).strip() or type(error).__name__, 1)


def _raise_stop_signal(number: int, _: Any) -> NoReturn:
    raise StopSignal(signal.Signals(number).name)


def _stop(word: str, number: int) -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a second interrupt ends the program at once
    fail(f"{word}; no file was changed.", 128 + number)


def fail(message: str, code: int) -> NoReturn:
    """Print an error as one line and exit."""
    click.echo("Error: " + printable_line(message), err=True)
    discard_output()
    sys.exit(code)


def discard_output() -> None:
    """Redirect standard output to the null device if it cannot be flushed, so that Python does not fail at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
