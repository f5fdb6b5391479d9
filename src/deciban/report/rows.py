"""Rows of a single pass that are worth explaining: the most wrong, the least sure, and those asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappush, heapreplace
from typing import Any

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.types import Codes, Floats, Names
from deciban.evaluation.scored_rows import ScoredRows
from deciban.explain.row_explanation import RowExplanation
from deciban.explain.rows import new_explanation
from deciban.model.classifier import Classifier
from deciban.model.parts import Contrast


@dataclass(frozen=True, eq=False)
class KeptRow:
    """A copy of one row, its number counted from 0, its label (None without one), and the label's position, or −1."""

    number: int
    frame: Frame
    label: Any
    code: int


class Highest:
    """The n rows of the highest score that were offered; the first ones on a tie."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.heap: list[tuple[float, int, KeptRow]] = []

    def offer(self, scored: ScoredRows, codes: Codes, scores: Floats) -> None:
        """Offer a batch; rows with the score −∞ are never kept."""
        for i in np.argsort(-scores, kind="stable")[: self.n].tolist():
            score, number = float(scores[i]), scored.first_row + i
            if score == -np.inf or (len(self.heap) == self.n and score <= self.heap[0][0]):
                return
            push = heappush if len(self.heap) < self.n else heapreplace
            push(self.heap, (score, -number, kept_row(scored, codes, i)))

    def rows(self) -> list[KeptRow]:
        """Return the rows, the one of the highest score first."""
        return [row for _, _, row in sorted(self.heap, key=lambda entry: entry[:2], reverse=True)]


def kept_row(scored: ScoredRows, codes: Codes, i: int) -> KeptRow:
    """Return a copy of row i of a batch, which holds nothing of the batch."""
    assert scored.labels.codes is not None
    own = int(scored.labels.codes[i])
    label = scored.names.tolist()[own] if own >= 0 else None
    return KeptRow(scored.first_row + i, scored.rows.pick(np.array([i])), label, int(codes[i]))


class RowWatch:
    """Watches batches of rows and keeps a few: ``wrong`` and ``unsure``, and ``asked`` by their numbers from 0."""

    def __init__(self, n: int, asked: Sequence[int] = ()) -> None:
        self.wrong, self.unsure = Highest(n), Highest(n)
        self.wanted = set(asked)
        self.asked: dict[int, KeptRow] = {}
        self.seen = 0

    def add(self, scored: ScoredRows, scores: Floats, codes: Codes) -> None:
        """Offer a batch with its log posteriors, and the positions of its labels among the classes, −1 for none."""
        rows = np.arange(len(scores))
        if self.wrong.n and len(rows):
            is_wrong = (codes >= 0) & (scores.argmax(axis=1) != codes)
            self.wrong.offer(scored, codes, np.where(is_wrong, -scores[rows, codes], -np.inf))
            if scores.shape[1] > 1:
                best = np.partition(scores, -2, axis=1)
                self.unsure.offer(scored, codes, best[:, -2] - best[:, -1])
        for number in self.wanted & set(range(scored.first_row, scored.first_row + len(rows))):
            self.asked[number] = kept_row(scored, codes, number - scored.first_row)
        self.seen = scored.first_row + len(rows)

    def check_asked(self, first: int) -> None:
        """Raise if a row was asked for that has not come; rows are counted from ``first``."""
        if lost := sorted(self.wanted - set(self.asked)):
            last = self.seen - 1 + first
            raise ValueError(f"row {lost[0] + first} was asked for; there are rows {first} to {last:,}.")


def explain_row(classifier: Classifier, names: Sequence[str], row: KeptRow, first: int) -> RowExplanation:
    """Explain a row's decision: against its label if they differ, else against the most probable other class."""
    from dataclasses import replace

    model = classifier.model
    found = model.contrast(row.frame)
    if row.code >= 0 and row.code != found.favour[0]:
        against = np.array([row.code], dtype=np.int32)
        found = Contrast(found.favour, against, found.posterior)
    return replace(new_explanation(classifier, names, found, [row.frame]), first=first + row.number)[0]


def label_text(label: Any, classes: Names) -> str:
    """Return a row's label in words, with a remark if the model does not know it."""
    if label is None:
        return "it has no label"
    return f"its label is {label}" + ("" if label in classes.tolist() else ", which the model does not know")
