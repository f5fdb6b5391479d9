"""Scales: the evidence of every value of a column for a class against another, in decibans; axes of a nomogram."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.arrays.json_values import finite_or_none, json_value
from deciban.arrays.types import Floats, Mask
from deciban.describe.probability_scale import ProbabilityScale
from deciban.explain.row_explanation import RowExplanation
from deciban.terminal.printable import printable_line
from deciban.terminal.tables import PrintedTable, tables_text
from deciban.terminal.values import percent, short_value, signed

if TYPE_CHECKING:
    from deciban.plots.nomogram import NomogramDisplay

# Scales, and values of each, that are printed.
SHOWN_SCALES, SHOWN_VALUES = 10, 12
# Share of the training rows below which a category or bin is not usual.
LEAST_SHARE = 0.002
NO_VALUES = "this evidence has no list of values: it is that of a whole row"
MANY_CLASSES = (
    "there is no scale of probabilities: with more than two classes, the probability also depends on the evidence for "
    "the others"
)


@dataclass(frozen=True, eq=False, repr=False)
class Scale:
    """Values of one column, or of columns that are read together, with the evidence of each in decibans.

    ``kind`` says what the values are: "categories"; "bins" of numbers, with ``cuts`` between them; "numbers", at
    which a continuous function is evaluated; "words", or "counts" of columns, with the evidence of one occurrence.
    ``weight`` is the weight of training rows at each value, None if unknown; ``unit`` says how it was counted.
    """

    name: str
    columns: tuple[int, ...]
    kind: str
    values: tuple[Any, ...]
    decibans: Floats
    weight: Floats | None = None
    unit: str = ""
    cuts: Floats | None = None

    @property
    def usual(self) -> Mask:
        """[values] mask of the values that at least 0.2 % of the training rows have; all numbers, words and counts."""
        if self.weight is None or self.kind not in ("categories", "bins"):
            return np.ones(len(self), dtype=bool)
        return np.asarray(self.weight >= LEAST_SHARE * self.weight.sum())

    @property
    def range(self) -> float:
        """Difference between the greatest and the least evidence of usual values, in decibans, infinities left out."""
        finite = self.decibans[np.isfinite(self.decibans) & self.usual]
        return float(np.ptp(finite)) if len(finite) else 0.0

    def text(self, i: int) -> str:
        """Return a value in words; a combination of several columns as a list."""
        value = self.values[i]
        return ", ".join(map(short_value, value)) if isinstance(value, tuple) else short_value(value)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"Scale({self.name}: {len(self)} {self.kind}, {self.range:.1f} dB wide)"

    def __str__(self) -> str:
        return tables_text([self.to_table()]).strip("\n")

    def _repr_html_(self) -> str:
        from deciban.describe.scales_html import greatest_evidence, scale_html
        from deciban.markup.html import fragment

        return fragment(scale_html(self, greatest_evidence(self)))

    def shown(self, n: int = SHOWN_VALUES) -> list[int]:
        """Return the indices of at most n values, in their own order: the most frequent ones.

        Numbers are evenly spaced; of words and counts, those with the most evidence for either class are returned.
        """
        if len(self) <= n:
            return list(range(len(self)))
        if self.kind in ("words", "counts"):
            return [*range(n // 2), *range(len(self) - (n - n // 2), len(self))]
        if self.kind == "numbers" or self.weight is None:
            return np.unique(np.linspace(0, len(self) - 1, n).round().astype(int)).tolist()
        return sorted(np.argsort(-self.weight, kind="stable")[:n].tolist())

    def to_table(self) -> PrintedTable:
        """Return the scale as a table of values, decibans and weights."""
        shown = self.shown()
        rest = len(self) - len(shown)
        names = [self.name, "decibans", *([self.unit] if self.weight is not None else [])]
        rows = [[self.text(i), signed(self.decibans[i]), *self._weight_text(i)] for i in shown]
        below = f"… and {rest:,} more values" if rest else ""
        return PrintedTable("", names, rows, below if len(self) else NO_VALUES)

    def _weight_text(self, i: int) -> list[str]:
        if self.weight is None:
            return []
        weight = float(self.weight[i])
        return [f"{weight:,.0f}" if weight >= 1000 or weight == round(weight) else f"{weight:.3g}"]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; infinite decibans are None."""
        weight = None if self.weight is None else self.weight.tolist()
        return {
            "column": self.name,
            "kind": self.kind,
            "values": [json_value(list(v) if isinstance(v, tuple) else v) for v in self.values],
            "decibans": [finite_or_none(d) for d in self.decibans.tolist()],
            "weight": weight,
            "unit": self.unit,
        }


@dataclass(frozen=True, eq=False, repr=False)
class Scales:
    """A scale per column, in decibans for ``favour`` against ``against``, and the prior: the axes of a nomogram.

    ``sum(X)``, the prior and the evidence of every row's values, is the log-odds before calibration, exactly. For two
    classes, ``probability`` turns it into the probability predicted. Columns that the model ignores have no scale.
    """

    favour: Any
    against: Any
    prior: float  # log-odds in decibans
    scales: tuple[Scale, ...]
    probability: ProbabilityScale | None = None
    row: RowExplanation | None = None  # the row that the scales were asked for
    row_decibans: Floats | None = None  # its evidence, per scale
    target: str | None = None
    # [rows × columns] evidence of rows X, in decibans; and the scales with a row on them.
    evidence: Callable[[Any], Floats] = field(default=lambda X: np.zeros((0, 0)))
    place: Callable[[Scales, Any], Scales] = field(default=lambda scales, X: scales)

    @cached_property
    def _by_name(self) -> dict[str, Scale]:
        return {scale.name: scale for scale in self.scales}

    def __getitem__(self, name: str) -> Scale:
        if name not in self._by_name:
            raise KeyError(f"{name!r} has no scale; those that have one are {', '.join(self._by_name)}.")
        return self._by_name[name]

    def __iter__(self) -> Iterator[Scale]:
        return iter(self.scales)

    def __len__(self) -> int:
        return len(self.scales)

    def decibans_of(self, X: Any) -> Floats:
        """[rows × scales] evidence of rows on every scale, computed by the model at the rows' own values."""
        by_column = self.evidence(X)
        return np.stack([by_column[:, list(scale.columns)].sum(axis=1) for scale in self.scales], axis=1)

    def sum(self, X: Any) -> Floats:
        """[rows] log-odds before calibration: prior and evidence; NaN if both classes are impossible."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.prior + self.decibans_of(X).sum(axis=1))

    def for_row(self, row: Any) -> Scales:
        """Return the scales with a row on them, given as a mapping or as [row]; its own class may be another one."""
        return self.place(self, row)

    def widest(self, n: int) -> list[Scale]:
        """Return the n scales of the greatest range, the widest first."""
        return sorted(self.scales, key=lambda scale: -scale.range)[:n]

    @property
    def title(self) -> str:
        """The two classes that are compared."""
        name = f"{self.target} = {self.favour}" if self.target else f"{self.favour}"
        return f"{name} against {self.against}"

    @property
    def notes(self) -> list[str]:
        """Remarks on the prior, the row and the scale of probabilities."""
        notes = [f"prior {signed(self.prior)} dB; evidence and prior add up to the log-odds before calibration"]
        return [*notes, *self._row_notes(), *self.probability_notes]

    @property
    def probability_notes(self) -> list[str]:
        """Remarks on the scale of probabilities: why there is none, or the size of the rows it is for."""
        if self.probability is None:
            return [MANY_CLASSES]
        return [f"probabilities are {self.probability.note}"] if self.probability.note else []

    def _row_notes(self) -> list[str]:
        if self.row is None or self.row_decibans is None:
            return []
        with np.errstate(invalid="ignore"):
            total = float(self.prior + self.row_decibans.sum())
        predicted = percent(self.row.posterior[self.row.favour])
        return [f"the row: {signed(total)} dB in all; {self.favour} is predicted with {predicted}"]

    def __repr__(self) -> str:
        return f"Scales({self.title}, {len(self)} columns; print it to read it)"

    def __str__(self) -> str:
        shown = self.widest(SHOWN_SCALES)
        rest = len(self) - len(shown)
        more = [f"… and {rest:,} more columns"] if rest else []
        head = [printable_line(line) for line in (f"{self.title}, in decibans", *self.notes)]
        return "\n\n".join(["\n".join(head), *map(str, shown), *more])

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: the two classes, the prior, and every scale."""
        return {
            "class": json_value(self.favour),
            "against": json_value(self.against),
            "prior": finite_or_none(self.prior),
            "scales": [scale.to_dict() for scale in self.scales],
        }

    def plot(self, ax: Any = None, *, row: Any = None, n: int = 10, theme: str | None = None) -> NomogramDisplay:
        """Draw a nomogram of the n widest scales, with the place of a row if one is given (needs matplotlib)."""
        from deciban.plots.nomogram import NomogramDisplay

        return NomogramDisplay(self if row is None else self.for_row(row), n).plot(ax, theme=theme)

    def to_html(self) -> str:
        """Return a complete HTML page of the widest scales."""
        from deciban.describe.scales_html import scales_html
        from deciban.markup.html import page

        return page(self.title, *scales_html(self))

    def _repr_html_(self) -> str:
        from deciban.describe.scales_html import scales_html
        from deciban.markup.html import fragment

        return fragment(*scales_html(self))


def row_sums(row: RowExplanation, scales: Sequence[Scale]) -> Floats:
    """[scales] evidence of a row that was explained."""
    by_column: dict[int, float] = {}
    for item, value in zip(row.items, row.evidence.tolist()):
        by_column[item.column] = by_column.get(item.column, 0.0) + value
    return np.array([sum(by_column.get(j, 0.0) for j in scale.columns) for scale in scales])
