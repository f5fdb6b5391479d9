"""Score derivations: the worked sum of a refined model for a row, in decibans; data, and its tables.

The factors of a plain model multiply to a joint probability. A refined model puts weights on their logarithms and adds
evidence of columns that are read together, so its total is a score: P(class | row) ∝ 10^(score / 10).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.tolerances import EQUAL_SCORES
from deciban.arrays.types import Floats, Names
from deciban.explain.derivation import SHOWN_CLASSES, Decided, Factor
from deciban.explain.row_explanation import DECIBANS
from deciban.terminal.printable import printable_line
from deciban.terminal.tables import PrintedTable, tables_text
from deciban.terminal.values import signed


@dataclass(frozen=True)
class ScoreLine:
    """A line of the sum: a factor and the weight of its logarithm."""

    factor: Factor
    weight: float = 1.0

    @property
    def decibans(self) -> Floats:
        """[classes] what the line adds to the scores."""
        return np.asarray(self.weight * self.factor.scores * DECIBANS) if self.weight else 0.0 * self.factor.scores

    def working(self, c: int) -> str:
        """Return where the line comes from, for a class: weight × 10·log₁₀ of a fraction."""
        factor = self.factor
        if factor.workings is None:
            return ""
        weight = "" if self.weight == 1 else f"{self.weight:.3g} × "
        return f"{weight}10·log₁₀({factor.workings[c].short_text})"


@dataclass(frozen=True, repr=False)
class ScoreDerivation:
    """Prior, class offset, weighted evidence and columns that are read together; the lines add up to the score.

    The law: ``scores`` are the scores of the model in decibans, up to a constant for all classes.
    """

    classes: Names
    target: str
    lines: tuple[ScoreLine, ...]  # those that are shown
    hidden: Floats | None  # [classes] sum of those that are not, in decibans
    hidden_lines: int
    predicted: Floats  # what predict_proba gives
    decided: Decided
    remarks: tuple[str, ...] = ()

    @property
    def scores(self) -> Floats:
        """[classes] sum of all lines, in decibans."""
        total = sum((line.decibans for line in self.lines), np.zeros(len(self.classes)))
        return np.asarray(total if self.hidden is None else total + self.hidden)

    @property
    def posterior(self) -> Floats:
        """[classes] probability that follows from the scores."""
        raised = 10 ** ((self.scores - self.scores.max()) / 10)
        return np.asarray(raised / raised.sum())

    @property
    def decision(self) -> Any:
        """Label of the class that is decided for."""
        return self.decided.label

    @property
    def shown(self) -> list[int]:
        """Positions of the classes that are shown, in their own order."""
        return sorted(np.argsort(-self.posterior, kind="stable")[:SHOWN_CLASSES].tolist())

    def tables(self) -> list[PrintedTable]:
        """Return a table for every class that is shown, with a line for every addend."""
        return [self._table(c) for c in self.shown]

    def _table(self, c: int) -> PrintedTable:
        given = f"{self.target} = {self.classes.tolist()[c]}"
        rows = [[line.factor.name, line.working(c), signed(line.decibans[c])] for line in self.lines]
        if self.hidden is not None:
            rows.append([f"{self.hidden_lines} more", "", signed(self.hidden[c])])
        rows.append(["score", "", signed(self.scores[c])])
        return PrintedTable(given, ["evidence", "where it comes from", "decibans"], rows)

    def closing(self) -> list[str]:
        """Return the posterior, the decision and remarks, a sentence each."""
        names = self.classes.tolist()
        found = ["P(class | row) is 10^(score / 10), divided by the sum over all classes."]
        found += [f"P({self.target} = {names[c]} | row) = {self.posterior[c]:.4g}" for c in self.shown]
        if np.abs(self.predicted - self.posterior).max() > EQUAL_SCORES:
            predicted = ", ".join(f"{names[c]}: {self.predicted[c]:.4g}" for c in self.shown)
            found.append(f"predicted, after what changes the posterior: {predicted}")
        changes = [f"without {step} it would be {self.target} = {other}" for step, other in self.decided.without]
        found.append(f"decision: {self.target} = {self.decision}" + (f" ({'; '.join(changes)})" if changes else ""))
        return [*found, *self.remarks]

    def __repr__(self) -> str:
        number = len(self.lines) + self.hidden_lines
        return f"ScoreDerivation({self.target} = {self.decision}, {number:,} lines; print it to read it)"

    def __str__(self) -> str:
        return "\n".join([tables_text(self.tables()), "", *map(printable_line, self.closing())])

    def to_markdown(self) -> str:
        """Return Markdown with a table for every class."""
        from deciban.markup.markdown import markdown_text

        parts: list[str] = []
        for table in self.tables():
            lines = [table.names, ["---", "---", "---:"], *table.rows]
            cells = [[cell if i == 1 else markdown_text(cell) for cell in line] for i, line in enumerate(lines)]
            parts += [f"**{markdown_text(table.title)}**", "\n".join(f"| {' | '.join(line)} |" for line in cells)]
        return "\n\n".join([*parts, *map(markdown_text, self.closing())])

    def to_latex(self) -> str:
        """Return a ``tabular`` of LaTeX for every class."""
        from deciban.explain.show.derivation_tex import words_tex

        def cell(text: str) -> str:
            return f"${words_tex(text)}$" if text else ""

        parts = []
        for table in self.tables():
            rows = [rf"{' & '.join(map(cell, row))} \\" for row in table.rows]
            parts += [cell(table.title), "", r"\begin{tabular}{llr}", *rows, r"\end{tabular}", ""]
        return "\n".join([*parts, *(f"{cell(line)}\n" for line in self.closing())])

    def _html_parts(self) -> list[str]:
        from deciban.markup.html import printed_table_html, remark_html

        return [*map(printed_table_html, self.tables()), *map(remark_html, self.closing())]

    def to_html(self) -> str:
        """Return a complete HTML page."""
        from deciban.markup.html import page

        return page(f"{self.target} = {self.decision}", *self._html_parts())

    def _repr_html_(self) -> str:
        from deciban.markup.html import fragment

        return fragment(*self._html_parts())
