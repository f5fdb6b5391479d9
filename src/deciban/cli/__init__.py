"""The command line: every command is a thin layer over the library. Nothing heavy is imported before it is needed."""

from deciban.cli.main import main

__all__ = ["main"]
