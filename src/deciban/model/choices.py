"""Choices: what was chosen on rows where the settings leave it open."""

from __future__ import annotations

from dataclasses import dataclass, replace

from deciban.likelihoods.base import Likelihood
from deciban.model.calibration import Calibration


@dataclass(frozen=True)
class Choices:
    """The pseudo-count, event models and calibration that were chosen, and the number of rows they were chosen on."""

    rows: int
    alpha: float | None = None
    group_models: tuple[Likelihood, ...] | None = None  # per group; None: as declared
    # Columns with an event model of their own; None for a column that predictions are better without.
    column_models: tuple[tuple[int, Likelihood | None], ...] = ()
    missing_columns: tuple[int, ...] = ()  # columns in which a missing value is evidence
    calibration: Calibration | None = None
    reason: str = ""  # why nothing could be chosen, so that constants are used

    def completed_by(self, other: Choices) -> Choices:
        """Return the choice made on more rows, completed by the other."""
        first, second = (self, other) if self.rows >= other.rows else (other, self)
        return replace(
            first,
            alpha=second.alpha if first.alpha is None else first.alpha,
            calibration=second.calibration if first.calibration is None else first.calibration,
        )

    @property
    def ignored_columns(self) -> tuple[int, ...]:
        """Columns that predictions are better without."""
        return tuple(j for j, model in self.column_models if model is None)

    def __str__(self) -> str:
        parts = [] if self.alpha is None else [f"alpha {self.alpha:.3g}"]
        ignored, missing = len(self.ignored_columns), len(self.missing_columns)
        parts += [f"{_columns(ignored)} ignored"] if ignored else []
        parts += [f"missing values of {_columns(missing)} count"] if missing else []
        parts += [] if self.calibration is None else [str(self.calibration)]
        chosen = f"chosen on {self.rows:,} rows" if not self.reason else f"constants: {self.reason}"
        return f"{', '.join(parts) or 'event models'} ({chosen})"


def _columns(number: int) -> str:
    return f"{number} column{'s' * (number != 1)}"
