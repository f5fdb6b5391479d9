"""Choices: what was chosen on rows where the settings leave it open."""

from __future__ import annotations

from dataclasses import dataclass, replace

from deciban.likelihoods.base import Likelihood
from deciban.model.calibration import Calibration
from deciban.priors.counts import is_amount, is_count
from deciban.refinement import Refinement


@dataclass(frozen=True)
class Choices:
    """The pseudo-count, event models, calibration and refinement that were chosen.

    ``rows`` is the number of rows that they were chosen on.
    ``effective_rows`` is the number of rows of equal weight that tell as much; None if that was not recorded.
    """

    rows: int
    alpha: float | None = None
    group_models: tuple[Likelihood, ...] | None = None  # per group; None: as declared
    # Columns with an event model of their own; None for a column that predictions are better without.
    column_models: tuple[tuple[int, Likelihood | None], ...] = ()
    missing_columns: tuple[int, ...] = ()  # columns in which a missing value is evidence
    calibration: Calibration | None = None
    reason: str = ""  # why nothing could be chosen, so that constants are used
    effective_rows: float | None = None
    refinement: Refinement | None = None  # weights, joint normal distributions and pairs of columns

    def __post_init__(self) -> None:
        numbers = (self.alpha, self.effective_rows)
        models = () if self.group_models is None else self.group_models
        columns = [j for j, _ in self.column_models]
        valid = (
            is_count(self.rows)
            and all(number is None or is_amount(number) for number in numbers)
            and all(isinstance(model, Likelihood) for model in models)
            and all(isinstance(model, Likelihood | None) for _, model in self.column_models)
            and all(
                len(set(each)) == len(each) and all(map(is_count, each)) for each in (columns, self.missing_columns)
            )
            and isinstance(self.calibration, Calibration | None)
            and isinstance(self.reason, str)
            and isinstance(self.refinement, Refinement | None)
        )
        if not valid:
            raise ValueError("what was chosen on rows is not made of numbers, event models and a calibration.")

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
