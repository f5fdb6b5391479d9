"""An explanation on the screen: bars left and right of zero, the prior first, the posterior last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.explain.explanation import RowExplanation
from deciban.terminal.width import padded, width_of

if TYPE_CHECKING:
    from rich.text import Text

# Items shown one by one; the rest are summed up.
ITEMS = 12
# Characters of the longest bar, to either side.
WIDTH = 16
# Cells of the longest name.
NAME_WIDTH = 72
FOR, AGAINST, QUIET = "green", "red", "dim"


def plain_text(row: RowExplanation) -> str:
    """Without colours."""
    return "\n".join(line.rstrip() for line in rich_text(row).plain.splitlines())


def rich_text(row: RowExplanation) -> Text:
    from rich.text import Text

    text = Text()
    text.append(heading(row) + "\n", style="bold")
    if row.of == row.against:
        text.append("The model knows one class only: there is nothing to weigh.", style=QUIET)
        return text
    lines = table(row)
    width = max(width_of(name) for name, _ in lines)
    scale = longest(row, lines)
    text.append(f"{'':{width}}  {'against':>{WIDTH}}│{'for'}\n", style=QUIET)
    for i, (name, value) in enumerate(lines):
        if i == len(lines) - 1:
            text.append(f"{'':─<{width + 2 * WIDTH + 16}}\n", style=QUIET)
        text.append(f"{padded(name, width)}  ")
        text.append_text(bar(value, scale))
        text.append(f" {decibans(value):>10}\n")
    for remark in remarks(row):
        text.append(remark + "\n", style=QUIET)
    text.rstrip()
    return text


def longest(row: RowExplanation, lines: list[tuple[str, float]]) -> float:
    """What the longest bar stands for; a correction that is larger than all it corrects is cut short."""
    return max([abs(v) for name, v in lines if np.isfinite(v) and name != row.adjusted_by] + [1.0])


def heading(row: RowExplanation) -> str:
    name = f"{row.target} = {row.decision}" if row.target else f"{row.decision}"
    if row.of == row.against:
        return f"{name}, {row.posterior[row.of]:.1%}"
    return f"{name}, {share(row.posterior[row.of])}; against {row.other}, {share(row.posterior[row.against])}"


def table(row: RowExplanation) -> list[tuple[str, float]]:
    """The lines: prior, items that say most, the rest together, the adjustment, and the posterior."""
    top = row.top(ITEMS)
    lines = [("prior", row.prior), *((cut(item.text), value) for item, value in top)]
    speaking = [v for item, v in zip(row.items, row.evidence) if not item.silent]
    if len(speaking) > len(top):
        shown = {id(item) for item, _ in top}
        rest = [v for item, v in zip(row.items, row.evidence) if not item.silent and id(item) not in shown]
        lines.append((f"{len(rest)} more", float(sum(rest))))
    if row.adjusted_by:
        lines.append((row.adjusted_by, row.adjustment))
    return [*lines, ("posterior", row.odds)]


def cut(name: str) -> str:
    return name if width_of(name) <= NAME_WIDTH else padded(name, NAME_WIDTH - 1) + "…"


def remarks(row: RowExplanation) -> list[str]:
    said: dict[str, list[str]] = {}
    for item in row.silent:
        said.setdefault(item.silent, []).append(item.name)
    lines = [f"no evidence ({why}): {some(names)}" for why, names in said.items()]
    if row.is_impossible:
        lines.append("Every class is ruled out, which is no evidence: the prior stays.")
    elif row.of != row.posterior.argmax():
        lines.append(f"The decision is {row.classes.tolist()[int(row.posterior.argmax())]}.")
    elif row.flip is not None:
        items, other = row.flip
        named = some([cut(item.text) for item in items])
        lines.append(f"Without {named} it would be {other}.")
    elif row.log_prior.argmax() == row.of:
        lines.append("No removal changes the decision: it is that of the prior, too.")
    return lines


def bar(value: float, scale: float) -> Text:
    from rich.text import Text

    length = WIDTH if not np.isfinite(value) else min(WIDTH, round(WIDTH * abs(value) / scale))
    left, right = ("█" * length, "") if value < 0 else ("", "█" * length)
    text = Text()
    text.append(f"{left:>{WIDTH}}", style=AGAINST)
    text.append("│", style=QUIET)
    text.append(f"{right:<{WIDTH}}", style=FOR)
    return text


def decibans(value: float) -> str:
    if not np.isfinite(value):
        return "impossible" if value < 0 else "certain"
    return f"{value:+.1f} dB"


def share(p: Any) -> str:
    """A probability with as many digits as it takes to tell it from 0 and 1."""
    p = float(p)
    if p in (0.0, 1.0) or p > 1 - 1e-9:
        return f"{p:.0%}" if p in (0.0, 1.0) else "over 99.9999999%"
    if p < 1e-9:
        return f"{p:.1e}"
    digits = 1 if 0.001 <= p <= 0.999 else int(np.ceil(-np.log10(min(p, 1 - p)))) - 1
    return f"{p:.{digits}%}"


def some(names: list[str], most: int = 4) -> str:
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + rest
