"""The console that tables and explanations are printed to."""

from __future__ import annotations

from typing import NoReturn

from rich.console import Console


class TextConsole(Console):
    """A console that leaves wrapping to the terminal, and raises BrokenPipeError if the reader closes it early."""

    def __init__(self) -> None:
        super().__init__(soft_wrap=True)

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError  # rich itself would end the program with exit code 1
