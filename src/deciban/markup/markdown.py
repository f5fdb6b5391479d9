"""Text in Markdown: characters that would be read as markup are escaped."""

from __future__ import annotations

from deciban.terminal.printable import printable_line

# Characters that Markdown, HTML or LaTeX would read as markup; those of HTML and LaTeX must be entities.
ESCAPED = str.maketrans({c: f"\\{c}" for c in "\\`*_{}[]#|~"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;", "$": "&#36;"})


def markdown_text(text: str) -> str:
    r"""Return text as Markdown shows it, on one line.

    >>> print(markdown_text("a_b < $1 | c"))
    a\_b &lt; &#36;1 \| c
    """
    return printable_line(text).translate(ESCAPED)
