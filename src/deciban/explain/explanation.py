"""Explanations: the evidence of the prior and every column for a class against another, in decibans; data only."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.names import is_missing
from deciban.arrays.types import Codes, Floats, Names
from deciban.explain.item import Item, value_text
from deciban.explain.row_explanation import DECIBANS, RowExplanation
from deciban.model.model import Model
from deciban.model.parts import Contrast
from deciban.scorers.base import NEVER_SEEN, NO_VALUE, SAME_FOR_ALL, Scorer

IGNORED = "ignored: predictions are better without it"
# Rows that are printed.
SHOWN_ROWS = 10


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why rows were decided as they were: evidence in decibans (10·log₁₀ of a likelihood ratio), which adds up.

    ``evidence`` [rows × lines] is that for the class decided on (``favour``) against the runner-up (``against``), or
    those asked for; ``prior + evidence.sum(1)`` is the log-odds of the event models, and ``posterior`` is what
    ``predict_proba`` gives. ``lines`` names the columns, and after them columns that are read together.
    ``explanation[i]`` has a row in detail: its values, the words of its texts, every class.
    """

    model: Model = field(repr=False)
    columns: tuple[str, ...]
    contrast: Contrast = field(repr=False)
    blocks: Sequence[Frame] = field(repr=False)  # all rows, as the model reads them
    adjusted_by: str = ""
    target: str | None = None
    first: int = 0  # the number of the first row

    @property
    def classes(self) -> Names:
        """Class labels, sorted."""
        return self.model.classes

    @property
    def favour(self) -> Names:
        """[rows] label of the class that is explained."""
        return self.classes[self.contrast.favour]

    @property
    def against(self) -> Names:
        """[rows] label of the class that it is compared with."""
        return self.classes[self.contrast.against]

    @property
    def posterior(self) -> Floats:
        """[rows × classes] P(class | row)."""
        return self.contrast.posterior

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Names of the lines of evidence: every column, then columns that a refined model reads together."""
        return self.model.line_names(self.columns)

    @cached_property
    def prior(self) -> Floats:
        """[rows] log-odds of the prior, and of the class offsets of a refined model, in decibans."""
        return self.model.prior_between(self.contrast.favour, self.contrast.against) * DECIBANS

    @cached_property
    def evidence(self) -> Floats:
        """[rows × lines] evidence, in decibans."""
        parts = [self.model.evidence_between(*pair) for pair in self._pairs()]
        evidence = parts[0] if len(parts) == 1 else np.concatenate(parts)
        evidence *= DECIBANS
        return evidence

    @cached_property
    def adjustment(self) -> Floats:
        """[rows] change of the log-odds by calibration, class weights and the prior in use, in decibans."""
        odds = [self._odds(*pair) for pair in self._pairs()]
        with np.errstate(invalid="ignore"):
            rest = np.concatenate(odds) * DECIBANS - (self.prior + self.evidence.sum(axis=1))
        return np.where(np.isfinite(rest), rest, 0.0) if self.adjusted_by else np.zeros(len(self))

    def _odds(self, x: Frame, favour: Codes, against: Codes) -> Floats:
        """[rows] log-odds of the posterior, in nats."""
        posterior, rows = self.model.log_posterior(x), np.arange(x.shape[0])
        with np.errstate(invalid="ignore"):
            return np.asarray(posterior[rows, favour] - posterior[rows, against])

    def _pairs(self) -> Iterator[tuple[Frame, Codes, Codes]]:
        """Yield rows in blocks, with the two classes of every row."""
        begin = 0
        for x in self.blocks:
            end = begin + x.shape[0]
            yield x, self.contrast.favour[begin:end], self.contrast.against[begin:end]
            begin = end

    def totals(self) -> dict[str, float]:
        """Return the mean absolute evidence of every line over the rows, in decibans, the largest first."""
        total = sum((self.model.total_evidence(*pair) for pair in self._pairs()), np.zeros(len(self.lines)))
        mean = total * DECIBANS / max(1, len(self))
        order = np.argsort(-mean, kind="stable")
        return {self.lines[j]: float(mean[j]) for j in order}

    def __len__(self) -> int:
        return len(self.contrast.favour)

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(x.shape[0] for x in self.blocks))

    def row(self, i: int) -> Frame:
        """Return one row, as the model reads it."""
        k = bisect_right(self._ends, i)
        begin = i - (self._ends[k - 1] if k else 0)
        return self.blocks[k].block(begin, begin + 1)

    def __getitem__(self, i: int) -> RowExplanation:
        if not isinstance(i, int | np.integer):
            raise TypeError(f"rows are asked for by number, one at a time, not by {i!r}")
        if not -len(self) <= i < len(self):
            raise IndexError(f"there are {len(self)} rows, and no row {i}")
        i %= len(self)
        x = self.row(i)
        values = x.values(0)
        read = [part.rows(x) for part in self.model.parts]
        scored = [(part.weighted, rows, part.weighted.evidence(rows)[0]) for part, rows in zip(self.model.parts, read)]
        presence = self._presence_scores(x)
        joint = None if self.model.refinement is None else self.model.refinement.evidence(x)[0].T
        items = [
            item
            for j, value in enumerate(values)
            for item in self._items(scored, presence.get(j), j, value, None if joint is None else joint[j])
        ]
        unseen = {item.column for item in items if item.silent == NEVER_SEEN}
        items += [] if joint is None else self._joint_items(joint[len(values) :], values, unseen)
        return RowExplanation(
            self.classes,
            self.model.constants,
            tuple(items),
            self.posterior[i],
            int(self.contrast.favour[i]),
            int(self.contrast.against[i]),
            self.model.calibrated_log_posterior,
            self.adjusted_by,
            self.target,
            self.first + i,
            {j: str(value) for j, value in enumerate(values) if self._holds_text(j) and not is_missing(value)},
            self.columns,
            {j: self.model.parts[p].weighted.terms for j, (p, _) in self._parts.items() if self._holds_text(j)},
            joint is not None,
        )

    def __iter__(self) -> Iterator[RowExplanation]:
        return (self[i] for i in range(len(self)))

    def _items(
        self,
        scored: Sequence[tuple[Scorer, Frame, Floats]],
        presence: Floats | None,
        j: int,
        value: Any,
        share: Floats | None,
    ) -> list[Item]:
        """Return the items of a column of one row: the pieces of its evidence, and whether there is a value.

        ``scored`` holds for every part its scorer, the row as the scorer reads it, and evidence [classes × columns];
        ``share`` [classes] is the column's share of evidence that several columns give together.
        """
        found: list[Item] = []
        if j not in self._parts:
            zeros = np.zeros(len(self.classes))
            found.append(Item(self.columns[j], value, zeros, "missing" if is_missing(value) else IGNORED, j))
        else:
            p, k = self._parts[j]
            scorer, rows, evidence = scored[p]
            for piece in scorer.pieces(rows, k, value, evidence[:, k]):
                scores = piece.scores if share is None or piece.word is not None else piece.scores + share
                silent = self._is_silent(scores) and piece.word is None
                why = self._silence(scorer, rows, k, j, value) if silent else ""
                name = self.columns[j] if piece.word is None or len(self.columns) > 1 else ""
                found.append(Item(name, piece.value, scores, why, j, piece.word, learned=piece.learned))
        if presence is not None:
            found.append(Item(self.columns[j], not is_missing(value), presence, column=j, presence=True))
        return found

    def _silence(self, scorer: Scorer, rows: Frame, k: int, j: int, value: Any) -> str:
        """Return the reason why a cell is not evidence: its weight is 0, or what the scorer says."""
        refinement = self.model.refinement
        has_weight = refinement is None or refinement.column_weights[j] > 0 or is_missing(value)
        return scorer.silence(rows, k, value) if has_weight else IGNORED

    def _joint_items(self, scores: Floats, values: Sequence[Any], unseen: set[int]) -> list[Item]:
        """Return the items of columns that are read together, from their evidence [lines × classes].

        ``unseen`` are the columns whose value no training row had.
        """
        found = []
        for i, (columns, line) in enumerate(zip(self.model.joint_lines, scores), len(values)):
            value = tuple(values[j] for j in columns)
            reason = NO_VALUE if any(map(is_missing, value)) else NEVER_SEEN if unseen & {*columns} else SAME_FOR_ALL
            why = reason if self._is_silent(line) else ""
            found.append(Item(self.lines[i], value if len(columns) == 2 else None, line, why, i, is_joint=True))
        return found

    def _is_silent(self, scores: Floats) -> bool:
        """Return whether all classes score an item the same."""
        return bool(np.isfinite(scores).all()) and not (np.ptp(scores) and len(self.classes) > 1)

    def _presence_scores(self, x: Frame) -> dict[int, Floats]:
        """Return the evidence that a value is there or missing, by column, where that counts."""
        missing = self.model.missing_values
        return {} if missing is None else dict(zip(missing.columns, missing.evidence(x)[0].T))

    def _holds_text(self, j: int) -> bool:
        return j in self._parts and self.model.parts[self._parts[j][0]].scorer.reads_text

    @cached_property
    def _parts(self) -> dict[int, tuple[int, int]]:
        """{column: (position of the part that reads it, position of the column in that part)}."""
        every = np.arange(len(self.columns))
        return {int(j): (p, k) for p, part in enumerate(self.model.parts) for k, j in enumerate(every[part.selection])}

    @property
    def has_texts(self) -> bool:
        """Whether a column holds texts, each of whose words is evidence."""
        return any(part.scorer.reads_text for part in self.model.parts)

    def reasons(self, n: int = 3) -> Any:
        """Return an Arrow table of the n strongest reasons for the class of every row, in words and in decibans.

        Columns are ``prediction``, ``reason_1``, ``decibans_1``, ``reason_2`` …; null if there are fewer.
        """
        import pyarrow as pa

        from deciban.explain.reasons import reason_columns, reason_names

        columns = reason_columns(self, n)
        return pa.table([pa.array(self.favour.tolist()), *columns], names=["prediction", *reason_names(n)])

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return every row as plain values: decision, posterior, evidence and what flips the decision."""
        return [row.to_dict(self.columns) for row in self]

    def top(self, n: int = 5) -> list[list[tuple[Item, float]]]:
        """Return the items with the most evidence in every row."""
        return [row.top(n) for row in self]

    def to_arrow(self) -> Any:
        """Return an Arrow table with a row per row and column: row, class, against, column, value, decibans.

        The prior comes first, and the adjustment by calibration last.
        """
        import pyarrow as pa

        adjusted = [f"({self.adjusted_by})"] if self.adjusted_by else []
        names = ["(prior)", *self.lines, *adjusted]
        cells = np.full((len(self), len(names)), None, dtype=object)
        for j in range(len(self.columns)):
            cells[:, 1 + j] = [value_text(value) for x in self.blocks for value in x.cells(j)]
        for i, columns in enumerate(self.model.joint_lines, 1 + len(self.columns)):
            if len(columns) == 2:
                pairs = zip(*(cells[:, 1 + j] for j in columns))
                cells[:, i] = [", ".join(text or "missing" for text in pair) for pair in pairs]
        values = cells.ravel().tolist()
        parts = [self.prior, self.evidence, *(self.adjustment for _ in adjusted)]
        decibans = np.column_stack(parts).ravel() if len(self) else np.zeros(0)
        return pa.table(
            {
                "row": pa.array(np.repeat(np.arange(self.first, self.first + len(self)), len(names))),
                "class": pa.array([str(c) for c in np.repeat(self.favour, len(names)).tolist()], pa.string()),
                "against": pa.array([str(c) for c in np.repeat(self.against, len(names)).tolist()], pa.string()),
                "column": pa.array(names * len(self), pa.string()),
                "value": pa.array(values, pa.string()),
                "decibans": pa.array(decibans),
            }
        )

    def __str__(self) -> str:
        more = f"\n\n… and {len(self) - SHOWN_ROWS:,} more rows" if len(self) > SHOWN_ROWS else ""
        return "\n\n".join(str(self[i]) for i in range(min(SHOWN_ROWS, len(self)))) + more

    def __repr__(self) -> str:
        return f"Explanation({len(self):,} rows × {len(self.columns)} columns)"

    def __rich__(self) -> Any:
        from rich.console import Group

        return Group(*(self[i].__rich__() for i in range(min(SHOWN_ROWS, len(self)))))

    def to_html(self) -> str:
        """Return a complete HTML page of the first rows."""
        from deciban.markup.html import page

        return page("explanation", *self._rows_html())

    def _repr_html_(self) -> str:
        from deciban.markup.html import fragment

        return fragment(*self._rows_html())

    def _rows_html(self) -> list[str]:
        """Return the first rows as HTML, and how many are left out."""
        from deciban.explain.show.explanation_html import row_html
        from deciban.markup.html import remark_html

        rows = [row_html(self[i]) for i in range(min(SHOWN_ROWS, len(self)))]
        rest = len(self) - len(rows)
        return [*rows, remark_html(f"… and {rest:,} more rows")] if rest else rows
