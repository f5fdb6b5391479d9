"""Formulas as MathML, which browsers draw by themselves, from the part of LaTeX that workings use.

Known are numbers, letters, operators, groups, fractions, roots, brackets, powers, indices and SYMBOLS.
"""

from __future__ import annotations

import re
from html import escape

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|\s+|.", re.DOTALL)
SYMBOLS = {
    r"\cdot": "<mo>⋅</mo>",
    r"\ldots": "<mo>…</mo>",
    r"\approx": "<mo>≈</mo>",
    r"\pi": "<mi>π</mi>",
    r"\Gamma": '<mi mathvariant="normal">Γ</mi>',
    r"\ ": '<mspace width="0.35em"/>',
    "-": "<mo>−</mo>",
}
# A bracket that does not grow with what it encloses.
FIXED = '<mo stretchy="false">{}</mo>'


def math_html(tex: str) -> str:
    r"""Return a formula as an element of HTML, with fractions in full size.

    >>> math_html(r"\frac{1}{2} = 0.5")
    '<math displaystyle="true"><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>=</mo><mn>0.5</mn></math>'
    """
    tokens = [token for token in TOKEN.findall(tex) if not token.isspace()]
    tokens.reverse()  # the next one is the last
    return f'<math displaystyle="true">{"".join(_row(tokens, None))}</math>'


def _row(tokens: list[str], end: str | None) -> list[str]:
    """Return the elements up to the token ``end``, which is taken as well."""
    found: list[str] = []
    while tokens:
        token = tokens.pop()
        if token == end:
            return found
        if token in ("^", "_"):
            base = found.pop() if found else "<mrow></mrow>"
            tag = "msup" if token == "^" else "msub"
            found.append(f"<{tag}>{base}{_argument(tokens)}</{tag}>")
        else:
            found.append(_element(token, tokens))
    return found


def _argument(tokens: list[str]) -> str:
    """Return the next token or group as one element."""
    if not tokens:
        return "<mrow></mrow>"
    return _element(tokens.pop(), tokens)


def _element(token: str, tokens: list[str]) -> str:
    if token == "{":
        return _group(_row(tokens, "}"))
    if token == r"\frac":
        return f"<mfrac>{_argument(tokens)}{_argument(tokens)}</mfrac>"
    if token == r"\sqrt":
        return f"<msqrt>{_argument(tokens)}</msqrt>"
    if token == r"\left":
        opening = tokens.pop() if tokens else "("
        inside = "".join(_row(tokens, r"\right"))
        closing = tokens.pop() if tokens else ")"
        return f"<mrow><mo>{escape(opening)}</mo>{inside}<mo>{escape(closing)}</mo></mrow>"
    if token == "(":  # with its inside one element, to which a power belongs
        return f"<mrow>{FIXED.format('(')}{''.join(_row(tokens, ')'))}{FIXED.format(')')}</mrow>"
    if token in SYMBOLS:
        return SYMBOLS[token]
    if token[0].isdigit() or (token[0] == "." and len(token) > 1):
        return f"<mn>{token}</mn>"
    if token.isalpha():
        return f"<mi>{escape(token)}</mi>"
    return f"<mo>{escape(token.removeprefix(chr(92)))}</mo>"


def _group(elements: list[str]) -> str:
    return elements[0] if len(elements) == 1 else f"<mrow>{''.join(elements)}</mrow>"
