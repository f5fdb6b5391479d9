"""Tables printed to the terminal."""

from __future__ import annotations

from dataclasses import dataclass

from deciban.terminal.printable import printable


@dataclass(frozen=True)
class PrintedTable:
    """A table of text for the terminal: title, column names, rows of cells, and a line below."""

    title: str
    names: list[str]
    rows: list[list[str]]
    below: str = ""


def print_tables(tables: list[PrintedTable]) -> None:
    """Print the tables one after the other. Columns of numbers are aligned to the right."""
    from rich import box
    from rich.table import Table as Rich
    from rich.text import Text

    from deciban.terminal.console import TextConsole

    console = TextConsole()
    for i, table in enumerate(tables):
        if i:
            console.print()
        rich = Rich(
            title=Text(printable(table.title), style="bold") if table.title else None,
            box=box.SIMPLE_HEAD,
            title_justify="left",
        )
        for j, name in enumerate(table.names):
            numbers = all(_is_number(row[j]) for row in table.rows) and bool(table.rows)
            rich.add_column(Text(printable(name)), justify="right" if numbers else "left", overflow="fold")
        for row in table.rows:
            rich.add_row(*(Text(printable(cell)) for cell in row))
        console.print(rich)
        if table.below:
            console.print(Text(printable(table.below), style="dim"))


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "").rstrip("%"))
    except ValueError:
        return text in ("", "–")
    return True
