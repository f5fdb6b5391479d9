"""Findings of a diagnosis, and their sentences; data only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from deciban.explain.column_pairs import ColumnPairs
from deciban.terminal.printable import printable_line

if TYPE_CHECKING:
    from deciban.plots.columns import ColumnsDisplay

# Findings of one kind that are printed.
PRINTED_FINDINGS = 8

DUPLICATE, IRRELEVANT, LEAKING, NEVER, UNTRUSTED = "duplicate", "irrelevant", "leak", "never seen", "over-confident"
TOO_FEW, TOGETHER = "too few rows", "together"


@dataclass(frozen=True)
class Finding:
    """Something that was found: its kind, its columns, its size in decibans, and a sentence on it and on what to do."""

    kind: str
    columns: tuple[str, ...]
    decibans: float
    sentence: str

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True)
class Diagnosis:
    """Findings, the largest of every kind first, and the pairs of columns behind them."""

    findings: tuple[Finding, ...]
    rows: int
    skipped: tuple[str, ...] = ()  # sentences on columns that were left out, with the reason
    pairs: ColumnPairs = field(default_factory=ColumnPairs.none, compare=False, repr=False)
    is_refined: bool = False  # weights make up for columns that go together

    def of(self, kind: str) -> list[Finding]:
        """Return the findings of one kind."""
        return [f for f in self.findings if f.kind == kind]

    def __str__(self) -> str:
        lines = [*(f"{kind}: {sentence}" for kind, sentence in self._sentences()), *self._remarks()]
        return "\n".join(map(printable_line, lines))

    def _sentences(self) -> list[tuple[str, str]]:
        """Return kind and sentence of the findings that are printed, and a sentence that counts the others."""
        lines = []
        for kind in (LEAKING, DUPLICATE, UNTRUSTED, NEVER, IRRELEVANT, TOO_FEW, TOGETHER):
            found = self.of(kind)
            lines += [(kind, f.sentence) for f in found[:PRINTED_FINDINGS]]
            lines += [(kind, f"… and {len(found) - PRINTED_FINDINGS} more")] if len(found) > PRINTED_FINDINGS else []
        return lines

    def _remarks(self) -> list[str]:
        nothing = [] if self.findings else [f"Nothing was found in {self.rows:,} rows."]
        return nothing + ([f"Not looked at: {'; '.join(self.skipped)}."] if self.skipped else [])

    def _repr_html_(self) -> str:
        from deciban.explain.show.diagnosis_html import diagnosis_html

        return diagnosis_html(self._sentences(), self._remarks(), self.pairs)

    def plot(self, ax: Any = None, *, theme: str | None = None) -> ColumnsDisplay:
        """Draw the evidence of every column, beside the pairs that repeat each other (needs matplotlib)."""
        from deciban.plots.columns import ColumnsDisplay

        return ColumnsDisplay(self).plot(ax, theme=theme)

    def to_arrow(self) -> Any:
        """Return an Arrow table with a row per finding."""
        import pyarrow as pa

        return pa.table(
            {
                "kind": pa.array([f.kind for f in self.findings], pa.string()),
                "columns": pa.array([list(f.columns) for f in self.findings], pa.list_(pa.string())),
                "decibans": pa.array([f.decibans for f in self.findings], pa.float64()),
                "sentence": pa.array([f.sentence for f in self.findings], pa.string()),
            }
        )
