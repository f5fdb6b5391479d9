"""Settings: opinions that may change after training without reading the data again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from deciban.arrays.parallel import thread_count
from deciban.model.calibration import CALIBRATIONS
from deciban.priors.class_prior import ClassPriorLike
from deciban.priors.estimation import AUTO, Estimate, Estimation
from deciban.statistics.row_sample import REMEMBERED_ROWS, UNBOUNDED

# What the parameters of the same names take; None leaves the choice to deciban.
Alpha: TypeAlias = float | Literal["auto"] | None
Calibrate: TypeAlias = Literal["auto", "temperature", "isotonic", False] | None
ClassWeight: TypeAlias = Literal["balanced"] | Mapping[Any, float] | None


@dataclass(frozen=True)
class Settings:
    """The estimate, the prior and weights of the classes, calibration, the rows to remember, and threads."""

    estimation: Estimation = field(default_factory=Estimation)
    class_prior: ClassPriorLike = None
    threads: int | None = None
    strict: str | None = None  # refuse NaN on behalf of this estimator
    calibrate: Literal["auto", "temperature", "isotonic"] | None = None
    class_weight: ClassWeight = None  # how much a class matters: None, "balanced" or {label: weight}
    remember: int = 0  # rows that a sample for choices may keep

    def __post_init__(self) -> None:
        thread_count(self.threads)  # a bad number is an error before any row is read
        if self.calibrate is not None and not (isinstance(self.calibrate, str) and self.calibrate in CALIBRATIONS):
            raise ValueError(f"calibrate is {self.calibrate!r}; it can be None, {', '.join(map(repr, CALIBRATIONS))}.")
        whole = isinstance(self.remember, int | np.integer) and not isinstance(self.remember, bool)
        if not whole or not 0 <= self.remember <= UNBOUNDED:
            raise ValueError(f"remember is {self.remember!r}; give a whole number of rows, 0 to remember none.")

    @staticmethod
    def of(
        columns: Any,
        alpha: Alpha = None,
        calibrate: Calibrate = None,
        *,
        estimate: Estimate = "map",
        class_prior: ClassPriorLike = None,
        class_weight: ClassWeight = None,
        remember: int = REMEMBERED_ROWS,
        threads: int | None = None,
    ) -> Settings:
        """Return settings with defaults filled in, the same for Python and the command line.

        ``alpha`` and ``calibrate`` None are "auto" where the columns are left to deciban, and 1 and no calibration
        where event models are given.
        """
        automatic = columns is None
        pseudo_count = alpha if alpha is not None else AUTO if automatic else 1.0
        calibration: Calibrate = calibrate if calibrate is not None else "auto" if automatic else False
        return Settings(
            Estimation(pseudo_count, estimate),
            class_prior,
            threads,
            calibrate=None if calibration is False else calibration,
            class_weight=class_weight,
            remember=remember,
        )

    @property
    def is_open(self) -> bool:
        """Whether a pseudo-count or a calibration must be chosen on rows."""
        return self.estimation.is_open or self.calibrate is not None
