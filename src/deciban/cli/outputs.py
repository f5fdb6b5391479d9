"""Files and streams that commands write to: a model or rows, to a file or to standard output."""

from __future__ import annotations

import sys
from typing import Any

import click

# Other names of standard output.
STANDARD_OUTPUT = ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


class OutputPath(click.Path):
    """Type of an option: the file to write. Every name of standard output becomes "-"."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, allow_dash=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return "-" if value in STANDARD_OUTPUT else super().convert(value, param, ctx)


class ModelPath(OutputPath):
    """Type of an option: the model file to write. A terminal is refused before anything is computed."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        if path == "-" and sys.stdout.isatty():
            self.fail("a model is not text for a terminal; give a file, or send it to a pipe or a file.", param, ctx)
        return path


def save_model(classifier: Any, output: str, rows: bool) -> str:
    """Write a model to a file or to standard output, and return the name of its destination."""
    from deciban.files.model_file import save, write_model

    if output != "-":
        save(classifier, output, rows)
        return output
    write_model(classifier, sys.stdout.buffer, rows)
    sys.stdout.buffer.flush()
    return "standard output"
