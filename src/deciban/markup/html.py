"""Parts of HTML: escaped text, headings, remarks, tables, and the fragment or page that holds them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from deciban.markup.style import FRAGMENT_STYLE, PAGE_STYLE
from deciban.terminal.printable import printable
from deciban.terminal.tables import PrintedTable, is_number_text

# Longer texts are cut short in headings and cells.
MOST_CHARACTERS = 200
# Columns with longer cells, such as lists of words, are folded to several lines and may have this many characters.
LONG_CELL, MOST_LISTED = 48, 500


def text_html(text: object, most: int | None = MOST_CHARACTERS) -> str:
    r"""Return text as HTML: markup and control characters are shown and have no effect; long texts are cut short.

    >>> text_html("a < b\x07")
    'a &lt; b\\x07'
    """
    shown = printable(str(text))
    return escape(shown if most is None or len(shown) <= most else shown[: most - 1] + "…")


def heading_html(text: object, level: int = 3) -> str:
    """Return a heading; level 2 is the largest."""
    return f"<h{level}>{text_html(text)}</h{level}>"


def remark_html(text: object) -> str:
    """Return a sentence below a table or picture."""
    return f'<p class="remark">{text_html(text, 2000)}</p>'


def table_html(
    names: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = (), folded: Iterable[int] = ()
) -> str:
    """Return a table of cells that are HTML already.

    The columns ``numbers`` are aligned to the right. Long cells of the columns ``folded`` take several lines; those of
    other columns end in an ellipsis.
    """
    kinds = dict.fromkeys(numbers, ' class="number"') | dict.fromkeys(folded, ' class="folded"')
    classes = [kinds.get(j, "") for j in range(len(names))]
    head = "".join(f"<th{kind}>{name}</th>" for kind, name in zip(classes, names))
    body = "".join("<tr>" + "".join(f"<td{k}>{c}</td>" for k, c in zip(classes, row)) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def printed_table_html(table: PrintedTable) -> str:
    """Return a table that was made for the terminal as HTML; its columns of numbers are aligned to the right."""
    columns = range(len(table.names))
    numbers = [j for j in columns if table.rows and all(is_number_text(row[j]) for row in table.rows)]
    folded = [j for j in columns if any(len(row[j]) > LONG_CELL for row in table.rows)]
    most = [MOST_LISTED if j in folded else MOST_CHARACTERS for j in columns]
    cells = [[text_html(cell, most[j]) for j, cell in enumerate(row)] for row in table.rows]
    parts = [heading_html(table.title)] if table.title else []
    parts.append(table_html([text_html(name) for name in table.names], cells, numbers, folded))
    return "\n".join([*parts, *(remark_html(line) for line in table.below.splitlines())])


def fragment(*parts: str) -> str:
    """Return HTML for a notebook: parts in an element of the class ``deciban``, with the style of that class.

    Notebooks typeset what stands between dollar signs; the other classes tell MathJax 2 and 3 to leave names alone.
    """
    return (
        f'<div class="deciban tex2jax_ignore mathjax_ignore"><style>{FRAGMENT_STYLE}</style>\n'
        + "\n".join(parts)
        + "\n</div>"
    )


def page(title: object, *parts: str) -> str:
    """Return a complete page that needs no other file and may run no script."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{text_html(title)}</title><style>{PAGE_STYLE}</style></head>\n<body>\n{fragment(*parts)}\n</body></html>\n"
    )
