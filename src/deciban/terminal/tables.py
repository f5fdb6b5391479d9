"""Tables printed to the terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from deciban.terminal.printable import printable

# Characters of a line of plain text; wider tables are folded.
TEXT_WIDTH = 200


@dataclass(frozen=True)
class PrintedTable:
    """A table of text for the terminal: title, column names, rows of cells, and a line below."""

    title: str
    names: list[str]
    rows: list[list[str]]
    below: str = ""


def print_tables(tables: list[PrintedTable]) -> None:
    """Print the tables one after the other. Columns of numbers are aligned to the right."""
    from deciban.terminal.console import TextConsole

    _write_tables(tables, TextConsole())


def tables_text(tables: list[PrintedTable]) -> str:
    """Return the tables as plain text, without colours and trailing blanks."""
    from io import StringIO

    from rich.console import Console

    text = StringIO()
    # In a notebook, rich would show the tables and leave the text empty.
    _write_tables(tables, Console(file=text, soft_wrap=True, width=TEXT_WIDTH, color_system=None, force_jupyter=False))
    return "\n".join(line.rstrip() for line in text.getvalue().strip("\n").splitlines())


def _write_tables(tables: list[PrintedTable], console: Any) -> None:
    from rich import box
    from rich.table import Table as Rich
    from rich.text import Text

    for i, table in enumerate(tables):
        if i:
            console.print()
        rich = Rich(
            title=Text(printable(table.title), style="bold") if table.title else None,
            box=box.SIMPLE_HEAD,
            title_justify="left",
        )
        for j, name in enumerate(table.names):
            numbers = all(is_number_text(row[j]) for row in table.rows) and bool(table.rows)
            rich.add_column(Text(printable(name)), justify="right" if numbers else "left", overflow="fold")
        for row in table.rows:
            rich.add_row(*(Text(printable(cell)) for cell in row))
        console.print(rich)
        if table.below:
            console.print(Text(printable(table.below), style="dim"))


def is_number_text(text: str) -> bool:
    """Return whether a cell holds a number, or nothing."""
    try:
        float(text.replace(",", "").replace("−", "-").rstrip("%"))
    except ValueError:
        return text in ("", "–")
    return True
