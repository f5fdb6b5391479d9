"""Findings of a diagnosis, and the sentences in which it says them; data only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# Findings of one kind that are printed.
PRINTED_FINDINGS = 8

DUPLICATE, IRRELEVANT, LEAKING, NEVER, UNTRUSTED = "duplicate", "irrelevant", "leak", "never seen", "over-confident"
TOO_FEW = "too few rows"


@dataclass(frozen=True)
class Finding:
    """A problem: its kind, its columns, its size in decibans, and a sentence that says what to do."""

    kind: str
    columns: tuple[str, ...]
    decibans: float
    sentence: str

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True)
class Diagnosis:
    """Findings, the largest of every kind first."""

    findings: tuple[Finding, ...]
    rows: int
    skipped: tuple[str, ...] = ()  # sentences on columns that were left out, with the reason

    def of(self, kind: str) -> list[Finding]:
        """Return the findings of one kind."""
        return [f for f in self.findings if f.kind == kind]

    def __str__(self) -> str:
        lines = [] if self.findings else [f"Nothing was found in {self.rows:,} rows."]
        for kind in (LEAKING, DUPLICATE, UNTRUSTED, NEVER, IRRELEVANT, TOO_FEW):
            found = self.of(kind)
            lines += [f"{kind}: {f.sentence}" for f in found[:PRINTED_FINDINGS]]
            lines += [f"{kind}: … and {len(found) - PRINTED_FINDINGS} more"] if len(found) > PRINTED_FINDINGS else []
        lines += [f"Not looked at: {'; '.join(self.skipped)}."] if self.skipped else []
        return "\n".join(lines)

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
