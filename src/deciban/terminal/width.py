"""Width of text on a terminal, where a character takes no, one or two cells."""

from __future__ import annotations

from deciban.terminal.printable import printable, printable_line


def text_width(text: str) -> int:
    """Return the number of terminal cells that the text takes.

    >>> text_width("naïve"), text_width("日本語")
    (5, 6)
    """
    from rich.cells import cell_len

    return cell_len(text)


def pad_or_cut(text: str, width: int) -> str:
    """Return the text in exactly ``width`` cells: filled up with spaces, or cut."""
    from rich.cells import set_cell_size

    return set_cell_size(text, width)


def align_columns(rows: list[tuple[str, str, str]]) -> list[str]:
    """Return one line per row, its cells in columns as wide as their longest text.

    >>> align_columns([("a", "日本", "x"), ("bc", "d", "y")])
    ['a   日本  x', 'bc  d     y']
    """
    rows = [(printable_line(a), printable(b), printable(c)) for a, b, c in rows]
    widths = [max((text_width(row[i]) for row in rows), default=0) for i in range(2)]
    return [f"{pad_or_cut(a, widths[0])}  {pad_or_cut(b, widths[1])}  {c}".rstrip() for a, b, c in rows]
