"""An explanation on the terminal: bars left and right of zero, the prior first, the posterior last."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deciban.explain.flip import is_even
from deciban.explain.row_explanation import ADJUSTMENT, RowExplanation
from deciban.terminal.printable import printable_line
from deciban.terminal.width import pad_or_cut, text_width

if TYPE_CHECKING:
    from rich.text import Text

# Items shown one by one; the rest are summed up.
SHOWN_ITEMS = 12
# Characters of the longest bar, to either side.
BAR_WIDTH = 16
# Width of the longest name.
NAME_WIDTH = 72
FOR, AGAINST, QUIET = "green", "red", "dim"


def plain_text(row: RowExplanation) -> str:
    """Return an explanation without colours."""
    return "\n".join(line.rstrip() for line in rich_text(row).plain.splitlines())


def rich_text(row: RowExplanation) -> Text:
    """Return an explanation with colours."""
    from rich.text import Text

    text = Text()
    text.append(printable_line(row.title) + "\n", style="bold")
    if row.favour == row.against:
        text.append("The model knows one class only: there is nothing to weigh.", style=QUIET)
        return text
    lines = [(printable_line(cut_name(line.text)), line.decibans, line.addends) for line in row.lines(SHOWN_ITEMS)]
    width = max(text_width(name) for name, _, _ in lines)
    scale = bar_scale(row)
    text.append(f"{'':{width}}  {'against':>{BAR_WIDTH}}│{'for'}\n", style=QUIET)
    for i, (name, value, addends) in enumerate(lines):
        if i == len(lines) - 1:
            text.append(f"{'':─<{width + 2 * BAR_WIDTH + 16}}\n", style=QUIET)
        text.append(f"{pad_or_cut(name, width)}  ")
        text.append_text(_bar(value, scale))
        text.append(f" {decibans_text(value):>10}")
        text.append(f"  ({addends})\n" if addends else "\n", style=QUIET)
    for remark in closing_remarks(row):
        text.append(printable_line(remark) + "\n", style=QUIET)
    text.rstrip()
    return text


def bar_scale(row: RowExplanation) -> float:
    """Return the decibans of the longest bar; a larger correction by calibration is cut short."""
    lines = row.lines(SHOWN_ITEMS)
    return max([abs(v) for _, v, kind, _ in lines if np.isfinite(v) and kind != ADJUSTMENT] + [1.0])


def cut_name(name: str) -> str:
    """Return a name that takes at most NAME_WIDTH cells of a terminal."""
    return name if text_width(name) <= NAME_WIDTH else pad_or_cut(name, NAME_WIDTH - 1) + "…"


def closing_remarks(row: RowExplanation) -> list[str]:
    """Return sentences on silent columns and on what would flip the decision."""
    silent: dict[str, list[str]] = {}
    for item in row.silent:
        silent.setdefault(item.silent, []).append(item.name)
    lines = [f"no evidence ({why}): {_first_names(names)}" for why, names in silent.items()]
    if row.is_impossible:
        lines.append("Every class is ruled out, which is no evidence: the prior stays.")
    elif row.favour != row.posterior.argmax():
        lines.append(f"The decision is {row.classes.tolist()[int(row.posterior.argmax())]}.")
    elif row.flip is not None:
        items, other, is_tie = row.flip
        named = _first_names([cut_name(item.text) for item in items])
        tie = f"a tie, which goes to {other}, the first class" if is_tie else f"{other}"
        lines.append(f"Without {named} it would be {tie}.")
    elif row.log_prior.argmax() == row.favour:
        tie = f"without evidence it is a tie, which goes to {row.decision}, the first class"
        why = tie if is_even(row.log_prior) else "the prior alone decides the same"
        lines.append(f"No removal changes the decision: {why}.")
    return lines


def _bar(value: float, scale: float) -> Text:
    from rich.text import Text

    length = round(BAR_WIDTH * min(1.0, abs(value) / scale))
    left, right = ("█" * length, "") if value < 0 else ("", "█" * length)
    text = Text()
    text.append(f"{left:>{BAR_WIDTH}}", style=AGAINST)
    text.append("│", style=QUIET)
    text.append(f"{right:<{BAR_WIDTH}}", style=FOR)
    return text


def decibans_text(value: float) -> str:
    """Return evidence in words: +3.0 dB, impossible or certain."""
    if not np.isfinite(value):
        return "impossible" if value < 0 else "certain"
    return f"{value:+.1f} dB"


def _first_names(names: list[str], most: int = 4) -> str:
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + rest
