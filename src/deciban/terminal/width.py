"""How wide text is on a screen, where a character may take two cells, or none."""

from __future__ import annotations


def width_of(text: str) -> int:
    """In cells.

    >>> width_of("naïve"), width_of("日本語")
    (5, 6)
    """
    from rich.cells import cell_len

    return cell_len(text)


def padded(text: str, width: int) -> str:
    """With spaces behind it, or cut short."""
    from rich.cells import set_cell_size

    return set_cell_size(text, width)


def aligned(rows: list[tuple[str, str, str]]) -> list[str]:
    """Rows of text in columns, each as wide as it must be.

    >>> aligned([("a", "日本", "x"), ("bc", "d", "y")])
    ['a   日本  x', 'bc  d     y']
    """
    widths = [max((width_of(row[i]) for row in rows), default=0) for i in range(2)]
    return [f"{padded(a, widths[0])}  {padded(b, widths[1])}  {c}".rstrip() for a, b, c in rows]
